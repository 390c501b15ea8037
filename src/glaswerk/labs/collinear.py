"""Three models of Tresp: one input, two that are almost the same, and two with a penalty.    [TRE-LS] [TRE-PLS]

y = 0.5 + x₁ + ε,   x₂ = x₁ + δ,   three rows; the penalty counts the bias: (XᵀX + λI) w = Xᵀy
"""

from collections.abc import Callable

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside, heard, line
from glaswerk.learners import LinearRegression, Ridge

X1 = np.array([-0.2, 0.2, 1.0])
X2 = np.array([-0.1996, 0.1993, 1.0017])
Y = np.array([0.49, 0.64, 1.39])
MIDDLE = np.array([0.4975, 0.6475, 1.3925])  # of what both of the script's tables round or cut to what they print
TEST_X1, TEST_Y = np.array([-0.3, 0.3, 0.6]), np.array([0.2, 0.8, 1.1])  # noise-free: y = 0.5 + x₁
PENALTY = 0.02
CUT = "the digits are cut off, not rounded"
NOT_HIS = (
    "no values of x and y that are printed so give it: the printed rows give -97.2 and 97.8, and all that round or cut "
    "to them stay below 117.1"
)
HIDDEN = "the rows behind the print have more digits"
UNKNOWN = "depends on x₂ of the test rows, which is not printed"

Model = Callable[[Array, Array], Array]


def one(y: Array) -> LinearRegression:
    """Model 1: x₁ alone."""
    return LinearRegression().fit(X1[:, None], y)


def two(y: Array) -> LinearRegression:
    """Model 2: x₁ and x₂ by least squares."""
    return LinearRegression().fit(np.column_stack([X1, X2]), y)


def held(y: Array, penalty: float = PENALTY) -> Ridge:
    """Model 2 with a penalty on all three weights."""
    return Ridge(alpha=penalty, penalise_intercept=True).fit(np.column_stack([X1, X2]), y)


def run(_seed: int) -> list[Fact]:
    """Weights, fits, predictions, what they teach, and the two figures."""
    with heard():
        found: list[Fact] = [weights(), fits(), predictions(), penalties(), lesson(), *curves()]
    return found


def weights() -> Table:
    """The eight printed weights."""
    first, second, third = ([float(m.intercept_), *map(float, m.coef_)] for m in (one(Y), two(Y), held(Y)))
    rows = [
        Printed("model 1, w0", "0.58", first[0]),
        Printed("model 1, w1", "0.77", first[1], CUT),
        Printed("model 2, w0", "0.67", second[0], NOT_HIS),
        Printed("model 2, w1", "-136", second[1], NOT_HIS),
        Printed("model 2, w2", "137", second[2], NOT_HIS),
        *(
            Printed(f"model 2 penalised, w{k}", text, third[k], "λ is not printed; 0.0095 to 0.041 all give it")
            for k, text in enumerate(("0.58", "0.38", "0.39"))
        ),
    ]
    return beside("Printed and obtained", rows, (f"penalised with λ = {PENALTY:g}; true are w = (0.5, 1)",))


def fits() -> Table:
    """The training table; its targets contradict those of the table before it."""
    rows = [
        Printed(f"y of row {k + 1}", text, float(Y[k]), "the script's first table says 0.49, 0.64, 1.39")
        for k, text in enumerate(("0.50", "0.65", "1.39"))
    ]
    both = np.column_stack([X1, X2])
    columns = (
        ("model 1", ("0.43", "0.74", "1.36"), one(Y).predict(X1[:, None]), ""),
        ("model 2", ("0.50", "0.65", "1.39"), two(Y).predict(both), "goes through its rows: it says what y says"),
        ("model 2 penalised", ("0.43", "0.74", "1.36"), held(Y).predict(both), HIDDEN),
    )
    rows += [
        Printed(f"{name}, row {k + 1}", texts[k], float(f[k]), why) for name, texts, f, why in columns for k in range(3)
    ]
    return beside("Training rows", rows, ("by the training error alone, one would choose model 2 without a penalty",))


