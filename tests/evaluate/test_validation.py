"""Cross-validation: scikit-learn's scores fold by fold, laws, verdicts, failures and warnings told, no leak."""

import warnings
from itertools import count

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from glaswerk import LinearRegression, PolynomialBasis
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, check, cross_validate
from tests.evaluate.conftest import line_with_noise


def square():
    return Pipeline([("square", PolynomialBasis(2)), ("line", LinearRegression())])


class FailsLate(LinearRegression):
    """Fails where a certain row is trained on; warns always."""

    def fit(self, X, y, sample_weight=None):
        warnings.warn("mind   the\nstep", UserWarning, stacklevel=2)
        if 7.0 in X[:, 0]:
            raise RuntimeError("the seven")
        return super().fit(X, y, sample_weight)


def splits(found):
    return [(one.train, one.test) for one in found.plan.rounds()]


def row(found, name):
    return next(r for r in found.comparison.rows if r.name == name)


# ---- oracle


@pytest.mark.parametrize(
    ("metric", "rival"),
    [("rmse", "neg_root_mean_squared_error"), ("mae", "neg_mean_absolute_error"), ("r2", "r2")],
)
def test_each_fold_of_a_regression_is_scikit_learns(numbers, metric, rival):
    found = cross_validate({"line": LinearRegression()}, numbers, metric=metric)
    expected = cross_val_score(LinearRegression(), numbers.X, numbers.y, cv=splits(found), scoring=rival)
    assert row(found, "line").fold_scores == pytest.approx(np.abs(expected), rel=1e-10)
    dummy = cross_val_score(DummyRegressor(), numbers.X, numbers.y, cv=splits(found), scoring=rival)
    assert np.abs(row(found, "baseline").fold_scores) == pytest.approx(np.abs(dummy), rel=1e-10)


@pytest.mark.parametrize(
    ("metric", "rival"),
    [("log_loss", "neg_log_loss"), ("accuracy", "accuracy"), ("brier", "neg_brier_score"), ("auc", "roc_auc")],
)
def test_each_fold_of_a_classification_is_scikit_learns(classes, metric, rival):
    found = cross_validate({"logistic": LogisticRegression()}, classes, metric=metric, repeats=1)
    happened = (classes.y == "yes").astype(int)
    expected = cross_val_score(LogisticRegression(), classes.X, happened, cv=splits(found), scoring=rival)
    assert row(found, "logistic").fold_scores == pytest.approx(np.abs(expected), rel=1e-10)


def test_the_training_score_is_that_of_the_rows_fitted_to(numbers):
    found = cross_validate({"line": LinearRegression()}, numbers, repeats=1)
    squares = []
    for train, _ in splits(found):
        model = LinearRegression().fit(numbers.X[train], numbers.y[train])
        squares.append(np.mean((numbers.y[train] - model.predict(numbers.X[train])) ** 2))
    assert row(found, "line").train_score == pytest.approx(np.sqrt(np.mean(squares)), rel=1e-10)


def test_predictions_are_from_the_fold_that_tested_the_row(numbers, classes):
    found = cross_validate({"line": LinearRegression()}, numbers, repeats=2)
    for train, test in splits(found)[:10]:
        model = LinearRegression().fit(numbers.X[train], numbers.y[train])
        assert found.predictions("line")[test] == pytest.approx(model.predict(numbers.X[test]), rel=1e-12)
    named = cross_validate({"near": KNeighborsClassifier()}, classes, repeats=1)
    assert set(named.predictions("near")) <= {"no", "yes"}
    assert named.probabilities("near").sum(axis=1) == pytest.approx(np.ones(classes.n_rows))


# ---- laws


def test_order_and_company_of_candidates_change_nothing(numbers):
    alone = cross_validate({"line": LinearRegression()}, numbers)
    both = cross_validate({"line": LinearRegression(), "square": square()}, numbers)
    turned = cross_validate({"square": square(), "line": LinearRegression()}, numbers)
    assert both.comparison == turned.comparison
    assert row(alone, "line").fold_scores == row(both, "line").fold_scores
    assert row(alone, "baseline").fold_scores == row(both, "baseline").fold_scores


def test_the_same_call_gives_the_same_bits_and_another_seed_does_not(numbers):
    one, same, other = (cross_validate({"line": LinearRegression()}, numbers, seed=s) for s in (0, 0, 1))
    assert one.comparison == same.comparison
    assert one.out_of_fold("line") == same.out_of_fold("line")
    assert one.comparison != other.comparison


