"""Log-odds as facts: what is told where errors are unknown, and what a solution may be."""

from dataclasses import replace

import numpy as np
import pytest

from glaswerk.learners.logistic import LogisticRegression
from glaswerk.stats.log_odds import LogOdds


@pytest.fixture
def known():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)) + [0.0, 30.0]
    y = np.where(X[:, 0] + rng.logistic(size=200) > 0, "yes", "no")
    model = LogisticRegression(penalty=None, tol=1e-8).fit(X, y)
    return LogOdds(model.solution_, model.statistic_, "answer", ("a", "b"), ("no", "yes"))


def test_odds_are_exponentials_of_the_coefficients_and_their_limits(known):
    """[BG-CE] One unit more multiplies the odds by e^w."""
    row = known.coefficients(0.9)[0].rows[1]
    sentence = known.odds(0.9).sentences[0]
    assert "one unit more of 'a' multiplies the odds of 'yes' against 'no'" in sentence
    for value in (row.estimate, row.lower, row.upper):
        assert f"{np.exp(value):.4g}" in sentence


def test_a_higher_level_is_a_wider_interval(known):
    narrow, wide = (known.coefficients(level)[0].rows[1] for level in (0.5, 0.99))
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


def test_where_errors_are_unknown_the_reason_is_told(known):
    reasons = {
        "direction": replace(known.solution, finite=False),
        "repeat each other": replace(known.solution, settled=False, repeated=("column 'b' repeats",)),
        "standard_errors=True": replace(known.solution, settled=False),
    }
    for words, solution in reasons.items():
        fact = replace(known, solution=solution).coefficients(0.95)[0]
        assert all(row.standard_error is None for row in fact.rows)
        assert words in fact.notes[-1]
        assert not replace(known, solution=solution).odds(0.95).sentences


def test_deviances_are_twice_the_losses(known):
    fit = dict(known.goodness().rows)
    shares = np.array([fit["weight of class 'no'"], fit["weight of class 'yes'"]]) / 200
    np.testing.assert_allclose(fit["deviance of the class shares alone"], -400 * (shares * np.log(shares)).sum())
    np.testing.assert_allclose(fit["AIC"], 6 + fit["deviance -2 ln L"])
    np.testing.assert_allclose(fit["deviance -2 ln L"], -2 * fit["log-likelihood"])


def test_the_trace_falls_and_says_from_where_to_where(known):
    curve = known.trace()
    assert list(curve.lines[0].y) == sorted(curve.lines[0].y, reverse=True)
    assert f"to {curve.lines[0].y[-1]:.6g} in" in curve.says


def test_a_solution_of_unequal_parts_is_refused(known):
    known.solution.check()
    for change, message in (
        ({"weights": np.zeros((1, 2))}, "one weight per column"),
        ({"trace": np.zeros((2, 3))}, "a trace of four numbers"),
        ({"weights": np.zeros((1, 3), dtype=np.int64)}, "float64"),
    ):
        with pytest.raises(ValueError, match=message):
            replace(known.solution, **change).check()
