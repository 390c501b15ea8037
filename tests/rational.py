"""Least squares in exact rational arithmetic: the solution that the stored numbers have, to any digit."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def exact_least_squares(X: NDArray | list, y: NDArray, weight: NDArray | None = None) -> list[Fraction]:
    """Coefficients and, last, the intercept; X as stored floats, or as lists of fractions."""
    rows = [[*map(Fraction, row), Fraction(1)] for row in (X.tolist() if isinstance(X, np.ndarray) else X)]
    right = list(map(Fraction, y.tolist()))
    counts = [Fraction(1)] * len(rows) if weight is None else list(map(Fraction, weight.tolist()))
    size = len(rows[0])
    system = [
        [sum(w * r[i] * r[j] for r, w in zip(rows, counts, strict=True)) for j in range(size)]
        + [sum(w * r[i] * t for r, t, w in zip(rows, right, counts, strict=True))]
        for i in range(size)
    ]
    return eliminate(system)


def eliminate(system: list[list[Fraction]]) -> list[Fraction]:
    """Gauss and Jordan."""
    size = len(system)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(system[row][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for row in range(size):
            if row != i and system[row][i]:
                factor = system[row][i] / system[i][i]
                system[row] = [a - factor * b for a, b in zip(system[row], system[i], strict=True)]
    return [system[i][size] / system[i][i] for i in range(size)]


def correct_digits(found: NDArray, true: list[Fraction]) -> float:
    """Digits of the worst coefficient; 16.5 stands for correctly rounded."""
    worst = max(abs((Fraction(float(a)) - b) / b) for a, b in zip(found, true, strict=True))
    return -np.log10(float(max(worst, Fraction(1, 3 * 10**16))))
