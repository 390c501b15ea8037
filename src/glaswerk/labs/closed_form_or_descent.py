"""Closed form or descent: script E's problem 1.1 and 1.2, how good each is and how long descent takes.

t = sin(πx) + noise,   ŷ = φ(x)w + b,   w = (ΦᵀΦ)⁻¹Φᵀt   against   w ← w - η Φᵀ(Φw - t)      [NAN-GD]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.design import PolynomialBasis
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, mean_square, noisy_sine
from glaswerk.learners import GradientDescentRegressor, LinearRegression

ROWS, TESTED, NOISE, DEGREE = 60, 200, 0.2, 5
EPOCHS = (10, 100, 1000, 10_000, 100_000)


def parts(seed: int) -> tuple[Array, Array, Array, Array]:
    """Powers of x and t, of training and of test rows."""
    random = np.random.default_rng([seed, 11])
    x, t = noisy_sine(ROWS, NOISE, random)
    new_x, new_t = noisy_sine(TESTED, NOISE, random)
    basis = PolynomialBasis(degree=DEGREE).fit(x)
    return basis.transform(x), t, basis.transform(new_x), new_t


def descended(X: Array, t: Array, epochs: int, rate: float | str = "lipschitz") -> GradientDescentRegressor:
    """Descent on ½ Σ (ŷ - t)² with 1/σ_max for so many epochs."""
    return GradientDescentRegressor(objective="half_rss", learning_rate=rate, n_epochs=epochs, tol=None).fit(X, t)


def run(seed: int) -> list[Fact]:
    """The errors of both, their weights, predictions, their quality, the loss per epoch and the distance."""
    X, t, new_X, new_t = parts(seed)
    closed = LinearRegression().fit(X, t)
    with heard():
        walks = {epochs: descended(X, t, epochs) for epochs in EPOCHS}
    rows: list[tuple[Cell, ...]] = [("closed form", *errors(closed, X, t, new_X, new_t), 0.0)]
    for epochs, model in walks.items():
        away = float(np.linalg.norm(np.append(model.coef_ - closed.coef_, model.intercept_ - closed.intercept_)))
        rows.append((f"descent, {epochs} epochs", *errors(model, X, t, new_X, new_t), away))
    heads = ("how", "MSE on training rows", "MSE on test rows", "distance of the weights")
    table = Table("Closed form against descent", heads, tuple(rows), ("all of descent with η = 1/σ_max",))
    long = walks[EPOCHS[-1]]
    told = Statement(
        "What is to be seen",
        (
            "Descent goes to the closed form, and never below it on the training rows.",
            "Powers of x resemble each other, so the condition number is large: a hundred epochs take most of the "
            "error "
            "away, the weights need a hundred times as many.",
            "Stopped early, weights stay near their start, which on test rows can be the better answer.",
        ),
    )
    return [
        told,
        table,
        *weights(long),
        predictions(X, t, closed, walks),
        quality(new_X, new_t, closed, walks),
        losses(long, closed, new_X, new_t),
        behind(long),
    ]


def errors(
    model: LinearRegression | GradientDescentRegressor, X: Array, t: Array, new_X: Array, new_t: Array
) -> tuple[float, float]:
    """[NAN-4] on training rows and on test rows."""
    return mean_square(t, model.predict(X)), mean_square(new_t, model.predict(new_X))


def weights(long: GradientDescentRegressor) -> list[Fact]:
    """Every weight of both, and what the bowl says of the steps."""
    facts = long.facts()
    tables = [
        f for f in facts if isinstance(f, Table) and f.title in ("Descent and closed form", "Directions of the bowl")
    ]
    return [*tables, *(f for f in facts if isinstance(f, Statement))]


def predictions(X: Array, t: Array, closed: LinearRegression, walks: dict[int, GradientDescentRegressor]) -> Curve:
    """The rows and what each makes of them (script E, figures 1 and 3)."""
    x = np.linspace(-1, 1, 121)
    powers = PolynomialBasis(degree=DEGREE).fit_transform(x[:, None])
    shown = [
        ("closed form", closed.predict(powers)),
        *((f"descent, {n} epochs", walks[n].predict(powers)) for n in (10, 100, 1000)),
    ]
    lines = (line("training rows", X[:, 0], t, "points"), *(line(name, x, y) for name, y in shown))
    return Curve(
        f"Predictions of a polynomial of degree {DEGREE} (script E, figures 1 and 3)",
        "x",
        "t",
        lines,
        "Ten epochs see a trend, a thousand nearly the shape; the closed form has it at once.",
    )


def quality(new_X: Array, new_t: Array, closed: LinearRegression, walks: dict[int, GradientDescentRegressor]) -> Curve:
    """Predicted against observed on test rows."""
    ends = [float(new_t.min()), float(new_t.max())]
    lines = (
        line("closed form", new_t, closed.predict(new_X), "points"),
        line("descent, 10 epochs", new_t, walks[10].predict(new_X), "points"),
        line("as observed", ends, ends),
    )
    return Curve(
        "Quality of the predictions on test rows (script E, figure 1)",
        "observed t",
        "predicted t",
        lines,
        "A good model lies along the diagonal; ten epochs have not learnt the heights yet.",
    )


def losses(long: GradientDescentRegressor, closed: LinearRegression, new_X: Array, new_t: Array) -> Curve:
    """MSE after every epoch on both kinds of rows (script E, figure 2)."""
    found = long.solution_
    at = np.unique(np.geomspace(1, len(found.epochs), 120).round().astype(int)) - 1
    trail = found.trail[at, 0]
    tested = [mean_square(new_t, new_X @ w[:-1] + w[-1]) for w in trail]
    epochs = found.epochs[at] + 1
    lines = (
        line("training rows", epochs, 2 * found.objective[at] / ROWS),
        line("test rows", epochs, tested),
        line("closed form, training", [1, epochs[-1]], [2 * found.lowest / ROWS] * 2),
        line("closed form, test", [1, epochs[-1]], [mean_square(new_t, closed.predict(new_X))] * 2),
    )
    return Curve(
        "Error after every epoch (script E, figure 2)",
        "epoch, counted from 1",
        "MSE",
        lines,
        "Fast at first, along the steep directions; then slowly along the flat ones.",
        "log",
        "log",
    )


def behind(long: GradientDescentRegressor) -> Curve:
    """How far above the closed form's the loss still is."""
    found = long.solution_
    at = np.unique(np.geomspace(1, len(found.epochs), 120).round().astype(int)) - 1
    excess = np.maximum(2 * (found.objective[at] - found.lowest) / ROWS, 1e-16)
    return Curve(
        "What descent is behind the closed form",
        "epoch, counted from 1",
        "MSE above the closed form's",
        (line("η = 1/σ_max", found.epochs[at] + 1, excess),),
        "It comes near at the pace of the flattest direction, in the end to the last digit.",
        "log",
        "log",
    )


LAB = Lab(
    rows=("R17", "R6", "R7"),
    script="E, problems 1.1 and 1.2, figures 1 to 3",
    says="the quality of the closed form against that of gradient descent, epoch by epoch",
    run=run,
)
