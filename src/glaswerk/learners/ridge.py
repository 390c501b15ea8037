"""Ridge regression: least squares that pays for large weights.

    ŷ = w₀ + w₁x₁ + … + w_dx_d,   w minimises Σ (y - ŷ)² + λ Σ wⱼ²            [BOE-RIDGE] [TRE-COST] [TRE-PLS]

Cost: as least squares: one pass of n d² / 2 multiplications, then d³ / 3; fewer rows than columns cost n² d.
When not to use it: columns in units that cannot be compared (scale them first), weights that must be read as effects.
"""

import warnings
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from glaswerk.base import (
    Allowed,
    Array,
    Warned,
    flag,
    integer,
    none,
    number,
    one_of,
    only,
    thread_count,
)
from glaswerk.facts import Facts, MethodCard
from glaswerk.learner import Again, Fitted, Learner, LinearModel
from glaswerk.passes import Block, one_blas_thread
from glaswerk.stats.inference import student_quantile
from glaswerk.stats.ladder import ask_for_more
from glaswerk.stats.moments import Moments
from glaswerk.stats.penalty import Shrunk, solve_penalised
from glaswerk.stats.ridge_facts import FACTORS, RidgeFacts
from glaswerk.stats.rungs import Ask, Rung, Statistic
from glaswerk.stats.spectrum import Shrinkage, shrinkage
from glaswerk.stats.triangle import Triangle


def amount() -> Allowed:
    """A penalty: a finite number >= 0."""
    return Allowed("a finite number >= 0", lambda v: number(0).test(v) and np.isfinite(v))


def amounts(what: str) -> Allowed:
    """A sequence of finite numbers >= 0."""

    def test(v: Any) -> bool:
        if not isinstance(v, list | tuple | np.ndarray) or np.ndim(v) != 1 or not len(v):
            return False
        kind = np.asarray(v).dtype.kind
        return kind in "iuf" and bool(np.isfinite(v).all() and np.min(v) >= 0)

    return Allowed(f"a list of such numbers, {what}", test)


def noise(solution: Shrunk, left: Array) -> Array:
    """σ̂ = sqrt(RSS / degrees of freedom left) for each target; NaN where not one is left."""
    return np.sqrt(solution.residual / np.where(left >= 1, left, np.nan))


