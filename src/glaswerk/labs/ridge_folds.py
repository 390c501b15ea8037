"""Ridge by folds: script E's problem 2, a hundred ten-fold validations, and the penalty that most runs choose.

    1,000 errors;  α* of a run minimises the mean error of its ten folds;  α is the mode of α* over runs  [NAN-ALPHA]

Without a file of your own the rows are the bundled cars; with `data=` they are the red wines (winequality-red.csv).
"""

import os
from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.design import StandardScaler
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab
from glaswerk.learners import RidgeCV
from glaswerk.table import TypedTable, load_auto_mpg, load_wine_quality

RUNS, FOLDS = 100, 10
ALPHAS = np.geomspace(0.01, 10_000.0, 25)
CARS = ("cylinders", "displacement", "horsepower", "weight", "acceleration", "model_year")
GET_WINE = (
    "The script's data set is 'given' and not named. To see the red wines (UCI, CC BY 4.0; Cortez et al. 2009), which "
    "cannot come along: `glaswerk datasets wine_quality_red --output wine.csv` fetches them once, or take your own "
    "winequality-red.csv, and give the file: `glaswerk lab run ridge-folds --data wine.csv`."
)


def rows_of(data: Any) -> tuple[str, Array, Array]:
    """Name, standardised inputs and targets of the wines at `data`, or of the bundled cars."""
    table: TypedTable = load_auto_mpg() if data is None else load_wine_quality("red", path=data)
    target = "mpg" if data is None else "quality"
    names = CARS if data is None else tuple(n for n in table.names if n != target)
    X = np.column_stack([table[name].numbers() for name in names])
    whole = np.isfinite(X).all(axis=1)
    y = table[target].numbers()
    return table.name, StandardScaler().fit_transform(X[whole]), y[whole]


def chosen(X: Array, y: Array, seed: int) -> RidgeCV:
    """All penalties on all folds of all runs, from one pass over the rows for each run."""
    model = RidgeCV(ALPHAS.tolist(), cv=FOLDS, repeats=RUNS, random_state=seed, selection="modal")
    return model.fit(X, y)


def run(seed: int, data: str | os.PathLike[str] | None = None) -> list[Fact]:
    """What was asked, the three plots, the range, and whether the penalty is worth it."""
    name, X, y = rows_of(data)
    model = chosen(X, y, seed)
    choice = model.solution_.choice
    facts = model.facts()
    curves = [fact for fact in facts if isinstance(fact, Curve)]
    verdict = next(fact for fact in facts if isinstance(fact, Statement))
    asked = Statement(
        "What the script asks",
        (
            f"Here: {name}, {len(y)} complete rows, {X.shape[1]} standardised inputs, the intercept not penalised. "
            "The script prints no number for this problem; what it asks for is three plots and a choice.",
            *((GET_WINE,) if data is None else ()),
        ),
    )
    return [asked, verdict, worth(choice, y), reach(choice, X), runs(choice), *curves[:4]]


def worth(choice: Any, y: Array) -> Table:
    """The gain beside everything that it must be compared with."""
    best = float(choice.mean[choice.chosen[0], 0])
    base = float(choice.baseline[0])
    gain, low, high = map(float, choice.gain[0])
    rows = (
        ("MSE without a penalty", base),
        ("MSE at the chosen penalty", best),
        ("gain", gain),
        ("lower 95 % limit of the gain", low),
        ("upper 95 % limit of the gain", high),
        ("between runs the mean MSE varies by", float(choice.runs.mean(axis=1).std(ddof=1))),
        ("between folds the MSE varies by", float(choice.runs.std(ddof=1))),
        ("MSE of the mean of y", float(np.var(y))),
    )
    note = "the gain is below the noise: these rows do not show that a penalty helps" if low <= 0 <= high else ""
    return Table("Is the penalty worth it?", ("what", "mean squared error"), rows, (note,) if note else ())


def reach(choice: Any, X: Array) -> Statement:
    """Why the penalties tried reach from here to there."""
    first, last = float(choice.effective.max()), float(choice.effective.min())
    return Statement(
        "Why this range",
        (
            f"{len(ALPHAS)} penalties from {ALPHAS[0]:g} to {ALPHAS[-1]:g}, evenly by ratio, since a penalty works "
            "by its "
            "ratio to the squared singular values of the inputs.",
            f"At {ALPHAS[0]:g} effectively {first:.4g} of {X.shape[1]} parameters are free, as good as without a "
            "penalty; "
            f"at {ALPHAS[-1]:g} {last:.3g} are left, and the error is far above the least. The least lies inside.",
        ),
    )


def runs(choice: Any) -> Table:
    """How many runs chose each penalty."""
    times = np.bincount(choice.per_run, minlength=len(ALPHAS))
    at = np.flatnonzero(times)
    rows = tuple((float(choice.penalties[k]), int(times[k]), float(choice.mean[k, 0])) for k in at)
    return Table("Penalties chosen by the runs", ("α", "runs", "mean MSE over all runs"), rows)


LAB = Lab(
    rows=("R142", "R143", "R144", "R145"),
    script="E, problem 2",
    says="a hundred ten-fold validations of ridge: its 1,000 errors, the error per α, the α of every run, the mode",
    run=run,
    data="the red wines, winequality-red.csv; without it the bundled cars",
)
