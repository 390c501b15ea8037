"""Reading a tree: the path of one row, what lies in its nodes, and what its impurities measure."""

from typing import Any

import numpy as np

from glaswerk.facts import Cell, Curve, Line, Table, TreeNodes, shown
from glaswerk.model import Model
from glaswerk.trees.impurity import NAMES
from glaswerk.trees.model import TreeModel


def tree_path(model: Model, table: Any, row: int) -> Table:
    """The questions that one row (counted from 1) of a table is asked, its answers, and what every node says."""
    learner = tree_of(model)
    typed = model.read(table)
    if not 1 <= row <= typed.n_rows:
        raise ValueError(f"row must be between 1 and {typed.n_rows}; came {row}")
    nodes = learner.path_of(model.design_.transform(typed.take(np.array([row - 1]))))
    fact, lines = learner.tree_fact(), []
    for step, t in enumerate(nodes):
        if t >= len(fact.kind) or learner.tree_.nodes != len(fact.kind):
            break
        follows = nodes[step + 1] if step + 1 < len(nodes) else None
        answer = fact.branches[t][fact.children[t].index(follows)] if follows in fact.children[t] else ""
        line: tuple[Cell, ...] = (step, fact.question(t), answer, fact.samples[t], fact.impurity[t], fact.says(t))
        lines.append(line)
    heads = ("depth", "asked for", "this row", "rows here", fact.criterion, f"says {fact.target}")
    notes = () if len(lines) == len(nodes) else ("the tree is too large to be told node by node",)
    return Table(f"The way of row {row} through the tree for {fact.target}", heads, tuple(lines), notes)


def tree_nodes(model: Any, *, leaves: bool = False) -> TreeNodes:
    """How the classes, or the target, spread in the nodes of a tree; or in its leaves alone."""
    return TreeNodes(tree_of(model).tree_fact(), leaves)


def tree_of(model: Any) -> TreeModel:
    """The tree of a model, or a bare one."""
    learner = getattr(model, "learner_", model)
    if not isinstance(learner, TreeModel):
        raise TypeError(f"a tree is needed, and this is a {type(learner).__name__}")
    return learner


def impurity_curves() -> Curve:
    """[SCH-ENTROPY] [SCH-GINI] [SCH-MISS] The impurities of two classes over the share of one.

    >>> impurity_curves().lines[1].y[50]
    0.5
    """
    p = np.linspace(0.0, 1.0, 101)
    q = np.maximum(np.stack([p, 1 - p]), 1e-300)
    measures = {
        NAMES["entropy"]: -(np.stack([p, 1 - p]) * np.log2(q)).sum(axis=0),
        "Gini 1 - Σ p²": 2 * p * (1 - p),
        "misclassification 1 - max p": np.minimum(p, 1 - p),
    }
    lines = tuple(Line(name, tuple(p.tolist()), tuple(np.abs(y).tolist())) for name, y in measures.items())
    says = f"All are 0 for one class and largest at one half; of two classes Gini ends at {shown(0.5)}, not at 1."
    return Curve("Impurity over the share of one class", "p", "impurity", lines, says)
