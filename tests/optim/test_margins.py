"""The picture of a machine: regions and lines where its values say, supporting rows among those drawn, hard input."""

import numpy as np
import pandas as pd
import pytest

from glaswerk.evaluate import margin_steps
from glaswerk.facts import MarginPlane, Steps
from glaswerk.figures import figures_of
from glaswerk.learners import SVC
from glaswerk.optim.margins import MOST_POINTS


def clouds(n=60, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return np.column_stack([2.0 * y, rng.normal(size=n)]) + 0.6 * rng.normal(size=(n, 2)), y


def test_lines_and_regions_are_where_the_values_say():
    X, y = clouds()
    model = SVC(gamma=0.5).fit(X, y)
    plane = model.margins(X, y, "A border")
    for lines, level in ((plane.borders, 0.0), (plane.margins, 1.0)):
        for line in lines:
            values = model.decision_function(np.column_stack([line.x, line.y]))
            np.testing.assert_allclose(np.abs(values), level, atol=0.05)
    corner = [[plane.x[0], plane.y[0]], [plane.x[-1], plane.y[-1]]]
    assert model.predict(corner).tolist() == [plane.regions[0][0], plane.regions[-1][-1]]
    assert sum(support for *_, support in plane.points) == len(model.support_)
    shares = [row[-1] for row in plane.table().rows]
    assert sum(shares) == pytest.approx(1.0)


def test_facts_of_two_columns_hold_the_picture_and_of_three_none():
    X, y = clouds(classes=3)
    (plane,) = SVC().fit(X, y).facts().of_kind(MarginPlane)
    assert plane.classes == ("0", "1", "2")
    assert not plane.borders
    assert all(support for *_, support in plane.points)
    wide = SVC().fit(np.column_stack([X, X[:, 0]]), y)
    assert not wide.facts().of_kind(MarginPlane)
    with pytest.raises(ValueError, match=r"SVC\.margins draws two columns of numbers, got 3"):
        wide.margins(X, y)


def test_many_rows_are_thinned_and_a_constant_column_is_drawn():
    X, y = clouds(3000)
    plane = SVC(C=0.1).fit(X, y).margins(X, y)
    assert len(plane.points) <= MOST_POINTS
    assert plane.rows == 3000
    flat = SVC(kernel="linear").fit(np.column_stack([X[:50, 0], np.ones(50)]), y[:50])
    (figure,) = figures_of(flat.facts().of_kind(MarginPlane)[0])
    assert "supporting" in figure.alt


def test_sliders_hold_every_setting_and_keep_names():
    X, y = clouds(40)
    steps = margin_steps(pd.DataFrame(X, columns=["length", "width"]), y, C=(0.1, 10.0), gamma=(0.1, 1.0, 10.0))
    assert isinstance(steps, Steps)
    assert [s.places for s in steps.sliders] == [("0.1", "10"), ("0.1", "1", "10")]
    assert steps.facts[0][0].x_title == "length"
    (figure,) = figures_of(steps)
    assert len(figure.frames) == 6
    alone = margin_steps([[0.0, 1.0], [1.0, 2.0], [2.0, 0.0]], [0, 0, 1], C=(1.0,), gamma=(1.0,))
    assert "nan" not in alone.says[0]
