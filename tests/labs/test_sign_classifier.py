"""ADALINE as a classifier: it finds least squares, and squares mind rows on their right side."""

import numpy as np

from glaswerk.labs.sign_classifier import rows_of, with_far_rows


def test_adaline_ends_near_least_squares(lab):
    for _, least, difference in lab("sign-classifier").rows("ADALINE beside").values():
        assert abs(difference) < 0.05
        assert np.isfinite(least)
    lines = lab("sign-classifier").curve("ADALINE, epoch by epoch")
    assert lines["ADALINE"].y[-1] < 1.02 * lines["least squares"].y[0]
    assert lines["ADALINE"].y[-1] >= lines["least squares"].y[0]


def test_least_squares_is_that_of_the_normal_equations(lab):
    X, y = rows_of(0)
    ones = np.column_stack([np.ones(len(y)), X])
    expected = np.linalg.solve(ones.T @ ones, ones.T @ y)
    found = [row[1] for row in lab("sign-classifier").rows("ADALINE beside").values()]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_the_sign_tells_the_clouds_apart(lab):
    right = {(name, rows): share for name, rows, share in lab("sign-classifier").table("Share of rows").rows}
    assert right["ADALINE", "two clouds"] == right["least squares, sign", "two clouds"] > 0.9
    assert right["perceptron", "two clouds"] > 0.9


def test_far_rows_on_their_right_side_mislead_squares_and_not_the_logarithm(lab):
    right = {name: share for name, rows, share in lab("sign-classifier").table("Share of rows").rows if "far" in rows}
    assert right["ADALINE"] < right["logistic regression"] - 0.05
    X, y = with_far_rows(*rows_of(0), 0)
    assert (X[y == 1][-12:].sum(axis=1) > 10).all()
