"""Logistic regression where it is hard: separated classes, repeated columns, few rows, bad input, files."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression as Rival

from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Numerics, Statement
from glaswerk.learners.logistic import LogisticRegression
from glaswerk.model import load, save
from glaswerk.passes import BLOCK_ROWS


def overlapping(n=200, d=3, K=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X @ rng.normal(size=(d, K)) + rng.gumbel(size=(n, K))).argmax(axis=1)


def verdict(model):
    return next(s for s in model.facts().of_kind(Statement) if s.heading.startswith("Is there")).sentences


# Separation


def test_a_separating_column_is_proved_named_and_warned_of():
    X, _ = overlapping()
    y = np.where(X[:, 1] > 0.1, "high", "low")
    with pytest.warns(Warned, match=r"a plane separates the classes: verified on every row: column 'x1' alone"):
        model = LogisticRegression(penalty=None).fit(X, y)
    assert not model.solution_.finite
    assert model.score(X, y) == 1.0
    assert "verified on every row" in verdict(model)[0]
    assert any("column 'x1' alone: every row of 'low' has" in s for s in verdict(model))
    rows = model.facts().of_kind(Coefficients)[0]
    assert all(r.standard_error is None for r in rows.rows)
    assert "direction" in rows.notes[-1]


@pytest.mark.parametrize("K", [2, 3])
def test_a_plane_through_several_columns_is_found_and_verified(K):
    X, _ = overlapping(300, 4)
    Z = X @ np.random.default_rng(5).normal(size=(4, K))
    y = Z.argmax(axis=1)
    with pytest.warns(Warned, match="verified on every row"):
        model = LogisticRegression(C=np.inf).fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    scores = np.column_stack([-scores, scores]) if K == 2 else scores
    assert (scores.argmax(axis=1) == y).all()  # the certificate: the plane itself


@pytest.mark.parametrize("K", [2, 3])
def test_a_flag_that_only_one_class_has_touches_but_separates(K):
    X, y = overlapping(400, 2, K)
    flag = ((y == 1) & (np.arange(400) % 3 == 0)).astype(float)
    with pytest.warns(Warned, match="leaves no row on its wrong side: verified on every row: column 'x2' alone"):
        model = LogisticRegression(penalty=None).fit(np.column_stack([X, flag]), y)
    assert not model.solution_.finite


def test_a_tilted_touching_plane_is_found_to_within_rounding():
    X, y = overlapping(400, 2)
    flag = ((y == 1) & (np.arange(400) % 3 == 0)).astype(float)
    tilted = np.column_stack([X[:, 0] + flag, X[:, 0] - flag, X[:, 1]])  # only the difference separates
    with pytest.warns(Warned, match="to within rounding"):
        LogisticRegression(penalty=None).fit(tilted, y)


def test_overlap_is_proved_and_nothing_is_warned_of():
    for K in (2, 3):
        X, y = overlapping(K=K)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = LogisticRegression(penalty=None).fit(X, y)
        assert "proved by positive weights" in verdict(model)[0]


def test_nearly_separated_classes_are_not_called_separated():
    x = np.r_[np.linspace(-5, -0.01, 50), np.linspace(0.01, 5, 50)][:, None]
    y = np.repeat([0, 1], 50)
    y[[49, 50]] = y[[50, 49]]  # one pair crossed by a hair
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression(penalty=None).fit(x, y)
    assert model.solution_.finite
    rival = Rival(C=np.inf, solver="newton-cholesky", tol=1e-12, max_iter=500).fit(x, y)
    np.testing.assert_allclose(model.coef_, rival.coef_, rtol=1e-6)


def test_with_a_penalty_separated_classes_have_a_finite_answer():
    X, _ = overlapping()
    y = (X[:, 1] > 0.1).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = LogisticRegression(tol=1e-8).fit(X, y)
    rival = Rival(solver="newton-cholesky", tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.coef_, rival.coef_, atol=1e-7)
    assert verdict(ours) == ("not asked: the penalty keeps every coefficient finite",)


def test_an_iteration_limit_is_no_decision():
    X, y = overlapping(400, 2)
    flag = ((y == 1) & (np.arange(400) % 3 == 0)).astype(float)
    tilted = np.column_stack([X[:, 0] + flag, X[:, 0] - 2 * flag, X[:, 1], X[:, 0] * X[:, 1]])
    with pytest.warns(Warned, match="undecided|to within rounding"):
        model = LogisticRegression(penalty=None, max_iter=1).fit(tilted, y)
    assert not model.solution_.finite


# Rank, rows and size


@pytest.mark.parametrize("K", [2, 3])
def test_repeated_columns_are_named_and_the_shortest_weights_taken(K):
    X, y = overlapping(300, 3, K)
    again = np.column_stack([X, 2 * X[:, 0] - X[:, 1] + 4])
    with pytest.warns(Warned, match=r"only 3 of 4 coefficients: column 'x\d' repeats"):
        model = LogisticRegression(penalty=None, tol=1e-8).fit(again, y)
    plain = LogisticRegression(penalty=None, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(again), plain.predict_proba(X), atol=1e-7)
    nothing = np.array(
        [2.0, -1.0, 0.0, -1.0]
    )  # along it the scores do not change: the shortest weights have none of it
    np.testing.assert_allclose(model.coef_ @ nothing, 0.0, atol=1e-6)
    assert model.facts().of_kind(Numerics)[0].rank == 3
    assert model.facts().of_kind(Coefficients)[0].rows[1].standard_error is None


def test_a_constant_column_gets_no_weight():
    X, y = overlapping()
    X[:, 1] = 0.1
    assert LogisticRegression().fit(X, y).coef_[0, 1] == 0.0
    with pytest.warns(Warned, match="column 'x1' is constant"):
        assert LogisticRegression(C=np.inf).fit(X, y).coef_[0, 1] == 0.0


@pytest.mark.filterwarnings("ignore:the rows determine")
def test_fewer_rows_than_columns():
    X, y = overlapping(30, 60)
    ours = LogisticRegression(tol=1e-8).fit(X, y)
    rival = Rival(solver="newton-cholesky", tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.coef_, rival.coef_, atol=1e-7)
    with pytest.warns(Warned, match="verified on every row"):
        LogisticRegression(penalty=None).fit(X, y)


def test_two_rows_are_enough_with_a_penalty():
    model = LogisticRegression().fit([[0.0], [1.0]], ["a", "b"])
    assert model.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_rows_sorted_by_class_do_not_mislead_the_beginning():
    X, y = overlapping(2 * BLOCK_ROWS, 2)
    order = np.argsort(y, kind="stable")
    a, b = (LogisticRegression(tol=1e-7).fit(Z, t) for Z, t in ((X, y), (X[order], y[order])))
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-7)


def test_many_weights_have_no_errors_unless_asked():
    X, y = overlapping(400, 60, 4)
    plain = LogisticRegression().fit(X, y).facts().of_kind(Coefficients)[0]
    assert plain.rows[1].standard_error is None
    assert "standard_errors=True" in plain.notes[-1]
    asked = LogisticRegression(standard_errors=True).fit(X, y).facts().of_kind(Coefficients)[0]
    assert asked.rows[1].standard_error > 0


def test_what_has_not_converged_is_said():
    X, y = overlapping(500, 4)
    with pytest.warns(Warned, match=r"has not converged after 2 rounds.*raise max_iter"):
        model = LogisticRegression(max_iter=1, tol=1e-8).fit(X, y)
    assert model.n_iter_.tolist() == [2]
    assert "the limit of rounds" in model.facts().of_kind(Numerics)[0].rung


def test_the_tightest_tolerance_ends_where_doubles_do():
    X, y = overlapping()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression(tol=0.0).fit(X, y)
    np.testing.assert_allclose(model.coef_, LogisticRegression(tol=1e-8).fit(X, y).coef_, rtol=1e-8)


# Bad input


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"penalty": "l1"}, "penalty must be 'l2' or None .*scikit-learn has them"),
        ({"l1_ratio": 0.5}, "l1_ratio must be 0 .*only the L2 penalty"),
        ({"solver": "liblinear"}, "'liblinear' penalises the intercept"),
        ({"C": 0.0}, "C must be a number > 0"),
        ({"warm_start": True}, "warm_start must be False"),
        ({"class_weight": {5: 1.0}}, "class_weight names 5; .*among \\[0, 1\\]"),
        ({"class_weight": {0: -1.0}}, "class_weight gives 0 -1.0"),
        ({"intercept_scaling": 2.0}, "intercept_scaling must be 1"),
    ],
)
def test_what_is_not_implemented_is_refused_with_a_way_out(change, message):
    X, y = overlapping()
    with pytest.raises(ValueError, match=message):
        LogisticRegression(**change).fit(X, y)


@pytest.mark.parametrize("name", ["lbfgs", "newton-cg", "newton-cholesky", "sag", "saga"])
def test_names_of_solvers_decide_nothing(name):
    X, y = overlapping()
    np.testing.assert_array_equal(LogisticRegression(solver=name).fit(X, y).coef_, LogisticRegression().fit(X, y).coef_)


def test_cells_labels_and_weights_that_cannot_be_used_are_named():
    X, y = overlapping()
    bad = X.copy()
    bad[7, 2] = np.nan
    with pytest.raises(ValueError, match="X contains NaN: column 'x2', row 7"):
        LogisticRegression().fit(bad, y)
    with pytest.raises(ValueError, match="X contains NaN: column 'x2', row 7"):
        LogisticRegression().fit(X, y).predict(bad)
    with pytest.raises(ValueError, match="continuous"):
        LogisticRegression().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="only 1 class, 'a'"):
        LogisticRegression().fit(X, ["a"] * len(X))
    with pytest.raises(ValueError, match=r"sample_weight must be finite and >= 0, got -1\.0 in row 3"):
        LogisticRegression().fit(X, y, sample_weight=np.where(np.arange(200) == 3, -1.0, 1.0))


def test_adding_rows_or_sums_is_refused_with_the_reason():
    X, y = overlapping()
    model = LogisticRegression().fit(X, y)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="LogisticRegression has no partial_fit: it walks the rows again"):
        model.partial_fit(X, y)
    with pytest.raises(AttributeError, match="has no merge"):
        model.merge(model)


def test_a_file_with_a_missing_label_or_two_targets_is_refused():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.0, 2.0, 3.0], "y": [0.0, 1.0, 0.5], "z": [0, 1, 0]})
    with pytest.raises(ValueError, match="one target, got 2"):
        LogisticRegression().fit_source(frame, target=["y", "z"])
    with pytest.raises(ValueError, match="continuous"):
        LogisticRegression().fit_source(frame, target="y")


# Files


@pytest.mark.parametrize("labels", [[0, 1, 2], ["a", "b", "c"], [False, True, True], [1.0, 2.0, 5.0]])
def test_a_model_comes_back_from_its_file(tmp_path, labels):
    X, y = overlapping(K=3)
    model = LogisticRegression(class_weight="balanced").fit(X, np.array(labels)[y])
    save(model, tmp_path / "m.glaswerk")
    back = load(tmp_path / "m.glaswerk")
    np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
    assert back.predict(X).tolist() == model.predict(X).tolist()
    assert str(back.facts()) == str(model.facts())


def test_a_file_whose_parts_do_not_fit_is_refused():
    X, y = overlapping()
    model = LogisticRegression().fit(X, y)
    state = {name: vars(model)[name] for name in LogisticRegression.fitted if name in vars(model)}
    other = LogisticRegression().fit(X[:, :2], y)
    for change, message in (
        ({"classes_": np.array([1])}, "two labels"),
        ({"solution_": other.solution_}, "solution_ does not belong to 3 columns"),
        ({"statistic_": other.statistic_}, "statistic_ does not belong"),
    ):
        with pytest.raises(ValueError, match=message):
            clone(model).restore({**state, **change})
