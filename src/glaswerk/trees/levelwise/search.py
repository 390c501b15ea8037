"""The best cut of a node in its sums by column and bin: the gains and the rule for equal ones of the grower in memory.

Sums lie on a grid of whole numbers, so that the same parts gain the same, bit for bit, wherever they come from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.trees.levelwise.bins import MISSING
from glaswerk.trees.limits import Limits
from glaswerk.trees.target import ENTROPY, MANY, SQUARES, SUMS, Target


@dataclass(frozen=True, eq=False)
class Rule:
    """What a cut must keep to, and what it gains."""

    target: Target
    weighted: bool
    min_leaf: int
    least: float
    min_gain: float

    @classmethod
    def of(cls, target: Target, weighted: bool, limits: Limits, total: float) -> "Rule":
        least, gain, _ = limits.real(target.unit, total, target.tolerance)
        return cls(target, weighted, limits.min_leaf, float(least), float(gain))

    @property
    def parts(self) -> int:
        """How many numbers come before a row's class or its weighted targets: rows, and weight where it differs."""
        return 2 if self.weighted else 1

    def split(self, sums: Array) -> tuple[Array, Array, Array]:
        """Rows, weight, and the components of sums (…, P + S)."""
        return sums[..., 0], sums[..., self.parts - 1], sums[..., self.parts :]


class Cut(NamedTuple):
    """Where a node is cut: `following` is the bin of the next rows, MISSING where only missing cells go right."""

    gain: float
    column: int
    at: int
    following: int
    missing_left: bool
    ties: int
    tie: tuple[int, int, int] | None
    left: Array
    right: Array
    some_missing: bool


class _Best(NamedTuple):
    gain: float
    at: int
    following: int
    missing_left: bool
    ties: int
    second: tuple[int, int] | None


def best_cut(sums: Array, rule: Rule, columns: Sequence[int], most: int) -> Cut | None:
    """Of the columns in this order (as many as `most` that tell rows apart): the best; of equal gains the lowest."""
    tolerance, whole = rule.target.tolerance, sums[0].sum(axis=0)
    best: _Best | None = None
    looked, column, ties = 0, -1, 0
    tie: tuple[int, int, int] | None = None
    for j in columns:
        if np.count_nonzero(sums[j, :, 0]) < 2:
            continue
        found = _best_of(sums[j], whole, rule)
        looked += 1
        if found is not None and (best is None or found.gain > best.gain + tolerance):
            best, column, ties, tie = found, j, found.ties, _tie(j, found.second)
        elif found is not None and best is not None and found.gain >= best.gain - tolerance:
            if j < column:
                tie, column, best = (column, best.at, best.following), j, found
            elif not ties:
                tie = (j, found.at, found.following)
            ties += 1 + found.ties
        if best is not None and looked >= most:
            break
    if best is None or (rule.min_gain > 0.0 and best.gain < rule.min_gain):
        return None
    left = sums[column, : best.at + 1].sum(axis=0)
    if best.missing_left:
        left = left + sums[column, MISSING]
    some = bool(sums[column, MISSING, 0])
    return Cut(best.gain, column, best.at, best.following, best.missing_left, ties, tie, left, whole - left, some)


def _tie(column: int, second: tuple[int, int] | None) -> tuple[int, int, int] | None:
    return None if second is None else (column, *second)


def _best_of(sums: Array, whole: Array, rule: Rule) -> _Best | None:
    """The best cut of one column, missing cells to the right and, where there are some, to the left."""
    n, missing = whole[0], sums[MISSING, 0]
    here = np.flatnonzero(sums[:MISSING, 0])
    below = np.cumsum(sums[here], axis=0)
    best: _Best | None = None
    for towards_left in (False, True) if 0 < missing < n - 1 else (False,):
        left = below + sums[MISSING] if towards_left else below
        allowed = _allowed(left, whole, rule)
        allowed &= (np.arange(len(here)) < len(here) - 1) | (not towards_left and missing > 0)
        if not allowed.any():
            continue
        found = _first_best(left, whole, allowed, rule, here)
        if best is None or found.gain > best.gain + rule.target.tolerance:
            best = found._replace(missing_left=towards_left)
    return best


def _allowed(left: Array, whole: Array, rule: Rule) -> NDArray[np.bool_]:
    rows, weight, _ = rule.split(left)
    n, total, _ = rule.split(whole)
    enough: NDArray[np.bool_] = (rows >= rule.min_leaf) & (n - rows >= max(rule.min_leaf, 1))
    return enough & (weight >= rule.least) & (total - weight >= rule.least)


def _first_best(left: Array, whole: Array, allowed: NDArray[np.bool_], rule: Rule, here: NDArray) -> _Best:
    gain = np.full(len(left), -np.inf)
    gain[allowed] = gains(left[allowed], whole, rule)
    most = gain.max()
    equal = np.flatnonzero(gain >= most - rule.target.tolerance)
    following = np.append(here[1:], MISSING)
    at = int(equal[0])
    second = (int(here[equal[1]]), int(following[equal[1]])) if len(equal) > 1 else None
    total = float(rule.split(whole)[1])
    value = float(most) / total if rule.target.mode == SUMS else float(most) - _score_of_node(whole, rule)
    return _Best(value, int(here[at]), int(following[at]), False, len(equal) - 1, second)


def gains(left: Array, whole: Array, rule: Rule) -> Array:
    """(sW - Su)² / (u (W - u)) for sums, else the scores of both parts."""
    _, u, s = rule.split(left)
    _, total, S = rule.split(whole)
    v = total - u
    if rule.target.mode == SUMS:
        d = s[:, 0] * total - S[0] * u
        found: Array = d * d / (u * v)
        return found
    if rule.target.criterion == SQUARES:
        a, b = (s * s).sum(axis=1), ((S - s) ** 2).sum(axis=1)
        return a / u + b / v if rule.target.mode == MANY else (a * v + b * u) / (u * v)
    return _score(s, u, rule.target) + _score(S - s, v, rule.target)


def _score_of_node(whole: Array, rule: Rule) -> float:
    _, total, S = rule.split(whole)
    if rule.target.criterion == SQUARES:
        return float((S * S).sum() / total)
    return float(_score(S[None], np.array([total]), rule.target)[0])


def _score(s: Array, u: Array, target: Target) -> Array:
    outputs = len(target.groups) - 1
    if target.criterion == ENTROPY:
        return _xlogx(s).sum(axis=1) - outputs * _xlogx(u)
    largest: Array = np.maximum.reduceat(s, target.groups[:-1], axis=1).sum(axis=1)
    return largest


def _xlogx(x: Array) -> Array:
    return np.where(x > 0, x * np.log(np.maximum(x, 1e-300)), 0.0)
