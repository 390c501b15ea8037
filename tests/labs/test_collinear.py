"""The three models of script B: the numbers that follow from its rows, and those that do not."""

import numpy as np
import pytest

from glaswerk.labs.collinear import X1, X2, Y, held, two


def test_the_weights_that_follow_from_the_printed_rows(lab):
    found = lab("collinear").agreement("Printed and obtained")
    assert found["model 1, w0"] == (pytest.approx(0.58107, abs=5e-6), "yes")
    assert found["model 1, w1"] == (pytest.approx(0.77679, abs=5e-6), "cut off")
    for name, value in {"w0": 0.57967, "w1": -97.182, "w2": 97.826}.items():
        assert found[f"model 2, {name}"] == (pytest.approx(value, rel=1e-5), "no")
    for name, value in {"w0": 0.5789, "w1": 0.3817, "w2": 0.3895}.items():
        assert found[f"model 2 penalised, {name}"] == (pytest.approx(value, abs=5e-5), "yes")


def test_every_disagreement_has_its_reason(lab):
    for title in ("Printed and obtained", "Training rows", "Test rows"):
        for _, _, _, agrees, reason in lab("collinear").table(title).rows:
            assert agrees == "yes" or reason


def test_fits_and_predictions(lab):
    fits = lab("collinear").agreement("Training rows")
    assert [fits[f"model 1, row {k}"][1] for k in (1, 2, 3)] == ["yes"] * 3
    np.testing.assert_allclose([fits[f"model 2, row {k}"][0] for k in (1, 2, 3)], Y, atol=1e-10)
    tests = lab("collinear").agreement("Test rows")
    assert [tests[f"model 1, row {k}"][1] for k in (1, 2, 3)] == ["yes"] * 3
    assert [tests[f"model 2 penalised, row {k}"][1] for k in (1, 2, 3)] == ["yes"] * 3
    assert tests["model 2, row 1"] == (None, "not computable")


def test_the_penalty_counts_the_bias():
    X = np.column_stack([np.ones(3), X1, X2])
    expected = np.linalg.solve(X.T @ X + 0.02 * np.eye(3), X.T @ Y)
    model = held(Y)
    np.testing.assert_allclose([model.intercept_, *model.coef_], expected, rtol=1e-10)


def test_no_rows_that_print_so_give_the_printed_weights():
    """The greatest weights that rows within half a digit can have; w₂ is linear in them but for its denominator."""
    random, widest = np.random.default_rng(0), 0.0
    for _ in range(300):
        corner = random.choice([-1.0, 1.0], (3, 3))
        x1, x2, y = X1, X2 + 5e-5 * corner[1], Y + 5e-3 * corner[2]
        widest = max(widest, abs(np.linalg.solve(np.column_stack([np.ones(3), x1, x2]), y)[2]))
    assert 111 < widest < 117.1
    assert two(Y).coef_[1] < widest


def test_a_small_penalty_makes_the_test_error_small(lab):
    errors = {penalty: row[-1] for penalty, row in lab("collinear").rows("How little a penalty").items()}
    assert errors[0.02] < 0.6 * errors[0.0]
    assert errors[1.0] > errors[0.02]
    assert "condition number of (1, x₁, x₂) is 2319" in lab("collinear").words("What happened")


def test_near_equal_inputs_move_model_two_and_not_the_penalised(lab):
    lines = lab("collinear").curve("Three models")
    above, below = lines["model 2, x2 = x1 + 0.003"], lines["model 2, x2 = x1 - 0.003"]
    assert above.y[0] - below.y[0] == pytest.approx(0.006 * 97.826, rel=1e-4)
    w = held(Y).coef_[1]
    assert 0.006 * w == pytest.approx(0.0023, abs=5e-5)
