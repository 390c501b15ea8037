"""A table as a problem for validation: everything learnt is learnt again from the rows of the fold."""

import warnings

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB as RivalClassifier

from glaswerk import LinearRegression
from glaswerk.model import Model, TableDesign, TableProblem
from glaswerk.table import TableError, read_table


def table(n=60):
    rng = np.random.default_rng(0)
    x, g = rng.normal(size=n), rng.choice(list("abc"), n)
    y = x + 2.0 * (g == "b") + rng.normal(0, 0.1, n)
    return read_table(
        {
            "y": [None if k % 20 == 3 else float(v) for k, v in enumerate(y)],
            "x": [None if k % 7 == 0 else float(v) for k, v in enumerate(x)],
            "g": g.tolist(),
            "w": (1.0 + np.arange(n) % 3).tolist(),
            "patient": [f"p{k // 4}" if k else None for k in range(n)],
            "kind": rng.choice(["good", "bad", "odd"], n).tolist(),
        },
        kinds={"patient": "category"},
    )


def numeric(problem_table=None):
    return TableProblem((problem_table or table()).drop(["kind", "patient", "w"]), "y")


def test_rows_without_target_are_dropped_and_counted():
    problem = numeric()
    assert problem.dropped == (("the target is missing", 3),)
    assert problem.n_rows == len(problem.truth) == 57
    assert not np.isnan(problem.truth).any()
    assert 3 not in problem.rows
    assert (problem.task, problem.target, problem.classes, problem.positive) == ("regression", "y", (), None)
    assert problem.weight.shape == (0,)
    assert problem.groups is None


def test_a_fold_learns_from_its_own_rows_alone():
    problem = numeric()
    rows = np.arange(0, 57, 2)
    fold = problem.fit(Model(LinearRegression(), TableDesign(scale=True)), rows)
    alone = table().take(problem.rows[rows]).drop(["kind", "patient", "w"])
    plain = Model(LinearRegression(), TableDesign(scale=True)).fit(alone, target="y")
    assert fold.design_.encoders_ == plain.design_.encoders_
    np.testing.assert_array_equal(fold.learner_.coef_, plain.learner_.coef_)
    others = np.setdiff1d(np.arange(57), rows)
    rest = table().take(problem.rows[others])
    np.testing.assert_array_equal(problem.predict(fold, others), plain.predict(rest))
    np.testing.assert_array_equal(problem.predict_interval(fold, others, 0.8), plain.predict_interval(rest, 0.8))


def test_rows_outside_the_fold_do_not_change_a_bit():
    """The leak test: what is asked about later may hold anything."""
    rows = np.arange(20)
    spoiled = table().to_polars().to_dict(as_series=False)
    for k in range(30, 60):
        spoiled["x"][k], spoiled["g"][k] = 1e9, "new"
    problem, other = numeric(), numeric(read_table(spoiled))
    one, two = (p.fit(LinearRegression(), rows) for p in (problem, other))
    np.testing.assert_array_equal(one.learner_.coef_, two.learner_.coef_)
    assert one.design_.names_ == two.design_.names_


def test_a_bare_learner_is_bound_with_the_default_design():
    problem = numeric()
    rows = np.arange(57)
    learner = LinearRegression()
    fitted = problem.fit(learner, rows)
    assert isinstance(fitted, Model)
    assert not hasattr(learner, "solution_")
    np.testing.assert_array_equal(fitted.predict(table()), Model(LinearRegression()).fit(
        table().drop(["kind", "patient", "w"]), target="y").predict(table()))  # fmt: skip


def test_weights_and_groups_are_no_inputs():
    problem = TableProblem(table(), "y", weight="w", groups="patient")
    fitted = problem.fit(LinearRegression(), np.arange(40))
    assert not any(name.startswith(("w", "patient")) for name in fitted.design_.names_)
    assert problem.weight.shape == problem.groups.shape == (57,)
    assert len(np.unique(problem.groups)) == 15 + 1
    assert np.bincount(problem.groups).max() == 4
    numbered = TableProblem(table(), "y", groups="w")
    assert len(np.unique(numbered.groups)) == 3


def test_classes_that_a_fold_lacks_have_probability_zero():
    problem = TableProblem(table().drop(["patient"]), "kind")
    assert problem.classes == ("bad", "good", "odd")
    rows = np.flatnonzero(problem.truth != "odd")
    fitted = problem.fit(RivalClassifier(), rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shares = problem.predict_proba(fitted, np.arange(60))
        assert set(problem.predict(fitted, np.arange(60))) <= {"bad", "good"}
        assert problem.predict_interval(fitted, np.arange(60), 0.9) is None
    np.testing.assert_array_equal(shares[:, 2], 0.0)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_a_task_may_be_declared():
    t = read_table({"q": [3, 4, 5] * 8, "x": list(range(24))})
    assert TableProblem(t, "q").task == "regression"
    problem = TableProblem(t, "q", task="classification")
    assert problem.classes == ("3", "4", "5")
    assert problem.truth.tolist()[:3] == ["3", "4", "5"]
    assert "each a class" in problem.question.reason


def test_roles_must_differ_and_exist():
    with pytest.raises(TableError, match="must be different columns, got 'y', 'g', 'g'"):
        TableProblem(table(), "y", weight="g", groups="g")
    with pytest.raises(TableError, match="no column 'patients': did you mean 'patient'"):
        TableProblem(table(), "y", groups="patients")
