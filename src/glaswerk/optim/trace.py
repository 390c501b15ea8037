"""Trace: what a descent over weights came to, epoch by epoch, beside the closed form it was on its way to."""

from dataclasses import dataclass

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Cell, Curve, Line, Table
from glaswerk.optim.descent import Stop

MOST_POINTS = 600


@storable("Descended", version=1)
@dataclass(frozen=True, eq=False)
class Descended:
    """Weights (q, d + 1) and the closed form's, intercept last; of the recorded `epochs` (k,) what was seen.

    `held` is the loss of rows held out, (0,) without any; `trail` (k, q, d + 1) the weights, (0, q, d + 1) where they
    were not kept. `lowest` is the objective of the closed form, `lost` the share of R² it is ahead by.
    """

    weights: Array
    closed: Array
    epochs: Array
    objective: Array
    held: Array
    slopes: Array
    rates: Array
    trail: Array
    lowest: float
    lost: float
    steps: int
    rate: float
    ended: str

    @property
    def diverged(self) -> bool:
        return self.ended == Stop.DIVERGED.value

    def curve(self, title: str, loss: str) -> Curve:
        """The loss after every recorded epoch, the closed form's, and that of the rows held out."""
        shown = along_scale(len(self.epochs))
        x = tuple(self.epochs[shown].tolist())
        lines = [Line("training rows", x, _plain(self.objective[shown]))]
        if self.held.size:
            lines.append(Line("rows held out", x, _plain(self.held[shown])))
        lines.append(Line("closed form", (x[0], x[-1]), (self.lowest, self.lowest)))
        positive = all(v is not None and v > 0 for line in lines for v in line.y)
        notes = () if len(shown) == len(self.epochs) else (f"{len(shown)} of {len(self.epochs)} epochs are shown",)
        scale = "log" if positive else "linear"
        return Curve(title, "epoch", loss, tuple(lines), self.says(), y_scale=scale, notes=notes)  # type: ignore[arg-type]

    def says(self) -> str:
        """How far it came, in a sentence."""
        reached = f"after {self.steps} epochs ({self.ended})"
        if self.diverged:
            return f"Diverged {reached}; the weights of the least loss are kept."
        best = ""
        if self.held.size:
            least = int(np.argmin(self.held))
            best = f" On rows held out the loss was least after epoch {self.epochs[least]:.0f}."
        above = self.objective[-1] - self.lowest
        return f"{above:.3g} above the closed form's {self.lowest:.6g} {reached}.{best}"

    def comparison(self, names: tuple[str, ...], targets: tuple[str, ...]) -> Table:
        """Every weight beside that of the closed form."""
        rows: list[tuple[Cell, ...]] = []
        for target, found, closed in zip(targets, self.weights, self.closed, strict=True):
            rows += [
                (target, name, float(w), float(v), float(w - v))
                for name, w, v in zip((*names, "intercept"), found, closed, strict=True)
            ]
        heads = ("target", "column", "descent", "closed form", "difference")
        return Table("Descent and closed form", heads, tuple(rows), (self.says(),))

    def check(self) -> None:
        k = len(self.epochs)
        if self.weights.ndim != 2 or self.weights.shape != self.closed.shape or self.weights.dtype != np.float64:
            raise ValueError("a descent needs float64 weights of one shape with its closed form's")
        if any(part.shape != (k,) for part in (self.objective, self.slopes, self.rates)) or k < 1:
            raise ValueError("a trace of descent needs one loss, slope and rate for every epoch recorded")
        if self.held.shape not in ((0,), (k,)) or self.trail.shape[1:] != self.weights.shape:
            raise ValueError("a trace of descent has parts of another length")
        if len(self.trail) not in (0, k) or self.ended not in list(Stop):
            raise ValueError("a trace of descent has parts of another length")


def along_scale(count: int) -> np.ndarray:
    """Positions to show of so many: all of the first, then ever wider apart, for most happens early."""
    if count <= MOST_POINTS:
        return np.arange(count)
    return np.unique(np.geomspace(1, count, MOST_POINTS).round().astype(np.int64)) - 1


def _plain(values: Array) -> tuple[float | None, ...]:
    return tuple(float(v) if np.isfinite(v) else None for v in values)
