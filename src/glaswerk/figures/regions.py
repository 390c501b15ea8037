"""Rectangles of a tree: a map with the rows on it, or for numbers the surface of their steps, seen from the front."""

from glaswerk.facts import Region, Regions
from glaswerk.figures.codes import NAMED, Codes
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, short, slug, told_apart
from glaswerk.figures.parts import Rows, Spec, frame, layer, numbers, rounded, second, span
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import COLOURS, FAINT, HEAT, INK, said
from glaswerk.figures.thinning import by_hash

MOST_POINTS, MOST_BOXES, MOST_SOLIDS = 700, 800, 90
HEIGHT = 400
ASIDE, UP, TALL = 0.42, 0.34, 0.55  # of a unit of depth to the right and upwards; the height of the highest step
PLAIN = 0.3  # opacity of a class's rectangles


@figures_of.register
def draw_regions(fact: Regions) -> tuple[Figure, ...]:
    """One figure; none without rectangles, or where a surface would have too many steps to be seen."""
    many = MOST_SOLIDS if fact.solid else MOST_BOXES
    if not fact.regions or len(fact.regions) > many or (fact.solid and fact.classes):
        return ()
    drawn = "a surface of steps" if fact.solid else "a map"
    return (
        Figure(
            name=f"{'steps' if fact.solid else 'regions'}-{slug(fact.title)}",
            title=short(fact.title, 120),
            alt=f"{short(fact.title, 120)}: {drawn} of {counted(len(fact.regions), 'rectangle')} over "
            f"{short(fact.x_title)} and {short(fact.y_title)}. {short(fact.says, 160)}".strip(),
            spec=_solid(fact) if fact.solid else _flat(fact),
            table=fact.table(),
            note=" ".join(filter(None, [fact.says, _left_out(fact)])),
        ),
    )


def _left_out(fact: Regions) -> str:
    kept = min(len(fact.points), MOST_POINTS)
    return f"{kept} of {fact.rows} rows are drawn." if not fact.solid and kept < fact.rows else ""


def _sides(fact: Regions) -> tuple[float, float, float, float]:
    across = [v for r in fact.regions for v in (r.left, r.right)]
    upwards = [v for r in fact.regions for v in (r.below, r.above)]
    return min(across), max(across), min(upwards), max(upwards)


def _tip(fact: Regions, r: Region) -> str:
    told = fact.told(r.answer)
    says = short(told) if isinstance(told, str) else said(r.answer)
    return (
        f"{short(fact.x_title, 40)} {said(r.left)} to {said(r.right)}\n"
        f"{short(fact.y_title, 40)} {said(r.below)} to {said(r.above)}\n{says}, {counted(r.rows, 'row')}"
    )


def _flat(fact: Regions) -> Spec:
    left, right, low, high = _sides(fact)
    x, y = numbers("x", fact.x_title, (left, right), grid=False), numbers("y", fact.y_title, (low, high), grid=False)
    both = {"x": x, "x2": second("x2"), "y": y, "y2": second("y2")}
    boxes: Rows = [
        {
            "x": rounded(r.left), "x2": rounded(r.right), "y": rounded(r.below), "y2": rounded(r.above),
            "z": rounded(r.answer), "tip": _tip(fact, r),
        }
        for r in fact.regions
    ]  # fmt: skip
    if fact.classes:
        return frame([*_class_boxes(fact, boxes, both), *_class_points(fact, x, y)], HEIGHT)
    scale = {"type": "linear", "domain": list(span([row["z"] for row in boxes], 0.0)), "range": list(HEAT)}
    legend = {"title": short(fact.z_title, 30), "orient": "right", "gradientLength": 240}
    fill = {"field": "z", "type": "quantitative", "scale": scale, "legend": legend}
    points: Rows = [{"x": rounded(a), "y": rounded(b)} for a, b, _ in _some(fact)]
    return frame(
        [
            layer("rect", boxes, {**both, "fill": fill}, stroke="white", strokeWidth=1, clip=True),
            layer("point", points, {"x": x, "y": y}, filled=True, size=14, opacity=0.5, color=INK, clip=True),
        ],
        HEIGHT,
    )


def _some(fact: Regions) -> list[tuple[float, float, float]]:
    return [fact.points[k] for k in by_hash(range(len(fact.points)), MOST_POINTS)]


def _class_boxes(fact: Regions, boxes: Rows, both: Spec) -> list[Spec]:
    """One layer per class, in the colour of its points; classes beyond the colours are grey."""
    parts = []
    for k in range(min(len(fact.classes), NAMED + 1)):
        own = [row for row in boxes if row["z"] == k or (k == NAMED and row["z"] > k)]
        colour = COLOURS[k] if k < NAMED else FAINT
        parts.append(layer("rect", own, both, color=colour, opacity=PLAIN, stroke="white", strokeWidth=1, clip=True))
    return parts


