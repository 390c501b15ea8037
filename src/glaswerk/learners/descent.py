"""Gradient descent: linear regression step by step, with everything that happens on the way.

    w ← w - η ∇J(w),   J = RSS, ½ RSS, MSE or ½ MSE, + α |w|²                [BOE-GD1] [BOE-GD] [NAN-GD] [BG-GD] [BOE-E]

Cost: one pass of n d² / 2 multiplications, then d² an epoch (all rows), or n d an epoch (mini-batches).
When not to use it: to get the coefficients, which the closed form gives at once; a category as target (Adaline).
"""

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from glaswerk import passes
from glaswerk.base import (
    Allowed,
    Array,
    Warned,
    flag,
    integer,
    none,
    number,
    one_of,
    thread_count,
)
from glaswerk.facts import Coefficient, Coefficients, Facts, Goodness, MethodCard
from glaswerk.learner import Again, FitTasks, Fitted, LinearModel
from glaswerk.learners.ridge import amount
from glaswerk.optim.bowl import OBJECTIVES, Bowl, Objective, bowl_of
from glaswerk.optim.epochs import Rows
from glaswerk.optim.plan import SEARCHED, Plan
from glaswerk.optim.trace import Descended
from glaswerk.passes import ArraySource, Block, Source
from glaswerk.stats.ladder import ask_for_more
from glaswerk.stats.moments import Moments
from glaswerk.stats.penalty import better_shift
from glaswerk.stats.rungs import Ask

EXACT_WORK = 10_000_000  # n d² up to which a table wider than long is summed in double-double
BEHIND = 0.01  # of R² behind the closed form: worth a warning


def rate_words(*searched: str) -> Allowed:
    """A learning rate: a number, or how to find one."""
    fixed = Allowed("a finite number > 0", lambda v: number(0, above=True).test(v) and np.isfinite(v))
    return fixed | one_of(*searched)


def starting_weights() -> Allowed:
    array = Allowed(
        "an array of weights, intercept last", lambda v: isinstance(v, list | tuple | np.ndarray) and np.size(v) > 0
    )
    return one_of("zeros", "random") | array


