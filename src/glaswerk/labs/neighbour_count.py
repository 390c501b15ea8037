"""From one neighbour to all: the leave-one-out error of every k, and the lines they draw."""

import numpy as np

from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import KNeighborsRegressor

ROWS, NOISE, SHOWN = 80, 0.25, (1, 9, 79)


def run(seed: int) -> list[Fact]:
    """A noisy sine: every k judged from one pass, three of them drawn; plain and weighted by 1/d."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 2 * np.pi, ROWS))
    y = np.sin(x) + NOISE * rng.normal(size=ROWS)
    grid = np.linspace(0, 2 * np.pi, 200)
    models = {name: KNeighborsRegressor(weights=name).fit(x[:, None], y) for name in ("uniform", "distance")}
    errors = {name: model.leave_one_out_scores(ROWS - 1) for name, model in models.items()}
    k = np.arange(1, ROWS)
    scores = tuple(line("mean" if name == "uniform" else "weights 1/d", k, e) for name, e in errors.items())
    best = int(errors["uniform"].argmin()) + 1
    curve = Curve(
        "Leave-one-out error from one neighbour to all", "number of neighbours", "mean squared error", scores,
        f"Least with {best} neighbours; the noise alone is {NOISE**2:g}.", "log", marks=((float(best), "least"),),
    )  # fmt: skip
    path = KNeighborsRegressor().fit_path(x[:, None], y, "n_neighbors", SHOWN)
    lines = [line("rows", x, y, "points")]
    lines += [line(f"k = {n}", grid, model.predict(grid[:, None])) for n, model in zip(SHOWN, path, strict=True)]
    drawn = Curve("Three numbers of neighbours", "x", "y", tuple(lines), "One follows every row.")
    e = errors["uniform"]
    told = (
        f"One neighbour: {e[0]:.4f}, about twice the noise, since a row and its neighbour are both noisy.",
        f"All {ROWS - 1}: {e[-1]:.4f}, the variance of y: the model has become the mean.",
    )
    some = tuple((int(n), *(float(errors[name][n - 1]) for name in errors)) for n in (1, 2, 5, best, 20, 40, ROWS - 1))
    table = Table("Leave-one-out error", ("neighbours", "mean", "weights 1/d"), some)
    return [curve, drawn, table, Statement("What k does", told)]


LAB = Lab(
    rows=("R121", "R122"),
    script="C, 2.8, k-nächste Nachbarn",
    says="the leave-one-out error for every number of neighbours from one to all, plain and weighted",
    run=run,
)
