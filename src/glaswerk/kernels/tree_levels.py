"""Cuts of a column of categories in one node: two sets of levels, or one part per level.

Two sets: levels in the order of their mean, cut like a number, hold the best pair of sets for squared errors and for
two classes (Fisher; Breiman et al. 4.2.2). With more classes or targets: every pair of sets up to `exact` levels;
beyond, the best over the orders by each class's share (each target's mean), which may miss the best.
"""

import numpy as np

from glaswerk.kernels.compiling import loop
from glaswerk.kernels.tree_scan import COUNTS, SUMS, score


@loop
def _gather(order, rank, mode, data, w, group):
    """Sums of each level present: group holds level, rows, weight, components…; how many levels."""
    found = -1
    level = np.uint32(0)
    for p in range(order.size):
        i = order[p]
        if found < 0 or rank[i] != level:
            found += 1
            level = rank[i]
            for k in range(group.shape[1]):
                group[found, k] = 0.0
            group[found, 0] = level
        group[found, 1] += 1.0
        group[found, 2] += w[i]
        if mode == SUMS:
            group[found, 3] += data.s[i]
        elif mode == COUNTS:
            group[found, 3 + data.c[i]] += w[i]
        else:
            for k in range(data.Y.shape[1]):
                group[found, 3 + k] += data.Y[i, k]
    return found + 1


@loop
def part_gain(part, u, total, W, mode, criterion, groups):
    """What one part adds: (sW - Su)² / (u W²) for sums, else its score."""
    if mode == SUMS:
        d = part[0] * W - total[0] * u
        return d * d / (u * W) / W
    return score(part, u, criterion, groups)


@loop
def _cut_in_order(group, L, sorted_levels, total, W, mode, rule, groups, left, right):
    """Best cut of levels in an order: gain, and how many levels go left."""
    min_leaf, least, criterion, tolerance, n_rows = rule
    best, where = -np.inf, -1
    for k in range(left.size):
        left[k] = 0.0
    u, rows = 0.0, 0.0
    for q in range(L - 1):
        g = group[sorted_levels[q]]
        rows += g[1]
        u += g[2]
        for k in range(total.size):
            left[k] += g[3 + k]
            right[k] = total[k] - left[k]
        v = W - u
        if rows < min_leaf or n_rows - rows < min_leaf or u < least or v < least:
            continue
        gain = part_gain(left, u, total, W, mode, criterion, groups)
        gain += part_gain(right, v, total, W, mode, criterion, groups)
        if gain > best + tolerance:
            best, where = gain, q + 1
    return best, where


@loop
def _all_pairs(group, L, total, W, mode, rule, groups, left, right):
    """Best pair of sets among all: gain, and the levels that go left as bits."""
    min_leaf, least, criterion, tolerance, n_rows = rule
    best, chosen = -np.inf, 0
    for bits in range(1, 1 << (L - 1)):
        for k in range(left.size):
            left[k] = 0.0
        u, rows = 0.0, 0.0
        for q in range(L - 1):
            if bits >> q & 1:
                rows += group[q, 1]
                u += group[q, 2]
                for k in range(total.size):
                    left[k] += group[q, 3 + k]
        v = W - u
        if rows < min_leaf or n_rows - rows < min_leaf or u < least or v < least:
            continue
        for k in range(total.size):
            right[k] = total[k] - left[k]
        gain = part_gain(left, u, total, W, mode, criterion, groups)
        gain += part_gain(right, v, total, W, mode, criterion, groups)
        if gain > best + tolerance:
            best, chosen = gain, bits
    return best, chosen


@loop
def _one_each(group, L, total, W, mode, rule, groups):
    """Gain of one part per level; -inf where a part would be too small."""
    min_leaf, least, criterion, _, _ = rule
    gain = 0.0
    for q in range(L):
        if group[q, 1] < min_leaf or group[q, 2] < least:
            return -np.inf
        gain += part_gain(group[q, 3 : 3 + total.size], group[q, 2], total, W, mode, criterion, groups)
    return gain


@loop
def _sift(means, order, top, size):
    """Push a level down a heap whose top is the largest (mean, level)."""
    while 2 * top + 1 < size:
        q = 2 * top + 1
        if q + 1 < size and _after(means, order[q + 1], order[q]):
            q += 1
        if not _after(means, order[q], order[top]):
            return
        order[top], order[q] = order[q], order[top]
        top = q


@loop
def _after(means, a, b):
    return means[a] > means[b] or (means[a] == means[b] and a > b)


@loop
def _sort(means, order):
    """Levels by mean, equal means by level."""
    for q in range(means.size):
        order[q] = q
    for top in range(means.size // 2 - 1, -1, -1):
        _sift(means, order, top, means.size)
    for size in range(means.size - 1, 0, -1):
        order[0], order[size] = order[size], order[0]
        _sift(means, order, 0, size)


@loop
def cut_by_mean(group, L, k, total, W, mode, rule, groups, slot, left, right, means, by_mean, best):
    """Best cut of levels in the order of their mean of component k, if it is better than `best`, else that."""
    for q in range(L):
        means[q] = group[q, 3 + k] / group[q, 2]
    _sort(means, by_mean)
    gain, where = _cut_in_order(group, L, by_mean, total, W, mode, rule, groups, left, right)
    if gain <= best + rule[3]:
        return best
    for q in range(L):
        slot[int(group[by_mean[q], 0])] = 0 if q < where else 1
    return gain


@loop
def scan_levels(order, rank, mode, data, w, total, W, rule, groups, setting, group, slot, left, right, means, by_mean):
    """Best cut of a categorical column: gain and number of parts; `slot` gets every present level's part.

    `setting`: whether every level gets its own part, how many levels are searched exactly.
    """
    multiway, exact = setting
    size = total.size
    L = _gather(order, rank, mode, data, w, group)
    if L < 2:
        return -np.inf, 0
    if multiway:
        for q in range(L):
            slot[int(group[q, 0])] = q
        return _one_each(group, L, total, W, mode, rule, groups), L
    components = 1 if mode == SUMS or (mode == COUNTS and size == 2) else size
    if components > 1 and exact >= L:
        gain, bits = _all_pairs(group, L, total, W, mode, rule, groups, left, right)
        for q in range(L):
            slot[int(group[q, 0])] = 0 if bits >> q & 1 else 1
        return gain, 2
    best = -np.inf
    for k in range(components):
        best = cut_by_mean(
            group, L, k, total, W, mode, rule, groups, slot, left, right, means[:L], by_mean[:L], best
        )  # fmt: skip
    return best, 2


@loop
def parent_part(total, W, mode, criterion, groups):
    """What is subtracted from scores to have gains."""
    return 0.0 if mode == SUMS else score(total, W, criterion, groups)
