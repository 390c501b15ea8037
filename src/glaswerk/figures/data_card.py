"""A data card: one small picture per column, as wide as a table's cell, and where cells are missing."""

from collections.abc import Callable
from datetime import date, timedelta

from glaswerk.facts import ColumnCard, DataCard, Table
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import listed, short, told_apart
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, FAINT, INK, OCHRE, said

SMALL_WIDTH, SMALL_HEIGHT = 160, 60
MOST_LEVELS, MOST_BARS, MOST_MISSING, MOST_COLUMNS = 3, 60, 30, 400
OTHERS = "others"


@figures_of.register
def draw_data_card(fact: DataCard) -> tuple[Figure, ...]:
    """Missing cells first where there are any; then a histogram or the frequent levels of each column, in order."""
    lacking = [column for column in fact.columns if column.missing]
    overview = (_missing(fact, lacking),) if lacking else ()
    columns = (_column(column, k, fact.rows) for k, column in enumerate(fact.columns[:MOST_COLUMNS]))
    return (*overview, *(figure for figure in columns if figure is not None))


def _column(column: ColumnCard, k: int, rows: int) -> Figure | None:
    if column.histogram and sum(count for *_, count in column.histogram):
        return _histogram(column, f"column-{k}")
    return _levels(column, f"column-{k}", rows) if column.levels else None


def _histogram(column: ColumnCard, name: str) -> Figure:
    write = _as_date if column.kind == "date" else said
    bins = _merged(column.histogram)
    low, high = bins[0][0], bins[-1][1]
    most = max(bins, key=lambda b: b[2])
    rows = sum(count for *_, count in bins)
    label = short(column.name)
    return Figure(
        name=name,
        title=f"Distribution of {label}",
        alt=f"Histogram of {label}: {rows} values from {write(low)} to {write(high)}, most ({most[2]}) between "
        f"{write(most[0])} and {write(most[1])}"
        + (f", median {write(column.median)}." if column.median is not None else "."),
        spec=_histogram_spec(bins, write),
        table=Table(
            f"Distribution of {column.name}",
            ("from", "to", "rows"),
            tuple((_as_date(a), _as_date(b), n) if column.kind == "date" else (a, b, n) for a, b, n in bins),
        ),
    )