class Penalised(LinearModel):
    """Interface: a linear model with a penalty, what it knows of its own freedom and of its errors."""

    @property
    def shrunk(self) -> Shrunk:
        """The solution for the penalty in use."""
        raise NotImplementedError

    @property
    def centred(self) -> bool:
        """Whether an intercept is fitted that the penalty does not touch."""
        return bool(self.fit_intercept) and not self.penalise_intercept

    @property
    def own_ones(self) -> bool:
        """Whether the intercept is the weight of a column of ones, penalised like any other."""
        return bool(self.fit_intercept) and bool(self.penalise_intercept)

    def with_ones(self, block: Block) -> Block:
        if not self.own_ones:
            return block
        low = None if block.X_low is None else np.column_stack([block.X_low, np.zeros(len(block))])
        return replace(block, X=np.column_stack([block.X, np.ones(len(block))]), X_low=low)

    def plane(self) -> tuple[Array, Array]:
        found = self.shrunk
        if self.own_ones:
            return found.coefficients[:, :-1], found.coefficients[:, -1]
        return found.coefficients, found.intercept

    def shrinkages(self) -> list[Shrinkage]:
        """For each target what the penalty leaves of its directions."""
        sums: Any = self.statistic_
        each = self.shrunk.penalties.tolist()
        with one_blas_thread():
            found = {penalty: shrinkage(sums, penalty, self.centred) for penalty in set(each)}
        return [found[penalty] for penalty in each]

    @property
    def effective_parameters_(self) -> Array:
        """[TRE-MEFF] M_eff = Σ d² / (d² + λ) for each target; an exempt intercept is not counted."""
        return np.array([found.effective for found in self.shrinkages()])

    @property
    def degrees_of_freedom_(self) -> Array:
        """Rows less the effective parameters and an exempt intercept, for each target."""
        return self.shrunk.weight - self.effective_parameters_ - self.centred

    @property
    def sigma_(self) -> Array:
        """Estimate of the noise's deviation, sqrt(RSS / degrees of freedom); NaN where not one is left."""
        return noise(self.shrunk, self.degrees_of_freedom_)

    def complexity(self) -> float:
        """Free parameters: what the penalty leaves of the weights, and the intercept; the mean over targets."""
        return float(self.effective_parameters_.mean()) + self.centred

    def mean_deviation(self, rows: Array, found: list[Shrinkage]) -> Array:
        """Deviation of the fitted mean at these rows, in units of σ: (n, q). The bias is not part of it."""
        if self.own_ones:
            rows = np.column_stack([rows, np.ones(len(rows))])
        away = rows - self.shrunk.mean
        level = 1.0 / self.shrunk.weight if self.centred else 0.0
        return np.column_stack([np.sqrt(level + ((away @ part.root) ** 2).sum(axis=1)) for part in found])

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """ŷ for every row; with `return_std` also the deviation of a new y there, bias not counted."""
        rows, mean = self.usable_rows(X)
        if not return_std:
            return mean
        spread = np.hypot(1.0, self.mean_deviation(rows, self.shrinkages())) * self.sigma_
        return mean, spread[:, 0] if self.single_target_ else spread

    def predict_interval(self, X: Any, level: float = 0.9, of: Literal["observation", "mean"] = "observation") -> Array:
        """Lower and upper limits, (n, 2) or (n, 2, q), for a new y, or for the mean of ŷ over repeated noise.

        An approximation: Student's t on rows less effective parameters, σ²(A + λI)⁻¹A(A + λI)⁻¹ as covariance. The bias
        that the penalty brings is ignored, so a strong penalty holds the truth less often than `level` says.
        """
        if not (isinstance(level, float) and 0 < level < 1):
            raise ValueError(f"predict_interval: level must be a number between 0 and 1, got {level!r}")
        if of not in ("observation", "mean"):
            raise ValueError(f"predict_interval: of must be 'observation' or 'mean', got {of!r}")
        rows, mean = self.usable_rows(X)
        found = self.shrinkages()
        left = self.shrunk.weight - np.array([part.effective for part in found]) - self.centred
        width = noise(self.shrunk, left) * np.array([student_quantile(level, own) for own in left])
        half = np.hypot(1.0 if of == "observation" else 0.0, self.mean_deviation(rows, found)) * width
        centre = mean[:, None] if self.single_target_ else mean
        limits = np.stack([centre - half, centre + half], axis=1)
        return limits[:, :, 0] if self.single_target_ else limits

    def own_facts(self, level: float) -> RidgeFacts:
        """The fit in the words of facts."""
        names = (*self.column_names(), "intercept") if self.own_ones else self.column_names()
        return RidgeFacts(
            self.shrunk, self.shrinkages(), names, tuple(self.target_names_), self.centred, level, self.penalty
        )

    def check_restored(self) -> None:
        """Solution, sum and names must speak of the same columns and targets."""
        d, q = self.n_features_in_ + self.own_ones, len(self.target_names_)
        if not isinstance(self.statistic_, Moments | Triangle):
            raise ValueError(f"statistic_ is a {type(self.statistic_).__name__}, not the sum of a least-squares fit")
        if self.shrunk.coefficients.shape != (q, d) or self.statistic_.shift.size != d + q:
            raise ValueError(f"solution_ or statistic_ does not belong to {d} columns and {q} target(s)")
        if self.single_target_ and q != 1:
            raise ValueError("a single target cannot have several names")


