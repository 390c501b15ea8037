"""A decision tree as data: its cuts, what lies in its nodes, its rules in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table, shown

RULES = 200  # lines of a table or a text before "and n more"


@dataclass(frozen=True)
class Tree:
    """A tree, node by node in preorder, the root first; tuples but for columns, classes, edges have an entry a node.

    kind: "leaf", "cut" (a number), "sets" (two sets of levels), "levels" (a child per level), or "more": a cut whose
    children are not shown, since the tree is large. branches: the words on the way to every child. away: which child a
    missing cell or an unseen level goes to (its place among the children). value: the mean of each target, or the share
    of each class. gain: how much the cut lowers weight times impurity. alpha: the penalty per leaf (in units of the
    impurity) from which pruning makes a leaf of the node. histogram: rows per class, or per bin of the target between
    `edges`; empty where it was not kept. ties: how many other cuts gain just as much; tied: the first of them in words.
    """

    title: str
    task: str
    target: str
    criterion: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    nodes: int
    leaves: int
    depth: int
    kind: tuple[str, ...]
    feature: tuple[int, ...]
    threshold: tuple[float | None, ...]
    children: tuple[tuple[int, ...], ...]
    branches: tuple[tuple[str, ...], ...]
    away: tuple[int, ...]
    impurity: tuple[float, ...]
    samples: tuple[int, ...]
    weight: tuple[float, ...]
    value: tuple[tuple[float, ...], ...]
    gain: tuple[float, ...]
    alpha: tuple[float | None, ...]
    histogram: tuple[tuple[float, ...], ...]
    edges: tuple[float, ...]
    ties: tuple[int, ...]
    tied: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def says(self, node: int) -> str:
        """What a node predicts: the mean, or the most frequent class with its share."""
        value = self.value[node]
        if not self.classes:
            return ", ".join(map(shown, value))
        best = max(range(len(self.classes)), key=lambda k: (value[k], -k))
        return f"{self.classes[best]} ({100 * value[best]:.3g} %)"

    def question(self, node: int) -> str:
        """The column a node asks for, or nothing at a leaf."""
        return self.columns[self.feature[node]] if self.kind[node] not in ("leaf",) else ""

    def rules(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Every leaf with the conditions that lead to it."""
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            node, path = waiting.pop()
            if not self.children[node]:
                yield node, path
            steps = zip(self.children[node], self.branches[node], strict=True)
            waiting += [(child, (*path, f"{self.question(node)} {words}")) for child, words in steps][::-1]

    def table(self) -> Table:
        """One row per leaf: its rule, rows, prediction, impurity."""
        rows: list[tuple[Cell, ...]] = []
        left_out = 0
        for node, path in self.rules():
            if len(rows) == RULES:
                left_out += 1
                continue
            rule = " and ".join(path) or "always"
            rule += " (cut further)" if self.kind[node] == "more" else ""
            rows.append((rule, self.samples[node], self.says(node), self.impurity[node]))
        notes = self.notes + ((f"and {left_out} more rules",) if left_out else ())
        return Table(self.title, ("if", "rows", f"then {self.target}", self.criterion), tuple(rows), notes)

    def text(self, most: int = RULES) -> str:
        """The tree as indented text, one line per branch."""
        lines: list[str] = []
        waiting = [(0, 0, "")]
        while waiting and len(lines) < most:
            node, depth, words = waiting.pop()
            end = "" if self.children[node] else f": {self.says(node)}"
            lines.append(f"{'|  ' * depth}{words or 'all'} [{self.samples[node]} rows]{end}")
            below = zip(self.children[node], self.branches[node], strict=True)
            waiting += [(child, depth + 1, f"{self.question(node)} {step}") for child, step in below][::-1]
        return "\n".join([*lines, *(["…"] if waiting else [])])
