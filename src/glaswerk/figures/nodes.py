"""The nodes of a tree as small bars side by side: how many rows of each class, or of each stretch of the target."""

from glaswerk.facts import TreeNodes
from glaswerk.facts.nodes import ways_of
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, short, told_apart
from glaswerk.figures.parts import Rows, Spec, frame, layer, rounded, second
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import COLOURS, FAINT, INK, said

MOST, ACROSS, MOST_BARS = 12, 3, 12
PANEL = 112  # pixels
TOP, BOTTOM = 0.36, 0.04  # of a panel's height, above and below its bars


@figures_of.register
def draw_nodes(fact: TreeNodes) -> tuple[Figure, ...]:
    """One figure; none for a tree of one node or without counts."""
    nodes = fact.chosen(MOST)
    if len(fact.tree.kind) < 2 or not nodes:
        return ()
    every = len(fact.chosen(len(fact.tree.kind)))
    what = "leaf" if fact.leaves else "node"
    note = f"The {len(nodes)} largest of {every} are drawn." if len(nodes) < every else ""
    bars = "Bars are the classes" if fact.tree.classes else "Bars are twelve even stretches of the target"
    return (
        Figure(
            name=f"{what}s",
            title=short(fact.title, 120),
            alt=f"{counted(len(nodes), what).replace('leafs', 'leaves')} of {short(fact.tree.title)}: "
            f"the root has {counted(fact.tree.samples[0], 'row')} and says {short(fact.tree.says(0), 60)}.",
            spec=_spec(fact, nodes),
            table=fact.table(),
            note=f"{bars}, as shares of the node's rows. {note}".strip(),
        ),
    )


def _spec(fact: TreeNodes, nodes: tuple[int, ...]) -> Spec:
    tree, ways = fact.tree, dict(ways_of(fact.tree))
    width = min(len(tree.histogram[nodes[0]]), MOST_BARS)
    names = told_apart([short(name, 30) for name in tree.classes[:width]])
    bars: list[Rows] = [[] for _ in range(width)]
    words: Rows = []
    for place, t in enumerate(nodes):
        left, top = float(place % ACROSS), float(place // ACROSS)
        total = sum(tree.histogram[t]) or 1.0
        most = max(max(tree.histogram[t]) / total, 1e-9)
        for k in range(width):
            share = tree.histogram[t][k] / total
            at = left + 0.06 + 0.88 * k / width
            name = names[k] if names else f"{said(tree.edges[k])} to {said(tree.edges[k + 1])}"
            bars[k].append({
                "x": rounded(at), "x2": rounded(at + 0.8 / width), "y": rounded(top + 1 - BOTTOM),
                "y2": rounded(top + 1 - BOTTOM - (1 - TOP - BOTTOM) * share / most),
                "tip": f"{name}: {100 * share:.3g} %\n{short(ways[t], 60)}",
            })  # fmt: skip
        last = ways[t].rsplit(" and ", 1)[-1]
        words.append({"x": left + 0.06, "y": top + 0.1, "label": short(last, 34)})
        words.append({"x": left + 0.06, "y": top + 0.25,
                      "label": f"{counted(tree.samples[t], 'row')}: {short(tree.says(t), 24)}"})  # fmt: skip
    rows = -(-len(nodes) // ACROSS)
    x = {"field": "x", "type": "quantitative", "scale": {"domain": [0, ACROSS]}, "axis": None}
    y = {"field": "y", "type": "quantitative", "scale": {"domain": [rows, 0]}, "axis": None}
    both = {"x": x, "x2": second("x2"), "y": y, "y2": second("y2")}
    colours = [COLOURS[k] if k < len(COLOURS) else FAINT for k in range(width)] if names else [COLOURS[0]] * width
    parts = [layer("rect", own, both, color=colour) for own, colour in zip(bars, colours, strict=True)]
    text = {"x": x, "y": y, "text": {"field": "label"}}
    parts.append(layer("text", words, text, fontSize=11, color=INK, align="left", tooltip=None,
                       limit={"expr": f"width * {0.88 / ACROSS}"}))  # fmt: skip
    return frame(parts, PANEL * rows)
