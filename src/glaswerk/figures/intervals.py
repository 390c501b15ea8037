"""One row per thing, a dot where it lies and a bar for how sure that is: coefficients, candidates, differences.

Long names stand above their row, short ones beside it: both stay readable on a narrow page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from glaswerk.figures.labels import short, told_apart
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer, numbers, on_halo, span, upright
from glaswerk.figures.theme import BLUE, FAINT, INK, said

BESIDE = 22


@dataclass(frozen=True)
class Row:
    """`strong` rows are filled, the others hollow; `small` are single measurements behind the dot."""

    name: str
    value: float
    lower: float | None = None
    upper: float | None = None
    strong: bool = True
    tip: str = ""
    small: tuple[float, ...] = ()


def interval_plot(rows: Sequence[Row], title: str, rule: float | None, written: bool = False) -> Spec:
    """`rows` from top to bottom over one axis of numbers, a dashed rule at `rule`; `written` puts values over dots."""
    above = max(len(short(row.name)) for row in rows) > BESIDE
    labels = told_apart([row.name for row in rows], 42 if written else 52)  # what 340 pixels hold
    x = numbers("x", title, _domain(rows, rule))
    y: Spec = {
        "field": "row",
        "type": "ordinal",
        "scale": {"type": "point", "padding": 0.6, "domain": labels},
        "axis": None if above else {"title": None, "grid": True, "ticks": False, "domain": False, "labelLimit": 150},
    }
    place = {"x": x, "y": y}
    layers = [] if rule is None else [upright(rule, x, strokeDash=[4, 3], tooltip=None)]
    layers += [_small(rows, labels, place), _bars(rows, labels, place), *_dots(rows, labels, place)]
    if above:
        layers += _names(labels, y, 60 if written else 0)
    if written:
        layers += _values(rows, labels, {"y": y} if above else place)
    return frame(layers, (40 if above else 34 if written else 26) * len(rows) + 12)


def _domain(rows: Sequence[Row], rule: float | None) -> tuple[float, float]:
    return span([v for row in rows for v in (row.value, row.lower, row.upper, *row.small)] + [rule])


def _small(rows: Sequence[Row], labels: list[str], place: Spec) -> Spec:
    ticks: Rows = [
        {"row": label, "x": value} for row, label in zip(rows, labels, strict=True) for value in finite(row.small)
    ]
    return layer("tick", ticks, place, color=FAINT, opacity=0.45, thickness=1, height=9)


def _bars(rows: Sequence[Row], labels: list[str], place: Spec) -> Spec:
    bars: Rows = [
        {"row": label, "x": row.lower, "x2": row.upper, "tip": row.tip}
        for row, label in zip(rows, labels, strict=True)
        if len(finite((row.lower, row.upper))) == 2
    ]
    return layer("rule", bars, {**place, "x2": {"field": "x2"}}, color=BLUE, strokeWidth=2.5, opacity=0.75)


def _dots(rows: Sequence[Row], labels: list[str], place: Spec) -> list[Spec]:
    kinds = []
    for strong, fill in ((True, BLUE), (False, "white")):
        dots: Rows = [
            {"row": label, "x": row.value, "tip": row.tip}
            for row, label in zip(rows, labels, strict=True)
            if row.strong is strong
        ]
        kinds.append(
            layer("point", dots, place, filled=True, fill=fill, stroke=BLUE, strokeWidth=2, size=70, opacity=1)
        )
    return kinds


def _values(rows: Sequence[Row], labels: list[str], place: Spec) -> list[Spec]:
    """Over the dot on a white halo, or at the right end of the line where a long name stands."""
    values: Rows = [
        {"row": label, "x": row.value, "text": said(row.value)} for row, label in zip(rows, labels, strict=True)
    ]
    edge = {} if "x" in place else {"x": {"expr": "width"}, "align": "right"}
    look = {"dy": -14, "fontSize": 11, "color": INK, "tooltip": None, **edge}
    return on_halo(values, {**place, "text": {"field": "text"}}, look)


def _names(labels: list[str], y: Spec, room: int) -> list[Spec]:
    """Names over their rows, leaving `room` pixels at the right."""
    names: Rows = [{"row": label, "tip": label} for label in labels]
    look = {"x": 2, "dy": -14, "align": "left", "fontSize": 12, "color": INK, "limit": {"expr": f"width - {room}"}}
    return on_halo(names, {"y": y, "text": {"field": "row"}}, look)
