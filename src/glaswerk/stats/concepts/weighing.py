"""A posterior over every hypothesis of the language, from a prior and a share of wrong labels.

    P(h | D) = P(D | h) P(h) / Σ P(D | h) P(h),   P(D | h) = ε^wrong (1 − ε)^right                          [BG-HPOST]
    P(yes | x, D) = Σ over the h that accept x of P(h | D)                                                    [BG-BOC]

Without noise (ε = 0) and with equal priors the posterior is 1 / |V| on the version space and 0 elsewhere. Cost: one
entry for every hypothesis, every row that can be told apart; both tables are made axis by axis (`lattice`).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glaswerk.base import Array
from glaswerk.stats.concepts.attributes import Ranges
from glaswerk.stats.concepts.language import Language
from glaswerk.stats.concepts.lattice import Axis, axes_above, classes_of, looked_up, spread


@dataclass(frozen=True, eq=False)
class Weighed:
    """Every hypothesis but ∅ as a table, ∅ apart: rows it labels wrongly, prior and posterior as logarithms."""

    axes: tuple[Axis, ...]
    wrong: NDArray[np.int64]
    log_prior: Array
    log_posterior: Array
    empty_wrong: int
    empty_log_prior: float
    empty_log_posterior: float
    log_evidence: float

    @cached_property
    def posterior(self) -> Array:
        return np.exp(self.log_posterior)

    @cached_property
    def _for_classes(self) -> Array:
        return spread(self.posterior, [axis.holds.T for axis in self.axes])

    def chance(self, rows: Ranges) -> Array:
        """[BG-BOC] P(yes | x, D) of each row."""
        found = looked_up(self.axes, self._for_classes, self.posterior, rows)
        return np.clip(found, 0.0, 1.0)

    def first(self, keys: Array, most: int) -> NDArray[np.intp]:
        """Places of the hypotheses of the largest keys, equal ones in the order of the table; (at most `most`, d)."""
        flat = keys.reshape(-1)
        most = min(most, flat.size)
        bound = np.partition(flat, flat.size - most)[flat.size - most]
        chosen = np.flatnonzero(flat >= bound)
        order = chosen[np.argsort(-flat[chosen], kind="stable")][:most]
        return np.stack(np.unravel_index(order, keys.shape), axis=1)

    def hypotheses(self, places: NDArray[np.intp]) -> Ranges:
        return np.stack([axis.conditions[places[:, j]] for j, axis in enumerate(self.axes)], axis=1)


def weigh(language: Language, rows: Ranges, positive: NDArray[np.bool_], noise: float, rate: float) -> Weighed:
    """The posterior of all hypotheses; log prior = −rate × conditions other than `?`, normalised.

    Raises ValueError where no hypothesis is possible: without noise, if none is consistent.
    """
    axes = axes_above(language, None)
    balance = np.zeros([axis.holds.shape[1] for axis in axes], dtype=np.int64)
    np.add.at(balance, tuple(classes_of(axes, rows).T), np.where(positive, 1, -1))
    accepted = spread(balance, [axis.holds for axis in axes])  # positive less negative rows
    yes = int(positive.sum())
    wrong = yes - accepted
    n, last = len(rows), len(axes)
    log_prior = np.zeros(wrong.shape)
    for j, axis in enumerate(axes):
        shape = [1] * last
        shape[j] = -1
        log_prior = log_prior - rate * (np.arange(len(axis.conditions)) < len(axis.conditions) - 1).reshape(shape)
    empty = -rate * last
    total = np.logaddexp(special.logsumexp(log_prior), empty)
    log_prior, empty = log_prior - total, float(empty - total)
    log_joint = log_prior + _log_likelihood(wrong, n, noise)
    empty_joint = float(empty + _log_likelihood(np.array([yes]), n, noise)[0])
    evidence = float(np.logaddexp(special.logsumexp(log_joint), empty_joint))
    if not np.isfinite(evidence):
        raise ValueError("no hypothesis of the language agrees with every row, and noise is 0: set noise above 0")
    return Weighed(
        axes, wrong, log_prior, log_joint - evidence, yes, empty, empty_joint - evidence, evidence
    )  # fmt: skip


def _log_likelihood(wrong: NDArray[np.int64], n: int, noise: float) -> Array:
    found: Array = special.xlogy(wrong, noise) + special.xlog1py(n - wrong, -noise)
    return found
