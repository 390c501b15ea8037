"""Fold numbers for a learner's own validation: from a number of folds, a splitter, or the splits themselves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, integer
from glaswerk.scoring.splits import KFold, RepeatedKFold, Splits, fold_of


def splitting() -> Allowed:
    """What the parameter `cv` of such a learner may be."""
    splitter = Allowed("a splitter", lambda v: not isinstance(v, str) and hasattr(v, "split"))
    listed = Allowed("a list of (train, test) row numbers", lambda v: isinstance(v, list | tuple) and len(v) > 1)
    return integer(2) | splitter | listed


@dataclass(frozen=True, eq=False)
class Listed:
    """Splits that come as a list, with the method of a splitter."""

    splits: Any

    def split(self, X: Any, *_: object) -> Splits:
        for pair in self.splits:
            train, test = (np.asarray(rows, dtype=np.int64) for rows in pair)
            for rows in (train, test):
                if rows.size and not 0 <= rows.min() <= rows.max() < len(X):
                    raise ValueError(f"cv names row {rows.max()}, but there are {len(X)} rows, counted from 0")
            yield train, test


def draw_folds(cv: Any, n_rows: int, repeats: int, random_state: int | None) -> NDArray[np.int16]:
    """The fold that tests each row, one line per repeat; without a seed consecutive stretches of rows.

    >>> draw_folds(2, 5, 1, None).tolist()
    [[0, 0, 0, 1, 1]]
    """
    if not is_number(cv):
        lines = [fold_of(cv if hasattr(cv, "split") else Listed(cv), n_rows)]
    elif random_state is None:
        lines = [KFold(int(cv)).folds(np.empty((n_rows, 0)))]
    else:
        plan = RepeatedKFold(n_splits=int(cv), n_repeats=repeats, random_state=int(random_state))
        lines = [part.folds(np.empty((n_rows, 0))) for part in plan.repeats()]
    return np.stack([line.astype(np.int16) for line in lines])


def how_drawn(cv: Any, repeats: int = 1) -> str:
    """The same in words."""
    if not is_number(cv):
        return f"the splits of a {type(cv).__name__}"
    return f"{cv}-fold cross-validation" + (f", repeated {repeats} times" if repeats > 1 else "")


def is_number(cv: Any) -> bool:
    return isinstance(cv, int | np.integer)
