"""Problem 2 of script E: a hundred ten-fold validations, three plots, and the truth about the gain."""

import numpy as np
import pytest

from glaswerk.labs.ridge_folds import ALPHAS, rows_of


def test_the_three_plots_hold_what_the_script_asks_for(lab):
    found = lab("ridge-folds")
    errors = found.curve("The 1000 errors of 100 runs of 10 folds")
    assert len(errors["one fold"].y) == 1000
    assert len(errors["mean of the run"].y) == 100
    per_alpha = found.curve("Error of y over alpha")["10-fold cross-validation, repeated 100 times"]
    np.testing.assert_allclose(per_alpha.x, ALPHAS)
    chosen = found.curve("Alpha chosen in each run")["chosen"]
    assert len(chosen.y) == 100
    times = {alpha: list(chosen.y).count(alpha) for alpha in set(chosen.y)}
    mode = max(times, key=times.get)
    assert mode == pytest.approx(1.778, abs=1e-3)
    table = found.rows("Penalties chosen by the runs")
    assert sum(runs for runs, _ in table.values()) == 100
    assert table[mode][0] == times[mode] == max(runs for runs, _ in table.values())


def test_the_thousand_errors_are_those_of_ridge_fitted_anew_in_every_fold(lab):
    """The whole mean once more, with folds drawn here: the law of the numbers, not the same folds."""
    _, X, y = rows_of(None)
    random, found = np.random.default_rng(5), []
    for _ in range(20):
        for test in np.array_split(random.permutation(len(y)), 10):
            train = np.setdiff1d(np.arange(len(y)), test)
            centre, level = X[train].mean(axis=0), y[train].mean()
            A = X[train] - centre
            w = np.linalg.solve(A.T @ A + 1.778 * np.eye(X.shape[1]), A.T @ (y[train] - level))
            found.append(np.mean((y[test] - level - (X[test] - centre) @ w) ** 2))
    best = lab("ridge-folds").rows("Is the penalty worth it?")["MSE at the chosen penalty"][0]
    assert np.mean(found) == pytest.approx(best, rel=0.01)


def test_the_gain_is_below_the_noise_and_it_says_so(lab):
    rows = lab("ridge-folds").rows("Is the penalty worth it?")
    gain, low, high = (rows[k][0] for k in ("gain", "lower 95 % limit of the gain", "upper 95 % limit of the gain"))
    assert low < 0 < gain < high
    assert gain < rows["between runs the mean MSE varies by"][0] < rows["between folds the MSE varies by"][0]
    assert "the gain is below the noise" in " ".join(lab("ridge-folds").table("Is the penalty worth it?").notes)
    assert "below the noise" in lab("ridge-folds").words("The choice of the penalty")


def test_the_range_is_justified_by_what_it_leaves_free(lab):
    words = lab("ridge-folds").words("Why this range")
    assert "At 0.01 effectively 5.999 of 6 parameters" in words
    line = lab("ridge-folds").curve("Error of y over alpha")["10-fold cross-validation, repeated 100 times"]
    assert line.y[-1] > 2 * min(line.y)
    assert 0 < int(np.argmin(line.y)) < len(ALPHAS) - 1


def test_without_a_file_it_says_how_to_get_the_wines(lab):
    assert "glaswerk lab run ridge-folds --data wine.csv" in lab("ridge-folds").words("What the script asks")


@pytest.mark.proof
def test_on_the_red_wines(lab, shared_data):
    found = lab("ridge-folds", 0, str(shared_data / "wine_quality_red.csv"))
    rows = found.rows("Is the penalty worth it?")
    assert rows["MSE without a penalty"][0] == pytest.approx(0.42516, abs=4e-4)
    assert rows["MSE at the chosen penalty"][0] == pytest.approx(0.42465, abs=4e-4)
    assert rows["gain"][0] == pytest.approx(0.0005, abs=1e-4)
    assert rows["between runs the mean MSE varies by"][0] == pytest.approx(0.0012, abs=4e-4)
    runs = found.rows("Penalties chosen by the runs")
    most = max(runs, key=lambda alpha: runs[alpha][0])
    assert most == pytest.approx(56.2, abs=0.05)
    assert runs[most][0] > 75
    assert "below the noise" in found.words("The choice of the penalty")
