"""The best cut of one column in one node: rows in the column's order are walked once, sums run along.

A gain is how much a cut lowers W times the impurity. With target sums S and weights W, left part (s, u):
(sW - Su)² / (W u (W - u)) for squared errors, and so for Gini with two classes; the sums lie on a grid of whole
numbers, so that equal partitions have equal gains, bit for bit. With counts c per class: Σ c²/u (Gini),
Σ c ln (c/u) (entropy), max c (misclassification), of both parts, less that of the node.

Compiled into the growers that call them; none is a kernel by itself.
"""

import numpy as np

from glaswerk.kernels.compiling import inner

SUMS, COUNTS, MANY = 0, 1, 2  # one number; one class per row; several numbers or flags per row
SQUARES, ENTROPY, MISTAKES = 0, 1, 2


@inner
def xlogx(x):
    return x * np.log(x) if x > 0.0 else 0.0


@inner
def largest(v):
    best = v[0]
    for k in range(1, v.size):
        best = max(best, v[k])
    return best


@inner
def score(v, u, criterion, groups):
    """Σ v²/u, Σ v ln v - u ln u per output, or the largest class of every output."""
    total = 0.0
    if criterion == SQUARES:
        for k in range(v.size):
            total += v[k] * v[k]
        return total / u
    if criterion == ENTROPY:
        for k in range(v.size):
            total += xlogx(v[k])
        return total - (groups.size - 1) * xlogx(u)
    for g in range(groups.size - 1):
        best = 0.0
        for k in range(groups[g], groups[g + 1]):
            best = max(best, v[k])
        total += best
    return total


@inner
def scan_sums(order, rank, s, w, s0, u0, span, S, W, least):
    """Best cut of squared errors: (gain, place p, equal cuts, place of the first of them); cuts lie behind p.

    `span` = first and last place allowed by leaf sizes; (s0, u0) are rows that go left whatever the cut.
    """
    best, where, ties, second = -1.0, -1, 0, -1
    a, u = s0, u0
    first, last = span
    for p in range(first):
        a += s[order[p]]
        u += w[order[p]]
    i = order[first]
    r = rank[i]
    for p in range(first, last + 1):
        a += s[i]
        u += w[i]
        i = order[p + 1]
        following = rank[i]
        if following != r:
            r = following
            v = W - u
            if u >= least and v >= least:
                d = a * W - S * u
                gain = d * d / (u * v)
                if gain > best:
                    best, where, ties, second = gain, p, 0, -1
                elif gain == best:
                    ties += 1
                    if second < 0:
                        second = p
    return best / W, where, ties, second


@inner
def scan_plain(order, rank, s, j, start, end, min_leaf, S):
    """As `scan_sums`, for rows that weigh one and a column without gaps: places count from the node's first row.

    No part of an array is taken: counting references would cost more than a small node's scan.
    """
    best, where, ties, second = -1.0, -1, 0, -1
    n = end - start
    W = float(n)
    a = 0.0
    p = start
    stop = start + min_leaf - 1
    while p < stop:
        a += s[order[j, p]]
        p += 1
    i = order[j, p]
    r = rank[j, i]
    stop = end - min_leaf
    while p < stop:
        a += s[i]
        p += 1
        i = order[j, p]
        following = rank[j, i]
        if following != r:
            r = following
            u = float(p - start)
            d = a * W - S * u
            gain = d * d / (u * (W - u))
            if gain > best:
                best, where, ties, second = gain, p - 1, 0, -1
            elif gain == best:
                ties += 1
                if second < 0:
                    second = p - 1
    return best / W, where - start, ties, second - start


@inner
def search_plain(order, rank, s, columns, start, end, min_leaf, S, enough, found):
    """Best cut of a node over all columns, where all are numbers and rows weigh one: gain, or -2 if a cell is missing.

    Columns come in order, so that of equal gains the first is the one to take. `found` is filled as by `search`.
    """
    best = -np.inf
    for j in range(order.shape[0]):
        last = rank[j, order[j, end - 1]]
        if last == columns[j, 0]:
            return -2.0
        if rank[j, order[j, start]] == last:
            continue
        gain, p, ties, second = scan_plain(order, rank, s, j, start, end, min_leaf, S)
        if p < 0 or gain < best:
            continue
        left, right = rank[j, order[j, start + p]], rank[j, order[j, start + p + 1]]
        if gain > best:
            best = gain
            found[0], found[1], found[2], found[3], found[4] = j, left, right, 0, ties
            if ties:
                q = start + second
                found[5], found[6], found[7] = j, rank[j, order[j, q]], rank[j, order[j, q + 1]]
        else:
            if found[4] == 0:
                found[5], found[6], found[7] = j, left, right
            found[4] += 1 + ties
        if best >= enough:
            break
    return best


@inner
def scan_counts(order, rank, c, w, base, u0, span, total, W, least, criterion, tolerance, left, right):
    """As `scan_sums`, for one class per row; left and right are scratch for counts."""
    best, where, ties, second = -np.inf, -1, 0, -1
    a, b, u = 0.0, 0.0, u0
    for k in range(total.size):
        left[k] = base[k]
        right[k] = total[k] - base[k]
        a += left[k] * left[k] if criterion == SQUARES else xlogx(left[k])
        b += right[k] * right[k] if criterion == SQUARES else xlogx(right[k])
    first, last = span
    for p in range(last + 1):
        i = order[p]
        k = c[i]
        x = w[i]
        if criterion == SQUARES:
            a += x * (2.0 * left[k] + x)
            b -= x * (2.0 * right[k] - x)
        elif criterion == ENTROPY:
            a += xlogx(left[k] + x) - xlogx(left[k])
            b += xlogx(right[k] - x) - xlogx(right[k])
        left[k] += x
        right[k] -= x
        u += x
        if p < first or rank[i] == rank[order[p + 1]]:
            continue
        v = W - u
        if u < least or v < least:
            continue
        if criterion == SQUARES:
            gain = (a * v + b * u) / (u * v)
        elif criterion == ENTROPY:
            gain = a + b - (xlogx(u) + xlogx(v))
        else:
            gain = largest(left) + largest(right)
        if gain > best + tolerance:
            best, where, ties, second = gain, p, 0, -1
        elif gain >= best - tolerance:
            ties += 1
            if second < 0:
                second = p
    return best, where, ties, second


@inner
def scan_many(order, rank, Y, w, base, u0, span, total, W, least, criterion, tolerance, groups, left, right):
    """As `scan_sums`, for several numbers (or flags of classes) per row."""
    best, where, ties, second = -np.inf, -1, 0, -1
    u = u0
    for k in range(total.size):
        left[k] = base[k]
        right[k] = total[k] - base[k]
    first, last = span
    for p in range(last + 1):
        i = order[p]
        for k in range(total.size):
            left[k] += Y[i, k]
            right[k] -= Y[i, k]
        u += w[i]
        if p < first or rank[i] == rank[order[p + 1]]:
            continue
        v = W - u
        if u < least or v < least:
            continue
        gain = score(left, u, criterion, groups) + score(right, v, criterion, groups)
        if gain > best + tolerance:
            best, where, ties, second = gain, p, 0, -1
        elif gain >= best - tolerance:
            ties += 1
            if second < 0:
                second = p
    return best, where, ties, second
