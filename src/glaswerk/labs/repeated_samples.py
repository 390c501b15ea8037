"""Repeated samples: the line y = 1 + 2x + ε of script B drawn a thousand times, and where its estimates fall.

bias = ⟨ŵ⟩ - w,   Var(ŵ) >= 1 / I(w), reached by least squares                     [TRE-LS] [BG-FISHER] [BG-CRB]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.estimator_theory import EstimatorExperiment, estimator_experiment
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside, line
from glaswerk.learners import LinearRegression, Ridge

TRUE, NOISE, ROWS, REPEATS = (1.0, 2.0), 1.0, 20, 1000
PENALTY = 3.0
DRAWN = 500  # samples in the picture
SIZES = (5, 10, 20, 40, 80, 160)
RANGE = (-2.0, 2.0)


def inputs(rows: int) -> Array:
    """x evenly over the range: fixed, so that only the noise is drawn anew."""
    return np.linspace(*RANGE, rows)[:, None]


def repeated(estimator: object, rows: int, repeats: int, seed: int) -> EstimatorExperiment:
    """The targets drawn `repeats` times, the estimator fitted each time."""
    return estimator_experiment(
        estimator, inputs(rows), [TRUE[1]], intercept=TRUE[0], noise=NOISE, repeats=repeats, random_state=seed
    )


def run(seed: int) -> list[Fact]:
    """One sample as the script shows it, a thousand, a biased estimator, and the number of rows."""
    plain = repeated(LinearRegression(), ROWS, REPEATS, seed)
    shrunk = repeated(Ridge(alpha=PENALTY), ROWS, REPEATS, seed)
    verdict, table, distribution = plain.facts()
    lesson = Statement(
        "What is to be seen",
        (
            "An estimate is random because its rows are. The script's 0.75 and 2.13 are one draw; another sample gives "
            "another. Least squares is right on average, and no unbiased estimator varies less.",
            f"Ridge (λ = {PENALTY:g}) is biased towards zero in w1 and varies less than the bound for unbiased "
            "estimators allows: "
            f"its mean squared error there is {shrunk.squared_error[1]:.3g}, that of least squares "
            f"{plain.squared_error[1]:.3g}.",
        ),
    )
    return [
        lesson,
        script_sample(plain),
        table,
        verdict,
        one_sample(seed),
        cloud(plain, shrunk),
        distribution,
        biased(shrunk),
        *more_rows(seed),
    ]


def script_sample(found: EstimatorExperiment) -> Table:
    """The printed estimate against the spread of estimates."""
    why = "the sample is not printed; of a thousand samples of {} rows, {:.0f} % lie further from the truth"
    rows = []
    for k, (text, truth) in enumerate(zip(("0.75", "2.13"), TRUE, strict=True)):
        further = float(np.mean(np.abs(found.estimates[:, k] - truth) > abs(float(text) - truth)))
        rows.append(Printed(f"w{k}, one sample", text, None, why.format(ROWS, 100 * further)))
    rows += [
        Printed(
            f"w{k}, mean of {REPEATS} samples",
            f"{truth:g}",
            float(found.estimates[:, k].mean()),
            "printed is the true weight",
        )
        for k, truth in enumerate(TRUE)
    ]
    return beside("Printed and obtained", rows, (f"true: w0 = 1, w1 = 2, var(ε) = 1; x evenly over {RANGE}",))


def one_sample(seed: int) -> Curve:
    """Rows, the true line and the line found."""
    x = inputs(ROWS)
    y = TRUE[0] + TRUE[1] * x[:, 0] + NOISE * np.random.default_rng([seed, 47]).standard_normal(ROWS)
    model = LinearRegression().fit(x, y)
    found = f"found: {model.intercept_:.2f} + {model.coef_[0]:.2f} x"
    lines = (
        line("one sample", x[:, 0], y, "points"),
        line("true: 1 + 2 x", x[:, 0], TRUE[0] + TRUE[1] * x[:, 0]),
        line(found, x[:, 0], model.predict(x)),
    )
    return Curve("One sample (script B)", "x", "y", lines, "The line found is near the true one, and is not it.")


def cloud(plain: EstimatorExperiment, shrunk: EstimatorExperiment) -> Curve:
    """Every estimate as a point."""
    lines = (
        line("least squares", plain.estimates[:DRAWN, 0], plain.estimates[:DRAWN, 1], "points"),
        line(f"ridge, λ = {PENALTY:g}", shrunk.estimates[:DRAWN, 0], shrunk.estimates[:DRAWN, 1], "points"),
        line("truth", [TRUE[0]], [TRUE[1]], "points"),
    )
    says = "Least squares is spread around the truth; ridge is drawn together, beside it."
    return Curve(
        f"Estimates from {DRAWN} samples of {ROWS} rows", "w0", "w1", lines, says, marks=((TRUE[0], "true w0"),)
    )


def biased(shrunk: EstimatorExperiment) -> Table:
    """The same table for ridge."""
    table = shrunk.facts()[1].table()
    return Table(f"Ridge, λ = {PENALTY:g}: {table.title}", table.columns, table.rows, table.notes)


def more_rows(seed: int) -> list[Fact]:
    """Bias and variance over the number of rows."""
    found = {n: repeated(LinearRegression(), n, 400, seed) for n in SIZES}
    rows = tuple(
        (n, float(e.bias[1]), float(e.bias_error[1]), float(e.variance[1]), float(e.bound[1])) for n, e in found.items()
    )
    heads = ("rows", "bias of w1", "± error", "variance of w1", "Cramér-Rao bound")
    lines = (
        line("variance over 400 samples", SIZES, [r[3] for r in rows]),
        line("Cramér-Rao bound σ²/Σ(x - mean)²", SIZES, [r[4] for r in rows]),
    )
    return [
        Table("More rows", heads, rows),
        Curve(
            "Variance of w1 over the rows",
            "rows",
            "variance",
            lines,
            "Twice the rows, half the variance: least squares stays on the bound.",
            "log",
            "log",
        ),
    ]


LAB = Lab(
    rows=("R41", "R40", "R38"),
    script="B, w0 = 1, w1 = 2; C, 2.5 and figure 5",
    says="the data of a line drawn a thousand times: bias and variance of its estimate against the Cramér-Rao bound",
    run=run,
)