class Ridge(Penalised):
    """Ridge regression, with the effective number of parameters, and the digits and errors of what it finds.

    Drop-in for scikit-learn's class of this name. Many targets, row weights, and tables larger than memory
    (`fit_source`). The penalty acts on the weights in the units of the columns: moving a column changes nothing,
    scaling it does.

    Parameters
    ----------
    alpha : strength of the penalty, >= 0; one number, or one for each target. 0 is least squares.
    fit_intercept : whether w₀ is fitted, or 0.
    penalty : "sse": alpha ‖w‖² beside Σ (y - ŷ)², as script B and scikit-learn. "half_sse": alpha ‖w‖² beside
        ½ Σ (y - ŷ)², as script A; the same alpha is then twice as strong.
    penalise_intercept : whether w₀ is paid for like any weight, as all three scripts write it.
    n_jobs : threads; None takes what affinity and OMP_NUM_THREADS allow. The result does not depend on it.
    solver : "auto", "svd" and "cholesky" all mean the ladder of least squares; iterative ones are refused.
    copy_X, max_iter, tol, positive, random_state : for scikit-learn's sake; a direct solution needs none of them.

    >>> points = [[-0.2, -0.1996], [0.2, 0.1993], [1.0, 1.0017]]  # script B, model 2
    >>> model = Ridge(alpha=0.02, penalise_intercept=True).fit(points, [0.49, 0.64, 1.39])
    >>> round(model.intercept_, 4), model.coef_.round(4)
    (0.5789, array([0.3817, 0.3895]))
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "alpha": amount() | amounts("one for each target"),
        "fit_intercept": flag(),
        "copy_X": flag(),
        "max_iter": none(),
        "tol": number(0),
        "solver": one_of("auto", "svd", "cholesky"),
        "positive": only(False, "non-negative weights are not implemented: scikit-learn's class has them"),
        "random_state": none() | integer(0),
        "penalty": one_of("sse", "half_sse"),
        "penalise_intercept": flag(),
        "n_jobs": thread_count(),
    }
    never_draws: ClassVar[bool] = True  # random_state is there for the sake of a name
    fitted: ClassVar[dict[str, type]] = {**Learner.fitted, "solution_": Shrunk, "statistic_": object}
    path_parameters: ClassVar[tuple[str, ...]] = ("alpha",)
    card: ClassVar[MethodCard] = MethodCard(
        name="ridge regression",
        formula="ŷ = w₀ + Σ wⱼ xⱼ, w minimises Σ (y - ŷ)² + λ Σ wⱼ²",
        equations=("BOE-RIDGE", "TRE-COST", "TRE-PLS", "TRE-MEFF"),
        cost="n d² / 2 multiplications in one pass; with fewer rows than columns n² d",
        assumes=(
            "the mean of y is linear in the columns",
            "weights are of one size: the columns' units can be compared",
        ),
        restriction_bias="only functions linear in the given columns can be found",
        preference_bias="small weights: a little more error for weights closer to zero",
        not_for=("a category as target", "columns in units that cannot be compared", "weights read as effects"),
    )

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: int | None = None,
        penalty: str = "sse",
        penalise_intercept: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.penalty = penalty
        self.penalise_intercept = penalise_intercept
        self.n_jobs = n_jobs

    def begin(self, head: Block, n_rows: int | None) -> Ask:
        several = len(np.unique(self._penalties(head.Y.shape[1]))) > 1
        return self.first_look(self.with_ones(head), n_rows, self.centred, exact=several)

    def _penalties(self, q: int) -> Array:
        """λ for each target."""
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and len(alpha) not in (1, q):
            raise ValueError(f"Ridge: alpha holds {len(alpha)} numbers, y has {q} target(s)")
        return np.array(np.broadcast_to(FACTORS[self.penalty] * alpha, (q,)))

    def observe(self, block: Block, ask: Ask) -> Statistic:
        rows = self.with_ones(self.checked(block, ask))
        found = ask.observe(rows.X, rows.Y, rows.weight, rows.X_low)
        self.refuse_unusable(found.sums, block)
        return found

    def solve(self, statistic: Statistic, ask: Ask, *, more: bool) -> Fitted | Again:
        kept = statistic if isinstance(statistic, Moments | Triangle) else None
        if kept is not None:
            self.refuse_nothing(kept.weight)
        step = solve_penalised(statistic, ask, self._penalties(ask.n_targets), more)
        if isinstance(step, Ask):
            return Again(step, kept)
        if step.rung == Rung.SHORTEST and not step.penalties.any():
            text = f"without a penalty the rows determine only {step.rank} of {self.n_features_in_} coefficients"
            warnings.warn(f"{text}: the shortest solution was taken", Warned, stacklevel=6)
        return Fitted(step, kept)

    def ask_like(self, statistic: Any) -> Ask:
        return ask_for_more(statistic, self.centred, None)

    @property
    def shrunk(self) -> Shrunk:
        self.check_fitted()
        found: Shrunk = self.solution_
        return found

    @property
    def n_iter_(self) -> int:
        """Passes over the rows."""
        return self.shrunk.passes

    def facts(self, level: float = 0.95) -> Facts:
        """Coefficients with their errors, the fit, the penalty in each convention, the numerics, the method."""
        return Facts([*self.own_facts(level).all(), self.card])
