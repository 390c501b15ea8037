"""Any function of the user's as a basis."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from glaswerk import FunctionBasis, LinearRegression


def sine_and_square(X):
    return np.column_stack([np.sin(X[:, 0]), X[:, 0] ** 2])


def test_a_model_that_is_not_linear_in_x_is_found_exactly():
    """[NAN-2] y = φ(X) w + b; [BG-LIN] y = wᵀφ(x) is linear in w."""
    x = np.linspace(-3, 3, 50)[:, None]
    y = 2 * np.sin(x[:, 0]) - 0.5 * x[:, 0] ** 2 + 1
    learner = LinearRegression()
    pipe = make_pipeline(FunctionBasis(sine_and_square, names=["sine", "square"]), learner).fit(x, y)
    np.testing.assert_allclose([learner.intercept_, *learner.coef_], [1.0, 2.0, -0.5], rtol=1e-12)
    np.testing.assert_allclose(pipe.predict(x), y, rtol=1e-10, atol=1e-12)
    assert pipe[0].get_feature_names_out().tolist() == ["sine", "square"]


def test_one_image_may_be_a_vector_and_names_have_defaults():
    basis = FunctionBasis(lambda X: X.sum(axis=1)).fit([[1.0, 2.0]])
    np.testing.assert_array_equal(basis.transform([[1.0, 2.0]]), [[3.0]])
    assert basis.get_feature_names_out().tolist() == ["phi0"]


def test_a_function_cannot_change_the_table():
    def spoil(X):
        X[:] = 0.0
        return X

    X = np.ones((3, 2))
    FunctionBasis(spoil).fit_transform(X)
    np.testing.assert_array_equal(X, np.ones((3, 2)))


@pytest.mark.parametrize(
    ("basis", "message"),
    [
        (FunctionBasis(3), "function must be a function of an array .* or None, got 3"),
        (FunctionBasis(np.log, names="abc"), "names must be None or a list of strings"),
        (FunctionBasis(np.log, names=["a", "b"]), "names has 2 entries, the function gives 1 columns"),
        (FunctionBasis(lambda X: X[:1]), r"one image per row \(2\), got \(1, 1\)"),
    ],
)
def test_bad_functions_are_refused(basis, message):
    with pytest.raises(ValueError, match=message):
        basis.fit([[1.0], [2.0]])


def test_a_function_must_give_the_same_width_every_time():
    basis = FunctionBasis(lambda X: np.ones((len(X), len(X)))).fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match="gave 3 columns, 2 when fitted"):
        basis.transform([[1.0], [2.0], [3.0]])
