"""When a tree stops growing: scikit-learn's limits, turned from shares into counts."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

NO_LIMIT = 2**31 - 1
EXACT_LEVELS = 10  # up to so many levels all pairs of sets are tried where an order does not decide
LOOKED_FOR = 4096  # rows of a table up to which ties are looked for in every node
SMALL = 16  # rows of a node in which, in larger tables, the search ends at a cut that leaves nothing to gain


@dataclass(frozen=True)
class Limits:
    """Whole numbers and weights that stop the growth; `multiway`: one child per level instead of two sets."""

    max_depth: int
    min_split: int
    min_leaf: int
    min_leaf_weight: float
    max_features: int
    max_leaves: int | None
    min_decrease: float
    multiway: bool
    small: int

    @classmethod
    def of(cls, model: Any, n_rows: int, weight: float, n_columns: int) -> "Limits":
        return cls(
            NO_LIMIT if model.max_depth is None else int(model.max_depth),
            max(2, _count(model.min_samples_split, n_rows)),
            max(1, _count(model.min_samples_leaf, n_rows)),
            model.min_weight_fraction_leaf * weight,
            columns_drawn(model.max_features, n_columns),
            model.max_leaf_nodes,
            float(model.min_impurity_decrease),
            model.categorical_splits == "levels",
            SMALL if n_rows > LOOKED_FOR else 0,
        )

    def real(self, unit: float, weight: float, tolerance: float) -> np.ndarray:
        least_gain = self.min_decrease * weight * unit * (1 - 1e-12)
        return np.array([self.min_leaf_weight * (1 - 1e-12), least_gain, tolerance])


def _count(limit: float, n_rows: int) -> int:
    return math.ceil(limit * n_rows) if isinstance(limit, float | np.floating) else int(limit)


def columns_drawn(asked: Any, n_columns: int) -> int:
    """How many columns a node looks at."""
    if asked is None:
        return n_columns
    if isinstance(asked, str):
        return max(1, int(math.sqrt(n_columns) if asked == "sqrt" else math.log2(n_columns)))
    if isinstance(asked, float | np.floating):
        return max(1, int(asked * n_columns))
    return min(int(asked), n_columns)
