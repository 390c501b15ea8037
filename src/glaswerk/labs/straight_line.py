"""A straight line: script A's first figures, from many lines through a cloud to the one that algorithm 1 walks to.

RSS(w) = Σ (y - w₁x - w₀)²,   E = ½ RSS,   MSE = RSS/n,   R² = 1 - RSS/TSS     [BOE-RSS] [BOE-MSE] [BOE-R2] [BOE-GD1]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Line, Statement, Surface, Table
from glaswerk.labs.lab import Lab, heard, line
from glaswerk.learners import GradientDescentRegressor, LinearRegression

TRUE, NOISE, ROWS = (1.0, 2.0), 0.6, 20
CHOICES = ((0.0, 0.0), (2.0, 0.5), (1.0, -1.0), (0.5, 2.5))
STEPS, RATE = 60, 0.02
GRID = 36
OBJECTIVES = {"rss": 1.0, "half_rss": 0.5, "mse": 1 / ROWS, "half_mse": 0.5 / ROWS}


def rows_of(seed: int) -> tuple[Array, Array]:
    """x evenly over [-1, 1], y on a line but for noise."""
    x = np.linspace(-1, 1, ROWS)
    return x, TRUE[0] + TRUE[1] * x + NOISE * np.random.default_rng([seed, 3]).standard_normal(ROWS)


def rss(x: Array, y: Array, w0: float, w1: float) -> float:
    """[BOE-RSS] Σ (y - w₁x - w₀)²."""
    return float(np.sum((y - w1 * x - w0) ** 2))


def descended(x: Array, y: Array, objective: str) -> GradientDescentRegressor:
    """Algorithm 1 from zero, with the same rate for whatever objective."""
    model = GradientDescentRegressor(objective=objective, learning_rate=RATE, n_epochs=STEPS, tol=None)
    return model.fit(x[:, None], y)


def run(seed: int) -> list[Fact]:
    """Lines and their errors, distances, the error over both weights with the walk, and the four objectives."""
    x, y = rows_of(seed)
    best = LinearRegression().fit(x[:, None], y)
    found = (float(best.intercept_), float(best.coef_[0]))
    with heard():
        walks = {name: descended(x, y, name) for name in OBJECTIVES}
    told = Statement(
        "What is to be seen",
        (
            "Every choice of w0 and w1 is a line, and RSS says how far it lies from the rows; one has the least.",
            "R² compares with the mean of y: 0 for the mean itself, 1 for a perfect line, below 0 for one worse "
            "than the mean.",
            "RSS, ½ RSS and MSE have the same minimum. The same rate is a longer step for the larger objective.",
        ),
    )
    return [
        told,
        errors(x, y, found),
        lines_through(x, y, found),
        distances(x, y, found),
        surface(x, y, walks["half_rss"]),
        objectives(walks, found),
        losses(walks),
    ]


def errors(x: Array, y: Array, found: tuple[float, float]) -> Table:
    """Every measure of every line."""
    tss = float(np.sum((y - y.mean()) ** 2))
    rows = []
    for name, (w0, w1) in _lines(y, found).items():
        r = rss(x, y, w0, w1)
        rows.append((name, w0, w1, r, r / 2, r / ROWS, 1 - r / tss))
    heads = ("line", "w0", "w1", "RSS", "½ RSS", "MSE", "R²")
    return Table("Lines and their errors", heads, tuple(rows), (f"TSS = {tss:.5g}, n = {ROWS}",))


def _lines(y: Array, found: tuple[float, float]) -> dict[str, tuple[float, float]]:
    chosen = {f"choice {k + 1}": pair for k, pair in enumerate(CHOICES)}
    return {**chosen, "the mean of y": (float(y.mean()), 0.0), "least squares": found}


def lines_through(x: Array, y: Array, found: tuple[float, float]) -> Curve:
    """Figures 1 and 2: every pair of weights is a line."""
    ends = np.array([-1.0, 1.0])
    drawn = (line(f"{name}: {w0:.3g} {w1:+.3g} x", ends, w0 + w1 * ends) for name, (w0, w1) in _lines(y, found).items())
    return Curve(
        "Lines through a cloud (script A, figures 1 and 2)",
        "x",
        "y",
        (line("rows", x, y, "points"), *drawn),
        "There are infinitely many choices for each of the two parameters.",
    )


def distances(x: Array, y: Array, found: tuple[float, float]) -> Curve:
    """Figure 3: the distances that are squared and summed."""
    fit = found[0] + found[1] * x
    apart: Line = line("rows, with their distance", x, y, "points", np.minimum(y, fit), np.maximum(y, fit))
    return Curve(
        "What RSS sums (script A, figure 3)",
        "x",
        "y",
        (apart, line("least squares", x[[0, -1]], fit[[0, -1]])),
        f"The squares of these distances sum up to {rss(x, y, *found):.4g}.",
    )


def surface(x: Array, y: Array, walk: GradientDescentRegressor) -> Surface:
    """½ RSS over both weights, with the walk of algorithm 1."""
    w0, w1 = np.linspace(-0.5, 2.5, GRID), np.linspace(-0.5, 3.5, GRID)
    z = tuple(tuple(rss(x, y, a, b) / 2 for a in w0) for b in w1)
    trail = walk.solution_.trail[:, 0]
    path = line(f"algorithm 1, η = {RATE:g}", trail[:, 1], trail[:, 0])
    return Surface(
        "The error over both weights, and algorithm 1 on it",
        "w0",
        "w1",
        "½ RSS",
        tuple(w0.tolist()),
        tuple(w1.tolist()),
        z,
        (path,),
        "From zero down to the least-squares line.",
    )


def objectives(walks: dict[str, GradientDescentRegressor], found: tuple[float, float]) -> Table:
    """Where the same rate leads on each objective."""
    rows = tuple(
        (
            name,
            OBJECTIVES[name],
            float(m.intercept_),
            float(m.coef_[0]),
            float(np.hypot(m.intercept_ - found[0], m.coef_[0] - found[1])),
        )
        for name, m in walks.items()
    )
    heads = ("objective", "times RSS", "w0", "w1", "distance to least squares")
    return Table(f"Algorithm 1 on four objectives, {STEPS} steps at η = {RATE:g}", heads, rows)


def losses(walks: dict[str, GradientDescentRegressor]) -> Curve:
    """RSS after every step, whatever was descended on."""
    drawn = tuple(line(name, m.solution_.epochs, m.solution_.objective / OBJECTIVES[name]) for name, m in walks.items())
    return Curve(
        "RSS, step by step, by objective",
        "step",
        "RSS",
        drawn,
        "One rate, four objectives: the larger the factor before the sum, the longer the step.",
        y_scale="log",
    )


LAB = Lab(
    rows=("R1", "R5", "R6", "R136", "R137"),
    script="A, figures 1 to 3, algorithm 1",
    says="lines through a cloud, what RSS sums, and gradient descent on the error over both weights",
    run=run,
)
