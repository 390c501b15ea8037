"""Best subsets of every size, proved: seconds, and against trying all of them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.harness import Case, Check, Line, Outcome, Plan, compare
from benchmarks.tables import Array
from benchmarks.timing import Side, interleaved
from glaswerk.learners import BestSubsetRegression

SENTENCE = "BestSubsetRegression proves the best of 2^40 subsets in a tenth of a second, of 2^35 much alike in a second"
ROWS = 500
OURS = "glaswerk BestSubsetRegression"
SAME = 1e-9  # relative, of the least sums of squares


def cases(plan: Plan) -> list[Case]:
    searched = ((20, 0.5), (20, 0.9)) if plan.quick else ((40, 0.5), (30, 0.9), (35, 0.9), (40, 0.9))
    found = [
        Case(f"{d} columns, correlation {alike}", lambda d=d, alike=alike: seconds(d, alike, plan))
        for d, alike in searched
    ]
    return [*found, Case("12 columns, all subsets tried", lambda: against_all(12, plan))]


def table(d: int, alike: float, seed: int = 23) -> tuple[Array, Array]:
    """Columns of which any two have this correlation, a third of them of use, as much noise as signal."""
    rng = np.random.default_rng([seed, d, int(100 * alike)])
    X = np.sqrt(alike) * rng.normal(size=(ROWS, 1)) + np.sqrt(1 - alike) * rng.normal(size=(ROWS, d))
    signal = X[:, : d // 3] @ rng.normal(size=d // 3)
    return X, signal + signal.std() * rng.normal(size=ROWS)


def fitted(X: Array, y: Array, plan: Plan) -> BestSubsetRegression:
    return BestSubsetRegression(n_jobs=plan.threads).fit(X, y)


def seconds(d: int, alike: float, plan: Plan) -> Outcome:
    X, y = table(d, alike)
    timed = interleaved([Side(OURS, "ours", lambda: fitted(X, y, plan))], plan.rounds, plan.case_seconds)[0]
    choice = timed.answer.solution_.choice
    line = Line(OURS, "ours", timed.spread.median, "s", timed.spread, 1.0)
    checks = (
        Check("sizes not proved", int((choice.gap > 0).sum()), 0),
        Check("squares left by the columns named", largest_difference(choice, X, y), SAME),
    )
    return Outcome(timed.spread.median, "s", (line,), checks, (f"{choice.nodes} nodes for 2^{d} subsets",))


def largest_difference(choice: Any, X: Array, y: Array) -> float:
    away, level = X - X.mean(axis=0), y - y.mean()
    found = []
    for columns, rss in zip(choice.columns[1:], choice.rss[1:], strict=True):
        rest = level - away[:, columns] @ np.linalg.lstsq(away[:, columns], level, rcond=None)[0]
        found.append(abs(rss / (rest @ rest) - 1))
    return float(max(found))


def against_all(d: int, plan: Plan) -> Outcome:
    X, y = table(d, 0.5)
    everything = "NumPy: one batch of normal equations a size"

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        ours = answers[OURS].solution_.choice.rss
        return [Check("least squares of every size", float(np.abs(ours / answers[everything] - 1).max()), SAME)]

    sides = [Side(OURS, "ours", lambda: fitted(X, y, plan)), Side(everything, "rival", lambda: try_all(X, y))]
    return compare(sides, plan, checks)


def try_all(X: Array, y: Array) -> Array:
    """Least sum of squares of every size, from the normal equations of all subsets of that size."""
    away, level = X - X.mean(axis=0), y - y.mean()
    gram, right, total = away.T @ away, away.T @ level, float(level @ level)
    best = [total]
    for size in range(1, len(gram) + 1):
        subsets = np.array(list(combinations(range(len(gram)), size)))
        image = right[subsets]
        weights = np.linalg.solve(gram[subsets[:, :, None], subsets[:, None, :]], image[..., None])[..., 0]
        best.append(total - float((weights * image).sum(axis=1).max()))
    return np.array(best)
