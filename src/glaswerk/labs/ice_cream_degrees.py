"""Polynomials on ice cream: script A fits degrees 1, 2, 3 and 12 to what a stand sold by temperature.       [BOE-PHI]

The script prints weights and no rows. The rows here were constructed so that the weights of degree 1 to 3 come out.
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.design import OrthogonalPolynomialBasis, PolynomialBasis
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside, heard, ice_cream, line
from glaswerk.learners import LinearRegression

PRINTED = {
    1: ("-296", "37.8"),
    2: ("237", "-15.3", "1.24"),
    3: ("-1853", "307", "-14.6", "0.247"),
}
TWELVE = (
    0,
    -0.0000457,
    -0.00000496,
    -0.0000570,
    -0.000489,
    -0.00297,
    -0.00977,
    0.00256,
    -0.000271,
    0.0000152,
    -0.000000471,
    0.00000000777,
    -0.000000000530,
)
FIGURE = {1: 11, 2: 12, 3: 13, 12: 14}
CONSTRUCTED = (
    "The lecturer's rows are lost: nobody sold this ice cream. The twelve rows were constructed so that least squares "
    "gives the nine weights printed for degrees 1 to 3; it shows the method, and proves nothing about ice cream."
)
SAYS = {
    1: "A straight line follows the trend.",
    2: "A little bend, and a little less error.",
    3: "Two bends, as far as these rows can tell anything.",
    12: "Thirteen weights for twelve rows: the curve goes through every row and says nothing in between.",
}


def weights_of(degree: int) -> Array:
    """Weights w₀, w₁, … of the polynomial of this degree by least squares on plain powers."""
    x, y = ice_cream()
    model = LinearRegression().fit(PolynomialBasis(degree=degree).fit_transform(x), y)
    return np.append(model.intercept_, model.coef_)


def curve_of(degree: int, at: Array) -> Array:
    """The polynomial of this degree at temperatures `at`, by a basis that keeps its digits at any degree."""
    x, y = ice_cream()
    basis = OrthogonalPolynomialBasis(degree=degree)
    with heard():  # of twelve rows and thirteen weights, which is the point
        return LinearRegression().fit(basis.fit_transform(x), y).predict(basis.transform(at[:, None]))


def run(_seed: int) -> list[Fact]:
    """What was constructed, the weights printed and obtained, the errors, degree 12, a picture of every degree."""
    with heard() as told:
        weights = {degree: weights_of(degree) for degree in FIGURE}
    rows = [
        Printed(f"degree {degree}, w{k}", text, float(weights[degree][k]))
        for degree, texts in PRINTED.items()
        for k, text in enumerate(texts)
    ]
    compared = beside("Weights of degrees 1, 2 and 3", rows, (CONSTRUCTED,))
    warned = Statement("What Glaswerk said while fitting", tuple(told) or ("Nothing.",))
    return [
        Statement("The rows", (CONSTRUCTED,)),
        compared,
        errors(weights[12]),
        degree_twelve(),
        warned,
        *map(picture, FIGURE),
    ]


def value(weights: Array, x: Array) -> Array:
    """w₀ + w₁x + w₂x² + …"""
    return np.asarray(np.polynomial.polynomial.polyval(x, weights), dtype=np.float64)


def errors(raw: Array) -> Table:
    """RMSE on the rows, and how far each polynomial goes between and beyond them; `raw`: degree 12 on plain powers."""
    x, y = ice_cream()
    inside = np.linspace(x.min(), x.max(), 401)
    rows: list[tuple[Cell, ...]] = []
    for degree in FIGURE:
        rmse = float(np.sqrt(np.mean((curve_of(degree, x[:, 0]) - y) ** 2)))
        within, beyond = curve_of(degree, inside), curve_of(degree, np.array([35.0]))
        rows.append((degree, rmse, float(within.min()), float(within.max()), float(beyond[0])))
    heads = ("degree", "RMSE on the rows", "least between the rows", "greatest between the rows", "at 35 °C")
    lost = float(np.sqrt(np.mean((value(raw, x[:, 0]) - y) ** 2)))
    notes = (
        f"the rows sold {y.min():g} to {y.max():g} scoops",
        "Polynomials by an orthogonal basis. On plain powers, as the script does it, the shortest of the many "
        f"polynomials of degree 12 misses the rows by {lost:.1g}, where exact numbers would not miss at all: columns "
        "between 12 and 30¹² leave few digits. That is the script's 'numerical problem'.",
    )
    return Table("What each degree does", heads, tuple(rows), notes)


def degree_twelve() -> Table:
    """The printed weights of degree 12, and why nothing can be set beside them."""
    half_digit = 0.5 * 1e-11 * 30.0**11
    notes = (
        "Not checkable: thirteen weights are not determined by twelve rows.",
        f"As printed, f(12) = {value(np.array(TWELVE), np.array([12.0]))[0]:.0f} and f(30) = "
        f"{value(np.array(TWELVE), np.array([30.0]))[0]:.2g} scoops. Half a unit in the last printed digit of the "
        "weight "
        f"of x¹¹ alone moves f(30) by {half_digit:.2g}: three digits cannot carry such a polynomial.",
        "w₀ = 0 suggests that descent was stopped early; least squares would not leave it there.",
    )
    rows = [Printed(f"degree 12, w{k}", f"{w:.15f}".rstrip("0").rstrip("."), None) for k, w in enumerate(TWELVE)]
    return beside("Weights of degree 12", rows, notes)


def picture(degree: int) -> Curve:
    """The rows and the polynomial."""
    x, y = ice_cream()
    along = np.linspace(x.min() - 0.5, x.max() + 0.5, 241)
    shown = curve_of(degree, along)
    kept = np.where(np.abs(shown - y.mean()) <= 2.0 * (y.max() - y.min()), shown, np.nan)
    lines = (line("constructed rows", x[:, 0], y, "points"), line(f"polynomial of degree {degree}", along, kept))
    return Curve(
        f"Degree {degree} on the constructed ice-cream rows (script A, figure {FIGURE[degree]})",
        "temperature (°C)",
        "scoops sold",
        lines,
        SAYS[degree],
    )


LAB = Lab(
    rows=("R49", "R155", "R42"),
    script="A, figures 11 to 14",
    says="polynomials of degree 1, 2, 3 and 12 on the (constructed) ice-cream rows, with all printed weights",
    run=run,
)
