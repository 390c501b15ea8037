"""Nearest neighbours: keep the rows, and let those near a new one decide.

    f̂(x) = Σ wᵢ f(xᵢ) / Σ wᵢ  over the k nearest;   wᵢ = 1 (mean, vote) or wᵢ = 1 / d(xᵢ, x)         [BG-KNN] [BG-WKNN]
    at distance 0 the rows that lie there decide alone, since 1/0 is no number

Cost: nothing to learn but a tree, n d log n; a query meets some leaves of it (few columns) or all n rows (many). When
not to use it: many columns, where all rows are equally far; columns in units that cannot be compared (scale first).
"""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Array, Classifier, Regressor
from glaswerk.facts import Cell, Facts, MethodCard
from glaswerk.learner.kept_rows import RowKeeper
from glaswerk.scoring import accuracy_score, r2_score

COST = "no fit but a tree of n d log n; a prediction looks at some leaves of 32 rows, or at all n"
SMOOTH = "the target is smooth: it varies little between rows that are near in the metric chosen"
COMPARABLE = "the metric is right: columns are of comparable units, and all of them matter"
FAR = ("many columns, where all rows are equally far", "columns that do not matter", "answers that must be quick")


class KNeighborsRegressor(Regressor, RowKeeper):
    """The mean of the nearest rows, for one target or several. Drop-in for scikit-learn's class of this name.

    Parameters
    ----------
    n_neighbors : k. weights : "uniform", "distance" for 1/d, or a function of the distances.
    metric : "minkowski" with `p` >= 1 (2: Euclid, 1: Manhattan), their own names, "chebyshev", "cosine", or
        "mahalanobis" with the covariance of the rows, or with metric_params={"V": …}.
    algorithm : "auto", "kd_tree", "brute": the same neighbours, found another way; "auto" decides by rows and columns.
    leaf_size : accepted; leaves have 32 rows. n_jobs : threads; the result does not depend on it.

    >>> model = KNeighborsRegressor(2).fit([[0.0], [1.0], [2.0], [5.0]], [0.0, 1.0, 2.0, 5.0])
    >>> model.predict([[1.6]]).tolist(), model.kneighbors([[1.6]], return_distance=False).tolist()
    ([1.5], [[2, 1]])
    """

    card: ClassVar[MethodCard] = MethodCard(
        name="nearest neighbours, mean",
        formula="f̂(x) = Σ wᵢ f(xᵢ) / Σ wᵢ over the k nearest rows, wᵢ = 1 or 1/d(xᵢ, x)",
        equations=("BG-KNN", "BG-WKNN", "BG-EUCLID", "BG-MAHALA", "BG-SEARCH"),
        cost=COST,
        assumes=(SMOOTH, COMPARABLE),
        restriction_bias="none with k = 1 but the metric; predictions stay between the least and greatest target",
        preference_bias="smooth functions: the more neighbours, the smoother",
        not_for=(*FAR, "values beyond those of the rows"),
    )
    loss_name: ClassVar[str] = "mean squared error, leave-one-out"

    def predict(self, X: Any) -> Array:
        """The (weighted) mean of the targets of the nearest rows."""
        self.check_fitted()
        distances, rows = self._found(self.queries(X), self.n_neighbors)
        weight = self.weigh(distances)
        sums = np.einsum("mk,mkq->mq", weight, self.solution_.targets[rows])
        total = weight.sum(axis=1, keepdims=True)
        found: Array = sums / np.where(total > 0, total, 1.0)
        return found[:, 0] if self.single_target_ else found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def losses_by_k(self, values: Array, weight: Array, truth: Array) -> Array:
        total = np.cumsum(weight, axis=1)
        means = np.cumsum(weight[:, :, None] * values, axis=1) / np.where(total > 0, total, 1.0)[:, :, None]
        found: Array = ((means - truth[:, None, :]) ** 2).mean(axis=2)
        return found

    def told_target(self, row: int) -> Cell:
        return float(self.solution_.targets[row, 0])

    def facts(self) -> Facts:
        """What is kept, the leave-one-out error over k, the method."""
        self.check_fitted()
        return Facts([self.kept_table(), *self.curve_facts(), self.card])


class KNeighborsClassifier(Classifier, RowKeeper):
    """The vote of the nearest rows; of classes with equal votes the first. Drop-in for scikit-learn's class.

    Parameters as those of `KNeighborsRegressor`.

    >>> model = KNeighborsClassifier(3).fit([[0.0], [1.0], [2.0], [8.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [7.0]]).tolist(), model.predict_proba([[0.5]]).round(3).tolist()
    (['a', 'b'], [[0.667, 0.333]])
    """

    fitted: ClassVar[dict[str, type]] = {**RowKeeper.fitted, **Classifier.fitted}
    card: ClassVar[MethodCard] = MethodCard(
        name="nearest neighbours by vote",
        formula="P(c | x) = Σ wᵢ [yᵢ = c] / Σ wᵢ over the k nearest rows, wᵢ = 1 or 1/d(xᵢ, x)",
        equations=("BG-KNN", "BG-WKNN", "BG-EUCLID", "BG-MAHALA", "BG-SEARCH"),
        cost=COST,
        assumes=(SMOOTH, COMPARABLE),
        restriction_bias="none with k = 1 but the metric: any regions made of the rows' own cells",
        preference_bias="regions without islands: the more neighbours, the smoother their borders",
        not_for=(*FAR, "probabilities finer than 1/k"),
    )
    loss_name: ClassVar[str] = "share of rows wrong, leave-one-out"

    def predict_proba(self, X: Any) -> Array:
        """Share of every class in the (weighted) vote (n, K)."""
        self.check_fitted()
        distances, rows = self._found(self.queries(X), self.n_neighbors)
        votes = self._votes(self.solution_.targets[rows, 0], self.weigh(distances))
        total = votes.sum(axis=1, keepdims=True)
        found: Array = np.where(total > 0, votes / np.where(total > 0, total, 1.0), 1.0 / len(self.classes_))
        return found

    def _votes(self, codes: Array, weight: Array) -> Array:
        m, K = len(codes), len(self.classes_)
        place = codes.astype(np.int64) + K * np.arange(m)[:, None]
        found: Array = np.bincount(place.ravel(), weight.ravel(), m * K).reshape(m, K).astype(np.float64)
        return found

    def predict(self, X: Any) -> np.ndarray:
        """The class with the most votes."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def losses_by_k(self, values: Array, weight: Array, truth: Array) -> Array:
        found = np.empty(weight.shape)
        votes = np.zeros((len(values), len(self.classes_)))
        mine = np.arange(len(values))
        for k in range(weight.shape[1]):
            votes[mine, values[:, k, 0].astype(np.int64)] += weight[:, k]
            found[:, k] = votes.argmax(axis=1) != truth[:, 0]
        return found

    def told_target(self, row: int) -> Cell:
        return str(self.classes_[int(self.solution_.targets[row, 0])])

    def facts(self) -> Facts:
        """What is kept, the leave-one-out error over k, the method."""
        self.check_fitted()
        return Facts([self.kept_table(), *self.curve_facts(), self.card])
