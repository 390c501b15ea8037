"""Naive Bayes on mixed tables: the script's example, the formulas written out, gaps, unseen levels, laws of sums."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.naive_bayes import CategoricalNB as SklearnCategoricalNB
from sklearn.naive_bayes import GaussianNB as SklearnGaussianNB

from glaswerk import load, load_play_tennis, save
from glaswerk.facts import LikelihoodRatios, Statement, Table
from glaswerk.figures import figures_of
from glaswerk.learners import NaiveBayes
from glaswerk.model import Model


def tennis():
    table = load_play_tennis()
    names = [name for name in table.names if name not in ("day", "play", "Day", "PlayTennis", "play_tennis")]
    target = next(name for name in table.names if name.lower().replace("_", "") in ("play", "playtennis"))
    columns = {name: [table[name].distinct_levels()[c] for c in table[name].codes()] for name in [*names, target]}
    return [list(row) for row in zip(*(columns[name] for name in names), strict=True)], columns[target], names


def cased(model, word):
    """The level as the table writes it."""
    return next(level for levels in model.levels_ if levels for level in levels if level.lower() == word)


def mixed(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    number = rng.normal(size=n) + y
    colour = np.array(["red", "green", "blue", "grey"], dtype=object)[(rng.integers(0, 3, n) + y) % 4]
    return [[float(a), str(b)] for a, b in zip(number, colour, strict=True)], y


def test_play_tennis():  # [BG-NB] [BG-NAIVE] [BG-NBCOUNT]
    rows, y, _ = tennis()
    model = NaiveBayes(smoothing=0).fit(rows, y)
    row = [[cased(model, word) for word in ("sunny", "cool", "high", "strong")]]
    no, yes = (next(k for k, c in enumerate(model.classes_) if str(c).lower() == word) for word in ("no", "yes"))
    scores = np.exp(model.predict_joint_log_proba(row)[0])
    np.testing.assert_allclose(scores[yes], 9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9, rtol=1e-13)
    np.testing.assert_allclose(scores[no], 5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5, rtol=1e-13)
    assert [round(float(scores[k]), 6) for k in (yes, no)] == [0.005291, 0.020571]
    assert round(float(model.predict_proba(row)[0, no]), 4) == 0.7954
    told = model.explain(row)
    assert told.favoured.lower() == "no"
    np.testing.assert_allclose(np.exp([part.log_ratio for part in told.rows]), [
        (3 / 5) / (2 / 9), (1 / 5) / (3 / 9), (4 / 5) / (3 / 9), (3 / 5) / (3 / 9)], rtol=1e-12)  # fmt: skip
    np.testing.assert_allclose(told.prior_log_ratio, np.log(5 / 9))
    assert "0.795417" in str(told.table())


def test_numbers_and_levels_by_their_formulas():
    rows, y = mixed()
    model = NaiveBayes(smoothing=0).fit(rows, y)
    number, colour = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    expected = np.empty((len(y), 3))
    for k in range(3):
        own = y == k
        density = norm(number[own].mean(), number[own].std()).pdf(number)
        shares = np.array([np.mean(colour[own] == c) for c in colour])
        expected[:, k] = own.mean() * density * shares
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(rows)), expected, rtol=1e-10)


def test_smoothing_is_rows_that_are_added():
    rows, y = mixed()
    model = NaiveBayes(smoothing=2).fit(rows, y)
    number = np.array([r[0] for r in rows])
    own = number[y == 0]
    variance = (((own - own.mean()) ** 2).sum() + 2 * number.var()) / (len(own) + 2)
    np.testing.assert_allclose(model.solution_.variance[0, 0], variance, rtol=1e-12)
    reds = np.mean([r[1] == "red" for r in rows])
    assert reds > 0
    counts = np.array([sum(r[1] == c and k == 0 for r, k in zip(rows, y, strict=True)) for c in model.levels_[1]])
    np.testing.assert_allclose(model.solution_.table(0)[:, 0], (counts + 2) / (counts.sum() + 8), rtol=1e-12)


def test_numbers_alone_and_levels_alone_are_scikit_learns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    ours, rival = NaiveBayes(smoothing=0).fit(X, y), SklearnGaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_log_proba(X), rival.predict_log_proba(X), rtol=1e-9, atol=1e-11)
    C = rng.integers(0, 5, (300, 4))
    ours = NaiveBayes(categorical_features=[0, 1, 2, 3]).fit(C, y)
    rival = SklearnCategoricalNB().fit(C, y)
    np.testing.assert_allclose(ours.predict_log_proba(C), rival.predict_log_proba(C), rtol=1e-11, atol=1e-12)


# Gaps and levels not seen


def test_missing_cells_are_skipped_in_the_fit_and_in_predictions():
    rows, y = mixed()
    holes = [[None if i % 7 == 0 else a, None if i % 5 == 0 else b] for i, (a, b) in enumerate(rows)]
    model = NaiveBayes().fit(holes, y)
    there = [i for i in range(len(y)) if i % 7]
    number = np.array([rows[i][0] for i in there])
    means = [number[y[there] == k].mean() for k in range(3)]
    np.testing.assert_allclose((model.solution_.shift + model.solution_.offset)[:, 0], means, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba([[None, None]])[0], np.bincount(y) / len(y), rtol=1e-12)
    told = model.explain([[None, "red"]])
    assert (told.rows[0].value, told.rows[0].log_ratio) == ("missing", 0.0)


def test_an_unseen_level_says_nothing_and_is_told():
    rows, y = mixed()
    model = NaiveBayes().fit(rows, y)
    np.testing.assert_allclose(model.predict_proba([[0.3, "pink"]]), model.predict_proba([[0.3, None]]))
    assert model.explain([[0.3, "pink"]]).rows[1].value == "a level not seen before"


@pytest.mark.filterwarnings("ignore")
def test_without_smoothing_a_row_that_no_class_allows_keeps_the_priors():
    model = NaiveBayes(smoothing=0).fit([["a", "x"], ["b", "y"], ["b", "y"]], [0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([["a", "y"]]), [[1 / 3, 2 / 3]])
    assert model.predict_proba([["a", "x"]]).tolist() == [[1.0, 0.0]]


# Laws


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(20, 180))
def test_any_cut_of_the_rows_gives_the_same_model(seed, cut):
    rows, y = mixed(seed=seed)
    rows[0][1], rows[1][1], rows[2][1], rows[3][1] = "red", "green", "blue", "grey"
    whole = NaiveBayes().fit(rows, y)
    parts = NaiveBayes().partial_fit(rows[:cut], y[:cut], classes=[0, 1, 2]).partial_fit(rows[cut:], y[cut:])
    np.testing.assert_allclose(parts.predict_log_proba(rows), whole.predict_log_proba(rows), rtol=1e-9, atol=1e-11)


def test_weights_are_repetitions_and_models_merge():
    rows, y = mixed()
    w = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = NaiveBayes().fit(rows, y, sample_weight=w)
    repeated = NaiveBayes().fit([r for r, k in zip(rows, w, strict=True) for _ in range(k)], np.repeat(y, w))
    np.testing.assert_allclose(
        weighted.predict_log_proba(rows), repeated.predict_log_proba(rows), rtol=1e-10, atol=1e-12
    )
    merged = NaiveBayes().fit(rows[:100], y[:100]).merge(NaiveBayes().fit(rows[100:], y[100:]))
    whole = NaiveBayes().fit(rows, y)
    np.testing.assert_allclose(merged.predict_log_proba(rows), whole.predict_log_proba(rows), rtol=1e-10, atol=1e-12)


# Edges


@pytest.mark.filterwarnings("ignore")
def test_a_class_of_one_row_a_column_of_gaps_a_constant_column_and_rows_that_contradict():
    rows = [[1.0, None, 5.0], [2.0, None, 5.0], [3.0, None, 5.0], [9.0, None, 5.0]]
    model = NaiveBayes().fit(rows, ["a", "a", "a", "b"])
    assert model.predict([[9.0, None, 5.0], [2.0, None, 7.0]]).tolist() == ["b", "a"]
    assert np.isfinite(model.predict_log_proba(rows)).all()
    same = NaiveBayes().fit([["x"], ["x"], ["x"], ["x"]], [0, 1, 1, 1])
    np.testing.assert_allclose(same.predict_proba([["x"]]), [[0.25, 0.75]])
    many = NaiveBayes().fit([["p"], ["q"], ["r"]], ["a", "b", "c"])
    assert many.predict([["p"], ["q"], ["r"]]).tolist() == ["a", "b", "c"]


def test_in_a_model_of_a_table_and_in_files(tmp_path):
    rows, y, names = tennis()
    table = {name: [row[j] for row in rows] for j, name in enumerate(names)} | {"play": y}
    model = Model(NaiveBayes(smoothing=0)).fit(table, target="play")
    one = {name: [table[name][0]] for name in names}
    before = model.predict(one)
    model.save(tmp_path / "t.glaswerk")
    back = load(tmp_path / "t.glaswerk")
    assert np.array_equal(back.predict(one), before)
    learner = NaiveBayes().fit(rows, y)
    save(learner, tmp_path / "n.glaswerk")
    again = load(tmp_path / "n.glaswerk")
    assert np.array_equal(again.predict_log_proba(rows), learner.predict_log_proba(rows))
    assert str(again.facts()) == str(learner.facts())
    assert np.array_equal(again.partial_fit(rows, y).classes_, learner.classes_)


def test_facts_and_figure():
    rows, y = mixed()
    model = NaiveBayes().fit(rows, y)
    facts = model.facts()
    assert [t.title for t in facts.of_kind(Table)] == ["Classes of y", "Numbers by class of y", "Levels of x1"]
    assert "Missing cells are skipped" in str(facts.of_kind(Statement)[0].table())
    told = model.explain(rows[:1])
    assert isinstance(told, LikelihoodRatios)
    figure = figures_of(told)[0]
    assert figure.name == "likelihood-ratios"
    assert "probability" in figure.alt


def test_bad_input():
    rows, y = mixed()
    with pytest.raises(ValueError, match="smoothing must be"):
        NaiveBayes(smoothing=-1).fit(rows, y)
    with pytest.raises(ValueError, match="takes one row, got 2"):
        NaiveBayes().fit(rows, y).explain(rows[:2])
    with pytest.raises(ValueError, match="infinity: column 'x0', row 1"):
        NaiveBayes().fit([[1.0], [np.inf], [2.0]], [0, 1, 1])
    with pytest.raises(ValueError, match="fit_source takes numbers"):
        NaiveBayes(categorical_features=[0]).fit_source("no.parquet", target="y")
