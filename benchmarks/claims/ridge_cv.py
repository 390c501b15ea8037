"""Repeated cross-validation of a ridge penalty, as script E asks for it, against a grid search that refits."""

import numpy as np
from sklearn.linear_model import Ridge as SklearnRidge
from sklearn.model_selection import GridSearchCV

from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.tables import Array, plain
from benchmarks.timing import Side, fastest_rival, interleaved, ours_of
from glaswerk.learners import RidgeCV
from glaswerk.scoring import RepeatedKFold

SENTENCE = (
    "100 times ten folds times fifty ridge penalties take a two hundredth of the time of scikit-learn's grid search"
)
FOLDS, PENALTIES = 10, 50
SAME = 1e-9  # relative, of the mean squared errors of one repeat's folds


def cases(plan: Plan) -> list[Case]:
    n, d, repeats = (2_000, 10, 10) if plan.quick else (10_000, 50, 100)
    name = f"{n} x {d}, {repeats} x {FOLDS} folds x {PENALTIES} penalties"
    return [Case(name, lambda: whole_choice(n, d, repeats, plan))]


def whole_choice(n: int, d: int, repeats: int, plan: Plan) -> Outcome:
    """The rival makes one repeat a call, since all would take minutes; its time is multiplied and said to be."""
    X, y = plain(n, d)
    alphas = np.geomspace(1e-3, 1e5, PENALTIES)
    drawn = RepeatedKFold(n_splits=FOLDS, n_repeats=repeats, random_state=0).repeats()
    splits = list(drawn[0].split(X))

    def ours() -> RidgeCV:
        return RidgeCV(alphas, cv=FOLDS, repeats=repeats, n_jobs=plan.threads).fit(X, y)

    def refit(solver: str) -> GridSearchCV:
        model, grid = SklearnRidge(solver=solver), {"alpha": alphas}
        return GridSearchCV(model, grid, scoring="neg_mean_squared_error", cv=splits, refit=False).fit(X, y)

    sides = [
        Side("glaswerk RidgeCV, all repeats", "ours", ours),
        Side("scikit-learn GridSearchCV, one repeat", "rival", lambda: refit("auto")),
    ]
    timed = interleaved(sides, 3, plan.case_seconds * 3)
    mine, theirs = ours_of(timed), fastest_rival(timed)
    ratio = repeats * theirs.spread.median / mine.spread.median
    lines = [
        Line(t.side.name, t.side.kind, t.spread.median, "s", t.spread, t.spread.median / mine.spread.median)
        for t in timed
    ]
    note = f"the rival's time for one repeat, multiplied by {repeats}: {repeats * FOLDS * PENALTIES} fits in all"
    return Outcome(ratio, "x", tuple(lines), tuple(same_choice(mine.answer, theirs.answer)), (note,))


def same_choice(ours: RidgeCV, theirs: GridSearchCV) -> list[Check]:
    """Of the repeat both made: the same penalty, and at ours the same error in every fold."""
    choice, results = ours.solution_.choice, theirs.cv_results_
    at = int(choice.chosen[0])
    scores: Array = np.array([-results[f"split{k}_test_score"][at] for k in range(FOLDS)])
    return [
        Check("steps between the penalties chosen", abs(int(choice.per_run[0]) - int(theirs.best_index_)), 0),
        Check("fold errors as refitted", float(np.abs(choice.runs[0] / scores - 1).max()), SAME),
    ]
