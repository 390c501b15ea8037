"""Choosing how many columns: criteria of every size, the rule that takes one, and both as facts."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.facts import Curve, Line, Statement, Table
from glaswerk.facts.table import Cell
from glaswerk.stats.pairs import Array

Rule = Literal["bic", "cv", "1se"]


@storable("SubsetChoice", version=1)
@dataclass(frozen=True, eq=False)
class SubsetChoice:
    """Every size 0 … most: its least squares (infinite where a smaller subset does as well), columns (sizes, d), gap.

    errors (folds, sizes) where the selection was cross-validated, else (0, 0); taken: the size chosen.
    """

    rss: Array
    columns: NDArray[np.bool_]
    gap: Array
    nodes: int
    errors: Array
    taken: int
    weight: float
    full_variance: float
    centred: bool

    def check(self) -> None:
        sizes = len(self.rss)
        fits = self.columns.ndim == 2 and len(self.columns) == sizes == len(self.gap)
        if not fits or not 0 <= self.taken < sizes or self.errors.shape[1] not in (0, sizes):
            raise ValueError("the parts of a subset's choice do not fit together")

    @property
    def exist(self) -> NDArray[np.bool_]:
        return np.isfinite(self.rss)

    @property
    def size(self) -> Array:
        """Number of columns, and of parameters: an intercept counts."""
        return np.arange(len(self.rss), dtype=np.float64)

    @property
    def parameters(self) -> Array:
        return self.size + int(self.centred)

    def bic(self) -> Array:
        """W ln (RSS / W) + parameters · ln W: the smaller the better."""
        with np.errstate(divide="ignore"):
            found = self.weight * np.log(np.maximum(self.rss, 0.0) / self.weight)
        return np.where(self.exist, found + self.parameters * np.log(self.weight), np.inf)

    def cp(self) -> Array:
        """Mallows' RSS / σ² - W + 2 parameters, σ² from all columns; NaN where those leave no degree of freedom."""
        return self.rss / self.full_variance - self.weight + 2 * self.parameters

    def r2(self) -> Array:
        return 1.0 - self.rss / self.rss[0]

    def adjusted(self) -> Array:
        """R² with both sums of squares over their degrees of freedom."""
        left = self.weight - self.parameters
        share = (self.rss / np.where(left > 0, left, np.nan)) / (self.rss[0] / (self.weight - int(self.centred)))
        return 1.0 - share

    def validated(self) -> tuple[Array, Array]:
        """Mean squared error of every size on the folds left out, and its standard error."""
        return self.errors.mean(axis=0), self.errors.std(axis=0, ddof=1) / np.sqrt(len(self.errors))


def take(choice: SubsetChoice, rule: Rule) -> int:
    """The size of least BIC or error, or the smallest within one standard error of the least."""
    if rule == "bic":
        return int(np.argmin(choice.bic()))
    mean, deviation = choice.validated()
    mean = np.where(choice.exist, mean, np.inf)
    best = int(np.argmin(mean))
    return best if rule == "cv" else int(np.flatnonzero(mean <= mean[best] + deviation[best])[0])


def sizes_table(choice: SubsetChoice, names: tuple[str, ...], target: str) -> Table:
    """One line for every size: its criteria and its columns."""
    validated = choice.errors.size > 0
    mean, deviation = choice.validated() if validated else (np.full(len(choice.rss), np.nan),) * 2
    parts = choice.rss, choice.r2(), choice.adjusted(), choice.cp(), choice.bic(), mean, deviation
    rows: list[tuple[Cell, ...]] = []
    for k in np.flatnonzero(choice.exist):
        numbers = [float(part[k]) if np.isfinite(part[k]) else None for part in parts]
        chosen = ", ".join(names[j] for j in np.flatnonzero(choice.columns[k])) or "none"
        mark = "taken" if k == choice.taken else ""
        rows.append((int(k), *numbers, f"{100 * choice.gap[k]:.3g} %" if choice.gap[k] > 0 else "proved", chosen, mark))
    heads = ("columns", "RSS", "R²", "adjusted R²", "Cp", "BIC", "CV error", "std. error", "best?", "which", "")
    missing = len(choice.rss) - int(choice.exist.sum())
    notes = (f"sizes left out, because a smaller subset does as well: {missing}",) if missing else ()
    return Table(f"Best subsets for {target}", heads, tuple(rows), notes)


def sizes_curve(choice: SubsetChoice, target: str) -> Curve:
    """Error over the number of columns: on the folds left out, where they were, and on the rows themselves."""
    kept = np.flatnonzero(choice.exist)
    x = tuple(float(k) for k in kept)
    lines = [Line("on the rows fitted to", x, _numbers(choice.rss[kept] / choice.weight))]
    if choice.errors.size:
        mean, deviation = (part[kept] for part in choice.validated())
        band = _numbers(mean - deviation), _numbers(mean + deviation)
        lines.insert(0, Line("on folds left out, selection repeated", x, _numbers(mean), *band))
    return Curve(
        f"Error of {target} over the number of columns", "columns", "mean squared error", tuple(lines),
        f"{choice.taken} columns were taken", marks=((float(choice.taken), "taken"),),
    )  # fmt: skip


def choice_statement(
    choice: SubsetChoice, names: tuple[str, ...], how: str, groups: NDArray[np.integer] | None = None
) -> Statement:
    """In words: how the size was chosen, whether the search was finished, and what must not be read from the fit.

    groups: for every column the number of its group, where some are taken or left together.
    """
    units = np.unique(np.arange(len(names)) if groups is None else groups, return_counts=True)
    chosen = ", ".join(names[j] for j in np.flatnonzero(choice.columns[choice.taken])) or "no column"
    sentences = [f"{choice.taken} of {len(names)} columns were taken by {how}: {chosen}."]
    open_sizes = int((choice.gap > 0).sum())
    if open_sizes:
        sentences.append(
            f"The search stopped at its limit of {choice.nodes} nodes: {open_sizes} sizes are not proved, and their "
            f"sum of squares could fall by at most {100 * choice.gap.max():.3g} %."
        )
    else:
        sentences.append(f"Every size is proved: {choice.nodes} nodes stood for 2^{len(units[0])} subsets.")
    for group in units[0][units[1] > 1]:
        lot = ", ".join(names[j] for j in np.flatnonzero(groups == group))
        sentences.append(f"Taken or left together: {lot}.")
    sentences.append(
        "Standard errors, p values and intervals are not given: they would be those of columns named beforehand, and "
        "these were chosen because they fit."
    )
    return Statement("The choice of the columns", tuple(sentences))


def _numbers(values: Array) -> tuple[float, ...]:
    return tuple(float(v) for v in values)
