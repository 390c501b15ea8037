"""Permutation importance: known columns rank first, noise is worth nothing, groups stand in for each other."""

import numpy as np
import pytest

from glaswerk import LinearRegression
from glaswerk.explain import permutation_importance
from glaswerk.explain.association import association, correlation_ratio, cramer, groups_together, ranked
from glaswerk.learners import LogisticRegression
from glaswerk.model import Model, TableProblem
from glaswerk.table import read_table

RNG = np.random.default_rng(0)
N = 600
A, B, NOISE = RNG.normal(size=(3, N))
TABLE = {
    "strong": A.tolist(), "weak": B.tolist(), "noise": NOISE.tolist(),
    "twin": (A + 0.01 * RNG.normal(size=N)).tolist(), "kind": np.where(A > 0, "up", "down").tolist(),
    "y": (3 * A + B + 0.5 * RNG.normal(size=N)).tolist(),
}  # fmt: skip


def found(columns, target="y", learner=None, **options):
    table = read_table({name: TABLE[name] for name in (*columns, target)})
    problem = TableProblem(table, target)
    return permutation_importance(Model(learner or LinearRegression()), problem, table, **options)


def test_the_loss_of_a_linear_model_is_what_algebra_says():
    """Shuffling x_j adds 2 w_j² var(x_j) to the mean squared error."""
    result = found(("strong", "weak"), repeats=20)
    losses = {row.name: (row.loss + result.score) ** 2 - result.score**2 for row in result.rows}
    assert losses["strong"] == pytest.approx(2 * 9 * A.var(), rel=0.1)
    assert losses["weak"] == pytest.approx(2 * B.var(), rel=0.1)
    assert result.score == pytest.approx(0.5, rel=0.1)


def test_noise_is_worth_nothing_and_columns_are_ranked():
    result = found(("weak", "noise", "strong"))
    assert [row.name for row in result.rows] == ["strong", "weak", "noise"]
    assert result.rows[0].lower > 0 and result.rows[2].lower <= 0
    assert result.groups == ()


def test_twins_are_shuffled_together_too():
    result = found(("strong", "twin", "weak"))
    (group,) = result.groups
    assert set(group.columns) == {"strong", "twin"}
    assert group.loss > 2.0 > 0 and group.name == "strong + twin"
    assert any("stand in for each other" in note for note in result.notes)


def test_classes_are_judged_by_their_probabilities():
    result = found(("strong", "noise"), "kind", LogisticRegression())
    assert result.metric == "log loss" and result.rows[0].name == "strong" and result.rows[0].lower > 0


def test_few_rows_asked_and_fitted_are_told_and_the_same_twice():
    heard = []
    options = {"most_rows": 50, "train_rows": 200, "after": lambda done, planned: heard.append((done, planned))}
    result = found(("strong", "weak"), **options)
    assert result == found(("strong", "weak"), **options)
    assert "at most 50 rows" in " ".join(result.notes) and heard[4] == (5, 5)


def test_associations_are_what_they_should_be():
    table = read_table(TABLE)
    cells = {name: ranked(table, name) for name in TABLE}
    assert association(cells["strong"], cells["twin"]) > 0.99
    assert association(cells["strong"], cells["noise"]) < 0.15
    assert 0.8 < association(cells["kind"], cells["strong"]) < 0.9  # ranks halved: √(3/4)
    assert association(cells["strong"], cells["kind"]) == association(cells["kind"], cells["strong"])
    codes = np.arange(200) % 4
    assert cramer(codes, codes) == pytest.approx(1.0, abs=1e-2)
    assert cramer(codes, np.arange(200) // 4 % 5) == pytest.approx(0.0, abs=0.05)
    assert correlation_ratio(codes, codes.astype(float)) == pytest.approx(1.0)
    assert correlation_ratio(codes, np.ones(200)) == 0.0


def test_groups_are_chains_of_associations_and_constants_are_in_none():
    table = read_table({**TABLE, "constant": ["a"] * N})
    assert groups_together(table, ("strong", "weak", "twin", "constant")) == [("strong", "twin")]
