"""Noise against error: script E's question whether the noise of the data and the RMSE (5) have to do with each other.

RMSE on training rows ≈ σ sqrt(1 - p/n),  on fresh rows ≈ σ sqrt(1 + p/n);  p weights, n rows      [NAN-RMSE] [BG-LS]
"""

import numpy as np

from glaswerk.design import OrthogonalPolynomialBasis
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, line, mean_square, noisy_sine
from glaswerk.learners import LinearRegression

ROWS, TESTED, DEGREE, DRAWS = 50, 1000, 7, 40
NOISES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
P = DEGREE + 1


def errors(noise: float, seed: int) -> tuple[float, float]:
    """RMSE on training and on fresh rows, over all draws."""
    found = np.empty((DRAWS, 2))
    for draw in range(DRAWS):
        random = np.random.default_rng([seed, draw, 20])
        x, t = noisy_sine(ROWS, noise, random)
        new_x, new_t = noisy_sine(TESTED, noise, random)
        basis = OrthogonalPolynomialBasis(degree=DEGREE).fit(x)
        model = LinearRegression().fit(basis.transform(x), t)
        found[draw] = (
            mean_square(t, model.predict(basis.transform(x))),
            mean_square(new_t, model.predict(basis.transform(new_x))),
        )
    mean = np.sqrt(np.median(found, axis=0))
    return float(mean[0]), float(mean[1])


def run(seed: int) -> list[Fact]:
    """The two errors over the noise, beside what theory says."""
    measured = [errors(noise, seed) for noise in NOISES]
    low, high = np.sqrt(1 - P / ROWS), np.sqrt(1 + P / ROWS)
    rows = tuple((s, train, low * s, test, high * s) for s, (train, test) in zip(NOISES, measured, strict=True))
    heads = ("noise σ", "RMSE on training rows", "σ sqrt(1 - p/n)", "RMSE on fresh rows", "σ sqrt(1 + p/n)")
    note = f"n = {ROWS} rows, p = {P} weights; medians over {DRAWS} draws of rows and noise"
    slope = float(np.polyfit(NOISES, [test for _, test in measured], 1)[0])
    told = Statement(
        "Does the noise decide the error? It does.",
        (
            "Nothing can predict noise: the RMSE on fresh rows is the noise, and a little more for every weight that "
            "had "
            f"to be estimated. Over these noises it grows by {slope:.3g} for every 1 of σ.",
            "On the training rows it is a little less than the noise, since some of the noise is fitted: the two sides "
            "differ by the share of weights in rows.",
            "Without noise what is left is what a polynomial of this degree cannot follow.",
        ),
    )
    lines = (
        line("fresh rows", NOISES, [r[3] for r in rows]),
        line("training rows", NOISES, [r[1] for r in rows]),
        line("σ sqrt(1 + p/n)", NOISES, [r[4] for r in rows]),
        line("σ sqrt(1 - p/n)", NOISES, [r[2] for r in rows]),
        line("σ", NOISES, NOISES),
    )
    curve = Curve(
        "Error over the noise of the rows (script E, problem 1.1)",
        "noise σ",
        "RMSE",
        lines,
        "The error is the noise, plus on fresh rows and minus on training rows what the weights cost.",
    )
    return [told, Table("Noise and RMSE", heads, rows, (note,)), curve]


LAB = Lab(
    rows=("R20",),
    script="E, problem 1.1, question on formula 5",
    says="the noise of the data against the RMSE on training and on fresh rows",
    run=run,
)
