"""Partial dependence: the mean answer along a column, and below it how many rows have such a value."""

from glaswerk.facts import Dependence
from glaswerk.figures.figure import Figure
from glaswerk.figures.intervals import Row, interval_plot
from glaswerk.figures.labels import short
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer, numbers, span, ticks_within
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, FAINT, said

HEIGHT = 260
FLOOR = 0.22  # of the height, for the bars of rows


@figures_of.register
def draw_dependence(fact: Dependence) -> tuple[Figure, ...]:
    """A line with the band of four fifths of the single answers, or a dot with its bar for each level."""
    if not finite(fact.mean):
        return ()
    title = f"{short(fact.target)} along {short(fact.column)}, everything else as it is"
    low, high = min(fact.mean), max(fact.mean)
    about = f"Partial dependence of {short(fact.target)} on {short(fact.column)}: the mean answer lies between"
    return (
        Figure(
            name="dependence",
            title=title,
            alt=f"{about} {said(low)} and {said(high)}.",
            spec=_levels(fact) if fact.levels else _line(fact),
            table=fact.table(),
            note="Limits hold four of five single answers; "
            + ("levels as in the table." if fact.levels else "grey bars are the rows with such a value."),
        ),
    )


def _levels(fact: Dependence) -> Spec:
    rows = [
        Row(f"{name} ({count:,} rows)", m, lo, hi, True, f"{short(name)}\n{said(m)}\n{count:,} rows")
        for (name, count), m, lo, hi in zip(fact.levels, fact.mean, fact.lower, fact.upper, strict=True)
    ]
    return interval_plot(rows, fact.target, rule=None)


def _line(fact: Dependence) -> Spec:
    low, high = span([*fact.lower, *fact.upper, *fact.mean])
    floor = low - FLOOR / (1 - FLOOR) * (high - low)
    ends = [edge for a, b, _ in fact.histogram for edge in (a, b)]
    x = numbers("x", fact.column, span([*fact.values, *ends], 0.01), grid=False)
    y = numbers("y", fact.target, (floor, high), values=ticks_within(low, high))
    line: Rows = [
        {"x": v, "y": m, "tip": f"{said(v)}\nmean {said(m)}"} for v, m in zip(fact.values, fact.mean, strict=True)
    ]
    band: Rows = [{"x": v, "y": lo, "y2": hi} for v, lo, hi in zip(fact.values, fact.lower, fact.upper, strict=True)]
    most = max((count for *_, count in fact.histogram), default=1)
    bars: Rows = [
        {
            "x": a, "x2": b, "y": floor, "y2": floor + 0.85 * (low - floor) * count / most,
            "tip": f"{said(a)} to {said(b)}: {count:,} rows",
        }
        for a, b, count in fact.histogram
        if count
    ]  # fmt: skip
    reach = {"y2": {"field": "y2"}}
    return frame(
        [
            layer("rect", bars, {"x": x, "y": y, "x2": {"field": "x2"}, **reach}, color=FAINT, opacity=0.55),
            layer("area", band, {"x": x, "y": y, **reach}, color=BLUE, opacity=0.16),
            layer("line", line, {"x": x, "y": y}, color=BLUE, strokeWidth=2.5, point={"size": 14, "color": BLUE}),
        ],
        HEIGHT,
    )
