"""Leave-one-out of a weighted mean with Gaussian weights, for many bandwidths from one pass over pairs of rows.

    E(h) = Σ wᵢ (yᵢ - m₋ᵢ(xᵢ; h))² / Σ wᵢ,   m₋ᵢ the mean from all rows but one copy of row i               [BG-NWLOO]

exp(-D/2h²) at h/√2 is its own square: bandwidths √2 apart cost one exponential, and a squaring each.
"""

import numpy as np

from glaswerk.base import Array

CELLS = 1 << 19


def left_out_errors(rows: Array, Y: Array, weight: Array, factors: Array, which: Array) -> Array:
    """E for each factor of the rows' units; the rows `which` are left out in turn, each predicted from all others."""
    total, count = np.zeros(len(factors)), 0.0
    half = 0.5 * np.einsum("ij,ij->i", rows, rows)
    step = max(1, CELLS // len(rows))
    for first in range(0, len(which), step):
        part = which[first : first + step]
        cells = rows[part] @ rows.T - half - half[part, None]
        np.minimum(cells, 0.0, out=cells)
        own = np.maximum(weight[part] - 1.0, 0.0)
        cells[np.arange(len(part)), part] = np.where(own > 0, 0.0, -np.inf)
        cells -= cells.max(axis=1, keepdims=True)
        total += _errors_of(cells, part, Y, weight, own, factors)
        count += float(weight[part].sum())
    return total / count


def _errors_of(cells: Array, part: Array, Y: Array, weight: Array, own: Array, factors: Array) -> Array:
    """Sums of squares of these rows; `cells` are exponents at factor 1, the greatest 0, and are used up."""
    found, sides = np.empty(len(factors)), np.column_stack([Y, np.ones(len(Y))])
    mine, there = np.arange(len(part)), weight[part]
    kernel = np.empty_like(cells)
    for k, factor in enumerate(factors):
        if k and np.isclose(factors[k - 1] / factor, np.sqrt(2.0), rtol=1e-12):
            kernel *= kernel
        else:
            np.exp(cells / factor**2, out=kernel)
        mass = kernel[mine, part] * (there - own)  # one copy of the row itself, taken out again
        sums = kernel @ (sides * weight[:, None]) - mass[:, None] * sides[part]
        found[k] = there @ ((sums[:, :-1] / sums[:, -1:] - Y[part]) ** 2).sum(axis=1)
    return found
