"""Posterior bundle: not one curve but many, each as probable as the rows leave it, with the band that holds new rows.

    w ~ N(m, S):  y(x) = w₀ + wᵀφ(x) for each draw;   t ~ N(m(x), s²(x))                        [BG-POST] [BG-S2]

Cost: n draws of d weights. When not to use it: to read a single draw as if it were the answer.
"""

from typing import Any

import numpy as np

from glaswerk.base import Pipeline
from glaswerk.facts import Curve, Line
from glaswerk.stats.draws import generator

GRID = 61


def posterior_bundle(
    model: Any, X: Any, y: Any = None, *, column: int = 0, n: int = 30, level: float = 0.9, random_state: int = 0
) -> Curve:
    """n curves drawn from a fitted `BayesianLinearRegression`, or a pipeline that ends in one, along one column of X.

    The other columns stay at their means over X. With y (one target) the rows are shown too.
    """
    generator(n, random_state, "posterior_bundle")
    last = model[-1] if isinstance(model, Pipeline) else model
    if not hasattr(last, "sample_functions"):
        raise TypeError(f"posterior_bundle: {type(last).__name__} has no posterior; take BayesianLinearRegression")
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or not 0 <= column < rows.shape[1]:
        raise ValueError(f"posterior_bundle: X of shape {rows.shape} has no column {column}")
    if not last.single_target_:
        raise ValueError("posterior_bundle: one target is needed, given to fit as one column y")
    x = np.linspace(rows[:, column].min(), rows[:, column].max(), GRID)
    grid = np.tile(rows.mean(axis=0), (GRID, 1))
    grid[:, column] = x
    images = model[:-1].transform(grid) if isinstance(model, Pipeline) else grid
    low, high = last.predict_interval(images, level=level).T
    shown = [_line("posterior mean", x, last.predict(images), low, high)]
    if y is not None:
        shown.append(Line("rows", tuple(rows[:, column].tolist()), tuple(np.ravel(y).tolist()), form="points"))
    drawn = last.sample_functions(images, n, random_state)
    draws = [_line(f"draw {k + 1}", x, values) for k, values in enumerate(drawn)]
    first = model[0] if isinstance(model, Pipeline) else model
    told = f"{n} curves drawn from the posterior; the band holds a new row with probability {100 * level:g} %."
    rest = ("the other columns stay at their means",) if rows.shape[1] > 1 else ()
    return Curve(
        "Curves drawn from the posterior", first.column_names()[column], last.target_names_[0], (*shown, *draws), told,
        notes=rest, named=len(shown),
    )  # fmt: skip


def _line(name: str, x: Any, y: Any, low: Any = None, high: Any = None) -> Line:
    band = (tuple(low.tolist()), tuple(high.tolist())) if low is not None else ((), ())
    return Line(name, tuple(x.tolist()), tuple(y.tolist()), *band)
