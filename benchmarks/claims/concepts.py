"""Concept learning at a size textbooks do not try: boundaries, exact size and votes of 1,000 rows x 20 x 10 values."""

from typing import Any

import numpy as np

from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.tables import Array
from benchmarks.timing import Side, interleaved
from glaswerk.learners import BayesOptimalClassifier, CandidateElimination, FindS

SENTENCE = (
    "CandidateElimination fits 1,000 rows x 20 attributes x 10 values in under a second, and votes on all of them"
)
OURS, WEIGHED = "glaswerk CandidateElimination", "glaswerk BayesOptimalClassifier"
SIZES = ((3, 1), (8, 1), (3, 5), (8, 5))  # conditions of the concept, positive rows planted


def cases(plan: Plan) -> list[Case]:
    sizes = SIZES[:1] if plan.quick else SIZES
    found = [
        Case(f"fit and vote, {k} conditions, {p} positive rows", lambda k=k, p=p: seconds(k, p, plan)) for k, p in sizes
    ]
    return [*found, Case("posterior of 973 hypotheses, 200 rows", lambda: posterior(plan))]


def rows_of_concept(conditions: int, positives: int) -> tuple[Array, Array]:
    """1,000 rows of 20 words of 10, labelled by a conjunction; the first few rows are made to meet it."""
    rng = np.random.default_rng(conditions + 100 * positives)
    X = rng.integers(0, 10, (1_000, 20))
    concept = rng.integers(0, 10, conditions)
    X[:positives, :conditions] = concept
    return X.astype(float), (X[:, :conditions] == concept).all(axis=1)


def seconds(conditions: int, positives: int, plan: Plan) -> Outcome:
    X, y = rows_of_concept(conditions, positives)

    def ours() -> Any:
        model = CandidateElimination().fit(X, y)
        return model, model.vote(X)

    timed = interleaved([Side(OURS, "ours", ours)], plan.rounds, plan.case_seconds)[0]
    model, votes = timed.answer
    specific = FindS().fit(X, y).hypothesis
    checks = (
        Check("rows on which the vote contradicts the label", float((votes != y).sum()), 0.0),
        Check("S differs from Find-S", float(model.specific != (specific,)), 0.0),
    )
    told = f"{model.size:,} hypotheses agree, G has {model.solution_.general_count:,} members"
    line = Line(OURS, "ours", timed.spread.median, "s", timed.spread, 1.0)
    return Outcome(timed.spread.median, "s", (line,), checks, (told,))


def posterior(plan: Plan) -> Outcome:
    rng = np.random.default_rng(0)
    sizes = [3, 2, 2, 2, 2, 2]
    X = np.column_stack([rng.integers(0, k, 200) for k in sizes]).astype(float)
    y = (X[:, 0] == 0) & (X[:, 1] == 1)

    def ours() -> Any:
        return BayesOptimalClassifier(noise=0.1).fit(X, y).predict(X)

    timed = interleaved([Side(WEIGHED, "ours", ours)], plan.rounds, plan.case_seconds)[0]
    line = Line(WEIGHED, "ours", timed.spread.median, "s", timed.spread, 1.0)
    checks = (Check("rows predicted wrongly", float((timed.answer != y).sum()), 0.0),)
    return Outcome(timed.spread.median, "s", (line,), checks)
