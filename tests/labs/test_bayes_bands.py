"""Bayes against maximum likelihood: coverage, the closed posterior, rows one by one."""

import numpy as np
import pytest

from glaswerk.labs.bayes_bands import ALPHA, BETA, HALF, ROWS, bayes, features
from glaswerk.labs.lab import noisy_sine


def test_bayes_keeps_its_promise_and_maximum_likelihood_does_not(lab):
    rows = lab("bayes-bands").rows("What the 90 % bands hold")
    assert all(row[0] > 0.87 for row in rows.values())
    assert all(row[1] == 0 for n, row in rows.items() if n <= 8)
    assert rows[ROWS][1] < 0.8
    spread = [row[2] for row in rows.values()]
    assert spread == sorted(spread, reverse=True)
    assert spread[-1] > BETA**-0.5


def test_the_band_is_the_predictive_distribution_of_the_script(lab):
    """S = (αI + βΦᵀΦ)⁻¹, m = βSΦᵀt, s² = 1/β + φᵀSφ, by plain linear algebra."""
    x, t = noisy_sine(ROWS, BETA**-0.5, np.random.default_rng([0, 36]))
    basis, at = features(), np.linspace(-1, 1, 121)[:, None]
    phi, new = (np.column_stack([basis.transform(a), np.ones(len(a))]) for a in (x[:8], at))
    S = np.linalg.inv(ALPHA * np.eye(phi.shape[1]) + BETA * phi.T @ phi)
    mean = new @ (BETA * S @ phi.T @ t[:8])
    spread = np.sqrt(1 / BETA + np.einsum("ij,jk,ik->i", new, S, new))
    line = lab("bayes-bands").curve("After 8 rows")["Bayes, 90 % band"]
    np.testing.assert_allclose(line.y, mean, atol=1e-9)
    np.testing.assert_allclose(line.upper, mean + HALF * spread, atol=1e-9)


def test_row_by_row_is_all_at_once(lab):
    for greatest, _ in lab("bayes-bands").rows("Row by row").values():
        assert greatest <= 1e-12


def test_drawn_functions_agree_more_where_more_rows_are(lab):
    def apart(n):
        lines = lab("bayes-bands").curve(f"6 functions drawn from the posterior of {n} rows")
        return np.std([line.y for name, line in lines.items() if name.startswith("draw")], axis=0).mean()

    assert apart(30) < 0.5 * apart(3)


def test_generated_rows_have_the_noise_of_the_likelihood(lab):
    lines = lab("bayes-bands").curve("Rows generated")
    left = np.subtract(lines["generated"].y, lines["maximum likelihood"].y)
    x, t = noisy_sine(ROWS, BETA**-0.5, np.random.default_rng([0, 36]))
    sigma = np.sqrt(np.mean((t - bayes_free(x, t)) ** 2))
    assert left.std() == pytest.approx(sigma, rel=0.3)


def bayes_free(x, t):
    """Least squares on the same columns."""
    phi = np.column_stack([features().transform(x), np.ones(len(t))])
    w, *_ = np.linalg.lstsq(phi, t, rcond=None)
    assert np.isfinite(bayes(phi[:, :-1], t).coef_).all()
    return phi @ w
