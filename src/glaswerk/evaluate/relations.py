"""Looks at what columns have to do with each other and with gaps: stand-in values, gaps that tell, collinearity."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from glaswerk.base import Array
from glaswerk.evaluate.columns import area, is_numeric
from glaswerk.evaluate.findings import finding, joined
from glaswerk.evaluate.looks import View
from glaswerk.facts import Finding
from glaswerk.scoring.inputs import Ints

STAND_INS = {abs(s) for k in range(1, 7) for s in (10**k - 1, 9 * 10 ** (k - 1))} | {1}
FEW_OF_ALL = 0.05  # of the rows: a stand-in is no more than that
CLOSE_TO_ZERO = 0.25  # of the median: nearest real value from which a zero among positive numbers is odd
STEPS_TO_ZERO = 3.0  # between neighbouring values: counts come close to zero
FAR = 10.0  # quartile ranges between a lone value and the next
ENOUGH = 20  # rows
TELLS = 0.9
INFLATION = 10.0  # of a coefficient's variance


def stand_ins(view: View) -> list[Finding]:
    """Zeros among lengths, nines among ages, values far from all others."""
    told, sure = [], False
    for name, column in view.columns.items():
        if is_numeric(column):
            found = odd_zero(column) or odd_nines(column)
            sure |= bool(found)
            told += [f"{name!r}: {text}" for text in (found or lone(column)) if text]
    remedy = "ask what they mean; read them as missing (--missing, or mend the file), or correct them"
    return [finding("GW013", "warning" if sure else "note", joined(told), remedy)] if told else []


def odd_zero(column: Array) -> list[str]:
    """A zero where every other number is positive and none comes near."""
    known = column[np.isfinite(column)]
    zeros, rest = int((known == 0).sum()), known[known != 0]
    if not zeros or len(rest) < ENOUGH or zeros > FEW_OF_ALL * len(known) or rest.min() <= 0:
        return []
    step = float(np.median(np.diff(np.unique(rest)))) if np.ptp(rest) > 0 else 0.0
    if rest.min() < max(CLOSE_TO_ZERO * float(np.median(rest)), STEPS_TO_ZERO * step):
        return []
    return [f"{zeros} row(s) hold 0, all others lie between {rest.min():.6g} and {rest.max():.6g}"]


def odd_nines(column: Array) -> list[str]:
    """-1, 99, 999, … at an end, far from the rest."""
    known = column[np.isfinite(column)]
    told = []
    for value in {known.min(initial=0.0), known.max(initial=0.0)}:
        same, rest = int((known == value).sum()), known[known != value]
        if abs(value) not in STAND_INS or len(rest) < ENOUGH or same > FEW_OF_ALL * len(known):
            continue
        gap = min(abs(rest.max() - value), abs(rest.min() - value))
        if (value < 0 <= rest.min()) or gap > 0.5 * np.ptp(rest):
            told.append(f"{same} row(s) hold {value:.6g}, all others lie between {rest.min():.6g} and {rest.max():.6g}")
    return told


def lone(column: Array) -> list[str]:
    """A single value so far from the next that a slip is likelier than a tail."""
    known = np.sort(column[np.isfinite(column)])
    if len(known) < ENOUGH:
        return []
    low, high = np.quantile(known, [0.25, 0.75])
    reach = FAR * (high - low)
    ends = ((known[-1], known[-1] - known[-2], np.ptp(known[:-1])), (known[0], known[1] - known[0], np.ptp(known[1:])))
    return [
        f"one row holds {value:.6g}, the next is {gap:.4g} away"
        for value, gap, others in ends
        if gap > reach > 0 and gap > 0.5 * others
    ]


def gaps_tell(view: View) -> list[Finding]:
    """Columns whose missing cells alone nearly give the target: filled in once it is known."""
    told = []
    for name, column in view.columns.items():
        missing = np.isnan(column) if is_numeric(column) else column.astype(str) == "-1"
        if ENOUGH <= missing.sum() <= len(missing) - ENOUGH:
            share = telling(missing, view)
            if share > TELLS:
                told.append(f"whether {name!r} is missing nearly gives the target away ({share:.3f} of 1)")
    remedy = "ask when the column is filled in; leave it out where that is after the fact"
    return [finding("GW014", "warning", joined(told), remedy)] if told else []


def telling(missing: NDArray[np.bool_], view: View) -> float:
    """2 |ROC area - ½| of the gap for a number; the difference in its share between a class and the others."""
    if view.problem.task == "regression":
        return abs(2.0 * area(view.problem.truth[~missing], view.problem.truth[missing]) - 1.0)
    here: Ints = view.target
    total, gaps = np.bincount(here), np.bincount(here, missing)
    others = (gaps.sum() - gaps) / np.maximum(total.sum() - total, 1)
    return float(np.abs(gaps / total - others).max())


def collinear(view: View) -> list[Finding]:
    """Numbers that the other numbers nearly give, with the names of their companions."""
    numeric = {n: c for n, c in view.columns.items() if is_numeric(c) and _varies(c)}
    if len(numeric) < 2 or view.problem.n_rows <= len(numeric) + 1:
        return []
    names = list(numeric)
    R = correlations(np.stack(list(numeric.values()), axis=1))
    inflation = variance_inflation(R)
    if inflation is None:
        return []
    told = []
    for j in np.argsort(-inflation, kind="stable"):
        if inflation[j] > INFLATION:
            near = [names[k] for k in np.argsort(-np.abs(R[j]), kind="stable") if k != j][:2]
            told.append(f"{names[j]!r} (VIF {inflation[j]:.3g}, moves with {' and '.join(map(repr, near))})")
    remedy = "do not read their coefficients one by one; keep one of each, or use a penalty"
    return [finding("GW017", "note", joined(told), remedy)] if told else []


def correlations(cells: Array) -> Array:
    """Of columns whose gaps are filled with their mean."""
    mean = np.nanmean(cells, axis=0)
    away = np.where(np.isfinite(cells), cells - mean, 0.0)
    away /= np.sqrt((away**2).sum(axis=0))
    found: Array = away.T @ away
    return found


def variance_inflation(R: Array) -> Array | None:
    """1 / (1 - R²_j): the diagonal of R⁻¹, by a factor; None where columns repeat each other, which is GW004."""
    try:
        root = linalg.cholesky(R, lower=True)
    except linalg.LinAlgError:
        return None
    if np.diag(root).min() < math.sqrt(1e-10):
        return None
    half = linalg.solve_triangular(root, np.eye(len(R)), lower=True)
    found: Array = (half**2).sum(axis=0)
    return found


LOOKS: tuple[Callable[[View], list[Finding]], ...] = (stand_ins, gaps_tell, collinear)


def _varies(cells: Array) -> bool:
    """Whether the known cells differ; a column may know none."""
    known = cells[np.isfinite(cells)]
    return len(known) > 0 and bool(np.ptp(known) > 0)
