"""How many groups: curves over their number, what each would choose, and how often resamples choose the same.

    elbow       the k furthest below the chord of ln J over k
    silhouette  the greatest mean of (b - a) / max(a, b), a and b mean distances to the own and the nearest other group
    gap         the least k with Gap(k) >= Gap(k+1) - s(k+1), Gap = mean ln J of uniform rows - ln J
    BIC, AIC, ICL of a Gaussian mixture: the least                                                       [BG-HOWMANY]

No curve knows the truth: a verdict counts the halves of the rows that would choose the same number. Cost: as many fits
as sizes times resamples, on at most 1,000 rows each. When not to use it: as proof that there are groups at all.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from glaswerk.base import Array, find_unusable
from glaswerk.facts import Cell, Curve, Facts, Line, Statement, Table
from glaswerk.learners import GaussianMixture, KMeans

MOST_ROWS = 1000  # a silhouette takes all pairs of rows
REFERENCES = 10
PARTITION, DENSITY = ("elbow", "silhouette", "gap"), ("BIC", "AIC", "ICL")
SAYS = {
    "elbow": "the furthest below the chord",
    "silhouette": "the greatest",
    "gap": "the first within one standard error of the next",
    "BIC": "the least",
    "AIC": "the least",
    "ICL": "the least",
}
WORDS = {"elbow": "ln J", "silhouette": "mean silhouette", "gap": "Gap(k)"}


@dataclass(frozen=True)
class HowMany:
    """Curves (criterion → value of every size), what each chooses, and what the resamples chose."""

    sizes: tuple[int, ...]
    curves: dict[str, Array]
    bands: dict[str, tuple[Array, Array]]
    chosen: dict[str, int]
    votes: dict[str, Counter]
    rows: int
    used: int

    @property
    def verdict(self) -> int:
        """The number that most votes of all criteria go to; of equal ones the least."""
        total: Counter = sum(self.votes.values(), Counter())
        return min(total, key=lambda k: (-total[k], k))

    def facts(self) -> Facts:
        """The verdict, the votes, the curves."""
        return Facts([self._verdict(), self._votes(), *(self._curve(name) for name in self.curves)])

    def _verdict(self) -> Statement:
        sentences = [self._sentence(name) for name in self.curves]
        total: Counter = sum(self.votes.values(), Counter())
        share = total[self.verdict] / total.total()
        sure = "clearly" if share >= 0.9 else "probably" if share >= 0.6 else "perhaps, for the criteria do not agree,"
        groups = "no groups, all rows are one" if self.verdict == 1 else f"{self.verdict} groups"
        head = f"There are {sure} {groups}: {100 * share:.0f} % of all votes."
        note = () if self.used == self.rows else (f"Judged on {self.used} of {self.rows} rows, drawn at random.",)
        return Statement("How many groups?", (head, *sentences, *note))

    def _sentence(self, name: str) -> str:
        votes, k = self.votes[name], self.chosen[name]
        others = ", ".join(f"{size} ({votes[size]})" for size in sorted(votes) if size != k)
        agree = f"{votes[k]} of {votes.total()} halves of the rows choose the same"
        edge = "; the largest tried, so try more" if k == self.sizes[-1] and len(self.sizes) > 1 else ""
        return f"{name}: {k}, {SAYS[name]}; {agree}{', the others ' + others if others else ''}{edge}."

    def _votes(self) -> Table:
        heads = ("criterion", "all rows choose", *(f"k = {k}" for k in self.sizes))
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, self.chosen[name], *(self.votes[name][k] for k in self.sizes)) for name in self.curves
        )
        return Table("Halves of the rows that choose each number", heads, rows)

    def _curve(self, name: str) -> Curve:
        known = np.isfinite(self.curves[name])
        x = tuple(float(k) for k, there in zip(self.sizes, known, strict=True) if there)
        low, high = self.bands[name]
        y, lower, upper = (tuple(part[known].tolist()) for part in (self.curves[name], low, high))
        line = Line(name, x, y, lower, upper)
        marks = ((float(self.chosen[name]), f"k = {self.chosen[name]}"),)
        band = "the band holds the middle 80 % of the halves, moved to the curve"
        title = f"{name.capitalize() if name.islower() else name} over the number of groups"
        says, measured = self._sentence(name), WORDS.get(name, name)
        return Curve(title, "groups", measured, (line,), says, marks=marks, notes=(band,))


def how_many(
    X: Any, *, learner: Any = None, sizes: Sequence[int] = range(1, 11), resamples: int = 20, seed: int = 0
) -> HowMany:
    """Judge how many groups rows have: elbow, silhouette and gap of `KMeans`, or BIC, AIC and ICL of `GaussianMixture`.

    `learner`: a KMeans (the default) or a GaussianMixture, whose number of groups is varied over `sizes`.

    >>> rows = np.concatenate([np.random.default_rng(k).normal(size=(50, 2)) + 9 * k for k in range(3)])
    >>> how_many(rows, sizes=range(1, 7), resamples=5).verdict
    3
    """
    rows = _rows(X)
    learner = KMeans(n_init=3) if learner is None else learner
    sizes = tuple(int(k) for k in sizes if 1 <= k <= max(1, len(rows) // 4))
    if not sizes or list(sizes) != sorted(set(sizes)):
        raise ValueError("how_many: sizes must be rising whole numbers >= 1, at most a quarter of the rows")
    random = np.random.default_rng(seed)
    used = rows if len(rows) <= MOST_ROWS else rows[np.sort(random.permutation(len(rows))[:MOST_ROWS])]
    measure, names = _measure(learner, used, sizes, random)
    whole = measure(used)
    halves = [measure(used[random.permutation(len(used))[: max(len(used) // 2, sizes[-1])]]) for _ in range(resamples)]
    chosen = {name: _choose(name, sizes, whole) for name in names}
    votes = {name: Counter(_choose(name, sizes, half) for half in halves or [whole]) for name in names}
    bands = {name: _band(whole[name], [half[name] for half in halves]) for name in names}
    return HowMany(sizes, {name: whole[name] for name in names}, bands, chosen, votes, len(rows), len(used))


def _rows(X: Any) -> Array:
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 4:
        raise ValueError(f"how_many: X must be a table of four rows at least, got shape {rows.shape}")
    message = find_unusable(rows, [f"x{j}" for j in range(rows.shape[1])])
    if message:
        raise ValueError(f"how_many: {message}")
    return rows


Curves = dict[str, Array]


def _measure(
    learner: Any, rows: Array, sizes: tuple[int, ...], random: np.random.Generator
) -> tuple[Callable[[Array], Curves], tuple[str, ...]]:
    """What takes the curves of some rows, and their names."""
    if isinstance(learner, GaussianMixture):
        return lambda part: density_curves(learner, part, sizes), DENSITY
    if not isinstance(learner, KMeans):
        raise ValueError(f"how_many: learner must be a KMeans or a GaussianMixture, got {type(learner).__name__}")
    box = uniform_box(rows)
    known: dict[int, Array] = {}

    def measure(part: Array) -> Curves:
        if len(part) not in known:
            drawn = [box(random.random(part.shape)) for _ in range(REFERENCES)]
            known[len(part)] = np.array([_logs(learner, reference, sizes)[0] for reference in drawn])
        return partition_curves(learner, part, sizes, known[len(part)])

    return measure, PARTITION


def _logs(learner: KMeans, rows: Array, sizes: tuple[int, ...]) -> tuple[Array, list[Array]]:
    """ln J of every size, and the labels."""
    fits = [_sized(learner, "n_clusters", k).fit(rows) for k in sizes]
    least = 1e-300 + 1e-14 * float(((rows - rows.mean(axis=0)) ** 2).sum())
    return np.log([max(fit.inertia_, least) for fit in fits]), [fit.labels_ for fit in fits]


def _sized(learner: Any, name: str, k: int) -> Any:
    return type(learner)(**{**learner.get_params(), name: k})


def partition_curves(learner: KMeans, rows: Array, sizes: tuple[int, ...], reference: Array) -> Curves:
    logs, labels = _logs(learner, rows, sizes)
    apart = np.sqrt(np.maximum(0.0, ((rows[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2)))
    sure = np.sqrt(1 + 1 / len(reference)) * reference.std(axis=0)
    return {
        "elbow": logs,
        "silhouette": np.array([silhouette(apart, found) for found in labels]),
        "gap": reference.mean(axis=0) - logs,
        "gap error": sure,
    }


def density_curves(learner: GaussianMixture, rows: Array, sizes: tuple[int, ...]) -> Curves:
    fits = [_sized(learner, "n_components", k).fit(rows) for k in sizes]
    ways: tuple[Callable, ...] = (GaussianMixture.bic, GaussianMixture.aic, GaussianMixture.icl)
    return {name: np.array([way(fit, rows) for fit in fits]) for name, way in zip(DENSITY, ways, strict=True)}


def silhouette(apart: Array, labels: Array) -> float:
    """Mean of (b - a) / max(a, b) over the rows; 0 for a row that is alone, NaN for a single group."""
    groups, place = np.unique(labels, return_inverse=True)
    if len(groups) < 2:
        return float("nan")
    member = np.eye(len(groups))[place]
    count, row = member.sum(axis=0), np.arange(len(labels))
    means = apart @ member
    own = means[row, place] / np.maximum(count[place] - 1, 1)
    means /= count
    means[row, place] = np.inf
    other = means.min(axis=1)
    most = np.maximum(own, other)
    found = np.where((count[place] > 1) & (most > 0), (other - own) / np.where(most > 0, most, 1.0), 0.0)
    return float(found.mean())


def uniform_box(rows: Array) -> Callable[[Array], Array]:
    """From uniform numbers to rows without groups: uniform over the box of the rows along their principal axes."""
    mean = rows.mean(axis=0)
    turn = linalg.svd(rows - mean, full_matrices=False)[2]
    turned = (rows - mean) @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    return lambda u: mean + (low + (high - low) * u[:, : len(low)]) @ turn


def _choose(name: str, sizes: tuple[int, ...], curves: Curves) -> int:
    values = curves[name]
    if len(sizes) == 1:
        return sizes[0]
    if name == "silhouette":
        return sizes[int(np.nanargmax(values))]
    if name == "elbow":
        k = np.array(sizes, dtype=np.float64)
        chord = values[0] + (values[-1] - values[0]) * (k - k[0]) / (k[-1] - k[0])
        return sizes[int(np.argmax(chord - values))]
    if name == "gap":
        enough = values[:-1] >= values[1:] - curves["gap error"][1:]
        return sizes[int(np.argmax(enough))] if enough.any() else sizes[-1]
    return sizes[int(np.argmin(values))]


def _band(curve: Array, halves: list[Array]) -> tuple[Array, Array]:
    """The middle 80 % of the halves about their median, moved to the curve of all rows."""
    if not halves:
        return curve, curve
    low, mid, high = np.quantile(np.array(halves), [0.1, 0.5, 0.9], axis=0)
    return curve + low - mid, curve + high - mid
