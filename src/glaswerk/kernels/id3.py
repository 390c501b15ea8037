"""Growth of a tree whose cuts give every value of a column its own child, by information gain, from counts alone.

Entropies are sums of c log₂ c, which come as whole numbers from a table: equal counts give equal gains to the bit, in
any order. Rows are numbers in an order in which those of a node lie together; one pass over them counts all columns.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import kernel

FEATURE, PARENT, CODE, DEPTH, START, END, TIES, TIE, AWAY, FIELDS = range(10)
SHORT2, SHORT1 = (types.Array(types.uint16, k, "C", readonly=True) for k in (2, 1))
ROWS = types.Array(types.uint32, 1, "C")
INTS = types.Array(types.int64, 1, "C", readonly=True)
NODES = types.Array(types.int32, 2, "C")
WHOLE1, WHOLE2 = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
BITS = 62  # columns of which a node remembers that they are constant


@numba.njit(error_model="numpy")
def _classes(order, y, start, end, table, count):
    """Σ F(c) over the classes of some rows, and whether they have one class only; `count` is left as zeros."""
    for i in order[start:end]:
        count[y[i]] += 1
    total, pure = 0, count[y[order[start]]] == end - start
    for i in order[start:end]:
        total += table[count[y[i]]]
        count[y[i]] = 0
    return total, pure


@numba.njit(error_model="numpy")
def _column(order, X, y, start, end, j, K, table, cells, totals):
    """Σ F over values less Σ F over values and classes of one column, and its values present; tables left as zeros."""
    if end - start == 2:  # of two classes, or the node would be a leaf
        return (table[2], 1) if X[order[start], j] == X[order[start + 1], j] else (0, 2)
    for i in order[start:end]:
        v = X[i, j]
        cells[v * K + y[i]] += 1
        totals[v] += 1
    spread, present = 0, 0
    for i in order[start:end]:
        v = X[i, j]
        spread -= table[cells[v * K + y[i]]]
        cells[v * K + y[i]] = 0
        if totals[v] > 0:
            spread += table[totals[v]]
            totals[v] = 0
            present += 1
    return spread, present


@numba.njit(error_model="numpy")
def _count_all(order, X, y, start, end, K, first, cells):
    """Rows by value and class for all columns at once."""
    for i in order[start:end]:
        c = y[i]
        for j in range(X.shape[1]):
            cells[(first[j] + X[i, j]) * K + c] += 1


@numba.njit(error_model="numpy")
def _counted(low, high, K, table, cells):
    """The same as `_column` from counts that are there; they are left as zeros."""
    spread, present = 0, 0
    for v in range(low, high):
        total = 0
        for k in range(v * K, v * K + K):
            spread -= table[cells[k]]
            total += cells[k]
            cells[k] = 0
        if total:
            spread += table[total]
            present += 1
    return spread, present


@numba.njit(error_model="numpy")
def _values(order, X, start, end, j, L, found, totals):
    """The values present, ascending, with their counts in `totals`; how many."""
    many = 0
    for i in order[start:end]:
        v = X[i, j]
        if totals[v] == 0:
            found[many] = v
            many += 1
        totals[v] += 1
    if many * 8 < L:
        found[:many].sort()
    else:
        many = 0
        for v in range(L):
            if totals[v]:
                found[many] = v
                many += 1
    return many


@numba.njit(error_model="numpy")
def _best(order, X, y, node, base, rule, tables, constant, gains):
    """The column of the largest gain, that gain, ties, the first of them, and the columns that are constant here.

    node: first and last row; rule: classes, what counts as equal, whether the search may end early; gains (d,), or of
    no length where nobody asks, takes what every column gains.
    """
    start, end = node
    K, equal, hasty = rule
    first, table, cells, totals = tables
    d = X.shape[1]
    at_once = (end - start) * d > 2 * first[d] * K
    if at_once:
        _count_all(order, X, y, start, end, K, first, cells)
    best, feature, ties, tie = -1, -1, 0, -1
    for j in range(d):
        if at_once:
            spread, present = _counted(first[j], first[j + 1], K, table, cells)
        elif j < BITS and constant >> j & 1:
            continue
        else:
            spread, present = _column(order, X, y, start, end, j, K, table, cells, totals)
        if present < 2:
            if j < BITS:
                constant |= 1 << j
            continue
        gain = max(base - spread, 0)
        if gains.size:
            gains[j] = gain
        if feature < 0 or gain > best + equal:
            best, feature, ties, tie = gain, j, 0, -1
        elif gain >= best - equal:
            ties += 1
            tie = j if tie < 0 else tie
        if spread == 0 and hasty and not at_once:
            break
    return feature, best, ties, tie, constant


@numba.njit(error_model="numpy")
def _part(order, X, start, end, feature, many, found, totals, place, moved):
    """Rows by value, values ascending; `place` ends behind each value's rows. Which value has most rows."""
    at, away = start, 0
    for q in range(many):
        place[found[q]] = at
        if totals[found[q]] > totals[found[away]]:
            away = q
        at += totals[found[q]]
    for i in order[start:end]:
        moved[place[X[i, feature]]] = i
        place[X[i, feature]] += 1
    order[start:end] = moved[start:end]
    return away


