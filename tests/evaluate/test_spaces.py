"""Spaces: grids and draws on linear and logarithmic scales, zooming, edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk.evaluate.spaces import Choice, Linear, Log, draws_of, grid_of, spaces_of


def test_known_grids():
    assert Linear(0, 10).grid(5) == [0.0, 2.5, 5.0, 7.5, 10.0]
    assert np.allclose(Log(1e-3, 1e3).grid(7), np.logspace(-3, 3, 7), rtol=1e-14)
    assert Linear(1, 4, whole=True).grid(20) == [1, 2, 3, 4]
    assert Log(1, 100, whole=True).grid(3) == [1, 10, 100]


def test_a_grid_is_every_combination_the_last_parameter_fastest():
    spaces = spaces_of({"a": [1, 2], "b": Linear(0, 1)})
    assert grid_of(spaces, {"b": 2}) == [{"a": 1, "b": 0.0}, {"a": 1, "b": 1.0}, {"a": 2, "b": 0.0}, {"a": 2, "b": 1.0}]


@pytest.mark.parametrize(("space", "scale"), [(Linear(2, 6), lambda v: v), (Log(0.01, 100), np.log)])
def test_draws_are_even_on_their_scale(space, scale):
    shares = (np.arange(4000) + 0.5)[:, None] / 4000
    values = scale(np.array([one["x"] for one in draws_of({"x": space}, shares)]))
    low, high = scale(np.array([space.low, space.high]))
    assert np.allclose(np.histogram(values, 10, (low, high))[0], 400, atol=1)


@given(st.floats(0, 1), st.floats(0.01, 0.5))
def test_zooming_stays_within_the_limits_and_around_the_value(place, width):
    space = Log(0.1, 50.0)
    value = space.at(place)
    zoomed = space.around(value, width)
    found = zoomed.grid(5)
    assert all(0.1 - 1e-12 <= v <= 50.0 + 1e-9 for v in found)
    assert min(found) <= value * (1 + 1e-9)
    assert max(found) >= value * (1 - 1e-9)
    assert zoomed.around(value, width).grid(3) == space.around(value, width).grid(3)


def test_edges_are_those_of_the_whole_interval():
    assert Log(1, 10).around(5.0, 0.1).at_edge(10.0) == "high"
    assert Linear(1, 3).at_edge(1.0) == "low"
    assert Linear(1, 3).at_edge(2.0) == ""
    assert Choice((1, 2, 5)).at_edge(5) == "high"
    assert Choice((1, 2)).at_edge(2) == ""
    assert Choice(("a", "b", "c")).at_edge("c") == ""
    assert Choice((True, False, True)).at_edge(True) == ""


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Linear(3, 1), "low must be below high; came 3 and 1"),
        (lambda: Log(0, 1), "low must be above 0; came 0"),
        (lambda: Linear(0, np.inf), "high must be a finite number"),
        (lambda: spaces_of({}), "space must be"),
        (lambda: spaces_of({"a": "text"}), "space of 'a' must be a list of values"),
        (lambda: spaces_of({"a": []}), "space of 'a' must be a list of values"),
        (lambda: grid_of({"a": Linear(0, 1)}, 0), "points must be a whole number"),
    ],
)
def test_bad_spaces_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
