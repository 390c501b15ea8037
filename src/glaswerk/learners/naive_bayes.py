"""Naive Bayes: attributes that are independent within a class; learning is counting.

    ŷ = argmax_k P(k | a₁, …, a_d) = argmax_k P(k) Π_j P(a_j | k)                                     [BG-NB] [BG-NAIVE]
    a level:  P(a | k) = (N_ka + s) / (N_k + s · levels);  a number:  normal within the class            [BG-NBCOUNT]

Cost: one pass of n d additions; n d K for predictions. When not to use it: probabilities that must be calibrated, for
attributes that repeat each other are counted twice; classes that only combinations of attributes tell apart.
"""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, Self, find_unusable, none, number, thread_count
from glaswerk.facts import MethodCard
from glaswerk.learner.joint import priors_of, some_priors
from glaswerk.learner.naive import NaiveClassifier
from glaswerk.passes import Block
from glaswerk.stats.naive_sums import Attributes, NaiveSums

LEAST = 1e-9  # of a number's variance over all rows: what a class without spread has where smoothing is 0


class NaiveBayes(NaiveClassifier):
    """Naive Bayes for tables as they are: words as categories, numbers as normal, missing cells skipped.

    Columns of words are categories; `categorical_features` names columns of numbers that are. `explain` says what every
    attribute of a row speaks for. Learns from files (`fit_source`, numbers), more rows, other models.

    Parameters
    ----------
    smoothing : rows of every level that are added in every class; a number's variance is smoothed by as many rows of
        the column's variance over all rows. 0 counts as the script does.
    priors : of the classes; None takes their shares of the rows.
    categorical_features : columns of numbers that are categories: their numbers, names, or a mask.
    n_jobs : threads; the result does not depend on it.

    >>> rows = [["sun", 25.0], ["sun", 28.0], ["rain", 12.0], ["rain", None], ["sun", 14.0]]
    >>> model = NaiveBayes().fit(rows, ["out", "out", "in", "in", "in"])
    >>> model.predict([["sun", 24.0], ["rain", None], ["fog", 26.0]]).tolist()
    ['out', 'in', 'out']
    """

    takes_categories: ClassVar[bool] = True
    parameters: ClassVar[dict[str, Allowed]] = {
        "smoothing": number(0),
        "priors": some_priors(),
        "categorical_features": Allowed(
            "a list of columns, by number or name, or a mask", lambda v: isinstance(v, list | tuple | np.ndarray)
        )
        | none(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**NaiveClassifier.fitted, "levels_": tuple}
    card: ClassVar[MethodCard] = MethodCard(
        name="naive Bayes",
        formula="P(k | a) ∝ P(k) Π_j P(a_j | k), levels by counting, numbers as normal",
        equations=("BG-NB", "BG-NAIVE", "BG-NBCOUNT"),
        cost="one pass of n d additions; n d K for predictions",
        assumes=(
            "attributes are independent within a class",
            "numbers are normally distributed within a class",
            "cells are missing for reasons that have nothing to do with the class",
        ),
        restriction_bias="only log-odds that are sums over the attributes, each by itself",
        preference_bias="the shares and means of the rows, drawn towards even ones by `smoothing` rows",
        not_for=("attributes that repeat each other", "probabilities that must be calibrated",
                 "classes told apart by combinations of attributes"),
    )  # fmt: skip

    def __init__(
        self, *, smoothing: float = 1.0, priors: Any = None, categorical_features: Any = None, n_jobs: int | None = None
    ) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = True
        return tags

    def fit_source(self, source: Any, target: str | list[str], **reading: Any) -> Self:
        """Fit to a table that need not fit in memory, its input columns numbers."""
        if self.categorical_features is not None:
            raise ValueError(
                f"{type(self).__name__}: fit_source takes numbers; categories from a file: CategoricalNB, or "
                "Model(NaiveBayes()) on the whole table"
            )
        self.levels_: Any = ()
        super().fit_source(source, target, **reading)
        self.levels_ = (None,) * int(self.n_features_in_)
        return self

    def sizes(self) -> tuple[int | None, ...]:
        known = self.levels_ or (None,) * int(self.n_features_in_)
        return tuple(None if words is None else max(len(words), 1) for words in known)

    def least_levels(self, ask: Attributes) -> tuple[int, ...]:
        return ask.sizes

    def class_priors(self, sums: NaiveSums) -> Array:
        return priors_of(self.priors, sums.weight, type(self).__name__)

    def variance(self, sums: NaiveSums) -> Array:
        """(S + s V) / (N + s): as if s rows more had the column's variance V over all rows."""
        overall = sums.overall_variance
        weight = sums.present + self.smoothing
        own = (sums.scatter + self.smoothing * overall) / np.where(weight > 0, weight, 1.0)
        found = np.where(weight > 0, np.maximum(own, LEAST * overall), overall)
        return np.where(overall > 0, found, 1.0)  # a column that never varies: the same in all classes, it says nothing

    def smoothing_of_levels(self) -> float:
        return float(self.smoothing)

    def check_cells(self, block: Block) -> None:
        """Codes come from words; an infinite number marks the sums."""

    def check_sums(self, block: Block, sums: NaiveSums) -> None:
        if not np.isfinite(sums.squares).all():
            infinite = np.where(np.isnan(block.X), 0.0, block.X)
            message = find_unusable(infinite, self.column_names(), "X", block.first)
            reason = message or "the squares of X overflow: rescale columns beyond 1e150"
            raise ValueError(f"{type(self).__name__}: {reason}")

    def says_of_smoothing(self) -> tuple[str, ...]:
        s = f"{self.smoothing:g}"
        return (
            f"{s} row(s) of every level were added in every class; the variance of a number is that of its rows and of "
            f"{s} row(s) with the column's variance over all classes.",
            "Missing cells are skipped, in the fit and in predictions, and so are levels that the fit has not seen.",
        )
