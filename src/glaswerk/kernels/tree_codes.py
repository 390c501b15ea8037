"""Rows of numbers as bytes: how many of a column's edges lie below each cell. Any increasing edges will do."""

from numba import types

from glaswerk.kernels.compiling import IN2, kernel

GAP = 255  # the code of a missing number
INTS1 = types.Array(types.int64, 1, "C", readonly=True)
BYTES2 = types.Array(types.uint8, 2, "C")
OUT2 = types.Array(types.float64, 2, "C")


@kernel(types.void(IN2, IN2, INTS1, types.int64, types.int64, BYTES2, OUT2, BYTES2))
def code_rows(X, edges, levels, first, last, codes, seen, mixed):
    """Codes of the rows first … last; whether a code stands for several values.

    In: X (n, d); edges (d, 256), infinite after the last; levels (d,): categories are their own codes, a missing one
    comes after the others. Out: codes (d, n); seen (d, 256): a value of each code, NaN at first; mixed (d, 256).
    """
    for begin in range(first, last, 256):
        end = min(begin + 256, last)
        for j in range(X.shape[1]):
            for i in range(begin, end):
                x = X[i, j]
                if levels[j]:
                    codes[j, i] = levels[j] if x != x else int(x)
                    continue
                c = 0
                for k in range(7, -1, -1):
                    c += (edges[j, c + (1 << k) - 1] < x) << k
                if x != x:
                    c = GAP
                codes[j, i] = c
                if seen[j, c] != x:
                    if seen[j, c] == seen[j, c]:
                        mixed[j, c] = 1
                    seen[j, c] = x
