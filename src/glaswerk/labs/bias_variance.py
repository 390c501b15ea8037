"""Bias and variance: why the middle of the complexities is best, as script A draws it after Domingos.

⟨(y - ŷ)²⟩ = noise + bias² + variance
"""

from collections.abc import Sequence

import numpy as np

from glaswerk.base import Array, Pipeline
from glaswerk.design import OrthogonalPolynomialBasis
from glaswerk.evaluate import ArrayProblem, bias_variance, bias_variance_of_table, decomposition_curve
from glaswerk.evaluate.bias_variance import Decomposition, decomposition_table
from glaswerk.facts import Fact, Statement
from glaswerk.labs.lab import Lab
from glaswerk.learners import LinearRegression

ROWS, NOISE, REPEATS, LAST = 30, 0.4, 150, 10


def sine(X: Array) -> Array:
    return np.asarray(np.sin(np.pi * X[:, 0]))


def polynomial(degree: int) -> Pipeline:
    return Pipeline([("basis", OrthogonalPolynomialBasis(degree=degree)), ("line", LinearRegression())])


def run(seed: int) -> Sequence[Fact]:
    """Polynomials of degree 1 to 10 fitted to drawn targets of a known function, and to one table drawn anew."""
    X = np.linspace(-1.0, 1.0, ROWS)[:, None]
    found: dict[float, Decomposition] = {
        degree: bias_variance(polynomial(degree), X, sine, noise=NOISE, repeats=REPEATS, seed=seed)
        for degree in range(1, LAST + 1)
    }
    curve = decomposition_curve(found, "Bias and variance of polynomials", "degree", "sin πx")
    table = decomposition_table({f"degree {d}": one for d, one in found.items()}, "The parts of the error")
    random = np.random.default_rng([seed, 149])
    one_table = ArrayProblem(X, sine(X) + NOISE * random.standard_normal(ROWS))
    drawn = {f"degree {d}": bias_variance_of_table(polynomial(d), one_table, repeats=60, seed=seed) for d in (1, 3, 5)}
    best = min(found, key=lambda degree: found[degree].error)
    low, high = found[1], found[LAST]
    words = Statement(
        "What the parts say",
        (
            f"Degree 1 errs by bias² {low.bias:.3g} of {low.error:.3g}, degree {LAST} by variance {high.variance:.3g}.",
            f"Degree {best} has the least expected error, {found[best].error:.3g}; the noise alone is {NOISE**2:.3g}.",
        ),
    )
    return [words, curve, table, decomposition_table(drawn, "The same from one table, its rows drawn anew")]


LAB = Lab(
    rows=("R149",),
    script="A, figure 10",
    says="the error of polynomials as noise, bias and variance, by a known function and by one table drawn anew",
    run=run,
)
