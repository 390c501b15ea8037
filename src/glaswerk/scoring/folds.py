"""Fold numbers: which fold each row belongs to. Every partitioning splitter is one of these functions.

A fold number per row is the whole truth about a split; index arrays are read off it by `each_fold`. Statistics that add
are summed by fold number in one pass over the rows, so cross-validation needs no second one.

Cost: one sort of the rows at most.
"""

import heapq
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.scoring.inputs import Ints


def shuffled_order(n_rows: int, random_state: int) -> Ints:
    """The rows 0 … n - 1 in random order, the same order for the same seed on every machine.

    A random key per row, then a sort: NumPy promises the bits of PCG64 for ever, but not what
    `Generator.permutation` makes of them.
    """
    keys = np.random.PCG64(int(random_state)).random_raw(n_rows)
    return np.argsort(keys, kind="stable")


def derived_seeds(random_state: int, how_many: int) -> list[int]:
    """Independent seeds from one; asking for more of them leaves the first unchanged."""
    seeds: list[int] = np.random.SeedSequence(int(random_state)).generate_state(how_many, np.uint64).tolist()
    return seeds


def row_order(n_rows: int, random_state: int | None) -> Ints:
    """Shuffled when there is a seed, as they come when there is none."""
    return np.arange(n_rows) if random_state is None else shuffled_order(n_rows, random_state)


def even_folds(order: Ints, n_splits: int) -> Ints:
    """Cut the order into stretches of equal length; the first n mod k folds hold one row more."""
    sizes = [len(stretch) for stretch in np.array_split(order, n_splits)]
    folds = np.empty_like(order)
    folds[order] = np.repeat(np.arange(n_splits), sizes)
    return folds


def stratified_folds(labels: NDArray[Any], order: Ints, n_splits: int) -> Ints:
    """Deal the rows to the folds like cards, class after class without stopping in between.

    So every class, and the whole, is spread with a difference of at most one row. Within a class the fold numbers are
    then sorted along the order: rows that come together stay together, as in `even_folds`.
    """
    codes = codes_by_appearance(labels)
    by_class = order[np.argsort(codes[order], kind="stable")]
    dealt = np.arange(len(order)) % n_splits
    folds = np.empty_like(order)
    folds[by_class] = dealt[np.lexsort((dealt, codes[by_class]))]
    return folds


def codes_by_appearance(labels: NDArray[Any]) -> Ints:
    """0 for the label that comes first in the rows, 1 for the next new one: names of classes then do not matter."""
    _, first_row, codes = np.unique(labels, return_index=True, return_inverse=True)
    appearance = np.empty_like(first_row)
    appearance[np.argsort(first_row)] = np.arange(len(first_row))
    return appearance[codes]


def group_folds(groups: NDArray[Any], n_splits: int) -> Ints:
    """Whole groups to folds, the largest group first, each to the fold that has the fewest rows so far."""
    _, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    fold_of_group = np.empty(len(sizes), dtype=np.int64)
    rows_and_fold = [(0, fold) for fold in range(n_splits)]
    # Of equally large groups the last name goes first, as in scikit-learn: both then give the same folds.
    for group in np.argsort(sizes, kind="stable")[::-1]:
        rows, lightest = rows_and_fold[0]
        fold_of_group[group] = lightest
        heapq.heapreplace(rows_and_fold, (rows + int(sizes[group]), lightest))
    return fold_of_group[codes]


def each_fold(folds: Ints, n_splits: int) -> Iterator[tuple[Ints, Ints]]:
    """(train, test) row numbers, ascending: each fold is the test set once."""
    for fold in range(n_splits):
        yield np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
