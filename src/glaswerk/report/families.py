"""The families of models that a report compares: one row each, with the condition under which it takes part.

A new learner joins every report by one line in `FAMILIES`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from glaswerk import learners
from glaswerk.design import PolynomialBasis
from glaswerk.learners import LinearRegression
from glaswerk.model import Model, TableDesign

ROWS_PER_TERM = 10  # of a basis, so that its coefficients are worth estimating


@dataclass(frozen=True)
class Room:
    """What a family may take into account before it takes part: never the target's values."""

    rows: int
    numbers: int  # numeric input columns


@dataclass(frozen=True)
class Family:
    """A kind of model: `build` gives it unfitted; `refuses` says why it does not take part, or nothing."""

    name: str
    task: str
    says: str
    build: Callable[[], Any]
    refuses: Callable[[Room], str] = lambda _: ""


def linear() -> Model:
    return Model(LinearRegression(), TableDesign())


def quadratic() -> Model:
    return Model(LinearRegression(), TableDesign(basis=PolynomialBasis(2)))


def logistic() -> Model:
    return Model(learners.LogisticRegression(), TableDesign())


def too_few_rows_for_squares(room: Room) -> str:
    terms = room.numbers * (room.numbers + 3) // 2
    if room.numbers == 0:
        return "there is no numeric column to square"
    if terms * ROWS_PER_TERM > room.rows:
        return f"{terms} terms need {terms * ROWS_PER_TERM:,} rows, ten for each; there are {room.rows:,}"
    return ""


FAMILIES = (
    Family(
        "linear regression", "regression", "a weighted sum of the columns, by least squares", linear,
    ),
    Family(
        "quadratic regression", "regression", "the same with squares and products of the numeric columns", quadratic,
        too_few_rows_for_squares,
    ),
    Family(
        "logistic regression", "classification", "log odds that are weighted sums of the columns", logistic,
        lambda _: "" if hasattr(learners, "LogisticRegression") else "this version does not have it yet",
    ),
)  # fmt: skip


def candidates_for(task: str, room: Room) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The models to compare, by name, and a sentence for each family of the task: what it is, or why it is missing."""
    found: dict[str, Any] = {}
    said = []
    for family in FAMILIES:
        if family.task != task:
            continue
        reason = family.refuses(room)
        if reason:
            said.append(f"{family.name} was left out: {reason}.")
        else:
            found[family.name] = family.build()
            said.append(f"{family.name}: {family.says}.")
    return found, tuple(said)
