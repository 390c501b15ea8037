"""Steps, rectangles, surfaces: the slides' counts, answers equal to the tree's, edges, bad input."""

import numpy as np
import polars as pl
import pytest

from glaswerk import load_hitters, load_iris
from glaswerk.explain import tree_shapes
from glaswerk.explain.shapes import Seen, regions_of
from glaswerk.facts import Curve, Regions
from glaswerk.figures import figures_of
from glaswerk.table import TableError


def test_hitters_by_depth_as_on_the_slides():
    """[SCH-LEAF] 14 steps at depth 5, 21 without limit; 2, 4, 7, 13, 23 and 249 rectangles."""
    one = tree_shapes(load_hitters(), "Salary", ["Years"], depths=(1, 5, None))
    assert [says.split(" steps")[0].split()[-1] for says in one.says] == ["2", "14", "21"]
    two = tree_shapes(load_hitters(), "Salary", ["Years", "Hits"], depths=(1, 2, 3, 4, 5, None))
    assert [len(place[0].regions) for place in two.facts] == [2, 4, 7, 13, 23, 249]
    assert all(place[1].solid for place in two.facts)
    assert "59 rows without" in one.notes[0]


@pytest.mark.parametrize("target", ["species", "petal_width"])
def test_rectangles_cover_the_plane_and_answer_as_the_tree(target):
    rows = Seen.of(load_iris(), target, ["sepal_length", "petal_length"])
    model = rows.tree(max_depth=4)
    fact = regions_of(rows, model, "x")
    area = sum((r.right - r.left) * (r.above - r.below) for r in fact.regions)
    whole = [max(getattr(r, a) for r in fact.regions) - min(getattr(r, b) for r in fact.regions)
             for a, b in (("right", "left"), ("above", "below"))]  # fmt: skip
    assert area == pytest.approx(whole[0] * whole[1])
    assert sum(r.rows for r in fact.regions) == 150
    for r in fact.regions:
        middle = np.array([[(r.left + r.right) / 2, (r.below + r.above) / 2]])
        said = model.predict(middle)[0]
        assert fact.told(r.answer) == (said if target == "species" else pytest.approx(said))


def test_what_lies_behind_is_painted_first():
    rows = Seen.of(load_hitters(), "Salary", ["Years", "Hits"])
    found = regions_of(rows, rows.tree(max_depth=5), "x").regions
    for k, later in enumerate(found):
        for earlier in found[:k]:
            assert not (later.below >= earlier.above and later.right > earlier.left and later.left < earlier.right)


def test_the_steps_pass_through_the_answers():
    rows = Seen.of(load_iris(), "petal_width", ["petal_length"])
    (curve,) = tree_shapes(load_iris(), "petal_width", ["petal_length"], depths=(3,)).facts[0]
    assert isinstance(curve, Curve)
    steps = curve.lines[1]
    at = np.array([(a + b) / 2 for a, b in zip(steps.x[:-1], steps.x[1:], strict=True)])
    np.testing.assert_allclose(steps.y[:-1], rows.tree(max_depth=3).predict(at[:, None]))
    (shares,) = tree_shapes(load_iris(), "species", ["petal_length"], depths=(2,)).facts[0]
    assert len(shares.lines) == 3
    np.testing.assert_allclose(np.sum([line.y for line in shares.lines], axis=0), 1.0)


def test_a_constant_column_is_one_rectangle_and_large_surfaces_are_not_drawn():
    flat = pl.DataFrame({"a": [1.0] * 20, "b": [2.0] * 20, "y": np.arange(20.0)})
    steps = tree_shapes(flat, "y", ["a", "b"], depths=(None,))
    assert len(steps.facts[0][0].regions) == 1
    assert figures_of(steps.facts[0][1])
    many = tree_shapes(load_hitters(), "Salary", ["Years", "Hits"], depths=(None,)).facts[0]
    assert isinstance(many[1], Regions)
    assert figures_of(many[0]) and not figures_of(many[1])


@pytest.mark.parametrize(
    ("target", "columns", "says"),
    [("species", [], "one column or two"), ("species", ["species"], "beside the target"),
     ("petal_width", ["species"], "holds category: steps and rectangles need numbers")],
)  # fmt: skip
def test_columns_that_cannot_be_drawn_are_refused(target, columns, says):
    with pytest.raises(TableError, match=says):
        tree_shapes(load_iris(), target, columns)
