"""Fisher's direction against that of the means: long clouds side by side, projected on both."""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import FisherDiscriminant, LinearRegression

ROWS = 200


def clouds(seed: int) -> tuple[Array, np.ndarray]:
    """Two long clouds, their means apart along and across."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [ROWS, ROWS // 2])
    return rng.normal(size=(len(y), 2)) @ np.array([[2.0, 1.6], [0.2, 0.5]]) + np.outer(y, [1.8, -0.4]), y


def run(seed: int) -> list[Fact]:
    """The clouds, the rows projected on both directions, J of each, and the same direction by least squares."""
    X, y = clouds(seed)
    model = FisherDiscriminant().fit(X, y)
    first, second = model.coded(y).sum(axis=0)
    targets = model.coded(y) @ [len(y) / first, -len(y) / second]
    found = -LinearRegression().fit(X, targets).coef_
    found = found / np.sqrt(found @ found)
    rows = tuple((name, float(a), float(b)) for name, a, b in zip(("x0", "x1"), model.direction_, found, strict=True))
    same = Table("Fisher's direction, and a line's through targets N/N₁, -N/N₂", ("column", "Fisher", "line"), rows)
    return [picture(X, y, model), *model.facts()[:-1], same]


def picture(X: Array, y: np.ndarray, model: FisherDiscriminant) -> Curve:
    """The rows, and both directions through their mean."""
    centre, reach = X.mean(axis=0), np.array([-4.0, 4.0])
    drawn = [line(f"class {k}", X[y == k, 0], X[y == k, 1], "points") for k in (0, 1)]
    ways = (("Fisher's direction", model.direction_), ("direction of the means", model.solution_.mean_direction))
    drawn += [line(name, centre[0] + reach * w[0], centre[1] + reach * w[1]) for name, w in ways]
    says = "Projected on the line of the means the clouds overlap; Fisher's line lies across them."
    return Curve("Two long clouds and two directions", "x₁", "x₂", tuple(drawn), says)


LAB = Lab(
    rows=("R62", "R63", "R64", "R65", "R66", "R67"),
    script="C, 2.6, Fisher-Diskriminante",
    says="Fisher's direction against that of the means: projected rows, criterion, threshold, least squares",
    run=run,
)
