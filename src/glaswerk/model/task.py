"""What kind of question a target column asks: a number (regression) or a class (classification), and why."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.table import TableError
from glaswerk.table.errors import shown

if TYPE_CHECKING:
    from glaswerk.table import Column

MOST_NUMBERED_CLASSES = 30
NUMBER = re.compile(r"\W*[-+]?\d+([.,]\d+)*\W*")
AFFIRMATIVE = ("true", "yes", "y", "t", "1", "positive", "pos", "ja", "wahr")
ADVICE = {
    "text": "free text, which is neither a number nor one of a few classes",
    "identifier": "an identifier: every row has its own value, so that nothing can be learnt from other rows",
    "date": "a date: predict a number made from it, such as the days until it",
}


@storable("Task")
@dataclass(frozen=True)
class Task:
    """The question, and in words why it was read this way and how to have it otherwise.

    classes are text, in the order of the column's levels (numbers: by size); positive is set where there are two.
    """

    name: Literal["regression", "classification"]
    target: str
    classes: tuple[str, ...]
    positive: str | None
    reason: str
    hint: str

    def check(self) -> None:
        if self.name not in ("regression", "classification"):
            raise ValueError("a task is a regression or a classification")
        if (self.name == "regression") != (not self.classes) or self.positive not in (None, *self.classes):
            raise ValueError("classes belong to a classification, and positive is one of them")

    def truth(self, column: "Column") -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The target as numbers or as names of classes, and which rows lack it."""
        missing = column.missing()
        if self.name == "regression":
            return column.numbers(), missing
        words = np.array(_words(column)[1] or ("",))
        return words[np.where(missing, 0, _words(column)[0])], missing


def decide_task(column: "Column", task: str | None = None, positive: str | None = None) -> Task:
    """Read the question off a target column, or check that the declared `task` can be asked of it.

    Numbers with more than two values are a regression; flags, categories, ordered levels and two-valued numbers a
    classification. Of two classes `positive` is the declared one, else the one that says yes, else the rarer.

    >>> from glaswerk import table
    >>> decide_task(table.read_table({"won": ["no", "no", "yes"]})["won"]).positive
    'yes'
    """
    if task not in (None, "regression", "classification"):
        raise ValueError(f"task must be 'regression' or 'classification' or None, got {task!r}")
    kind, name = str(column.kind), shown(column.name)
    if column.missing().all():
        raise TableError(f"target {name} has no value in any of {len(column)} rows: nothing can be learnt")
    if kind in ADVICE:
        _refuse(column, f"it is read as {ADVICE[kind]}")
    if kind == "number":
        return _numeric_task(column, task, positive)
    if task == "regression":
        _refuse(column, f"a regression needs numbers, and it is read as {kind}, such as {shown(_example(column))}")
    codes, words = _words(column)
    return _classification(column, codes, words, positive, f"{name} is read as {kind}", _hint_of_numbers(column, words))


def _numeric_task(column: "Column", task: str | None, positive: str | None) -> Task:
    name = shown(column.name)
    distinct = np.unique(column.numbers()[~column.missing()])
    whole = bool((distinct == np.round(distinct)).all()) and len(distinct) <= MOST_NUMBERED_CLASSES
    if len(distinct) == 1 and task != "classification":
        raise TableError(f"target {name} is {distinct[0]:g} in every row: there is nothing to tell apart")
    if task == "regression" or (task is None and len(distinct) > 2):
        if positive is not None:
            raise ValueError(f"positive={positive!r} names a class, and target {name} is a number to predict")
        hint = f"task='classification' makes each of its {len(distinct)} values a class" if whole else ""
        reason = f"{name} holds {len(distinct)} different numbers: a number is predicted"
        return Task("regression", column.name, (), None, reason, hint)
    if len(distinct) > 2 and not whole:
        raise TableError(
            f"target {name} holds {len(distinct)} different numbers: a classification takes at most "
            f"{MOST_NUMBERED_CLASSES} whole ones; cut them into classes first, or ask for task='regression'"
        )
    codes, words = _words(column)
    reason = f"{name} holds {len(distinct)} different numbers, each a class"
    return _classification(column, codes, words, positive, reason, "task='regression' predicts it as a number")


def _classification(
    column: "Column", codes: NDArray[np.int64], words: tuple[str, ...], positive: str | None, reason: str, hint: str
) -> Task:
    counts = np.bincount(codes[codes >= 0], minlength=len(words))
    classes = tuple(word for word, count in zip(words, counts, strict=True) if count)
    name = shown(column.name)
    if len(classes) < 2:
        raise TableError(f"target {name} is {shown(classes[0])} in every row: there is nothing to tell apart")
    if positive is not None and (str(positive) not in classes or len(classes) > 2):
        allowed = "one of the two classes" if len(classes) == 2 else "None with more than two classes"
        listed = ", ".join(shown(c) for c in classes[:10])
        raise ValueError(f"positive must be {allowed} of {name} ({listed}), got {positive!r}")
    reason = f"{reason}, {len(classes)} classes"
    if len(classes) > 2:
        return Task("classification", column.name, classes, None, reason, hint)
    chosen, why = _positive(classes, {w: int(n) for w, n in zip(words, counts, strict=True)}, positive)
    other = classes[classes[0] == chosen]
    turn = f"positive={shown(other)} asks for the other class"
    reason = f"{reason}; {shown(chosen)} counts as positive because {why}"
    return Task("classification", column.name, classes, chosen, reason, f"{hint}; {turn}" if hint else turn)


def _positive(classes: tuple[str, ...], counts: dict[str, int], declared: str | None) -> tuple[str, str]:
    """The positive one of two classes, and why."""
    if declared is not None:
        return str(declared), "it was declared"
    saying_yes = [c for c in classes if c.strip().casefold() in AFFIRMATIVE]
    if len(saying_yes) == 1:
        return saying_yes[0], "it says yes"
    first, second = classes
    if counts[first] == counts[second]:
        return second, "it comes last (both are equally frequent)"
    return (first if counts[first] < counts[second] else second), "it is the rarer one"


def _words(column: "Column") -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """The cells as indices into names of classes, -1 where missing; numbers by size."""
    if str(column.kind) != "number":
        return column.codes(), column.distinct_levels()
    numbers, missing = column.numbers(), column.missing()
    distinct, places = np.unique(numbers[~missing], return_inverse=True)
    codes = np.full(len(numbers), -1, dtype=np.int64)
    codes[~missing] = places
    return codes, tuple(str(int(v)) if v.is_integer() else repr(v) for v in distinct.tolist())


def _hint_of_numbers(column: "Column", words: tuple[str, ...]) -> str:
    """How to predict a number where most of the classes look like numbers."""
    found = sum(bool(NUMBER.fullmatch(word)) for word in words)
    if 2 * found < len(words):
        return ""
    way = f"kinds={{{shown(column.name)}: 'number'}} reads them so"
    return f"{found} of {len(words)} classes are written as numbers: {way}"


def _example(column: "Column") -> str:
    codes, words = _words(column)
    return words[codes[int(np.argmax(codes >= 0))]]


def _refuse(column: "Column", why: str) -> NoReturn:
    name = shown(column.name)
    way = f"read the table with kinds={{{name}: 'number'}} (cells that are no numbers then count as missing)"
    raise TableError(f"target {name} cannot be predicted: {why}. If it holds numbers, {way}; if classes, 'category'")
