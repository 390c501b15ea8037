"""Script A's ridge series: what α = 10, 10¹⁰ and 10²⁰ leave of six weights."""

import numpy as np
import pytest

from glaswerk.labs.ice_cream_ridge import fitted


@pytest.mark.parametrize(("alpha", "effective", "r2"), [(10.0, 3.94, 0.994), (1e10, 1.50, 0.553), (1e20, 0.0, -5.6)])
def test_effective_parameters_and_fit(lab, alpha, effective, r2):
    twice, free, fit, highest, _ = lab("ice-cream-ridge").rows("Ridge on a polynomial of degree 5")[alpha]
    assert twice == 2 * alpha
    assert free == pytest.approx(effective, abs=0.005)
    assert fit == pytest.approx(r2, abs=0.05)
    assert (highest < 0.01) == (alpha == 1e20)


def test_the_penalty_is_that_of_the_script(lab):
    model, powers, y = fitted(1e7)
    X = np.column_stack([powers, np.ones(len(y))])
    gram = X.T @ X + 2e7 * np.eye(6)
    scale = 1 / np.sqrt(np.diagonal(gram))
    w = scale * np.linalg.solve(gram * np.outer(scale, scale), scale * (X.T @ y))
    np.testing.assert_allclose([*model.coef_, model.intercept_], w, rtol=1e-5)


def test_the_curve_goes_to_zero_only_because_the_intercept_pays(lab):
    at = lab("ice-cream-ridge").curve("Ridge with α = 1e+20")["degree 5, α = 1e+20"]
    assert max(map(abs, at.y)) < 0.02
    assert "leaves the mean, 516.5 scoops" in lab("ice-cream-ridge").words("Printed and obtained")


def test_effective_parameters_fall_with_the_penalty(lab):
    free = lab("ice-cream-ridge").curve("What the penalty leaves")["of six"].y
    assert list(free) == sorted(free, reverse=True)
