"""Measured: how often conformal intervals and sets held the truth of rows left out, and how large they were.

Nothing is fitted again: each fold's rows are judged by what the predictions of the other folds missed by. Cost: a sort
of the rows. When not to use it: for new rows, which `ConformalRegressor`, `ConformalClassifier` and `Model(intervals=)`
serve.
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate.conformal import Misses, Score, class_scores
from glaswerk.evaluate.trial import LEVELS
from glaswerk.facts import Table
from glaswerk.scoring.inputs import Ints


def intervals_held(truth: Array, predicted: Array, fold: Ints, weight: Array) -> Array:
    """(rows, levels): 1 where prediction ± the other folds' quantile of misses holds the truth, 0 where not."""
    misses, held = np.abs(truth - predicted), np.full((len(truth), len(LEVELS)), np.nan)
    for k in range(int(fold.max()) + 1):
        here, others = fold == k, fold != k
        known = Misses.of(misses[others], np.zeros(int(others.sum()), dtype=np.int64), 1, weight[others])
        for j, level in enumerate(LEVELS):
            held[here, j] = misses[here] <= known.upper(np.zeros((1, 1)), level)[0]
    return held


def sets_held(codes: Ints, shares: Array, fold: Ints, weight: Array, score: Score) -> tuple[Table, Array]:
    """Coverage and size of sets at each level as a table, and (rows, classes) of the sets of level 0.9."""
    scores, rows, kept = class_scores(shares, score), [], np.zeros(shares.shape, dtype=bool)
    true = scores[np.arange(len(codes)), codes]
    for level in LEVELS:
        inside = np.zeros(shares.shape, dtype=bool)
        for k in range(int(fold.max()) + 1):
            here, others = fold == k, fold != k
            known = Misses.of(true[others], np.zeros(int(others.sum()), dtype=np.int64), 1, weight[others])
            inside[here] = known.sets(scores[here][:, None, :], level)
        size = inside.sum(axis=1)
        share = weight / weight.sum()
        held = float(share @ inside[np.arange(len(codes)), codes])
        rows.append((level, held, float(share @ size), float(share @ (size == 1)), float(share @ (size == 0))))
        kept = inside if level == 0.9 else kept
    heads = ("promised", "held", "classes on average", "a single class", "none")
    note = f"{score} scores, each row judged by the rows of the other folds"
    return Table("Prediction sets on rows left out", heads, tuple(rows), (note,)), kept
