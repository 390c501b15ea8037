"""Patterns of searches: a grid, random draws, and both narrowed again and again, over two parameters.

α, the penalty, and the width of Gaussian bumps, both on a logarithmic scale; every setting is judged by five folds
"""

import numpy as np

from glaswerk.base import Array, Pipeline
from glaswerk.design import GaussianBasis
from glaswerk.evaluate import GridSearch, Log, RandomSearch, ZoomingSearch
from glaswerk.facts import Fact, Search, Surface, Table
from glaswerk.labs.lab import Lab, heard, line, noisy_sine
from glaswerk.learners import Ridge

ROWS, NOISE, SETTINGS, GRID = 80, 0.3, 25, 15
SPACE = {"ridge__alpha": (1e-4, 1e3), "bumps__width": (0.02, 2.0)}
NAMES = ("grid", "random", "zooming")


def bumps() -> Pipeline:
    """Ridge on twelve Gaussian bumps."""
    return Pipeline([("bumps", GaussianBasis(n_centres=12)), ("ridge", Ridge())])


def searches(seed: int) -> dict[str, GridSearch | RandomSearch | ZoomingSearch]:
    """The three ways to spend about as many settings."""
    space = {name: Log(*ends) for name, ends in SPACE.items()}
    return {
        "grid": GridSearch(bumps(), space, points=5, random_state=seed),
        "random": RandomSearch(bumps(), space, n_iter=SETTINGS, random_state=seed),
        "zooming": ZoomingSearch(bumps(), space, points=3, stages=3, random_state=seed),
    }


def run(seed: int) -> list[Fact]:
    """What each search tried on the map of all errors, what it chose, and every trial."""
    X, y = noisy_sine(ROWS, NOISE, np.random.default_rng([seed, 15]))
    with heard():
        landscape = GridSearch(bumps(), {n: Log(*e) for n, e in SPACE.items()}, points=GRID, random_state=seed).fit(
            X, y
        )
        found = {name: search.fit(X, y) for name, search in searches(seed).items()}
    trials = {name: search.search_ for name, search in found.items()}
    return [
        chosen(trials),
        *(picture(name, trial, landscape.search_) for name, trial in trials.items()),
    ]


def chosen(trials: dict[str, Search]) -> Table:
    """How many settings each tried, and the best of them."""
    rows = []
    for name, trial in trials.items():
        best = trial.rows[trial.chosen]
        rows.append((name, len(trial.rows), *(float(str(v)) for v in best.values), best.score, "; ".join(trial.edges)))
    heads = ("search", "settings tried", "α", "width", "RMSE of five folds", "at an edge")
    note = "the same folds for all; the best of many settings looks a little better than it is"
    return Table("What each search chose", heads, tuple(rows), (note,))


def picture(name: str, trial: Search, landscape: Search) -> Surface:
    """The settings of one search as points on the map of errors."""
    alpha, width, z = map_of(landscape)
    tried = np.log10([[float(str(v)) for v in row.values] for row in trial.rows])
    best = tried[trial.chosen]
    paths = (
        line("tried", tried[:, 0], tried[:, 1], "points"),
        line("chosen", best[:1], best[1:], "points"),
    )
    cells = tuple(map(tuple, z.tolist()))
    ends = tuple(alpha.tolist()), tuple(width.tolist())
    says = f"{len(trial.rows)} settings; darker and lighter is the RMSE of five folds."
    return Surface(f"The {name} search", "log10 α", "log10 width", "RMSE", *ends, cells, paths, says)


def map_of(landscape: Search) -> tuple[Array, Array, Array]:
    """The errors of a fine grid: log α, log width, RMSE at [width, α]."""
    places = np.log10([[float(str(v)) for v in row.values] for row in landscape.rows])
    alpha, width = (np.linspace(places[:, k].min(), places[:, k].max(), GRID) for k in (0, 1))
    z = np.full((GRID, GRID), np.nan)
    for (a, w), row in zip(places, landscape.rows, strict=True):  # penalties of one width are tried together
        z[np.abs(width - w).argmin(), np.abs(alpha - a).argmin()] = np.nan if row.score is None else row.score
    return alpha, width, z


LAB = Lab(
    rows=("R146", "R147", "R148"),
    script="A, figures 15 and 16",
    says="a grid, a random and a zooming search over two parameters, on the map of all errors",
    run=run,
)
