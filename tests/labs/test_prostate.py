"""Prostate: the numbers of script B's slide, and what honest cross-validation says."""

import numpy as np
import pytest

from glaswerk.labs.prostate import NAMES, Patients, penalty_for, run
from glaswerk.table import TableError


def test_a_penalty_leaves_the_parameters_that_are_asked_for():
    X = np.random.default_rng(0).normal(size=(40, 6))
    squares = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    for effective in (0.5, 3.0, 5.9):
        penalty = penalty_for(X, effective)
        assert (squares / (squares + penalty)).sum() == pytest.approx(effective, rel=1e-9)


def test_without_the_file_it_says_how_to_get_it(tmp_path):
    with pytest.raises(TableError, match=r"cannot be read.*glaswerk lab run prostate --data prostate\.data"):
        run(0, tmp_path / "nowhere.data")


@pytest.mark.proof
def test_the_slide_as_it_was_computed(lab, shared_data):
    found = lab("prostate", 0, str(shared_data / "prostate.csv"))
    numbers = found.agreement("Printed and obtained")
    assert numbers["least squares"] == (pytest.approx(0.5863, abs=5e-5), "yes")
    assert numbers["best subset (3)"] == (pytest.approx(0.5737, abs=5e-5), "yes")
    assert numbers["ridge"] == (pytest.approx(0.5414, abs=5e-5), "no")
    assert numbers["M_eff of ridge"] == (pytest.approx(4.16, abs=1e-6), "yes")
    both = found.rows("As printed, and honestly cross-validated")
    assert both["least squares"][1] == pytest.approx(0.5213, abs=5e-5)
    assert both["best 2 inputs"][1] == pytest.approx(0.4925, abs=5e-5)
    assert both["best 3 inputs"][0] == pytest.approx(0.4815, abs=5e-5)


@pytest.mark.proof
def test_the_recipe_of_the_acceptance_numbers(shared_data):
    old = Patients.load(shared_data / "prostate.csv", True)
    new = Patients.load(shared_data / "prostate.csv", False)
    assert penalty_for(old.standardised()[old.train], 4.16) == pytest.approx(38.40, abs=5e-3)
    assert penalty_for(new.standardised()[new.train], 5.0) == pytest.approx(24.00, abs=0.05)


@pytest.mark.proof
def test_thirty_rows_rank_nothing(lab, shared_data):
    rows = lab("prostate", 0, str(shared_data / "prostate.csv")).rows("Do 30 rows rank the methods?")
    expected = {"ridge": (0.045, 0.047), "best 2 inputs": (0.013, 0.068)}
    for name, (difference, error) in expected.items():
        found = next(row for what, row in rows.items() if what.startswith(f"least squares less {name}"))
        assert found[0] == pytest.approx(difference, abs=5e-4)
        assert found[1] == pytest.approx(error, abs=1e-3)
    assert not any(row[2] for row in rows.values())


@pytest.mark.proof
def test_honest_cross_validation_has_another_winner(lab, shared_data):
    rows = lab("prostate", 0, str(shared_data / "prostate.csv")).rows("As printed, and honestly")
    for name, old, new in zip(NAMES, (0.565, 0.646, 0.577, 0.608), (0.547, 0.606, 0.548, 0.588), strict=True):
        assert rows[name][2] == pytest.approx(old, abs=0.008)
        assert rows[name][4] == pytest.approx(new, abs=0.008)
    assert min(NAMES, key=lambda name: rows[name][2]) == "least squares"
    assert "shrinks too much" in lab("prostate", 0, str(shared_data / "prostate.csv")).words("What is to be seen")
