"""Trade-offs of a classifier over all thresholds: ROC, precision against recall, cost; with what folds say of the luck.

    positive where p >= threshold         cost = (c₊ · false positives + c₋ · false negatives + …) / rows

Bands are corrected resampled t intervals of the folds' curves, point by point. The best threshold has an interval too:
rows are drawn anew, and each drawn table has its own best. Cost: one sort of the rows per fold and drawn table.
When not to use it: more than two classes without naming the one that counts; fewer than some ten rows of a class.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.corrected import corrected_interval
from glaswerk.facts import Curve, Line, Statement
from glaswerk.scoring.inputs import Ints

GRID = np.linspace(0.0, 1.0, 101)
DRAWN_TABLES = 300
Matrix = Sequence[Sequence[float]]
EVEN_COSTS: Matrix = ((0.0, 1.0), (1.0, 0.0))


@dataclass(frozen=True, eq=False)
class Ranked:
    """Rows of known class with their probability of the positive one, the fold that tested them, and their weight."""

    positive: np.ndarray
    probability: Array
    fold: Ints
    weight: Array

    def folds(self) -> list["Ranked"]:
        """Only folds with both classes have curves."""
        parts = [self.rows(self.fold == k) for k in range(int(self.fold.max()) + 1)]
        return [part for part in parts if part.weight[part.positive].sum() > 0 < part.weight[~part.positive].sum()]

    def rows(self, chosen: np.ndarray) -> "Ranked":
        return Ranked(self.positive[chosen], self.probability[chosen], self.fold[chosen], self.weight[chosen])

    def counts(self) -> tuple[Array, Array, Array]:
        """Thresholds falling, with the weights of false and true positives at each; the first lets nothing pass."""
        order = np.argsort(-self.probability, kind="stable")
        p, w, positive = self.probability[order], self.weight[order], self.positive[order]
        last = np.append(p[1:] != p[:-1], True)
        false, true = np.cumsum(w * ~positive)[last], np.cumsum(w * positive)[last]
        return np.append(np.inf, p[last]), np.append(0.0, false), np.append(0.0, true)


def roc_at(ranked: Ranked, false_rate: Array) -> Array:
    """True positive rate at these false positive rates."""
    _, false, true = ranked.counts()
    x, y = false / false[-1], true / true[-1]
    found = np.interp(false_rate, x, y)
    first = np.searchsorted(x, false_rate, side="right") - 1  # of equal rates the highest point
    return np.maximum(found, y[np.clip(first, 0, len(y) - 1)])


def precision_at(ranked: Ranked, recall: Array) -> Array:
    """Precision at the highest threshold that recalls so much."""
    _, false, true = ranked.counts()
    found = true[1:] / (true[1:] + false[1:])
    place = np.searchsorted(true[1:] / true[-1], recall - 1e-12)
    return found[np.clip(place, 0, len(found) - 1)]


def banded(ranked: Ranked, at: Callable[[Ranked, Array], Array], x: Array, name: str, level: float) -> Line:
    """The mean of the folds' curves with its band, kept between 0 and 1."""
    folds = ranked.folds()
    if not folds:
        raise ValueError("no fold tests rows of both classes: there is no curve")
    curves = np.stack([at(part, x) for part in folds])
    weight = np.array([part.weight.sum() for part in folds])
    mean = weight @ curves / weight.sum()
    ratio = 1.0 / max(len(folds) - 1, 1)
    limits = [corrected_interval(float(m), curves[:, j] - m, weight, ratio, level) for j, m in enumerate(mean)]
    lower, upper = (
        tuple(None if limit is None else float(np.clip(limit, 0.0, 1.0)) for limit in side)
        for side in ([i.lower for i in limits], [i.upper for i in limits])
    )
    return Line(name, tuple(x.tolist()), tuple(mean.tolist()), lower, upper)


def roc(ranked: Ranked, candidate: str, event: str, *, level: float = 0.95) -> Curve:
    """The ROC curve, mean over folds, with its band."""
    line = banded(ranked, roc_at, GRID, "mean over folds", level)
    chance = Line("chance", (0.0, 1.0), (0.0, 1.0))
    areas = np.array([_area(part) for part in ranked.folds()])
    reach = f"{areas.min():.3f} to {areas.max():.3f}"
    says = f"The area under it is {areas.mean():.3f} on average over {len(areas)} folds ({reach})."
    return Curve(
        f"ROC of {candidate}: {event}", "false positive rate", "true positive rate", (line, chance), says,
        notes=(_how(level),),
    )  # fmt: skip


def _area(part: Ranked) -> float:
    _, false, true = part.counts()
    return float(np.diff(false) @ (true[1:] + true[:-1]) / (2 * false[-1] * true[-1]))


