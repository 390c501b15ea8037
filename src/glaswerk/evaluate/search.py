"""Searches: parameters of an estimator chosen on rows it was not fitted to, all trials kept.      [BOE-DEGREE]

    grid: every combination of evenly spaced values        random: values drawn evenly, on a linear or logarithmic scale

A search is itself an estimator. As a candidate of `cross_validate` it searches anew inside the training rows of every
fold: the comparison then holds the outer score, and beside it the inner one, which is too good by the luck of choosing.
Cost: settings × folds × repeats fits, and one more on all rows; one fit per fold where a sequence serves all values.
When not to use it: a family that chooses by itself from one pass (`RidgeCV`).
"""

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.base import (
    Allowed,
    Array,
    DataConversionWarning,
    Estimator,
    Matrix,
    Parametric,
    clone,
    integer,
    none,
    one_of,
    targets,
)
from glaswerk.evaluate.metrics import Judge, metric_for
from glaswerk.evaluate.plan import plan_folds
from glaswerk.evaluate.problem import ArrayProblem, Problem, SomeRows, TaskName
from glaswerk.evaluate.searching import Bench, as_fact
from glaswerk.evaluate.spaces import Space, draws_of, grid_of, spaces_of
from glaswerk.facts import Facts
from glaswerk.facts import Search as SearchFact
from glaswerk.scoring.folds import shuffled_order
from glaswerk.scoring.inputs import Ints, row_count
from glaswerk.stats.labels import labels_of

LEAST_ROWS = 4
RULES = {
    "best": "chosen: the setting with the least error",
    "1se": "chosen: the simplest setting whose error is within one standard error of the least",
}
estimator_like = Allowed("an estimator with fit, predict and set_params", lambda v: hasattr(v, "set_params"))
space_like = Allowed(
    "a dict of parameter to values, Linear(…) or Log(…)", lambda v: isinstance(v, Mapping) and len(v) > 0
)
many = integer(1) | Allowed("a dict of parameter to such a number", lambda v: isinstance(v, Mapping))


