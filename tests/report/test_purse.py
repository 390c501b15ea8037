"""The purse: seconds read, costs predicted, shares that add up, samples that keep within them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glaswerk.report.purse import FEWEST_FOLDS, Pilot, Purse, fewer, parsed, planned, shared_out, shares

costs = st.dictionaries(st.text(min_size=1, max_size=3), st.floats(1e-3, 1e3), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("60s", 60), ("2min", 120), ("2m", 120), ("1h", 3600), (" 1.5 s ", 1.5), (7, 7), ("none", None), (None, None)],
)
def test_seconds_are_read_as_people_write_them(text, seconds):
    assert parsed(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-5s", "0", "5 days", 0])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match="budget must be seconds such as 60s"):
        parsed(text)


def test_cost_grows_as_the_family_says():
    assert Pilot(2_000, 0.5, 1.0).predicted(20_000, 10) == pytest.approx(50)
    assert Pilot(2_000, 0.5, 2.0).predicted(20_000, 10) == pytest.approx(500)
    assert Pilot(2_000, 0.5, 2.0, most=4_000).predicted(20_000, 10) == pytest.approx(20)


def test_a_search_on_a_sample_costs_the_same_on_any_rows():
    pilot = Pilot(2_000, 0.5, 1.0, search=2.0)
    assert pilot.predicted(2_000, 4) == pytest.approx(10) and pilot.predicted(20_000, 4) == pytest.approx(28)
    assert pilot.bearable(28.0, 4) == 16_384 and pilot.bearable(8.0, 4) == 0


@given(costs, st.floats(0.1, 1e4))
def test_shares_never_exceed_the_purse_nor_what_a_family_needs(found, seconds):
    allowed = shared_out(found, seconds)
    assert sum(allowed.values()) <= seconds * (1 + 1e-9)
    assert all(allowed[name] <= found[name] * (1 + 1e-9) for name in found)
    if sum(found.values()) <= seconds:
        assert allowed == pytest.approx(found)
    else:
        assert sum(allowed.values()) == pytest.approx(seconds)
        most = max(allowed.values())  # whoever is cut has as much as anybody
        assert all(math.isclose(allowed[n], most, rel_tol=1e-9) for n in found if allowed[n] < found[n] * (1 - 1e-9))


@given(st.floats(1e-3, 10), st.floats(1, 3), st.integers(3_000, 10**6), st.integers(5, 30), st.floats(0.1, 100))
def test_a_sample_keeps_within_its_share(seconds, growth, rows, fits, allowed):
    (part,) = shares({"one": Pilot(2_000, seconds, growth)}, rows, fits, allowed)
    if part.cut:
        assert part.rows < rows and Pilot(2_000, seconds, growth).predicted(part.rows, fits) <= allowed * (1 + 1e-9)
        assert part.rows == 0 or math.log2(part.rows).is_integer()
    else:
        assert part.rows is None and part.predicted <= allowed * (1 + 1e-6)


def test_the_cheapest_goes_first():
    found = shares({"slow": Pilot(2_000, 3.0, 1.0), "quick": Pilot(2_000, 0.1, 1.0)}, 2_000, 5, math.inf)
    assert [part.name for part in found] == ["quick", "slow"]


def test_plans_are_cut_to_five_folds_and_never_below():
    assert fewer(10, 3) == [(10, 3), (10, 1), (5, 1)]
    assert fewer(3, 1) == [(3, 1)]
    assert min(folds for rows in (10, 10**4, 10**6) for folds, _ in [planned(rows)]) == FEWEST_FOLDS


def test_a_purse_runs_out():
    assert Purse(None).affords(1e9)
    purse = Purse(5.0)
    assert purse.affords(4.0) and not purse.affords(6.0) and purse.spent >= 0
