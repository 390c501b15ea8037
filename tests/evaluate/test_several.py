"""Several learners on several tables: parts of the baseline's error, and nobody best everywhere."""

import numpy as np
import pytest

from glaswerk import LinearRegression, LogisticRegression, OrthogonalPolynomialBasis
from glaswerk.base import Pipeline
from glaswerk.evaluate import ArrayProblem, compare_on_tables, cross_validate
from tests.evaluate.conftest import line_with_noise, two_classes


def tables():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (60, 1))
    bent = ArrayProblem(X, np.sin(3 * X[:, 0]) + 0.2 * rng.normal(size=60))
    wide = ArrayProblem(*line_with_noise(60, 1, noise=3.0))
    return {"bent": bent, "straight": wide}


CANDIDATES = {
    "line": LinearRegression(),
    "degree 9": Pipeline([("basis", OrthogonalPolynomialBasis(degree=9)), ("line", LinearRegression())]),
}


def test_parts_are_errors_over_the_baselines_and_the_sentences_say_who_is_best_where():
    table, statement = compare_on_tables(CANDIDATES, tables())
    alone = cross_validate(CANDIDATES, tables()["bent"], folds=5, repeats=1).comparison
    score = {row.name: row.score for row in alone.rows}
    assert table.rows[0][1] == pytest.approx(score["line"] / score["baseline"])
    assert table.rows[0][1] > table.rows[1][1]
    assert table.rows[0][2] < table.rows[1][2]
    assert "No candidate is best, or practically equal to the best, on every table." in statement.sentences
    assert "30 fits in all" in table.notes


def test_classes_a_failure_and_a_single_candidate():
    problems = {"a": ArrayProblem(*two_classes(100, 0)), "b": ArrayProblem(*two_classes(100, 1))}
    table, statement = compare_on_tables({"logistic": LogisticRegression(), "line": LinearRegression()}, problems)
    assert table.rows[1][1] is None
    assert table.rows[0][3] == 2
    assert statement.sentences[0].startswith("On these tables logistic is never beaten")
    with pytest.raises(ValueError, match="problems must be two or more tables"):
        compare_on_tables(CANDIDATES, {"one": tables()["bent"]})
