"""Curves: lines, points, steps and bands over one axis; fitted curves, learning curves, traces and paths."""

from collections.abc import Sequence
from typing import Any

from glaswerk.facts import Curve, Line
from glaswerk.figures.codes import NAMED, Codes
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import listed, short, slug, told_apart
from glaswerk.figures.parts import Rows, Spec, cell, finite, frame, layer, log_span, numbers, second, span
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import FAINT, INK, RULE, said
from glaswerk.figures.thinning import along, by_hash

HEIGHT = 300
BUDGET = 1_700
MOST_LINES = 100
DOTTED = 30


@figures_of.register
def draw_curve(fact: Curve) -> tuple[Figure, ...]:
    """One figure; none if no line has a point that its scales can show."""
    lines = [line for line in (_showable(line, fact) for line in fact.lines) if finite(line.y)]
    if not lines:
        return ()
    shares = _shares(lines[:MOST_LINES], _told_apart(fact))
    drawn = [_thinned(line, share) for line, share in zip(lines, shares, strict=False)]
    return (
        Figure(
            name=f"curve-{slug(fact.title)}",
            title=short(fact.title, 120),
            alt=_alt(fact, lines),
            spec=_spec(fact, drawn),
            table=fact.table(),
            note=_note(fact, lines, drawn),
        ),
    )


def _showable(line: Line, fact: Curve) -> Line:
    """The line without what its scales cannot show; a gap stays a gap."""
    nothing: tuple[float | None, ...] = (None,) * len(line.x)
    rows = zip(line.x, line.y, line.lower or nothing, line.upper or nothing, strict=True)
    kept = [(x, *(_on(fact.y_scale, v) for v in values)) for x, *values in rows if _on(fact.x_scale, x) is not None]
    columns: Any = zip(*kept, strict=True) if kept else ((), (), (), ())
    x, y, lower, upper = (tuple(column) for column in columns)
    return Line(line.name, x, y, lower if line.lower else (), upper if line.upper else (), line.form)


def _on(scale: str, value: float | None) -> float | None:
    number = cell(value)
    return None if number is None or (scale == "log" and number <= 0) else number


def _thinned(line: Line, share: int) -> Line:
    """The line with its share of the marks; a band costs as much as its line, points on a line as much again."""
    most = share // (2 if line.lower else 1)
    kept = by_hash(range(len(line.x)), most) if line.form == "points" else along(line.y, most)
    columns: list[Any] = [line.x, line.y, line.lower, line.upper]
    x, y, lower, upper = (tuple(column[k] for k in kept) if column else () for column in columns)
    return Line(line.name, x, y, lower, upper, line.form)


def _told_apart(fact: Curve) -> int:
    """How many of the lines have a colour of their own."""
    return NAMED if fact.named is None else min(NAMED, max(1, fact.named))


