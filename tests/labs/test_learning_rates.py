"""Rates as shares of 1/σ_max: what each does follows from the curvature."""

import numpy as np
import pytest

from glaswerk.labs.learning_rates import largest, rows_of


def test_one_over_sigma_max_is_what_power_iteration_finds(lab):
    X, _ = rows_of(0)
    sigma = np.linalg.norm(np.column_stack([X, np.ones(len(X))]), 2) ** 2
    assert largest(X) == pytest.approx(sigma)
    words = lab("learning-rates").words("What is to be seen")
    assert f"1/σ_max = {1 / sigma:.5g}; learning_rate='lipschitz' finds {1 / sigma:.5g}" in words


def test_larger_rates_come_closer_until_two_over_sigma_max(lab):
    rows = lab("learning-rates").rows("Rates and what became of them")
    above = [rows[f"{share:g}/σ_max"][-1] for share in (0.01, 0.1, 0.5, 1.0, 1.9)]
    assert above == sorted(above, reverse=True)
    assert above[-1] >= 0
    assert rows["2.05/σ_max"][2] == "the steps lead ever further away"
    assert rows["1.9/σ_max"][2] != "the steps lead ever further away"


def test_newton_is_there_after_one_step(lab):
    lines = lab("learning-rates").curve("Rates that are searched")
    assert lines["newton"].y[1] == pytest.approx(lines["closed form"].y[0], rel=1e-9)
    assert lines["backtracking"].y[-1] < lines["1/σ_max"].y[-1]


def test_the_loss_over_the_epochs_is_that_of_the_directions(lab):
    """Along an eigenvector of curvature σ the error shrinks by 1 - ησ: the curve of 1/σ_max from first principles."""
    X, t = rows_of(0)
    ones = np.column_stack([X, np.ones(len(X))])
    values, vectors = np.linalg.eigh(ones.T @ ones)
    w, *_ = np.linalg.lstsq(ones, t, rcond=None)
    start = vectors.T @ -w
    least = np.mean((t - ones @ w) ** 2)
    line = lab("learning-rates").curve("Error after every epoch for fixed rates")["1/σ_max"]
    for k in (0, 1, 10, 300):
        away = start * (1 - values / values[-1]) ** k
        assert line.y[k] == pytest.approx(least + values @ away**2 / len(t), rel=1e-8)
