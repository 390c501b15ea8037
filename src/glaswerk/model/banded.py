"""Conformal intervals and sets of a table's model: the models of its folds, made, stored and taken from a file."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.evaluate.band import Band, band_of_classes, band_of_numbers
from glaswerk.model.rows_problem import RowsProblem
from glaswerk.model.target_rows import TargetRows

FOLDS = 10
WAYS = ("cv+", "normalised", "jackknife+")
ARRAYS = ("fold", "misses", "weight", "predicted")
Functions = dict[str, Callable[..., Any]]


def band_of(
    known: TargetRows, bound: Callable[[Any], Any], plain: Any, rows: NDArray[np.integer], intervals: str
) -> Band:
    """Design and learner of `plain` fitted again without each fold of these rows, or each row ("jackknife+")."""
    counted = known.weight[rows] > 0 if known.weight.size else np.ones(len(rows), dtype=bool)
    problem, counted_rows = RowsProblem(known, bound), rows[counted].astype(np.int64)
    folds = None if intervals == "jackknife+" else FOLDS
    if known.task.name == "classification":
        return band_of_classes(problem, plain, counted_rows, folds=folds, seed=0)
    normalised = intervals == "normalised"
    return band_of_numbers(problem, plain, counted_rows, folds=folds, seed=0, normalised=normalised)


def limits_of(band: Band, centre: Any, sheet: Any, level: float) -> Any:
    """(n, 2) for the rows of a sheet."""
    return band.limits(lambda model: np.asarray(model.predict(sheet), dtype=np.float64), np.asarray(centre), level)


def sets_of(band: Band, sheet: Any, level: float) -> NDArray[np.bool_]:
    """(n, classes) for the rows of a sheet."""
    return band.sets(lambda model: np.asarray(model.predict_proba(sheet)), level)


def stored_band(band: Band, intervals: str, functions: Functions) -> dict[str, Any]:
    """What a file holds of it."""
    models = tuple(model.as_tree(functions) for model in band.models)
    arrays = {name: getattr(band, name) for name in ARRAYS}
    return {"models": models, "score": band.score, "how": intervals, **arrays}


def band_from(tree: Any, model_of: Callable[[Any], Any]) -> tuple[str, Band]:
    """How the intervals were made, and the band, as a file holds them; anything else is a ValueError."""
    if not isinstance(tree, dict) or tree.keys() != {"models", "score", "how", *ARRAYS}:
        raise ValueError("the model's intervals lack a part")
    fold, misses, weight, predicted = parts = [tree[name] for name in ARRAYS]
    if not all(isinstance(a, np.ndarray) and a.ndim == 1 for a in parts) or fold.dtype.kind != "i":
        raise ValueError("the model's intervals hold something other than columns of numbers")
    if not (len(fold) == len(misses) > 0 and len(weight) in (0, len(fold)) and len(predicted) in (0, len(fold))):
        raise ValueError("the model's intervals do not belong to one table")
    if tree["how"] not in WAYS or tree["score"] not in ("adaptive", "simple") or not isinstance(tree["models"], tuple):
        raise ValueError("the model's intervals were made in an unknown way")
    models = tuple(model_of(one) for one in tree["models"])
    if fold.min() < 0 or fold.max() >= len(models):
        raise ValueError("the model's intervals name folds without a model")
    return tree["how"], Band(models, fold, misses, weight, predicted, tree["score"])
