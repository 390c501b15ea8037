"""Segments: the error of rows that share a value, beside the error of all rows."""

from glaswerk.facts import Segments
from glaswerk.figures.figure import Figure
from glaswerk.figures.intervals import Row, interval_plot
from glaswerk.figures.labels import counted, short
from glaswerk.figures.parts import finite
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import said


@figures_of.register
def draw_segments(fact: Segments) -> tuple[Figure, ...]:
    """One row per segment, the dashed rule at the error of all rows."""
    known = [row for row in fact.rows if finite([row.score])]
    if not known:
        return ()
    first = known[0]
    unlike = sum(row.verdict != "as elsewhere" for row in known)
    rows = [
        Row(
            f"{row.column}: {row.part} ({row.rows:,} rows)", row.score, row.lower, row.upper,
            row.verdict != "as elsewhere", f"{short(row.column)}: {short(row.part)}\n{said(row.score)}, {row.verdict}",
        )
        for row in known
    ]  # fmt: skip
    return (
        Figure(
            name="segments",
            title=f"Where {short(fact.candidate)} is wrong: {short(fact.metric)} by segment",
            alt=f"{counted(len(known), 'segment')} by {short(fact.metric)}, {said(fact.score)} over all rows: first is "
            f"{short(first.column)} {short(first.part, 30)} with {said(first.score)} in {first.rows} rows; {unlike} "
            "differ from the rest beyond chance.",
            spec=interval_plot(rows, f"{fact.metric} out of fold", rule=fact.score),
            table=fact.table(),
            note=f"The dashed rule is the error of all rows; hollow dots are as elsewhere. {fact.tried} segments were "
            f"tried, and the {100 * fact.level:g} % intervals allow for all of them.",
        ),
    )
