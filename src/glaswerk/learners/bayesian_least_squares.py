"""Bayesian linear regression: not one line but all of them, each as probable as the rows and a prior leave it.

    w ~ N(0, α⁻¹ I),   t | w ~ N(w₀ + wᵀx, β⁻¹),   w | t ~ N(m, S)                              [BG-PRIOR] [BG-POST]
    t_new ~ N(m(x), s²(x)),   s²(x) = 1/β + φᵀ S φ                                              [BG-MX] [BG-S2]

Cost: as least squares: one pass of n d² / 2 multiplications, then some d³; fewer rows than columns cost n² d.
When not to use it: columns in units that cannot be compared (scale them first), outliers, noise of more than one size.
"""

import warnings
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from glaswerk.base import Allowed, Array, Warned, find_unusable, flag, number, one_of, targets, thread_count
from glaswerk.facts import Facts, MethodCard
from glaswerk.learner import Again, Fitted, Learner
from glaswerk.learners.ridge import Penalised
from glaswerk.passes import Block, one_blas_thread
from glaswerk.stats.draws import generator
from glaswerk.stats.evidence import directions
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.inference import normal_quantile
from glaswerk.stats.ladder import ask_for_more
from glaswerk.stats.penalty import Shrunk, better_shift, solve_penalised
from glaswerk.stats.posterior import Belief, Posterior, PosteriorPath, believe, posterior_path
from glaswerk.stats.posterior_facts import PosteriorFacts
from glaswerk.stats.rungs import Ask, Statistic


@dataclass(frozen=True, eq=False)
class Quest:
    """Where a fit stands: sums of the rows, then steps of the mean towards what is believed already."""

    inner: Ask
    belief: Belief | None = None

    @property
    def passes(self) -> int:
        return self.inner.passes


def precision() -> Allowed:
    """A precision: chosen by the evidence, or given."""
    given = Allowed("a finite number > 0", lambda v: number(0, above=True).test(v) and np.isfinite(v))
    return one_of("evidence") | given


