"""The plan of a validation: which rows are tested in which fold of which repeat, and why so.

All candidates are judged on the same folds. Classes are spread evenly over the folds, groups are never cut, other rows
are shuffled. Rows of weight zero are no rows: no fold holds them.
"""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from glaswerk.evaluate.problem import Problem, class_codes, times_of
from glaswerk.scoring import RepeatedKFold, RepeatedStratifiedKFold
from glaswerk.scoring.inputs import Ints, check_whole_number

LEAST_TEST_ROWS = 2


class Round(NamedTuple):
    """One fold of one repeat."""

    repeat: int
    fold: int
    train: Ints
    test: Ints


@dataclass(frozen=True, eq=False)
class Plan:
    """`fold_of_row` is (repeats, n): the fold that tests the row, -1 for rows that no fold tests.

    `moment` is there for rows in order of time: (n,) the place of each row's time, -1 for rows that do not count.
    """

    fold_of_row: Ints
    n_folds: int
    stratified: bool
    says: str
    notes: tuple[str, ...]
    moment: Ints | None = None

    def rounds(self) -> list[Round]:
        """All folds of the first repeat, then of the second, …; in order of time each fold after its past."""
        if self.moment is not None:
            tests = [np.flatnonzero(self.fold_of_row[0] == fold) for fold in range(self.n_folds)]
            moment = self.moment
            pasts = [np.flatnonzero((moment < moment[test].min()) & (moment >= 0)) for test in tests]
            return [Round(0, fold, past, test) for fold, (past, test) in enumerate(zip(pasts, tests, strict=True))]
        return [
            Round(repeat, fold, np.flatnonzero((folds != fold) & (folds >= 0)), np.flatnonzero(folds == fold))
            for repeat, folds in enumerate(self.fold_of_row)
            for fold in range(self.n_folds)
        ]


def plan_folds(problem: Problem, folds: int, repeats: int, seed: int) -> Plan:
    """Folds for these rows: as many as asked for, fewer where rows, groups or the rarer of two classes are few."""
    check_whole_number("folds", folds, at_least=2)
    check_whole_number("repeats", repeats, at_least=1)
    check_whole_number("seed", seed, at_least=0)
    rows = np.flatnonzero(problem.weight > 0) if problem.weight.size else np.arange(problem.n_rows)
    if times_of(problem) is not None:
        return in_order_of_time(problem, rows, folds, repeats)
    possible, because = most_folds(problem, rows)
    k = min(folds, possible)
    numbers = np.full((repeats, problem.n_rows), -1, dtype=np.int64)
    numbers[:, rows] = drawn_folds(problem, rows, k, repeats, seed)
    notes = [f"{k} folds instead of {folds}: {because}"] if k < folds else []
    notes += rare_classes(problem, rows, k)
    return Plan(numbers, k, is_stratified(problem), in_words(problem, k, repeats, seed), tuple(notes))


