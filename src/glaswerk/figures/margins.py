"""Margins: regions of classes in a plane, the border, the lines where the margin ends, and the rows that support it."""

from itertools import groupby

from glaswerk.facts import Line, MarginPlane
from glaswerk.figures.codes import NAMED, Codes
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, short, slug, told_apart
from glaswerk.figures.parts import Rows, Spec, frame, layer, numbers, rounded, second
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import COLOURS, INK, said
from glaswerk.figures.thinning import evenly

HEIGHT = 400
MOST_VERTICES = 600  # of all lines together
MOST_REGIONS = 700
TINT = 0.16


@figures_of.register
def draw_margins(fact: MarginPlane) -> tuple[Figure, ...]:
    """One picture of a plane; none without a place to draw."""
    if not fact.regions or len(fact.x) < 2 or len(fact.y) < 2:
        return ()
    support = sum(point[3] for point in fact.points)
    border = ", their border" if fact.borders else ""
    margins = " and the margins beside it" if fact.margins else ""
    return (
        Figure(
            name=f"margins-{slug(fact.title)}",
            title=short(fact.title, 120),
            alt=f"{short(fact.title, 120)}: {counted(len(fact.points), 'row')} in the plane of {short(fact.x_title)} "
            f"and {short(fact.y_title)}, {support} of them supporting; regions of {len(fact.classes)} classes{border}"
            f"{margins}.",
            spec=_spec(fact),
            table=fact.table(),
            note=_note(fact),
        ),
    )


def _note(fact: MarginPlane) -> str:
    parts = [fact.says] if fact.says else []
    if fact.borders:
        parts.append("The solid line is the border.")
    if fact.margins:
        parts.append("Dashed lines are where the margin ends.")
    support = sum(point[3] for point in fact.points)
    if support:
        parts.append(f"The {counted(support, 'ringed row')} support{'s' * (support == 1)} it.")
    if len(fact.points) < fact.rows:
        parts.append(f"{len(fact.points)} of {fact.rows} rows are drawn.")
    return " ".join([*parts, *fact.notes])


def _spec(fact: MarginPlane) -> Spec:
    ends = [(p[0] - (p[1] - p[0]) / 2, p[-1] + (p[1] - p[0]) / 2) for p in (fact.x, fact.y)]
    x, y = numbers("x", fact.x_title, ends[0], grid=False), numbers("y", fact.y_title, ends[1], grid=False)
    named = told_apart([short(name) for name in fact.classes[:NAMED]])
    codes = Codes(named, ["points"] * len(named))
    parts = [_regions(fact, x, y), *_strokes(fact.margins, x, y, strokeWidth=1.2, strokeDash=[5, 4])]
    parts += _strokes(fact.borders, x, y, strokeWidth=2.2)
    clouds: Rows = [
        {"x": rounded(a), "y": rounded(b), "group": named[k], "tip": _tip(named[k], a, b, support)}
        for a, b, k, support in fact.points
        if k < NAMED
    ]
    rings: Rows = [{"x": rounded(a), "y": rounded(b)} for a, b, _, support in fact.points if support]
    parts.append(layer("point", rings, {"x": x, "y": y}, filled=False, size=120, color=INK, strokeWidth=1.1, clip=True,
                       tooltip=None))  # fmt: skip
    parts.append(layer("point", clouds, {"x": x, "y": y, **codes.of("color", "shape")}, filled=True, size=38, opacity=1,
                       clip=True))  # fmt: skip
    return frame(parts, HEIGHT)


def _tip(name: str, a: float, b: float, support: bool) -> str:
    return f"{name}\n{said(a)}, {said(b)}" + ("\nsupports the border" if support else "")


def _regions(fact: MarginPlane, x: Spec, y: Spec) -> Spec:
    """Stretches of one class along every line of the grid; fewer lines where there would be too many stretches."""
    every = 1
    while True:
        rows = _stretches(fact, every)
        if len(rows) <= MOST_REGIONS or every > len(fact.y) // 4:
            break
        every += 1
    scale = {"domain": list(range(len(fact.classes))), "range": [COLOURS[k % NAMED] for k in range(len(fact.classes))]}
    fill = {"field": "z", "type": "nominal", "scale": scale, "legend": None}
    coded = {"x": x, "x2": second("x2"), "y": y, "y2": second("y2"), "fill": fill}
    return layer("rect", rows, coded, clip=True, tooltip=None, strokeWidth=0, opacity=TINT)


def _stretches(fact: MarginPlane, every: int) -> Rows:
    dx, dy = (fact.x[1] - fact.x[0]) / 2, (fact.y[1] - fact.y[0]) / 2
    rows: Rows = []
    for i in range(0, len(fact.y), every):
        top = fact.y[min(i + every, len(fact.y)) - 1] + dy
        for kind, run in groupby(enumerate(fact.regions[i]), key=lambda cell: cell[1]):
            places = [j for j, _ in run]
            left, right = fact.x[places[0]] - dx, fact.x[places[-1]] + dx
            bounds = {"x": left, "x2": right, "y": fact.y[i] - dy, "y2": top}
            rows.append({**{name: rounded(value) for name, value in bounds.items()}, "z": kind})
    return rows


def _strokes(lines: tuple[Line, ...], x: Spec, y: Spec, **look: object) -> list[Spec]:
    each = max(2, MOST_VERTICES // 2 // max(1, len(lines)))
    rows: Rows = [
        {"x": rounded(line.x[step]), "y": rounded(line.y[step] or 0.0), "group": number, "n": step}
        for number, line in enumerate(lines)
        for step in evenly(len(line.x), each)
    ]
    order, detail = {"field": "n", "type": "quantitative"}, {"field": "group", "type": "nominal"}
    coded = {"x": x, "y": y, "detail": detail, "order": order}
    return [layer("line", rows, coded, clip=True, tooltip=None, color=INK, **look)]
