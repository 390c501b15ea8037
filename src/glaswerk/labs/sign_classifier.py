"""Least squares as a classifier: ADALINE walks to the plane that fits -1 and +1, and its sign tells classes apart.

y ∈ {-1, +1},   w ← w + η (y - ŷ) x row by row,   class = sign ŷ                          [TRE-ADALINE] [TRE-SIGN]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Line, Statement, Table
from glaswerk.labs.lab import Lab, heard, line
from glaswerk.learners import Adaline, LinearRegression, LogisticRegression, Perceptron

EACH, FAR = 60, 12
CENTRES = ((-1.0, -0.6), (1.0, 0.6))
NAMES = ("-1", "+1")


def rows_of(seed: int) -> tuple[Array, Array]:
    """Two round clouds, and their labels -1 and +1."""
    random = np.random.default_rng([seed, 41])
    X = np.concatenate([random.normal(centre, 0.6, (EACH, 2)) for centre in CENTRES])
    return X, np.repeat([-1, 1], EACH)


def with_far_rows(X: Array, y: Array, seed: int) -> tuple[Array, Array]:
    """The same with some rows of +1 far behind the plane, on its right side."""
    far = np.random.default_rng([seed, 43]).normal((12.0, 4.0), 0.5, (FAR, 2))
    return np.concatenate([X, far]), np.append(y, np.ones(FAR, dtype=y.dtype))


def run(seed: int) -> list[Fact]:
    """One input and its line, two inputs and their planes, the walk to least squares, and rows far behind."""
    X, y = rows_of(seed)
    with heard() as told:
        adaline = Adaline(learning_rate=0.01, n_epochs=60, tol=None, random_state=seed).fit(X, y)
        closed = LinearRegression().fit(X, y)
        perceptron = Perceptron(random_state=seed).fit(X, y)
        far_X, far_y = with_far_rows(X, y, seed)
        far = Adaline(learning_rate=0.001, n_epochs=400, tol=None, random_state=seed).fit(far_X, far_y)
        steady = LogisticRegression().fit(far_X, far_y)
    compared = beside_closed(adaline, closed)
    judged = Table(
        "Share of rows on the right side",
        ("model", "rows", "right"),
        (
            ("ADALINE", "two clouds", float(adaline.score(X, y))),
            ("least squares, sign", "two clouds", float(np.mean(np.sign(closed.predict(X)) == y))),
            ("perceptron", "two clouds", float(perceptron.score(X, y))),
            ("ADALINE", f"two clouds, of {FAR} far rows the clouds only", float(far.score(X, y))),
            ("logistic regression", f"two clouds, of {FAR} far rows the clouds only", float(steady.score(X, y))),
        ),
    )
    lesson = Statement(
        "What is to be seen",
        (
            "Targets -1 and +1 turn regression into classification: the plane where ŷ = 0 parts the classes.",
            "ADALINE goes to the least-squares plane row by row; at a rate that stays it ends in a small cloud "
            "around it.",
            "Rows far behind the plane on their right side count as errors of least squares and turn the plane; the "
            "logarithmic loss of logistic regression does not mind them.",
            *dict.fromkeys(told),
        ),
    )
    return [
        lesson,
        compared,
        judged,
        one_input(X, y),
        planes(X, y, adaline, closed, perceptron),
        walk(adaline),
        turned(far_X, far_y, adaline, far, steady),
    ]


def beside_closed(adaline: Adaline, closed: LinearRegression) -> Table:
    """The weights of both."""
    found = np.append(adaline.intercept_, adaline.coef_[0])
    least = np.append(closed.intercept_, closed.coef_)
    rows = tuple((f"w{k}", float(a), float(b), float(a - b)) for k, (a, b) in enumerate(zip(found, least, strict=True)))
    return Table("ADALINE beside least squares", ("weight", "ADALINE", "least squares", "difference"), rows)


def one_input(X: Array, y: Array) -> Curve:
    """The script's picture for M = 2: targets -1 and +1 over one input, the line, and its sign."""
    line_found = LinearRegression().fit(X[:, :1], y)
    x = np.linspace(X[:, 0].min(), X[:, 0].max(), 200)
    f = line_found.predict(x[:, None])
    zero = float(-line_found.intercept_ / line_found.coef_[0])
    lines = (line("rows", X[:, 0], y, "points"), line("least-squares line", x, f), line("its sign", x, np.sign(f)))
    says = "The class changes where the line goes through zero."
    return Curve("A line as a classifier (script B)", "x1", "y", lines, says, marks=((zero, "ŷ = 0"),))


def boundary(weights: Array, reach: Array) -> Array:
    """x₂ where w₀ + w₁x₁ + w₂x₂ = 0, over x₁."""
    found: Array = -(weights[0] + weights[1] * reach) / weights[2]
    return found


def _plane(model: Adaline | Perceptron | LogisticRegression) -> Array:
    return np.append(model.intercept_, model.coef_[0])


def clouds(X: Array, y: Array) -> list[Line]:
    return [
        line(f"class {name}", X[y == sign, 0], X[y == sign, 1], "points")
        for name, sign in zip(NAMES, (-1, 1), strict=True)
    ]


def drawn(X: Array, named: dict[str, Array]) -> list[Line]:
    """Boundaries as far as the rows reach."""
    reach = np.linspace(X[:, 0].min(), X[:, 0].max(), 200)
    low, high = X[:, 1].min() - 0.3, X[:, 1].max() + 0.3
    found = ((name, boundary(weights, reach)) for name, weights in named.items())
    return [line(name, reach, np.where((b >= low) & (b <= high), b, np.nan)) for name, b in found]


def planes(X: Array, y: Array, adaline: Adaline, closed: LinearRegression, perceptron: Perceptron) -> Curve:
    """Two inputs: the clouds and three planes."""
    found = {
        "ADALINE": _plane(adaline),
        "least squares": np.append(closed.intercept_, closed.coef_),
        "perceptron": _plane(perceptron),
    }
    lines = (*clouds(X, y), *drawn(X, found))
    return Curve(
        "Planes between two classes (script B)",
        "x1",
        "x2",
        lines,
        "ADALINE and least squares find one plane; the perceptron stops at any that it comes by.",
    )


def walk(adaline: Adaline) -> Curve:
    """The loss after every epoch, beside the least there is."""
    s = adaline.solution_
    lines = (line("ADALINE", s.epochs, s.objective), line("least squares", [0, s.epochs[-1]], [s.lowest] * 2))
    return Curve(
        "ADALINE, epoch by epoch", "epoch", "½ Σ (y - ŷ)²", lines, "A few epochs, then a cloud around the end."
    )


def turned(X: Array, y: Array, before: Adaline, after: Adaline, steady: LogisticRegression) -> Curve:
    """What rows far behind the plane do to it."""
    found = {
        "ADALINE without the far rows": _plane(before),
        "ADALINE with them": _plane(after),
        "logistic regression with them": _plane(steady),
    }
    lines = (*clouds(X, y), *drawn(X, found))
    return Curve(
        "Rows far behind the plane turn it",
        "x1",
        "x2",
        lines,
        "All far rows lie on their right side, and least squares turns away from the clouds all the same.",
    )


LAB = Lab(
    rows=("R13", "R12", "R14"),
    script="B, ADALINE and classification by sign",
    says="ADALINE and least squares on targets -1 and +1 as classifiers, and where squared errors mislead",
    run=run,
)