def in_order_of_time(problem: Problem, rows: Ints, folds: int, repeats: int) -> Plan:
    """Each fold tests the stretch that follows its training rows; rows of one moment are never parted.

    The first stretch, as long as the others, is only trained on. Groups are not looked at: order goes before.
    """
    times = times_of(problem)
    assert times is not None
    _, moment = np.unique(times[rows], return_inverse=True)
    sizes = np.bincount(moment)
    k = min(folds, len(sizes) - 1, len(rows) // LEAST_TEST_ROWS - 1)
    if k < 2:
        raise ValueError(
            f"validation of {problem.target!r} in order of time needs three stretches: there are {len(sizes)} moments"
        )
    before = np.cumsum(sizes) - sizes  # rows earlier than each moment
    stretch = np.minimum(before * (k + 1) // len(rows), k)
    _, stretch = np.unique(stretch, return_inverse=True)
    k_found = int(stretch.max())
    if k_found < 2:
        raise ValueError(f"validation of {problem.target!r} in order of time: too many rows share one moment")
    fold, place = np.full((1, problem.n_rows), -1, dtype=np.int64), np.full(problem.n_rows, -1, dtype=np.int64)
    fold[0, rows], place[rows] = stretch[moment] - 1, moment
    notes = ["the first stretch of time is trained on and not tested", "folds grow with time, so intervals are rough"]
    notes += [f"{k_found} folds instead of {folds}: moments or rows are too few"] if k_found < folds else []
    notes += ["one repeat: time has one order"] if repeats > 1 else []
    notes += ["groups are not kept together: order of time goes before"] if problem.groups is not None else []
    return Plan(fold, k_found, False, f"{k_found} folds in order of time, trained on the past", tuple(notes), place)


def is_stratified(problem: Problem) -> bool:
    """Whether classes are spread evenly over the folds; groups come first, for they must not be cut."""
    return problem.task == "classification" and problem.groups is None


def most_folds(problem: Problem, rows: Ints) -> tuple[int, str]:
    """The largest number of folds these rows allow, and what limits it; ValueError where it is below two."""
    limits = [(len(rows) // LEAST_TEST_ROWS, f"each fold should test {LEAST_TEST_ROWS} of the {len(rows)} rows")]
    if problem.groups is not None:
        n_groups = len(np.unique(problem.groups[rows]))
        limits.append((n_groups, f"there are {n_groups} groups"))
    if problem.task == "classification":
        limits.append(class_limit(problem, rows))
    possible, because = min(limits, key=lambda limit: limit[0])
    if possible < 2:
        raise ValueError(f"cross-validation of {problem.target!r} needs two folds: {because}")
    return possible, because


def class_limit(problem: Problem, rows: Ints) -> tuple[int, str]:
    """Two classes must both be in every fold; with more classes only a target without variety is refused."""
    names, sizes = np.unique(problem.truth[rows], return_counts=True)
    rare = int(np.argmin(sizes))
    if len(names) == 1:
        return 1, f"all {len(rows)} rows are of class {str(names[0])!r}"
    if len(names) > 2:
        return int(sizes.max()), f"the largest class has {sizes.max()} rows"
    return int(sizes[rare]), f"class {str(names[rare])!r} has {sizes[rare]} row(s)"


def drawn_folds(problem: Problem, rows: Ints, k: int, repeats: int, seed: int) -> Ints:
    """(repeats, rows) fold numbers."""
    if problem.groups is not None:
        _, group = np.unique(problem.groups[rows], return_inverse=True)
        splitter = RepeatedKFold(n_splits=k, n_repeats=repeats, random_state=seed)
        return np.stack([one.folds(np.arange(group.max() + 1))[group] for one in splitter.repeats()])
    if problem.task == "regression":
        splitter = RepeatedKFold(n_splits=k, n_repeats=repeats, random_state=seed)
        return np.stack([one.folds(rows) for one in splitter.repeats()])
    codes = class_codes(problem.truth[rows], problem.classes)
    stratified = RepeatedStratifiedKFold(n_splits=k, n_repeats=repeats, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rare classes are told in the notes
        return np.stack([one.folds(rows, codes) for one in stratified.repeats()])


def rare_classes(problem: Problem, rows: Ints, k: int) -> list[str]:
    """A note on classes that some folds test without, or train without."""
    if problem.task == "regression":
        return []
    names, sizes = np.unique(problem.truth[rows], return_counts=True)
    rare = [f"{name!s} ({size})" for name, size in zip(names, sizes, strict=True) if size < k]
    return [f"classes with fewer rows than folds, not tested in every fold: {', '.join(rare)}"] if rare else []


def in_words(problem: Problem, k: int, repeats: int, seed: int) -> str:
    kind = "grouped " if problem.groups is not None else "stratified " if is_stratified(problem) else "shuffled "
    often = "" if repeats == 1 else f", repeated {repeats} times"
    return f"{kind}{k}-fold cross-validation{often} (seed {seed})"
