"""Kernels: products of rows in a space of features that need never be computed.   K(a, b) = φ(a)ᵀφ(b)    [SCH-KERNEL]

linear aᵀb,   polynomial (γ aᵀb + r)ᵈ,   Gaussian exp(-γ ‖a - b‖²),   sigmoid tanh(γ aᵀb + r)           [SCH-POLY]
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Array

KINDS = ("linear", "poly", "rbf", "sigmoid")
CELLS_AT_ONCE = 1 << 18  # of a block of the kernel matrix: it stays in the cache between product and exponential
Function = Callable[[Array, Array], Array]


@storable("KernelFunction", version=1)
@dataclass(frozen=True)
class KernelFunction:
    """One of the kernels above, with its parameters."""

    kind: str
    gamma: float = 1.0
    coef0: float = 0.0
    degree: int = 3

    def matrix(self, A: Array, B: Array) -> Array:
        """K(a, b) for every row of A and of B (n, m). For the Gaussian, rows should lie around the origin."""
        return self.against(B)(A)

    def against(self, B: Array) -> Callable[[Array], Array]:
        """K(a, b) as a function of A, for many blocks of A and one B."""
        match self.kind:
            case "rbf":  # the whole exponent is one product
                right = np.column_stack([B, np.ones(len(B)), -self.gamma * np.einsum("ij,ij->i", B, B)]).T
            case "linear":
                right = B.T
            case _:
                right = np.column_stack([B, np.full(len(B), self.coef0)]).T
        return lambda A: self._bent(self._left(A) @ right)

    def _left(self, A: Array) -> Array:
        g, ones = self.gamma, np.ones(len(A))
        match self.kind:
            case "rbf":
                return np.column_stack([2.0 * g * A, -g * np.einsum("ij,ij->i", A, A), ones])
            case "linear":
                return A
            case _:
                return np.column_stack([g * A, ones])

    def _bent(self, found: Array) -> Array:
        """What the kernel makes of products, in their place."""
        match self.kind:
            case "rbf":
                np.exp(np.minimum(found, 0.0, out=found), out=found)  # rounding may leave more than 0
            case "sigmoid":
                np.tanh(found, out=found)
            case "poly":
                base = found.copy() if self.degree > 1 else found
                if self.degree == 0:
                    found.fill(1.0)
                for _ in range(self.degree - 1):  # a power of NumPy's costs more than some products
                    found *= base
        return found

    def diagonal(self, A: Array) -> Array:
        """K(a, a) for every row."""
        squares = np.einsum("ij,ij->i", A, A)
        if self.kind == "rbf":
            return np.ones(len(A))
        if self.kind == "linear":
            return squares
        inner = self.gamma * squares + self.coef0
        return np.tanh(inner) if self.kind == "sigmoid" else inner**self.degree

    def check(self) -> None:
        if self.kind not in KINDS or not self.gamma > 0 or self.degree < 0:
            raise ValueError("a kernel needs a known kind, gamma > 0 and a degree >= 0")

    @property
    def formula(self) -> str:
        """The kernel with its numbers."""
        gamma, r = f"{self.gamma:.6g}", f"{self.coef0:.6g}"
        return {
            "linear": "aᵀb",
            "poly": f"({gamma} aᵀb + {r})^{self.degree}",
            "rbf": f"exp(-{gamma} |a - b|²)",
            "sigmoid": f"tanh({gamma} aᵀb + {r})",
        }[self.kind]


def blocks_of_rows(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Rows cut so that a block of the kernel matrix stays in the cache."""
    step = max(1, CELLS_AT_ONCE // max(1, n_columns))
    for first in range(0, n_rows, step):
        yield slice(first, min(first + step, n_rows))


def polynomial_features(A: Array, degree: int, gamma: float = 1.0, coef0: float = 0.0) -> Array:
    """φ(a) with φ(a)ᵀφ(b) = (γ aᵀb + r)ᵈ: every monomial up to the degree, weighted by the root of its count.

    The multinomial theorem gives the weights: √(d! / (k₀! k₁! …) · rᵏ⁰ γᵏ¹⁺ᵏ²⁺…). [SCH-PHI] is degree 2, r = 0, γ = 1.
    Cost: C(columns + d, d) features, which the kernel never computes.
    """
    columns = []
    for size in range(degree + 1) if coef0 else (degree,):
        for chosen in combinations_with_replacement(range(A.shape[1]), size):
            counts = [chosen.count(j) for j in set(chosen)]
            ways = factorial(degree) / (factorial(degree - size) * prod(factorial(k) for k in counts))
            weight = np.sqrt(ways * coef0 ** (degree - size) * gamma**size)
            columns.append(weight * np.prod(A[:, chosen], axis=1))
    return np.stack(columns, axis=1)


def n_polynomial_features(columns: int, degree: int, coef0: float = 0.0) -> int:
    """How many features the polynomial kernel stands for."""
    return comb(columns + degree, degree) if coef0 else comb(columns + degree - 1, degree)
