"""The data card: counts that are right, edges that are round, notes that help."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.facts import as_plain
from glaswerk.table import TableError, read_table
from glaswerk.table.card import MOST_BINS, histogram


def card_of(cells, name="x", **options):
    return read_table({name: cells}, **options).card().columns[0]


def test_numbers_against_numpy():
    generator = np.random.default_rng(3)
    cells = generator.normal(5, 2, 1001)
    card = card_of([*cells, np.nan])
    assert card.missing == 1 and card.distinct == 1001
    assert card.minimum == cells.min() and card.maximum == cells.max() and card.median == np.median(cells)
    assert card.mean == pytest.approx(cells.mean(), rel=1e-14)
    assert card.deviation == pytest.approx(cells.std(ddof=1), rel=1e-14)
    assert sum(rows for _, _, rows in card.histogram) == 1001


def test_numbers_near_the_ends_of_the_doubles():
    card = card_of([1e300, -1e300, 3e300])
    assert card.deviation == pytest.approx(2e300) and card.mean == pytest.approx(1e300)
    assert card_of([5e-324, 1e-323]).histogram
    assert histogram(np.array([0.0, 2.2250738585e-313])) == ((0.0, 2.2250738585e-313, 2),), "no round step is so small"
    assert sum(rows for *_, rows in card_of([-1.7e308, 1.7e308]).histogram) == 2
    assert sum(rows for *_, rows in card_of([1e16, 1e16 + 2]).histogram) == 2


def test_infinite_cells_count_in_the_extremes_only():
    card = card_of([1.0, np.inf, 3.0])
    assert card.maximum == np.inf and card.mean == 2.0 and "infinite cells" in card.notes[0]
    json.dumps(as_plain(read_table({"x": [1.0, np.inf]}).card()))


@settings(deadline=None)
@given(st.lists(st.floats(-1e6, 1e6) | st.integers(-1000, 1000).map(float), min_size=1, max_size=50))
def test_a_histogram_counts_every_cell_once_between_its_edges(cells):
    cells = np.array(cells)
    bins = histogram(cells)
    assert 1 <= len(bins) <= MOST_BINS
    assert sum(rows for _, _, rows in bins) == len(cells)
    assert all(a[1] == b[0] for a, b in pairwise(bins))
    for low, high, rows in bins[:-1]:
        assert rows == ((cells >= low) & (cells < high)).sum()


def test_edges_are_round():
    assert histogram(np.array([0.03, 0.97]))[:3] == ((0.0, 0.05, 1), (0.05, 0.1, 0), (0.1, 0.15, 0))
    edges = [low for low, _, _ in histogram(np.array([18.0, 47.0]))]
    assert edges == list(np.arange(18.0, 48.0, 2.0))
    assert all(high - low >= 1 for low, high, _ in histogram(np.array([1.0, 2.0, 3.0])))


def test_levels_with_their_counts():
    assert card_of(["b", "a", "b", None]).levels == (("b", 2), ("a", 1))
    assert card_of(["b", "a", "a", "b"]).levels == (("a", 2), ("b", 2)), "equal counts: by code point"
    assert card_of([True, False, True]).levels == (("false", 1), ("true", 2))
    ordered = card_of(["S", "L", "S"], levels={"x": ["S", "M", "L"]})
    assert ordered.levels == (("S", 2), ("M", 0), ("L", 1)), "in their order, those without rows too"
    assert len(card_of([f"w{k % 40}" for k in range(400)]).levels) == 20
    names = card_of([f"name {k}" for k in range(50)])
    assert names.kind == "identifier" and names.levels == () and names.distinct == 50


def test_notes():
    assert "constant" in card_of([3, 3, None]).notes[0]
    assert "every cell is missing" in card_of([None, None]).notes[0]
    assert "only 0 and 1" in card_of([0, 1, 0]).notes[0]


def test_roles_and_unknown_roles():
    table = read_table({"y": [1.5, 2], "x": [3, 4], "w": [1, 1]})
    assert [column.role for column in table.card("y", "w").columns] == ["target", "input", "weight"]
    with pytest.raises(TableError, match="no column 'Y': did you mean 'y'"):
        table.card("Y")


def test_a_card_shows_what_reading_lost_and_prints(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n" + "1,a\n" * 20 + "oops,?\n")
    card = read_table(tmp_path / "a.csv").card()
    assert card.columns[0].failed == 1 and card.columns[0].failed_examples == ((21, "oops"),)
    assert card.columns[1].missing_tokens == (("?", 1),)
    assert "1 cells did not read" in card.notes[0] and "'x'" in card.notes[0]
    assert "a.csv: 21 rows, 2 columns" in str(card.table())
    assert as_plain(card)["rows"] == 21


def test_a_table_without_rows():
    card = read_table({"x": [], "y": []}).card()
    assert card.rows == 0 and "no rows" in card.notes[0]
    assert str(card.table())
