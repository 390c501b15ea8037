"""Choosing a penalty: the three rules, the corrected interval of the gain, and what the facts say of it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from glaswerk.facts import as_plain
from glaswerk.stats.penalty_choice import Validation, choose
from glaswerk.stats.penalty_facts import choice_statement, errors_curve, path_curve, run_curves, verdict

PENALTIES = np.array([0.1, 1.0, 10.0, 100.0])


def runs(repeats=12, folds=5, seed=0):
    """Errors (repeats, folds, 1 + 4, 1): least squares, then four penalties of which the second is best on average."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(size=(repeats, folds, 1, 1))
    own = 0.05 * rng.normal(size=(repeats, folds, 5, 1))
    return 5 + luck + np.array([0.5, 0.3, 0.0, 0.1, 2.0])[:, None] + own


def chosen(errors, rule="min", baseline=True):
    found = Validation.of_folds(errors if baseline else errors[:, :, 1:], baseline)
    return choose(found, PENALTIES, rule, np.array([4.0, 3.0, 2.0, 1.0]), np.ones((4, 1, 2)))


def test_each_rule_takes_what_it_says():
    errors = runs()
    assert chosen(errors).chosen[0] == 1
    assert chosen(errors, "modal").chosen[0] == 1
    assert chosen(errors, "1se").chosen[0] == 2
    assert chosen(errors, baseline=False).chosen[0] == 1
    np.testing.assert_array_equal(chosen(errors).per_run, errors[:, :, 1:, 0].mean(axis=1).argmin(axis=1))


def test_of_modes_that_tie_the_one_of_less_error_is_taken():
    errors = np.full((4, 2, 5, 1), 5.0)
    errors[:2, :, 2] = 1.0
    errors[2:, :, 3] = 2.0
    assert chosen(errors, "modal").chosen[0] == 1


def test_the_gain_has_the_corrected_interval():
    errors = runs()
    gain, low, high = chosen(errors).gain[0]
    difference = (errors[:, :, 0, 0] - errors[:, :, 2, 0]).ravel()
    half = stats.t.ppf(0.975, 59) * np.sqrt((1 / 60 + 1 / 4) * difference.var(ddof=1))
    np.testing.assert_allclose([gain, low, high], difference.mean() + np.array([0, -half, half]), rtol=1e-12)
    assert np.isnan(chosen(errors, baseline=False).gain).all()


def test_the_corrected_interval_holds_the_truth_of_no_gain_as_often_as_it_says():
    """Both candidates predict by the training mean, so that nothing is gained; the plain interval would fail often."""
    rng, held = np.random.default_rng(2), 0
    for _ in range(300):
        y, z = rng.normal(size=(2, 40))
        errors = np.empty((5, 10, 5, 1))
        for r in range(5):
            fold = rng.permutation(40) % 10
            for k in range(10):
                train, test = fold != k, fold == k
                slope = (z[train] @ y[train]) / (z[train] @ z[train] + 40.0)
                other = rng.permutation(z)
                errors[r, k, 0] = ((y[test] - slope * z[test]) ** 2).mean()
                slope = (other[train] @ y[train]) / (other[train] @ other[train] + 40.0)
                errors[r, k, 1:] = ((y[test] - slope * other[test]) ** 2).mean()
        _, low, high = chosen(errors).gain[0]
        held += int(low <= 0 <= high)
    assert held / 300 > 0.9


def test_words_follow_the_interval():
    choice = chosen(runs())
    cases = {(0.1, 0.05, 0.2): "a real gain", (0.1, -0.1, 0.3): "below the noise", (-0.1, -0.2, -0.05): "is better"}
    for gain, words in cases.items():
        assert words in verdict(replace(choice, gain=np.array([gain])), 1.0, 0)[-1]
    assert "raises it by 0.1" in verdict(replace(choice, gain=np.array([(-0.1, -0.2, 0.1)])), 1.0, 0)[-1]
    statement = choice_statement(choice, 2.0, "guessing", True, ["y"])
    assert "between 0.05 and 50 were judged by guessing" in statement.sentences[0]


def test_curves_are_plain_data_and_bounded():
    choice = chosen(runs(300, 10))
    errors = errors_curve(choice, 1.0, "folds", "y", 0)
    assert errors.marks == ((1.0, "chosen"),)
    assert [line.name for line in errors.lines] == ["folds", "no penalty: least squares"]
    first, alphas = run_curves(choice, 1.0)
    assert sum(len(line.x) for line in first.lines) <= 2000
    assert first.lines[0].lower
    assert len(alphas.lines[0].x) == 300
    small = run_curves(chosen(runs(12, 5)), 1.0)[0]
    assert len(small.lines[0].x) == 60
    assert run_curves(chosen(runs(1, 5)), 1.0) == ()
    path = path_curve(replace(choice, path=np.ones((4, 1, 30))), 1.0, tuple(map(str, range(30))), np.ones(30), 0, "y")
    assert len(path.lines) == 20
    assert "10 columns" in path.notes[0]
    for curve in (errors, first, alphas, path):
        assert as_plain(curve)["fact"] == "Curve"


def test_errors_that_no_row_can_tell_are_nothing_and_not_infinite():
    errors = runs()
    errors[:, :, 0], errors[:, :, 1] = np.inf, np.inf
    with np.errstate(invalid="ignore"):
        choice = chosen(errors)
    assert errors_curve(choice, 1.0, "folds", "y", 0).lines[0].y[0] is None
    assert "nothing to compare" in verdict(choice, 1.0, 0)[-1]


def test_a_choice_whose_parts_do_not_fit_is_refused():
    choice = chosen(runs())
    choice.check()
    with pytest.raises(ValueError, match="do not fit together"):
        replace(choice, chosen=np.array([7])).check()