def test_rows_of_weight_zero_change_nothing():
    X, y = line_with_noise(60)
    more_X, more_y = np.r_[X, X[:9] * 50], np.r_[y, -y[:9] * 70]
    few = cross_validate({"line": LinearRegression()}, ArrayProblem(X, y, np.ones(60)))
    many = cross_validate({"line": LinearRegression()}, ArrayProblem(more_X, more_y, np.r_[np.ones(60), np.zeros(9)]))
    assert row(many, "line").fold_scores == pytest.approx(row(few, "line").fold_scores, rel=1e-12)
    assert np.isnan(many.predictions("line")[60:]).all()


def test_units_of_the_target_scale_errors_and_leave_verdicts(numbers):
    candidates = {"line": LinearRegression(), "square": square()}
    one = cross_validate(candidates, numbers).comparison
    thousand = cross_validate(candidates, ArrayProblem(numbers.X, 1000 * numbers.y)).comparison
    for a, b in zip(one.rows, thousand.rows, strict=True):
        assert (a.name, a.verdict) == (b.name, b.verdict)
        assert b.score == pytest.approx(1000 * a.score, rel=1e-9)
        assert b.difference_upper == pytest.approx(
            None if a.difference is None else a.difference_upper and 1000 * a.difference_upper
        )


def test_names_of_classes_do_not_matter(classes):
    renamed = ArrayProblem(classes.X, np.where(classes.y == "yes", "a", "b"))
    one, other = (cross_validate({"l": LogisticRegression(tol=1e-10)}, p, repeats=1) for p in (classes, renamed))
    assert row(one, "l").score == pytest.approx(row(other, "l").score, rel=1e-5)


# ---- verdicts


def test_better_equal_and_worse_have_their_words():
    X, y = line_with_noise(800, 4)
    X = np.c_[X, np.random.default_rng(5).normal(size=800)]
    candidates = {
        "all": LinearRegression(),
        "cut": Pipeline([("cut", Columns(4)), ("line", LinearRegression())]),
        "one": Pipeline([("cut", Columns(1)), ("line", LinearRegression())]),
    }
    found = cross_validate(candidates, ArrayProblem(X, y))
    verdicts = {r.name: r.verdict for r in found.comparison.rows}
    assert verdicts == {"cut": "best", "all": "practically equal", "one": "worse", "baseline": "worse"}
    assert found.best == "cut"
    assert "better than the baseline by" in row(found, "all").notes[0]
    assert row(found, "one").gain_upper < row(found, "all").gain_lower


def test_few_noisy_rows_cannot_tell():
    X, y = line_with_noise(24, 2, noise=4.0)
    found = cross_validate({"line": LinearRegression(), "square": square()}, ArrayProblem(X, y))
    assert "cannot tell" in {r.verdict for r in found.comparison.rows}
    assert any("fewer" in note or "folds" in note for note in found.comparison.notes)


def test_notes_state_the_rule_and_the_number_of_fits(numbers):
    found = cross_validate({"line": LinearRegression()}, numbers)
    notes = " ".join(found.comparison.notes)
    for part in (
        "60 fits in all",
        "root of the mean",
        "corrected resampled t, approximate",
        "1 % of the best candidate's error",
    ):
        assert part in notes
    assert row(found, "line").fits == 30
    assert found.comparison.baseline == "baseline"
    assert "line" in str(found.facts())


def test_a_stratified_baseline_claims_no_interval(classes):
    found = row(cross_validate({}, classes, repeats=1), "baseline")
    assert found.lower is None and "stratified" in found.notes[0]
    assert (found.verdict, found.gain) == ("best", 0.0)


def test_folds_without_a_class_are_left_out_of_the_area():
    groups = np.repeat(np.arange(6), 10)
    y = np.where(groups == 0, "no", np.where(np.arange(60) % 3 == 0, "no", "yes"))
    X = np.random.default_rng(0).normal(size=(60, 2))
    found = cross_validate(
        {"l": LogisticRegression()}, ArrayProblem(X, y, groups=groups), metric="auc", folds=6, repeats=1
    )
    assert any("AUC is undefined in 1 of 6 folds" in note for note in found.comparison.notes)
    assert row(found, "l").lower is not None


# ---- failures and warnings


