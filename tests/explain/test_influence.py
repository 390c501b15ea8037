"""Influence: with single rows left out it is Cook's distance as statsmodels has it; a planted row is found."""

import numpy as np
import pytest
import statsmodels.api as sm

from glaswerk.explain import influence
from glaswerk.explain.influence import leverages

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X @ [1.0, -2.0, 0.5] + RNG.normal(size=60)


def left_out(X, y):
    """Predictions of least squares for each row by a fit to the others."""
    design = np.column_stack([np.ones(len(X)), X])
    rows = np.arange(len(X))
    return np.array([design[i] @ np.linalg.lstsq(design[rows != i], y[rows != i])[0] for i in rows])


def test_with_rows_left_out_one_by_one_it_is_cooks_distance():
    """Oracle: statsmodels' OLSInfluence, to 1e-9."""
    rival = sm.OLS(Y, sm.add_constant(X)).fit().get_influence()
    found = influence(X, Y, left_out(X, Y), target="y")
    by_row = {pull.row - 1: pull for pull in found.cloud}
    assert len(by_row) == 60 and found.terms == 4
    for k in range(60):
        assert by_row[k].leverage == pytest.approx(rival.hat_matrix_diag[k], rel=1e-9)
        assert by_row[k].cook == pytest.approx(rival.cooks_distance[0][k], rel=1e-9)
        assert by_row[k].studentised == pytest.approx(rival.resid_studentized_internal[k], rel=1e-9)


def test_leverages_sum_to_the_terms_even_where_columns_repeat():
    h, terms = leverages(np.column_stack([X, X[:, 0], np.ones(60)]))
    assert terms == 4 and h.sum() == pytest.approx(4, rel=1e-8) and (h > 0).all() and (h <= 1).all()
    assert leverages(np.ones((5, 2)))[1] == 1


def test_a_planted_row_pulls_hardest_and_keeps_its_number():
    far, y = X.copy(), Y.copy()
    far[7], y[7] = 8.0, 60.0
    found = influence(far, y, left_out(far, y), target="y", numbers=np.arange(60) + 100)
    assert found.rows[0].row == 107 and found.rows[0].cook > 1
    assert "1 beyond 1" in found.notes[0] or "beyond 1" in found.notes[0]


def test_rows_without_an_answer_are_left_out_and_too_few_are_refused():
    predicted = left_out(X, Y)
    predicted[:5] = np.nan
    assert influence(X, Y, predicted, target="y").total == 55
    with pytest.raises(ValueError, match="more rows than the 4 terms"):
        influence(X[:4], Y[:4], Y[:4], target="y")
    assert influence(X, Y, Y, target="y").rows[0].cook == 0.0


def test_many_rows_are_a_cloud_that_keeps_those_that_pull():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(5_000, 2)), rng.normal(size=5_000)
    found = influence(X, y, np.zeros(5_000), target="y")
    assert len(found.cloud) <= 1_510 and set(found.rows) <= set(found.cloud)
