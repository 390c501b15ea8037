"""Parts of one answer: known sums, Shapley's axioms, the exact against the sampled, every family's parts add up."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import load_auto_mpg, load_iris
from glaswerk.base import Classifier, Regressor
from glaswerk.explain import explain_row
from glaswerk.explain.answering import Answering
from glaswerk.explain.contributions import all_sets, drawn_orders, of_game
from glaswerk.learners import LinearRegression, LogisticRegression
from glaswerk.model import Model, TableDesign, TableProblem
from glaswerk.report.families import FAMILIES

RNG = np.random.default_rng(1)
HOMES = {
    "size": RNG.uniform(20, 120, 60).round(1).tolist(),
    "garden": RNG.choice(["yes", "no"], 60).tolist(),
    "place": RNG.choice(["town", "lake", "hill", "wood"], 60).tolist(),
}
HOMES["price"] = [3.0 * s + (40 if g == "yes" else 0) for s, g in zip(HOMES["size"], HOMES["garden"], strict=True)]


class Function(Regressor):
    """Answers by a given function of the cells."""

    def __init__(self, function):
        self.function = function

    def fit(self, X, y, sample_weight=None):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return self.function(np.asarray(X))


def numbers(d, n=30, seed=0):
    rng = np.random.default_rng(seed)
    return {f"x{j}": rng.normal(size=n).tolist() for j in range(d)} | {"y": rng.normal(size=n).tolist()}


def game(function, d, seed=0):
    table = numbers(d, seed=seed)
    model = Model(Function(function), TableDesign()).fit(table, target="y")
    answering = Answering.of(model)
    cells = answering.encode(model.read(table))
    return answering, cells[:1], cells[1:]


def one_of(cells, rows):
    return type(cells).of(np.asarray(cells)[rows], None)


def test_a_linear_model_is_told_by_its_weights():
    model = Model(LinearRegression()).fit(HOMES, target="price")
    found = explain_row(model, HOMES, 1, background={k: v[:2] for k, v in HOMES.items()})
    parts = {part.column: part.adds for part in found.parts}
    assert parts["size"] == pytest.approx(3.0 * (HOMES["size"][0] - np.mean(HOMES["size"][:2])))
    assert parts["place"] == pytest.approx(0.0, abs=1e-9)
    assert found.base == pytest.approx(np.mean(HOMES["price"][:2]))
    assert found.answer == pytest.approx(HOMES["price"][0]) and "exact" in found.how
    assert {part.column: part.value for part in found.parts}["garden"] == HOMES["garden"][0]


def shapley_by_definition(worth, d):
    """The mean over all orders of what a player adds."""
    found = np.zeros(d)
    for order in permutations(range(d)):
        held = frozenset()
        for j in order:
            found[j] += worth(held | {j}) - worth(held)
            held |= {j}
    return found / len(list(permutations(range(d))))


def test_all_sets_give_the_mean_over_all_orders():
    function = lambda X: X[:, 0] * X[:, 1] + np.abs(X[:, 2]) * X[:, 3]  # noqa: E731
    answering, one, behind = game(function, 4)
    x, B = np.asarray(one)[0], np.asarray(behind)

    def worth(held):
        rows = B.copy()
        rows[:, sorted(held)] = x[sorted(held)]
        return function(rows).mean()

    from_sets = all_sets(answering, like_matrix(one), like_matrix(behind), 0)
    np.testing.assert_allclose(from_sets, shapley_by_definition(worth, 4), rtol=1e-12, atol=1e-12)


def like_matrix(cells):
    from glaswerk.base import Matrix  # noqa: PLC0415

    return (
        cells if isinstance(cells, Matrix) and cells.names else Matrix.of(np.asarray(cells), ("x0", "x1", "x2", "x3"))
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 10), st.integers(0, 1000))
def test_parts_sum_to_the_answer_whatever_the_function(d, seed):
    weights = np.random.default_rng(seed).normal(size=(d, d))
    answering, one, behind = game(lambda X: np.tanh(X @ weights).sum(axis=1) + X[:, 0] * X[:, -1], d, seed)
    base, answer, adds, errors, *_ = of_game(answering, one, behind, 0, seed)
    assert base + adds.sum() == pytest.approx(answer, rel=1e-9, abs=1e-9)
    assert (errors >= 0).all()


def test_sampled_orders_agree_with_all_sets_within_their_error():
    answering, one, behind = game(lambda X: X[:, 0] * X[:, 1] + np.exp(X[:, 2] / 3) * X[:, 3], 4)
    exact = all_sets(answering, one, behind, 0)
    drawn = drawn_orders(answering, one, behind, 0, 0)
    error = drawn.std(axis=0, ddof=1) / np.sqrt(len(drawn))
    assert (np.abs(drawn.mean(axis=0) - exact) <= 4 * error + 1e-12).all()


def test_a_column_that_changes_nothing_gets_nothing_and_equal_columns_get_the_same():
    answering, one, behind = game(lambda X: 2 * X[:, 0] + np.sin(X[:, 1]), 3)
    assert all_sets(answering, one, behind, 0)[2] == pytest.approx(0, abs=1e-12)
    table = {"a": [1.0, 2.0, 3.0, 5.0], "b": [1.0, 2.0, 3.0, 5.0], "y": [0.0, 1.0, 2.0, 3.0]}
    model = Model(Function(lambda X: X[:, 0] * X[:, 1])).fit(table, target="y")
    first, second = sorted(explain_row(model, table, 4).parts, key=lambda part: part.column)
    assert first.adds == pytest.approx(second.adds)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_parts_of_every_family_sum_to_its_answer(family):
    table, target = (load_auto_mpg(), "mpg") if family.task == "regression" else (two_irises(), "virginica")
    problem = TableProblem(table, target)
    model = problem.fit(family.build(), np.arange(problem.n_rows))
    found = explain_row(model, table, 5)
    assert found.additive
    assert found.base + sum(part.adds for part in found.parts) == pytest.approx(found.answer, rel=1e-9, abs=1e-9)
    if family.task == "regression":
        assert found.answer == pytest.approx(model.predict(table)[4], rel=1e-9)
    elif found.scale.startswith("probability"):
        assert found.answer == pytest.approx(model.predict_proba(table)[4].max(), rel=1e-9) or len(model.classes_) == 2


def two_irises():
    iris = load_iris().to_polars().to_dict(as_series=False)
    iris["virginica"] = ["yes" if s == "virginica" else "no" for s in iris.pop("species")]
    return iris


def test_log_odds_of_the_positive_class_are_a_sum():
    table = two_irises()
    for positive in ("yes", "no"):
        model = Model(LogisticRegression()).fit(table, target="virginica", positive=positive)
        found = explain_row(model, table, 120)
        share = model.predict_proba(table)[119][model.classes_.index(positive)]
        assert found.scale == f"log-odds of {positive}"
        assert found.answer == pytest.approx(np.log(share / (1 - share)), rel=1e-6)


def test_with_more_than_two_classes_the_probability_of_the_likeliest_is_told():
    model = Model(LogisticRegression()).fit(load_iris(), target="species")
    found = explain_row(model, load_iris(), 1)
    assert found.scale == "probability of setosa"
    assert explain_row(model, load_iris(), 1, output="virginica").answer < found.answer
    with pytest.raises(ValueError, match="output must be one of the classes"):
        explain_row(model, load_iris(), 1, output="rose")


class Shares(Classifier):
    """Probabilities without coefficients."""

    def fit(self, X, y, sample_weight=None):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        return self

    def predict_proba(self, X):
        first = 1 / (1 + np.exp(-np.asarray(X)[:, 0]))
        return np.stack([1 - first, first], axis=1)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_a_classifier_without_coefficients_is_explained_too():
    table = two_irises()
    model = Model(Shares()).fit(table, target="virginica")
    found = explain_row(model, table, 1)
    assert found.base + sum(p.adds for p in found.parts) == pytest.approx(found.answer, rel=1e-9)
    assert found.parts[0].column == "sepal_length" and "exact Shapley" in found.how


def test_gaps_and_levels_never_seen_are_explained():
    model = Model(LinearRegression()).fit(HOMES, target="price")
    new = {"size": [None, 50.0], "garden": ["no", "yes"], "place": ["moon", "lake"]}
    found = explain_row(model, new, 1, background=HOMES)
    assert {part.column: part.value for part in found.parts}["size"] == "missing"
    assert found.base + sum(part.adds for part in found.parts) == pytest.approx(found.answer)


@pytest.mark.parametrize("row", [0, 61, -1])
def test_a_row_that_is_not_there_is_refused(row):
    model = Model(LinearRegression()).fit(HOMES, target="price")
    with pytest.raises(ValueError, match="row must be between 1 and 60; came"):
        explain_row(model, HOMES, row)


def test_the_same_twice():
    problem = TableProblem(load_auto_mpg(), "mpg")
    model = problem.fit(FAMILIES[1].build(), np.arange(problem.n_rows))
    assert explain_row(model, load_auto_mpg(), 9) == explain_row(model, load_auto_mpg(), 9)
