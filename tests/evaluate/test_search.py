"""Searches: known choices, one walk with the same numbers as fits one by one, nesting, edges, refusals."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from glaswerk import LinearRegression, LogisticRegression, PolynomialBasis, Ridge, StandardScaler
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, GridSearch, Linear, Log, RandomSearch, ZoomingSearch, cross_validate
from glaswerk.evaluate.metrics import Judge, metric_for
from glaswerk.evaluate.plan import plan_folds
from glaswerk.evaluate.searching import Bench
from glaswerk.facts import Search
from glaswerk.figures import figures_of
from tests.evaluate.conftest import line_with_noise, two_classes

ALPHAS = Log(1e-2, 1e4)


def few_true_columns(n=80, d=20, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, :3] @ [2.0, 1.0, 1.0] + 2 * rng.normal(size=n)


def test_the_best_setting_is_that_of_scikit_learn_on_the_same_folds():
    X, y = few_true_columns()
    alphas = ALPHAS.grid(9)
    ours = GridSearch(Ridge(), {"alpha": alphas}, cv=5).fit(X, y)
    fold = plan_folds(ArrayProblem(X, y), 5, 1, 0).fold_of_row[0]
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(5)]
    theirs = GridSearchCV(Ridge(), {"alpha": alphas}, cv=splits, scoring="neg_mean_squared_error").fit(X, y)
    assert ours.best_params_ == theirs.best_params_
    assert ours.best_score_ == pytest.approx(np.sqrt(-theirs.best_score_), rel=1e-12)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    scores = [row.score for row in ours.search_.rows]
    assert np.allclose(scores, np.sqrt(-theirs.cv_results_["mean_test_score"]), rtol=1e-12)


def without_path(estimator):
    """The same estimator under a class that names no path."""
    kind = type(estimator)
    return type(kind.__name__, (kind,), {"path_parameters": ()})(**estimator.get_params())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("steps", "name"),
    [
        (lambda ridge: ridge, "alpha"),
        (lambda ridge: Pipeline([("scale", StandardScaler()), ("ridge", ridge)]), "ridge__alpha"),
        (lambda ridge: Pipeline([("basis", PolynomialBasis(2)), ("ridge", ridge)]), "ridge__alpha"),
    ],
)
def test_a_sequence_gives_the_numbers_of_fits_one_by_one(steps, name, weighted):
    X, y = few_true_columns(120, 4)
    weight = np.arange(120) % 3 + 1.0 if weighted else None
    settings = {name: [1e-6, 0.1, 1.0, 30.0, 1e5]}
    fast = GridSearch(steps(Ridge()), settings, cv=4, repeats=2).fit(X, y, weight)
    slow = GridSearch(steps(without_path(Ridge())), settings, cv=4, repeats=2).fit(X, y, weight)
    assert fast.n_fits_ == 8 + 1
    assert slow.n_fits_ == 8 * 5 + 1
    for one, other in zip(fast.search_.rows, slow.search_.rows, strict=True):
        assert one.values == other.values
        for part in ("score", "lower", "upper", "train_score", "complexity"):
            assert getattr(one, part) == pytest.approx(getattr(other, part), rel=1e-10)
    assert "which served 40 models" in " ".join(fast.search_.notes)


def test_one_standard_error_takes_the_simplest_of_the_good():
    X, y = few_true_columns()
    best = GridSearch(Ridge(), {"alpha": ALPHAS}, points=13).fit(X, y)
    simple = GridSearch(Ridge(), {"alpha": ALPHAS}, points=13, selection="1se").fit(X, y)
    rows = simple.search_.rows
    limit = rows[simple.search_.best].upper
    good = [k for k, row in enumerate(rows) if row.score <= limit]
    assert simple.search_.chosen == min(good, key=lambda k: rows[k].complexity)
    assert simple.best_params_["alpha"] > best.best_params_["alpha"]
    assert simple.complexity() < best.complexity()


def test_zooming_finds_a_finer_value_than_its_first_grid_and_tries_nothing_twice():
    X, y = few_true_columns()
    coarse = GridSearch(Ridge(), {"alpha": ALPHAS}).fit(X, y)
    zoomed = ZoomingSearch(Ridge(), {"alpha": ALPHAS}, stages=4).fit(X, y)
    assert zoomed.best_score_ <= coarse.best_score_
    assert zoomed.best_params_ != coarse.best_params_
    values = [row.values for row in zoomed.search_.rows]
    assert len(set(values)) == len(values)
    assert [row.stage for row in zoomed.search_.rows] == sorted(row.stage for row in zoomed.search_.rows)
    fine = GridSearch(Ridge(), {"alpha": ALPHAS}, points=200).fit(X, y)
    assert zoomed.best_score_ == pytest.approx(fine.best_score_, rel=1e-3)


def test_random_searches_repeat_themselves_and_zoom_too():
    X, y = few_true_columns()
    one = RandomSearch(Ridge(), {"alpha": ALPHAS}, n_iter=15).fit(X, y)
    assert one.search_ == RandomSearch(Ridge(), {"alpha": ALPHAS}, n_iter=15).fit(X, y).search_
    other = RandomSearch(Ridge(), {"alpha": ALPHAS}, n_iter=15, random_state=1).fit(X, y)
    assert one.best_params_ != other.best_params_
    zoomed = ZoomingSearch(Ridge(), {"alpha": ALPHAS}, by="random", points=5, stages=3).fit(X, y)
    first = [row.values[0] for row in zoomed.search_.rows if row.stage == 0]
    last = [row.values[0] for row in zoomed.search_.rows if row.stage == 2]
    assert max(last) / min(last) < max(first) / min(first)
    assert zoomed.best_score_ <= min(row.score for row in zoomed.search_.rows if row.stage == 0)


def test_a_choice_at_the_edge_is_told():
    X, y = few_true_columns()
    low = GridSearch(Ridge(), {"alpha": Log(1e3, 1e5)}).fit(X, y)
    assert low.search_.edges == ("alpha = 1000.0 is the lowest value tried: a lower one may be better, widen it",)
    assert GridSearch(Ridge(), {"alpha": ALPHAS}, points=13).fit(X, y).search_.edges == ()


def test_a_search_among_the_candidates_is_nested_with_inner_and_outer_score():
    X, y = few_true_columns(60, 30)
    search = GridSearch(Ridge(), {"alpha": ALPHAS}, points=7, cv=4)
    found = cross_validate({"ridge": search, "line": LinearRegression()}, ArrayProblem(X, y), folds=5, repeats=2)
    row = next(r for r in found.comparison.rows if r.name == "ridge")
    table = found.choices("ridge")
    inner = [cells[3] for cells in table.rows]
    outer = [cells[4] for cells in table.rows]
    assert row.inner_score == pytest.approx(np.mean(inner))
    assert np.allclose(outer, row.fold_scores)
    assert row.fits == 10 * (4 + 1)
    assert any(note.startswith("chosen inside: alpha =") for note in row.notes)
    assert "inner score" in found.comparison.table().columns
    assert table in found.facts()


def test_the_inner_score_of_a_search_over_noise_is_too_good_and_the_outer_one_is_not():
    """What nesting is for: 60 settings that differ by luck alone, on a target that is noise."""
    inner, outer, base = [], [], []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 60)), rng.normal(size=40)
        found = cross_validate(
            {"one": GridSearch(OneColumn(), {"pick": list(range(60))}, cv=4)},
            ArrayProblem(X, y), folds=5, repeats=1,
        )  # fmt: skip
        row = next(r for r in found.comparison.rows if r.name == "one")
        inner.append(row.inner_score)
        outer.append(row.score)
        base.append(next(r.score for r in found.comparison.rows if r.name == "baseline"))
    assert np.mean(inner) < np.mean(base) - 0.03
    assert np.mean(outer) > np.mean(base)


class OneColumn(RegressorMixin, BaseEstimator):
    """Least squares on the column named by its number."""

    def __init__(self, pick=0):
        self.pick = pick

    def fit(self, X, y):
        self.line_ = LinearRegression().fit(X[:, [self.pick]], y)
        return self

    def predict(self, X):
        return self.line_.predict(X[:, [self.pick]])


def test_classes_other_learners_and_mixed_spaces():
    X, y = two_classes()
    found = GridSearch(LogisticRegression(), {"C": Log(1e-3, 1e3)}, metric="accuracy").fit(X, y)
    assert found.search_.better == "higher"
    assert set(found.predict(X)) == {"no", "yes"}
    assert found.predict_proba(X).shape == (150, 2)
    assert found.score(X, y) > 0.7
    X, y = line_with_noise()
    space = {"n_neighbors": Linear(1, 20, whole=True), "weights": ["uniform", "distance"]}
    found = GridSearch(KNeighborsRegressor(), space, points=4).fit(X, y)
    assert len(found.search_.rows) == 8
    assert found.search_.scales == ("linear", "list")
    assert found.search_.rows[0].complexity is None
    same = GridSearch(KNeighborsRegressor(), space, points=4, selection="1se").fit(X, y)
    assert same.best_params_ == found.best_params_


def test_settings_that_fail_are_told_and_the_others_go_on():
    X, y = line_with_noise(40)
    found = GridSearch(KNeighborsRegressor(), {"n_neighbors": [3, 39, 5]}).fit(X, y)
    assert "failed in fold 1" in found.search_.rows[1].failure
    assert found.search_.table().rows[-1][-1].startswith("failed")
    with pytest.raises(ValueError, match="no setting of the search could be judged; the first: failed in fold 1"):
        GridSearch(KNeighborsRegressor(), {"n_neighbors": [39]}).fit(X, y)


def test_groups_are_kept_together_inside_too():
    X, y = line_with_noise(90)
    groups = np.arange(90) // 9
    found = GridSearch(Ridge(), {"alpha": [0.1, 1.0]}, cv=3).fit(X, y, groups=groups)
    assert found.search_.plan.startswith("grouped 3-fold")
    problem = ArrayProblem(X, y, groups=groups)
    nested = cross_validate({"r": GridSearch(Ridge(), {"alpha": [0.1, 1.0]}, cv=3)}, problem, folds=5, repeats=1)
    assert all(one.how.startswith("grouped 3-fold") for one in nested.trials["r"].chosen)


def test_the_fact_has_a_figure_for_every_numeric_parameter_and_a_table_with_the_best_first():
    X, y = few_true_columns()
    found = GridSearch(Ridge(), {"alpha": ALPHAS, "penalty": ["sse", "half_sse"]}).fit(X, y).search_
    assert isinstance(found, Search)
    (figure,) = figures_of(found)
    assert figure.name == "search-alpha"
    scores = [row[2] for row in found.table().rows]
    assert scores == sorted(scores)
    assert [row[-1] for row in found.table().rows].count("best chosen") == 1


def test_bad_input_names_what_is_wrong():
    X, y = line_with_noise(30)
    with pytest.raises(ValueError, match="space names 'alhpa', which Ridge has not; it has alpha"):
        GridSearch(Ridge(), {"alhpa": [1.0]}).fit(X, y)
    with pytest.raises(ValueError, match="GridSearch: cv must be an integer >= 2, got 1"):
        GridSearch(Ridge(), {"alpha": [1.0]}, cv=1).fit(X, y)
    with pytest.raises(ValueError, match="GridSearch: space must be a dict"):
        GridSearch(Ridge(), [1.0]).fit(X, y)
    with pytest.raises(ValueError, match="points must be one number"):
        ZoomingSearch(Ridge(), {"alpha": ALPHAS}, by="random", points={"alpha": 3}).fit(X, y)
    with pytest.raises(ValueError, match="Ridge has no path of 'fit_intercept'"):
        Ridge().fit_path(X, y, "fit_intercept", [True])


def test_no_trial_is_lost_when_a_sequence_fails():
    problem = ArrayProblem(*line_with_noise(40))
    plan = plan_folds(problem, 4, 1, 0)
    bench = Bench(Ridge(), problem, plan, Judge.of(problem, metric_for(problem, None)))
    bench.run([{"alpha": 1.0}, {"alpha": -1.0}, {"alpha": 2.0}])
    assert [bool(one.trial.failure) for one in bench.tried] == [False, True, False]
    assert KFold(4).get_n_splits() == plan.n_folds


# Of a row of weight two, both halves are in one fold; two equal rows may be in two.
NO_REPETITIONS = dict.fromkeys(
    ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"],
    "a weighted row lies in one fold, repeated rows may not",
)


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        GridSearch(Ridge(), {"alpha": [0.1, 1.0]}, cv=2),
        RandomSearch(LogisticRegression(), {"C": Log(0.1, 10)}, n_iter=2, cv=2),
        ZoomingSearch(Ridge(), {"alpha": Log(0.1, 10)}, points=3, stages=2, cv=2),
    ],
    expected_failed_checks=lambda _: NO_REPETITIONS,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
