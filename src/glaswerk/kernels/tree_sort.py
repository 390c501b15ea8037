"""Rows in the order of a column, and the column as ranks: the distinct values numbered, so that trees compare integers.

A key keeps the order of doubles. Words of a key's upper digits and the row's number are sorted digit by digit; what the
digits leave open is settled by insertion, and where that would take long, by the digits that are left.
"""

import numpy as np

from glaswerk.kernels.compiling import loop

DIGIT = 11
MANY_ROWS = 32_768  # from here on two digits leave too many rows untold
MISSING = np.uint32(0xFFFFFFFF)  # rank of a missing number
SIGN = np.uint64(1 << 63)
ROW = np.uint64(0xFFFFFFFF)


@loop
def _keys(x, n, key, order):
    """Doubles as whole numbers in the same order, missing cells last, the least of them as 0; bits of the largest."""
    bits = x.view(np.uint64)
    low, high = ~np.uint64(0), np.uint64(0)
    for i in range(n):
        b = bits[i] if x[i] != 0.0 else np.uint64(0)
        k = ~b if b & SIGN else b | SIGN
        if x[i] != x[i]:
            k = ~np.uint64(0)
        key[i] = k
        order[i] = i
        low, high = min(low, k), max(high, k)
    for i in range(n):
        key[i] -= low
    width = 0
    while width < 64 and (high - low) >> np.uint64(width):
        width += 1
    return width


@loop
def _by_digits(key, order, n, low, bits, word, spare, count):
    """`order` sorted by bits `low` … `low + bits` of the key (32 at most); stable."""
    low, mask = np.uint64(low), (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for p in range(n):
        i = order[p]
        word[p] = ((key[i] >> low) & mask) << np.uint64(32) | np.uint64(i)
    a, b = word, spare
    digit = np.uint64((1 << DIGIT) - 1)
    for done in range(0, bits, DIGIT):
        shift = np.uint64(32 + done)
        for v in range(count.size):
            count[v] = 0
        for p in range(n):
            count[(a[p] >> shift) & digit] += 1
        total = 0
        for v in range(count.size):
            here = count[v]
            count[v] = total
            total += here
        for p in range(n):
            v = (a[p] >> shift) & digit
            b[count[v]] = a[p]
            count[v] += 1
        a, b = b, a
    for p in range(n):
        order[p] = a[p] & ROW


@loop
def _settle(key, order, n):
    """Insertion; whether it came to an end before it took too long."""
    moved = 0
    for p in range(1, n):
        i = order[p]
        q = p
        while q > 0 and key[order[q - 1]] > key[i]:
            order[q] = order[q - 1]
            q -= 1
        order[q] = i
        moved += p - q
        if moved > 4 * n + 64:
            return False
    return True


@loop
def sort_column(x, n, key, word, spare, count, order, rank):
    """Row numbers in the order of x[:n] and the ranks; whether values repeat, whether cells are missing (1 and 2)."""
    width = _keys(x, n, key, order)
    if n > 24 or not _settle(key, order, n):
        bits = min(width, 2 * DIGIT if n < MANY_ROWS else 32)
        _by_digits(key, order, n, width - bits, bits, word, spare, count)
        if bits < width and not _settle(key, order, n):
            _by_digits(key, order, n, 0, min(width, 32), word, spare, count)
            if width > 32:
                _by_digits(key, order, n, 32, width - 32, word, spare, count)
    found, last = 0, key[order[0]]
    for p in range(n):
        i = order[p]
        found += key[i] != last
        last = key[i]
        rank[i] = found
    told = 1 if found + 1 < n else 0
    p = n - 1
    while p >= 0 and x[order[p]] != x[order[p]]:
        rank[order[p]] = MISSING
        p -= 1
    return told | (2 if p < n - 1 else 0)
