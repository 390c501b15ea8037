"""Groups in a plane: rows, centres, borders of prototypes, ellipses of a mixture, the paths the centres took.

Two columns are drawn as they are; more are turned into their first two principal components, each column by its own
standard deviation where they differ in units. Borders are exact in two columns: the bisectors of two prototypes where
no third is nearer.
"""

from itertools import combinations
from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.design import PCA
from glaswerk.facts import GroupPlane, Line
from glaswerk.learner.quantiser import Quantiser
from glaswerk.learners import GaussianMixture

MOST_POINTS = 1_000
ELLIPSE = 2.0  # standard deviations: seven eighths of a normal component
VERTICES = 49


def group_plane(model: Any, X: Any, title: str = "", names: tuple[str, ...] | None = None) -> GroupPlane:
    """Rows X in a plane, with what a fitted `KMeans`, `LBG`, `VectorQuantizer` or `GaussianMixture` makes of them."""
    rows = np.asarray(X, dtype=np.float64)
    columns = tuple(names or model.column_names())
    centres = model.cluster_centers_ if isinstance(model, Quantiser) else model.means_
    labels = model.predict(X)
    mean, turn, axes = _plane_of(rows, columns)
    step = -(-len(rows) // MOST_POINTS)
    shown, at = (rows[::step] - mean) @ turn.T, (centres - mean) @ turn.T
    plane = rows.shape[1] <= 2
    if plane:
        shown, at = shown + turn @ mean, at + turn @ mean
    origin = turn @ mean if plane else np.zeros(2)
    points = tuple((float(a), float(b), int(g)) for (a, b), g in zip(shown, labels[::step], strict=True))
    word = "cluster" if isinstance(model, Quantiser) else "component"
    borders = _borders(model, shown) if isinstance(model, Quantiser) and plane and rows.shape[1] == 2 else ()
    outlines = _ellipses(model, at, turn) if isinstance(model, GaussianMixture) else ()
    return GroupPlane(
        title or f"The groups of {model.card.name}", *axes, tuple(f"{word} {k}" for k in range(len(at))), points,
        tuple((float(a), float(b)) for a, b in at), len(rows), outlines, borders,
        _paths(model, mean, turn, origin), "", _notes(model, rows.shape[1]),
    )  # fmt: skip


def _notes(model: Any, d: int) -> tuple[str, ...]:
    told = [f"Ellipses hold {ELLIPSE:g} standard deviations."] if isinstance(model, GaussianMixture) else []
    if d > 2:
        told.append("The plane is that of the first two principal components of the scaled columns.")
    return tuple(told)


def _plane_of(rows: Array, columns: tuple[str, ...]) -> tuple[Array, Array, tuple[str, str]]:
    """Mean, the two directions (2, d) of the plane, and their names."""
    d = rows.shape[1]
    if d == 1:
        return np.zeros(1), np.array([[1.0], [0.0]]), (columns[0], "")
    if d == 2:
        return np.zeros(2), np.eye(2), (columns[0], columns[1])
    scale = rows.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    found = PCA(2).fit(rows / scale)
    share = found.explained_variance_ratio_
    axes = tuple(f"component {j + 1} ({100 * share[j]:.0f} % of the variance)" for j in range(2))
    return rows.mean(axis=0), found.components_ / scale, (axes[0], axes[1])


def _paths(model: Any, mean: Array, turn: Array, origin: Array) -> tuple[Line, ...]:
    """Where the centres went from round to round, if the model kept it."""
    if isinstance(model, Quantiser):
        trail = model.partition.rounds.trail
    else:
        trail = model.solution_.trace.means
        trail = trail + model.solution_.shift if len(trail) else trail
    if len(trail) < 2:
        return ()
    seen = (trail - mean) @ turn.T + origin
    return tuple(
        Line(f"path of {k}", tuple(seen[:, k, 0].tolist()), tuple(seen[:, k, 1].tolist()))
        for k in range(trail.shape[1])
    )


def _ellipses(model: GaussianMixture, at: Array, turn: Array) -> tuple[Line, ...]:
    angle = np.linspace(0, 2 * np.pi, VERTICES)
    circle = ELLIPSE * np.stack([np.cos(angle), np.sin(angle)])
    found = []
    for k, matrix in enumerate(model.solution_.mixture.matrices()):
        values, vectors = np.linalg.eigh(turn @ matrix @ turn.T)
        ring = at[k][:, None] + vectors @ (np.sqrt(np.maximum(values, 0.0))[:, None] * circle)
        found.append(Line(f"component {k}", tuple(ring[0].tolist()), tuple(ring[1].tolist())))
    return tuple(found)


def _borders(model: Quantiser, shown: Array) -> tuple[Line, ...]:
    """Where two prototypes are equally near and no third is nearer, within a box around the rows."""
    part = model.partition
    places = part.places + part.shift
    if places.shape[1] != 2 or len(places) > 60:
        return ()
    measured = part.measured(shown)
    low, high = measured.min(axis=0), measured.max(axis=0)
    reach = 2 * float(np.sqrt(((high - low) ** 2).sum())) or 1.0
    found = []
    for i, j in combinations(range(len(places)), 2):
        ends = _border(places, i, j, (low + high) / 2, reach)
        if ends is not None:
            back = ends if part.whitening is None else part.whitening.undo(ends)
            found.append(Line(f"{i} | {j}", tuple(back[:, 0].tolist()), tuple(back[:, 1].tolist())))
    return tuple(found)


def _border(places: Array, i: int, j: int, middle: Array, reach: float) -> Array | None:
    """The ends of the part of a bisector (2, 2) where i and j are the nearest; None where there is none."""
    away = places[j] - places[i]
    length = float(np.sqrt(away @ away))
    if length == 0:
        return None
    along = np.array([-away[1], away[0]]) / length
    start = (places[i] + places[j]) / 2
    start = start + along * float(along @ (middle - start))
    low, high = -reach, reach
    for k, other in enumerate(places):
        if k in (i, j):
            continue
        # ‖x - w_i‖² <= ‖x - w_k‖² along x = start + t · along is linear in t
        slope = 2 * float(along @ (other - places[i]))
        room = float((start - other) @ (start - other) - (start - places[i]) @ (start - places[i]))
        if slope > 0:
            high = min(high, room / slope)
        elif slope < 0:
            low = max(low, room / slope)
        elif room < 0:
            return None
    return np.array([start + low * along, start + high * along]) if low < high else None
