"""Surfaces: a map in steps of shade, as contour lines would cut it, and the paths that walk on it."""

from itertools import pairwise

from glaswerk.facts import Line, Surface
from glaswerk.figures.codes import Codes
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, short, slug, told_apart
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer, numbers, second
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import said
from glaswerk.figures.thinning import along, by_hash, evenly

HEIGHT = 420
MOST_CELLS = 36  # along each axis
MOST_STEPS = 225  # of all paths together; each is drawn in three layers
MOST_PATHS = 6
SHARES = ("P(", "share", "probability")
SHADES = ("#f7fbff", "#e3eef9", "#cfe1f2", "#b5d4e9", "#93c3df", "#6daed5", "#4b97c9", "#2f7ebc")


@figures_of.register
def draw_surface(fact: Surface) -> tuple[Figure, ...]:
    """One map; none where no cell has a number."""
    known = finite(v for row in fact.z for v in row)
    if not known:
        return ()
    low, high = min(known), max(known)
    walked = "; ".join(_said_of(path) for path in [path for path in fact.paths if finite(path.y)][:3])
    return (
        Figure(
            name=f"surface-{slug(fact.title)}",
            title=short(fact.title, 120),
            alt=f"{short(fact.title, 120)}: {short(fact.z_title)} between {said(low)} and {said(high)} over "
            f"{short(fact.x_title)} and {short(fact.y_title)}{'; ' if walked else ''}{walked}.",
            spec=_spec(fact, low, high),
            table=fact.table(),
            note=" ".join(filter(None, [fact.says, _left_out(fact)])),
        ),
    )


def _said_of(path: Line) -> str:
    known = [(x, y) for x, y in zip(path.x, path.y, strict=True) if y is not None]
    if path.form == "points":
        return f"{short(path.name)} is {counted(len(known), 'point')}"
    ends = [f"({said(x)}, {said(y)})" for x, y in (known[0], known[-1])]
    return f"{short(path.name)} goes in {counted(len(known) - 1, 'step')} from {ends[0]} to {ends[1]}"


def _left_out(fact: Surface) -> str:
    more = len(fact.paths) - MOST_PATHS
    return f"{counted(more, 'path')} more in the table only." if more > 0 else ""


def _spec(fact: Surface, low: float, high: float) -> Spec:
    x = numbers("x", fact.x_title, _edges(fact.x), grid=False)
    y = numbers("y", fact.y_title, _edges(fact.y), grid=False)
    parts = [_map(fact, levels(low, high, even=low < 0 or fact.z_title.startswith(SHARES)), x, y)]
    paths = [path for path in fact.paths[:MOST_PATHS] if finite(path.y)]
    if paths:
        codes = Codes(told_apart([path.name for path in paths]), [path.form for path in paths])
        for path, label in zip(paths, codes.labels, strict=True):
            parts += _walk(path, label, codes, x, y, MOST_STEPS // len(paths))
    return frame(parts, HEIGHT)


def _edges(places: tuple[float, ...]) -> tuple[float, float]:
    """The outer edges of even cells around these places."""
    half = (places[-1] - places[0]) / max(1, len(places) - 1) / 2 or 0.5
    return places[0] - half, places[-1] + half


def levels(low: float, high: float, even: bool = False) -> list[float]:
    """Where a shade ends: by equal shares of √(z - least), so that a bowl has its rings at even distances.

    `even`: by equal shares of z, for what is no height above a least value: a signed answer, a probability.

    >>> levels(0.0, 64.0)
    [1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0]
    >>> levels(0.0, 1.0, even=True)
    [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]
    """
    n = len(SHADES)
    return [low + (high - low) * (k / n) ** (1 if even else 2) for k in range(1, n)]


def _map(fact: Surface, cuts: list[float], x: Spec, y: Spec) -> Spec:
    columns, lines = evenly(len(fact.x), MOST_CELLS), evenly(len(fact.y), MOST_CELLS)
    left, below = _bounds([fact.x[j] for j in columns]), _bounds([fact.y[i] for i in lines])
    rows: Rows = [
        {"x": left[a], "x2": left[a + 2], "y": below[b], "y2": below[b + 2], "z": float(f"{fact.z[i][j]:.5g}")}
        for b, i in enumerate(lines)
        for a, j in enumerate(columns)
        if finite([fact.z[i][j]])
    ]
    scale = {"type": "threshold", "domain": [float(f"{c:.3g}") for c in cuts], "range": list(SHADES)}
    legend = {"title": short(fact.z_title, 30), "orient": "right", "gradientLength": 260}
    shade = {"field": "z", "type": "quantitative", "scale": scale, "legend": legend}
    coded = {"x": x, "x2": second("x2"), "y": y, "y2": second("y2"), "fill": shade}
    return layer("rect", rows, coded, clip=True, tooltip=None, strokeWidth=0)


def _bounds(places: list[float]) -> list[float]:
    """Edges between neighbours, the outer ones, and the last once more.

    Cells reach under their next neighbours: drawn edge to edge, screens would show seams.
    """
    low, high = _edges(tuple(places))
    between = [(a + b) / 2 for a, b in pairwise(places)]
    return [float(f"{v:.7g}") for v in (low, *between, high, high)]


def _cloud(path: Line, label: str, codes: Codes, x: Spec, y: Spec, most: int) -> list[Spec]:
    """Points without a line between them; some, chosen by a hash of their place, where they are many."""
    rows: Rows = [
        {"x": path.x[k], "y": path.y[k], "group": label, "tip": short(path.name)}
        for k in by_hash(range(len(path.x)), most)
    ]
    bare = [{name: row[name] for name in ("x", "y", "group")} for row in rows]
    coded = {"x": x, "y": y, **codes.of("color", "shape")}
    return [
        layer("point", bare, {"x": x, "y": y}, filled=True, size=80, opacity=1, color="white", clip=True, tooltip=None),
        layer("point", rows, coded, filled=True, size=40, opacity=1, clip=True),
    ]


def _walk(path: Line, label: str, codes: Codes, x: Spec, y: Spec, most: int) -> list[Spec]:
    """A path with a dot at every step, or a cloud of points; a white edge keeps it off the map."""
    if path.form == "points":
        return _cloud(path, label, codes, x, y, most)
    kept = along(path.y, most)
    rows: Rows = [
        {"x": path.x[k], "y": path.y[k], "n": k, "group": label, "tip": f"{short(path.name)}\nstep {k}"} for k in kept
    ]
    bare = [{name: row[name] for name in ("x", "y", "n", "group")} for row in rows]
    order = {"field": "n", "type": "quantitative"}
    line = {"x": x, "y": y, "order": order}
    look = {"clip": True, "tooltip": None}
    return [
        layer("line", bare, line, color="white", strokeWidth=4, **look),
        layer("line", bare, {**line, **codes.of("color", "strokeDash")}, strokeWidth=2, **look),
        layer("point", rows, {"x": x, "y": y}, filled=True, size=36, opacity=1, clip=True, color=codes.colour(label)),
    ]
