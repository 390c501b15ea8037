"""Coefficients: dots with their intervals in the column's units, and in standard errors, which share a scale."""

import math

from glaswerk.facts import Coefficient, Coefficients
from glaswerk.figures.figure import Figure
from glaswerk.figures.intervals import Row, interval_plot
from glaswerk.figures.labels import counted, listed, short
from glaswerk.figures.parts import finite, out_of_scale
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import said

MOST = 60
INTERCEPT = "intercept"


@figures_of.register
def draw_coefficients(fact: Coefficients) -> tuple[Figure, ...]:
    """Estimates in their own units, then t, the estimate in standard errors, largest first."""
    known = [row for row in fact.rows if math.isfinite(row.estimate)]
    if not known:
        return ()
    tested = [row for row in known if row.t is not None and math.isfinite(row.t)]
    return (_estimates(fact, known), *((_in_standard_errors(fact, tested),) if tested else ()))


def _estimates(fact: Coefficients, known: list[Coefficient]) -> Figure:
    drawn = _on_one_scale(known)[:MOST]
    left = [row for row in known if row not in drawn]
    percent = f"{100 * fact.level:g} %"
    largest = max(drawn, key=lambda row: abs(row.estimate))
    sure = sum(_excludes_zero(row) for row in drawn)
    has_intervals = any(map(_has_interval, drawn))
    with_intervals = f" with {percent} intervals" if has_intervals else ""
    said_of_intervals = f"; {sure} of {len(drawn)} intervals exclude zero" if has_intervals else ""
    return Figure(
        name="coefficients",
        title=f"Coefficients for {short(fact.target)}{with_intervals}",
        alt=f"{counted(len(drawn), 'coefficient')} for {short(fact.target)} as dots{with_intervals}: the largest is "
        f"that of {short(largest.name)}, {_with_interval(largest)}{said_of_intervals}.",
        spec=interval_plot([_row(row) for row in drawn], "coefficient, change per unit of its column", rule=0.0),
        table=fact.table(),
        note=_note(left),
    )


def _in_standard_errors(fact: Coefficients, tested: list[Coefficient]) -> Figure:
    ranked = sorted(tested, key=lambda row: -abs(row.t or 0.0))[:MOST]
    first = ranked[0]
    rows = [
        Row(
            row.name,
            row.t or 0.0,
            strong=_excludes_zero(row),
            tip=f"{short(row.name)}\nt = {said(row.t)}\np = {said(row.p)}",
        )
        for row in ranked
    ]
    rest = len(tested) - len(ranked)
    return Figure(
        name="coefficients-t",
        title=f"How many standard errors from zero: coefficients for {short(fact.target)}",
        alt=f"{counted(len(ranked), 'coefficient')} for {short(fact.target)} ranked by |t|, the distance from zero in "
        f"standard errors: {short(first.name)} is farthest with t = {said(first.t)}, {short(ranked[-1].name)} nearest "
        f"with t = {said(ranked[-1].t)}.",
        spec=interval_plot(rows, "t, coefficient over its standard error", rule=0.0),
        table=fact.table(),
        note=f"The {rest} nearest to zero are in the table only." if rest else "",
    )


def _on_one_scale(known: list[Coefficient]) -> list[Coefficient]:
    """Without what would flatten the others; the intercept, which is in other units, goes sooner."""
    slopes = [row for row in known if row.name != INTERCEPT]
    beyond = out_of_scale([_reach(row) for row in slopes])
    kept = [row for row, far in zip(slopes, beyond, strict=True) if not far]
    largest = max((_reach(row) for row in kept), default=math.inf)
    return [row for row in known if row in kept or (row.name == INTERCEPT and _reach(row) <= 3 * largest)]


def _row(row: Coefficient) -> Row:
    tip = f"{short(row.name)}\n{_with_interval(row)}"
    return Row(row.name, row.estimate, row.lower, row.upper, _excludes_zero(row), tip)


def _reach(row: Coefficient) -> float:
    return max(abs(v) for v in finite((row.estimate, row.lower, row.upper)))


def _has_interval(row: Coefficient) -> bool:
    return len(finite((row.lower, row.upper))) == 2


def _excludes_zero(row: Coefficient) -> bool:
    """Without an interval nothing is known against a coefficient: it is drawn like the others."""
    if row.lower is None or row.upper is None:
        return True
    return row.lower > 0 or row.upper < 0


def _with_interval(row: Coefficient) -> str:
    return said(row.estimate) + (f" ({said(row.lower)} to {said(row.upper)})" if _has_interval(row) else "")


def _note(left: list[Coefficient]) -> str:
    return (
        f"Not drawn, since their size would flatten the others: {listed([row.name for row in left])}." if left else ""
    )
