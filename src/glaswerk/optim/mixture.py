"""Mixtures of normal densities, and what blocks of rows say of them.

    p(x) = Σ π_k N(x | μ_k, Σ_k),   γ_k(x) = π_k N(x | μ_k, Σ_k) / p(x)                                        [BG-GMM]

Two forms of one E and M step. Natural: ln π_k N_k is linear in the features φ = [x x', x, 1], so a matrix product makes
all densities and another all sums. Whitened: y = L_k⁻¹ (x - μ_k) for each component, sums of γ, γ z and γ z z' about
the old mean; it loses no digit where components are narrow for their distance. Responsibilities live for 256 rows.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.optim.lloyd import assign
from glaswerk.optim.tiles import Tiles

KINDS = ("full", "tied", "diag", "spherical")
PRODUCT_COLUMNS = 16  # full covariances of more columns make too many products
LOST = 1e-9  # relative digits the natural form may lose


@storable("Mixture", version=1)
@dataclass(frozen=True, eq=False)
class Mixture:
    """π (k,), μ (k, d) about a shift, and Σ as (k, d, d), (d, d) tied, (k, d) diag or (k,) spherical."""

    kind: str
    weights: Array
    means: Array
    covariances: Array

    def check(self) -> None:
        k, d = self.means.shape
        shapes = {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}
        if self.kind not in shapes or self.covariances.shape != shapes[self.kind] or self.weights.shape != (k,):
            raise ValueError(f"a mixture of kind {self.kind!r} does not have these shapes")

    def matrices(self) -> Array:
        """Σ_k as matrices (k, d, d)."""
        k, d = self.means.shape
        if self.kind == "full":
            return self.covariances
        if self.kind == "tied":
            return np.broadcast_to(self.covariances, (k, d, d))
        diagonal = self.covariances if self.kind == "diag" else np.repeat(self.covariances[:, None], d, axis=1)
        return diagonal[:, :, None] * np.eye(d)

    def roots(self) -> Array:
        """L_k with Σ_k = L_k L_k', lower triangles (k, d, d); LinAlgError where a matrix is not positive."""
        if self.kind == "tied":
            return np.broadcast_to(linalg.cholesky(self.covariances, lower=True), self.matrices().shape)
        if self.kind == "full":
            return np.array([linalg.cholesky(part, lower=True) for part in self.covariances])
        return np.sqrt(self.matrices())

    @property
    def n_parameters(self) -> int:
        """Free numbers: means, covariances, and weights but one."""
        k, d = self.means.shape
        each = {"full": k * d * (d + 1) // 2, "tied": d * (d + 1) // 2, "diag": k * d, "spherical": k}
        return k * d + each[self.kind] + k - 1


def inverse_roots(roots: Array) -> Array:
    """L⁻¹ of each."""
    eye = np.eye(roots.shape[1])
    return np.array([linalg.solve_triangular(root, eye, lower=True) for root in roots])


@dataclass(frozen=True, eq=False)
class Whitened:
    """The E and M step by y = L⁻¹ (x - μ), one component after another."""

    mixture: Mixture
    roots: Array
    turns: Array
    constant: Array

    @classmethod
    def of(cls, mixture: Mixture) -> "Whitened":
        roots = mixture.roots()
        d = roots.shape[1]
        logs = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        with np.errstate(divide="ignore"):
            constant = np.log(mixture.weights) - logs - 0.5 * d * np.log(2 * np.pi)
        return cls(mixture, roots, inverse_roots(roots), constant)

    def no_sums(self) -> Array:
        """Σ γ [z z', z, 1] of every component before the first row (k, e, e), lower triangles."""
        k, d = self.mixture.means.shape
        return np.zeros((k, padded(d + 1), padded(d + 1)))

    def solve(self, sums: Array) -> tuple[Array, Array, Array]:
        """N_k, means and full covariances (k, d, d) of the components."""
        d = self.mixture.means.shape[1]
        count, first = sums[:, d, d], sums[:, d, :d]
        divisor = np.where(count > 0, count, 1.0)[:, None]
        step = first / divisor
        second = np.tril(sums[:, :d, :d]) / divisor[:, :, None]
        spread = second + np.tril(second, -1).transpose(0, 2, 1) - step[:, :, None] * step[:, None, :]
        return count, self.mixture.means + step, spread


@dataclass(frozen=True, eq=False)
class Natural:
    """The E and M step by features in which ln π_k N_k is linear; `common` (d, d): the term of tied ones outside it."""

    kind: str
    theta: Array
    common: Array | None
    columns: int

    @classmethod
    def of(cls, mixture: Mixture, turns: Array, constant: Array) -> "Natural":
        precision = turns.transpose(0, 2, 1) @ turns
        linear = np.einsum("kij,kj->ki", precision, mixture.means)
        constant = constant - 0.5 * np.einsum("ki,ki->k", linear, mixture.means)
        parts = [linear, constant[:, None]]
        d = mixture.means.shape[1]
        if mixture.kind == "full":
            a, b = np.tril_indices(d)
            parts.insert(0, np.where(a == b, -0.5, -1.0) * precision[:, a, b])
        elif mixture.kind != "tied":
            diagonal = -0.5 * np.diagonal(precision, axis1=1, axis2=2)
            parts.insert(0, diagonal if mixture.kind == "diag" else diagonal[:, :1])
        return cls(mixture.kind, np.concatenate(parts, axis=1), precision[0] if mixture.kind == "tied" else None, d)

    def solve(self, sums: Array, total: Array | None) -> tuple[Array, Array, Array]:
        """N_k, means, and covariances in the shape of the kind; `total` Σ w x x' for tied ones."""
        k, p = self.theta.shape
        sums = sums[:k, :p]
        count, d = sums[:, -1], self.columns
        divisor = np.where(count > 0, count, 1.0)[:, None]
        means = sums[:, -d - 1 : -1] / divisor
        second = sums[:, : -d - 1] / divisor
        if self.kind == "full":
            a, b = np.tril_indices(d)
            found = np.empty((len(sums), d, d))
            found[:, a, b] = found[:, b, a] = second
            return count, means, found - means[:, :, None] * means[:, None, :]
        if self.kind == "tied":
            assert total is not None
            return count, means, (total - (means * count[:, None]).T @ means) / count.sum()
        if self.kind == "diag":
            return count, means, second - means**2
        return count, means, (second[:, 0] - np.einsum("ki,ki->k", means, means)) / d


Form = Whitened | Natural


@storable("EStep", version=1)
@dataclass(frozen=True, eq=False)
class EStep:
    """What a block says at the present mixture: its sums, Σ w ln p, and the row of least density."""

    sums: Array
    total: float
    least: tuple[float, int]

    def __add__(self, other: "EStep") -> "EStep":
        return EStep(self.sums + other.sums, self.total + other.total, min(self.least, other.least))


def observe(tiles: Tiles, form: Form) -> EStep:
    """The E step of a block and the sums of its M step."""
    if isinstance(form, Natural):
        theta, told = padded_rows(form.theta), np.zeros(1)
        theta[len(form.theta) :, -1] = -np.inf
        sums, kind = np.zeros((len(theta), padded(theta.shape[1]))), KINDS.index(form.kind)
        kernels.natural_step(tiles.cells, tiles.squares, tiles.rows, tiles.weight, theta, kind, sums, told)
        return EStep(sums, float(told[0]), (np.inf, -1))
    told, sums = np.array([0.0, np.inf, -1.0]), form.no_sums()
    turns = np.array([padded_rows(turn) for turn in form.turns])
    kernels.whitened_step(tiles.cells, tiles.rows, tiles.weight, form.mixture.means, turns, form.constant, sums, told)
    return EStep(sums, float(told[0]), (float(told[1]), tiles.first + int(told[2])))


def observe_partition(tiles: Tiles, form: Whitened, centres: Array, direct: bool) -> EStep:
    """As `observe`, where every row belongs wholly to the component whose centre is nearest."""
    tiles.labels[:] = -1
    assign(tiles, centres, direct)
    sums = form.no_sums()
    kernels.labelled_sums(tiles.cells, tiles.rows, tiles.weight, tiles.labels, form.mixture.means, sums)
    return EStep(sums, 0.0, (np.inf, -1))


def padded(n: int) -> int:
    """The next multiple of four: what compiled loops take at once."""
    return -(-n // 4) * 4


def padded_rows(matrix: Array) -> Array:
    """With rows of zeros up to a multiple of four."""
    found = np.zeros((padded(len(matrix)), matrix.shape[1]))
    found[: len(matrix)] = matrix
    return found


def shaped(kind: str, count: Array, covariances: Array) -> Array:
    """Full covariances of the components as the kind has them."""
    if kind == "full" or covariances.ndim != 3:
        return covariances
    if kind == "tied":
        found: Array = np.einsum("k,kij->ij", count, covariances) / count.sum()
        return found
    diagonal = np.diagonal(covariances, axis1=1, axis2=2)
    return diagonal.copy() if kind == "diag" else diagonal.mean(axis=1)


def regularised(mixture: Mixture, extra: Array) -> Mixture:
    """`extra` (d,) added to the variances of the columns."""
    kind, found = mixture.kind, mixture.covariances
    if kind == "spherical":
        return replace(mixture, covariances=found + extra.mean())
    return replace(mixture, covariances=found + (extra if kind == "diag" else np.diag(extra)))
