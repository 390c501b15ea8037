"""Permutation importance: one row per column, what is lost without it, with its interval."""

from glaswerk.facts import Importance, Important
from glaswerk.figures.figure import Figure
from glaswerk.figures.intervals import Row, interval_plot
from glaswerk.figures.labels import counted, short
from glaswerk.figures.parts import finite
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import said

MOST = 30


@figures_of.register
def draw_importance(fact: Importance) -> tuple[Figure, ...]:
    """Columns by what is lost without them, groups of columns that move together below."""
    known = [row for row in fact.rows if finite([row.loss])]
    if not known:
        return ()
    drawn = [*known[:MOST], *fact.groups[:5]]
    first = known[0]
    needed = sum(_sure(row) for row in known)
    rest = len(known) - len(known[:MOST])
    return (
        Figure(
            name="importance",
            title=f"What {short(fact.candidate)} loses when a column is shuffled",
            alt=f"{counted(len(known), 'column')} by how much worse {short(fact.metric)} gets when it is shuffled: "
            f"most with {short(first.name)}, {_with_interval(first)}; {needed} intervals lie above zero.",
            spec=interval_plot([_row(row) for row in drawn], f"{fact.metric} worse by", rule=0.0),
            table=fact.table(),
            note=" ".join(
                [
                    "On rows outside the fit. A hollow dot's interval reaches zero: the model does as well without.",
                    *(["Names joined by + are shuffled together."] if fact.groups else []),
                    *([f"The {rest} least important are in the table only."] if rest else []),
                ]
            ),
        ),
    )


def _row(row: Important) -> Row:
    return Row(row.name, row.loss, row.lower, row.upper, _sure(row), f"{short(row.name)}\n{_with_interval(row)}")


def _sure(row: Important) -> bool:
    return row.lower is not None and row.lower > 0


def _with_interval(row: Important) -> str:
    limits = f" ({said(row.lower)} to {said(row.upper)})" if row.lower is not None and row.upper is not None else ""
    return said(row.loss) + limits
