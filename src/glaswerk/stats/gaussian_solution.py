"""What is solved from the sums of Gaussian classes, and its facts: priors, means, covariances, planes.

one Σ:   w_k = Σ⁻¹ (μ_k - m),   w_k0 = -½ (μ_k - m)ᵀ Σ⁻¹ (μ_k - m) + ln π_k,   seen from the centre m      [BG-LDA]
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from glaswerk.archive import storable
from glaswerk.facts import Cell, Coefficient, Coefficients, Statement, Table
from glaswerk.stats.gaussian_classes import ClassSums, Steadied
from glaswerk.stats.pairs import Array

RANK = 1e-10  # of the greatest singular value
MOST_SHOWN = 24  # columns of a covariance, and classes, that are printed


@storable("SharedCovariance", version=1)
@dataclass(frozen=True, eq=False)
class SharedCovariance:
    """Classes with one covariance: weights (K, d) and intercepts (K,) seen from `shift`, and what they came from.

    The centre of the classes is `shift` + `centre`, the mean of a class that + `away`.
    """

    count: NDArray[np.int64]
    weight: Array
    prior: Array
    shift: Array
    centre: Array
    away: Array
    covariance: Array
    weights: Array
    intercepts: Array
    share: float
    why: str
    condition: float
    lost: float
    axes: Array
    explained: Array

    @classmethod
    def of(cls, sums: ClassSums, prior: Array, steady: Steadied) -> "SharedCovariance":
        centre = prior @ sums.offset
        away = sums.offset - centre
        weights = steady.solve(away)
        with np.errstate(divide="ignore"):
            intercepts = np.log(prior) - weights @ centre - 0.5 * (weights * away).sum(axis=1)
        return cls(
            sums.count, sums.weight, prior, sums.shift, centre, away, steady.covariance, weights, intercepts,
            steady.share, steady.why, steady.condition, sums.lost, *discriminant_axes(away, prior, steady),
        )  # fmt: skip

    def joint(self, rows: Array) -> Array:
        """ln P(x, k) but for a term that all classes share."""
        return (rows - self.shift) @ self.weights.T + self.intercepts

    def planes(self) -> tuple[Array, Array]:
        """w (1, d) and w₀ (1,) of the log-odds of the second of two classes; of more classes one row each."""
        intercepts = self.intercepts - self.weights @ self.shift
        if len(self.prior) > 2:
            return self.weights, intercepts
        return self.weights[1:] - self.weights[:1], intercepts[1:] - intercepts[:1]

    @property
    def mean(self) -> Array:
        found: Array = self.shift + (self.centre + self.away)
        return found

    def along(self, rows: Array) -> Array:
        """The rows on the discriminant axes, seen from the centre."""
        return ((rows - self.shift) - self.centre) @ self.axes

    def check(self) -> None:
        K, d = self.away.shape
        if self.shift.shape != (d,) or self.axes.shape != (d, self.explained.size):
            raise ValueError("the shift has one number per column, and every axis too")
        if self.weights.shape != (K, d) or self.covariance.shape != (d, d) or self.centre.shape != (d,):
            raise ValueError("classes of one covariance need a mean and weights each, and one covariance")
        if not self.prior.shape == self.intercepts.shape == self.weight.shape == self.count.shape == (K,):
            raise ValueError("every class needs its rows, its prior and its intercept")


def discriminant_axes(away: Array, prior: Array, steady: Steadied) -> tuple[Array, Array]:
    """Directions (d, r) of unit variance within classes that part their means most, and each one's share of that.

    The largest number of an axis is positive: a sign has no meaning of its own.
    """
    whitener = steady.whitener
    _, sizes, turn = linalg.svd(np.sqrt(prior)[:, None] * (away @ whitener), full_matrices=False)
    rank = max(1, int(np.count_nonzero(sizes > RANK * sizes.max(initial=0.0))))
    rank = min(rank, len(prior) - 1)
    axes = whitener @ turn[:rank].T
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), np.arange(rank)] < 0, -1.0, 1.0)
    whole = (sizes**2).sum()
    return axes, sizes[:rank] ** 2 / (whole if whole > 0 else 1.0)


@storable("OwnCovariances", version=1)
@dataclass(frozen=True, eq=False)
class OwnCovariances:
    """Classes with a covariance each: covariance (K, d, d), whitener (K, d, d), ln det Σ_k (K,), shrinkage (K,)."""

    count: NDArray[np.int64]
    weight: Array
    prior: Array
    shift: Array
    offset: Array
    covariance: Array
    whitener: Array
    log_determinant: Array
    share: Array
    condition: Array
    lost: float

    def joint(self, rows: Array) -> Array:
        """ln π_k - ½ ln det Σ_k - ½ (x - μ_k)ᵀ Σ_k⁻¹ (x - μ_k): ln P(x, k) but for the power of 2π."""
        found = np.empty((len(rows), len(self.prior)))
        near = rows - self.shift
        for k, (offset, whitener) in enumerate(zip(self.offset, self.whitener, strict=True)):
            away = (near - offset) @ whitener
            found[:, k] = np.einsum("ij,ij->i", away, away)
        with np.errstate(divide="ignore"):
            return np.log(self.prior) - 0.5 * (self.log_determinant + found)

    @property
    def mean(self) -> Array:
        return self.shift + self.offset

    def check(self) -> None:
        K, d = self.offset.shape
        if self.shift.shape != (d,) or self.covariance.shape != (K, d, d) or self.whitener.shape != (K, d, d):
            raise ValueError("every class needs a covariance and its whitener")
        if not self.prior.shape == self.weight.shape == self.log_determinant.shape == self.share.shape == (K,):
            raise ValueError("every class needs its prior, its determinant and its shrinkage")


@dataclass(frozen=True)
class Named:
    """The names under which facts tell of the arrays."""

    target: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]

    def priors(self, solution: "SharedCovariance | OwnCovariances") -> Table:
        """Rows, weight and prior of every class."""
        rows = zip(
            self.classes, solution.count.tolist(), solution.weight.tolist(), solution.prior.tolist(), strict=True
        )
        return Table(f"Classes of {self.target}", ("class", "rows", "weight", "prior π"), tuple(rows))

    def means(self, mean: Array, deviation: Array) -> Table:
        """The mean of every column in every class; `deviation` (d,) within the classes, or (K, d) in each."""
        shown, own = range(min(len(self.classes), MOST_SHOWN)), deviation.ndim == 2
        heads = ["column", *(f"mean μ, {self.classes[k]}" for k in shown)]
        heads += [f"deviation, {self.classes[k]}" for k in shown] if own else ["deviation within classes"]
        rows: list[tuple[Cell, ...]] = []
        for j, name in enumerate(self.columns):
            spread = [float(deviation[k, j]) for k in shown] if own else [float(deviation[j])]
            rows.append((name, *(float(mean[k, j]) for k in shown), *spread))
        more = len(self.classes) - len(shown)
        notes = (f"{more} more classes are in means_",) if more else ()
        return Table(f"Means by class of {self.target}", tuple(heads), tuple(rows), notes)

    def covariance(self, title: str, matrix: Array) -> Table:
        """A covariance as a square, its first columns where there are many."""
        shown = self.columns[:MOST_SHOWN]
        rows = tuple((name, *matrix[j, : len(shown)].tolist()) for j, name in enumerate(shown))
        more = len(self.columns) - len(shown)
        notes = (f"{more} more columns are in covariance_",) if more else ()
        return Table(title, ("column", *shown), rows, notes)

    def planes(self, solution: SharedCovariance) -> list[Coefficients]:
        """w and w₀ of the log-odds, or of every class's score."""
        found = []
        weights, intercepts = solution.planes()
        two = len(self.classes) == 2
        for k, (w, w0) in enumerate(zip(weights, intercepts, strict=True)):
            what = (
                f"log-odds of {self.target} = {self.classes[1]}"
                if two
                else f"score of {self.target} = {self.classes[k]}"
            )
            note = f"the boundary is where wᵀx + w₀ = 0; {self.classes[1]} lies where it is positive"
            if not two:
                note = (
                    "the class with the highest score is predicted: between two, the difference of their weights counts"
                )
            rows = [Coefficient(name, float(v)) for name, v in zip(self.columns, w, strict=True)]
            found.append(Coefficients(what, 0.95, (Coefficient("intercept", float(w0)), *rows), (note,)))
        return found


def told_of(share: float, why: str, condition: float, lost: float) -> tuple[str, ...]:
    """Sentences about shrinkage and digits."""
    told = []
    if share > 0:
        told.append(f"The covariance was shrunk by {share:.3g} towards columns without correlation: {why}.")
    told.append(f"Condition of the scaled covariance: {condition**2:.3g}.")
    if lost > 3:
        told.append(f"Subtracting the means has cost {lost:.1f} of the 16 digits of the sums.")
    return tuple(told)


def shared_statement(solution: SharedCovariance) -> Statement:
    divisor = f"Σ is the scatter about the classes' own means, divided by N = {solution.weight.sum():.6g}."
    return Statement(
        "The covariance", (divisor, *told_of(solution.share, solution.why, solution.condition, solution.lost))
    )
