"""What classifiers share that model the rows of every class: ln P(x, k), and from it everything else.

P(k | x) = e^{a_k} / Σ e^{a_j},   a_k = ln P(x | k) P(k)                                                 [BG-BAYES]
"""

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from scipy import special

from glaswerk.base import Allowed, Array, Classifier, Warned, none
from glaswerk.learner.learner import Learner
from glaswerk.passes import BLOCK_ROWS
from glaswerk.scoring import accuracy_score
from glaswerk.stats.labels import classes_of, codes_of, labels_of


def some_priors() -> Allowed:
    def test(v: Any) -> bool:
        return isinstance(v, list | tuple | np.ndarray) and np.asarray(v).dtype.kind in "fiu"

    return Allowed("one prior for each class", test) | none()


def priors_of(asked: Any, weight: Array, owner: str) -> Array:
    """The share of each class among the rows, or what was asked for, scaled to sum to one."""
    if asked is None:
        found: Array = weight / weight.sum()
        return found
    prior = np.asarray(asked, dtype=np.float64)
    if prior.shape != weight.shape:
        raise ValueError(f"{owner}: priors must hold one number for each of {weight.size} classes, got {prior.shape}")
    if (prior < 0).any() or not np.isfinite(prior).all() or prior.sum() <= 0:
        raise ValueError(f"{owner}: priors must be non-negative and not all zero, got {prior.tolist()}")
    if not np.isclose(prior.sum(), 1.0):
        warnings.warn(f"{owner}: the priors do not sum to 1 and were scaled to do so", Warned, stacklevel=6)
    return prior / prior.sum()


class ClasswiseLearner(Classifier, Learner):
    """Interface: a classifier from sums by class, which more rows and other models can be added to."""

    fitted: ClassVar[dict[str, type]] = {**Learner.fitted, **Classifier.fitted}

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, *, classes: Any = None) -> Self:
        """Add rows to what is known. `classes` names all labels where the first rows do not have them all."""
        if classes is not None:
            declared = classes_of(labels_of(classes, len(classes), type(self).__name__))
            if hasattr(self, "statistic_") and not np.array_equal(declared, self.classes_):
                raise ValueError(f"{type(self).__name__}: classes must stay {self.classes_.tolist()}, got {classes!r}")
            self._declared = declared
        try:
            return super().partial_fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_declared", None)

    def merge(self, other: Self) -> Self:
        """Add what another fitted model knows: as if both tables had been one."""
        self.check_fitted()
        if type(other) is type(self) and not np.array_equal(self.classes_, getattr(other, "classes_", ())):
            raise ValueError(f"the models know different classes: {self.classes_.tolist()} and the other's")
        return super().merge(other)

    def _targets(self, y: Any, weight: Array, n_rows: int, first: bool) -> tuple[Array, bool]:
        declared = getattr(self, "_declared", None)
        if first and declared is not None:
            owner = type(self).__name__
            self.classes_ = declared
            return codes_of(labels_of(y, n_rows, owner), declared, weight, owner)[:, None], True
        return super()._targets(y, weight, n_rows, first)

    def class_names(self) -> tuple[str, ...]:
        return tuple(str(label) for label in self.classes_.tolist())

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def two_or_all(self, joint: Array) -> Array:
        """The log-odds of the second of two classes (n,), or the scores of all classes (n, K)."""
        return joint[:, 1] - joint[:, 0] if len(self.classes_) == 2 else joint


class JointClassifier(ClasswiseLearner):
    """Interface: a classifier that knows ln P(x, k) up to what all classes share."""

    def rows_of(self, X: Any) -> Array:
        """The rows to score, compared with the columns of the fit."""
        raise NotImplementedError

    def joint(self, rows: Array) -> Array:
        """ln P(x, k) for every row and class (n, K), up to a number that all classes of a row share."""
        raise NotImplementedError

    def predict_joint_log_proba(self, X: Any) -> Array:
        """ln P(x, k) for every class (n, K), up to what all classes of a row share."""
        self.check_fitted()
        rows = self.rows_of(X)
        if len(rows) <= BLOCK_ROWS:
            return self.joint(rows)
        return np.concatenate([self.joint(rows[k : k + BLOCK_ROWS]) for k in range(0, len(rows), BLOCK_ROWS)])

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of every row; of equally probable ones the first."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]

    def predict_log_proba(self, X: Any) -> Array:
        """ln P(k | x), exact where the probability itself is too small for a double."""
        found: Array = special.log_softmax(self.predict_joint_log_proba(X), axis=1)
        return found

    def predict_proba(self, X: Any) -> Array:
        """P(k | x) for every class (n, K): the softmax of ln P(x, k)."""
        found: Array = special.softmax(self.predict_joint_log_proba(X), axis=1)
        return found
