"""Kernel machines on two moons and on Iris: what C and γ do to the border, its margins and the rows that hold it.

f(x) = Σ βᵢ exp(-γ ‖xᵢ - x‖²) + b                                                               [SCH-KERNEL] [SCH-SOFT]
"""

import numpy as np

from glaswerk.base import Array, Matrix
from glaswerk.evaluate import margin_steps
from glaswerk.facts import Fact, Statement, Table
from glaswerk.labs.lab import Lab
from glaswerk.learners import SVC
from glaswerk.table import load_iris

ROWS, NOISE, FRESH = 120, 0.22, 2000
COSTS, WIDTHS = (0.1, 1.0, 10.0, 1000.0), (0.1, 1.0, 10.0, 100.0)


def moons(seed: int, n: int = ROWS) -> tuple[Array, np.ndarray]:
    """Two half circles that reach into each other, with noise."""
    rng = np.random.default_rng([seed, n])
    turn, y = rng.uniform(0, np.pi, n), np.arange(n) % 2
    X = np.column_stack([np.cos(turn) + y, np.sin(turn) * (1 - 2 * y) + 0.35 * y])
    return X + NOISE * rng.normal(size=(n, 2)), y


def petals() -> tuple[Array, np.ndarray]:
    """Length and width of the petals, scaled, and the species."""
    table = load_iris()
    X = np.column_stack([table["petal_length"].numbers(), table["petal_width"].numbers()])
    levels = np.array(table["species"].levels)
    names = ("length of the petal, scaled", "width of the petal, scaled")
    return Matrix.of((X - X.mean(axis=0)) / X.std(axis=0), names), levels[table["species"].codes()]


def run(seed: int) -> list[Fact]:
    """Sliders over C and γ for both tables, and the machines of the moons judged on fresh rows."""
    X, y = moons(seed)
    found = margin_steps(X, y, C=COSTS, gamma=WIDTHS, title="Two moons: move C and gamma", heading="The moons")
    petals_moved = "Petals of Iris: move C and gamma"
    species = margin_steps(*petals(), C=COSTS, gamma=WIDTHS, title=petals_moved, heading="The petals")
    return [words(), found, judged(seed, X, y), species]


def judged(seed: int, X: Array, y: np.ndarray) -> Table:
    """Every machine: how many rows hold it, its margin, its proof, and what it gets wrong."""
    fresh, truth = moons(seed + 1, FRESH)
    rows = []
    for C in COSTS:
        for gamma in WIDTHS:
            model = SVC(C=C, gamma=gamma).fit(X, y)
            machine = model.solution_.machines[0]
            rows.append((C, gamma, len(model.support_), machine.width, machine.gap, machine.violation,
                         1.0 - model.score(X, y), 1.0 - model.score(fresh, truth)))  # fmt: skip
    heads = ("C", "gamma", "supporting rows", "width of the margin", "relative gap", "worst KKT violation",
             "wrong, of its rows", f"wrong, of {FRESH} fresh rows")  # fmt: skip
    return Table("Every machine of the moons", heads, tuple(rows))


def words() -> Statement:
    return Statement(
        "What to look for",
        (
            "Small gamma: every row speaks far around, and the border is nearly a plane: underfitting.",
            "Large gamma: every row decides about its own neighbourhood, islands form, and nearly all rows support the "
            "border: overfitting, though no row of its own is wrong.",
            "Small C forgives, and the margin is wide; large C insists, and the margin shrinks until it does.",
        ),
    )


LAB = Lab(
    rows=("R79", "R76", "R74", "R80"),
    script="D, kernel SVM: Gaussian kernel, C and γ",
    says="the border on two moons and on Iris as C and gamma move: regions, margins, supporting rows",
    run=run,
)
