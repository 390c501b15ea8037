"""A decision tree from its root on the left to its leaves on the right: question, rows, impurity and what it says.

Colour is the share of the most frequent class, or where the mean of a number lies; the bar under a node is its share of
the rows. Large trees show their upper nodes.
"""

from collections.abc import Sequence

from glaswerk.facts import Tree
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, short
from glaswerk.figures.parts import Rows, Spec, frame, layer, second
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, FAINT, HEAT, INK, said

MOST_LEAVES, MOST_DEPTH = 24, 4
ROW = 46
NARROWEST = 160  # pixels of a level
LEFT, RIGHT = 0.37, 0.98  # of a node's column, the answers before it


@figures_of.register
def draw_tree(fact: Tree) -> tuple[Figure, ...]:
    """One figure; none for a tree that asks nothing."""
    if not fact.children or not fact.children[0]:
        return ()
    depth = _shown_depth(fact)
    nodes = _nodes(fact, depth)
    hidden = fact.nodes - len(nodes)
    note = f"The upper {len(nodes)} of {fact.nodes} nodes are drawn; … stands for what lies below." if hidden else ""
    return (
        Figure(
            name="tree",
            title=short(fact.title, 120),
            alt=f"{short(fact.title)} with {counted(fact.leaves, 'leaf').replace('leafs', 'leaves')} and depth "
            f"{fact.depth}: the root asks for {short(fact.question(0))} ({said(fact.impurity[0])} "
            f"{fact.criterion}, {counted(fact.samples[0], 'row')}).",
            spec=_spec(fact, nodes, depth),
            table=fact.table(),
            note=note,
            narrowest=NARROWEST * (depth + 1),
        ),
    )


def _shown_depth(fact: Tree) -> int:
    """The deepest level at which the picture has room for all nodes."""
    best = 1
    for depth in range(1, min(MOST_DEPTH, fact.depth) + 1):
        nodes = _nodes(fact, depth)
        if sum(1 for t in nodes if not _below(fact, t, nodes)) <= MOST_LEAVES:
            best = depth
    return best


def _nodes(fact: Tree, depth: int) -> dict[int, int]:
    """The nodes down to a depth, in preorder, with their depth."""
    found: dict[int, int] = {}
    waiting = [(0, 0)]
    while waiting:
        node, level = waiting.pop()
        found[node] = level
        if level < depth:
            waiting += [(child, level + 1) for child in fact.children[node][::-1]]
    return found


def _below(fact: Tree, node: int, nodes: dict[int, int]) -> list[int]:
    return [child for child in fact.children[node] if child in nodes]


def _heights(fact: Tree, nodes: dict[int, int]) -> tuple[dict[int, float], int]:
    """A place for every end, one under the other; a question stands in the middle of its answers."""
    place: dict[int, float] = {}
    ends = 0
    for node in nodes:
        if not _below(fact, node, nodes):
            place[node] = ends + 0.5
            ends += 1
    for node in reversed(list(nodes)):
        below = _below(fact, node, nodes)
        if below:
            place[node] = (place[below[0]] + place[below[-1]]) / 2
    return place, ends


def _tone(fact: Tree, node: int, low: float, high: float) -> float:
    if fact.classes:
        return max(fact.value[node])
    return (fact.value[node][0] - low) / (high - low) if high > low else 0.5


def _head(fact: Tree, node: int, nodes: dict[int, int]) -> str:
    if _below(fact, node, nodes):
        return f"{short(fact.question(node), 40)}?"
    says = short(fact.says(node), 40) if fact.classes else ", ".join(map(said, fact.value[node][:3]))
    return says + (" …" if fact.kind[node] != "leaf" else "")


def _tip(fact: Tree, node: int) -> str:
    told = [f"{counted(fact.samples[node], 'row')}, {fact.criterion} {said(fact.impurity[node])}"]
    told.append(f"says {short(fact.says(node), 60)}")
    if fact.classes:
        pairs = zip(fact.classes, fact.value[node], strict=True)
        told += [f"{short(name, 30)}: {100 * share:.3g} %" for name, share in list(pairs)[:8]]
    if fact.tied[node]:
        told.append(f"as good: {short(fact.tied[node], 50)}")
    return "\n".join(told)


