"""Adaline: the adaptive linear neuron, a plane between two classes by least squares, one row at a time.

    y ∈ {-1, +1},   ŷ = w₀ + Σ wⱼ xⱼ,   w ← w + η (y - ŷ) x   for every row, in random order;   class = sign ŷ
                                                                                           [TRE-ADALINE] [TRE-SIGN]
Cost: n d an epoch. When not to use it: rows far behind the plane, which pull it as much as errors do (logistic
regression); classes that no plane tells apart.
"""

import warnings
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from glaswerk import passes
from glaswerk.base import (
    Allowed,
    Array,
    Classifier,
    Self,
    Warned,
    find_unusable,
    flag,
    integer,
    none,
    number,
    one_of,
    with_callbacks,
)
from glaswerk.facts import Coefficient, Coefficients, Facts, MethodCard, Statement
from glaswerk.learner import FitTasks, RoundLearner
from glaswerk.learner.sampling import SampleFit
from glaswerk.optim.bowl import Objective
from glaswerk.optim.epochs import Rows
from glaswerk.optim.plan import Plan
from glaswerk.optim.trace import Descended
from glaswerk.passes import ArraySource, Block, Source
from glaswerk.scoring import accuracy_score
from glaswerk.stats.ladder import first_ask
from glaswerk.stats.moments import Moments, common_shift
from glaswerk.stats.penalty import better_shift
from glaswerk.stats.rungs import Ask

SHIFT_ROWS = 64


