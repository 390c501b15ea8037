"""A Gaussian posterior that takes rows one at a time, as the triangular root of its precision."""

import math

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel


@kernel(types.void(IN2, IN1, OUT2, OUT2, OUT2, OUT2), reassociate=True)
def posterior_path(rows, targets, root, held, means, before):
    """Posterior after every row, by plane rotations: 4 p² multiplications a row, and nothing is ever subtracted.

    In: rows (n, p), targets (n,). In and out: root (p, p), upper triangular R with RᵀR the precision over the noise's;
    a zero in its first corner is a flat prior on the first weight. held (3, p): Rw first, then two rows of scratch.
    Out: means (n, p) after each row; before (n, 2), what was expected of the row and its variance over the noise's.
    """
    p = rows.shape[1]
    image, mean, row = held[0], held[1], held[2]
    mean[:] = 0.0
    for i in range(rows.shape[0]):
        flat = root[0, 0] == 0.0
        expected, variance = 0.0, 0.0
        for j in range(p):
            row[j] = rows[i, j]
            expected += row[j] * mean[j]
        if not flat:
            for j in range(p):
                line = root[j]
                across = row[j] / line[j]
                variance += across * across
                for k in range(j + 1, p):
                    row[k] -= line[k] * across
        before[i, 0], before[i, 1] = expected, np.inf if flat else variance
        for j in range(p):
            row[j] = rows[i, j]
        target = targets[i]
        for j in range(p):
            line, here = root[j], row[j]
            length = math.sqrt(line[j] * line[j] + here * here)
            if length == 0.0:
                continue
            cosine, sine = line[j] / length, here / length
            line[j] = length
            for k in range(j + 1, p):
                known, new = line[k], row[k]
                line[k] = cosine * known + sine * new
                row[k] = cosine * new - sine * known
            known = image[j]
            image[j] = cosine * known + sine * target
            target = cosine * target - sine * known
        for j in range(p - 1, -1, -1):
            line, total = root[j], image[j]
            for k in range(j + 1, p):
                total -= line[k] * mean[k]
            mean[j] = total / line[j] if line[j] > 0.0 else 0.0
            means[i, j] = mean[j]