class GradientDescentRegressor(LinearModel):
    """Linear regression by gradient descent: all rows at a time, mini-batches, or one row at a time; every step traced.

    The laboratory beside `LinearRegression`: any of the scripts' objectives, fixed, searched and adaptive steps, the
    loss after every epoch (exact, of all rows), the closed form beside it, and words for what went wrong.

    Parameters
    ----------
    objective : "mse", "rss", "half_rss" or "half_mse"; the same rate is a longer step for a larger objective.
    learning_rate : η > 0; "lipschitz": 1/σ_max of the objective's curvature, which is 1/σ_max(XᵀX) for half_rss,
        1/2σ_max for rss, n/2σ_max for mse, n/σ_max for half_mse (X with its column of ones; for mini-batches the
        longest row stands for σ_max); "backtracking"; "adaptive"; "newton": the whole way to the bottom.
    batch_size : rows a step; None takes all. Sums over the batch for rss and half_rss, means for mse and half_mse.
    shuffle : whether every epoch takes the rows in a new order; else batches are consecutive slices.
    start : "zeros", "random" (small), or weights (d + 1,) or (q, d + 1), intercept last, without it if not fitted.
    n_epochs : at most so many; tol, patience : the end, where the losses of `patience` epochs lie within tol of each
        other, relatively; tol=None goes on.
    decay : the rate of epoch k is η / (1 + decay k).
    alpha : penalty α |w|² beside the objective; penalise_intercept : whether w₀ pays too.
    standardize : whether descent (and penalty) see columns of mean 0 and deviation 1; `coef_` is for the raw ones.
    validation_fraction : share of rows held out, whose loss is traced too. fit_intercept : whether w₀ is fitted.
    random_state : seed of start, order and held rows. n_jobs : threads of the pass over all rows.
    trace : True records every epoch, a number every so many, False the last.

    >>> model = GradientDescentRegressor(objective="half_rss", learning_rate=0.1, n_epochs=300, tol=None)
    >>> model = model.fit([[-0.2], [0.2], [1.0]], [0.49, 0.64, 1.39])  # script A, algorithm 1, on the points of B
    >>> round(model.intercept_, 4), model.coef_.round(4), model.solution_.objective[[0, 1, 2, -1]].round(4)
    (0.5811, array([0.7768]), array([1.2909, 0.5961, 0.2916, 0.0072]))
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "objective": one_of(*OBJECTIVES),
        "learning_rate": rate_words(*SEARCHED),
        "batch_size": integer(1) | none(),
        "shuffle": flag(),
        "start": starting_weights(),
        "n_epochs": integer(1),
        "tol": number(0) | none(),
        "patience": integer(1),
        "decay": number(0),
        "alpha": amount(),
        "penalise_intercept": flag(),
        "fit_intercept": flag(),
        "standardize": flag(),
        "validation_fraction": Allowed("a number > 0 and < 1", lambda v: number(0, 1, above=True).test(v) and v < 1)
        | none(),
        "random_state": integer(0),
        "trace": flag() | integer(1),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**LinearModel.fitted, "solution_": Descended, "statistic_": Moments}
    card: ClassVar[MethodCard] = MethodCard(
        name="linear regression by gradient descent",
        formula="ŷ = w₀ + Σ wⱼ xⱼ, w ← w - η ∇J(w), J = c Σ (y - ŷ)² + α Σ wⱼ²",
        equations=("BOE-GD1", "BOE-GD", "NAN-GD", "NAN-SIGMA", "NAN-7", "NAN-SGD", "BG-GD", "BG-AVG", "BOE-E"),
        cost="one pass of n d² / 2 multiplications, then d² an epoch; mini-batches n d an epoch",
        assumes=(
            "the mean of y is linear in the columns",
            "columns of like size: the number of steps grows with the condition number",
        ),
        restriction_bias="only functions linear in the given columns can be found",
        preference_bias="stopped early, weights near the start, most in directions in which the columns vary little",
        not_for=("a category as target", "coefficients to all digits: the closed form has them at once"),
    )

    def __init__(
        self,
        objective: str = "mse",
        *,
        learning_rate: float | str = "lipschitz",
        batch_size: int | None = None,
        shuffle: bool = False,
        start: Any = "zeros",
        n_epochs: int = 1000,
        tol: float | None = 1e-8,
        patience: int = 5,
        decay: float = 0.0,
        alpha: float = 0.0,
        penalise_intercept: bool = False,
        fit_intercept: bool = True,
        standardize: bool = False,
        validation_fraction: float | None = None,
        random_state: int = 0,
        trace: bool | int = True,
        n_jobs: int | None = None,
    ) -> None:
        self.objective = objective
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.start = start
        self.n_epochs = n_epochs
        self.tol = tol
        self.patience = patience
        self.decay = decay
        self.alpha = alpha
        self.penalise_intercept = penalise_intercept
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.trace = trace
        self.n_jobs = n_jobs

    def begin(self, head: Block, n_rows: int | None) -> Ask:
        ask = self.first_look(head, n_rows, bool(self.fit_intercept))
        if ask.what == "moments":
            return ask
        small = n_rows is not None and n_rows * (ask.n_features + 1) ** 2 <= EXACT_WORK
        return replace(ask, what="moments", exact=small)

    def observe(self, block: Block, ask: Ask) -> Any:
        block = self.checked(block, ask)
        found = ask.observe(block.X, block.Y, block.weight, block.X_low)
        self.refuse_unusable(found.sums, block)
        return found

    def solve(self, statistic: Any, ask: Ask, *, more: bool) -> Fitted | Again:
        """Descent on sums alone: what `partial_fit` and `merge` end in."""
        if self.batch_size is not None or self.validation_fraction is not None:
            raise ValueError(f"{type(self).__name__}: {_ordered(self)}: fit all rows at once, fit(X, y)")
        self._descend(statistic, None, None)
        return Fitted(self.solution_, statistic)

    def ask_like(self, statistic: Any) -> Ask:
        return ask_for_more(statistic, bool(self.fit_intercept), None)

    def _learn(self, source: Source, engine: Any, n_jobs: int | None = None) -> Any:
        ordered = self.batch_size is not None or self.validation_fraction is not None
        if ordered and not isinstance(source, ArraySource):
            raise ValueError(f"{type(self).__name__}: {_ordered(self)}: they need the rows in memory, fit(X, y)")
        kept, held = self._divided(source)
        with FitTasks(self, source) as tasks, tasks.one_pass(1) as after_block:
            ask = self.begin(kept.head(), kept.n_rows)
            sums = passes.sum_blocks(kept, lambda block: self.observe(block, ask), engine, n_jobs, after_block)
            again = better_shift(sums, ask)
            if again is not None:
                sums = passes.sum_blocks(kept, lambda block: self.observe(block, again), engine, n_jobs)
        self.refuse_nothing(sums.weight)
        aside = None if held is None else passes.sum_blocks(held, lambda block: self.observe(block, again or ask))
        self._descend(sums, None if self.batch_size is None else _contiguous(kept), aside)
        self.statistic_ = sums
        return self

    def _divided(self, source: Any) -> tuple[Any, Any]:
        """The rows to learn from, and those held out, drawn by the seed."""
        if self.validation_fraction is None:
            return source, None
        n = source.n_rows
        count = int(np.rint(self.validation_fraction * n))
        if not 0 < count < n:
            raise ValueError(
                f"{type(self).__name__}: validation_fraction={self.validation_fraction} of {n} rows holds out {count}: "
                "at least one row must be held out and one kept"
            )
        drawn = np.random.default_rng([self.random_state, 2]).permutation(n)
        return _rows_of(source, np.sort(drawn[count:])), _rows_of(source, np.sort(drawn[:count]))

    def plan(self) -> Plan:
        """The settings, as the optimiser takes them."""
        intercept = bool(self.fit_intercept)
        objective = Objective(self.objective, float(self.alpha), intercept, bool(self.penalise_intercept) and intercept)
        tol = None if self.tol is None else float(self.tol)
        return Plan(
            type(self).__name__, objective, self.learning_rate, int(self.n_epochs), self.batch_size,
            bool(self.shuffle), self.start, tol, int(self.patience), float(self.decay), bool(self.standardize),
            int(self.random_state), self.trace,
        )  # fmt: skip

    def _descend(self, sums: Moments, rows: Rows | None, held: Moments | None) -> None:
        with passes.one_blas_thread():
            self.solution_ = self.plan().run(sums, rows, held)
        self._tell(sums)

    def _tell(self, sums: Moments) -> None:
        """Warn where descent went away from the bottom, or ended well before it."""
        found = self.solution_
        if not found.diverged and found.lost <= BEHIND:
            return
        with passes.one_blas_thread():
            seen = self.plan().diagnosis(sums, found, self.column_names())
        owner = f"{type(self).__name__}: descent"
        if found.diverged:
            bound = f"for all rows at once the bound is 2/σ_max = {2 / max(seen.largest, 1e-290):.4g}"
            text = f"diverged within {found.steps} epochs: the learning rate {found.rate:.4g} is too large ({bound})"
            cure = "The weights of the least loss were kept; use learning_rate='lipschitz' or standardize=True"
            warnings.warn(f"{owner} {text}. {cure}", Warned, stacklevel=6)
            return
        cure = "lower learning_rate or set decay" if self.batch_size else "standardize=True or raise n_epochs"
        needs = f"κ = {seen.condition:.3g} asks for about {seen.steps_needed:.2g} steps of 1/σ_max"
        text = f"ended after {found.steps} epochs ({found.ended}) with R² {found.lost:.2g} below the closed form's"
        warnings.warn(f"{owner} {text}: {needs}; {cure}", Warned, stacklevel=6)

    def plane(self) -> tuple[Array, Array]:
        self.check_fitted()
        found: Array = self.solution_.weights
        return found[:, :-1], found[:, -1]

    @property
    def n_iter_(self) -> int:
        """Epochs until the end."""
        self.check_fitted()
        return int(self.solution_.steps)

    def predict(self, X: Any) -> Array:
        """ŷ for every row."""
        return self.usable_rows(X)[1]

    def check_restored(self) -> None:
        """Weights, sum and names must speak of the same columns and targets."""
        d, q = self.n_features_in_, len(self.target_names_)
        sums: Any = self.statistic_
        if self.solution_.weights.shape != (q, d + 1) or sums.shift.size != d + q:
            raise ValueError(f"solution_ or statistic_ does not belong to {d} columns and {q} target(s)")
        if self.single_target_ and q != 1:
            raise ValueError("a single target cannot have several names")

    def facts(self) -> Facts:
        """Weights, fit, the weights beside the closed form, the trace, what the steps did and why, the method."""
        self.check_fitted()
        sums: Any = self.statistic_
        found, targets = self.solution_, tuple(self.target_names_)
        with passes.one_blas_thread():
            plain = bowl_of(sums, Objective("rss", 0.0, bool(self.fit_intercept)))
            seen = self.plan().diagnosis(sums, found, self.column_names())
            steps, directions = seen.statement(), seen.directions()
        names = self.column_names()
        each = [
            _coefficients(w, names, t, bool(self.fit_intercept)) for w, t in zip(found.weights, targets, strict=True)
        ]
        fits = [_goodness(plain, found.weights, k, name, sums) for k, name in enumerate(targets)]
        loss = f"{self.objective}{' + penalty' if self.alpha else ''}"
        title = f"Descent for {', '.join(targets)}"
        compared = found.comparison(names, targets)
        return Facts([*each, *fits, compared, found.curve(title, loss), steps, directions, self.card])


def _coefficients(weights: Array, names: tuple[str, ...], target: str, intercept: bool) -> Coefficients:
    own = [Coefficient("intercept", float(weights[-1]))] if intercept else []
    rows = [Coefficient(name, float(w)) for name, w in zip(names, weights[:-1], strict=True)]
    note = "where descent ended: errors and intervals belong to the closed form, see LinearRegression"
    return Coefficients(target, 0.95, (*own, *rows), (note,))


def _goodness(plain: Bowl, weights: Array, k: int, name: str, sums: Moments) -> Goodness:
    """The fit of one target, from the squares its weights are above the least."""
    p = len(plain.curvature)
    away = weights[k, :p] - plain.bottom[k]
    rss = float(plain.residual[k] + 0.5 * away @ plain.curvature @ away)
    tss = float(plain.total[k])
    r2 = 1.0 - rss / tss if tss > 0 else None
    return Goodness(name, sums.count, sums.weight, sums.weight - p, rss, tss, r2, None, None, None)


def _contiguous(source: ArraySource) -> Rows:
    X = np.ascontiguousarray(source.X, dtype=np.float64)
    return Rows(X, np.ascontiguousarray(source.Y), source.weight)


def _rows_of(source: ArraySource, rows: np.ndarray) -> ArraySource:
    low = None if source.X_low is None else source.X_low[rows]
    weight = source.weight[rows] if source.weight.size else source.weight
    return ArraySource(source.X[rows], source.Y[rows], weight, low, source.names)


def _ordered(model: GradientDescentRegressor) -> str:
    what = "mini-batches walk" if model.batch_size is not None else "held-out rows are drawn from"
    return f"{what} the rows themselves, which no sum can stand for"