def precision_recall(ranked: Ranked, candidate: str, event: str, *, level: float = 0.95) -> Curve:
    """Precision against recall, mean over folds, with its band; chance is the share of the class."""
    recall = GRID[1:]
    line = banded(ranked, precision_at, recall, "mean over folds", level)
    share = float(ranked.weight[ranked.positive].sum() / ranked.weight.sum())
    chance = Line("chance: the share of the class", (0.0, 1.0), (share, share))
    half = float(np.interp(0.5, recall, np.array(line.y, dtype=np.float64)))
    says = f"To find half of {event}, {100 * half:.0f} % of the rows named are right; by chance {100 * share:.0f} %."
    return Curve(
        f"Precision and recall of {candidate}: {event}", "recall", "precision", (line, chance), says,
        notes=(_how(level),),
    )  # fmt: skip


def _how(level: float) -> str:
    return f"band: {100 * level:g} %, corrected resampled t over the folds of the first repeat, point by point"


@dataclass(frozen=True, eq=False)
class Thresholds:
    """The cost per row at each threshold of a grid, the best threshold and its interval."""

    best: float
    lower: float
    upper: float
    cost: float
    cost_at_half: float
    in_theory: float | None
    curve: Curve
    statement: Statement


def thresholds(
    ranked: Ranked, candidate: str, event: str, *, costs: Matrix = EVEN_COSTS, level: float = 0.95, seed: int = 0
) -> Thresholds:
    """The threshold that costs least; `costs[i][j]` is what a row of class i (0 other, 1 `event`) called j costs."""
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.shape != (2, 2) or not np.isfinite(matrix).all():
        raise ValueError(f"costs must be two lines of two finite numbers, [[c00, c01], [c10, c11]]; came {costs!r}")
    per_row = _costs_at(matrix)
    best, least = _cheapest(ranked, matrix)
    random, found = np.random.default_rng(seed), []
    for _ in range(DRAWN_TABLES):
        times = random.poisson(1.0, len(ranked.weight)).astype(np.float64)  # a row drawn 0, 1, 2, … times
        drawn = Ranked(ranked.positive, ranked.probability, ranked.fold, ranked.weight * times)
        if drawn.weight.any():
            found.append(_cheapest(drawn.rows(drawn.weight > 0), matrix)[0])
    lower, upper = np.quantile(found, [(1 - level) / 2, (1 + level) / 2]).tolist()
    half = float(per_row(ranked, np.array([0.5]))[0])
    wrong, missed = matrix[0, 1] - matrix[0, 0], matrix[1, 0] - matrix[1, 1]
    theory = float(wrong / (wrong + missed)) if wrong > 0 < missed else None
    line = _unclipped(ranked, per_row, level)
    marks = ((best, "least cost"), *(((theory, "if calibrated"),) if theory is not None else ()))
    said = [
        f"The threshold {best:.3g} costs least: {least:.4g} per row, against {half:.4g} at 0.5.",
        f"Drawn anew, {100 * level:g} % of the tables have their best threshold between {lower:.3g} and {upper:.3g}.",
    ]
    if theory is not None:
        said.append(f"With calibrated probabilities it would be {theory:.3g}, by the costs alone.")
    curve = Curve(
        f"Cost of {candidate} by threshold: {event}", f"{event} is said from this probability on", "cost per row",
        (line,), said[0], marks=marks, notes=(_how(level),),
    )  # fmt: skip
    statement = Statement(f"Threshold for {event}", tuple(said))
    return Thresholds(best, lower, upper, least, half, theory, curve, statement)


def _costs_at(matrix: Array) -> Callable[[Ranked, Array], Array]:
    def at(ranked: Ranked, threshold: Array) -> Array:
        levels, false, true = ranked.counts()
        place = np.searchsorted(-levels, -threshold, side="right") - 1
        return _cost(matrix, false[place], true[place], false[-1], true[-1])

    return at


def _cost(matrix: Array, false: Array, true: Array, negatives: float, positives: float) -> Array:
    paid = (negatives - false) * matrix[0, 0] + false * matrix[0, 1] + (positives - true) * matrix[1, 0]
    return np.asarray((paid + true * matrix[1, 1]) / (negatives + positives))


def _cheapest(ranked: Ranked, matrix: Array) -> tuple[float, float]:
    """The best threshold, half way to the next probability below it, and its cost; of equals the highest."""
    levels, false, true = ranked.counts()
    paid = _cost(matrix, false, true, float(false[-1]), float(true[-1]))
    k = int(np.argmin(paid))
    below = levels[k + 1] if k + 1 < len(levels) else 0.0
    return float((min(levels[k], 1.0) + below) / 2), float(paid[k])


def _unclipped(ranked: Ranked, at: Callable[[Ranked, Array], Array], level: float) -> Line:
    folds = ranked.folds()
    curves = np.stack([at(part, GRID) for part in folds])
    weight = np.array([part.weight.sum() for part in folds])
    mean = weight @ curves / weight.sum()
    ratio = 1.0 / max(len(folds) - 1, 1)
    limits = [corrected_interval(float(m), curves[:, j] - m, weight, ratio, level) for j, m in enumerate(mean)]
    lower, upper = tuple(i.lower for i in limits), tuple(i.upper for i in limits)
    return Line("mean over folds", tuple(GRID.tolist()), tuple(mean.tolist()), lower, upper)
