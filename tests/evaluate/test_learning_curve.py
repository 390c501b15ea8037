"""Learning curves: nested sizes, the last point is cross-validation, truth for least squares, words, edges."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from glaswerk import LinearRegression, PolynomialBasis
from glaswerk.evaluate import ArrayProblem, cross_validate, learning_curve
from glaswerk.evaluate.learning_curve import chosen_sizes, drawing_order, first_rows, nested
from glaswerk.evaluate.plan import plan_folds
from tests.evaluate.conftest import line_with_noise, two_classes


def line(curve, name):
    return next(one for one in curve.lines if one.name == name)


# ---- sizes and subsets


def test_sizes_are_spread_evenly_on_a_logarithmic_axis_up_to_all_rows():
    sizes = chosen_sizes(8, 10_000, 1)
    assert (sizes[0], sizes[-1], len(sizes)) == (400, 10_000, 8)
    assert np.diff(np.log(sizes)) == pytest.approx(np.full(7, np.log(25) / 7), rel=0.01)
    assert chosen_sizes(8, 9, 1).tolist() == [4, 5, 6, 7, 8, 9]
    assert chosen_sizes([30, 10, 30], 40, 1).tolist() == [10, 30]


@pytest.mark.parametrize("sizes", [[10], [10, 41], [1, 10], 1, 2.5])
def test_sizes_that_make_no_curve_are_refused(sizes):
    with pytest.raises(ValueError, match="sizes must be"):
        chosen_sizes(sizes, 40, 1)


def test_subsets_are_nested_and_never_tested(numbers):
    rounds = nested(plan_folds(numbers, 5, 2, 0).rounds(), numbers, 0)
    for small, large, whole in zip(first_rows(rounds, 12), first_rows(rounds, 40), rounds, strict=True):
        assert set(small.train) < set(large.train) < set(whole.train)
        assert not set(large.train) & set(small.test)
    assert len({tuple(one.train[:12]) for one in rounds}) == 10


def test_small_subsets_hold_every_class_in_proportion():
    y = np.array(["a"] * 80 + ["b"] * 16 + ["c"] * 4)
    problem = ArrayProblem(np.zeros((100, 1)), y)
    order = drawing_order(problem, np.arange(100), 0)
    assert sorted(order.tolist()) == list(range(100))
    assert set(y[order[:3]]) == {"a", "b", "c"}
    assert np.unique(y[order[:25]], return_counts=True)[1] == pytest.approx([20, 4, 1], abs=1)


def test_groups_come_one_after_the_other():
    groups = np.arange(30) % 6
    order = drawing_order(ArrayProblem(np.zeros((30, 1)), np.arange(30.0), groups=groups), np.arange(30), 0)
    assert (np.diff(groups[order]) != 0).sum() == 5


# ---- what the lines say


def test_the_last_point_is_the_cross_validation(numbers):
    curve = learning_curve(LinearRegression(), numbers, folds=5, seed=3)
    found = cross_validate({"line": LinearRegression()}, numbers, folds=5, repeats=1, seed=3).comparison
    row, base = found.rows
    assert line(curve, "validation").y[-1] == pytest.approx(row.score, rel=1e-10)
    assert line(curve, "validation").upper[-1] == pytest.approx(row.upper, rel=1e-10)
    assert line(curve, "training").y[-1] == pytest.approx(row.train_score, rel=1e-10)
    assert line(curve, "baseline").y[-1] == pytest.approx(base.score, rel=1e-10)


def test_least_squares_comes_to_the_noise_as_theory_says():
    """Squared errors, d normal columns: σ² (1 - d/n) on training rows, σ² (1 + d/(n - d - 1)) on new ones."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 5))
    problem = ArrayProblem(X, X.sum(axis=1) + rng.normal(size=4000))
    curve = learning_curve(LinearRegression(fit_intercept=False), problem, sizes=[40, 200, 3200], repeats=4)
    for k, n in enumerate([40, 200, 3200]):
        assert line(curve, "validation").y[k] == pytest.approx(np.sqrt(1 + 5 / (n - 6)), abs=0.05)
        assert line(curve, "training").y[k] == pytest.approx(np.sqrt(1 - 5 / n), abs=0.05)


def test_words_and_axes(numbers):
    curve = learning_curve(LinearRegression(), numbers, name="line")
    assert (curve.title, curve.x_title, curve.y_title) == ("Learning curve of line", "training rows", "RMSE of y")
    assert curve.x_scale == "log"
    assert curve.says.startswith("With 96 training rows the RMSE is ")
    assert "192 rows would lower the RMSE by about" in curve.says
    assert "shuffled 5-fold cross-validation (seed 0)" in curve.notes
    assert str(curve.table())


def test_of_classes_accuracy_rises():
    X, y = two_classes(400)
    curve = learning_curve(LogisticRegression(), ArrayProblem(X, y), metric="accuracy")
    validation = line(curve, "validation").y
    assert validation[-1] > validation[0]
    assert curve.y_scale == "linear"
    assert "raise" in curve.says or "cannot be extrapolated" in curve.says


def test_the_same_call_gives_the_same_curve(numbers):
    assert learning_curve(LinearRegression(), numbers) == learning_curve(LinearRegression(), numbers)


def test_every_fit_is_told(numbers):
    told = []
    learning_curve(LinearRegression(), numbers, sizes=3, folds=2, after_fit=lambda *args: told.append(args))
    assert [done for _, done, _ in told] == list(range(1, 13))
    assert {planned for _, _, planned in told} == {12}


# ---- edges


def test_sizes_with_wild_errors_are_told_and_not_drawn():
    problem = ArrayProblem(*line_with_noise(200, 9))
    curve = learning_curve(LinearRegression(), problem)
    assert line(curve, "validation").x[0] > 10
    assert max(line(curve, "validation").y) <= 3 * line(curve, "validation").y[-1]
    assert any("not drawn" in note and "with 10 rows" in note for note in curve.notes)
    assert line(learning_curve(LinearRegression(), problem, sizes=[10, 20, 160]), "validation").x[0] == 10


class NeedsRows(LinearRegression):
    def fit(self, X, y, sample_weight=None):
        if len(X) < 30:
            raise ValueError("30 rows at least")
        return super().fit(X, y, sample_weight)


def test_sizes_at_which_the_candidate_fails_are_left_blank_and_told(numbers):
    curve = learning_curve(NeedsRows(), numbers, sizes=[10, 20, 40, 90])
    assert line(curve, "validation").y[:2] == (None, None)
    assert line(curve, "validation").y[2] is not None
    assert [note[:8] for note in curve.notes if "30 rows at least" in note] == ["10 rows:", "20 rows:"]


def test_a_candidate_that_always_fails_says_so(numbers):
    curve = learning_curve(PolynomialBasis(2), numbers, sizes=3)
    assert curve.says == "The candidate fails with all training rows: see the notes."


def test_few_rows_still_make_a_curve():
    X, y = line_with_noise(12, 1)
    curve = learning_curve(LinearRegression(), ArrayProblem(X, y))
    assert line(curve, "validation").x[-1] <= 10
