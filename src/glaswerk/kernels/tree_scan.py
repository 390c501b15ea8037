"""The best cut of one column in one node: rows in the column's order are walked once, sums run along.

A gain is how much a cut lowers W times the impurity. With target sums S and weights W, left part (s, u):
(sW - Su)² / (W u (W - u)) for squared errors, and so for Gini with two classes; the sums lie on a grid of whole
numbers, so that equal partitions have equal gains, bit for bit. With counts c per class: Σ c²/u (Gini),
Σ c ln (c/u) (entropy), max c (misclassification), of both parts, less that of the node.

Compiled into the growers that call them; none is a kernel by itself.
"""

import numpy as np

from glaswerk.kernels.compiling import loop, piece

SUMS, COUNTS, MANY = 0, 1, 2  # one number; one class per row; several numbers or flags per row
SQUARES, ENTROPY, MISTAKES = 0, 1, 2
NEARLY = 1.0 - 2e-15  # a product rounds otherwise than a quotient


@loop
def xlogx(x):
    return x * np.log(x) if x > 0.0 else 0.0


@loop
def largest(v):
    best = v[0]
    for k in range(1, v.size):
        best = max(best, v[k])
    return best


@loop
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


@loop
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


@piece
def scan_plain(order, rank, s, j, told, start, end, min_leaf, S, least_gain):
    """As `scan_sums`, for rows that weigh one and a column without gaps: places count from the node's first row.

    `told`: whether values repeat; `least_gain`: that of other columns, below which a cut is not wanted. Divisions are
    left to cuts that may be the best: d²/uv ≥ best ⇔ d² ≥ best uv.
    """
    W = float(end - start)
    best, bar, where, ties, second = -1.0, max(least_gain, -1.0) * W * NEARLY, -1, 0, -1
    a, u = 0.0, 0.0
    first = start + min_leaf - 1
    for p in range(start, first):
        a += s[order[j, p]]
        u += 1.0
    for p in range(first, end - min_leaf):
        a += s[order[j, p]]
        u += 1.0
        d = a * W - S * u
        uv = u * (W - u)
        if d * d < bar * uv:
            continue
        if told and rank[j, order[j, p]] == rank[j, order[j, p + 1]]:
            continue
        gain = d * d / uv
        if gain > best:
            best, bar, where, ties, second = gain, gain * NEARLY, p - start, 0, -1
        elif gain == best:
            ties += 1
            second = p - start if second < 0 else second
    return best / W if where >= 0 else -np.inf, where, ties, second, 0


@loop
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


@loop
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
