"""Curvature: what rows of classes say of a linear score at given weights, up to the second derivative; it adds.

    E = Σ w E(z, t),   g = Σ w (y - t) a,   H = Σ w y (1 - y) a aᵀ,   a = [x - shift, 1],  z = θᵀ a    [BG-CE]

Two classes have one score, K > 2 classes K scores and H of K × K blocks Σ w y_k (δ_kl - y_l) a aᵀ     [BG-SOFTMAX]
Cost: n d for E and g per score, and n d² / 2 for every pair of scores where the curvature is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.stats.moments import NARROW, NOTHING
from glaswerk.stats.pairs import Array

SCRATCH_CELLS = 65_536  # of [x, 1] at a time: what stays close to the processor between its three uses
FEWEST_ROWS = 128


class Order(StrEnum):
    """How far a pass goes: class weights only, the gradient, one curvature shared by all scores, or all of it."""

    COUNT = "class weights"
    GRADIENT = "gradient"
    SHARED = "shared curvature"
    FULL = "curvature"


class RowLoss(Protocol):
    """What a loss says of rows, as in `glaswerk.losses`: slope (scores, n), the rest (n,)."""

    @property
    def value(self) -> Array: ...
    @property
    def slope(self) -> Array: ...
    @property
    def own(self) -> Array: ...
    @property
    def margin(self) -> Array: ...


@dataclass(frozen=True, eq=False)
class Point:
    """Where, and how far, rows are asked for a loss: weights θ (scores, d + 1), intercept last, seen from `shift`.

    `class_weight` (K,) multiplies the rows of each class; without an intercept the last of θ stays zero.
    `certify` also finds how far the worst row is on its own side, and the largest cell of each column.
    """

    loss: Callable[[Array, NDArray[np.intp]], RowLoss]
    weights: Array
    shift: Array
    class_weight: Array
    intercept: bool = True
    order: Order = Order.FULL
    certify: bool = False

    @property
    def n_classes(self) -> int:
        return self.class_weight.size


@storable("Curvature", version=1)
@dataclass(frozen=True, eq=False)
class Curvature:
    """Sums over rows at one point. `hessian` is (p, p), p = scores · (d + 1) or d + 1 where shared, or (0, 0).

    `classes` is the weight of each class, `margin` the least lead of a row's own class over the next, in units of the
    score, `reach` the largest |a| of each column (not asked for: infinite, and empty).
    """

    count: int
    classes: Array
    value: float
    gradient: Array
    hessian: Array
    margin: float
    reach: Array

    @classmethod
    def empty(cls, point: Point) -> "Curvature":
        q, size = point.weights.shape
        p = {Order.SHARED: size, Order.FULL: q * size}.get(point.order, 0)
        reach = np.zeros(size if point.certify else 0)
        return cls(0, np.zeros(point.n_classes), 0.0, np.zeros((q, size)), np.zeros((p, p)), np.inf, reach)

    @classmethod
    def of(cls, X: Array, codes: Array, weight: Array = NOTHING, *, at: Point) -> "Curvature":
        """What the rows say at a point, each counted `weight` times the weight of its class."""
        total, size = cls.empty(at), at.weights.shape[1]
        count = int(np.count_nonzero(weight)) if weight.size else len(X)
        if at.order is Order.COUNT:
            return replace(total, count=count, classes=class_weights(codes, weight, at.n_classes))
        if len(at.weights) == 1 and size <= NARROW:
            return replace(_compiled(X, codes, weight, at, total), count=count)
        rows = max(FEWEST_ROWS, SCRATCH_CELLS // size)
        scratch = np.empty((min(rows, len(X)), size))
        for start in range(0, len(X), rows):
            tile = slice(start, start + rows)
            A = scratch[: len(X[tile])]
            np.subtract(X[tile], at.shift, out=A[:, :-1])
            A[:, -1] = 1.0 if at.intercept else 0.0
            t, w = codes[tile].astype(np.intp), row_weights(codes[tile], weight[tile] if weight.size else weight, at)
            total = total + _part(A, t, w, at)
        return replace(total, count=count)

    def __add__(self, other: "Curvature") -> "Curvature":
        return Curvature(
            self.count + other.count,
            self.classes + other.classes,
            self.value + other.value,
            self.gradient + other.gradient,
            self.hessian + other.hessian,
            min(self.margin, other.margin),
            np.maximum(self.reach, other.reach),
        )

    @property
    def weight(self) -> float:
        return float(self.classes.sum())

    @property
    def sums(self) -> Array:
        """The numbers in which a NaN or infinite cell would show."""
        return self.gradient

    def check(self) -> None:
        if self.gradient.ndim != 2 or self.classes.ndim != 1 or self.hessian.ndim != 2:
            raise ValueError("a curvature needs class weights (K,), a gradient (scores, d + 1) and a square Hessian")
        q, size = self.gradient.shape
        if self.hessian.shape not in ((0, 0), (size, size), (q * size, q * size)):
            raise ValueError(f"the Hessian of {q} score(s) of {size} weights cannot be {self.hessian.shape}")


def class_weights(codes: NDArray, weight: Array, n_classes: int) -> Array:
    """Total weight of each class."""
    found = np.bincount(codes.astype(np.intp), weights=weight if weight.size else None, minlength=n_classes)
    return found.astype(np.float64)


def row_weights(codes: Array, weight: Array, at: Point) -> Array:
    """Repetitions times class weight, or nothing where both are one."""
    if (at.class_weight == 1.0).all():
        return weight
    of_class = at.class_weight[codes.astype(np.intp)]
    return of_class * weight if weight.size else of_class


def _compiled(X: Array, codes: Array, weight: Array, at: Point, total: Curvature) -> Curvature:
    """The same for two classes and few columns, in one walk over the rows."""
    sums = np.array([0.0, np.inf, 0.0, 0.0])
    gradient, lower, reach = np.zeros(at.weights.shape[1]), np.zeros_like(total.hessian), np.zeros_like(total.reach)
    rows = np.ascontiguousarray(X), np.ascontiguousarray(codes), row_weights(codes, weight, at)
    kernels.logistic_sums(*rows, at.shift, at.weights[0], float(at.intercept), gradient, lower, reach, sums)
    hessian = lower + lower.T
    hessian.ravel()[:: len(hessian) + 1] *= 0.5
    return replace(
        total, classes=sums[2:], value=float(sums[0]), margin=float(sums[1]) if at.certify else np.inf,
        gradient=gradient[None, :], hessian=hessian, reach=reach,
    )  # fmt: skip


def _part(A: Array, t: NDArray[np.intp], w: Array, at: Point) -> Curvature:
    """What a tile of rows A = [x - shift, 1] says."""
    loss = at.loss(at.weights @ A.T, t)
    value, slope = (loss.value * w, loss.slope * w) if w.size else (loss.value, loss.slope)
    if at.order is Order.GRADIENT:
        hessian = np.zeros((0, 0))
    elif len(slope) == 1:
        bend = np.abs(slope[0]) * loss.own
        hessian = _gram(A, bend)
    else:
        share, others = _shares(loss, t)
        if at.order is Order.FULL:
            hessian = _all_pairs(A, share, others, w)
        else:
            bend = (share * others).sum(axis=0) / (len(slope) - 1)
            hessian = _gram(A, bend * w if w.size else bend)
    least, reach = np.inf, np.zeros(0)
    if at.certify:
        counted = w > 0 if w.size else slice(None)
        least = float(loss.margin[counted].min(initial=np.inf))
        reach = np.abs(A).max(axis=0)
    classes = class_weights(t, w, at.n_classes)
    return Curvature(0, classes, float(value.sum()), slope @ A, hessian, least, reach)


def _gram(A: Array, bend: Array) -> Array:
    """Σ h a aᵀ, both triangles, by one symmetric product."""
    lower = np.tril(blas.dsyrk(1.0, (A * np.sqrt(bend)[:, None]).T, trans=False, lower=1))
    return lower + np.tril(lower, -1).T


def _shares(loss: RowLoss, t: NDArray[np.intp]) -> tuple[Array, Array]:
    """y and 1 - y of every class, neither of them a difference of nearly equal numbers."""
    own = t, np.arange(len(t))
    share = loss.slope.copy()
    share[own] = loss.own
    others = 1.0 - share
    others[own] = -loss.slope[own]
    return share, others


def _all_pairs(A: Array, share: Array, others: Array, w: Array) -> Array:
    """Blocks Σ w y_k (1 - y_k) a aᵀ and -Σ w y_k y_l a aᵀ."""
    q, size = len(share), A.shape[1]
    hessian = np.empty((q, size, q, size))
    for k in range(q):
        for j in range(k + 1):
            bend = share[k] * (others[k] if j == k else share[j])
            weighted = A * (bend * w if w.size else bend)[:, None]
            block = A.T @ weighted
            hessian[k, :, j, :] = block if j == k else -block
            hessian[j, :, k, :] = hessian[k, :, j, :]
    return hessian.reshape(q * size, q * size)


def free_parameters(hessian: Array, size: int, penalty: float) -> float:
    """trace H (H + Λ)⁻¹: weights that the rows rather than the penalty decide; every `size`-th, an intercept, is free.

    [TRE-MEFF] at the last step of Newton's method. Columns are scaled first: their units do not count.
    """
    paid = np.full(len(hessian), penalty)
    paid[size - 1 :: size] = 0.0
    H = np.tril(hessian) + np.tril(hessian, -1).T
    total = H + np.diag(paid)
    scale = 1.0 / np.sqrt(np.where(np.diagonal(total) > 0, np.diagonal(total), 1.0))
    values, vectors = np.linalg.eigh(total * scale[:, None] * scale)
    kept = values > len(values) * np.finfo(np.float64).eps * values[-1]
    scaled = H * scale[:, None] * scale
    return float((np.einsum("ik,ij,jk->k", vectors, scaled, vectors)[kept] / values[kept]).sum())
