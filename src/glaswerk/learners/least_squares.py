"""Least squares: the straight line, plane or hyperplane closest to the rows.

    ŷ = w₀ + w₁x₁ + … + w_dx_d,   w minimises E(w) = ½ Σ (y - ŷ)²            [BOE-E] [TRE-LS] [BG-LS]

Cost: one pass of n d² / 2 multiplications, then d³ / 3; ill-conditioned columns add passes of n d.
When not to use it: more columns than the rows can tell apart (ridge), a target that is a category (logistic).
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
    none,
    number,
    one_of,
    only,
    thread_count,
)
from glaswerk.facts import Facts, MethodCard
from glaswerk.learner import Again, Fitted, LinearModel
from glaswerk.passes import Block
from glaswerk.stats.draws import generator
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.inference import Inference, leverage, noise_deviation, repeated_columns, student_quantile
from glaswerk.stats.ladder import ask_for_more, climb
from glaswerk.stats.moments import Moments
from glaswerk.stats.rungs import Ask, Rung, Solution, Statistic
from glaswerk.stats.triangle import Triangle

FEW = 3  # sentences shown in a message before "and n more"


class LinearRegression(LinearModel):
    """Linear regression by least squares, with the digits, errors and intervals of what it finds.

    Drop-in for scikit-learn's class of this name. Many targets, row weights, and tables larger than memory
    (`fit_source`); the shortest solution, with the culprits named, where columns repeat.

    Parameters
    ----------
    fit_intercept : whether w₀ is fitted, or 0.
    tol : relative length below which what a column adds to the others counts as rounding; None: the working precision.
        (scikit-learn's 1e-6 cuts real columns off polynomials in silence.)
    n_jobs : threads; None takes what affinity and OMP_NUM_THREADS allow. The result does not depend on it.
    weights : "repetitions": a row of weight 2 is two rows. "precisions": its variance is σ²/2  [BG-WLS].
    copy_X, positive : for scikit-learn's sake; X is never changed, `positive=True` is refused.

    >>> model = LinearRegression().fit([[-0.2], [0.2], [1.0]], [0.49, 0.64, 1.39])  # script B, model 1
    >>> round(model.intercept_, 4), model.coef_.round(4)
    (0.5811, array([0.7768]))
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "fit_intercept": flag(),
        "copy_X": flag(),
        "tol": number(0, 1) | none(),
        "n_jobs": thread_count(),
        "positive": only(False, "non-negative least squares is not implemented: scikit-learn's class has it"),
        "weights": one_of("repetitions", "precisions"),
    }
    fitted: ClassVar[dict[str, type]] = {**LinearModel.fitted, "solution_": Solution, "statistic_": object}
    card: ClassVar[MethodCard] = MethodCard(
        name="linear regression by least squares",
        formula="ŷ = w₀ + Σ wⱼ xⱼ, w minimises ½ Σ (y - ŷ)²",
        equations=("BOE-E", "TRE-LS", "BG-LS", "BG-BETA", "BG-SE"),
        cost="n d² / 2 multiplications in one pass; two or three passes more when columns are nearly dependent",
        assumes=(
            "the mean of y is linear in the columns",
            "for errors and intervals: independent noise of one variance; normal noise where rows are few",
        ),
        restriction_bias="only functions linear in the given columns can be found",
        preference_bias="the smallest sum of squares; of several such solutions the shortest weights",
        not_for=("a category as target", "gross outliers in y", "more columns than the rows can tell apart"),
    )

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float | None = None,
        n_jobs: int | None = None,
        positive: bool = False,
        weights: str = "repetitions",
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.weights = weights

    corner_of_sums: ClassVar[bool] = True

    def begin(self, head: Block, n_rows: int | None) -> Ask:
        return replace(self.first_look(head, n_rows, self.fit_intercept), tolerance=self.tol)

    def observe(self, block: Block, ask: Ask) -> Statistic:
        rows = self.checked(block, ask)
        found = ask.observe(rows.X, rows.Y, rows.weight, rows.X_low)
        self.refuse_unusable(found.sums, block)
        return found

    def solve(self, statistic: Statistic, ask: Ask, *, more: bool) -> Fitted | Again:
        if not isinstance(statistic, Gradient):
            self.refuse_nothing(statistic.weight)
        step = climb(statistic, ask, more)
        kept = None if isinstance(statistic, Gradient) else statistic
        if isinstance(step, Ask):
            return Again(step, kept)
        self._tell_repeated(step)
        return Fitted(step, kept)

    def ask_like(self, statistic: Any) -> Ask:
        return ask_for_more(statistic, self.fit_intercept, self.tol)

    def check_restored(self) -> None:
        """Solution, sum and names must speak of the same columns and targets."""
        d, q = self.n_features_in_, len(self.target_names_)
        if not isinstance(self.statistic_, Moments | Triangle):
            raise ValueError(f"statistic_ is a {type(self.statistic_).__name__}, not the sum of a least-squares fit")
        if self.solution_.coefficients.shape != (q, d) or self.statistic_.shift.size != d + q:
            raise ValueError(f"solution_ or statistic_ does not belong to {d} columns and {q} target(s)")
        if self.single_target_ != (q == 1) and self.single_target_:
            raise ValueError("a single target cannot have several names")

    def _tell_repeated(self, solution: Solution) -> None:
        if solution.rung != Rung.SHORTEST:
            return
        sentences = repeated_columns(solution.factor.dependencies(), self.column_names())
        d = self.n_features_in_
        shown = "; ".join(sentences[:FEW]) + (f"; and {len(sentences) - FEW} more" if len(sentences) > FEW else "")
        warnings.warn(
            f"{solution.count} rows determine only {solution.factor.rank} of {d} coefficients: {shown}. "
            "Of all equally good solutions the shortest was taken; do not read its coefficients one by one",
            Warned,
            stacklevel=6,
        )

    def plane(self) -> tuple[Array, Array]:
        return self._solution.coefficients, self._solution.intercept

    @property
    def rank_(self) -> int:
        return self._solution.factor.rank

    @property
    def _solution(self) -> Solution:
        self.check_fitted()
        found: Solution = self.solution_
        return found

    @property
    def degrees_of_freedom_(self) -> float:
        """Rows (or their weight, when weights are repetitions) less the coefficients that the columns determine."""
        return float(self._rows_counted() - self.rank_ - bool(self.fit_intercept))

    @property
    def sigma_(self) -> Array:
        """Estimate of the noise's standard deviation for each target; NaN where no degree of freedom is left."""
        return noise_deviation(self._solution, self.degrees_of_freedom_)

    def complexity(self) -> float:
        """Free parameters: the rank of the columns, and the intercept."""
        return float(self.rank_ + bool(self.fit_intercept))

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """ŷ for every row; with `return_std` also the standard deviation of a new y there (not of the mean)."""
        self.check_fitted()
        rows, mean = self.usable_rows(X)
        if not return_std:
            return mean
        spread = np.sqrt(1.0 + leverage(self.solution_, rows, self.fit_intercept))[:, None] * self.sigma_
        return mean, spread[:, 0] if self.single_target_ else spread

    def predict_interval(self, X: Any, level: float = 0.9, of: Literal["observation", "mean"] = "observation") -> Array:
        """Lower and upper limits, (n, 2) or (n, 2, q), that hold a new y (or the mean of y) with probability `level`.

        Student's t on the degrees of freedom left; exact for independent normal noise of one variance.
        """
        if not (isinstance(level, float) and 0 < level < 1):
            raise ValueError(f"predict_interval: level must be a number between 0 and 1, got {level!r}")
        if of not in ("observation", "mean"):
            raise ValueError(f"predict_interval: of must be 'observation' or 'mean', got {of!r}")
        self.check_fitted()
        rows, mean = self.usable_rows(X)
        own_noise = 1.0 if of == "observation" else 0.0
        width = student_quantile(level, self.degrees_of_freedom_) * np.sqrt(
            own_noise + leverage(self.solution_, rows, self.fit_intercept)
        )
        half = width[:, None] * self.sigma_
        centre = mean[:, None] if self.single_target_ else mean
        limits = np.stack([centre - half, centre + half], axis=1)
        return limits[:, :, 0] if self.single_target_ else limits

    def sample_targets(self, X: Any, n: int = 1, random_state: int = 0) -> Array:
        """n draws of the targets of all rows from the likelihood at its maximum: (n, rows) or (n, rows, q).

        t ~ N(ŷ, 1/β_ML), 1/β_ML = RSS / N [BG-BETA]. The weights count as certain, so a draw varies less than new
        rows would; `BayesianLinearRegression.sample_targets` counts what the weights leave open as well.
        """
        random = generator(n, random_state, "sample_targets")
        rows, mean = self.usable_rows(X)
        noise = np.sqrt(self._solution.residual / self._rows_counted())
        found = mean.reshape(len(rows), -1) + noise * random.standard_normal((n, len(rows), noise.size))
        return found[:, :, 0] if self.single_target_ else found

    def facts(self, level: float = 0.95) -> Facts:
        """Coefficients with their errors and intervals, the fit, the numerics, the method."""
        s = self._solution
        inference = Inference(
            s, self.column_names(), self.degrees_of_freedom_, self._rows_counted(), self.fit_intercept
        )
        likely = self.weights == "repetitions"
        found = [inference.coefficients(k, name, level) for k, name in enumerate(self.target_names_)]
        fits = [inference.goodness(k, name, likely) for k, name in enumerate(self.target_names_)]
        return Facts([*found, *fits, inference.numerics(), self.card])

    def _rows_counted(self) -> float:
        s = self._solution
        return s.weight if self.weights == "repetitions" else float(s.count)
