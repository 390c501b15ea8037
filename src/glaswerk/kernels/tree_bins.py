"""Cells as numbers of bins, and sums by node, column and bin: what a level of a tree observes of rows that pass by."""

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN2, kernel

CODES = types.Array(types.uint8, 2, "C")
CODES_IN = types.Array(types.uint8, 2, "C", readonly=True)
SLOTS = types.Array(types.int32, 1, "C", readonly=True)
SUMS4 = types.Array(types.float64, 4, "C")


@kernel(types.void(IN2, IN2, CODES))
def bin_cells(cells, edges, codes):
    """How many of a column's 255 edges (sorted, the unused ones infinite) lie below each cell; 255 where it is missing.

    In: cells (d, n), edges (d, 255). Out: codes (n, d). Eight steps without a branch: heavy tails cost no more.
    """
    for j in range(cells.shape[0]):
        edge, x = edges[j], cells[j]
        for i in range(x.size):
            low = 0
            for k in range(8):
                step = 128 >> k
                low += step if edge[low + step - 1] < x[i] else 0
            codes[i, j] = low if x[i] == x[i] else 255


@kernel(types.void(CODES_IN, SLOTS, SLOTS, IN2, SLOTS, SUMS4))
def bin_sums(codes, rows, slot, parts, classes, sums):
    """Add every row of a node to the bins it lies in.

    In: codes (n, d); rows (m,): those to add, node by node, so that a node's sums stay near; slot (n,): a row's node;
    parts (n, P): 1, the weight, weighted targets; classes (n,) or (0,): each row's class, whose weight is the last of
    its parts. In and out: sums (A, d, 256, P + K).
    """
    P = parts.shape[1]
    for p in range(rows.size):
        i = rows[p]
        a = slot[i]
        for j in range(codes.shape[1]):
            here = sums[a, j, np.int64(codes[i, j])]
            for k in range(P):
                here[k] += parts[i, k]
            if classes.size:
                here[P + classes[i]] += parts[i, P - 1]
