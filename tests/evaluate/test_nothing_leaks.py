"""Nothing is fitted outside the folds: a transformer that peeks at the target gains nothing on pure noise."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin

from glaswerk import LinearRegression, Ridge
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, ConformalRegressor, GridSearch, cross_validate


class KeepsTheLuckiest(TransformerMixin, BaseEstimator):
    """Keeps the five columns that correlate most with the target of the rows it is fitted to."""

    def fit(self, X, y):
        link = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())) / X.std(axis=0)
        self.kept_ = np.sort(np.argsort(-link)[:5])
        return self

    def transform(self, X):
        return X[:, self.kept_]


def noise(seed, n=60, d=400):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n)


def peeking(last=None):
    return Pipeline([("luckiest", KeepsTheLuckiest()), ("line", last or LinearRegression())])


def skill(candidate, X, y):
    """The part of the baseline's squared error that is gone: 0 is chance level."""
    found = cross_validate({"c": candidate}, ArrayProblem(X, y), folds=5, repeats=1)
    score = {row.name: row.score for row in found.comparison.rows}
    return 1 - (score["c"] / score["baseline"]) ** 2


@pytest.mark.parametrize(
    "candidate",
    [
        peeking,
        lambda: GridSearch(peeking(Ridge()), {"line__alpha": [0.1, 10.0]}, cv=4),
        lambda: ConformalRegressor(peeking(), cv=4),
    ],
    ids=["pipeline", "search", "intervals"],
)
def test_a_transformer_that_peeks_at_the_target_is_at_chance_level(candidate):
    honest, leaky = [], []
    for seed in range(8):
        X, y = noise(seed)
        honest.append(skill(candidate(), X, y))
        leaky.append(skill(LinearRegression(), KeepsTheLuckiest().fit(X, y).transform(X), y))
    assert np.mean(leaky) > 0.25  # fitted outside the folds, the same transformer finds what is not there
    assert np.mean(honest) < 0.0
