"""Groups: portraits of prototypes column by column, and rows in a plane with borders, ellipses and paths."""

from glaswerk.facts import GroupPlane, Line, Prototypes
from glaswerk.figures.codes import NAMED, Codes
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, listed, short, slug, told_apart
from glaswerk.figures.parts import Rows, Spec, frame, layer, numbers, rounded, span
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, FAINT, INK, RED, RULE, said
from glaswerk.figures.thinning import by_hash, evenly

MOST_GROUPS, MOST_COLUMNS, MOST_POINTS, MOST_VERTICES = 12, 40, 1_000, 600
ROW = 24


@figures_of.register
def draw_prototypes(fact: Prototypes) -> tuple[Figure, ...]:
    """How far every group lies from all rows, column by column, in standard deviations."""
    if not fact.groups or not fact.columns:
        return ()
    groups, columns = fact.groups[:MOST_GROUPS], fact.columns[:MOST_COLUMNS]
    left = [f"{len(fact.groups) - len(groups)} smaller groups"] * (len(fact.groups) > len(groups))
    left += [f"{len(fact.columns) - len(columns)} columns"] * (len(fact.columns) > len(columns))
    note = "In standard deviations of all rows; 0 is the mean of all rows."
    return (
        Figure(
            name="portraits",
            title=f"Portraits of {counted(len(groups), 'group')}",
            alt=f"{counted(len(groups), 'group')} over {counted(len(columns), 'column')}: "
            f"{listed([short(fact.told(group), 100) for group in groups[:4]])}.",
            spec=_portraits(fact, len(groups), len(columns)),
            table=fact.table(),
            note=f"{note} Not drawn: {' and '.join(left)}." if left else note,
        ),
    )


def _portraits(fact: Prototypes, n_groups: int, n_columns: int) -> Spec:
    names = told_apart([short(name, 30) for name in fact.columns[:n_columns]])
    heads = told_apart([f"{short(group.name, 30)} ({100 * group.share:.0f} %)" for group in fact.groups[:n_groups]])
    rows: Rows = []
    for head, group in zip(heads, fact.groups, strict=False):
        for name, at, away in zip(names, group.centre, fact.away(group), strict=False):
            tip = f"{head}\n{name}: {said(at)}, {said(away)} sd"
            text = f"{away:+.1f}".replace("-", "−").replace("+0.0", "0").replace("−0.0", "0")
            rows.append({"x": head, "y": name, "z": rounded(away), "text": text, "tip": tip})
    most = max(1.0, max(abs(row["z"]) for row in rows))
    x = {"field": "x", "type": "nominal", "sort": None, "axis": {"title": None, "orient": "top", "labelAngle": 0}}
    y = {"field": "y", "type": "nominal", "sort": None, "axis": {"title": None}}
    scale = {"type": "linear", "domain": [-most, 0, most], "range": [BLUE, "#f7f7f7", RED]}
    colour = {"field": "z", "type": "quantitative", "scale": scale, "legend": None}
    cells = layer("rect", rows, {"x": x, "y": y, "color": colour})
    words: list[Spec] = []
    for dark in (False, True):
        plain: Rows = [
            {key: row[key] for key in ("x", "y", "text")} for row in rows if (abs(row["z"]) > 0.75 * most) == dark
        ]
        said_ = {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}}
        words.append(layer("text", plain, said_, fontSize=11, tooltip=None, color="white" if dark else INK))
    return frame([cells, *words], max(60, ROW * n_columns))


@figures_of.register
def draw_plane(fact: GroupPlane) -> tuple[Figure, ...]:
    """Rows by group, centres, and what is drawn around them."""
    if not fact.points:
        return ()
    return (
        Figure(
            name=f"plane-{slug(fact.title)}",
            title=short(fact.title, 120),
            alt=f"{counted(len(fact.points), 'row')} in the plane of {short(fact.x_title)} and {short(fact.y_title)}, "
            f"in {counted(len(fact.groups), 'group')}. {short(fact.says, 200)}".strip(),
            spec=_plane(fact),
            table=fact.table(),
            note=_plane_note(fact),
        ),
    )


def _plane_note(fact: GroupPlane) -> str:
    kept = min(len(fact.points), MOST_POINTS)
    parts = [fact.says] if fact.says else []
    if kept < fact.rows:
        parts.append(f"{kept} of {fact.rows} rows are drawn.")
    parts.append("Crosses are the centres of the groups.")
    if fact.paths:
        parts.append("Dashed lines are the paths of the centres.")
    if fact.borders:
        parts.append("Thin lines are the borders between groups.")
    return " ".join([*parts, *fact.notes])


def _plane(fact: GroupPlane) -> Spec:
    kept = [fact.points[k] for k in by_hash(range(len(fact.points)), MOST_POINTS)]
    named = told_apart([short(name) for name in fact.groups[:NAMED]])
    labels = [*named, *["other groups"] * max(0, len(fact.groups) - NAMED)]
    codes = Codes(named, ["points"] * len(named))
    across = [p[0] for p in kept] + [c[0] for c in fact.centres]
    upwards = [p[1] for p in kept] + [c[1] for c in fact.centres]
    x, y = numbers("x", fact.x_title, span(across), grid=False), numbers("y", fact.y_title, span(upwards), grid=False)
    clouds: Rows = [
        {"x": rounded(a), "y": rounded(b), "group": labels[g], "tip": f"{labels[g]}\n{said(a)}, {said(b)}"}
        for a, b, g in kept
    ]
    parts = [layer("point", [row for row in clouds if row["group"] in named],
        {"x": x, "y": y, **codes.of("color", "shape")}, filled=True, size=26, opacity=0.55, clip=True)]  # fmt: skip
    rest = [row for row in clouds if row["group"] not in named]
    parts.append(layer("point", rest, {"x": x, "y": y}, filled=True, size=16, opacity=0.4, color=FAINT, clip=True))
    parts += _strokes(fact.borders, x, y, color=RULE, strokeWidth=1)
    parts += _strokes(fact.outlines, x, y, color=INK, strokeWidth=1.5)
    parts += _strokes(fact.paths, x, y, color=INK, strokeWidth=1.2, strokeDash=[4, 3])
    centres: Rows = [
        {"x": rounded(a), "y": rounded(b), "tip": f"{short(name)}\ncentre {said(a)}, {said(b)}"}
        for name, (a, b) in zip(fact.groups, fact.centres, strict=True)
    ]
    parts.append(
        layer(
            "point",
            centres,
            {"x": x, "y": y},
            shape="cross",
            filled=True,
            size=150,
            color=INK,
            stroke="white",
            clip=True,
        )
    )
    return frame(parts, 380)


def _strokes(lines: tuple[Line, ...], x: Spec, y: Spec, **look: object) -> list[Spec]:
    """Lines as they run, each by its own order of points."""
    each = max(2, MOST_VERTICES // max(1, len(lines)))
    rows: Rows = []
    for number, line in enumerate(lines):
        for step in evenly(len(line.x), each):
            at = line.y[step]
            if at is not None:
                rows.append({"x": rounded(line.x[step]), "y": rounded(at), "group": number, "n": step})
    order = {"field": "n", "type": "quantitative"}
    detail = {"field": "group", "type": "nominal"}
    return [layer("line", rows, {"x": x, "y": y, "detail": detail, "order": order}, clip=True, tooltip=None, **look)]