def _class_points(fact: Regions, x: Spec, y: Spec) -> list[Spec]:
    named = told_apart([short(name) for name in fact.classes[:NAMED]])
    codes = Codes(named, ["points"] * len(named))
    rows: Rows = [
        {"x": rounded(a), "y": rounded(b), "group": named[int(g)], "tip": named[int(g)]}
        for a, b, g in _some(fact)
        if g < len(named)
    ]
    return [layer("point", rows, {"x": x, "y": y, **codes.of("color", "shape")}, filled=True, size=30, clip=True)]


# The surface: depth goes to the right and upwards


def _solid(fact: Regions) -> Spec:
    left, right, low, high = _sides(fact)
    answers = [r.answer for r in fact.regions]
    least, most = min(answers), max(answers)

    def at(x: float, y: float, z: float) -> tuple[float, float]:
        across, deep = (x - left) / ((right - left) or 1.0), (y - low) / ((high - low) or 1.0)
        return across + ASIDE * deep, UP * deep + TALL * z

    rows: Rows = []
    for number, r in enumerate(fact.regions):
        z = (r.answer - least) / ((most - least) or 1.0)
        faces = (
            (0.72, ((r.left, r.below, 0.0), (r.right, r.below, 0.0), (r.right, r.below, z), (r.left, r.below, z))),
            (0.55, ((r.right, r.below, 0.0), (r.right, r.above, 0.0), (r.right, r.above, z), (r.right, r.below, z))),
            (1.0, ((r.left, r.below, z), (r.right, r.below, z), (r.right, r.above, z), (r.left, r.above, z))),
        )
        for face, (light, corners) in enumerate(faces):
            colour = _shade(z, light)
            for step, corner in enumerate(corners):
                a, b = at(*corner)
                rows.append({"x": rounded(a), "y": rounded(b), "n": step, "group": 3 * number + face,
                             "fill": colour, "tip": _tip(fact, r)})  # fmt: skip
    plane: list[Spec] = [
        {"scale": {"domain": [-0.08, 1 + ASIDE + 0.12], "nice": False}},
        {"scale": {"domain": [-0.14, UP + TALL + 0.06]}},
    ]
    x: Spec
    y: Spec
    x, y = (
        {"field": name, "type": "quantitative", "axis": None, **more} for name, more in zip("xy", plane, strict=True)
    )
    coded = {
        "x": x, "y": y, "order": {"field": "n", "type": "quantitative"},
        "detail": {"field": "group", "type": "nominal"}, "color": {"field": "fill", "type": "nominal", "scale": None},
    }  # fmt: skip
    faces_drawn = layer("line", rows, coded, filled=True, interpolate="linear-closed", stroke="white", strokeWidth=0.6)
    words = _words(fact, (left, right, low, high), (least, most), at(left, low, 1.0))
    return frame([faces_drawn, *[layer("text", rows_, {"x": x, "y": y, "text": {"field": "label"}}, fontSize=11,
                                       color=INK, tooltip=None, **look) for rows_, look in words]], HEIGHT)  # fmt: skip


def _shade(z: float, light: float) -> str:
    """Between the two shades of a map, darker where a wall is in shadow."""
    ends = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in HEAT]
    mixed = [light * (a + (b - a) * z * 0.85) for a, b in zip(*ends, strict=True)]
    return "#" + "".join(f"{round(v):02x}" for v in mixed)


def _words(
    fact: Regions, sides: tuple[float, float, float, float], answers: tuple[float, float], corner: tuple[float, float]
) -> list[tuple[Rows, Spec]]:
    """Names and ends of the three axes."""
    left, right, low, high = sides
    front: Rows = [
        {"x": 0.5, "y": -0.1, "label": short(fact.x_title, 40)},
        {"x": 0.02, "y": -0.04, "label": said(left)},
        {"x": 0.98, "y": -0.04, "label": said(right)},
    ]
    deep: Rows = [
        {"x": 1 + ASIDE / 2 + 0.03, "y": UP / 2 - 0.03, "label": short(fact.y_title, 24)},
        {"x": 1.02, "y": 0.0, "label": said(low)},
        {"x": 1 + ASIDE + 0.02, "y": UP, "label": said(high)},
    ]
    tall: Rows = [
        {
            "x": -0.08,
            "y": corner[1] + 0.05,
            "label": f"{short(fact.z_title, 30)}: {said(answers[0])} to {said(answers[1])}",
        }
    ]
    return [(front, {"align": "center"}), (deep, {"align": "left"}), (tall, {"align": "left"})]
