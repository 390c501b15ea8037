"""A band: the models of all folds with their misses on rows left out, and what follows for new rows.

Whatever is fitted, a pipeline on arrays or a model of a table, is fitted anew for each fold through a `Problem`:
nothing of the left-out rows reaches the model that is asked about them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.evaluate.conformal import Misses, Score, Spreads, class_scores
from glaswerk.evaluate.plan import plan_folds
from glaswerk.evaluate.problem import Problem, SomeRows, class_codes
from glaswerk.scoring.inputs import Ints

Ask = Callable[[Any], Array]


@dataclass(frozen=True, eq=False)
class Band:
    """`fold` and `misses` of the rows left out, their predictions where spreads are wanted, one model per fold."""

    models: tuple[Any, ...]
    fold: Ints
    misses: Array
    weight: Array
    predicted: Array
    score: Score = "adaptive"

    @cached_property
    def known(self) -> Misses:
        misses = self.misses / self.spreads.at(self.predicted) if self.predicted.size else self.misses
        return Misses.of(misses, self.fold, len(self.models), self.weight)

    @cached_property
    def spreads(self) -> Spreads:
        return Spreads.of(self.predicted, self.misses)

    def limits(self, ask: Ask, centre: Array, level: float) -> Array:
        """(m, 2); `ask` gives a fold's model's predictions of the new rows, `centre` is that of all rows' model."""
        check_level(level)
        centres = np.column_stack([ask(model) for model in self.models])
        scales = np.repeat(self.spreads.at(centre)[:, None], len(self.models), axis=1) if self.predicted.size else None
        return self.known.limits(centres, level, scales)

    def sets(self, ask: Ask, level: float) -> NDArray[np.bool_]:
        """(m, classes); `ask` gives a fold's model's probabilities of the new rows."""
        check_level(level)
        return self.known.sets(np.stack([class_scores(ask(model), self.score) for model in self.models], axis=1), level)


def check_level(level: float) -> None:
    if not (isinstance(level, float) and 0 < level < 1):
        raise ValueError(f"level must be a number between 0 and 1; came {level!r}")


def band_of_numbers(
    problem: Problem, candidate: Any, rows: Ints, *, folds: int | None, seed: int, normalised: bool = False
) -> Band:
    """Fit one model per fold, and keep how far off each was on its rows; `folds=None` leaves out row by row."""
    band, predicted = _fitted(problem, candidate, rows, folds, seed, problem.predict)
    tested = np.flatnonzero(band.fold >= 0)
    truth = problem.truth[np.asarray(rows)[tested]]
    numbers = np.array([predicted[k] for k in tested.tolist()], dtype=np.float64)
    return replace(
        _only(band, tested), misses=np.abs(truth - numbers), predicted=numbers if normalised else np.zeros(0)
    )


def band_of_classes(
    problem: Problem, candidate: Any, rows: Ints, *, folds: int | None, seed: int, score: Score = "adaptive"
) -> Band:
    """Fit one model per fold, and keep the score of the true class of each row left out."""
    band, shares = _fitted(problem, candidate, rows, folds, seed, problem.predict_proba)
    tested = np.flatnonzero(band.fold >= 0)
    truth = class_codes(problem.truth[np.asarray(rows)[tested]], problem.classes)
    scores = class_scores(np.array([shares[k] for k in tested.tolist()]), score)
    return replace(_only(band, tested), misses=scores[np.arange(len(tested)), truth], score=score)


def _fitted(
    problem: Problem, candidate: Any, rows: Ints, folds: int | None, seed: int, ask: Callable[[Any, Ints], Any]
) -> tuple[Band, dict[int, Any]]:
    rows = np.asarray(rows)
    inner = SomeRows(problem, rows)
    fold = np.arange(len(rows)) if folds is None else plan_folds(inner, folds, 1, seed).fold_of_row[0]
    models: list[Any] = []
    found: dict[int, Any] = {}
    for k in range(int(fold.max()) + 1):
        test = np.flatnonzero(fold == k)
        model = inner.fit(candidate, np.flatnonzero((fold != k) & (fold >= 0)))
        models.append(model)
        found.update(zip(test.tolist(), ask(model, rows[test]), strict=True))
    return Band(tuple(models), fold, np.zeros(0), inner.weight, np.zeros(0)), found


def _only(band: Band, tested: Ints) -> Band:
    weight = band.weight[tested] if band.weight.size else band.weight
    return replace(band, fold=band.fold[tested], weight=weight)