class BayesianLinearRegression(Penalised):
    """Linear regression with a posterior over its weights, and prior and noise chosen by the evidence.

    Many targets (each with precisions of its own), row weights, tables larger than memory (`fit_source`). `partial_fit`
    makes the posterior the next prior [BG-INCR]: equal to the batch answer whatever the cut, since it keeps sums.

    Parameters
    ----------
    alpha : precision of the prior of every weight, or "evidence": that which makes the targets most probable.
    beta : precision of the noise, 1/σ², or "evidence".
    fit_intercept : whether w₀ is fitted, or 0.
    penalise_intercept : whether w₀ has the prior of the other weights, as script C writes it; else every w₀ is equally
        probable beforehand.
    n_jobs : threads; None takes what affinity and OMP_NUM_THREADS allow. The result does not depend on it.

    scikit-learn's BayesianRidge writes `lambda_` for our `alpha_`, `alpha_` for our `beta_` and `sigma_` for our
    `covariance_`; its β counts the intercept as known, so it is larger by (n - γ) / (n - 1 - γ).

    >>> model = BayesianLinearRegression(alpha=2.0, beta=25.0).fit([[-1.0], [0.0], [1.0]], [-1.1, 0.0, 0.9])
    >>> mean, deviation = model.predict([[0.0], [3.0]], return_std=True)
    >>> mean.round(3), deviation.round(3)
    (array([-0.067,  2.818]), array([0.231, 0.476]))
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "alpha": precision(),
        "beta": precision(),
        "fit_intercept": flag(),
        "penalise_intercept": flag(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**Learner.fitted, "solution_": Posterior, "statistic_": object}
    card: ClassVar[MethodCard] = MethodCard(
        name="Bayesian linear regression",
        formula="t ~ N(w₀ + Σ wⱼ xⱼ, 1/β), w ~ N(0, 1/α) beforehand, w ~ N(m, S) once the rows are seen",
        equations=("BG-PRIOR", "BG-POST", "BG-MAP", "BG-MX", "BG-S2", "BG-INCR", "BG-EVID"),
        cost="n d² / 2 multiplications in one pass, then some d³; with fewer rows than columns n² d",
        assumes=(
            "the mean of y is linear in the columns",
            "independent normal noise of one variance",
            "weights are of one size: the columns' units can be compared",
        ),
        restriction_bias="only functions linear in the given columns can be found",
        preference_bias="small weights, as small as the prior says, or as the evidence finds them",
        not_for=("a category as target", "gross outliers in y", "columns in units that cannot be compared"),
    )

    def __init__(
        self,
        alpha: Any = "evidence",
        beta: Any = "evidence",
        *,
        fit_intercept: bool = True,
        penalise_intercept: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.fit_intercept = fit_intercept
        self.penalise_intercept = penalise_intercept
        self.n_jobs = n_jobs

    def begin(self, head: Block, n_rows: int | None) -> Quest:
        several = head.Y.shape[1] > 1 and None in self._given()
        return Quest(self.first_look(self.with_ones(head), n_rows, self.centred, exact=several))

    def _given(self) -> tuple[float | None, float | None]:
        """α and β where they are given."""
        alpha, beta = (None if isinstance(v, str) else float(v) for v in (self.alpha, self.beta))
        return alpha, beta

    def observe(self, block: Block, ask: Quest) -> Statistic:
        rows = self.with_ones(self.checked(block, ask.inner))
        found = ask.inner.observe(rows.X, rows.Y, rows.weight, rows.X_low)
        self.refuse_unusable(found.sums, block)
        return found

    def solve(self, statistic: Statistic, ask: Quest, *, more: bool) -> Fitted | Again:
        if isinstance(statistic, Gradient):
            assert ask.belief is not None
            return self._step(statistic, ask, ask.belief, more)
        self.refuse_nothing(statistic.weight)
        moved = better_shift(statistic, ask.inner) if more else None
        if moved is not None:
            return Again(Quest(moved))
        with one_blas_thread():
            found = directions(statistic, self.centred)
            if found.blurred and more and None in self._given():
                return Again(Quest(ask.inner.next(exact=True)))
            chosen = [part.best() for part in found.evidences(*self._given())]
            return self._step(statistic, ask, believe(statistic, chosen, self.centred), more)

    def _step(self, statistic: Statistic, ask: Quest, belief: Belief, more: bool) -> Fitted | Again:
        step = solve_penalised(statistic, ask.inner, belief.alpha / belief.beta, more)
        kept = None if isinstance(statistic, Gradient) else statistic
        if isinstance(step, Ask):
            return Again(replace(ask, inner=step, belief=belief if step.climb is not None else None), kept)
        self._tell(belief)
        return Fitted(Posterior(step, belief, self.centred), kept)

    def _tell(self, belief: Belief) -> None:
        for name, text in zip(self.target_names_, belief.said, strict=True):
            if text:
                warnings.warn(f"target {name!r}: {text}", Warned, stacklevel=6)

    def ask_like(self, statistic: Any) -> Quest:
        return Quest(ask_for_more(statistic, self.centred, None))

    @property
    def posterior(self) -> Posterior:
        """The posterior of all targets."""
        self.check_fitted()
        found: Posterior = self.solution_
        return found

    @property
    def shrunk(self) -> Shrunk:
        return self.posterior.mean

    def _for_targets(self, values: Array) -> Any:
        return float(values[0]) if self.single_target_ else values

    @property
    def alpha_(self) -> Any:
        """Precision of the prior of every weight (each target's own)."""
        return self._for_targets(self.posterior.belief.alpha)

    @property
    def beta_(self) -> Any:
        """Precision of the noise."""
        return self._for_targets(self.posterior.belief.beta)

    @property
    def penalty_(self) -> Any:
        """[BG-MAP] λ = α/β: `Ridge(alpha=λ)` finds the same weights."""
        return self._for_targets(self.posterior.mean.penalties)

    @property
    def effective_parameters_(self) -> Array:
        """γ: how many weights the rows determine rather than the prior, for each target."""
        return self.posterior.belief.effective

    @property
    def log_evidence_(self) -> Any:
        """[BG-EVID] ln p(t | α, β); with an exempt intercept that of the targets about their mean."""
        return self._for_targets(self.posterior.belief.log_evidence)

    @property
    def sigma_(self) -> Array:
        """Deviation of the noise, 1/√β, for each target."""
        return np.asarray(1.0 / np.sqrt(self.posterior.belief.beta))

    @property
    def covariance_(self) -> Array:
        """S, (d, d) or (q, d, d); with `penalise_intercept` the intercept is its last row and column."""
        found = np.stack([self.posterior.covariance(k) for k in range(len(self.target_names_))])
        return found[0] if self.single_target_ else found

    def _variance(self, rows: Array) -> Array:
        """Variance of the function's value, (n, q)."""
        return self.posterior.variance(np.column_stack([rows, np.ones(len(rows))]) if self.own_ones else rows)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """[BG-MX] m(x) for every row; with `return_std` also s(x), the deviation of a new target there."""
        rows, mean = self.usable_rows(X)
        if not return_std:
            return mean
        spread = np.sqrt(self._variance(rows) + self.sigma_**2)
        return mean, spread[:, 0] if self.single_target_ else spread

    def predict_interval(self, X: Any, level: float = 0.9, of: Literal["observation", "mean"] = "observation") -> Array:
        """Limits, (n, 2) or (n, 2, q), that hold a new target, or the function's value, with probability `level`.

        Exact for the α and β in use. Where the evidence chose them from few rows, their own uncertainty is missing.
        """
        if not (isinstance(level, float) and 0 < level < 1):
            raise ValueError(f"predict_interval: level must be a number between 0 and 1, got {level!r}")
        if of not in ("observation", "mean"):
            raise ValueError(f"predict_interval: of must be 'observation' or 'mean', got {of!r}")
        rows, mean = self.usable_rows(X)
        noise = self.sigma_**2 if of == "observation" else 0.0
        half = normal_quantile(level) * np.sqrt(self._variance(rows) + noise)
        centre = mean[:, None] if self.single_target_ else mean
        limits = np.stack([centre - half, centre + half], axis=1)
        return limits[:, :, 0] if self.single_target_ else limits

    def sample_weights(self, n: int = 1, random_state: int = 0) -> tuple[Array, Array]:
        """n draws from the posterior: weights (n, d) and intercepts (n,); with several targets (n, q, d) and (n, q)."""
        weights, intercepts = self._drawn(n, generator(n, random_state, "sample_weights"))
        return (weights[:, 0], intercepts[:, 0]) if self.single_target_ else (weights, intercepts)

    def _drawn(self, n: int, random: np.random.Generator) -> tuple[Array, Array]:
        weights, intercepts = self.posterior.draws(n, random)
        return (weights[:, :, :-1], weights[:, :, -1]) if self.own_ones else (weights, intercepts)

    def sample_functions(self, X: Any, n: int = 1, random_state: int = 0) -> Array:
        """A bundle of n functions drawn from the posterior, each at all rows: (n, rows) or (n, rows, q)."""
        found = self._functions(X, n, generator(n, random_state, "sample_functions"))
        return found[:, :, 0] if self.single_target_ else found

    def _functions(self, X: Any, n: int, random: np.random.Generator) -> Array:
        rows, _ = self.usable_rows(X)
        weights, intercepts = self._drawn(n, random)
        return rows @ weights.transpose(0, 2, 1) + intercepts[:, None, :]

    def sample_targets(self, X: Any, n: int = 1, random_state: int = 0) -> Array:
        """[BG-S2] n draws of the targets of all rows from the predictive distribution: (n, rows) or (n, rows, q).

        The rows of one draw share a function, as they would in the world; each row alone is N(m(x), s²(x)).
        """
        random = generator(n, random_state, "sample_targets")
        found = self._functions(X, n, random)
        found = found + self.sigma_ * random.standard_normal(found.shape)
        return found[:, :, 0] if self.single_target_ else found

    def posterior_path(self, X: Any, y: Any) -> PosteriorPath:
        """[BG-INCR] How the posterior grows from the prior, row after row, with this model's α and β; one target only.

        Cost: 4 d² multiplications a row, where solving anew takes d³ / 3 and more.
        """
        rows, _ = self.usable_rows(X)
        t, single = targets(y, len(rows), type(self).__name__)
        if not (single and self.single_target_):
            raise ValueError("posterior_path: one target is needed, as one column y")
        message = find_unusable(t, self.target_names_, "the target y")
        if message:
            raise ValueError(f"posterior_path: {message}")
        shift = self.shrunk.mean[: rows.shape[1]]
        return posterior_path(
            rows, t[:, 0], self.alpha_, self.beta_, shift=shift, flat=self.centred, own_ones=self.own_ones
        )

    def facts(self, level: float = 0.95) -> Facts:
        """Weights with their credible intervals, prior and noise, the evidence, the fit, the numerics, the method."""
        sums: Any = self.statistic_
        names = (*self.column_names(), "intercept") if self.own_ones else self.column_names()
        scans = directions(sums, self.centred).evidences(*self._given()) if None in self._given() else []
        found = PosteriorFacts(self.posterior, names, tuple(self.target_names_), level, scans)
        return Facts([*found.all(self.own_facts(level)), self.card])

    @property
    def penalty(self) -> str:
        """How λ is counted: beside Σ (y - ŷ)²."""
        return "sse"