def _spec(fact: Tree, nodes: dict[int, int], depth: int) -> Spec:
    place, ends = _heights(fact, nodes)
    steps = depth + 1
    x = {"field": "x", "type": "quantitative", "scale": {"domain": [LEFT - 0.02, steps]}, "axis": None}
    y = {"field": "y", "type": "quantitative", "scale": {"domain": [ends, 0]}, "axis": None}
    both = {"x2": second("x2"), "y2": second("y2")}
    limit = {"expr": f"width * {(RIGHT - LEFT - 0.04) / (steps - LEFT)}"}
    layers = _branches(fact, nodes, place, x, y, {"expr": f"width * {(LEFT - 0.05) / (steps - LEFT)}"})
    means = [fact.value[t][0] for t in nodes]
    boxes: Rows = [
        {
            "x": level + LEFT, "x2": level + RIGHT, "y": place[t] - 0.38, "y2": place[t] + 0.38,
            "tone": _tone(fact, t, min(means), max(means)), "tip": _tip(fact, t),
        }
        for t, level in nodes.items()
    ]  # fmt: skip
    shade = {"field": "tone", "type": "quantitative", "scale": {"domain": [0, 2.5], "range": list(HEAT)}}
    fill = {**shade, "legend": None}
    layers.append(layer("rect", boxes, {"x": x, "y": y, **both, "fill": fill}, stroke=FAINT, cornerRadius=4))
    bars: Rows = [
        {
            "x": level + LEFT, "x2": level + LEFT + (RIGHT - LEFT) * fact.samples[t] / fact.samples[0],
            "y": place[t] + 0.33, "y2": place[t] + 0.38,
        }
        for t, level in nodes.items()
    ]  # fmt: skip
    layers.append(layer("rect", bars, {"x": x, "y": y, **both}, fill=BLUE))
    for offset, words in ((-8, _head), (6, _second_line)):
        rows: Rows = [
            {"x": level + (LEFT + RIGHT) / 2, "y": place[t], "label": words(fact, t, nodes)}
            for t, level in nodes.items()
        ]
        look = {"fontSize": 11, "color": INK, "dy": offset, "limit": limit}
        layers.append(layer("text", rows, {"x": x, "y": y, "text": {"field": "label"}}, **look))
    return frame(layers, max(120, ROW * ends))


def _second_line(fact: Tree, node: int, _nodes_shown: dict[int, int]) -> str:
    return f"{counted(fact.samples[node], 'row')}, {said(float(f'{fact.impurity[node]:.3g}'))}"


def _branches(fact: Tree, nodes: dict[int, int], place: dict[int, float], x: Spec, y: Spec, limit: Spec) -> list[Spec]:
    """Lines from a question to its answers, the answer written before the node it leads to."""
    lines: Rows = []
    words: Rows = []
    for node, level in nodes.items():
        pairs: Sequence[tuple[int, str]] = list(zip(fact.children[node], fact.branches[node], strict=False))
        for child, answer in pairs:
            if child in nodes:
                lines.append({"x": level + RIGHT, "y": place[node], "x2": level + 1.04, "y2": place[child]})
                lines.append({"x": level + 1.04, "y": place[child], "x2": level + 1 + LEFT, "y2": place[child]})
                label = f"{answer[0]} {said(fact.threshold[node])}" if answer[0] in "≤>" else short(answer, 30)
                words.append({"x": level + 1.06, "y": place[child], "label": label})
    both = {"x2": second("x2"), "y2": second("y2")}
    text = {"x": x, "y": y, "text": {"field": "label"}}
    return [
        layer("rule", lines, {"x": x, "y": y, **both}, color=FAINT),
        layer("text", words, text, fontSize=11, color=INK, align="left", dy=-7, limit=limit),
    ]
