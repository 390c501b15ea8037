"""The baseline: what can be predicted without looking at any column.

    ŷ = Σ w y / Σ w        p(class) = Σ w [y = class] / Σ w

Every comparison has it as a row: a model that is not better has learnt nothing that helps. Cost: one pass over y.
When not to use it: as a model.
"""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, ClassifierMixin, Estimator, Regressor, targets, weights
from glaswerk.facts import Facts, MethodCard, Table
from glaswerk.scoring import accuracy_score, r2_score
from glaswerk.stats.inference import student_quantile
from glaswerk.stats.labels import labels_of

ASSUMES = ("new rows come from where the training rows came",)
NEVER = ("anything but comparison",)


def baseline_for(task: str) -> "BaselineRegressor | BaselineClassifier":
    """The baseline of a regression or a classification."""
    return BaselineRegressor() if task == "regression" else BaselineClassifier()


class BaselineRegressor(Regressor):
    """Predicts the (weighted) mean of the target for every row.

    >>> BaselineRegressor().fit([[0], [0], [0]], [1.0, 2.0, 6.0]).predict([[7]]).tolist()
    [3.0]
    """

    fitted: ClassVar[dict[str, type]] = {
        **Estimator.fitted, "mean_": np.ndarray, "deviation_": np.ndarray, "weight_": float, "single_target_": bool,
    }  # fmt: skip
    card: ClassVar[MethodCard] = MethodCard(
        name="baseline: the mean",
        formula="ŷ = Σ w y / Σ w",
        equations=(),
        cost="one pass over the target",
        assumes=ASSUMES,
        restriction_bias="only constants can be found",
        preference_bias="the constant with the smallest sum of squares",
        not_for=NEVER,
    )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        rows = self.table(X, fit=True)
        Y, self.single_target_ = targets(y, len(rows), type(self).__name__)
        if not np.isfinite(Y).all():
            raise ValueError(f"{type(self).__name__}: the target y contains NaN or infinity")
        weight = counted(sample_weight, len(rows), type(self).__name__)
        self.weight_ = float(weight.sum())
        # Seen from the first row, a constant target has exactly itself as mean and no deviation.
        shifted = Y - Y[0]
        self.mean_ = Y[0] + weight @ shifted / self.weight_
        left = self.weight_ - 1
        squares = weight @ (Y - self.mean_) ** 2
        self.deviation_ = np.sqrt(squares / left) if left > 0 else np.full(Y.shape[1], np.nan)
        return self

    def predict(self, X: Any) -> Array:
        self.check_fitted()
        found: Array = np.tile(self.mean_, (len(self.table(X, fit=False)), 1))
        return found[:, 0] if self.single_target_ else found

    def complexity(self) -> float:
        """One free parameter per target: its mean."""
        return 1.0

    def predict_interval(self, X: Any, level: float = 0.9) -> Array:
        """Limits (n, 2) or (n, 2, q) that hold a new y with probability `level`: ȳ ± t s √(1 + 1/n), for normal y."""
        self.check_fitted()
        n_rows = len(self.table(X, fit=False))
        half = student_quantile(level, self.weight_ - 1) * self.deviation_ * np.sqrt(1 + 1 / self.weight_)
        limits = np.stack([self.mean_ - half, self.mean_ + half])
        return np.tile(limits[:, 0] if self.single_target_ else limits, (n_rows,) + (1,) * (2 - self.single_target_))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows [BOE-R2]; 0 on the training rows, a little below 0 on others."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def facts(self) -> Facts:
        """The mean and the deviation from it, and the method."""
        self.check_fitted()
        rows = tuple((float(m), float(s)) for m, s in zip(self.mean_, self.deviation_, strict=True))
        return Facts([Table("Baseline: the mean", ("mean", "standard deviation"), rows), self.card])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.regressor_tags.poor_score = True
        return tags


class BaselineClassifier(ClassifierMixin, Estimator):
    """Gives every row the classes' (weighted) shares as probabilities, and predicts the most frequent class.

    Of equally frequent classes the first in sorted order is predicted.

    >>> model = BaselineClassifier().fit([[0], [0], [0], [0]], ["no", "yes", "no", "no"])
    >>> model.predict([[7]]).tolist(), model.predict_proba([[7]]).tolist()
    (['no'], [[0.75, 0.25]])
    """

    fitted: ClassVar[dict[str, type]] = {**Estimator.fitted, "classes_": np.ndarray, "shares_": np.ndarray}
    card: ClassVar[MethodCard] = MethodCard(
        name="baseline: the shares of the classes",
        formula="p(class) = Σ w [y = class] / Σ w",
        equations=(),
        cost="one pass over the target",
        assumes=ASSUMES,
        restriction_bias="the same probabilities for every row",
        preference_bias="the probabilities with the greatest likelihood",
        not_for=NEVER,
    )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        rows = self.table(X, fit=True)
        labels = labels_of(y, len(rows), type(self).__name__)
        weight = counted(sample_weight, len(rows), type(self).__name__)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.shares_ = np.bincount(codes, weight, minlength=len(self.classes_)) / weight.sum()
        return self

    def complexity(self) -> float:
        """Free parameters: the shares of the classes, which sum to one."""
        return float(len(self.classes_) - 1)

    def predict_proba(self, X: Any) -> Array:
        self.check_fitted()
        return np.tile(self.shares_, (len(self.table(X, fit=False)), 1))

    def predict(self, X: Any) -> NDArray[Any]:
        self.check_fitted()
        return np.repeat(self.classes_[[np.argmax(self.shares_)]], len(self.table(X, fit=False)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of these rows that are of the most frequent class."""
        return accuracy_score(y, self.predict(X), sample_weight=sample_weight)

    def facts(self) -> Facts:
        """The shares of the classes, and the method."""
        self.check_fitted()
        shares = zip(self.classes_.tolist(), self.shares_.tolist(), strict=True)
        rows = tuple((str(name), share) for name, share in shares)
        return Facts([Table("Baseline: the shares of the classes", ("class", "share"), rows), self.card])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.classifier_tags.poor_score = True
        return tags


def counted(sample_weight: Any, n_rows: int, owner: str) -> Array:
    """How often each row counts."""
    found = weights(sample_weight, n_rows, owner)
    return found if found.size else np.ones(n_rows)
