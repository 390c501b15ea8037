"""A grown tree as the fact `Tree`: names of columns and levels, words on its branches."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, ColumnLevels
from glaswerk.facts import Tree, shown
from glaswerk.trees.grown import Grown
from glaswerk.trees.impurity import NAMES, impurities, shares

MOST_NODES = 1000
LISTED = 6  # levels named on a branch


class Words:
    """Names of columns and levels, put on branches."""

    def __init__(self, columns: Sequence[str], levels: ColumnLevels) -> None:
        self.columns, self.levels = tuple(columns), levels

    def branches(self, grown: Grown, t: int) -> tuple[str, ...]:
        """The words on the way to every child of a node."""
        j = int(grown.feature[t])
        if self.levels[j] is None:
            return self._halves(grown, t)
        pairs = slice(grown.level_start[t], grown.level_start[t + 1])
        codes, parts = grown.level_code[pairs], grown.level_part[pairs]
        return tuple(
            self._set(j, codes[parts == q].tolist()) for q in range(grown.child_start[t + 1] - grown.child_start[t])
        )

    def _halves(self, grown: Grown, t: int) -> tuple[str, ...]:
        cut = float(grown.threshold[t])
        if np.isinf(cut):
            return "is there", "is missing"
        return f"≤ {shown(cut)}", f"> {shown(cut)}"

    def _set(self, j: int, codes: list[int]) -> str:
        names = [self.level(j, code) for code in codes]
        if len(names) == 1:
            return f"= {names[0]}"
        more = f", … ({len(names)} in all)" if len(names) > LISTED else ""
        return f"in {{{', '.join(names[:LISTED])}{more}}}"

    def level(self, j: int, code: int) -> str:
        names = self.levels[j] or ()
        return names[code] if code < len(names) else "missing"

    def tie(self, grown: Grown, t: int) -> str:
        """The first other cut that gains as much."""
        j = int(grown.tie_feature[t])
        if j < 0:
            return ""
        cut = float(grown.tie_threshold[t])
        return f"{self.columns[j]} ≤ {shown(cut)}" if np.isfinite(cut) else f"{self.columns[j]}, by its levels or gaps"


def way(grown: Grown, words: Words, node: int) -> str:
    """The answers on the way to a node."""
    steps: list[str] = []
    while node:
        above = int(grown.parent[node])
        family = grown.child[grown.child_start[above] : grown.child_start[above + 1]].tolist()
        steps.append(f"{words.columns[int(grown.feature[above])]} {words.branches(grown, above)[family.index(node)]}")
        node = above
    return " and ".join(steps[::-1]) or "all rows"


def _upper(grown: Grown, most: int) -> NDArray[np.int64]:
    """The nodes shown: all, or the upper ones with whole families."""
    if grown.nodes <= most:
        return np.arange(grown.nodes)
    kept = np.zeros(grown.nodes, dtype=bool)
    kept[0], used = True, 1
    for t in np.argsort(grown.depth, kind="stable").tolist():
        family = grown.child[grown.child_start[t] : grown.child_start[t + 1]]
        if kept[t] and used + len(family) <= most:
            kept[family] = True
            used += len(family)
    return np.flatnonzero(kept)


def tree_fact(
    grown: Grown, *, words: Words, criterion: str, target: str, classes: Sequence[str], alpha: Array,
    notes: tuple[str, ...] = (), most: int = MOST_NODES,
) -> Tree:  # fmt: skip
    """What a grown tree knows, bounded to its upper nodes."""
    nodes = _upper(grown, most)
    place = {int(t): k for k, t in enumerate(nodes)}
    kinds, children, branches = [], [], []
    for t in nodes.tolist():
        family = grown.child[grown.child_start[t] : grown.child_start[t + 1]].tolist()
        seen = bool(family) and family[0] in place
        kinds.append(_kind(grown, t, words, len(family), seen))
        children.append(tuple(place[c] for c in family) if seen else ())
        branches.append(words.branches(grown, t) if seen else ())
    if len(nodes) < grown.nodes:
        notes = (*notes, f"the upper {len(nodes)} of {grown.nodes} nodes are listed; the model holds all")
    value = shares(grown) if grown.bounds.size else grown.value
    return Tree(
        title=f"{'Classification' if classes else 'Regression'} tree for {target}",
        task="classification" if classes else "regression",
        target=target,
        criterion=NAMES[criterion],
        columns=words.columns,
        classes=tuple(classes),
        nodes=grown.nodes,
        leaves=int(grown.leaves[0]),
        depth=int(grown.depth.max()),
        kind=tuple(kinds),
        feature=tuple(grown.feature[nodes].tolist()),
        threshold=tuple(float(c) if np.isfinite(c) else None for c in grown.threshold[nodes]),
        children=tuple(children),
        branches=tuple(branches),
        away=tuple(grown.away[nodes].tolist()),
        impurity=tuple(impurities(grown, criterion)[nodes].tolist()),
        samples=tuple(grown.samples[nodes].tolist()),
        weight=tuple(grown.weight[nodes].tolist()),
        value=_rows(value[nodes]),
        gain=tuple(grown.gain[nodes].tolist()),
        alpha=tuple(float(a) if np.isfinite(a) else None for a in alpha[nodes]),
        histogram=_histogram(grown, nodes),
        edges=tuple(grown.edges.tolist()),
        ties=tuple(grown.ties[nodes].tolist()),
        tied=tuple(words.tie(grown, t) if grown.ties[t] else "" for t in nodes.tolist()),
        notes=(*notes, *_tie_notes(grown, words)),
    )


def _kind(grown: Grown, t: int, words: Words, parts: int, seen: bool) -> str:
    if not parts:
        return "leaf"
    if not seen:
        return "more"
    if words.levels[int(grown.feature[t])] is None:
        return "cut"
    several = grown.level_start[t + 1] - grown.level_start[t] == parts and parts != 2
    return "levels" if several else "sets"


def _rows(values: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in values.tolist())


def _histogram(grown: Grown, nodes: NDArray[np.int64]) -> tuple[tuple[float, ...], ...]:
    if grown.bounds.size:
        return _rows(grown.value[nodes])
    known = dict(zip(grown.shown.tolist(), grown.histogram.tolist(), strict=True))
    return tuple(tuple(known.get(t, ())) for t in nodes.tolist())


def _tie_notes(grown: Grown, words: Words) -> tuple[str, ...]:
    """A sentence where the root could as well have been cut elsewhere."""
    if not grown.ties[0]:
        return ()
    more = f" and {grown.ties[0] - 1} more" if grown.ties[0] > 1 else ""
    return (
        f"the root is a tie: {words.tie(grown, 0)}{more} would gain just as much; taken is the lowest column, then the "
        "lowest threshold",
    )
