"""Extreme learning machine: a hidden layer drawn at random and never trained, least squares on what it says.

    ŷ = w₀ + Σ_j w_j σ(v_jᵀx + c_j),   σ(a) = 1 / (1 + e⁻ᵃ),   v, c random;   w minimises Σ (y - ŷ)² + λ ‖w‖²  [BG-ELM]

Cost: rows × units × (columns + units / 2), in one pass; sums add. When not to use it: columns in units of their own
(scale them first); where few units must do (`MLPRegressor` trains its own).
"""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, find_unusable, integer, number, thread_count
from glaswerk.facts import Facts, MethodCard, Table
from glaswerk.learners.ridge import Ridge
from glaswerk.losses import sigmoid
from glaswerk.passes import Block
from glaswerk.stats.ridge_facts import RidgeFacts


class ExtremeLearningMachine(Ridge):
    """Random sigmoid units with a ridge output whose sums add: `partial_fit`, `merge`, `fit_source`.

    The hidden layer depends on `random_state` and the number of columns alone, never on the rows: two machines of the
    same parameters have the same units, so that what they learned apart can be added.

    Parameters
    ----------
    n_hidden : units of the hidden layer.
    alpha : λ of the output, >= 0; one number, or one for each target. 0 is least squares.
    scale : standard deviation of vᵀx + c where columns have mean 0 and deviation 1.
    fit_intercept, n_jobs : as in Ridge. random_state : seed of the hidden layer.

    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> model = ExtremeLearningMachine(30).fit(X, np.sin(3 * X[:, 0]))
    >>> bool(np.abs(model.predict(X) - np.sin(3 * X[:, 0])).max() < 0.05)
    True
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_hidden": integer(1),
        "alpha": Ridge.parameters["alpha"],
        "scale": number(0, above=True),
        "fit_intercept": Ridge.parameters["fit_intercept"],
        "random_state": integer(0),
        "n_jobs": thread_count(),
    }
    card: ClassVar[MethodCard] = MethodCard(
        name="extreme learning machine",
        formula="ŷ = w₀ + Σ w_j σ(v_jᵀx + c_j), v and c random, w by ridge regression",
        equations=("BG-ELM", "BG-STEP", "TRE-COST"),
        cost="rows × units × (columns + units / 2), one pass",
        assumes=("columns of like size, near 0", "units enough for the bends of the target"),
        restriction_bias="sums of these very units: what none of them bends towards cannot be found",
        preference_bias="small output weights; smooth functions, the smoother the smaller the scale",
        not_for=("columns in units of their own", "few units", "weights that must mean something"),
    )
    penalty = "sse"
    penalise_intercept = False

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        alpha: Any = 1e-6,
        scale: float = 2.0,
        fit_intercept: bool = True,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.alpha = alpha
        self.scale = scale
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.n_jobs = n_jobs

    def hidden_weights(self) -> tuple[Array, Array]:
        """v (columns, units) and c (units): normal, together of deviation `scale`, half of its square for c."""
        d = self.n_features_in_
        drawn = np.random.default_rng(self.random_state).standard_normal((self.n_hidden, d + 1)).T
        spread = self.scale / np.sqrt(2.0)
        return drawn[:d] * (spread / np.sqrt(d)), drawn[d] * spread

    def hidden(self, rows: Array, first: int = 0) -> Array:
        """What the units say of these rows (n, units), from 0 to 1."""
        v, c = self.hidden_weights()
        message = find_unusable(rows, self.column_names(), "X", first)
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return np.asarray(sigmoid(rows @ v + c))

    def with_ones(self, block: Block) -> Block:
        return replace(block, X=self.hidden(np.asarray(block.X, dtype=np.float64), block.first), X_low=None)

    def usable_rows(self, X: Any) -> tuple[Array, Array]:
        self.check_fitted()
        said = self.hidden(np.asarray(self.table(X, fit=False), dtype=np.float64))
        return said, said @ self.coef_.T + self.intercept_

    def unit_names(self) -> tuple[str, ...]:
        return tuple(f"unit {j}" for j in range(self.n_hidden))

    def facts(self, level: float = 0.95) -> Facts:
        """The layer, the fit, the penalty's effect, the numerics, the method; weights of random units say nothing."""
        self.check_fitted()
        words = RidgeFacts(
            self.shrunk, self.shrinkages(), self.unit_names(), tuple(self.target_names_), self.centred, level, "sse"
        )
        cells = (
            ("columns", int(self.n_features_in_)), ("units, drawn at random", int(self.n_hidden)),
            ("seed", int(self.random_state or 0)), ("scale", float(self.scale)),
            ("effective output weights", float(self.effective_parameters_.mean())),
        )  # fmt: skip
        fits = [words.goodness(k) for k in range(len(self.target_names_))]
        return Facts([Table("Hidden layer", ("", ""), cells), *fits, words.numerics(), self.card])

    def check_restored(self) -> None:
        """As many output weights as units."""
        if self.shrunk.coefficients.shape != (len(self.target_names_), self.n_hidden):
            raise ValueError(f"solution_ does not belong to {self.n_hidden} units")
        size = getattr(self.statistic_, "shift", np.zeros(0)).size
        if size != self.n_hidden + len(self.target_names_):
            raise ValueError(f"statistic_ does not belong to {self.n_hidden} units")