@kernel(types.int64(ROWS, SHORT2, SHORT1, INTS, INTS, INTS, NODES, WHOLE1, WHOLE2, WHOLE1))
def grow_values(order, X, y, first, whole, table, nodes, gains, told, told_node):
    """Nodes in preorder, and their gains times rows in the table's unit; how many nodes. `order`: rows by leaf.

    first: where each column's codes begin, one after another; whole: classes, greatest depth, least rows of a cut,
    least gain, what counts as equal, depth of nodes that are told, rows up to which a node's search ends at a cut that
    leaves nothing to gain, most codes of a column; table: F(c) = c log₂ c as whole numbers; told: gains of all columns
    in the nodes whose numbers are in told_node, as far as there is room. Of equal gains the lowest column is taken.
    """
    n, d = X.shape
    K, most = whole[0], whole[7]
    cells, totals = np.zeros(first[d] * K, np.int64), np.zeros(most, np.int64)
    count, found, place = np.zeros(K, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    moved, stack = np.empty_like(order), np.empty((n + 1, 6), np.int64)
    tables, nobody = (first, table, cells, totals), np.empty(0, np.int64)
    stack[0] = np.array([0, n, -1, 0, 0, 0])
    waiting, m, slot = 1, 0, 0
    while waiting:
        waiting -= 1
        start, end, parent, code, depth, constant = stack[waiting]
        t, m = m, m + 1
        nodes[t, FEATURE], nodes[t, PARENT], nodes[t, CODE], nodes[t, DEPTH] = -1, parent, code, depth
        nodes[t, START], nodes[t, END], nodes[t, TIES], nodes[t, TIE], nodes[t, AWAY] = start, end, 0, -1, 0
        gains[t] = 0
        rows = end - start
        together, pure = _classes(order, y, start, end, table, count)
        if pure or depth >= whole[1] or rows < whole[2]:
            continue
        asked = nobody
        if depth <= whole[5] and slot < told_node.size:
            asked, told_node[slot] = told[slot], t
            slot += 1
        rule = (K, whole[4], rows <= whole[6] and not asked.size)
        chosen = _best(order, X, y, (start, end), table[rows] - together, rule, tables, constant, asked)
        feature, best, ties, tie, constant = chosen
        if feature < 0 or best < whole[3]:
            continue
        many = _values(order, X, start, end, feature, first[feature + 1] - first[feature], found, totals)
        nodes[t, FEATURE], nodes[t, TIES], nodes[t, TIE], gains[t] = feature, ties, tie, best
        nodes[t, AWAY] = _part(order, X, start, end, feature, many, found, totals, place, moved)
        for q in range(many - 1, -1, -1):
            v = found[q]
            stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = place[v] - totals[v], place[v], t
            stack[waiting, 3], stack[waiting, 4], stack[waiting, 5] = v, depth + 1, constant
            waiting += 1
            totals[v] = 0
    return m
