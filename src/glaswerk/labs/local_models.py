"""Means, lines and bumps: Nadaraya and Watson, locally weighted lines, and a network of radial basis functions.

f(q) = Σ yᵢ K(q - xᵢ) / Σ K(q - xᵢ);   aᵀq + b from weighted least squares;   Σ wⱼ φⱼ(q)      [BG-NW] [BG-DLS] [BG-RBF]
"""

from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, line, mean_square
from glaswerk.learners import KernelRegression, LocallyWeightedRegression, RBFNetwork, UnifiedLocalModel

ROWS, NOISE, FRESH = 80, 0.15, 2000
CENTRE, WIDTH = 0.35, 0.15
WIDTHS = (0.01, 0.05, 0.3)


def wave(seed: int, n: int) -> tuple[Array, Array]:
    """A curve with a slope at its right border, and few rows in between."""
    rng = np.random.default_rng([seed, n, 56])
    x = rng.uniform(0.0, 1.0, 2 * n)
    x = x[(x < 0.55) | (x > 0.75) | (rng.random(2 * n) < 0.1)][:n]
    return x[:, None], truth(x) + NOISE * rng.standard_normal(len(x))


def truth(x: Array) -> Array:
    found: Array = np.sin(7.0 * x) + 8.0 * np.maximum(x - 0.8, 0.0)
    return found


def run(seed: int) -> list[Fact]:
    """One line at one centre, three models side by side, and how wide a bell should be."""
    x, y = wave(seed, ROWS)
    chosen = KernelRegression().fit(x, y)
    h = float(chosen.bandwidth_[0])
    models: dict[str, Any] = {
        "weighted means": chosen,
        "weighted lines": LocallyWeightedRegression(2.0 * h).fit(x, y),
        "ten bumps": RBFNetwork(10, alpha=1e-3).fit(x, y),
    }
    return [
        words(h),
        one_centre(x, y),
        beside(models, x, y),
        errors(models, x, y),
        bandwidths(x, y),
        *chosen.facts().of_kind(Curve)[:1],
        far(models),
    ]


def one_centre(x: Array, y: Array) -> Curve:
    """[BG-DGAUSS] Weighted least squares around one centre: the line, the bell, and how much each row weighs."""
    bell = np.exp(-0.5 * ((x[:, 0] - CENTRE) / WIDTH) ** 2)
    model = UnifiedLocalModel(centres=[[CENTRE]], bandwidth=WIDTH, fit_lines="each", alpha=0.0).fit(x, y)
    slopes, heights = model.lines()
    Z = np.column_stack([x, np.ones(len(x))])
    a, b = np.linalg.solve(Z.T @ (bell[:, None] * Z), Z.T @ (bell * y))
    at = np.array([CENTRE - 2.5 * WIDTH, CENTRE + 2.5 * WIDTH])
    grid = np.linspace(0.0, 1.0, 101)
    off = max(abs(a - slopes[0, 0, 0]), abs(b - heights[0, 0]))
    says = f"The line is {a:.3g} x {b:+.3g}; solved as printed, (XᵀDX)⁻¹XᵀDt, it differs by {off:.0e}."
    drawn = (
        line("rows, upright as they weigh", x[:, 0], y, "points", y - 0.4 * bell, y + 0.4 * bell),
        line("the line of this centre", at, a * at + b),
        line("its bell", grid, np.exp(-0.5 * ((grid - CENTRE) / WIDTH) ** 2)),
    )
    return Curve("One line at one centre", "x", "y", drawn, says, marks=((CENTRE, "centre"),))


def beside(models: dict[str, Any], x: Array, y: Array) -> Curve:
    at = np.linspace(0.0, 1.0, 161)
    lines = (line(name, at, model.predict(at[:, None])) for name, model in models.items())
    return Curve("Means, lines and bumps", "x", "y", (line("rows", x[:, 0], y, "points"), *lines,
                                                     line("truth", at, truth(at))))  # fmt: skip


def errors(models: dict[str, Any], x: Array, y: Array) -> Table:
    """Squared distance to the truth: everywhere, at the right border, where rows are few."""
    at = np.linspace(0.0, 1.0, FRESH)
    parts = {
        "everywhere": at >= 0.0,
        "right border, x > 0.95": at > 0.95,
        "few rows, 0.55 < x < 0.75": abs(at - 0.65) < 0.1,
    }
    rows: list[tuple[Cell, ...]] = []
    for name, model in models.items():
        found = model.predict(at[:, None])
        away = [mean_square(truth(at[part]), found[part]) for part in parts.values()]
        rows.append((name, *away, mean_square(y, model.predict(x))))
    heads = ("model", *parts, "error on the rows themselves")
    return Table("Squared distance to the truth", heads, tuple(rows), (f"The noise of the rows is {NOISE**2:.3g}.",))


def bandwidths(x: Array, y: Array) -> Curve:
    """Too narrow, about right, too wide."""
    at = np.linspace(0.0, 1.0, 201)
    lines = (line(f"h = {h:g}", at, KernelRegression(bandwidth=h).fit(x, y).predict(at[:, None])) for h in WIDTHS)
    says = "A narrow bell follows every row, a wide one levels everything."
    return Curve("Three bandwidths", "x", "y", (line("rows", x[:, 0], y, "points"), *lines), says)


def far(models: dict[str, Any]) -> Table:
    """Queries far from all rows, where the printed formula is 0/0."""
    places = (1.1, 2.0, 100.0)
    rows: list[tuple[Cell, ...]] = [
        (name, *(float(model.predict([[q]])[0]) for q in places)) for name, model in models.items()
    ]
    note = (
        "Means end at the nearest row. Lines go on as the last rows lay, until but one row weighs anything. Bumps fall "
        "to 0."
    )
    return Table("Far from all rows", ("model", *(f"x = {q:g}" for q in places)), tuple(rows), (note,))


def words(h: float) -> Statement:
    return Statement(
        "What to look for",
        (
            f"Leave-one-out takes the bandwidth {h:.3g}: every row is predicted from the others, for 19 bandwidths.",
            "At the right border all rows lie on one side: means lag behind the slope, lines do not.",
            "Means and lines keep all rows and fit at every query; bumps keep ten weights, fitted once.",
        ),
    )


LAB = Lab(
    rows=("R44", "R51", "R52", "R55", "R56", "R57"),
    script="C, 2.3 and 2.8: RBF networks, local regression, Nadaraya and Watson",
    says="weighted means, weighted lines and ten bumps on one curve; one line at one centre; the bandwidth",
    run=run,
)
