"""A version space as a lattice: S on the left, G on the right, every hypothesis joined to the next more general."""

from collections.abc import Sequence

from glaswerk.facts import VersionSpace
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import short
from glaswerk.figures.parts import Rows, Spec, frame, layer, second
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, FAINT, INK, RED

Words = tuple[str, ...]
MOST_GENERAL = 20
ROW = 34
FILLS = {"S": "#dcebf5", "G": "#fbe9de", "S = G": "#e6f2ec", "": "#f4f5f6"}
EDGES = {"S": BLUE, "G": RED, "S = G": "#00805d", "": "#b4bac2"}
DASHES = {"S": [1, 0], "G": [5, 3], "S = G": [1, 0], "": [1, 0]}


@figures_of.register
def draw_version_space(fact: VersionSpace) -> tuple[Figure, ...]:
    """The members where they are listed, else S and G alone; none where G is not listed either."""
    whole = bool(fact.members)
    if not whole and not 0 < len(fact.general) <= MOST_GENERAL:
        return ()
    members = fact.members or tuple(dict.fromkeys([*fact.specific, *fact.general]))
    low = members.index(fact.specific[0])
    edges = fact.edges if whole else tuple((low, k) for k in range(len(members)) if k != low)
    columns = _columns(len(members), edges)
    size = "not counted" if fact.size is None else f"{fact.size:,}"
    note = "" if whole else f"The hypotheses between S and G ({size} in all) are not drawn."
    return (
        Figure(
            name="version-space",
            title=f"Version space of {short(fact.target)}",
            alt=f"Lattice of the version space of {short(fact.target)}: {len(members)} hypotheses are drawn, from "
            f"the most specific, {short(_label(fact, fact.specific[0]))}, to {len(fact.general)} most general: "
            f"{short('; '.join(_label(fact, g) for g in fact.general), 120)}.",
            spec=_spec(fact, members, edges, columns),
            table=fact.table(),
            note=note,
        ),
    )


def _columns(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """How many steps lie below each hypothesis: its column."""
    column = [0] * count
    for _ in range(count):
        before = list(column)
        for low, high in edges:
            column[high] = max(column[high], column[low] + 1)
        if column == before:
            break
    return column


def _label(fact: VersionSpace, conditions: Words) -> str:
    """The conditions other than `?`; with their column where two columns use the same word."""
    if "∅" in conditions:
        return "nothing: ∅"
    used: dict[str, set[int]] = {}
    for member in (*fact.members, *fact.specific, *fact.general):
        for j, word in enumerate(member):
            used.setdefault(word, set()).add(j)
    pairs = [(name, word) for name, word in zip(fact.columns, conditions, strict=True) if word != "?"]
    return ", ".join(word if len(used[word]) == 1 else f"{name} {word}" for name, word in pairs) or "anything: ?"


def _kind(fact: VersionSpace, member: Words) -> str:
    if member in fact.specific:
        return "S = G" if member in fact.general else "S"
    return "G" if member in fact.general else ""


def _spec(fact: VersionSpace, members: Sequence[Words], edges: Sequence[tuple[int, int]], columns: list[int]) -> Spec:
    steps = max(columns) + 1
    tallest = max(columns.count(c) for c in range(steps))
    at: dict[int, tuple[float, float]] = {}
    for c in range(steps):
        inside = [k for k in range(len(members)) if columns[k] == c]
        at |= {k: (c + 0.5, (place + 0.5) / len(inside)) for place, k in enumerate(inside)}
    x = {"field": "x", "type": "quantitative", "scale": {"domain": [0, steps]}, "axis": None}
    y = {"field": "y", "type": "quantitative", "scale": {"domain": [1, 0]}, "axis": None}
    lines: Rows = [
        {"x": at[a][0] + 0.44, "y": at[a][1], "x2": at[b][0] - 0.44, "y2": at[b][1]} for a, b in edges
    ]  # fmt: skip
    ends = {"x2": second("x2"), "y2": second("y2")}
    layers = [layer("rule", lines, {"x": x, "y": y, **ends}, color=FAINT, opacity=0.6)]
    half = 0.36 / tallest
    for kind in FILLS:
        boxes: Rows = [
            {
                "x": at[k][0] - 0.44, "x2": at[k][0] + 0.44, "y": at[k][1] - half, "y2": at[k][1] + half,
                "tip": f"{kind or 'between S and G'}\n" + "\n".join(_told(fact.columns, member)),
            }
            for k, member in enumerate(members) if _kind(fact, member) == kind
        ]  # fmt: skip
        look = {"fill": FILLS[kind], "stroke": EDGES[kind], "strokeDash": DASHES[kind], "cornerRadius": 4}
        layers.append(layer("rect", boxes, {"x": x, "y": y, **ends}, strokeWidth=2 if kind else 1, **look))
    words: Rows = [
        {"x": at[k][0], "y": at[k][1], "label": f"{_head(fact, m)}{short(_label(fact, m))}"}
        for k, m in enumerate(members)
    ]
    limit = {"expr": f"width * {0.82 / steps}"}
    layers.append(
        layer("text", words, {"x": x, "y": y, "text": {"field": "label"}}, fontSize=11, color=INK, limit=limit)
    )
    return frame(layers, max(90, ROW * tallest))


def _head(fact: VersionSpace, member: Words) -> str:
    kind = _kind(fact, member)
    return f"{kind}: " if kind else ""


def _told(columns: Words, member: Words) -> list[str]:
    return [f"{short(name, 30)}: {short(word, 30)}" for name, word in zip(columns, member, strict=True)][:20]
