"""A tree as nested questions that open and close: every node with its rows, its answer and its histogram."""

from collections.abc import Iterator
from dataclasses import dataclass

from glaswerk.facts import Tree
from glaswerk.figures.labels import counted
from glaswerk.figures.theme import said

MOST_LINES = 255  # nodes of an outline
DEEPEST = 24  # a page within a page within a page …
OPEN = 2  # levels that are open at first
PRINTED = 63  # nodes up to which all of them are opened for paper
WIDTH, HEIGHT = 48, 16  # of a histogram


@dataclass(frozen=True)
class Node:
    """A line of the outline: `closes` ends as many nested lists before it, `opens` begins one for its children."""

    words: str
    says: str
    tells: str
    bars: str
    opens: bool
    open: bool
    printed: bool
    closes: int
    more: int


def outline(fact: Tree) -> Iterator[Node]:
    """The nodes in preorder, down to a depth and a number of lines that a page bears."""
    levels = _levels(fact)
    last = -1
    for node, (level, words) in levels.items():
        inside = [child for child in fact.children[node] if child in levels]
        yield Node(
            words, _says(fact, node), _tells(fact, node), _bars(fact, node), bool(inside), level < OPEN,
            level <= OPEN or fact.nodes <= PRINTED, max(0, last - level), 0 if inside else _hidden(fact, node),
        )  # fmt: skip
        last = level + bool(inside)


def still_open(fact: Tree) -> int:
    """How many lists are open behind the last line."""
    return list(_levels(fact).values())[-1][0]


def _levels(fact: Tree) -> dict[int, tuple[int, str]]:
    """Node → level and the words that lead to it, in preorder; families are whole, the upper ones first."""
    kept = {0}
    front = [0]
    for _ in range(DEEPEST):
        following: list[int] = []
        for node in front:
            family = fact.children[node]
            if len(kept) + len(family) <= MOST_LINES:
                kept.update(family)
                following += family
        front = following
    found: dict[int, tuple[int, str]] = {}
    waiting = [(0, 0, "")]
    while waiting:
        node, level, words = waiting.pop()
        found[node] = level, words
        below = zip(fact.children[node], fact.branches[node], strict=True)
        waiting += [(child, level + 1, f"{fact.question(node)} {step}") for child, step in below if child in kept][::-1]
    return found


def _says(fact: Tree, node: int) -> str:
    return fact.says(node) if fact.classes else ", ".join(map(said, fact.value[node]))


def _tells(fact: Tree, node: int) -> str:
    return f"{counted(fact.samples[node], 'row')}, {fact.criterion} {said(fact.impurity[node])}"


def _hidden(fact: Tree, node: int) -> int:
    """Nodes below that are not listed, as far as the fact knows them."""
    waiting, found = list(fact.children[node]), 0
    while waiting:
        found += 1
        waiting += fact.children[waiting.pop()]
    return found


def _bars(fact: Tree, node: int) -> str:
    """The histogram of a node as the path of an SVG: rows per class, or per bin of the target."""
    counts = fact.histogram[node] if fact.histogram else ()
    tallest = max(counts, default=0.0)
    if tallest <= 0:
        return ""
    step = WIDTH / len(counts)
    heights = [HEIGHT * count / tallest for count in counts]
    return "".join(
        f"M{k * step:.4g} {HEIGHT}v{-tall:.3g}h{0.85 * step:.3g}v{tall:.3g}z" for k, tall in enumerate(heights) if tall
    )
