"""What a report did not check: said in full, so that silence is never taken for a clean bill."""

from collections.abc import Iterator

from glaswerk.facts import Cell, Statement
from glaswerk.figures.labels import listed, short
from glaswerk.model import Model
from glaswerk.table import Kind, TypedTable


def not_checked(
    task: str, table: TypedTable, model: Model | None, candidates: int, groups: Cell = None, time: Cell = None
) -> Statement:
    """Sentences on what the numbers cannot know."""
    return Statement("What was not checked", tuple(limits(task, table, model, candidates, groups, time)))


def limits(
    task: str, table: TypedTable, model: Model | None, candidates: int, groups: Cell, time: Cell
) -> Iterator[str]:
    yield independence(groups, time) or (
        "Whether rows are independent. Several rows of one person, machine or day, or rows in order of time, make "
        "every error here look smaller than it will be."
    )
    yield (
        "Whether every column is known at the moment a prediction is needed. One that is filled in afterwards leaks "
        "the answer."
    )
    yield "Whether rows to come are like these. Outside their range nothing was tested."
    dates = [column.name for column in table.columns if column.kind == Kind.DATE]
    if dates and time is None:
        yield f"Whether the past predicts the future: folds were shuffled, and the table has dates ({listed(dates)})."
    if model is not None and model.design_.aside_:
        yield f"What the columns set aside could have told: {listed([name for name, _ in model.design_.aside_])}."
    if any(column.missing().any() for column in table.columns):
        yield "Why cells are missing. They were filled by averages and marked; a reason behind the gaps would matter."
    if candidates > 2:
        yield "The price of choosing: the best candidate was chosen and judged on the same folds, which flatters it."
    if task == "regression":
        yield "Single rows that pull at the fit, and errors in the target itself."
    else:
        yield "Whether stated probabilities are true to frequency, and what each kind of mistake costs."
    yield "Causes. That columns predict does not mean that changing them would change the target."


def independence(groups: Cell, time: Cell) -> str:
    """What is left to ask where the folds kept to a column; nothing where they kept to none."""
    if time is not None:
        return (
            f"Whether rows are alike for other reasons than {short(str(time))}: folds kept its order, not persons, "
            "machines or places; intervals over a few stretches of time are rough."
        )
    if groups is not None:
        return f"Whether rows of different {short(str(groups))} are independent; folds kept each of them whole."
    return ""
