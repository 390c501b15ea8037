"""Bayes against maximum likelihood: script C's predictive distribution, rows arriving one by one.

    Bayes: N(m(x), 1/β + φᵀSφ)        maximum likelihood: N(ŷ(x), σ²)               [BG-MX] [BG-S2] [BG-INCR] [BG-BETA]

The posterior of the rows so far is the prior of the next. Maximum likelihood knows its noise only, not its weights.
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.design import GaussianBasis
from glaswerk.facts import Curve, Fact, Line, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, noisy_sine
from glaswerk.learners import BayesianLinearRegression, LinearRegression

ROWS, NOISE, CENTRES = 30, 0.2, 8
ALPHA, BETA = 1.0, 1 / NOISE**2  # the prior's precision, and the noise's, known as in the script
SHOWN = (1, 3, 8, 30)
LEVEL = 0.9
HALF = 1.6448536269514722  # of a normal deviation: nine of ten
DRAWN = 6
FRESH = 2000
TALLEST = 3.0  # of what is drawn


def features() -> GaussianBasis:
    """Bumps side by side over the range of x, whatever rows have come."""
    centres = np.linspace(-1, 1, CENTRES)[:, None].tolist()
    return GaussianBasis(centres=centres, width=2.0 / (CENTRES - 1)).fit(np.array([[-1.0], [1.0]]))


def bayes(phi: Array, t: Array) -> BayesianLinearRegression:
    """α and β given; every weight has the prior, as the script writes it."""
    return BayesianLinearRegression(alpha=ALPHA, beta=BETA, penalise_intercept=True).fit(phi, t)


def run(seed: int) -> list[Fact]:
    """One picture for each number of rows, functions drawn from the posterior, coverage, and one by one against all."""
    random = np.random.default_rng([seed, 36])
    x, t = noisy_sine(ROWS, NOISE, random)
    new_x, new_t = noisy_sine(FRESH, NOISE, random)
    basis = features()
    phi, new_phi = basis.transform(x), basis.transform(new_x)
    with heard():
        pictures = [picture(n, x, t, phi, basis) for n in SHOWN]
        bundles = [bundle(n, x, t, phi, basis, seed) for n in (3, 30)]
        covered = coverage(phi, t, new_phi, new_t)
        arriving = one_by_one(phi, t)
        generated = draws(x, t, phi, basis, seed)
    told = Statement(
        "What is to be seen",
        (
            "The band of maximum likelihood is as wide everywhere: its noise. With no more rows than weights it "
            "goes through them all, and its band closes: it is surest where it knows least.",
            "The Bayesian band adds what is not known of the weights: wide where no rows are, and it narrows to the "
            "noise "
            "as rows come in.",
            "Each posterior is the prior of the next row; in the end it is the posterior of all rows at once.",
        ),
    )
    return [told, *pictures, *bundles, covered[0], covered[1], arriving, generated]


def maximum(phi: Array, t: Array) -> tuple[LinearRegression, float]:
    """[BG-BETA] Least squares and the likeliest deviation of the noise, RSS / n."""
    model = LinearRegression().fit(phi, t)
    return model, float(np.sqrt(np.mean((t - model.predict(phi)) ** 2)))


def picture(n: int, x: Array, t: Array, phi: Array, basis: GaussianBasis) -> Curve:
    """Both bands after n rows."""
    at = np.linspace(-1, 1, 121)
    grid = basis.transform(at[:, None])
    mean, spread = bayes(phi[:n], t[:n]).predict(grid, return_std=True)
    likely, sigma = maximum(phi[:n], t[:n])
    flat = likely.predict(grid)
    flat = np.where(np.abs(flat) <= TALLEST, flat, np.nan)
    lines = (
        line(f"Bayes, {100 * LEVEL:g} % band", at, mean, "line", mean - HALF * spread, mean + HALF * spread),
        line("maximum likelihood, its band", at, flat, "line", flat - HALF * sigma, flat + HALF * sigma),
        line("sin πx", at, np.sin(np.pi * at)),
        line("rows so far", x[:n, 0], t[:n], "points"),
    )
    rows = "1 row" if n == 1 else f"{n} rows"
    return Curve(f"After {rows}: Bayes and maximum likelihood (script C, 2.2)", "x", "t", lines, SAYS[n])


SAYS = {
    1: "One row: Bayes knows something beside it and nothing elsewhere; maximum likelihood is sure of everything.",
    3: "Three rows: still no band around what goes through them all.",
    8: "Eight rows for nine weights: maximum likelihood follows them, noise and all.",
    30: "Thirty rows: the two agree where rows are, and Bayes is a little wider.",
}


def bundle(n: int, x: Array, t: Array, phi: Array, basis: GaussianBasis, seed: int) -> Curve:
    """Functions drawn from the posterior."""
    at = np.linspace(-1, 1, 81)
    drawn = bayes(phi[:n], t[:n]).sample_functions(basis.transform(at[:, None]), DRAWN, random_state=seed)
    lines: tuple[Line, ...] = tuple(line(f"draw {k + 1}", at, y) for k, y in enumerate(drawn))
    lines = (*lines, line("rows so far", x[:n, 0], t[:n], "points"))
    return Curve(
        f"{DRAWN} functions drawn from the posterior of {n} rows",
        "x",
        "t",
        lines,
        "Where rows are, the functions agree.",
    )


def coverage(phi: Array, t: Array, new_phi: Array, new_t: Array) -> tuple[Table, Curve]:
    """The share of fresh rows that each band holds, after every number of rows."""
    rows: list[tuple[float, ...]] = []
    for n in (1, 2, 3, 5, 8, 12, 20, ROWS):
        mean, spread = bayes(phi[:n], t[:n]).predict(new_phi, return_std=True)
        likely, sigma = maximum(phi[:n], t[:n])
        inside = (np.abs(new_t - mean) <= HALF * spread, np.abs(new_t - likely.predict(new_phi)) <= HALF * sigma)
        rows.append((n, *(float(i.mean()) for i in inside), float(spread.mean()), sigma))
    heads = (
        "rows",
        "held by Bayes",
        "held by maximum likelihood",
        "mean deviation, Bayes",
        "deviation, maximum likelihood",
    )
    table = Table(f"What the {100 * LEVEL:g} % bands hold of {FRESH} fresh rows", heads, tuple(rows))
    seen = [row[0] for row in rows]
    lines = (
        line("Bayes", seen, [r[1] for r in rows]),
        line("maximum likelihood", seen, [r[2] for r in rows]),
        line("promised", [seen[0], seen[-1]], [LEVEL, LEVEL]),
    )
    return table, Curve(
        "Coverage of the two bands",
        "rows seen",
        "share of fresh rows inside",
        lines,
        "Bayes keeps its promise from the first row on, or more; maximum likelihood does not yet.",
    )


def one_by_one(phi: Array, t: Array) -> Table:
    """[BG-INCR] The posterior after every row as prior of the next, beside all rows at once."""
    model = BayesianLinearRegression(alpha=ALPHA, beta=BETA, penalise_intercept=True)
    for k in range(ROWS):
        model.partial_fit(phi[k : k + 1], t[k : k + 1])
    whole = bayes(phi, t)
    pairs = (
        ("weights", model.coef_, whole.coef_),
        ("covariance", model.covariance_, whole.covariance_),
        ("intercept", model.intercept_, whole.intercept_),
    )
    rows = tuple((name, float(np.abs(np.subtract(a, b)).max()), float(np.abs(b).max())) for name, a, b in pairs)
    return Table("Row by row against all at once", ("what", "greatest difference", "greatest value"), rows)


def draws(x: Array, t: Array, phi: Array, basis: GaussianBasis, seed: int) -> Curve:
    """Data sets generated by the fitted likelihood: the model as a source of rows."""
    model, sigma = maximum(phi, t)
    at = np.linspace(-1, 1, 60)
    mean = model.predict(basis.transform(at[:, None]))
    new = mean + sigma * np.random.default_rng([seed, 30]).standard_normal(at.size)
    lines = (
        line("rows", x[:, 0], t, "points"),
        line("generated", at, new, "points"),
        line("maximum likelihood", at, mean),
    )
    return Curve(
        "Rows generated by the fitted likelihood (script C, 2.2)",
        "x",
        "t",
        lines,
        f"t ~ N(ŷ(x), σ²) with σ = {sigma:.3g}: a fitted likelihood can be sampled.",
    )


LAB = Lab(
    rows=("R36", "R33", "R37", "R30", "R34"),
    script="C, 2.2 and 2.3: Bayes against maximum likelihood, incremental Bayes",
    says="the Bayesian band against that of maximum likelihood while rows arrive one by one",
    run=run,
)
