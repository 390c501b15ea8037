"""Segments: where the error was planted it is found; where there is none, nothing is, at the promised rate."""

import numpy as np
import pytest

from glaswerk.evaluate.metrics import metric_named
from glaswerk.explain import segments
from glaswerk.explain.segments import LEAST_ROWS
from glaswerk.table import read_table

RMSE = metric_named("RMSE")
RNG = np.random.default_rng(2)
N = 400
PLACE = RNG.choice(["town", "lake", "hill"], N)
SIZE = RNG.uniform(0, 100, N)
TABLE = read_table({"place": PLACE.tolist(), "size": [None if k < 30 else float(s) for k, s in enumerate(SIZE)]})


def found(losses, table=TABLE, **options):
    return segments(np.asarray(losses), table, tuple(table.names), RMSE, target="y", **options)


def test_a_planted_segment_is_found_with_its_error():
    losses = RNG.normal(size=N) ** 2 * np.where(PLACE == "lake", 9.0, 1.0)
    result = found(losses)
    first = result.rows[0]
    assert (first.column, first.part, first.verdict) == ("place", "lake", "worse")
    assert first.score == pytest.approx(np.sqrt(losses[PLACE == "lake"].mean()))
    assert first.lower < first.score < first.upper and first.lower > result.score
    assert result.score == pytest.approx(np.sqrt(losses.mean()))
    assert [row.verdict for row in result.rows] == sorted(
        (row.verdict for row in result.rows), key=["worse", "better", "as elsewhere"].index
    )


def test_missing_cells_and_quarters_are_segments():
    parts = {(row.column, row.part.split()[0]) for row in found(RNG.normal(size=N) ** 2).rows}
    assert ("size", "missing") in parts
    assert sum(column == "size" for column, _ in parts) == 5


def test_without_a_difference_hardly_anything_is_found_though_many_are_tried():
    false = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        table = read_table({f"x{j}": rng.choice(list("abcde"), 500).tolist() for j in range(6)})
        result = segments(rng.exponential(size=500), table, tuple(table.names), metric_named("log loss"), target="y")
        assert result.tried == 30
        false += any(row.verdict != "as elsewhere" for row in result.rows)
    assert false <= 25  # 5 % promised; errors that are skewed cost some of it


def test_small_segments_and_untested_rows_are_left_out():
    losses = np.ones(N)
    losses[PLACE == "hill"] = np.nan
    table = read_table({"place": PLACE.tolist(), "rare": ["a"] * (LEAST_ROWS - 1) + ["b"] * (N - LEAST_ROWS + 1)})
    result = found(losses, table)
    assert {row.part for row in result.rows} <= {"town", "lake", "b"}
    assert all(row.score == 1.0 for row in result.rows)
