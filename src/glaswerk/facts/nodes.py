"""What lies in the nodes of a tree: the shares of the classes, or how the target spreads."""

from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table
from glaswerk.facts.tree import Tree


@dataclass(frozen=True)
class TreeNodes:
    """The upper nodes of `tree`, or its leaves alone, one by one."""

    tree: Tree
    leaves: bool = False

    @property
    def title(self) -> str:
        what = "leaves" if self.leaves else "nodes"
        return f"What lies in the {what}: {self.tree.title}"

    def chosen(self, most: int) -> tuple[int, ...]:
        """The nodes shown, in preorder: of too many the largest."""
        tree = self.tree
        known = [t for t in range(len(tree.kind)) if tree.histogram[t] and not (self.leaves and tree.children[t])]
        return tuple(sorted(sorted(known, key=lambda t: (-tree.weight[t], t))[:most]))

    def table(self) -> Table:
        """One line per node: the way to it, its rows, what it says, and its counts."""
        tree, ways = self.tree, dict(ways_of(self.tree))
        nodes = self.chosen(200)
        heads = (*tree.classes,) if tree.classes else tuple(f"{a:.4g} to {b:.4g}" for a, b in
                                                             zip(tree.edges, tree.edges[1:], strict=False))  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (ways[t], tree.samples[t], tree.says(t), tree.impurity[t], *tree.histogram[t][: len(heads)]) for t in nodes
        ]
        return Table(self.title, ("node", "rows", f"says {tree.target}", tree.criterion, *heads), tuple(rows))


def ways_of(tree: Tree) -> list[tuple[int, str]]:
    """Every node with the answers that lead to it."""
    found, waiting = [], [(0, "")]
    while waiting:
        node, way = waiting.pop()
        found.append((node, way or "all rows"))
        pairs = zip(tree.children[node], tree.branches[node], strict=True)
        ahead = f"{way} and " if way else ""
        waiting += [(child, f"{ahead}{tree.question(node)} {words}") for child, words in pairs]
    return found
