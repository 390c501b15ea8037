"""A Gaussian posterior that takes rows one at a time, as the triangular root of its precision."""

import math

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel

LANES = 8  # columns that are turned at once: lines are as wide as a multiple of it, filled up with zeros


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _turn(lines, row, image, target, inverse):
    """Turn a row and its target into the root, by plane rotations; returns the row's variance over the noise's.

    1 + v = Π (1 + (row_j / R_jj)²), the growth of the determinant: every term is positive, so v keeps its digits.
    """
    p, width = lines.shape
    variance = 0.0
    for j in range(p):
        line, old, here = lines[j], lines[j, j], row[j]
        length = math.sqrt(old * old + here * here)
        if length == 0.0:
            continue
        inverse[j] = 1.0 / length
        cosine, sine = old * inverse[j], here * inverse[j]
        ratio = here / old
        variance += ratio * ratio * (1.0 + variance)
        for start in range(j // LANES * LANES, width, LANES):
            for k in range(start, start + LANES):
                known, new = line[k], row[k]
                line[k] = cosine * known + sine * new
                row[k] = cosine * new - sine * known
        row[j] = 0.0  # exactly: what rounding leaves there would creep into the lines below
        known = image[j]
        image[j] = cosine * known + sine * target
        target = cosine * target - sine * known
    return variance


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _back(lines, image, inverse, mean):
    """mean ← R⁻¹ image; zero where the root says nothing."""
    p, width = lines.shape
    for j in range(p - 1, -1, -1):
        line, total = lines[j], image[j]
        mean[j] = 0.0
        for start in range(j // LANES * LANES, width, LANES):
            for k in range(start, start + LANES):
                total -= line[k] * mean[k]
        mean[j] = total * inverse[j]


@kernel(types.void(IN2, IN1, OUT2, OUT2, OUT2, OUT2), reassociate=True)
def posterior_path(rows, targets, root, held, means, before):
    """Posterior after every row, by plane rotations: 3 p² multiplications a row, and nothing is ever subtracted.

    In: rows (n, p), targets (n,). In and out: root (p, p), upper triangular R with RᵀR the precision over the noise's;
    a zero in its first corner is a flat prior on the first weight. held (1, p): Rw.
    Out: means (n, p) after each row; before (n, 2), what was expected of the row and its variance over the noise's.
    """
    n, p = rows.shape
    width = -(-p // LANES) * LANES
    lines, row, mean, inverse = np.zeros((p, width)), np.zeros(width), np.zeros(width), np.zeros(p)
    lines[:, :p] = root
    for i in range(n):
        expected, flat = 0.0, lines[0, 0] == 0.0
        for j in range(p):
            row[j] = rows[i, j]
            expected += row[j] * mean[j]
        variance = _turn(lines, row, held[0], targets[i], inverse)
        before[i, 0], before[i, 1] = expected, np.inf if flat else variance
        _back(lines, held[0], inverse, mean)
        for j in range(p):
            means[i, j] = mean[j]
    root[:] = lines[:, :p]