class Search(Parametric):
    """Interface: an estimator that looks for parameters of another one. After `fit` it predicts with what it found."""

    parameters: ClassVar[dict[str, Allowed]] = {
        "estimator": estimator_like,
        "space": space_like,
        "cv": integer(2),
        "repeats": integer(1),
        "metric": none() | Allowed("the name of a metric", lambda v: isinstance(v, str)),
        "selection": one_of("best", "1se"),
        "random_state": integer(0),
        "sample": none() | integer(LEAST_ROWS),
    }
    estimator: Any
    space: Any
    cv: int
    repeats: int
    metric: str | None
    selection: str
    random_state: int
    sample: int | None

    def settings(self, spaces: Mapping[str, Space], bench: Bench) -> None:
        """Try settings on the bench."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Search with folds of these rows, then fit what was chosen to all of them."""
        self.check_parameters()
        X, y = self._at_the_border(X, y)
        task: TaskName = "classification" if self._classifies() else "regression"
        problem = ArrayProblem(X, y, sample_weight, groups, task=task)
        return self.fit_within(problem, np.arange(problem.n_rows))

    def _at_the_border(self, X: Any, y: Any) -> tuple[Any, Any]:
        """X and y as the estimator itself would take or refuse them; a dataframe goes on as it came."""
        if isinstance(self.estimator, Estimator) and not getattr(self.estimator, "takes_categories", False):
            cells = clone(self.estimator).table(X, fit=True)
            X = X if hasattr(X, "iloc") or isinstance(X, Matrix) else cells
        owner, n_rows = type(self).__name__, row_count("X", X)
        if n_rows < LEAST_ROWS:
            raise ValueError(f"{owner}: two folds of two rows are the least to search with; n_samples = {n_rows}")
        if self._classifies():
            return X, labels_of(y, n_rows, owner)
        columns, single = targets(y, n_rows, owner)
        if columns.shape[1] > 1:
            raise ValueError(
                f"{owner}: y must be one column, it has {columns.shape[1]}: search for each target by itself"
            )
        if not single:
            text = "A column-vector y was passed when a 1d array was expected: ravel it"
            warnings.warn(text, DataConversionWarning, stacklevel=3)
        return X, columns[:, 0]

    def fit_within(self, problem: Problem, rows: Ints) -> Self:
        """Search inside these rows of a problem, and fit what was chosen to all of them."""
        self.check_parameters()
        inner = SomeRows(problem, drawn_rows(rows, self.sample, self.random_state))
        spaces = spaces_of(self.space)
        self._refuse_unknown(spaces)
        plan = plan_folds(inner, self.cv, self.repeats, self.random_state)
        bench = Bench(self.estimator, inner, plan, Judge.of(inner, metric_for(inner, self.metric)))
        self.settings(spaces, bench)
        chosen = bench.best() if self.selection == "best" else bench.simplest()
        few = f"settings are judged on a sample of {inner.n_rows:,} of the {len(rows):,} rows"
        notes = (few,) if inner.n_rows < len(rows) else ()
        self.search_: SearchFact = as_fact(bench, spaces, chosen, RULES[self.selection], self._label(), notes)
        self.best_index_, self.best_params_ = chosen, dict(bench.tried[chosen].setting)
        self.best_score_ = float(bench.folds(bench.tried[chosen]).score)
        self.n_fits_ = bench.fits + 1
        self.n_splits_ = len(bench.rounds)
        values = {name: clone(value, safe=False) for name, value in self.best_params_.items()}
        self.best_estimator_ = problem.fit(clone(self.estimator).set_params(**values), rows)
        return self

    def _refuse_unknown(self, spaces: Mapping[str, Space]) -> None:
        known = self.estimator.get_params()
        for name in spaces:
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__}: space names {name!r}, which {type(self.estimator).__name__} has not; "
                    f"it has {', '.join(sorted(known))}"
                )

    def _label(self) -> str:
        parts: Any = self.estimator
        while hasattr(parts, "learner"):
            parts = parts.learner
        return type(parts[-1] if hasattr(parts, "steps") else parts).__name__

    def _classifies(self) -> bool:
        tags = getattr(self.estimator, "__sklearn_tags__", None)
        return tags is not None and tags().estimator_type == "classifier"

    def facts(self) -> Facts:
        """The search, then what the model it found knows."""
        self.check_fitted()
        known = self.best_estimator_.facts() if hasattr(self.best_estimator_, "facts") else ()
        return Facts([self.search_, *known])

    def predict(self, X: Any) -> Any:
        """What the model found predicts."""
        self.check_fitted()
        return self.best_estimator_.predict(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of the model found: R², or the share of right classes."""
        self.check_fitted()
        return float(self.best_estimator_.score(X, y, sample_weight=sample_weight))

    def complexity(self) -> float:
        """Free parameters of the setting chosen, as its folds had them."""
        self.check_fitted()
        found = self.search_.rows[self.best_index_].complexity
        return float("nan") if found is None else found

    @property
    def predict_proba(self) -> Any:
        """Probabilities of the classes, where the estimator has them."""
        return self._of_found("predict_proba")

    @property
    def predict_interval(self) -> Any:
        """Limits that hold a new value, where the estimator has them."""
        return self._of_found("predict_interval")

    @property
    def decision_function(self) -> Any:
        """Scores of the classes, where the estimator has them."""
        return self._of_found("decision_function")

    @property
    def classes_(self) -> Array:
        found: Array = self._of_found("classes_")
        return found

    @property
    def n_features_in_(self) -> int:
        return int(self._of_found("n_features_in_"))

    @property
    def feature_names_in_(self) -> Array:
        found: Array = self._of_found("feature_names_in_")
        return found

    def _of_found(self, name: str) -> Any:
        found = self.__dict__.get("best_estimator_", self.__dict__["estimator"])
        return getattr(found, name)

    def __sklearn_is_fitted__(self) -> bool:
        return "best_estimator_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        theirs = self.estimator.__sklearn_tags__()
        for part in ("estimator_type", "classifier_tags", "regressor_tags", "input_tags"):
            setattr(tags, part, getattr(theirs, part))
        tags.target_tags.required, tags.target_tags.multi_output = True, False
        return tags


class GridSearch(Search):
    """Tries every combination of evenly spaced values.

    Parameters
    ----------
    estimator : what is tried, itself left as it is; also a pipeline, or a table's `Model` (`learner__alpha`).
    space : {parameter: list of values, or Linear(low, high), or Log(low, high)}.
    points : values per interval, a number or {parameter: number}.
    cv, repeats, random_state : the folds, as in `cross_validate`.
    metric : as in `cross_validate`; None takes RMSE or log loss.
    selection : "best", or "1se" for the simplest setting within one standard error of it.
    sample : at most so many rows judge the settings, drawn by a hash of their place; what is chosen is fitted to all.

    >>> from glaswerk import Ridge
    >>> from glaswerk.evaluate import Log
    >>> x = np.arange(24.0).reshape(12, 2) ** 2 % 7
    >>> search = GridSearch(Ridge(), {"alpha": Log(0.01, 100)}, points=3).fit(x, x @ [1.0, 2.0])
    >>> search.best_params_, search.n_fits_
    ({'alpha': 0.01}, 6)
    """

    parameters: ClassVar[dict[str, Allowed]] = {**Search.parameters, "points": many}

    def __init__(
        self, estimator: Any, space: Any, *, points: Any = 5, cv: int = 5, repeats: int = 1, metric: str | None = None,
        selection: str = "best", random_state: int = 0, sample: int | None = None,
    ) -> None:  # fmt: skip
        self.estimator = estimator
        self.space = space
        self.points = points
        self.cv = cv
        self.repeats = repeats
        self.metric = metric
        self.selection = selection
        self.random_state = random_state
        self.sample = sample

    def settings(self, spaces: Mapping[str, Space], bench: Bench) -> None:
        bench.run(grid_of(spaces, self.points))


class RandomSearch(Search):
    """Tries settings drawn evenly from the space: the better way where there are several parameters and few matter.

    n_iter : how many are drawn. The other parameters are those of `GridSearch`.
    """

    parameters: ClassVar[dict[str, Allowed]] = {**Search.parameters, "n_iter": integer(1)}

    def __init__(
        self, estimator: Any, space: Any, *, n_iter: int = 20, cv: int = 5, repeats: int = 1,
        metric: str | None = None, selection: str = "best", random_state: int = 0, sample: int | None = None,
    ) -> None:  # fmt: skip
        self.estimator = estimator
        self.space = space
        self.n_iter = n_iter
        self.cv = cv
        self.repeats = repeats
        self.metric = metric
        self.selection = selection
        self.random_state = random_state
        self.sample = sample

    def settings(self, spaces: Mapping[str, Space], bench: Bench) -> None:
        bench.run(draws_of(spaces, shares(self.random_state, self.n_iter, len(spaces))))


def drawn_rows(rows: Ints, most: int | None, seed: int) -> Ints:
    """At most so many of the rows, in their old order."""
    if most is None or len(rows) <= most:
        return rows
    found: Ints = np.sort(rows[shuffled_order(len(rows), seed)[:most]])
    return found


def shares(seed: int, n: int, width: int) -> Array:
    """Even draws from [0, 1), (n, width): raw bits of PCG64, which are the same for ever."""
    bits = np.random.PCG64(int(seed)).random_raw(n * width).reshape(n, width)
    return np.asarray((bits >> np.uint64(11)) * 2.0**-53, dtype=np.float64)
