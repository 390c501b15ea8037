"""Ridge on ice cream: script A turns a polynomial of degree 5 down by α = 10, 10¹⁰ and 10²⁰.             [BOE-RIDGE]

E(w) = ½ Σ (y - ŷ)² + α |w|²,  w₀ among the weights that pay; so λ = 2α in (XᵀX + λI) w = Xᵀy
"""

from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.design import PolynomialBasis
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, ice_cream, line
from glaswerk.learners import Ridge

DEGREE = 5
FIGURES = {10.0: 17, 1e10: 18, 1e20: 19}
ALPHAS = (0.1, 10.0, 1e3, 1e5, 1e7, 1e8, 1e10, 1e12, 1e14, 1e15, 1e16, 1e20)
SAYS = {
    10.0: "Free as far as the rows reach: about four of six parameters are left.",
    1e10: "Little more than one parameter is left: a curve that rises from zero.",
    1e20: "Nothing is left: f = 0, for the intercept pays like every weight.",
}


def fitted(alpha: float, penalise_intercept: bool = True) -> tuple[Any, Array, Array]:
    """The model of this penalty with its inputs and targets."""
    x, y = ice_cream()
    powers = PolynomialBasis(degree=DEGREE).fit_transform(x)
    model = Ridge(alpha=alpha, penalty="half_sse", penalise_intercept=penalise_intercept).fit(powers, y)
    return model, powers, y


def run(_seed: int) -> list[Fact]:
    """Why it fits no print, the table of penalties, the three figures, all on one, and with a free intercept."""
    with heard():
        found = {alpha: fitted(alpha) for alpha in ALPHAS}
        exempt = fitted(1e20, penalise_intercept=False)[0]
    told = Statement(
        "Printed and obtained",
        (
            "The script prints figures and no number for ridge; what can be compared is the behaviour. "
            "The rows are constructed (see the lab ice-cream-degrees).",
            "In the script's convention (½ Σ (y - ŷ)² beside α |w|²) the penalty is λ = 2α in the normal equations, "
            "twice what the same α means in script B and in scikit-learn.",
            f"f → 0 for α → ∞ holds only because w₀ pays too: with w₀ exempt, α = 10²⁰ leaves the mean, "
            f"{exempt.intercept_:.4g} scoops.",
        ),
    )
    return [told, table(found), *(picture(alpha) for alpha in FIGURES), together(), shrinking(found)]


def table(found: dict[float, tuple[Any, Array, Array]]) -> Table:
    """Each α with λ, what is left of the parameters, R² and the largest value."""
    rows: list[tuple[Cell, ...]] = []
    for alpha, (model, powers, y) in found.items():
        f = model.predict(powers)
        r2 = 1 - float(np.sum((y - f) ** 2) / np.sum((y - y.mean()) ** 2))
        free = float(model.effective_parameters_[0])
        rows.append((alpha, 2 * alpha, free, r2, float(np.abs(f).max()), float(model.intercept_)))
    heads = ("α", "λ = 2α", "effective parameters", "R²", "largest |f| on the rows", "w₀")
    note = "R² below zero: worse than the mean of the rows, which a penalised w₀ cannot reach"
    return Table(f"Ridge on a polynomial of degree {DEGREE}, all six weights penalised", heads, tuple(rows), (note,))


def _along(alpha: float) -> tuple[Array, Array]:
    x, _ = ice_cream()
    along = np.linspace(x.min() - 0.5, x.max() + 0.5, 161)
    with heard():
        model = fitted(alpha)[0]
    return along, model.predict(PolynomialBasis(degree=DEGREE).fit(x).transform(along[:, None]))


def picture(alpha: float) -> Curve:
    """The rows and the curve of one penalty."""
    x, y = ice_cream()
    lines = (line("constructed rows", x[:, 0], y, "points"), line(f"degree {DEGREE}, α = {alpha:g}", *_along(alpha)))
    title = f"Ridge with α = {alpha:g} on the constructed ice-cream rows (script A, figure {FIGURES[alpha]})"
    return Curve(title, "temperature (°C)", "scoops sold", lines, SAYS[alpha])


def together() -> Curve:
    """From free to nothing."""
    x, y = ice_cream()
    shown = (10.0, 1e8, 1e10, 1e12, 1e15, 1e16, 1e20)
    lines = (line("constructed rows", x[:, 0], y, "points"), *(line(f"α = {a:g}", *_along(a)) for a in shown))
    says = "The degree is 5 all the time; what a penalty takes away without a step is its freedom, until f = 0."
    return Curve("One degree, seven penalties", "temperature (°C)", "scoops sold", lines, says)


def shrinking(found: dict[float, tuple[Any, Array, Array]]) -> Curve:
    """Effective parameters over α."""
    free = [float(model.effective_parameters_[0]) for model, _, _ in found.values()]
    says = "Σ d² / (d² + λ) over the squared singular values d² of the six columns."
    return Curve(
        "What the penalty leaves", "α", "effective parameters", (line("of six", list(found), free),), says, "log"
    )


LAB = Lab(
    rows=("R24", "R155", "R23", "R25"),
    script="A, figures 17 to 19",
    says="ridge with α from 10 to 10²⁰ on a polynomial of degree 5 of the (constructed) ice-cream rows",
    run=run,
)
