"""The look: contrast on white, colours that any eye tells apart, numbers as people read them."""

import itertools

import numpy as np
import pytest

from glaswerk.figures.parts import log_ticks, numbers, out_of_scale, span
from glaswerk.figures.theme import COLOURS, DASHES, FAINT, HEAT, INK, SHAPES, said, tick_format


def linear(colour):
    c = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(colour, other="#ffffff"):
    a, b = (float(linear(c) @ [0.2126, 0.7152, 0.0722]) + 0.05 for c in (colour, other))
    return max(a, b) / min(a, b)


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_has_contrast_three_on_white(colour):
    assert contrast(colour) >= 3


def test_text_has_contrast_four_and_a_half():
    assert contrast(INK) >= 4.5
    assert contrast(FAINT) >= 4.5
    assert contrast("#ffffff", HEAT[1]) >= 4.5
    assert contrast("#1f2328", HEAT[0]) >= 4.5


# Viénot, Brettel and Mollon (1999): what is left of linear red, green, blue without one kind of cone
DICHROMATS = {
    "without long": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "without middle": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
}


def lab(rgb):
    """CIE L*a*b* under D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    t = to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eye", DICHROMATS)
def test_the_first_four_colours_differ_for_any_eye(eye):
    seen = [lab(np.array(DICHROMATS[eye]) @ linear(c)) for c in COLOURS[:4]]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 12


def test_every_colour_has_a_dash_and_a_shape_of_its_own():
    assert len(COLOURS) == len(set(COLOURS)) == len({tuple(d) for d in DASHES}) == len(set(SHAPES))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (2.9135, "2.913"), (-12.5, "−12.5"), (99999.6, "100000"), (1e6, "1000000"),
        (12345678.0, "1.235e7"), (1e-7, "1e−7"), (0.00012345, "0.0001234"), (float("nan"), "none"), (None, "none"),
        (float("inf"), "∞"), (-float("inf"), "−∞"), (150, "150"), (1e300, "1e300"),
    ],
)  # fmt: skip
def test_numbers_have_four_digits(number, text):
    assert said(number) == text


def test_axes_write_decimals_where_they_can_be_read():
    assert tick_format([-5.0, 2e5]) == "~f"
    assert tick_format([0.0, 2e9]) == tick_format([0.0, 1e-7]) == "~e"
    assert numbers("x", "t", (1e-8, 1e8), "log")["axis"]["format"] == "~e"


def test_log_axes_have_two_to_a_dozen_ticks():
    for low, high in [(20, 353), (1e-8, 1e8), (1, 10), (3, 4), (1e-300, 1e300)]:
        ticks = log_ticks(low, high)
        assert 1 <= len(ticks) <= 12
        assert all(low <= t <= high for t in ticks)


def test_an_axis_is_never_empty():
    assert span([]) == (-0.04, 1.04)
    low, high = span([5.0, 5.0])
    assert low < 5 < high
    low, high = span([0.0, None, float("inf")])
    assert low < 0 < high


def test_what_would_flatten_the_others_is_found():
    assert out_of_scale([1.0, 2.0, 1e6, 0.0]) == [False, False, True, False]
    assert out_of_scale([0.0, 0.0]) == [False, False]
    assert out_of_scale([]) == []