def test_a_failing_candidate_is_listed_and_the_others_go_on():
    X, y = line_with_noise(40)
    X[11, 0] = 7.0
    found = cross_validate({"late": FailsLate(), "line": LinearRegression()}, ArrayProblem(X, y), folds=5, repeats=1)
    failed = found.comparison.rows[-1]
    assert (failed.name, failed.verdict, failed.fold_scores) == ("late", "failed", ())
    assert "RuntimeError: the seven" in failed.notes[0]
    assert found.best == "line"
    with pytest.raises(ValueError, match="candidate 'late' has no answers: failed in fold"):
        found.predictions("late")
    assert [f.code for f in check(found.problem, {}, comparison=found.comparison)] == ["GW007", "GW012"]


def test_warnings_are_told_once_with_their_count_and_not_raised():
    X, y = line_with_noise(40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cross_validate({"warns": FailsLate()}, ArrayProblem(X, y), folds=5, repeats=2)
    assert "warned 10 time(s): mind the step" in row(found, "warns").notes


def test_all_failing_leaves_the_baseline(numbers):
    found = cross_validate({"no": PolynomialBasis(2)}, numbers)
    assert found.best == "baseline"
    assert "AttributeError" in row(found, "no").notes[0]


def test_each_fit_is_told(numbers):
    told = []
    cross_validate({"line": LinearRegression()}, numbers, folds=4, repeats=1, after_fit=lambda *args: told.append(args))
    assert told == [(name, done, 8) for name, done in zip(["line"] * 4 + ["baseline"] * 4, count(1), strict=False)]


# ---- nothing leaks


class Columns(TransformerMixin, BaseEstimator):
    """The first k columns."""

    def __init__(self, k=1):
        self.k = k

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def transform(self, X):
        return X[:, : self.k]


class BestOf(TransformerMixin, BaseEstimator):
    """The ten columns that correlate most with the target: a leak, if it sees the rows that are tested."""

    def fit(self, X, y):
        centred = X - X.mean(axis=0)
        self.chosen_ = np.argsort(-np.abs(centred.T @ (y - y.mean())) / np.sqrt((centred**2).sum(axis=0)))[:10]
        return self

    def transform(self, X):
        return X[:, self.chosen_]


class Remembers(TransformerMixin, BaseEstimator):
    """The target of every row it has seen, a number without meaning for others: the worst leak there is."""

    def fit(self, X, y):
        self.known_ = dict(zip(X[:, 0].tolist(), y.tolist(), strict=True))
        return self

    def transform(self, X):
        return np.array([[self.known_.get(x, x)] for x in X[:, 0].tolist()])


@pytest.mark.parametrize("leak", [BestOf(), Remembers()], ids=["selection", "memory"])
def test_a_leaky_transformer_on_pure_noise_stays_at_chance(leak):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(150, 1000)), rng.normal(size=150)
    inside = cross_validate({"honest": Pipeline([("leak", leak), ("line", LinearRegression())])}, ArrayProblem(X, y))
    outside = cross_validate({"leaked": LinearRegression()}, ArrayProblem(leak.fit(X, y).transform(X), y))
    assert "better than the baseline by" in row(outside, "leaked").notes[0]  # the leak is real
    honest = row(inside, "honest")
    assert honest.gain_lower < 0 and honest.gain < 0.02 * row(inside, "baseline").score
    assert "GW005" in {f.code for f in check(inside.problem, {}, comparison=inside.comparison)}


# ---- bad input


@pytest.mark.parametrize(
    ("candidates", "options", "message"),
    [
        ([LinearRegression()], {}, "candidates must be estimators by name"),
        ({"baseline": LinearRegression()}, {}, "other than 'baseline', which is added"),
        ({3: LinearRegression()}, {}, "named by text"),
        ({"line": LinearRegression}, {}, r"must be an estimator, not its class: LinearRegression\(\)"),
        ({}, {"level": 95}, "level must be a number between 0 and 1; came 95"),
        ({}, {"metric": "beauty"}, "must be one of 'rmse', 'mae', 'r2'; came 'beauty'"),
    ],
)
def test_what_makes_no_validation_is_refused(numbers, candidates, options, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(candidates, numbers, **options)


def test_an_unknown_name_names_the_known_ones(numbers):
    with pytest.raises(ValueError, match=r"one of the candidates \['line', 'baseline'\]; came 'curve'"):
        cross_validate({"line": LinearRegression()}, numbers).predictions("curve")
