"""A support vector machine over two columns under many settings: its border, margins and errors as C and γ move."""

from itertools import product
from typing import Any

import numpy as np

from glaswerk.base import Array, Matrix
from glaswerk.facts import Slider, Steps, shown
from glaswerk.learners import SVC
from glaswerk.scoring import StratifiedKFold

MOST_ROWS = 400
FOLDS = 5
SEEN = "Regions, border and supporting rows"  # at every place: a page keeps the heading while the sliders move
COSTS = (0.1, 1.0, 10.0, 100.0, 1000.0)
WIDTHS = (0.1, 0.5, 2.0, 10.0, 50.0)


def margin_steps(
    X: Any,
    y: Any,
    *,
    C: tuple[float, ...] = COSTS,
    gamma: tuple[float, ...] = WIDTHS,
    title: str = "The border as C and gamma move",
    heading: str = SEEN,
    settings: dict[str, Any] | None = None,
) -> Steps:
    """[R79] The Gaussian machine at every pair of settings, with the share of rows wrong: on its rows, and left out.

    `X` has two columns, scaled as the machine is to see them. Of more than 400 rows so many are taken, evenly. The
    sliders begin where fewest rows that folds left out are wrong; of equals the smoothest.

    >>> from glaswerk.labs.svm_moons import moons
    >>> margin_steps(*moons(0)).at(0)
    ('0.1', '0.1')
    """
    rows, labels = _some(X, y)
    fixed = settings or {}
    places = list(product(C, gamma))
    drawn, wrong, left_out = [], [], []
    for cost, width in places:
        model = SVC(C=cost, gamma=width, **fixed).fit(rows, labels)
        drawn.append((model.margins(rows, labels, heading), len(model.support_)))
        wrong.append(1.0 - model.score(rows, labels))
        left_out.append(_left_out(rows, labels, cost, width, fixed))
    judged = left_out if np.isfinite(left_out).all() else wrong
    best = int(np.argmin(np.round(judged, 12)))
    says = tuple(
        f"{held} of {len(labels)} rows support the border; wrong: {_told(own, out)}"
        + (", the fewest." if k == best else ".")
        for k, ((_, held), own, out) in enumerate(zip(drawn, wrong, left_out, strict=True))
    )
    sliders = (Slider("C", tuple(map(shown, C))), Slider("gamma", tuple(map(shown, gamma))))
    notes = (
        "Small C forgives rows on the wrong side; large gamma lets every row decide only what is near to it.",
        *([f"{len(labels)} of {len(y)} rows were taken."] if len(labels) < len(y) else []),
    )
    return Steps(title, sliders, tuple((plane,) for plane, _ in drawn), says, best, notes)


def _some(X: Any, y: Any) -> tuple[Array, np.ndarray]:
    """Rows evenly spread, with the names of their columns."""
    names = getattr(X, "columns", getattr(X, "names", None))
    n = len(y)
    taken = np.arange(min(n, MOST_ROWS)) * n // min(n, MOST_ROWS)
    return Matrix.of(np.asarray(X, dtype=np.float64)[taken], names), np.asarray(y)[taken]


def _told(own: float, out: float) -> str:
    """Shares of wrong rows in words."""
    told = f"{100 * own:.1f} % of the rows themselves"
    return told if np.isnan(out) else f"{told}, {100 * out:.1f} % of rows that folds left out"


def _left_out(rows: Array, labels: np.ndarray, cost: float, width: float, fixed: dict[str, Any]) -> float:
    """The share of rows wrong when folds leave them out; NaN where a class has but one row."""
    cells: Array = np.asarray(rows, dtype=np.float64)
    least = int(np.unique(labels, return_counts=True)[1].min())
    if least < 2:
        return float("nan")
    right = 0
    for train, test in StratifiedKFold(min(FOLDS, least), shuffle=True, random_state=0).split(cells, labels):
        model = SVC(C=cost, gamma=width, **fixed).fit(cells[train], labels[train])
        right += int((model.predict(cells[test]) == labels[test]).sum())
    return 1.0 - right / len(labels)