def predictions() -> Table:
    """The test table, by the printed rows and by rows with more digits that print the same."""
    same = np.column_stack([TEST_X1, TEST_X1])
    note = "inputs are not printed: x₁ = -0.3, 0.3, 0.6 belongs to y without noise; x₂ is taken equal to x₁"
    hidden = "with y = 0.4975, 0.6475, 1.3925, which print as both tables do, it agrees"
    rows = [
        Printed(f"model 1, row {k + 1}", text, float(v), hidden)
        for k, (text, v) in enumerate(zip(("0.36", "0.82", "1.05"), one(MIDDLE).predict(TEST_X1[:, None]), strict=True))
    ]
    rows += [Printed(f"model 2, row {k + 1}", text, None, UNKNOWN) for k, text in enumerate(("0.69", "0.51", "1.30"))]
    rows += [
        Printed(f"model 2 penalised, row {k + 1}", text, float(v), f"{hidden}; λ = 0.01")
        for k, (text, v) in enumerate(zip(("0.36", "0.82", "1.05"), held(MIDDLE, 0.01).predict(same), strict=True))
    ]
    return beside("Test rows", rows, (note, "true values: 0.20, 0.80, 1.10"))


def penalties() -> Table:
    """Weights and test error for several penalties."""
    same = np.column_stack([TEST_X1, TEST_X1 + 0.001])
    rows = []
    for penalty in (0.0, 1e-8, 1e-6, 1e-4, 0.01, 0.02, 0.04, 1.0):
        model = two(Y) if penalty == 0 else held(Y, penalty)
        error = float(np.sqrt(np.mean((model.predict(same) - TEST_Y) ** 2)))
        rows.append((penalty, float(model.intercept_), *map(float, model.coef_), error))
    heads = ("λ", "w0", "w1", "w2", "RMSE on test rows")
    return Table("How little a penalty has to be", heads, tuple(rows), ("test rows with x₂ = x₁ + 0.001",))


def lesson() -> Statement:
    """What it is about, with the condition number."""
    X = np.column_stack([np.ones(3), X1, X2])
    condition = float(np.linalg.cond(X))
    return Statement(
        "What happened",
        (
            f"The two inputs are almost the same: the condition number of (1, x₁, x₂) is {condition:.0f}. Least "
            "squares has one direction, w₂ - w₁, that only the third decimals of the rows decide.",
            "A penalty costs that direction nearly everything and the others nearly nothing: both inputs share the "
            "weight of one, and rounding no longer matters.",
        ),
    )


def curves() -> list[Curve]:
    """Along x₁ with x₂ a little beside it, as far as extrapolation; and the weights over λ."""
    x = np.linspace(-1.0, 2.0, 61)
    above, below = np.column_stack([x, x + 0.003]), np.column_stack([x, x - 0.003])
    shown = (
        ("true: 0.5 + x1", 0.5 + x),
        ("model 1", one(Y).predict(x[:, None])),
        ("model 2, x2 = x1 + 0.003", two(Y).predict(above)),
        ("model 2, x2 = x1 - 0.003", two(Y).predict(below)),
        (f"model 2 penalised, λ = {PENALTY:g}, either", held(Y).predict(above)),
    )
    lines = (line("training rows", X1, Y, "points"), *(line(name, x, v) for name, v in shown))
    says = "Six thousandths of difference in x2 move model 2 by 0.59, and the penalised one by 0.0023."
    far = Curve("Three models beside their rows (script B)", "x1", "y", lines, says)
    grid = np.geomspace(1e-8, 10.0, 55)
    w = np.array([[m.intercept_, *m.coef_] for m in (held(Y, float(p)) for p in grid)])
    path = tuple(line(f"w{k}", grid, w[:, k]) for k in range(3))
    return [
        far,
        Curve(
            "Weights of model 2 over the penalty",
            "λ",
            "weight",
            path,
            "From λ = 0.0001 on both inputs share one weight.",
            "log",
        ),
    ]


LAB = Lab(
    rows=("R27", "R23", "R3"),
    script="B, example with models 1 and 2",
    says="three rows, two inputs that are almost the same: least squares against a penalty, all printed tables",
    run=run,
)
