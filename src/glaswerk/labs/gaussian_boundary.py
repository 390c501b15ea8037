"""Two Gaussian classes: one covariance gives a straight boundary, one for each a bent one."""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Fact, Surface, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

ROWS, GRID = 80, 33


def cloud(seed: int, alike: bool) -> tuple[Array, np.ndarray]:
    """Two clouds of ROWS rows, of one shape or of two."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(ROWS, 2)) @ np.array([[1.2, 0.5], [0.0, 0.7]])
    shape = np.array([[1.2, 0.5], [0.0, 0.7]]) if alike else np.array([[0.5, -0.2], [0.0, 1.6]])
    second = rng.normal(size=(ROWS, 2)) @ shape + [2.2, -0.8]
    return np.concatenate([first, second]), np.repeat([0, 1], ROWS)


def run(seed: int) -> list[Fact]:
    """Both models on clouds of one shape and of two: probabilities over the plane, rows, and how many are right."""
    facts: list[Fact] = []
    scores = []
    for alike in (True, False):
        X, y = cloud(seed, alike)
        words = "one shape" if alike else "two shapes"
        linear = LinearDiscriminantAnalysis().fit(X, y)
        quadratic = QuadraticDiscriminantAnalysis().fit(X, y)
        for name, model in (("one covariance", linear), ("a covariance each", quadratic)):
            facts.append(plane(f"Classes of {words}, {name}", model, X, y))
            fresh, truth = cloud(seed + 1, alike)
            scores.append((words, name, model.score(X, y), model.score(fresh, truth)))
        if alike:
            facts += linear.facts()[:4]
    heads = ("classes", "model", "right of its rows", "right of fresh rows")
    return [Table("How many rows are on the right side", heads, tuple(scores)), *facts]


def plane(title: str, model: LinearDiscriminantAnalysis | QuadraticDiscriminantAnalysis, X: Array, y: Array) -> Surface:
    """P(class 1) over the plane, the rows on it."""
    low, high = X.min(axis=0) - 0.3, X.max(axis=0) + 0.3
    x1, x2 = np.linspace(low[0], high[0], GRID), np.linspace(low[1], high[1], GRID)
    grid = np.array([(a, b) for b in x2 for a in x1])
    z = model.predict_proba(grid)[:, 1].reshape(GRID, GRID)
    clouds = tuple(line(f"class {k}", X[y == k, 0], X[y == k, 1], "points") for k in (0, 1))
    says = "The boundary is where the probability is one half."
    return Surface(
        title,
        "x₁",
        "x₂",
        "P(class 1)",
        tuple(x1.tolist()),
        tuple(x2.tolist()),
        tuple(map(tuple, z.tolist())),
        clouds,
        says,
    )


LAB = Lab(
    rows=("R68", "R69", "R70"),
    script="C, 2.6, Bayes'scher Ansatz",
    says="two Gaussian classes with one covariance and with two: straight and bent boundaries, w and w₀ printed",
    run=run,
)
