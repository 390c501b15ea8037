"""The plane among the points: regression with two columns, as script A draws it.              [BOE-GRAD] [BOE-LS]

f(x) = w₂x₂ + w₁x₁ + w₀, placed so that the squared distances of the rows sum to least
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Fact, Statement, Surface, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import LinearRegression

ROWS, NOISE, GRID = 40, 0.5, 30
TRUE = np.array([1.0, -2.0, 0.5])  # w₁, w₂, w₀


def drawn(seed: int) -> tuple[Array, Array]:
    """Rows even over the square, targets of the true plane with noise."""
    random = np.random.default_rng([seed, 8])
    X = random.uniform(-1.0, 1.0, (ROWS, 2))
    return X, X @ TRUE[:2] + TRUE[2] + NOISE * random.standard_normal(ROWS)


def run(seed: int) -> list[Fact]:
    """The plane with the rows above and below it, the weights, and the gradient that has come to rest."""
    X, y = drawn(seed)
    model = LinearRegression().fit(X, y)
    x = np.linspace(-1.0, 1.0, GRID)
    grid = np.array([(a, b) for b in x for a in x])
    height = model.predict(grid).reshape(GRID, GRID)
    above = y >= model.predict(X)
    clouds = (
        line("rows above the plane", X[above, 0], X[above, 1], "points"),
        line("rows below the plane", X[~above, 0], X[~above, 1], "points"),
    )
    ends = tuple(x.tolist()), tuple(x.tolist())
    says = "Level lines of a plane are straight and evenly spaced; rows lie above and below it alike."
    cells = tuple(map(tuple, height.tolist()))
    plane = Surface("The plane and its rows", "x1", "x2", "f(x)", *ends, cells, clouds, says)
    return [words(model, X, y), plane, weights(model)]


def weights(model: LinearRegression) -> Table:
    """True and found weights with their errors."""
    found = [(model.intercept_, TRUE[2], "w₀"), (model.coef_[0], TRUE[0], "w₁"), (model.coef_[1], TRUE[1], "w₂")]
    rows = tuple((name, float(true), float(value), float(value - true)) for value, true, name in found)
    return Table("True and found", ("weight", "true", "found", "difference"), rows)


def words(model: LinearRegression, X: Array, y: Array) -> Statement:
    """[BOE-GRAD] At the least sum of squares the gradient is zero: that is what least squares solves."""
    miss = y - model.predict(X)
    slope = np.array([miss.sum(), *(X.T @ miss)])
    return Statement(
        "What the plane does",
        (
            f"Of {len(y)} rows {int((miss > 0).sum())} lie above the plane and {int((miss < 0).sum())} below.",
            f"Moving any weight gains nothing: the largest part of the gradient is {np.abs(slope).max():.1e}.",
        ),
    )


LAB = Lab(
    rows=("R2",),
    script="A, figure 8",
    says="regression with two columns: the plane among the points, and the gradient that has come to rest",
    run=run,
)
