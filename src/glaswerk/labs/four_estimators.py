"""Four estimators: script E's problem 1.5, closed form, batch, mini-batch and stochastic descent over derived features.

    φ_M(x) = (p₁(x), …, p_M(x)), orthogonal polynomials; RMSE on training and on test rows           [NAN-2] [NAN-RMSE]

The script asks how the number of derived features moves the four methods. Time is not measured: it depends on the day.
"""

from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.design import OrthogonalPolynomialBasis, PolynomialBasis
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, mean_square, noisy_sine
from glaswerk.learners import GradientDescentRegressor, LinearRegression

ROWS, TESTED, NOISE = 40, 1000, 0.25
FEATURES = tuple(range(1, 16))
EPOCHS, BATCH = 200, 8


def estimators(seed: int) -> dict[str, Any]:
    """The four, each with what it needs to come to an end."""
    common: dict[str, Any] = {"objective": "half_mse", "n_epochs": EPOCHS, "tol": None, "random_state": seed}
    return {
        "closed form": LinearRegression(),
        "gradient descent": GradientDescentRegressor(**common),
        f"mini-batches of {BATCH}": GradientDescentRegressor(**common, batch_size=BATCH, decay=0.02),
        "stochastic": GradientDescentRegressor(**common, batch_size=1, shuffle=True, decay=0.05),
    }


def errors(seed: int, basis: Any) -> dict[str, tuple[list[float], list[float]]]:
    """For each estimator its RMSE on training rows and on test rows, over the number of features."""
    random = np.random.default_rng([seed, 15])
    x, t = noisy_sine(ROWS, NOISE, random)
    new_x, new_t = noisy_sine(TESTED, NOISE, random)
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in estimators(seed)}
    for features in FEATURES:
        phi = basis(degree=features).fit(x)
        for name, estimator in estimators(seed).items():
            model = estimator.fit(phi.transform(x), t)
            found[name][0].append(rmse(t, model.predict(phi.transform(x))))
            found[name][1].append(rmse(new_t, model.predict(phi.transform(new_x))))
    return found


def rmse(t: Array, y: Array) -> float:
    """[NAN-RMSE] The root of the mean squared error."""
    return float(np.sqrt(mean_square(t, y)))


def run(seed: int) -> list[Fact]:
    """Both errors of the four estimators over the number of features; the same on plain powers."""
    with heard():
        smooth, plain = errors(seed, OrthogonalPolynomialBasis), errors(seed, PolynomialBasis)
    best = {name: FEATURES[int(np.argmin(tested))] for name, (_, tested) in smooth.items()}
    told = Statement(
        "What is to be seen",
        (
            "The closed form's training error falls with every feature; its test error falls, and rises again: the "
            "noise "
            "is learnt.",
            f"Least error on test rows: {', '.join(f'{name} with {m} features' for name, m in best.items())}.",
            f"On orthogonal polynomials, whose condition number is about 1, {EPOCHS} epochs are enough: all four "
            "find the same.",
            "On plain powers, which resemble each other, descent learns nothing from the fourth on and stays above the "
            "closed form on the training rows. What it had no epochs to fit it cannot overfit either: with many "
            "features it "
            "is better on test rows. Stopping early is a penalty.",
        ),
    )
    return [
        told,
        table(smooth, "orthogonal polynomials"),
        curve(smooth, 0, "training"),
        curve(smooth, 1, "test"),
        table(plain, "plain powers"),
        curve(plain, 0, "training", " on plain powers"),
        curve(plain, 1, "test", " on plain powers"),
    ]


def table(found: dict[str, tuple[list[float], list[float]]], basis: str) -> Table:
    """Both errors, one line for each number of features."""
    rows: list[tuple[Cell, ...]] = [
        (m, *(values[k] for values in (e for pair in found.values() for e in pair))) for k, m in enumerate(FEATURES)
    ]
    heads = ("features", *(f"{name}, {kind}" for name in found for kind in ("train", "test")))
    return Table(f"RMSE over the number of features ({basis})", heads, tuple(rows), (f"noise of deviation {NOISE}",))


def curve(found: dict[str, tuple[list[float], list[float]]], which: int, kind: str, where: str = "") -> Curve:
    """One of the two errors over the number of features; far above the others is not drawn."""
    top = 3.0 * max(pair[which][0] for pair in found.values())
    lines = []
    for name, pair in found.items():
        kept = [(m, e) for m, e in zip(FEATURES, pair[which], strict=True) if e <= top]
        lines.append(line(name, [m for m, _ in kept], [e for _, e in kept]))
    lines.append(line("the noise itself", [FEATURES[0], FEATURES[-1]], [NOISE, NOISE]))
    says = {
        "training": "More features, less training error: the closed form lowest everywhere.",
        "test": "A few features are too few, many are too many.",
    }[kind]
    return Curve(
        f"RMSE on {kind} rows{where} (script E, problem 1.5)",
        "derived features",
        "RMSE",
        tuple(lines),
        says,
        y_scale="log" if kind == "test" else "linear",
    )


LAB = Lab(
    rows=("R18",),
    script="E, problem 1.5",
    says="closed form, batch, mini-batch and stochastic descent against the number of derived features",
    run=run,
)
