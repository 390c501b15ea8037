"""Plan: a descent of a linear model from its settings: which bowl, from where, by which steps, until when.

All rows at a time is a walk on the bowl that the sums describe; batches need the rows, and use the bowl to know the
loss of every epoch exactly.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.optim.bowl import Bowl, Objective, Scaling, bowl_of, roll, scaling_of
from glaswerk.optim.descent import Adaptive, Backtracking, Newton, Path, Rule, Stop, Stride, follow
from glaswerk.optim.diagnosis import Diagnosis, condition_of_bowl
from glaswerk.optim.epochs import Batches, Rows, steepest_batch, walk
from glaswerk.optim.trace import Descended
from glaswerk.stats.moments import Moments

SEARCHED = ("lipschitz", "backtracking", "adaptive", "newton")
SMALL = 0.1  # deviation of random starting weights
TRAIL_NUMBERS = 1_000_000  # weights kept in a trace at most


@dataclass(frozen=True, eq=False)
class Plan:
    """The settings of a descent. `rate` is a number or one of SEARCHED, `batch` None for all rows, `trace` as asked."""

    owner: str
    objective: Objective
    rate: float | str
    epochs: int
    batch: int | None = None
    shuffle: bool = False
    start: Any = "zeros"
    tol: float | None = None
    patience: int = 5
    decay: float = 0.0
    standardize: bool = False
    seed: int = 0
    trace: bool | int = True

    def scaling(self, sums: Moments) -> Scaling | None:
        return scaling_of(sums, self.objective.intercept) if self.standardize else None

    def bowl(self, sums: Moments) -> Bowl:
        """The bowl in the coordinates in which steps are taken."""
        scaling = self.scaling(sums)
        return bowl_of(sums if scaling is None else scaling.moments(sums), self.objective)

    def run(self, sums: Moments, rows: Rows | None = None, held: Moments | None = None) -> Descended:
        """Descend, and say what came of it; `rows` where a step takes a batch, `held` the sums of rows held out."""
        bowl = self.bowl(sums)
        start = self._starting(*bowl.bottom.shape)
        rule = Rule(self.tol, self.patience, bowl.highest(start))
        if rows is None:
            path, rate = self._all_rows(bowl, start, rule)
        else:
            path, rate = self._batches(self._placed(rows, sums), bowl, start, rule)
        return self._described(path, rate, bowl, sums, held)

    def diagnosis(self, sums: Moments, found: Descended, names: tuple[str, ...]) -> Diagnosis:
        """What the bowl says of the steps taken on it; names of the columns."""
        bowl, apart = self.bowl(sums), None
        if not self.standardize:
            scaled = scaling_of(sums, self.objective.intercept).moments(sums)
            apart = condition_of_bowl(bowl_of(scaled, self.objective))
        whose = (*names, "intercept")[: len(bowl.curvature)]
        return Diagnosis(bowl, whose, found.rate or None, self.batch or 0, apart)

    def _every(self, numbers: int) -> int:
        """Every so many epochs are recorded, never more weights than a trace may hold; 0 for none."""
        if self.trace is False:
            return 0
        asked = 1 if self.trace is True else int(self.trace)
        return max(asked, -(-self.epochs * numbers // TRAIL_NUMBERS))

    def _starting(self, q: int, p: int) -> Array:
        if isinstance(self.start, str):
            random = self.start == "random"
            return SMALL * np.random.default_rng(self.seed).normal(size=(q, p)) if random else np.zeros((q, p))
        given = np.asarray(self.start, dtype=np.float64)
        if given.shape not in ((p,), (q, p)) or not np.isfinite(given).all():
            last = " (intercept last)" if self.objective.intercept else ""
            raise ValueError(
                f"{self.owner}: start must hold {p} finite weights{last} for each of {q} target(s), got shape "
                f"{given.shape}"
            )
        return np.array(np.broadcast_to(given, (q, p)))

    def _all_rows(self, bowl: Bowl, start: Array, rule: Rule) -> tuple[Path, float]:
        every = self._every(start.size)
        if isinstance(self.rate, str) and self.rate != "lipschitz":
            away, safe = (start - bowl.bottom).ravel(), _over(float(np.trace(bowl.curvature)))
            strides: dict[str, Stride] = {
                "backtracking": Backtracking(safe), "adaptive": Adaptive(safe), "newton": Newton(bowl.newton)
            }  # fmt: skip
            return follow(bowl.look, away, strides[self.rate], self.epochs, rule, every), 0.0
        rate = _over(bowl.largest()) if isinstance(self.rate, str) else float(self.rate)
        return roll(bowl, start, rate, self.decay, self.epochs, rule, every), rate

    def _batches(self, rows: Rows, bowl: Bowl, start: Array, rule: Rule) -> tuple[Path, float]:
        if self.rate in ("backtracking", "newton"):
            raise ValueError(
                f"{self.owner}: learning_rate={self.rate!r} needs the loss of all rows at every step: use "
                "batch_size=None, or a number, 'lipschitz' or 'adaptive' with mini-batches"
            )
        assert self.batch is not None
        rate = self.rate
        if isinstance(rate, str):
            rate = _over(steepest_batch(rows, self.objective, self.batch))
        steps = Batches(self.batch, self.shuffle, self.seed, float(rate), self.decay, self.rate == "adaptive")
        return walk(rows, bowl, self.objective, start, steps, self.epochs, rule, self._every(start.size)), steps.rate

    def _placed(self, rows: Rows, sums: Moments) -> Rows:
        """The rows as the steps see them."""
        scaling = self.scaling(sums)
        return rows if scaling is None else replace(rows, X=(rows.X - scaling.mean) / scaling.scale)

    def _described(self, path: Path, rate: float, bowl: Bowl, sums: Moments, held: Moments | None) -> Descended:
        q, p = bowl.bottom.shape
        scaling = self.scaling(sums)
        end = bowl.bottom + (path.best if path.ended == Stop.DIVERGED else path.end).reshape(q, p)
        kept = path.kept if path.kept.size else np.array([path.steps])
        trail = bowl.bottom + path.places.reshape(-1, q, p)
        apart = np.zeros(0)
        if held is not None:
            rows = held if scaling is None else scaling.moments(held)
            apart = bowl_of(rows, replace(self.objective, alpha=0.0)).values(trail if len(trail) else end[None])
        spread = self.objective.share(sums.weight) * float(bowl.total.sum())
        behind = float(bowl.values(end[None])[0]) - bowl.lowest
        with np.errstate(over="ignore", invalid="ignore"):  # the last places of a descent that diverged
            weights, closed, places = (self._raw(part, scaling) for part in (end, bowl.bottom, trail))
        return Descended(
            weights, closed, kept.astype(np.float64), path.values[kept], apart, path.slopes[kept],
            np.append(0.0, path.rates)[kept], places, bowl.lowest, behind / spread if spread > 0 else 0.0,
            path.steps, rate, path.ended.value,
        )  # fmt: skip

    def _raw(self, weights: Array, scaling: Scaling | None) -> Array:
        """Weights (…, p) for the columns as they came, the last 0 where no intercept is fitted."""
        intercept = self.objective.intercept
        found = weights if scaling is None else scaling.raw(weights, intercept)
        return found if intercept else np.concatenate([found, np.zeros((*found.shape[:-1], 1))], axis=-1)


def _over(curvature: float) -> float:
    """1/σ; where nothing curves every rate is as good."""
    return 1.0 / curvature if curvature > 0 else 1.0
