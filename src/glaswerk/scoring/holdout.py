"""One split instead of rounds: train and test, or train, validation and test.

Fit on the train rows, choose between models on the validation rows, judge the chosen one on the test rows *once*. With
few rows use cross-validation (`glaswerk.scoring.splits`) instead: a small test set judges by luck.

Deterministic: the default `random_state` is 0, and None is refused.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from glaswerk.scoring.folds import codes_by_appearance, derived_seeds, row_order, shuffled_order
from glaswerk.scoring.inputs import Floats, Ints, check_choice, check_same_rows, check_whole_number, class_column

Size = float | int | None

# 0.07 * 100 is 7.000000000000001, which must not round up to 8 rows.
FLOAT_NOISE_DIGITS = 9


def part_size(name: str, size: Size, n_rows: int, to_whole: Callable[[float], int]) -> int:
    """Rows in a part asked for as a fraction of all rows or as a number of rows."""
    if isinstance(size, Integral) and not isinstance(size, bool) and 1 <= size < n_rows:
        return int(size)
    if isinstance(size, Real) and not isinstance(size, Integral) and 0 < size < 1:
        return to_whole(round(float(size) * n_rows, FLOAT_NOISE_DIGITS))
    raise ValueError(
        f"{name} must be a fraction between 0 and 1 or, with {n_rows} rows, a whole number from 1 to {n_rows - 1}; "
        f"came {size!r}"
    )


def holdout_sizes(n_rows: int, test_size: Size, train_size: Size, default: float) -> tuple[int, int]:
    """Rows in train and test; a part not asked for is the rest of the other. Fractions of a row go to test."""
    if test_size is None and train_size is None:
        test_size = default
    n_test = 0 if test_size is None else part_size("test_size", test_size, n_rows, math.ceil)
    n_train = n_rows - n_test if train_size is None else part_size("train_size", train_size, n_rows, math.floor)
    n_test = n_rows - n_train if test_size is None else n_test
    if min(n_train, n_test) < 1 or n_train + n_test > n_rows:
        raise ValueError(
            f"test_size and train_size must leave at least one row to each and share {n_rows} rows; "
            f"came {test_size!r} and {train_size!r}, which is {n_test} and {n_train} rows"
        )
    return n_train, n_test


def whole_shares(shares: Floats, total: int) -> Ints:
    """Shares that add up to `total`, made whole: rounded down, then the largest remainders get one more."""
    whole = np.floor(np.round(shares, FLOAT_NOISE_DIGITS)).astype(np.int64)
    by_remainder = np.argsort(whole - shares, kind="stable")
    whole[by_remainder[: total - int(whole.sum())]] += 1
    return whole


def rank_among_equals(codes: Ints) -> Ints:
    """How many earlier entries are equal to this one."""
    by_code = np.argsort(codes, kind="stable")
    ranks = np.empty_like(codes)
    ranks[by_code] = np.arange(len(codes)) - np.searchsorted(codes[by_code], codes[by_code])
    return ranks


def draw(order: Ints, n_drawn: int, codes: Ints) -> tuple[Ints, Ints]:
    """The first rows of the order, of each class its share; and the rows that remain.

    Without strata all rows have code 0, and "of each class its share" is simply the first `n_drawn`.
    """
    ordered = codes[order]
    quota = whole_shares(np.bincount(ordered) * n_drawn / len(order), n_drawn)
    drawn = rank_among_equals(ordered) < quota[ordered]
    return order[drawn], order[~drawn]


def strata(stratify: ArrayLike | None, n_rows: int, part_sizes: list[int]) -> Ints:
    """Class codes to stratify by; every class must be able to have a row in each part."""
    if stratify is None:
        return np.zeros(n_rows, dtype=np.int64)
    labels = class_column("stratify", stratify)
    check_same_rows(arrays=range(n_rows), stratify=labels)
    classes, sizes = np.unique(labels, return_counts=True)
    if sizes.min() < len(part_sizes):
        raise ValueError(
            f"stratify must have at least {len(part_sizes)} rows of each class, one per part; "
            f"class {classes[np.argmin(sizes)]} has {sizes.min()}"
        )
    if min(part_sizes) < len(classes):
        raise ValueError(
            f"stratify must not name more classes than the smallest part has rows, {min(part_sizes)}; "
            f"came {len(classes)}"
        )
    return codes_by_appearance(labels)


def take(table: Any, rows: Ints) -> Any:
    """Some rows of a table or column, of the same type as it came; data frames need not be imported for that."""
    if isinstance(table, list | tuple):
        return type(table)([table[row] for row in rows])
    return table.iloc[rows] if hasattr(table, "iloc") else table[rows]


def train_test_split(
    *arrays: Any,
    test_size: Size = None,
    train_size: Size = None,
    random_state: int = 0,
    shuffle: bool = True,
    stratify: ArrayLike | None = None,
) -> list[Any]:
    """Train and test part of each array: `[X_train, X_test, y_train, y_test]` for `(X, y)`.

    Sizes are fractions or numbers of rows; a quarter is for the test by default. Rows come out shuffled, or in their
    order with `shuffle=False`, the test last. `stratify` gives both parts their share of every class, to the row.

    >>> train_test_split([1, 2, 3, 4], shuffle=False)
    [[1, 2, 3], [4]]
    """
    check_choice("shuffle", shuffle, (True, False))
    check_whole_number("random_state", random_state, at_least=0)
    n_rows = check_arrays(arrays)
    n_train, n_test = holdout_sizes(n_rows, test_size, train_size, default=0.25)
    codes = strata(stratify, n_rows, [n_train, n_test])
    train, rest = draw(row_order(n_rows, random_state if shuffle else None), n_train, codes)
    test, _ = draw(rest, n_test, codes)
    return [take(array, part) for array in arrays for part in (train, test)]


def train_validation_test_split(
    *arrays: Any,
    sizes: tuple[float, float, float] = (0.6, 0.2, 0.2),
    random_state: int = 0,
    stratify: ArrayLike | None = None,
) -> list[Any]:
    """Train, validation and test part of each array, shuffled; `sizes` are fractions that add up to one.

    >>> [len(part) for part in train_validation_test_split(list(range(10)))]
    [6, 2, 2]
    """
    check_whole_number("random_state", random_state, at_least=0)
    n_rows = check_arrays(arrays)
    part_sizes = three_sizes(sizes, n_rows)
    codes = strata(stratify, n_rows, part_sizes)
    train, rest = draw(shuffled_order(n_rows, random_state), part_sizes[0], codes)
    validation, test = draw(rest, part_sizes[1], codes)
    return [take(array, part) for array in arrays for part in (train, validation, test)]


def check_arrays(arrays: tuple[Any, ...]) -> int:
    if not arrays:
        raise ValueError("arrays must hold at least one table or column; came none")
    return check_same_rows(**{f"array {position}": array for position, array in enumerate(arrays)})


def three_sizes(sizes: tuple[float, float, float], n_rows: int) -> list[int]:
    """Rows in train, validation and test, adding up to all rows."""
    fractions = np.asarray(sizes, dtype=np.float64)
    if fractions.shape != (3,) or not (fractions > 0).all() or abs(fractions.sum() - 1) > 10**-FLOAT_NOISE_DIGITS:
        raise ValueError(f"sizes must be three positive fractions that add up to 1; came {sizes!r}")
    rows: list[int] = whole_shares(fractions * n_rows, n_rows).tolist()
    if min(rows) < 1:
        raise ValueError(f"sizes must leave at least one row to each part; {n_rows} row(s) come out as {rows}")
    return rows


@dataclass(frozen=True)
class ShuffleSplit:
    """Independent random splits: a row may be tested several times or never. For test sizes that no k gives.

    >>> [len(test) for train, test in ShuffleSplit(3, test_size=0.2).split([0] * 10)]
    [2, 2, 2]
    """

    n_splits: int = 10
    test_size: Size = field(default=None, kw_only=True)
    train_size: Size = field(default=None, kw_only=True)
    random_state: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        check_whole_number("n_splits", self.n_splits, at_least=1)
        check_whole_number("random_state", self.random_state, at_least=0)

    def split(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Iterator[tuple[Ints, Ints]]:
        """(train, test) row numbers of each round, shuffled."""
        n_rows = check_same_rows(X=X, y=y, groups=groups)
        n_train, n_test = holdout_sizes(n_rows, self.test_size, self.train_size, default=0.1)
        orders = (shuffled_order(n_rows, seed) for seed in derived_seeds(self.random_state, self.n_splits))
        return ((order[:n_train], order[n_train : n_train + n_test]) for order in orders)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits
