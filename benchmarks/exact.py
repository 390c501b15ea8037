"""Least squares solved exactly: the reference that owes nothing to any floating-point solver, ours least of all.

Every double is an integer times a power of two, so the normal equations of stored numbers can be formed in integers
without any rounding, and solved in fractions (few columns) or in fixed-point integers of 200 bits (many).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

Array = NDArray[np.float64]
Integers = NDArray[np.object_]
PIECE = 16  # bits: products of pieces, summed over two million rows, stay below 2^53 and are exact in BLAS
MOST_ROWS = 2**21
SMALL_WORK = 100_000  # n m² below which plain Python integers are quick enough, whatever the numbers
FEW_COLUMNS = 12
FIXED_BITS = 200
MOST_STEPS = 60
CAP = 15.9  # a correctly rounded double has no more digits to show


@dataclass(frozen=True)
class Exact:
    """The least-squares solution of the numbers as stored."""

    intercept: Fraction
    coefficients: tuple[Fraction, ...]

    @property
    def all(self) -> tuple[Fraction, ...]:
        return (self.intercept, *self.coefficients)

    def rounded(self) -> Array:
        return np.array([float(c) for c in self.coefficients])


def solve_exactly(X: Array, y: Array) -> Exact:
    """Minimise Σ (y - b - xᵀw)² exactly. Needs few rows, or columns that lie on one binary grid of 2^-60 or coarser."""
    table = np.column_stack([X, y])
    whole, bits = (as_integers if table.size * table.shape[1] <= SMALL_WORK else on_one_grid)(table)
    n, d = X.shape
    gram, sums = integer_gram(whole), column_sums(whole)
    A = n * gram[:d, :d] - np.outer(sums[:d], sums[:d])
    B = n * gram[:d, d] - sums[:d] * sums[d]
    w = solve_fractions(A, B) if d <= FEW_COLUMNS else solve_fixed_point(A, B)
    intercept = (sums[d] - sum(s * c for s, c in zip(sums[:d], w, strict=True))) / Fraction(n)
    return Exact(intercept / 2**bits, tuple(w))


def as_integers(table: Array) -> tuple[Integers, int]:
    """table · 2^bits as Python integers, for any doubles."""
    bits = max(Fraction(v).denominator.bit_length() - 1 for v in table.ravel().tolist())
    whole = [int(Fraction(v) * 2**bits) for v in table.ravel().tolist()]
    return np.array(whole, dtype=object).reshape(table.shape), bits


def on_one_grid(table: Array) -> tuple[NDArray[np.int64], int]:
    """table · 2^bits as machine integers, with the fewest bits that lose nothing."""
    for bits in range(61):
        scaled = np.ldexp(table, bits)
        if np.abs(scaled).max() >= 2.0**62:
            break
        if (scaled == np.rint(scaled)).all():
            return scaled.astype(np.int64), bits
    raise ValueError("these numbers do not lie on one binary grid that 62 bits can hold: round them first")


def integer_gram(whole: NDArray) -> Integers:
    """wholeᵀ whole, exactly."""
    if whole.dtype == object:
        return whole.T @ whole
    if len(whole) > MOST_ROWS:
        raise ValueError(f"at most {MOST_ROWS} rows can be summed exactly, got {len(whole)}")
    pieces = cut(whole)
    total = np.zeros((whole.shape[1],) * 2, dtype=object)
    for k, left in enumerate(pieces):
        for m in range(k, len(pieces)):
            product = (left.T @ pieces[m]).astype(np.int64).astype(object)
            both = product if m == k else product + product.T
            total = total + both * 2 ** (PIECE * (k + m))
    return total


def cut(whole: NDArray[np.int64]) -> list[Array]:
    """Integers as Σ piece · 2^(16 k): all but the last, which carries the sign, in 0 … 2^16 - 1."""
    pieces = []
    while np.abs(whole).max() >= 2 ** (PIECE - 1):
        pieces.append((whole & (2**PIECE - 1)).astype(np.float64))
        whole = whole >> PIECE
    return [*pieces, whole.astype(np.float64)]


def column_sums(whole: NDArray) -> Integers:
    if whole.dtype == object:
        return whole.sum(axis=0)
    return sum((2 ** (PIECE * k) * p.sum(axis=0).astype(np.int64).astype(object) for k, p in enumerate(cut(whole))))


def solve_fractions(A: Integers, B: Integers) -> list[Fraction]:
    """Gaussian elimination in fractions: any condition, few columns."""
    d = len(B)
    rows = [[Fraction(v) for v in (*A[i], B[i])] for i in range(d)]
    for k in range(d):
        pivot = next(i for i in range(k, d) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, d):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    w = [Fraction(0)] * d
    for k in reversed(range(d)):
        w[k] = (rows[k][d] - sum(rows[k][j] * w[j] for j in range(k + 1, d))) / rows[k][k]
    return w


def solve_fixed_point(A: Integers, B: Integers) -> list[Fraction]:
    """Steps of a rounded Cholesky factor from residuals in integers, until the 200th bit stands. For cond(X) to 1e7."""
    scale = np.array([1 / math.sqrt(A[j, j]) for j in range(len(B))])
    factor = linalg.cho_factor(A.astype(np.float64) * scale * scale[:, None])
    w = np.zeros(len(B), dtype=object)
    for _ in range(MOST_STEPS):
        residual = B * 2**FIXED_BITS - A @ w
        step = scale * linalg.cho_solve(factor, scale * np.array([float(r) for r in residual]))
        moves = np.array([int(s) for s in step], dtype=object)
        if not moves.any():
            return [Fraction(int(v), 2**FIXED_BITS) for v in w]
        w = w + moves
    raise ArithmeticError(f"the reference did not settle in {MOST_STEPS} steps: the columns are too nearly dependent")


def correct_digits(found: Sequence[float] | Array, exact: Sequence[Fraction], cap: float = CAP) -> float:
    """-log10 of the worst relative error, at most `cap`; a negative number of digits means the size itself is wrong."""
    worst = max(relative_error(float(f), e) for f, e in zip(found, exact, strict=True))
    return cap if worst == 0 else min(cap, -math.log10(worst))


def relative_error(found: float, exact: Fraction) -> float:
    if not math.isfinite(found):
        return math.inf
    return float(abs(Fraction(found) - exact) / (abs(exact) or 1))
