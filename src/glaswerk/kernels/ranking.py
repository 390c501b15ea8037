"""Columns as ranks: the distinct values of a column numbered in order, so that trees compare whole numbers.

A key keeps the order of doubles; keys are sorted digit by digit (2048 at a time), beginning at the lowest digit that
tells them apart. What the digits leave open is settled by insertion.
"""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, inner, kernel

DIGIT = 11
FIRST_BITS = 33  # three digits tell nearly all values of a column apart
U32_1 = types.Array(types.uint32, 1, "C")
OUT1 = types.Array(types.float64, 1, "C")


@inner
def _keys(x, key):
    """Doubles as whole numbers in the same order, missing cells last; how many cells are there."""
    bits = x.view(np.uint64)
    sign = np.uint64(1) << np.uint64(63)
    there = 0
    for i in range(x.size):
        if x[i] == x[i]:
            b = bits[i]
            if x[i] == 0.0:
                b = np.uint64(0)
            key[i] = ~b if b & sign else b | sign
            there += 1
        else:
            key[i] = ~np.uint64(0)
    return there


@inner
def sort_by_digits(key, order, spare, low, bits):
    """`order` sorted by bits `low` … `low + bits` of the key; stable."""
    count = np.empty(1 << DIGIT, np.int64)
    mask = np.uint64((1 << DIGIT) - 1)
    done = 0
    a, b = order, spare
    while done < bits:
        shift = np.uint64(low + done)
        for v in range(count.size):
            count[v] = 0
        for i in range(a.size):
            count[(key[i] >> shift) & mask] += 1
        total = 0
        for v in range(count.size):
            here = count[v]
            count[v] = total
            total += here
        for p in range(a.size):
            i = a[p]
            v = (key[i] >> shift) & mask
            b[count[v]] = i
            count[v] += 1
        a, b = b, a
        done += DIGIT
    if (bits + DIGIT - 1) // DIGIT % 2:
        for p in range(order.size):
            order[p] = spare[p]


@inner
def _sorted(key, order, spare):
    """Row numbers in the order of their keys."""
    low, high = key[0], key[0]
    for i in range(key.size):
        low, high = min(low, key[i]), max(high, key[i])
        order[i] = i
    width = 0
    span = high - low
    while width < 64 and span >> np.uint64(width):
        width += 1
    for i in range(key.size):
        key[i] -= low
    from_bit = max(0, width - FIRST_BITS)
    sort_by_digits(key, order, spare, from_bit, width - from_bit)
    unsettled = 0
    for p in range(1, key.size):
        unsettled += key[order[p]] < key[order[p - 1]]
    if unsettled * 16 > key.size:
        sort_by_digits(key, order, spare, 0, width)
        return
    if unsettled:
        for p in range(1, key.size):
            i, q = order[p], p
            while q > 0 and key[order[q - 1]] > key[i]:
                order[q] = order[q - 1]
                q -= 1
            order[q] = i


@kernel(types.int64(IN1, U32_1, OUT1))
def rank_column(x, rank, values):
    """Ranks of the cells and the distinct values, sorted; returns their number, which is the rank of a missing cell.

    In: x (n,), n > 0. Out: rank (n,), values (n,), of which the returned number is filled.
    """
    key = np.empty(x.size, np.uint64)
    order, spare = np.empty(x.size, np.uint32), np.empty(x.size, np.uint32)
    there = _keys(x, key)
    _sorted(key, order, spare)
    found = 0
    for p in range(there):
        i = order[p]
        if p == 0 or key[i] != key[order[p - 1]]:
            values[found] = x[i] + 0.0
            found += 1
        rank[i] = found - 1
    for p in range(there, x.size):
        rank[order[p]] = found
    return found