def _merged(histogram: tuple[tuple[float, float, int], ...]) -> list[tuple[float, float, int]]:
    """Neighbouring bins joined until they are few enough for a small picture."""
    step = -(-len(histogram) // MOST_BARS)
    cuts = [histogram[k : k + step] for k in range(0, len(histogram), step)]
    return [(cut[0][0], cut[-1][1], sum(count for *_, count in cut)) for cut in cuts]


def _histogram_spec(bins: list[tuple[float, float, int]], write: Callable[[float | None], str]) -> Spec:
    """Areas are rows: a bin's height is its rows per width. The ends of the axis are written, nothing else."""
    low, high = bins[0][0], bins[-1][1]
    wide = high > low
    bars: Rows = [
        {
            "x": a,
            "x2": b if wide else a + 1,
            "y": count / (b - a) if b > a else float(count),
            "tip": f"{write(a)} to {write(b)}: {count}",
        }
        for a, b, count in bins
    ]
    x: Spec = {
        "field": "x", "type": "quantitative", "axis": None,
        "scale": {"domain": [low, high if wide else low + 1], "nice": False, "zero": False},
    }  # fmt: skip
    y: Spec = {
        "field": "y", "type": "quantitative", "axis": None,
        "scale": {"domain": [0, max(bar["y"] for bar in bars)], "range": [SMALL_HEIGHT - 18, 2]},
    }  # fmt: skip
    nothing = {"y2": {"datum": 0}, "x2": {"field": "x2"}}
    floor = layer("rule", [{"y": 0}], {"y": y}, color="#c5cad1")
    ends = [_end(write(low), "left"), *([_end(write(high), "right")] if wide else [])]
    rects = layer("rect", bars, {"x": x, "y": y, **nothing}, color=BLUE, stroke="white", strokeWidth=0.5)
    return _small([rects, floor, *ends])


def _end(text: str, align: str) -> Spec:
    edge = 0 if align == "left" else {"expr": "width"}
    look = {
        "x": edge,
        "y": SMALL_HEIGHT - 7,
        "align": align,
        "baseline": "middle",
        "fontSize": 11,
        "color": FAINT,
        "limit": 78,
    }
    return layer("text", [{"label": text}], {"text": {"field": "label"}}, **look)


def _levels(column: ColumnCard, name: str, rows: int) -> Figure:
    """The most frequent levels as bars; what is left over in one more, lighter."""
    filled = rows - column.missing
    shown = column.levels if len(column.levels) <= MOST_LEVELS + 1 else column.levels[:MOST_LEVELS]
    rest = filled - sum(count for _, count in shown)
    entries = [(text, count, True) for text, count in shown] + ([(OTHERS, rest, False)] if rest > 0 else [])
    entries = entries[: MOST_LEVELS + 1]
    label, distinct = short(column.name), f", {column.distinct} different" if column.distinct is not None else ""
    first, count = column.levels[0]
    return Figure(
        name=name,
        title=f"Levels of {label}",
        alt=f"Levels of {label}: {filled} values{distinct}; most frequent {short(first, 40)} with {count}.",
        spec=_levels_spec(entries, filled),
        table=Table(f"Levels of {column.name}", ("level", "rows"), column.levels),
    )


def _levels_spec(entries: list[tuple[str, int, bool]], filled: int) -> Spec:
    labels = told_apart([text for text, *_ in entries], 13)
    height = 15
    bars: Rows = [
        {
            "row": label,
            "x": count,
            "share": _percent(count, filled),
            "tip": f"{label}: {count}",
            "fill": BLUE if real else "#b8c0c8",
        }
        for label, (_, count, real) in zip(labels, entries, strict=True)
    ]
    y: Spec = {
        "field": "row", "type": "ordinal",
        "scale": {"domain": labels, "type": "band", "paddingInner": 0.25, "paddingOuter": 0.1},
        "axis": {"title": None, "ticks": False, "domain": False, "labelLimit": 66, "minExtent": 76, "maxExtent": 76},
    }  # fmt: skip
    x: Spec = {
        "field": "x", "type": "quantitative", "axis": None,
        "scale": {"domain": [0, 1.6 * max(count for _, count, _ in entries)], "nice": False},
    }  # fmt: skip
    rects = layer("bar", bars, {"x": x, "y": y, "fill": {"field": "fill", "type": "nominal", "scale": None}})
    shares = layer(
        "text", bars, {"x": x, "y": y, "text": {"field": "share"}}, align="left", dx=4, fontSize=11, color=FAINT
    )
    return {**_small([rects, shares]), "height": height * len(entries)}


def _small(layers: list[Spec]) -> Spec:
    return {**frame(layers, SMALL_HEIGHT), "width": SMALL_WIDTH, "padding": 1}


def _missing(fact: DataCard, lacking: list[ColumnCard]) -> Figure:
    """Shares of missing cells, the largest first."""
    ranked = sorted(lacking, key=lambda column: -column.missing)
    drawn = ranked[:MOST_MISSING]
    cells = sum(column.missing for column in lacking)
    bars: Rows = [
        {"row": label, "x": column.missing, "share": f"{column.missing} ({_percent(column.missing, fact.rows)})",
         "tip": f"{label}: {column.missing} of {fact.rows}"}
        for label, column in zip(told_apart([c.name for c in drawn], 22), drawn, strict=True)
    ]  # fmt: skip
    y: Spec = {
        "field": "row", "type": "ordinal",
        "scale": {"domain": [bar["row"] for bar in bars], "type": "band", "padding": 0.3},
        "axis": {"title": None, "ticks": False, "domain": False},
    }  # fmt: skip
    x: Spec = {
        "field": "x", "type": "quantitative", "axis": None,
        "scale": {"domain": [0, 1.5 * max(1, drawn[0].missing)], "nice": False},
    }  # fmt: skip
    look = {"align": "left", "dx": 5, "fontSize": 11, "color": INK}
    layers = [
        layer("bar", bars, {"x": x, "y": y}, color=OCHRE),
        layer("text", bars, {"x": x, "y": y, "text": {"field": "share"}}, **look),
    ]
    return Figure(
        name="missing",
        title=f"Missing cells in {short(fact.name)}",
        alt=f"Missing cells by column: {cells} in {len(lacking)} of {len(fact.columns)} columns; most in "
        f"{short(ranked[0].name)}, {_percent(ranked[0].missing, fact.rows)} of its rows.",
        spec=frame(layers, 24 * len(drawn)),
        table=Table(
            f"Missing cells in {fact.name}",
            ("column", "missing", "rows"),
            tuple((c.name, c.missing, fact.rows) for c in ranked),
        ),
        note=f"Columns in the table only: {listed([c.name for c in ranked[MOST_MISSING:]])}."
        if len(ranked) > MOST_MISSING
        else "",
    )


def _percent(count: float, whole: float) -> str:
    share = 100 * count / whole if whole else 0.0
    return f"{share:.0f} %" if share >= 10 or share == 0 else f"{share:.1f} %" if share >= 0.1 else "<0.1 %"


def _as_date(days: float | None) -> str:
    """Days since 1970-01-01 as a date, where the calendar has one."""
    if not finite([days]):
        return said(days)
    try:
        return (date(1970, 1, 1) + timedelta(days=float(days or 0.0))).isoformat()
    except OverflowError:
        return said(days)
