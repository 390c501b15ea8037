"""Nearest rows: a balanced tree of boxes, and all rows streamed past queries. Both give the same rows and distances.

Distances are Σ |x - q|^p in the order of the columns, without their root, never from |x|² - 2xq + |q|²: rows far from
zero keep their neighbours. Of equally near rows the one that comes first is nearer.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN2, OUT2, kernel

LEAF = 32  # rows of a leaf, lanes of its distances
LANES = 64  # queries that rows are streamed past together
SINGLE = 1.2e-7  # twice the rounding of single precision
NEAR = 1e-30  # squared length below which products may underflow
FAR = 1e30  # squared length of a query beyond which its products may overflow
WHOLE1 = types.Array(types.int64, 1, "C", readonly=True)
OUTW1, OUTW2 = (types.Array(types.int64, k, "C") for k in (1, 2))
IN3 = types.Array(types.float64, 3, "C", readonly=True)
WHOLE2 = types.Array(types.int64, 2, "C", readonly=True)
SMALL1, SMALL2 = (types.Array(types.float32, k, "C", readonly=True) for k in (1, 2))


@numba.njit(error_model="numpy")
def _swap(points, order, a, b):
    for j in range(points.shape[1]):
        points[a, j], points[b, j] = points[b, j], points[a, j]
    order[a], order[b] = order[b], order[a]


@numba.njit(error_model="numpy")
def _select(points, order, column, first, last, middle):
    """Rows first … last - 1 such that none before `middle` is beyond it in `column`: Hoare's selection."""
    low, high = first, last - 1
    while low < high:
        a, b, c = points[low, column], points[(low + high) // 2, column], points[high, column]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while points[i, column] < pivot:
                i += 1
            while points[j, column] > pivot:
                j -= 1
            if i <= j:
                _swap(points, order, i, j)
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel(types.void(OUT2, OUTW1, OUT2, OUT2, types.int64, types.int64, types.int64, types.int64))
def grow_tree(points, order, low, high, node, first, last, stop):
    """Split rows first … last - 1 of `node` in halves along the widest side of its box, down to nodes >= `stop`.

    In and out: points (n, d) and order (n,), sorted into the tree; low, high (nodes, d), boxes by cutting. The children
    of node i are 2 i + 1 and 2 i + 2; rows halve as first … (first + last) // 2 … last.
    """
    d = points.shape[1]
    nodes = np.empty(64, np.int64)
    firsts, lasts = np.empty(64, np.int64), np.empty(64, np.int64)
    nodes[0], firsts[0], lasts[0] = node, first, last
    depth = 1
    while depth:
        depth -= 1
        at, a, b = nodes[depth], firsts[depth], lasts[depth]
        if at >= stop:
            continue
        column = 0
        for j in range(1, d):
            if high[at, j] - low[at, j] > high[at, column] - low[at, column]:
                column = j
        middle = (a + b) // 2
        _select(points, order, column, a, b, middle)
        left, right = 2 * at + 1, 2 * at + 2
        for j in range(d):
            low[left, j] = low[right, j] = low[at, j]
            high[left, j] = high[right, j] = high[at, j]
        high[left, column] = low[right, column] = points[middle, column]
        nodes[depth], firsts[depth], lasts[depth] = left, a, middle
        nodes[depth + 1], firsts[depth + 1], lasts[depth + 1] = right, middle, b
        depth += 2


@numba.njit(error_model="numpy")
def _gap(away, power):
    if power == 2.0:
        return away * away
    return away if power == 1.0 or power == np.inf else away**power


@numba.njit(error_model="numpy")
def _to_box(queries, i, low, high, node, power):
    """Never more than the distance of any row in the box, also as rounded: every step keeps the order."""
    total = 0.0
    for j in range(queries.shape[1]):
        q = queries[i, j]
        part = _gap(max(low[node, j] - q, q - high[node, j], 0.0), power)
        total = max(total, part) if power == np.inf else total + part
    return total


@numba.njit(error_model="numpy")
def _to_leaf(queries, i, tiles, leaf, power, found):
    """Distances of query i to the rows of a leaf, tiles[leaf] (d, LEAF)."""
    found[:] = 0.0
    for j in range(queries.shape[1]):
        q = queries[i, j]
        if power == 2.0:
            for r in range(LEAF):
                away = tiles[leaf, j, r] - q
                found[r] += away * away
        elif power == 1.0:
            for r in range(LEAF):
                found[r] += abs(tiles[leaf, j, r] - q)
        elif power == np.inf:
            for r in range(LEAF):
                found[r] = max(found[r], abs(tiles[leaf, j, r] - q))
        else:
            for r in range(LEAF):
                found[r] += abs(tiles[leaf, j, r] - q) ** power


@numba.njit(error_model="numpy")
def _insert(distance, row, nearest, rows):
    """Keep `row` among the nearest, by distance, then by number."""
    k = nearest.size - 1
    if distance > nearest[k] or (distance == nearest[k] and row > rows[k]):
        return
    while k > 0 and (nearest[k - 1] > distance or (nearest[k - 1] == distance and rows[k - 1] > row)):
        nearest[k], rows[k] = nearest[k - 1], rows[k - 1]
        k -= 1
    nearest[k], rows[k] = distance, row


@numba.njit(error_model="numpy")
def _insert_leaf(distances, places, leaf, mine, nearest, rows):
    """The rows of a leaf that are near enough, eight lanes looked at together: most of them hold nobody."""
    last = nearest.size - 1
    for start in range(0, LEAF, 8):
        limit, near = nearest[last], False
        for r in range(start, start + 8):
            near |= distances[r] <= limit
        if near:
            for r in range(start, start + 8):
                row = places[leaf, r]
                if distances[r] <= nearest[last] and row >= 0 and row != mine:
                    _insert(distances[r], row, nearest, rows)


@kernel(types.void(IN2, IN2, IN2, types.int64, OUTW1))
def box_of(low, high, queries, stop, boxes):
    """The first node >= `stop` that every query comes to, always into the nearer box: boxes (m,)."""
    for i in range(boxes.size):
        node = 0
        while node < stop:
            left = 2 * node + 1
            a, b = _to_box(queries, i, low, high, left, 2.0), _to_box(queries, i, low, high, left + 1, 2.0)
            node = left + (b < a)
        boxes[i] = node


# Rows of arrays are named by their numbers: a view would count its references at every node.
@kernel(types.void(IN3, WHOLE2, IN2, IN2, IN2, WHOLE1, WHOLE1, types.float64, OUT2, OUTW2))
def tree_neighbours(tiles, places, low, high, queries, turn, own, power, nearest, rows):
    """The k nearest rows of every query, in the order `turn`.

    In: tiles (leaves, d, LEAF) and places (leaves, LEAF), the number of each row or -1; low, high (nodes, d); own (m,)
    the row that a query may not find, or (0,). Out: nearest (m, k) filled with infinity, rows (m, k) with the largest
    integer.
    """
    leaves = tiles.shape[0]
    distances = np.empty(LEAF)
    waiting, far = np.empty(128, np.int64), np.empty(128)
    last = nearest.shape[1] - 1
    best, kept = np.empty(last + 1), np.empty(last + 1, np.int64)
    for place in range(turn.size):
        i = turn[place]
        mine = own[i] if own.size else -1
        best[:], kept[:] = nearest[i], rows[i]
        waiting[0], far[0] = 0, 0.0
        depth = 1
        while depth:
            depth -= 1
            node = waiting[depth]
            if far[depth] > best[last]:
                continue
            while node < leaves - 1:
                left = 2 * node + 1
                a = _to_box(queries, i, low, high, left, power)
                b = _to_box(queries, i, low, high, left + 1, power)
                waiting[depth], far[depth] = (left, a) if b < a else (left + 1, b)
                node = left + (b < a)
                depth += far[depth] <= best[last]
            _to_leaf(queries, i, tiles, node - leaves + 1, power, distances)
            _insert_leaf(distances, places, node - leaves + 1, mine, best, kept)
        nearest[i], rows[i] = best, kept


@numba.njit(error_model="numpy", fastmath={"contract", "nsz"})
def _products(rows, r, other, tile, first, second):
    """first, second += rows[r] · tile, rows[other] · tile for every lane; columns by eights, then one by one."""
    d = rows.shape[1]
    whole = d - d % 8
    for j in range(0, whole, 8):
        for i in range(LANES):
            a, b = first[i], second[i]
            for s in range(8):
                t = tile[j + s, i]
                a += rows[r, j + s] * t
                b += rows[other, j + s] * t
            first[i], second[i] = a, b
    for j in range(whole, d):
        for i in range(LANES):
            first[i] += rows[r, j] * tile[j, i]
            second[i] += rows[other, j] * tile[j, i]


@numba.njit(error_model="numpy")
def _load(queries, begin, lanes, scale, tile, lengths, limit):
    """-2 q of up to LANES queries, their squared lengths; the limits of lanes that know no row yet, or are idle."""
    limit[:] = -np.inf
    for i in range(lanes):
        lengths[i] = 0.0
        for j in range(queries.shape[1]):
            q = scale * queries[begin + i, j]
            tile[j, i] = -2.0 * q
            lengths[i] += q * q
        limit[i] = np.inf


@kernel(types.void(IN2, SMALL2, SMALL1, types.float64, IN2, WHOLE1, types.int64, types.int64, OUT2, OUTW2))
def all_neighbours(X, small, squares, scale, queries, own, start, stop, nearest, rows):
    """The k nearest rows of queries start … stop - 1 by squared distance, all rows streamed past LANES of them.

    A product |x|² - 2xq in single precision only says which rows may be near enough, with room for its rounding; their
    distance is then computed from the differences of doubles. In: X (n, d) about its centre, small (n, d) = scale · X
    of length one at most, squares (n,) = |small|². Out as for the tree.
    """
    n, d = X.shape
    k = nearest.shape[1] - 1
    surely = 1.0 - 4.0 * (d + 4) * SINGLE  # what rounding leaves of |x|² and |q|²: long rows need more room than short
    tile = np.zeros((d, LANES), np.float32)
    first, second, limit = np.empty(LANES, np.float32), np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    lengths = np.empty(LANES)
    for begin in range(start, stop, LANES):
        lanes = min(LANES, stop - begin)
        _load(queries, begin, lanes, scale, tile, lengths, limit)
        for r in range(0, n, 2):
            pair = min(r + 1, n - 1)
            first[:], second[:] = surely * squares[r], surely * squares[pair]
            _products(small, r, pair, tile, first, second)
            hits = 0
            for i in range(LANES):  # a product that overflowed is no reason to leave a row out
                hits += (not first[i] > limit[i]) | (not second[i] > limit[i])
            if hits == 0:
                continue
            for i in range(lanes):
                for row in range(r, pair + 1):
                    score = first[i] if row == r else second[i]
                    if score > limit[i] or (own.size and own[begin + i] == row):
                        continue
                    total = 0.0
                    for j in range(d):
                        away = X[row, j] - queries[begin + i, j]
                        total += away * away
                    _insert(total, row, nearest[begin + i], rows[begin + i])
                    if lengths[i] < FAR:
                        limit[i] = nearest[begin + i, k] * scale * scale - surely * lengths[i] + NEAR
