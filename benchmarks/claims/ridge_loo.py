"""The exact leave-one-out errors of a whole ridge path, against scikit-learn's RidgeCV."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import RidgeCV as SklearnRidgeCV

from benchmarks.harness import Case, Check, Outcome, Plan, compare
from benchmarks.tables import plain
from benchmarks.timing import Side
from glaswerk.learners import RidgeCV

SENTENCE = "fifty ridge penalties judged by exact leave-one-out take a sixth of the time of scikit-learn's RidgeCV"
PENALTIES = 50
SIZES = ((1_000, 5), (10_000, 50), (10_000, 200), (100_000, 50))
QUICK_SIZES = ((1_000, 5), (2_000, 20))
OURS = "glaswerk RidgeCV"
SAME = 1e-12  # relative, of the mean squared error of every penalty


def cases(plan: Plan) -> list[Case]:
    sizes = QUICK_SIZES if plan.quick else SIZES
    return [Case(f"{n} x {d}, {PENALTIES} penalties", lambda n=n, d=d: path_speed(n, d, plan)) for n, d in sizes]


def path_speed(n: int, d: int, plan: Plan) -> Outcome:
    X, y = plain(n, d)
    alphas = np.geomspace(1e-3, 1e5, PENALTIES)

    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        ours = answers[OURS]
        errors = SklearnRidgeCV(alphas, store_cv_results=True).fit(X, y).cv_results_.mean(axis=0)
        theirs = answers["scikit-learn RidgeCV, gcv_mode='eigen'"]
        return [
            Check("errors of the path", float(np.abs(ours.solution_.choice.mean[:, 0] / errors - 1).max()), SAME),
            Check("penalty chosen", abs(ours.alpha_ - theirs.alpha_), 0.0),
        ]

    modes = ("eigen", "svd")
    rivals = [
        Side(f"scikit-learn RidgeCV, gcv_mode={mode!r}", "rival", lambda mode=mode: fit_rival(X, y, alphas, mode))
        for mode in modes
    ]
    ours = Side(OURS, "ours", lambda: RidgeCV(alphas, n_jobs=plan.threads).fit(X, y))
    return compare([ours, *rivals], plan, checks)


def fit_rival(X: Any, y: Any, alphas: Any, mode: str) -> SklearnRidgeCV:
    return SklearnRidgeCV(alphas, gcv_mode=mode).fit(X, y)
