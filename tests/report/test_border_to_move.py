"""A border to move: for two columns of numbers and classes only, named and scaled, missing cells left out."""

import numpy as np

from glaswerk import SVC, LogisticRegression
from glaswerk.facts import Statement, Steps
from glaswerk.model import Model
from glaswerk.report import analyse
from glaswerk.report.border_to_move import border_to_move, columns_of_border
from glaswerk.table import read_table

RNG = np.random.default_rng(0)
KIND = np.where(np.arange(60) % 2, "b", "a")
TABLE = {"long": RNG.normal(size=60) + 2 * (KIND == "b"), "wide": 100 * RNG.normal(size=60), "kind": KIND}
MACHINE, LINE = Model(SVC(calibration=3)), Model(LogisticRegression())


def test_a_table_of_two_columns_has_a_border_with_two_sliders():
    found = analyse(TABLE, "kind", candidates={"machine": MACHINE, "line": LINE}, folds=3, repeats=1, budget=None)
    words, steps = found.section("border").facts
    assert isinstance(words, Statement)
    assert isinstance(steps, Steps)
    assert [slider.name for slider in steps.sliders] == ["C", "gamma"]
    plane = steps.facts[steps.chosen][0]
    assert (plane.x_title, plane.y_title) == ("long, scaled", "wide, scaled")
    assert plane.classes == ("a", "b")


def test_other_tables_and_candidates_have_none():
    columns = [column for column in read_table(TABLE).columns if column.name != "kind"]
    with_machine = {"machine": MACHINE}
    assert columns_of_border(with_machine, columns, ("a", "b")) == tuple(columns)
    assert columns_of_border({"line": LINE}, columns, ("a", "b")) == ()
    assert columns_of_border(with_machine, columns[:1], ("a", "b")) == ()
    assert columns_of_border(with_machine, [*columns, columns[0]], ("a", "b")) == ()
    assert columns_of_border(with_machine, columns, ()) == ()


def test_missing_cells_are_left_out_and_a_constant_column_is_no_plane():
    gaps = {**TABLE, "wide": np.where(np.arange(60) < 5, np.nan, TABLE["wide"])}
    columns = [column for column in read_table(gaps).columns if column.name != "kind"]
    steps = border_to_move(columns, np.arange(60), KIND)[1]
    assert steps.facts[0][0].rows == 55
    flat = [column for column in read_table({**TABLE, "wide": np.ones(60)}).columns if column.name != "kind"]
    assert border_to_move(flat, np.arange(60), KIND) == ()
