"""Categorical naive Bayes: learning is counting how often every level occurs in every class.

    P(a | k) = (N_ka + α) / (N_k + α · levels)                                                             [BG-NBCOUNT]

Cost: one pass of n d additions. When not to use it: columns that repeat each other; numbers (GaussianNB), or numbers
and categories together (NaiveBayes).
"""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, Self, find_unusable, flag, integer, none, number, thread_count
from glaswerk.facts import MethodCard
from glaswerk.learner.joint import priors_of, some_priors
from glaswerk.learner.naive import NaiveClassifier
from glaswerk.passes import Block
from glaswerk.stats.naive_sums import Attributes, NaiveSums

MOST_CODE = 1_000_000
SMALLEST_ALPHA = 1e-10  # scikit-learn's, where force_alpha is False


def _counts() -> Allowed:
    def test(v: Any) -> bool:
        return isinstance(v, list | tuple | np.ndarray) and np.asarray(v).dtype.kind in "iu"

    return integer(1) | Allowed("one integer for each column", test) | none()


class CategoricalNB(NaiveClassifier):
    """Naive Bayes for columns of categories: words, or whole numbers from 0 on. Drop-in for scikit-learn's class.

    Missing cells are skipped, in the fit and in predictions, and so are levels that the fit has not seen (scikit-learn
    stops there). Learns from files (`fit_source`, whole numbers), from more rows, from other models.

    Parameters
    ----------
    alpha : rows added to the count of every level in every class.
    force_alpha : False raises an alpha below 1e-10 to it.
    fit_prior : whether classes have their shares of the rows as priors, or equal ones.
    class_prior : priors of the classes instead.
    min_categories : levels that every column has at least, or one number for each column.
    n_jobs : threads; the result does not depend on it.

    >>> model = CategoricalNB(alpha=0).fit([["sun"], ["sun"], ["rain"], ["rain"]], ["yes", "yes", "no", "yes"])
    >>> model.predict_proba([["sun"], ["rain"]]).round(3).tolist(), model.predict([["sun"]]).tolist()
    ([[0.0, 1.0], [0.5, 0.5]], ['yes'])
    """

    takes_categories: ClassVar[bool] = True
    parameters: ClassVar[dict[str, Allowed]] = {
        "alpha": number(0),
        "force_alpha": flag(),
        "fit_prior": flag(),
        "class_prior": some_priors(),
        "min_categories": _counts(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**NaiveClassifier.fitted, "levels_": tuple}
    card: ClassVar[MethodCard] = MethodCard(
        name="categorical naive Bayes",
        formula="P(k | a) ∝ P(k) Π_j P(a_j | k), P(a | k) = (N_ka + α) / (N_k + α · levels)",
        equations=("BG-NB", "BG-NAIVE", "BG-NBCOUNT"),
        cost="one pass of n d additions; n d K for predictions",
        assumes=("columns are independent within a class", "rows of a class are alike but for chance"),
        restriction_bias="only log-odds that are sums over the attributes",
        preference_bias="the shares of the rows, drawn towards equal ones by α rows for each level",
        not_for=("columns that repeat each other", "numbers with many values", "classes told apart by combinations"),
    )

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.positive_only = tags.input_tags.allow_nan = True
        return tags

    def fit_source(self, source: Any, target: str | list[str], **reading: Any) -> Self:
        """Fit to a table that need not fit in memory, its input columns whole numbers from 0 on."""
        self.levels_: Any = ()
        super().fit_source(source, target, **reading)
        self.levels_ = (None,) * int(self.n_features_in_)
        return self

    def sizes(self) -> tuple[int | None, ...]:
        known = self.levels_ or (None,) * int(self.n_features_in_)
        return tuple(0 if words is None else len(words) for words in known)

    def least_levels(self, ask: Attributes) -> tuple[int, ...]:
        if self.min_categories is None:
            return ask.sizes
        asked = np.asarray(self.min_categories)
        if asked.ndim and asked.shape != (len(ask.sizes),):
            raise ValueError(
                f"{type(self).__name__}: min_categories must hold one number for each of {len(ask.sizes)} columns, "
                f"got {asked.size}"
            )
        return tuple(np.maximum(np.broadcast_to(asked, len(ask.sizes)), ask.sizes).tolist())

    def class_priors(self, sums: NaiveSums) -> Array:
        equal = None if self.fit_prior else np.ones_like(sums.weight) / sums.weight.size
        return priors_of(equal if self.class_prior is None else self.class_prior, sums.weight, type(self).__name__)

    def variance(self, sums: NaiveSums) -> Array:
        return np.zeros((sums.weight.size, 0))

    def smoothing_of_levels(self) -> float:
        return float(self.alpha) if self.force_alpha else max(float(self.alpha), SMALLEST_ALPHA)

    def check_sums(self, block: Block, sums: NaiveSums) -> None:
        """Counts of checked cells are sound."""

    def check_cells(self, block: Block) -> None:
        """Levels are whole numbers from 0 on; -1 stands for a word that the first rows did not have."""
        X = block.X
        lowest, highest = np.fmin.reduce(X, axis=None, initial=0.0), np.fmax.reduce(X, axis=None, initial=0.0)
        owner = type(self).__name__
        if not np.isfinite([lowest, highest]).all():
            message = find_unusable(np.where(np.isnan(X), 0.0, X), self.column_names(), "X", block.first)
            raise ValueError(f"{owner}: {message}")
        if highest > MOST_CODE:
            raise ValueError(f"{owner}: X holds the level {highest:.6g}; levels are whole numbers below {MOST_CODE:,}")
        words = [bool(size) for size in self.sizes()]
        if lowest < 0 and ((X < 0) & ~np.array(words)).any():
            raise ValueError(f"Negative values in data passed to {owner}: levels are whole numbers from 0 on")
        broken = np.rint(X) != X
        if broken.any() and (broken & ~np.isnan(X)).any():
            row, column = np.argwhere(broken & ~np.isnan(X))[0]
            raise ValueError(
                f"{owner}: X holds {X[row, column]:.6g} in column {self.column_names()[column]!r}, row "
                f"{block.first + row}; levels are words, or whole numbers from 0 on"
            )

    def says_of_smoothing(self) -> tuple[str, ...]:
        extra = f"{self.smoothing_of_levels():g} row(s) were added to the count of every level in every class"
        return (f"{extra}.", "Missing cells are skipped, and so are levels that the rows of the fit did not have.")

    @property
    def category_count_(self) -> list[Array]:
        """Weight of every level in every class: one (K, levels) for each column."""
        self.check_fitted()
        sizes = self.solution_.size
        return [_filled(table, int(size)).T for table, size in zip(self.known_sums.counts, sizes, strict=True)]

    @property
    def feature_log_prob_(self) -> list[Array]:
        """ln P(level | k): one (K, levels) for each column."""
        self.check_fitted()
        model = self.solution_
        return [model.logs[at : at + size].T for at, size in zip(model.start, model.size, strict=True)]

    @property
    def n_categories_(self) -> np.ndarray:
        self.check_fitted()
        found: np.ndarray = self.solution_.size
        return found

    @property
    def class_count_(self) -> Array:
        self.check_fitted()
        found: Array = self.known_sums.weight
        return found

    @property
    def class_log_prior_(self) -> Array:
        self.check_fitted()
        return np.log(self.solution_.prior)


def _filled(table: Array, size: int) -> Array:
    """The table with rows for levels that never came."""
    return np.concatenate([table, np.zeros((size - len(table), table.shape[1]))])