def _shares(lines: Sequence[Line], most: int) -> list[int]:
    """Marks for each line: half of all for the named ones where there are others; what one leaves the next may have."""
    wanted = [len(line.x) * (2 if line.lower else 1) for line in lines]
    named, others = wanted[:most], wanted[most:]
    if not others:
        return _fair(named, BUDGET)
    return [*_fair(named, BUDGET // 2), *(max(2, share) for share in _fair(others, BUDGET // 2))]


def _fair(wanted: Sequence[int], budget: int) -> list[int]:
    """As much as wanted, or as much as all others get that want more than there is."""
    shares = dict.fromkeys(range(len(wanted)), 0)
    for place, k in enumerate(sorted(shares, key=wanted.__getitem__)):
        shares[k] = min(wanted[k], budget // (len(wanted) - place))
        budget -= shares[k]
    return list(shares.values())


def _spec(fact: Curve, lines: Sequence[Line]) -> Spec:
    x = numbers("x", fact.x_title, _x_domain(fact, lines), fact.x_scale, grid=False)
    y = numbers("y", fact.y_title, _y_domain(fact, lines), fact.y_scale)
    named = lines[: _told_apart(fact)]
    codes = Codes(told_apart([line.name for line in named]), [line.form for line in named])
    shown = list(zip(lines, [*codes.labels, *[""] * len(lines)], strict=False))
    layers = [part for line, label in shown for part in _band(line, label, codes, x, y)]
    layers += _marks(fact, x, _x_domain(fact, lines))
    for line, label in sorted(shown, key=lambda pair: bool(pair[1])):  # the named ones on top
        layers += _strokes(line, label, codes, x, y)
    return frame(layers, HEIGHT)


def _band(line: Line, label: str, codes: Codes, x: Spec, y: Spec) -> list[Spec]:
    rows: Rows = [
        {"x": at, "y": low, "y2": high, "group": label}
        for at, low, high in zip(line.x, line.lower, line.upper, strict=False)
        if low is not None and high is not None
    ]
    look = {"color": codes.colour(label), "opacity": 0.16, "clip": True, "tooltip": None}
    if line.form == "points":
        return [
            layer("rule", rows, {"x": x, "y": y, "y2": second("y2")}, **{**look, "opacity": 0.6, "strokeWidth": 1.5})
        ]
    shape = {"interpolate": "step-after"} if line.form == "steps" else {}
    return [layer("area", rows, {"x": x, "y": y, "y2": second("y2")}, **look, **shape)]


def _strokes(line: Line, label: str, codes: Codes, x: Spec, y: Spec) -> list[Spec]:
    """The line itself, with points on it where they are few enough to be told apart."""
    head = f"{short(line.name)}\n"
    rows: Rows = [
        {"x": at, "y": v, "group": label, "tip": f"{head}{said(at)}: {said(v)}"}
        for at, v in zip(line.x, line.y, strict=True)
    ]
    plain = {} if label else {"color": FAINT, "opacity": 0.35}
    parts = []
    if line.form != "points":
        shape = {"interpolate": "step-after"} if line.form == "steps" else {}
        coded = {"x": x, "y": y, **(codes.of("color", "strokeDash") if label else {})}
        look = {"clip": True, "strokeWidth": 2 if label else 1, "tooltip": None, **shape, **plain}
        parts.append(layer("line", [{k: v for k, v in row.items() if k != "tip"} for row in rows], coded, **look))
    known = [row for row in rows if row["y"] is not None]
    if line.form == "points":
        coded = {"x": x, "y": y, **(codes.of("color", "shape") if label else {})}
        look = {"size": 45, "opacity": 0.9} if len(rows) <= 200 else {"size": 22, "opacity": 0.5}
        parts.append(layer("point", known, coded, **{"filled": True, "clip": True, **look, **plain}))
    elif len(known) <= (DOTTED if label else 1):
        look = {"filled": True, "size": 45, "opacity": 1, "clip": True, "color": codes.colour(label)}
        parts.append(layer("point", known, {"x": x, "y": y}, **look))
    return parts


def _x_domain(fact: Curve, lines: Sequence[Line]) -> tuple[float, float]:
    values = [x for line in lines for x in line.x] + [at for at, _ in fact.marks]
    return log_span(values) if fact.x_scale == "log" else span(values, 0.02)


def _y_domain(fact: Curve, lines: Sequence[Line]) -> tuple[float, float]:
    """All lines, and of the bands what does not flatten the lines."""
    values = finite(y for line in lines for y in line.y)
    edges = finite(v for line in lines for v in (*line.lower, *line.upper))
    if fact.y_scale == "log":
        return log_span([*values, *edges])
    reach = max(values) - min(values)
    low, high = min(values) - 0.6 * reach, max(values) + 0.6 * reach
    return span([*values, *(min(max(e, low), high) if reach else e for e in edges)])


def _marks(fact: Curve, x: Spec, domain: tuple[float, float]) -> list[Spec]:
    """Vertical rules, their words at the top on the side where there is room."""
    marks = [(at, label) for at, label in fact.marks if _on(fact.x_scale, at) is not None][:20]
    if not marks:
        return []
    rules: Rows = [{"x": at, "tip": f"{short(label)}\n{said(at)}"} for at, label in marks]
    layers = [layer("rule", rules, {"x": x}, color=RULE, strokeDash=[3, 3])]
    middle = (domain[0] * domain[1]) ** 0.5 if fact.x_scale == "log" else sum(domain) / 2
    for k, (at, label) in enumerate(marks):
        left = at > middle
        look = {"align": "right" if left else "left", "dx": -5 if left else 5, "y": 8 + 15 * (k % 6), "limit": 160}
        text = {"x": x, "text": {"field": "label"}}
        layers.append(layer("text", [{"x": at, "label": short(label)}], text, fontSize=11, color=INK, **look))
    return layers


def _alt(fact: Curve, lines: Sequence[Line]) -> str:
    head = f"{short(fact.title, 120)}: {short(fact.y_title)} over {short(fact.x_title)}"
    more = [f"{len(lines) - 3} more lines"] if len(lines) > 3 else []
    return "; ".join([head, *map(_said_of, lines[:3]), *more]) + "."


def _said_of(line: Line) -> str:
    known = [(x, y) for x, y in zip(line.x, line.y, strict=True) if y is not None]
    heights = [y for _, y in known]
    if line.form == "points":
        return f"{short(line.name)} has {len(known)} points between {said(min(heights))} and {said(max(heights))}"
    (first, start), (last, end) = known[0], known[-1]
    return f"{short(line.name)} goes from {said(start)} at {said(first)} to {said(end)} at {said(last)}"


def _note(fact: Curve, lines: Sequence[Line], drawn: Sequence[Line]) -> str:
    notes = [fact.says if fact.says.endswith((".", "!", "?")) else f"{fact.says}."] if fact.says else []
    sampled = [
        f"{len(few.x)} of {len(line.x)} points of {short(line.name)} are drawn, chosen by a hash of their place."
        for line, few in zip(lines, drawn, strict=False)
        if few.form == "points" and len(few.x) < len(line.x)
    ]
    if len(lines) > _told_apart(fact):
        rest = [line.name for line in lines[_told_apart(fact) :]]
        sampled.append(f"Drawn in grey: {listed(rest)}.")
    if len(lines) > MOST_LINES:
        sampled.append(f"{len(lines) - MOST_LINES} lines are in the table only.")
    lost = sum(len(line.y) for line in fact.lines) - sum(len(finite(line.y)) for line in lines)
    if lost and "log" in (fact.x_scale, fact.y_scale):
        sampled.append(f"{lost} points without a place on the scale are left out.")
    return " ".join([*notes, *sampled])
