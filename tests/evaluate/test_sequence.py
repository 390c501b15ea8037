"""One walk over the rows serves all values of a parameter, with the numbers of fits one by one."""

import numpy as np
import pytest

from glaswerk import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    LinearRegression,
    OrthogonalPolynomialBasis,
    PolynomialBasis,
    Ridge,
    StandardScaler,
)
from glaswerk.base import Pipeline
from glaswerk.design import GaussianBasis
from glaswerk.evaluate import GridSearch
from glaswerk.evaluate.degree_search import search_degree
from glaswerk.evaluate.sequence import fitted_path, path_parameter

RANDOM = np.random.default_rng(11)
X = RANDOM.uniform(-2, 2, (400, 2))
Y = np.sin(2 * X[:, 0]) + X[:, 1] ** 3 + RANDOM.normal(0, 0.3, 400)
BASES = {
    "raw": PolynomialBasis(),
    "orthogonal": OrthogonalPolynomialBasis(),
    "products": PolynomialBasis(interaction_only=True),
}
DEGREES = [3, 1, 5, 2]


def polynomials(basis, *before, last=None):
    return Pipeline([*before, ("basis", basis), ("line", last or LinearRegression())])


@pytest.mark.parametrize("basis", list(BASES))
@pytest.mark.parametrize("weight", [None, RANDOM.integers(0, 3, 400).astype(float)], ids=["plain", "weighted"])
@pytest.mark.parametrize("rows", [60, 400])
def test_a_degree_from_the_sums_of_the_highest_is_the_same_as_alone(basis, weight, rows):
    here, y = X[:rows], Y[:rows]
    own = None if weight is None else weight[:rows]
    path = fitted_path(polynomials(BASES[basis], ("scale", StandardScaler())), here, y, "basis__degree", DEGREES, own)
    for degree, found in zip(DEGREES, path, strict=True):
        alone = polynomials(BASES[basis], ("scale", StandardScaler())).set_params(basis__degree=degree)
        alone.fit(here, y, **({} if own is None else {"line__sample_weight": own}))
        np.testing.assert_allclose(found.predict(here), alone.predict(here), rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(found[-1].coef_, alone[-1].coef_, rtol=1e-8, atol=1e-10)
        assert found[-1].feature_names_in_.tolist() == alone[-1].feature_names_in_.tolist()
        assert found[-1].sigma_ == pytest.approx(alone[-1].sigma_, rel=1e-9)


def test_large_tables_take_plain_sums_and_stay_the_same():
    many = RANDOM.uniform(-2, 2, (20_000, 1))
    y = np.cos(many[:, 0]) + RANDOM.normal(0, 0.1, 20_000)
    path = fitted_path(polynomials(PolynomialBasis()), many, y, "basis__degree", [2, 6, 9], None)
    for degree, found in zip((2, 6, 9), path, strict=True):
        alone = polynomials(PolynomialBasis(degree)).fit(many, y)
        np.testing.assert_allclose(found.predict(many[:50]), alone.predict(many[:50]), rtol=1e-10)


@pytest.mark.parametrize(
    ("candidate", "name"),
    [
        (polynomials(PolynomialBasis(), last=Ridge(penalise_intercept=True)), "basis__degree"),
        (polynomials(GaussianBasis()), "basis__width"),
        (polynomials(PolynomialBasis()), "basis__interaction_only"),
        (Pipeline([("line", LinearRegression())]), "line__tol"),
    ],
)
def test_what_changes_the_rows_has_no_path(candidate, name):
    assert not path_parameter(candidate, name)


def test_a_search_over_degrees_walks_once_in_each_fold():
    space = {"basis__degree": [1, 2, 3, 4]}
    found = GridSearch(polynomials(PolynomialBasis()), space, cv=4).fit(X, Y)
    assert found.n_fits_ == 4 + 1
    assert "which served 16 models" in found.search_.notes[-1]
    for row, degree in zip(found.search_.rows, (1, 2, 3, 4), strict=True):
        alone = GridSearch(polynomials(PolynomialBasis()), {"basis__degree": [degree]}, cv=4).fit(X, Y)
        assert row.score == pytest.approx(alone.search_.rows[0].score, rel=1e-11)


def test_the_degree_search_of_one_split_is_the_same_from_one_walk():
    one = search_degree(X[:, :1], Y, degrees=range(7), basis=OrthogonalPolynomialBasis())
    other = search_degree(X[:, :1], Y, degrees=range(7), learner=Pipeline([("line", LinearRegression())]))
    assert one.degree == other.degree
    for mine, theirs in zip(one.curve.lines, other.curve.lines, strict=True):
        np.testing.assert_allclose(mine.y, theirs.y, rtol=1e-11)


@pytest.mark.parametrize("kind", [DecisionTreeRegressor, DecisionTreeClassifier])
def test_a_tree_is_grown_once_and_pruned_for_every_penalty(kind):
    y = Y if kind is DecisionTreeRegressor else (Y > 0).astype(int)
    alphas = [0.02, 0.0, 0.001, 0.3]
    for alpha, found in zip(alphas, kind().fit_path(X, y, "ccp_alpha", alphas), strict=True):
        alone = kind(ccp_alpha=alpha).fit(X, y)
        np.testing.assert_array_equal(found.predict(X), alone.predict(X))
        assert found.get_n_leaves() == alone.get_n_leaves() and found.ccp_alpha == alpha
    search = GridSearch(kind(), {"ccp_alpha": alphas}, cv=3).fit(X, y)
    assert search.n_fits_ == 3 + 1
    for row, alpha in zip(search.search_.rows, alphas, strict=True):
        alone = GridSearch(kind(), {"ccp_alpha": [alpha]}, cv=3).fit(X, y)
        assert row.score == alone.search_.rows[0].score
    with pytest.raises(ValueError, match="has no path of 'max_depth'"):
        kind().fit_path(X, y, "max_depth", [1])