class SignClassifier(SampleFit, Classifier, RoundLearner):
    """Interface: planes, and the side of each on which a row lies; of several classes each against the rest.

    Rows are taken one after another, each once an epoch: a row that shall count twice is given twice.
    """

    fitted: ClassVar[dict[str, type]] = {**RoundLearner.fitted, **Classifier.fitted}
    needs_rows: ClassVar[str] = "it takes rows one by one, in random order"

    @property
    def planes(self) -> Array:
        """Weights (q, d + 1), intercept last: one plane for two classes, else one for each."""
        raise NotImplementedError

    def learn_rows(self, rows: Rows) -> None:
        """Find the planes for rows whose Y (n, q) is -1 or +1."""
        raise NotImplementedError

    @with_callbacks
    def fit(self, X: Any, y: Any) -> Self:
        """Fit to rows in memory; `y` holds labels of two classes or more."""
        return self._learn(self._source(X, y, None, first=True), "serial", None)

    def _learn(self, source: Source, engine: Any, n_jobs: int | None = None) -> Self:
        assert isinstance(source, ArraySource)
        X = np.ascontiguousarray(source.X, dtype=np.float64)
        message = find_unusable(X, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        with FitTasks(self, source):
            self.learn_rows(Rows(X, signs(source.Y[:, 0], len(self.classes_)), np.zeros(0)))
        return self

    @property
    def coef_(self) -> Array:
        """(1, d) for two classes, else (K, d)."""
        self.check_fitted()
        return self.planes[:, :-1]

    @property
    def intercept_(self) -> Array:
        self.check_fitted()
        return self.planes[:, -1]

    def decision_function(self, X: Any) -> Array:
        """ŷ: above zero on the side of the second of two classes (n,); for more classes all scores (n, K)."""
        self.check_fitted()
        rows = np.asarray(self.table(X, fit=False), dtype=np.float64)
        scores = rows @ self.coef_.T + self.intercept_
        if not np.isfinite(scores).all():
            message = find_unusable(rows, self.column_names())
            if message:
                raise ValueError(f"{type(self).__name__}: {message}")
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The class on whose side a row lies, or lies furthest."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def check_restored(self) -> None:
        """Classes, planes and names must speak of the same columns."""
        if self.classes_.ndim != 1 or len(self.classes_) < 2:
            raise ValueError("classes_ must hold at least two labels")
        if self.planes.shape != (len(self.plane_names()), self.n_features_in_ + 1):
            raise ValueError(
                f"solution_ does not belong to {self.n_features_in_} columns and {len(self.classes_)} classes"
            )

    def plane_names(self) -> tuple[str, ...]:
        """What each plane separates, in words."""
        target, names = self.target_names_[0], [str(label) for label in self.classes_.tolist()]
        if len(names) == 2:
            return (f"{target} = {names[1]} (+1) against {names[0]} (-1)",)
        return tuple(f"{target} = {name} (+1) against the rest (-1)" for name in names)

    def coefficients(self, intercept: bool) -> list[Coefficients]:
        """The weights of every plane."""
        found = []
        for name, weights in zip(self.plane_names(), self.planes, strict=True):
            own = [Coefficient("intercept", float(weights[-1]))] if intercept else []
            rows = [Coefficient(column, float(w)) for column, w in zip(self.column_names(), weights[:-1], strict=True)]
            found.append(Coefficients(name, 0.95, (*own, *rows), ("a plane found by steps has no standard errors",)))
        return found


def signs(codes: Array, n_classes: int) -> Array:
    """-1 and +1 for the first and second of two classes (n, 1); of more each against the rest (n, K). [TRE-SIGN]"""
    if n_classes == 2:
        return np.ascontiguousarray(2.0 * codes[:, None] - 1.0)
    return np.where(codes[:, None] == np.arange(n_classes), 1.0, -1.0)


def wrong_sides(planes: Array, rows: Rows) -> Array:
    """For every plane, how many rows lie on its wrong side or on it (q,)."""
    scores = rows.X @ planes[:, :-1].T + planes[:, -1]
    found: Array = (scores * rows.Y <= 0).sum(axis=0).astype(np.float64)
    return found


class Adaline(SignClassifier):
    """ADALINE: linear regression of -1 and +1 by stochastic descent, and the sign of what it says.

    Parameters
    ----------
    learning_rate : η > 0, typically below 0.1; "lipschitz": 1 over the squared length of the longest row, at which no
        single step overshoots; "adaptive": from there, halved after every epoch that did not lower the loss.
    n_epochs : at most so many; tol, patience : the end, where the losses of `patience` epochs lie within tol of each
        other, relatively; tol=None goes on.
    decay : the rate of epoch k is η / (1 + decay k).
    shuffle : whether every epoch takes the rows in a new random order, as the script does; else as they come.
    start : "zeros", "random" (small), or weights (d + 1,) or (q, d + 1), intercept last, without it if not fitted.
    fit_intercept : whether w₀ is fitted. standardize : whether steps see columns of mean 0 and deviation 1.
    random_state : seed of start and order.
    trace : True records every epoch, a number every so many, False the last.

    >>> model = Adaline(learning_rate=0.1, n_epochs=20).fit([[0.0], [1.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[0.5], [3.5]]).tolist()
    ['no', 'yes']
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "learning_rate": Allowed("a finite number > 0", lambda v: number(0, above=True).test(v) and np.isfinite(v))
        | one_of("lipschitz", "adaptive"),
        "n_epochs": integer(1),
        "tol": number(0) | none(),
        "patience": integer(1),
        "decay": number(0),
        "shuffle": flag(),
        "start": one_of("zeros", "random")
        | Allowed(
            "an array of weights, intercept last", lambda v: isinstance(v, list | tuple | np.ndarray) and np.size(v) > 0
        ),
        "fit_intercept": flag(),
        "standardize": flag(),
        "random_state": integer(0),
        "trace": flag() | integer(1),
    }
    fitted: ClassVar[dict[str, type]] = {
        **SignClassifier.fitted, "solution_": Descended, "statistic_": Moments, "mistakes_": np.ndarray,
    }  # fmt: skip
    card: ClassVar[MethodCard] = MethodCard(
        name="ADALINE",
        formula="ŷ = w₀ + Σ wⱼ xⱼ, w ← w + η (y - ŷ) x row by row, y = ±1, class = sign ŷ",
        equations=("TRE-ADALINE", "TRE-SIGN"),
        cost="n d multiplications an epoch, and one pass of n d² / 2 for the exact loss of every epoch",
        assumes=("a plane tells the classes apart", "columns of like size, so that one rate suits all"),
        restriction_bias="only classes parted by planes can be found",
        preference_bias="the plane that fits ±1 by least squares: rows far on the right side count as errors too",
        not_for=("probabilities", "a number as target", "classes with rows far from the plane"),
    )

    def __init__(
        self,
        learning_rate: float | str = 0.01,
        *,
        n_epochs: int = 100,
        tol: float | None = 1e-6,
        patience: int = 5,
        decay: float = 0.0,
        shuffle: bool = True,
        start: Any = "zeros",
        fit_intercept: bool = True,
        standardize: bool = False,
        random_state: int = 0,
        trace: bool | int = True,
    ) -> None:
        self.learning_rate = learning_rate
        self.n_epochs = n_epochs
        self.tol = tol
        self.patience = patience
        self.decay = decay
        self.shuffle = shuffle
        self.start = start
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.random_state = random_state
        self.trace = trace

    def plan(self) -> Plan:
        """The settings, as the optimiser takes them: single rows of ½ Σ (y - ŷ)²."""
        tol = None if self.tol is None else float(self.tol)
        return Plan(
            type(self).__name__, Objective("half_rss", intercept=bool(self.fit_intercept)), self.learning_rate,
            int(self.n_epochs), 1, bool(self.shuffle), self.start, tol, int(self.patience), float(self.decay),
            bool(self.standardize), int(self.random_state), self.trace,
        )  # fmt: skip

    def learn_rows(self, rows: Rows) -> None:
        sums = sums_of(rows, bool(self.fit_intercept))
        with passes.one_blas_thread():
            self.solution_ = self.plan().run(sums, rows)
            self.mistakes_ = wrong_sides(self.planes, rows)
        self.statistic_ = sums
        if self.solution_.diverged:
            longest = rows.longest(Objective(intercept=bool(self.fit_intercept)))
            warnings.warn(
                f"Adaline diverged within {self.n_iter_} epochs: the learning rate {self.solution_.rate:.4g} is too "
                f"large; below 1/|x|² = {1 / longest:.3g} of the longest row no step overshoots. The weights of the "
                "least loss were kept; use learning_rate='lipschitz' or standardize=True",
                Warned,
                stacklevel=5,
            )

    @property
    def planes(self) -> Array:
        found: Array = self.solution_.weights
        return found

    @property
    def n_iter_(self) -> int:
        """Epochs until the end."""
        self.check_fitted()
        return int(self.solution_.steps)

    def facts(self) -> Facts:
        """The weights, the weights beside least squares, the trace, the rows on the wrong side, the steps."""
        self.check_fitted()
        sums: Any = self.statistic_
        found, names = self.solution_, self.plane_names()
        with passes.one_blas_thread():
            told = self.plan().diagnosis(sums, found, self.column_names()).statement()
        sides = tuple(
            f"{name}: {wrong:.0f} of {sums.count} rows lie on the wrong side of the plane."
            for name, wrong in zip(names, self.mistakes_.tolist(), strict=True)
        )
        curve = found.curve(f"ADALINE for {self.target_names_[0]}", "½ Σ (y - ŷ)²")
        compared = found.comparison(self.column_names(), names)
        planes = self.coefficients(bool(self.fit_intercept))
        return Facts([*planes, Statement("Sides of the plane", sides), compared, curve, told, self.card])


def sums_of(rows: Rows, intercept: bool) -> Moments:
    """The moments of rows in memory, with a shift looked for in 64 of them."""
    source = ArraySource(rows.X, rows.Y, rows.weight)
    both = np.concatenate([rows.X[:: -(-len(rows.X) // SHIFT_ROWS)], rows.Y[:: -(-len(rows.X) // SHIFT_ROWS)]], axis=1)
    ask = replace(first_ask(len(rows.X), common_shift(both), rows.Y.shape[1], intercept), what="moments")
    found: Any = passes.sum_blocks(source, partial(_observed, ask=ask))
    again = better_shift(found, ask)
    return found if again is None else passes.sum_blocks(source, partial(_observed, ask=again))


def _observed(block: Block, ask: Ask) -> Any:
    return ask.observe(block.X, block.Y, block.weight)
