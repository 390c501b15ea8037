"""Splitters for cross-validation: which rows to train on and which to test on, in rounds.

All of them are deterministic: equal parameters and equal rows give equal splits. `random_state` is a whole number; a
fresh random split at every call cannot be asked for, because it cannot be repeated. All can be given as `cv=` to
scikit-learn. When to use which:

    KFold, RepeatedKFold                      rows that know nothing of each other
    StratifiedKFold, RepeatedStratifiedKFold  the same with classes, above all rare ones
    GroupKFold                                several rows per patient, customer, day: no group in two folds
    TimeSeriesSplit                           rows in order of time: train on the past only
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glaswerk.scoring.folds import derived_seeds, each_fold, even_folds, group_folds, row_order, stratified_folds
from glaswerk.scoring.inputs import Ints, check_choice, check_same_rows, check_whole_number, class_column, label_column

Splits = Iterator[tuple[Ints, Ints]]


def check_shuffling(shuffle: bool, random_state: int | None) -> None:
    """`shuffle` and a seed come together or not at all."""
    check_choice("shuffle", shuffle, (True, False))
    if shuffle:
        check_whole_number("random_state (with shuffle=True)", random_state, at_least=0)
    elif random_state is not None:
        raise ValueError(f"random_state must be None with shuffle=False, where it has no effect; came {random_state!r}")


def check_enough_rows(n_splits: int, n_rows: int, what: str = "rows") -> None:
    if n_splits > n_rows:
        raise ValueError(f"n_splits must not exceed the number of {what}, {n_rows}; came {n_splits}")


def column_for_rows(name: str, values: ArrayLike | None, X: Any, splitter: object) -> ArrayLike:
    """A column that the splitter cannot do without, checked to be as long as X."""
    if values is None:
        raise ValueError(f"{name} must be given to {type(splitter).__name__}.split; came None")
    check_same_rows(X=X, **{name: values})
    return values


@dataclass(frozen=True)
class Partition(ABC):
    """Interface: every row is in exactly one test set, and is trained on in all other rounds."""

    n_splits: int = 5

    def __post_init__(self) -> None:
        check_whole_number("n_splits", self.n_splits, at_least=2)

    @abstractmethod
    def folds(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ints:
        """The number of the fold, 0 … n_splits - 1, in which each row is tested."""

    def split(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Splits:
        """(train, test) row numbers of each round."""
        return each_fold(self.folds(X, y, groups), self.n_splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits


@dataclass(frozen=True)
class KFold(Partition):
    """k folds of equal size (the first n mod k hold one row more), in row order or shuffled.

    Without `shuffle` a fold is a stretch of neighbouring rows: right for rows in no order, wrong for a sorted table.

    >>> [test.tolist() for train, test in KFold(3).split([10, 11, 12, 13])]
    [[0, 1], [2], [3]]
    """

    shuffle: bool = field(default=False, kw_only=True)
    random_state: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shuffling(self.shuffle, self.random_state)

    def folds(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ints:
        n_rows = check_same_rows(X=X, y=y, groups=groups)
        check_enough_rows(self.n_splits, n_rows)
        return even_folds(row_order(n_rows, self.random_state), self.n_splits)


@dataclass(frozen=True)
class StratifiedKFold(Partition):
    """k folds, each with its share of every class: counts per class, and fold sizes, differ by one row at most.

    Warns when a class has fewer rows than there are folds: some folds then test without it.

    >>> [test.tolist() for train, test in StratifiedKFold(2).split([0] * 6, ["a", "a", "a", "a", "b", "b"])]
    [[0, 1, 4], [2, 3, 5]]
    """

    shuffle: bool = field(default=False, kw_only=True)
    random_state: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shuffling(self.shuffle, self.random_state)

    def folds(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ints:
        labels = class_column("y", column_for_rows("y", y, X, self))
        self.check_class_sizes(labels)
        return stratified_folds(labels, row_order(len(labels), self.random_state), self.n_splits)

    def check_class_sizes(self, labels: NDArray[Any]) -> None:
        classes, sizes = np.unique(labels, return_counts=True)
        check_enough_rows(self.n_splits, int(sizes.max()), "rows of the largest class in y")
        if sizes.min() < self.n_splits:
            rare = classes[np.argmin(sizes)]
            message = f"class {rare!s} of y has {sizes.min()} row(s), fewer than n_splits={self.n_splits}"
            warnings.warn(message, UserWarning, stacklevel=4)


@dataclass(frozen=True)
class GroupKFold(Partition):
    """k folds of whole groups, as equal in rows as handing out the largest group first makes them.

    >>> [test.tolist() for train, test in GroupKFold(2).split([0] * 5, groups=["x", "y", "x", "z", "x"])]
    [[0, 2, 4], [1, 3]]
    """

    def folds(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ints:
        labels = label_column("groups", column_for_rows("groups", groups, X, self))
        check_enough_rows(self.n_splits, len(np.unique(labels)), "groups")
        return group_folds(labels, self.n_splits)


@dataclass(frozen=True, kw_only=True)
class Repeated(ABC):
    """Interface: the same partition drawn again and again, from seeds derived from one.

    More repeats continue the same sequence: the first ten of a hundred are the ten.
    """

    n_splits: int = 5
    n_repeats: int = 10
    random_state: int = 0

    def __post_init__(self) -> None:
        check_whole_number("n_splits", self.n_splits, at_least=2)
        check_whole_number("n_repeats", self.n_repeats, at_least=1)
        check_whole_number("random_state", self.random_state, at_least=0)

    @abstractmethod
    def one_repeat(self, seed: int) -> Partition:
        """The partition drawn with this seed."""

    def repeats(self) -> list[Partition]:
        """One shuffled partition per repeat."""
        return [self.one_repeat(seed) for seed in derived_seeds(self.random_state, self.n_repeats)]

    def split(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Splits:
        """(train, test) row numbers: all folds of the first repeat, then of the second, …"""
        return chain.from_iterable(repeat.split(X, y, groups) for repeat in self.repeats())

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits * self.n_repeats


@dataclass(frozen=True, kw_only=True)
class RepeatedKFold(Repeated):
    """Shuffled k-fold, repeated: averages over the luck of one shuffle.

    `RepeatedKFold(n_splits=10, n_repeats=100)` gives the 1000 errors of Nan's assignment.

    >>> RepeatedKFold(n_splits=10, n_repeats=100).get_n_splits()
    1000
    """

    def one_repeat(self, seed: int) -> KFold:
        return KFold(self.n_splits, shuffle=True, random_state=seed)


@dataclass(frozen=True, kw_only=True)
class RepeatedStratifiedKFold(Repeated):
    """Shuffled stratified k-fold, repeated."""

    def one_repeat(self, seed: int) -> StratifiedKFold:
        return StratifiedKFold(self.n_splits, shuffle=True, random_state=seed)


@dataclass(frozen=True)
class TimeSeriesSplit:
    """Train on the past, test on the stretch that follows it; the next round starts later.

    The tests are the last `n_splits` stretches of `test_size` rows (n // (n_splits + 1) if None). `gap` rows between
    train and test are left out, `max_train_size` forgets the distant past. Rows must be in order of time.

    >>> [(train.tolist(), test.tolist()) for train, test in TimeSeriesSplit(2).split([0] * 6)]
    [([0, 1], [2, 3]), ([0, 1, 2, 3], [4, 5])]
    """

    n_splits: int = 5
    max_train_size: int | None = field(default=None, kw_only=True)
    test_size: int | None = field(default=None, kw_only=True)
    gap: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        check_whole_number("n_splits", self.n_splits, at_least=2)
        check_whole_number("gap", self.gap, at_least=0)
        for name in ("max_train_size", "test_size"):
            if getattr(self, name) is not None:
                check_whole_number(f"{name} (if not None)", getattr(self, name), at_least=1)

    def split(self, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Splits:
        """(train, test) row numbers of each round."""
        n_rows = check_same_rows(X=X, y=y, groups=groups)
        test_size = self.test_size or n_rows // (self.n_splits + 1)
        first_test = n_rows - self.n_splits * test_size
        if test_size == 0 or first_test - self.gap < 1:
            raise ValueError(
                f"n_splits, test_size and gap must leave a row to train on; {n_rows} rows do not hold "
                f"{self.n_splits} tests of {max(test_size, 1)} row(s) and a gap of {self.gap}"
            )
        return self.rounds(range(first_test, n_rows, test_size), test_size)

    def rounds(self, test_starts: range, test_size: int) -> Splits:
        for start in test_starts:
            train_end = start - self.gap
            train_start = 0 if self.max_train_size is None else max(0, train_end - self.max_train_size)
            yield np.arange(train_start, train_end), np.arange(start, start + test_size)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits


def fold_of(splitter: Any, n_rows: int, y: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ints:
    """The number of the test set that each row is in, for any splitter whose test sets partition the rows.

    Turns a splitter, scikit-learn's included, into what one-pass statistics by fold need. Refused are splitters that
    test a row twice or never, or that train on anything but all other rows.

    >>> fold_of(KFold(2), 5).tolist()
    [0, 0, 0, 1, 1]
    """
    folds = np.full(n_rows, -1, dtype=np.int64)
    for number, (train, test) in enumerate(splitter.split(np.empty((n_rows, 0)), y, groups)):
        again = test[folds[test] >= 0]
        if len(again):
            raise ValueError(f"splitter must test each row once; {splitter!r} tests row {again[0]} again")
        folds[test] = number
        if len(train) + np.count_nonzero(folds == number) != n_rows:
            raise ValueError(f"splitter must train on all rows it does not test; {splitter!r} leaves out some")
    if (folds < 0).any():
        raise ValueError(f"splitter must test each row once; {splitter!r} never tests row {int(np.argmin(folds))}")
    return folds
