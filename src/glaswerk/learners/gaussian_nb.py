"""Gaussian naive Bayes: numbers that are independent and normal within a class.

    ŷ = argmax_k P(k) Π_j N(x_j | μ_kj, σ²_kj)                                                                  [BG-NB]

Cost: one pass of n d additions. When not to use it: columns that repeat each other, heavy tails, categories (NaiveBayes
takes numbers and categories together).
"""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, find_unusable, number, thread_count
from glaswerk.facts import MethodCard
from glaswerk.learner.joint import priors_of, some_priors
from glaswerk.learner.naive import NaiveClassifier, own_variance
from glaswerk.passes import Block
from glaswerk.stats.naive_sums import Attributes, NaiveSums


class GaussianNB(NaiveClassifier):
    """Naive Bayes for numbers, each normal within a class. Drop-in for scikit-learn's class of this name.

    Learns from files (`fit_source`), from more rows (`partial_fit`), from other models (`merge`).

    Parameters
    ----------
    priors : of the classes; None takes their shares of the rows.
    var_smoothing : this part of the largest variance of a column is added to every variance.
    n_jobs : threads; the result does not depend on it.

    >>> model = GaussianNB().fit([[0.0], [1.0], [5.0], [6.0]], ["a", "a", "b", "b"])
    >>> model.predict([[2.0], [4.0]]).tolist(), model.theta_.tolist()
    (['a', 'b'], [[0.5], [5.5]])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "priors": some_priors(),
        "var_smoothing": number(0),
        "n_jobs": thread_count(),
    }
    card: ClassVar[MethodCard] = MethodCard(
        name="Gaussian naive Bayes",
        formula="P(k | x) ∝ P(k) Π_j N(x_j | μ_kj, σ²_kj)",
        equations=("BG-NB", "BG-NAIVE", "BG-BAYES"),
        cost="one pass of n d additions; n d K for predictions",
        assumes=("columns are independent within a class", "each is normally distributed within a class"),
        restriction_bias="only classes whose densities are products of one-dimensional normal ones",
        preference_bias="maximum likelihood of every column by itself",
        not_for=("columns that repeat each other", "heavy tails", "probabilities that must be calibrated"),
    )
    skips_missing: ClassVar[bool] = False

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9, n_jobs: int | None = None) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.n_jobs = n_jobs

    def sizes(self) -> tuple[int | None, ...]:
        return (None,) * int(self.n_features_in_)

    def variance(self, sums: NaiveSums) -> Array:
        own, overall = own_variance(sums), sums.overall_variance
        return np.maximum(own + self.var_smoothing * overall.max(initial=0.0), np.finfo(float).tiny)

    def smoothing_of_levels(self) -> float:
        return 0.0

    def least_levels(self, ask: Attributes) -> tuple[int, ...]:
        return ()

    def class_priors(self, sums: NaiveSums) -> Array:
        return priors_of(self.priors, sums.weight, type(self).__name__)

    def check_cells(self, block: Block) -> None:
        """A cell that cannot be used marks the sums."""

    def check_sums(self, block: Block, sums: NaiveSums) -> None:
        whole = sums.present == sums.weight[:, None]
        if not (whole.all() and np.isfinite(sums.squares).all()):
            message = find_unusable(block.X, self.column_names(), "X", block.first)
            if message or not np.isfinite(sums.squares).all():
                reason = message or "the squares of X overflow: rescale columns beyond 1e150"
                raise ValueError(f"{type(self).__name__}: {reason}")

    def says_of_smoothing(self) -> tuple[str, ...]:
        return (f"{self.epsilon_:.3g} was added to every variance: {self.var_smoothing:g} of the largest of a column.",)

    @property
    def epsilon_(self) -> float:
        """What was added to every variance."""
        self.check_fitted()
        return float(self.var_smoothing * self.known_sums.overall_variance.max(initial=0.0))

    @property
    def theta_(self) -> Array:
        """Means (K, d)."""
        self.check_fitted()
        found: Array = self.solution_.shift + self.solution_.offset
        return found

    @property
    def var_(self) -> Array:
        """Variances (K, d)."""
        self.check_fitted()
        found: Array = self.solution_.variance
        return found

    @property
    def class_prior_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.prior
        return found

    @property
    def class_count_(self) -> Array:
        self.check_fitted()
        found: Array = self.known_sums.weight
        return found
