"""The curse of dimensionality: the volume of a ball lies in its shell, and all rows become equally far."""

import numpy as np

from glaswerk.facts import Curve, Fact, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import KNeighborsRegressor

DIMENSIONS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500)
DEPTHS = (0.01, 0.05, 0.1)
ROWS = 400


def shell(depth: float, dimensions: int) -> float:
    """[BG-SHELL] 1 - (1 - ε)^D: the share of a ball's volume within ε of its surface."""
    return float(-np.expm1(dimensions * np.log1p(-depth)))


def run(seed: int) -> list[Fact]:
    """The share of the shell by formula and by drawing; nearest against furthest row by dimension."""
    lines = tuple(line(f"ε = {e:g}", DIMENSIONS, [shell(e, d) for d in DIMENSIONS]) for e in DEPTHS)
    rng = np.random.default_rng(seed)
    drawn, ratios = [], []
    for d in DIMENSIONS:
        away = rng.normal(size=(ROWS, d))
        ball = away / np.sqrt((away**2).sum(axis=1))[:, None] * rng.uniform(size=(ROWS, 1)) ** (1.0 / d)
        drawn.append(float(np.mean(np.sqrt((ball**2).sum(axis=1)) > 0.9)))
        distances, _ = KNeighborsRegressor(ROWS - 1).fit(ball, np.zeros(ROWS)).kneighbors()
        ratios.append(float(np.median(distances[:, 0] / distances[:, -1])))
    volume = Curve(
        "Share of a ball's volume near its surface", "dimensions D", "1 - (1 - ε)^D",
        (*lines, line("ε = 0.1, of drawn rows", DIMENSIONS, drawn, "points")),
        "In many dimensions nearly all of a ball is shell.", "log",
    )  # fmt: skip
    near = Curve(
        "Nearest against furthest row", "dimensions D", "distance of the nearest / of the furthest",
        (line(f"{ROWS} rows in a ball", DIMENSIONS, ratios),), "All rows become equally far.", "log",
    )  # fmt: skip
    rows = tuple((d, *(shell(e, d) for e in DEPTHS), ratio) for d, ratio in zip(DIMENSIONS, ratios, strict=True))
    heads = ("dimensions", *(f"shell of {e:g}" for e in DEPTHS), "nearest / furthest")
    return [volume, near, Table("The shell in numbers", heads, rows)]


LAB = Lab(
    rows=("R125",),
    script="C, 2.8, der Fluch der Dimensionalität",
    says="the volume of a ball lies in its shell, and all rows become equally far",
    run=run,
)
