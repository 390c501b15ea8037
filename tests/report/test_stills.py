"""Still images: the same picture in fewer bytes, and text that is left as it was."""

import base64
import io
import re

import numpy as np
import pytest
import vl_convert
from PIL import Image

from glaswerk.facts import Coefficients
from glaswerk.figures import figures_of
from glaswerk.report.stills import slim, still
from tests.figures.samples import FACTS, coefficient


def dots(svg):
    return np.asarray(Image.open(io.BytesIO(vl_convert.svg_to_png(svg))).convert("RGB"), dtype=float)


@pytest.mark.parametrize("name", ["out of fold", "coefficients of cars", "a valley with paths", "steps of two sliders"])
def test_the_picture_is_the_same_to_the_eye(name):
    figure = figures_of(FACTS[name])[0]
    whole = figure.svg(460, titled=False)
    assert len(slim(whole)) < len(whole)
    difference = np.abs(dots(whole) - dots(slim(whole)))
    assert difference.mean() < 0.2


def test_a_cloud_takes_a_third_of_its_bytes():
    figure = figures_of(FACTS["out of fold"])[0]
    whole = figure.svg(titled=False)
    assert len(slim(whole)) < len(whole) / 3
    assert slim(whole).count("<use ") == 398


def test_text_is_left_as_it_is():
    name = ' class="a" x="1.23456" d'
    figure = figures_of(Coefficients("y", 0.95, (coefficient(name, 1.0, 0.1), coefficient("b", 2.0, 0.1))))[0]
    whole = figure.svg(titled=False)
    words = re.compile(r"<text[^>]*>([^<]*)</text>")
    assert words.findall(slim(whole)) == words.findall(whole)
    assert any("1.23456" in text for text in words.findall(slim(whole)))


def test_every_sort_of_picture_is_an_image_in_its_address():
    for name in ("confusion of 3", "many out of fold"):
        head, data = still(figures_of(FACTS[name])[0], None).split(",", 1)
        found = base64.b64decode(data)
        assert found.startswith(b"<svg" if "svg" in head else b"\x89PNG")
