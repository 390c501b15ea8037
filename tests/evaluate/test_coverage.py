"""Coverage, proved: 90 % intervals over 500 tables × 100 new rows, by theory and without, and of the score of CV.

The same cases as `python -m benchmarks coverage`, whose page states the numbers.
"""

import pytest

from benchmarks.claims import coverage
from benchmarks.harness import Plan

pytestmark = pytest.mark.proof
WAYS = [("theory of least squares", 89.0, 91.0), ("CV+", 88.0, 94.0), ("CV+, normalised", 88.0, 94.0)]


@pytest.fixture
def whole():
    return Plan(quick=False, threads=1)


@pytest.mark.parametrize(("way", "low", "high"), WAYS)
def test_intervals_on_well_specified_tables(way, low, high, whole):
    assert low <= coverage.share_held(coverage.WELL, coverage.WAYS[way], whole).value <= high


def test_the_jackknife_on_well_specified_tables(whole):
    assert 88.0 <= coverage.share_held(coverage.WELL, coverage.by_row, whole, 5).value <= 94.0


def test_the_corrected_interval_of_a_score_holds_what_the_naive_one_does_not(whole):
    corrected, naive = (coverage.score_held(how, whole).value for how in ("corrected", "naive"))
    assert 84.0 <= corrected <= 95.0
    assert naive < 70.0
