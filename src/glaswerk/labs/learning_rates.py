"""Learning rates: script E's figure 4, descent with several rates, 1/σ_max among them.    [NAN-SIGMA] [NAN-NEWTON]

Formula 6 of the script subtracts a norm from a vector; what it means is the rate 1/σ_max. The Newton step divides by
the whole curvature instead of its largest value, and is done at once.
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.design import PolynomialBasis
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, mean_square, noisy_sine
from glaswerk.learners import GradientDescentRegressor, LinearRegression

ROWS, NOISE, DEGREE, EPOCHS = 60, 0.2, 3, 300
SHARES = (0.01, 0.1, 0.5, 1.0, 1.9, 2.05)  # of 1/σ_max
SEARCHED = ("backtracking", "adaptive", "newton")


def rows_of(seed: int) -> tuple[Array, Array]:
    """Powers of x and t."""
    x, t = noisy_sine(ROWS, NOISE, np.random.default_rng([seed, 12]))
    return PolynomialBasis(degree=DEGREE).fit_transform(x), t


def largest(X: Array) -> float:
    """[NAN-SIGMA] σ_max, the largest eigenvalue of ΦᵀΦ with its column of ones."""
    ones = np.column_stack([X, np.ones(len(X))])
    return float(np.linalg.eigvalsh(ones.T @ ones)[-1])


def descended(X: Array, t: Array, rate: float | str) -> GradientDescentRegressor:
    model = GradientDescentRegressor(objective="half_rss", learning_rate=rate, n_epochs=EPOCHS, tol=None)
    return model.fit(X, t)


def run(seed: int) -> list[Fact]:
    """The largest curvature, every rate with what became of it, and the losses."""
    X, t = rows_of(seed)
    sigma = largest(X)
    with heard() as told:
        fixed = {share: descended(X, t, share / sigma) for share in SHARES}
        own = descended(X, t, "lipschitz")
        searched = {name: descended(X, t, name) for name in SEARCHED}
    least = mean_square(t, LinearRegression().fit(X, t).predict(X))
    said = Statement(
        "What is to be seen",
        (
            f"σ_max = {sigma:.5g}, so 1/σ_max = {1 / sigma:.5g}; learning_rate='lipschitz' finds "
            f"{own.solution_.rate:.5g} "
            "by power iteration, without any decomposition.",
            "Below 2/σ_max descent comes down, at 1/σ_max without overshooting anywhere, beyond 2/σ_max it diverges.",
            "Script E's formula 6 subtracts a norm from a vector: meant is the rate 1/σ_max. The true Newton step "
            "divides "
            "by the whole curvature and arrives in one step.",
            *dict.fromkeys(told),
        ),
    )
    rows: list[tuple[Cell, ...]] = [
        row(f"{s:g}/σ_max", m, X, t, least, fixed[s].solution_.rate) for s, m in fixed.items()
    ]
    rows += [row(name, m, X, t, least, None) for name, m in searched.items()]
    heads = ("rate", "η", "epochs", "ended because", "MSE", "MSE above the closed form's")
    table = Table("Rates and what became of them", heads, tuple(rows))
    named = {**{f"{s:g}/σ_max": m for s, m in fixed.items()}, **searched}
    return [
        said,
        table,
        losses(
            {k: named[k] for k in list(named)[: len(SHARES)]},
            least,
            "Error after every epoch for fixed rates (script E, figure 4)",
            "Ten times the rate, a tenth of the epochs, until it is too large.",
        ),
        losses(
            {"1/σ_max": fixed[1.0], **searched},
            least,
            "Rates that are searched, and the Newton step",
            "Searched rates need no σ_max; Newton's step needs the whole curvature.",
        ),
    ]


def row(
    name: str, model: GradientDescentRegressor, X: Array, t: Array, least: float, rate: float | None
) -> tuple[Cell, ...]:
    mse = mean_square(t, model.predict(X))
    return (name, rate, model.n_iter_, model.solution_.ended, mse, mse - least)


def losses(models: dict[str, GradientDescentRegressor], least: float, title: str, says: str) -> Curve:
    """MSE after every epoch; what has left the picture is not followed."""
    lines = []
    for name, model in models.items():
        found = model.solution_
        mse = 2 * found.objective / ROWS
        shown = int(np.argmax(mse > 20 * mse[0])) or len(mse)
        lines.append(line(name, found.epochs[:shown], mse[:shown]))
    lines.append(line("closed form", [0, EPOCHS], [least, least]))
    return Curve(title, "epoch", "MSE", tuple(lines), says, y_scale="log")


LAB = Lab(
    rows=("R8", "R9", "R15", "R16"),
    script="E, problem 1.2, figure 4 and formula 6",
    says="descent with several learning rates, 1/σ_max among them, until the rate is too large",
    run=run,
)
