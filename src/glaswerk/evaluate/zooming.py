"""Zooming: a search that looks again and again, closer around the best setting found so far.

Cost: stages × settings × folds fits, fewer where settings come again. When not to use it: errors with several valleys;
a wide grid shows them.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from glaswerk.base import Allowed, integer, one_of
from glaswerk.evaluate.search import Search, many, shares
from glaswerk.evaluate.searching import Bench, Settings
from glaswerk.evaluate.spaces import Interval, Space, draws_of, grid_of

COARSE = 3  # steps: one step to either side of a coarser grid would be the whole range again


class ZoomingSearch(Search):
    """Tries a grid, or draws, then again closer around the best setting, and again: recursively.

    Each stage looks at the neighbourhood of the best setting so far: one step of the grid to either side (a third of
    the range where the grid has three values or fewer), or a `shrink` of the range drawn from. Settings known already
    are not tried again; lists of values stay as they are.

    Parameters
    ----------
    by : "grid" or "random".
    points : values per interval and stage ("grid"), or draws per stage ("random").
    stages : how often, the first look counted.
    shrink : the part of the range that a stage keeps ("random").
    The other parameters are those of `GridSearch`.
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        **Search.parameters,
        "by": one_of("grid", "random"),
        "points": many,
        "stages": integer(1),
        "shrink": Allowed("a number between 0 and 1", lambda v: isinstance(v, float) and 0 < v < 1),
    }

    def __init__(
        self, estimator: Any, space: Any, *, by: str = "grid", points: Any = 5, stages: int = 3, shrink: float = 0.4,
        cv: int = 5, repeats: int = 1, metric: str | None = None, selection: str = "best", random_state: int = 0,
        sample: int | None = None,
    ) -> None:  # fmt: skip
        self.estimator = estimator
        self.space = space
        self.by = by
        self.points = points
        self.stages = stages
        self.shrink = shrink
        self.cv = cv
        self.repeats = repeats
        self.metric = metric
        self.selection = selection
        self.random_state = random_state
        self.sample = sample

    def settings(self, spaces: Mapping[str, Space], bench: Bench) -> None:
        looked = dict(spaces)
        for stage in range(self.stages):
            bench.run(self._stage(looked, stage), stage)
            best: Settings = bench.tried[bench.best()].setting
            looked = {name: spaces[name].around(best[name], self._width(name, looked[name])) for name in spaces}

    def _stage(self, looked: Mapping[str, Space], stage: int) -> list[Settings]:
        if self.by == "grid":
            return grid_of(looked, self.points)
        if isinstance(self.points, Mapping):
            raise ValueError("ZoomingSearch: points must be one number where settings are drawn (by='random')")
        drawn = shares(self.random_state, self.stages * self.points, len(looked))
        return draws_of(looked, drawn[stage * self.points : (stage + 1) * self.points])

    def _width(self, name: str, looked: Space) -> float:
        """How far the next stage looks on either side: one step of this grid, or half of the shrunken range."""
        if not isinstance(looked, Interval):
            return 1.0
        if self.by == "random":
            return self.shrink * (looked.stop - looked.start) / 2
        points = self.points.get(name, 5) if isinstance(self.points, Mapping) else self.points
        return (looked.stop - looked.start) / max(int(points) - 1, COARSE)
