"""Any estimator with conformal intervals (regressors) or prediction sets (classifiers) around it.

    interval: CV+ or jackknife+         set: all classes that are not implausible for a row of this kind

Both hold the truth of a new row with the probability asked for, whatever the model, as long as rows are exchangeable.
Cost: one fit per fold and one on all rows. When not to use it: a family whose theory gives intervals and whose
assumptions hold; a table's `Model` does the same by `intervals="cv+"`, its design refitted in every fold.
"""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Parametric, clone, flag, integer, none, one_of
from glaswerk.evaluate.band import band_of_classes, band_of_numbers
from glaswerk.evaluate.problem import ArrayProblem

estimator_like = Allowed("an estimator with fit and predict", lambda v: hasattr(v, "fit") and hasattr(v, "predict"))


class Conformal(Parametric):
    """Interface: an estimator fitted to all rows, and to all but each fold."""

    estimator: Any
    cv: int | None
    random_state: int

    def predict(self, X: Any) -> NDArray[Any]:
        """What the estimator fitted to all rows predicts."""
        self.check_fitted()
        return np.asarray(self.estimator_.predict(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R², or the share of right classes."""
        self.check_fitted()
        return float(self.estimator_.score(X, y, sample_weight=sample_weight))

    @property
    def n_features_in_(self) -> int:
        return int(self.__dict__["estimator_"].n_features_in_)

    def _fit(self, problem: ArrayProblem, sample_weight: Any) -> np.ndarray:
        weighting = {} if sample_weight is None else {"sample_weight": problem.weight}
        self.estimator_ = clone(self.estimator).fit(problem.X, problem.y, **weighting)
        return np.flatnonzero(problem.weight > 0) if problem.weight.size else np.arange(problem.n_rows)

    def __sklearn_is_fitted__(self) -> bool:
        return "band_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags, theirs = super().__sklearn_tags__(), self.estimator.__sklearn_tags__()
        for part in ("estimator_type", "classifier_tags", "regressor_tags", "input_tags"):
            setattr(tags, part, getattr(theirs, part))
        return tags


class ConformalRegressor(Conformal):
    """A regressor whose intervals need no theory of its errors.

    Parameters
    ----------
    estimator : any regressor, also a pipeline.
    cv : folds; None leaves out row by row (jackknife+).
    normalised : whether intervals are wider where predictions of that size missed by more.
    random_state : seed of the folds.

    >>> from glaswerk import LinearRegression
    >>> x = np.arange(40.0)[:, None]
    >>> model = ConformalRegressor(LinearRegression(), cv=10).fit(x, x[:, 0] + np.sin(9 * x[:, 0]))
    >>> limits = model.predict_interval([[20.0]], 0.9)
    >>> bool(limits[0, 0] < 20.0 < limits[0, 1])
    True
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "estimator": estimator_like, "cv": none() | integer(2), "normalised": flag(), "random_state": integer(0),
    }  # fmt: skip

    def __init__(self, estimator: Any, *, cv: int | None = 10, normalised: bool = False, random_state: int = 0) -> None:
        self.estimator = estimator
        self.cv = cv
        self.normalised = normalised
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit to all rows, and once without each fold."""
        self.check_parameters()
        problem = ArrayProblem(X, y, sample_weight, groups, task="regression")
        rows = self._fit(problem, sample_weight)
        self.band_ = band_of_numbers(
            problem, self.estimator, rows, folds=self.cv, seed=self.random_state, normalised=self.normalised
        )
        return self

    def predict_interval(self, X: Any, level: float = 0.9) -> Array:
        """Lower and upper limits (n, 2); infinite where the rows are too few for the level."""
        centre = np.asarray(self.predict(X), dtype=np.float64)
        return self.band_.limits(lambda model: np.asarray(model.predict(X), dtype=np.float64), centre, level)


class ConformalClassifier(Conformal):
    """A classifier with prediction sets: few classes where a row is easy, more where it is hard.

    sets : "adaptive" fits the size of a set to its row; "simple" makes the smallest sets on average.
    The other parameters are those of `ConformalRegressor`.
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "estimator": Allowed("a classifier with predict_proba", lambda v: hasattr(v, "predict_proba")),
        "cv": none() | integer(2), "sets": one_of("adaptive", "simple"), "random_state": integer(0),
    }  # fmt: skip

    def __init__(self, estimator: Any, *, cv: int | None = 10, sets: str = "adaptive", random_state: int = 0) -> None:
        self.estimator = estimator
        self.cv = cv
        self.sets = sets
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit to all rows, and once without each fold."""
        self.check_parameters()
        problem = ArrayProblem(X, y, sample_weight, groups, task="classification")
        rows = self._fit(problem, sample_weight)
        score: Any = self.sets
        self.classes_ = problem.labels
        self.band_ = band_of_classes(problem, self.estimator, rows, folds=self.cv, seed=self.random_state, score=score)
        return self

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the estimator fitted to all rows, in the order of `classes_`."""
        self.check_fitted()
        return np.asarray(self.estimator_.predict_proba(X))

    def predict_set(self, X: Any, level: float = 0.9) -> NDArray[np.bool_]:
        """(n, classes): which classes the set of each row holds; the true one with probability `level`."""
        self.check_fitted()
        return self.band_.sets(lambda model: self._shares(model, X), level)

    def _shares(self, model: Any, X: Any) -> Array:
        """A fold's model may not have met every class: such a class has probability 0."""
        found = np.asarray(model.predict_proba(X))
        shares = np.zeros((len(found), len(self.classes_)))
        shares[:, np.searchsorted(self.classes_, model.classes_)] = found
        return shares
