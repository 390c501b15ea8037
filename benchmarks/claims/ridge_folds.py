"""Cross-validation of a ridge path from statistics that add, against refitting every fold for every penalty."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import Ridge

from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare
from benchmarks.machine import peer
from benchmarks.tables import Array, plain
from benchmarks.timing import Side

SENTENCE = "ten folds times twenty ridge penalties come from one pass at a fiftieth of the time that refitting takes"
FOLDS, PENALTIES = 10, 20
OURS = "glaswerk GroupedMoments + fold_errors"
SAME = 1e-12  # relative, of each fold's and penalty's mean squared error
SAMPLE = 1_000  # rows from which the common shift is taken, as a fit takes it from the first rows


def cases(plan: Plan) -> list[Case]:
    n, d = (10_000, 10) if plan.quick else (100_000, 20)
    return [Case(f"{n} x {d}, {FOLDS} folds x {PENALTIES} penalties", lambda: path_speed(n, d, plan))]


def path_speed(n: int, d: int, plan: Plan) -> Outcome:
    moments, path = peer("glaswerk.stats.moments"), peer("glaswerk.stats.ridge_path")
    if moments is None or path is None:
        raise NotRun("glaswerk.stats.ridge_path is not there yet")
    X, y = plain(n, d)
    fold = np.random.default_rng(5).permutation(n) % FOLDS
    penalties = np.geomspace(1e-3, 1e5, PENALTIES)

    def ours() -> Array:
        Y = y[:, None]
        shift = moments.common_shift(np.column_stack([X[:SAMPLE], Y[:SAMPLE]]))
        groups = moments.GroupedMoments.of(X, Y, fold, FOLDS, shift=shift)
        return path.fold_errors(groups, penalties)[:, :, 0]

    sides = [
        Side(OURS, "ours", ours),
        Side("scikit-learn Ridge, default solver", "rival", lambda: refit(X, y, fold, penalties, "auto")),
        Side("scikit-learn Ridge, solver='cholesky'", "rival", lambda: refit(X, y, fold, penalties, "cholesky")),
        Side("NumPy: one Gram a fold, one solve a penalty", "peer", lambda: solve_each(X, y, fold, penalties)),
    ]
    return compare(sides, plan, same_errors, [f"{FOLDS * PENALTIES} fits a call"])


def refit(X: Array, y: Array, fold: Array, penalties: Array, solver: str) -> Array:
    """A fresh model for every fold and penalty; the rows of a fold are gathered once for all its penalties."""
    errors = np.empty((FOLDS, len(penalties)))
    for k in range(FOLDS):
        held = fold == k
        X_held, y_held, X_rest, y_rest = X[held], y[held], X[~held], y[~held]
        for j, penalty in enumerate(penalties):
            model = Ridge(alpha=penalty, solver=solver).fit(X_rest, y_rest)
            errors[k, j] = np.mean((y_held - model.predict(X_held)) ** 2)
    return errors


def solve_each(X: Array, y: Array, fold: Array, penalties: Array) -> Array:
    """What a careful user writes by hand."""
    errors = np.empty((FOLDS, len(penalties)))
    for k in range(FOLDS):
        held = fold == k
        X_rest, y_rest = X[~held], y[~held]
        x_mean, y_mean = X_rest.mean(axis=0), y_rest.mean()
        centred = X_rest - x_mean
        gram, right = centred.T @ centred, centred.T @ (y_rest - y_mean)
        X_held, y_held = X[held] - x_mean, y[held] - y_mean
        for j, penalty in enumerate(penalties):
            weights = np.linalg.solve(gram + penalty * np.eye(len(right)), right)
            errors[k, j] = np.mean((y_held - X_held @ weights) ** 2)
    return errors


def same_errors(answers: dict[str, Any]) -> Sequence[Check]:
    ours = answers[OURS]
    return [
        Check(f"fold errors as {name}", float(np.abs(ours / theirs - 1).max()), SAME)
        for name, theirs in answers.items()
        if name != OURS
    ]
