"""Units drawn at random against units that are trained: an extreme learning machine beside a perceptron of two layers.

ŷ = w₀ + Σ wⱼ σ(vⱼᵀx + cⱼ):   v and c drawn, w by ridge regression;   or all of them by descent        [BG-ELM] [BG-MLP]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.design import SigmoidBasis
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, mean_square
from glaswerk.learners import ExtremeLearningMachine, MLPRegressor, Ridge

ROWS, FRESH, NOISE = 300, 2000, 0.1
UNITS = (2, 4, 8, 16, 32, 64, 128)
SEEDS = 8
EPOCHS = 400


def rows_of(seed: int, n: int) -> tuple[Array, Array]:
    """Two columns, a ridge that bends and a product."""
    rng = np.random.default_rng([seed, n, 46])
    X = rng.normal(size=(n, 2))
    return X, np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 0] * X[:, 1] + NOISE * rng.standard_normal(n)


def run(seed: int) -> list[Fact]:
    """Errors over the number of units, how much the draw matters, parts that add up, and one column drawn."""
    X, y = rows_of(seed, ROWS)
    fresh, truth = rows_of(seed + 1, FRESH)
    return [
        words(),
        over_units(X, y, fresh, truth),
        draws(X, y, fresh, truth),
        added(X, y),
        one_column(seed),
    ]


def machine(units: int, draw: int = 0) -> ExtremeLearningMachine:
    return ExtremeLearningMachine(units, alpha=1e-3, random_state=draw)


def trained(units: int, X: Array, y: Array) -> MLPRegressor:
    model = MLPRegressor((units,), "logistic", solver="lbfgs", alpha=1e-3, max_iter=EPOCHS, random_state=0)
    with heard():
        return model.fit(X, y)


def over_units(X: Array, y: Array, fresh: Array, truth: Array) -> Curve:
    random = [mean_square(truth, machine(u).fit(X, y).predict(fresh)) for u in UNITS]
    learned = [mean_square(truth, trained(u, X, y).predict(fresh)) for u in UNITS]
    lines = (line("units drawn at random", UNITS, random), line("units trained", UNITS, learned))
    says = "Trained units are placed where they are needed; of random ones it takes many to have some there by chance."
    return Curve("Error on fresh rows over the number of units", "hidden units", "mean squared error", lines, says,
                 x_scale="log", y_scale="log", notes=(f"The noise is {NOISE**2:g}.",))  # fmt: skip


def draws(X: Array, y: Array, fresh: Array, truth: Array) -> Table:
    """How much the draw of the hidden layer matters."""
    rows = []
    for units in UNITS:
        errors = [mean_square(truth, machine(units, draw).fit(X, y).predict(fresh)) for draw in range(SEEDS)]
        rows.append((units, min(errors), float(np.median(errors)), max(errors)))
    heads = ("units", "best draw", "median", "worst draw")
    return Table(f"The error of {SEEDS} draws of the hidden layer", heads, tuple(rows))


def added(X: Array, y: Array) -> Table:
    """Two machines that saw half the rows each, added, against one that saw all: its sums add."""
    half = len(X) // 2
    whole = machine(32).fit(X, y)
    parts = machine(32).fit(X[:half], y[:half]).merge(machine(32).fit(X[half:], y[half:]))
    later = machine(32).partial_fit(X[:half], y[:half]).partial_fit(X[half:], y[half:])
    known = whole.predict(X)
    rows = tuple(
        (name, float(np.abs(model.predict(X) - known).max()))
        for name, model in (("two halves merged", parts), ("the second half later", later))
    )
    return Table("Rows seen in parts", ("how", "largest difference to all at once"), rows)


def one_column(seed: int) -> Curve:
    """[BG-STEP] A sine by sigmoids: steps at random places, and steps at even ones under ridge regression."""
    rng = np.random.default_rng([seed, 45])
    x = np.sort(rng.uniform(-1.0, 1.0, 60))[:, None]
    t = np.sin(np.pi * x[:, 0]) + NOISE * rng.standard_normal(60)
    at = np.linspace(-1.0, 1.0, 161)[:, None]
    steps = SigmoidBasis("grid", n_centres=8).fit(x)
    even = Ridge(1e-3).fit(steps.transform(x), t).predict(steps.transform(at))
    lines = (
        line("rows", x[:, 0], t, "points"),
        line("8 random units", at[:, 0], ExtremeLearningMachine(8, alpha=1e-3, scale=4.0).fit(x, t).predict(at)),
        line("8 sigmoids at even places", at[:, 0], even),
        line("3 trained units", at[:, 0], trained(3, x, t).predict(at)),
    )
    return Curve("A sine by sigmoids", "x", "t", lines)


def words() -> Statement:
    return Statement(
        "What to look for",
        (
            "A random layer needs no descent: the output is one linear system, whose sums add.",
            "It pays with units: trained ones reach the noise with far fewer.",
            "With few units the draw decides; with many it hardly matters.",
        ),
    )


LAB = Lab(
    rows=("R46", "R45", "R58"),
    script="C, 2.3, extreme learning machine",
    says="units drawn at random against trained ones: error over their number, the luck of the draw, sums that add",
    run=run,
)
