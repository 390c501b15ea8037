"""Trade-offs: curves as scikit-learn has them, costs by hand, the best threshold and its interval, refusals."""

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve, roc_curve

from glaswerk import LogisticRegression
from glaswerk.evaluate import ArrayProblem, cross_validate
from glaswerk.evaluate.trade_offs import GRID, Ranked, precision_at, roc_at, thresholds
from glaswerk.facts import Curve, Statement
from glaswerk.figures import figures_of
from tests.evaluate.conftest import two_classes


def ranked(n=400, seed=0, ties=False):
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=n)
    p = np.round(p, 1) if ties else p
    return Ranked(rng.random(n) < p, p, np.arange(n) % 5, np.ones(n))


@pytest.mark.parametrize("ties", [False, True])
def test_the_curves_of_one_fold_are_those_of_scikit_learn(ties):
    rows = ranked(ties=ties)
    false, true, _ = roc_curve(rows.positive, rows.probability, drop_intermediate=False)
    for x in (0.0, 0.13, 0.5, 1.0):
        highest = true[false == x].max() if (false == x).any() else np.interp(x, false, true)
        assert roc_at(rows, np.array([x]))[0] == pytest.approx(highest)
    precision, recall, _ = precision_recall_curve(rows.positive, rows.probability)
    for wanted in (0.1, 0.5, 1.0):
        place = np.flatnonzero(recall >= wanted - 1e-12)[-1]
        assert precision_at(rows, np.array([wanted]))[0] == pytest.approx(precision[place])


def test_costs_by_hand():
    rows = Ranked(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.2]), np.zeros(4, int), np.ones(4))
    found = thresholds(rows, "m", "yes", costs=[[0, 1], [3, 0]])
    assert found.best == pytest.approx(0.3)
    assert found.cost == pytest.approx(1 / 4)
    assert found.cost_at_half == pytest.approx((1 + 3) / 4)
    assert found.in_theory == pytest.approx(1 / 4)


def test_the_best_threshold_of_calibrated_probabilities_is_that_of_the_costs_and_its_interval_holds_it():
    found = thresholds(ranked(20_000), "m", "yes", costs=[[0, 1], [4, 0]])
    assert found.in_theory == pytest.approx(0.2)
    assert found.lower <= 0.2 <= found.upper
    assert found.upper - found.lower < 0.15
    wide = thresholds(ranked(200), "m", "yes", costs=[[0, 1], [4, 0]])
    assert wide.upper - wide.lower > found.upper - found.lower


def test_a_weight_is_so_many_rows():
    rows, times = ranked(300), np.random.default_rng(3).integers(1, 4, 300)
    weighted = Ranked(rows.positive, rows.probability, rows.fold, times.astype(float))
    repeated = Ranked(*(np.repeat(part, times) for part in (rows.positive, rows.probability, rows.fold, rows.weight)))
    assert roc_at(weighted, GRID) == pytest.approx(roc_at(repeated, GRID))
    assert precision_at(weighted, GRID[1:]) == pytest.approx(precision_at(repeated, GRID[1:]))
    assert thresholds(weighted, "m", "yes").cost == pytest.approx(thresholds(repeated, "m", "yes").cost)


def test_a_validation_gives_all_of_them_as_facts_with_figures():
    found = cross_validate({"m": LogisticRegression()}, ArrayProblem(*two_classes(300)), folds=5, repeats=1)
    facts = found.trade_offs("m", costs=[[0, 1], [5, 0]])
    curves = [fact for fact in facts if isinstance(fact, Curve)]
    assert [curve.title.split(" of ")[0] for curve in curves] == [
        "Calibration", "ROC", "Precision and recall", "Cost",
    ]  # fmt: skip
    assert all(len(figures_of(curve)) == 1 for curve in curves)
    assert any(isinstance(fact, Statement) for fact in facts)
    for curve in curves[1:3]:
        line = curve.lines[0]
        assert all(0 <= low <= y <= high <= 1 for low, y, high in zip(line.lower, line.y, line.upper, strict=True))
    table = found.sets("m")
    assert all(abs(row[1] - row[0]) < 0.05 for row in table.rows)
    other = found.ranked("m", "no")
    assert other.probability == pytest.approx(1 - found.ranked("m").probability)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="costs must be two lines of two finite numbers"):
        thresholds(ranked(), "m", "yes", costs=[1, 5])
    found = cross_validate({"m": LogisticRegression()}, ArrayProblem(*two_classes()), folds=3, repeats=1)
    with pytest.raises(ValueError, match=r"event must be one of the classes \['no', 'yes'\]; came 'maybe'"):
        found.ranked("m", "maybe")
    blind = cross_validate(
        {"m": LogisticRegression()}, ArrayProblem(*two_classes()), folds=3, repeats=1, metric="accuracy"
    )
    with pytest.raises(ValueError, match="asked for no probabilities: choose metric='log_loss' or 'brier'"):
        blind.trade_offs("m")
