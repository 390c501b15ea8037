"""The learner's machinery: passes asked for again, callbacks, progress, sources."""

import numpy as np
import pytest

from glaswerk import LinearRegression
from glaswerk.base import Regressor
from glaswerk.facts import Facts
from glaswerk.learner import Again, Fitted, Learner
from glaswerk.passes import BLOCK_ROWS
from glaswerk.stats.spread import Spread


class CountPasses:
    """What is asked of pass `passes`."""

    def __init__(self, passes):
        self.passes = passes


class ThreeRounds(Regressor, Learner):
    """Sums its columns three times before it is content."""

    def begin(self, head, n_rows):
        return CountPasses(1)

    def ask_like(self, statistic):
        return CountPasses(1)

    def observe(self, block, ask):
        return Spread.of(block.X, shift=np.zeros(block.X.shape[1]))

    def solve(self, statistic, ask, *, more):
        if more and ask.passes < 3:
            return Again(CountPasses(ask.passes + 1), statistic if ask.passes == 1 else None)
        return Fitted((ask.passes, statistic.mean), None if ask.passes > 1 else statistic)

    def facts(self):
        return Facts()


class Listener:
    """A callback that writes down what it hears."""

    def __init__(self):
        self.heard = []

    def setup(self, estimator, context):
        self.heard.append("setup")

    def teardown(self, estimator, context):
        self.heard.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.heard.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context):
        self.heard.append(f"end {context.task_name}")


def table(n=100, d=2):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, X.sum(axis=1) + rng.normal(size=n)


def test_a_solve_may_ask_for_more_passes_and_the_first_sum_is_kept():
    X, y = table()
    model = ThreeRounds().fit(X, y)
    passes, mean = model.solution_
    assert passes == 3
    np.testing.assert_allclose(mean, X.mean(axis=0))
    assert model.statistic_.count == 100


def test_where_rows_are_gone_no_further_pass_is_taken():
    X, y = table()
    model = ThreeRounds().partial_fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    assert model.solution_[0] == 1
    np.testing.assert_allclose(model.solution_[1], X.mean(axis=0))


def test_callbacks_hear_of_every_pass_and_block():
    X, y = table(2 * BLOCK_ROWS + 5, 1)
    listener = Listener()
    LinearRegression(n_jobs=2).set_callbacks(listener).fit(X, y)
    assert listener.heard[:3] == ["setup", "begin fit", "begin pass 1"]
    assert listener.heard.count("end block") == 3
    assert listener.heard[-3:] == ["end pass 1", "end fit", "teardown"]


def test_callbacks_are_torn_down_when_a_fit_fails():
    X, y = table()
    listener = Listener()
    with pytest.raises(ValueError, match="NaN"):
        LinearRegression().set_callbacks(listener).fit(X * np.nan, y)
    assert listener.heard[-1] == "teardown"
    assert "end fit" not in listener.heard


def test_fitting_is_silent_when_piped(capfd):
    X, y = table(2 * BLOCK_ROWS)
    LinearRegression().fit(X, y)
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_target_names_come_from_the_table():
    pandas = pytest.importorskip("pandas")
    X, y = table()
    assert LinearRegression().fit(X, y).target_names_ == ["y"]
    assert LinearRegression().fit(X, pandas.Series(y, name="mpg")).target_names_ == ["mpg"]
    assert LinearRegression().fit(X, pandas.DataFrame({"a": y, "b": y})).target_names_ == ["a", "b"]
    assert LinearRegression().fit(X, np.column_stack([y, y])).target_names_ == ["y0", "y1"]


def test_several_targets_from_a_dataframe_source():
    pandas = pytest.importorskip("pandas")
    X, y = table()
    frame = pandas.DataFrame({"a": X[:, 0], "u": y, "b": X[:, 1], "v": -y})
    model = LinearRegression().fit_source(frame, target=["u", "v"])
    assert model.column_names() == ("a", "b")
    expected = LinearRegression().fit(X, np.column_stack([y, -y]))
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(model.predict(frame[["a", "b"]]), expected.predict(X))
