"""Best subset regression: known numbers, oracles, choices, facts, edges and bad input."""

import csv
from itertools import combinations

import numpy as np
import pytest
from sklearn import linear_model

from glaswerk.facts import Coefficients, Curve, Statement, Table
from glaswerk.learners import BestSubsetRegression, LinearRegression
from glaswerk.model import load, save
from glaswerk.scoring import GroupKFold

INPUTS = ["lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"]


def sparse_table(n=100, d=8, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1)) + 3
    return X, 2 * X[:, 1] - X[:, 4] + noise * rng.normal(size=n)


# Known numbers


@pytest.mark.proof
@pytest.mark.parametrize(("first_edition", "error"), [(True, 0.5737), (False, 0.4925)])
def test_prostate_as_script_b_reports_it(shared_data, first_edition, error):
    """[TRE-SUBSET] "Best Subset (3)" counts the intercept: lcavol and lweight, on the 30 held-out patients."""
    with (shared_data / "prostate.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = ["lweight_1st_edition" if first_edition and name == "lweight" else name for name in INPUTS]
    X = np.array([[float(row[name]) for name in names] for row in rows])
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    train, y = np.array([row["train"] == "T" for row in rows]), np.array([float(row["lpsa"]) for row in rows])
    model = BestSubsetRegression(selection=2).fit(X[train], y[train])
    assert [INPUTS[j] for j in model.get_support(indices=True)] == ["lcavol", "lweight"]
    assert round(float(((y[~train] - model.predict(X[~train])) ** 2).mean()), 4) == error


# Oracles


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("size", [0, 1, 3, 8])
def test_a_size_asked_for_is_the_best_of_all_its_subsets(size, intercept):
    X, y = sparse_table()
    model = BestSubsetRegression(selection=size, fit_intercept=intercept).fit(X, y)
    fits = []
    for columns in map(list, combinations(range(8), size)):
        if columns:
            rival = linear_model.LinearRegression(fit_intercept=intercept).fit(X[:, columns], y)
            fits.append((((y - rival.predict(X[:, columns])) ** 2).sum(), columns, rival.coef_))
    if fits:
        _, columns, coefficients = min(fits, key=lambda fit: fit[0])
        assert model.get_support(indices=True).tolist() == columns
        np.testing.assert_allclose(model.coef_[columns], coefficients, rtol=1e-9)
    assert np.count_nonzero(model.coef_) == size
    level = y.mean() if intercept else 0.0
    if not size:
        np.testing.assert_allclose(model.predict(X), level, rtol=1e-12)


def test_criteria_equal_their_formulas():
    statsmodels = pytest.importorskip("statsmodels.api")
    X, y = sparse_table()
    model = BestSubsetRegression().fit(X, y)
    choice = model.solution_.choice
    full = statsmodels.OLS(y, statsmodels.add_constant(X)).fit()
    for size in range(1, 9):
        rival = statsmodels.OLS(y, statsmodels.add_constant(X[:, choice.columns[size]])).fit()
        constant = 100 * (np.log(2 * np.pi) + 1)
        np.testing.assert_allclose(choice.bic()[size] + constant, rival.bic, rtol=1e-10)
        np.testing.assert_allclose(choice.adjusted()[size], rival.rsquared_adj, rtol=1e-10)
        np.testing.assert_allclose(choice.cp()[size], rival.ssr / full.mse_resid - 100 + 2 * (size + 1), rtol=1e-8)
    assert choice.taken == np.argmin(choice.bic())
    limited = BestSubsetRegression(max_features=3).fit(X, y).solution_.choice
    np.testing.assert_allclose(limited.cp(), choice.cp()[:4], rtol=1e-8)


@pytest.mark.parametrize("n", [60, 20_000])
def test_the_coefficients_are_least_squares_on_the_columns_taken(n):
    X, y = sparse_table(n)
    X[:, 4] = X[:, 1] + 1e-4 * X[:, 4]
    model = BestSubsetRegression(selection=3).fit(X, y)
    plain = LinearRegression().fit(X[:, model.get_support()], y)
    np.testing.assert_allclose(model.coef_[model.get_support()], plain.coef_, rtol=1e-12)
    assert model.solution_.solution.digits > 11


# Choices


def test_the_true_columns_are_found_by_every_rule():
    X, y = sparse_table(300, noise=0.5)
    for rule in ("1se", 2):
        model = BestSubsetRegression(selection=rule).fit(X, y)
        assert model.get_support(indices=True).tolist() == [1, 4]
    for rule in ("bic", "cv"):
        assert {1, 4} <= set(BestSubsetRegression(selection=rule).fit(X, y).get_support(indices=True))


def test_the_search_is_made_anew_in_every_fold():
    """Noise alone: columns chosen on all rows would look useful on the folds, columns chosen in each do not."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(50, 15)), rng.normal(size=50)
    model = BestSubsetRegression(selection="cv", cv=5).fit(X, y)
    mean, _ = model.solution_.choice.validated()
    assert mean[5] > mean[0]
    rss = model.solution_.choice.rss
    assert rss[5] < 0.8 * rss[0]


def test_one_standard_error_takes_fewer_columns_never_more():
    for seed in range(5):
        X, y = sparse_table(60, seed=seed, noise=3.0)
        least, fewer = (BestSubsetRegression(selection=rule).fit(X, y) for rule in ("cv", "1se"))
        assert fewer.get_support().sum() <= least.get_support().sum()


def test_columns_of_a_group_come_together_by_name_number_or_prefix():
    pandas = pytest.importorskip("pandas")
    X, y = sparse_table()
    names = ["a", "colour=red", "colour=blue", "b", "size", "c", "d", "e"]
    frame = pandas.DataFrame(X, columns=names)
    for groups in (["colour="], [["colour=red", "colour=blue"]], [[1, 2]]):
        support = BestSubsetRegression(selection=3, groups=groups).fit(frame, y).get_support(indices=True)
        assert support.tolist() == [1, 2, 4]
    with pytest.raises(ValueError, match=r"no subset of 1 columns .* choose one of 0, 2"):
        BestSubsetRegression(selection=1, groups=[[0, 1], [2, 3], [4, 5], [6, 7]]).fit(X, y)


def test_splits_can_be_given():
    X, y = sparse_table(30)
    splits = list(GroupKFold(5).split(X, y, np.repeat(np.arange(10), 3)))
    assert BestSubsetRegression(selection="cv", cv=splits).fit(X, y).solution_.choice.errors.shape == (5, 9)


# Laws


def test_weight_two_is_the_row_twice():
    X, y = sparse_table(60, noise=3.0)
    weight = np.random.default_rng(0).integers(0, 4, 60)
    weighted = BestSubsetRegression().fit(X, y, weight)
    repeated = BestSubsetRegression().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-10)
    np.testing.assert_allclose(weighted.solution_.choice.bic(), repeated.solution_.choice.bic(), rtol=1e-10)


def test_partial_fits_merged_models_files_and_threads_give_the_same(tmp_path):
    polars = pytest.importorskip("polars")
    X, y = sparse_table(70_000, 4 + 1)
    whole = BestSubsetRegression(selection="1se", n_jobs=2).fit(X, y)
    assert (whole.coef_ == BestSubsetRegression(selection="1se", n_jobs=1).fit(X, y).coef_).all()
    frame = polars.DataFrame({**{f"x{j}": X[:, j] for j in range(5)}, "y": y})
    frame.write_parquet(tmp_path / "rows.parquet")
    file = BestSubsetRegression(selection="1se").fit_source(tmp_path / "rows.parquet", target="y")
    assert (file.coef_ == whole.coef_).all()
    X, y = X[:200], y[:200]
    whole = BestSubsetRegression().fit(X, y)
    parts = BestSubsetRegression().partial_fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    merged = BestSubsetRegression().fit(X[:50], y[:50]).merge(BestSubsetRegression().fit(X[50:], y[50:]))
    for model in (parts, merged):
        np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-12)


# Facts, files, edges, bad input


def test_facts_show_every_size_and_give_no_errors_of_coefficients():
    X, y = sparse_table()
    facts = BestSubsetRegression(selection="1se").fit(X, y).facts()
    table = facts.of_kind(Table)[0]
    assert [row[0] for row in table.rows] == list(range(9))
    assert {row[8] for row in table.rows} == {"proved"}
    assert facts.of_kind(Curve)[0].lines[0].lower
    assert all(row.standard_error is None for row in facts.of_kind(Coefficients)[0].rows)
    text = " ".join(facts.of_kind(Statement)[0].sentences)
    assert "Every size is proved" in text
    assert "chosen because they fit" in text


def test_a_search_that_reaches_its_limit_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 25)) + 3 * rng.normal(size=(100, 1))
    facts = BestSubsetRegression(node_limit=5).fit(X, X @ rng.normal(size=25) + 9 * rng.normal(size=100)).facts()
    assert "stopped at its limit of 5 nodes" in " ".join(facts.of_kind(Statement)[0].sentences)
    assert any(row[8].endswith("%") for row in facts.of_kind(Table)[0].rows)


@pytest.mark.parametrize("rule", ["bic", "1se"])
def test_a_saved_model_is_whole(tmp_path, rule):
    X, y = sparse_table()
    model = BestSubsetRegression(selection=rule).fit(X, y)
    save(model, tmp_path / "subset.glaswerk")
    again = load(tmp_path / "subset.glaswerk")
    assert (again.predict(X) == model.predict(X)).all()
    assert str(again.facts()) == str(model.facts())


def test_more_columns_than_rows_are_searched_as_far_as_the_rows_bear():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 14))
    y = 3 * X[:, 2] + 0.1 * rng.normal(size=12)
    model = BestSubsetRegression(selection=1).fit(X, y)
    assert model.get_support(indices=True).tolist() == [2]
    assert len(model.solution_.choice.rss) == 11
    assert str(model.facts())


def test_few_rows_and_a_constant_target():
    one = BestSubsetRegression().fit([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0]], [1.0, 1.0, 1.0])
    np.testing.assert_allclose(one.predict([[9.0, 9.0]]), 1.0)
    assert str(one.facts())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"selection": "aic"}, "selection must be"),
        ({"selection": 9}, "selection must be at most 8 columns, got 9"),
        ({"max_features": 9}, "max_features must be at most the 8 columns"),
        ({"groups": [["nobody"]]}, "unknown 'nobody'"),
        ({"groups": ["colour="]}, "no column for 'colour='"),
        ({"groups": [[0, 1], [1, 2]]}, "groups must not share columns"),
        ({"cv": 1}, "cv must be"),
        ({"node_limit": 0}, "node_limit must be"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(change, message):
    X, y = sparse_table()
    with pytest.raises(ValueError, match=message):
        BestSubsetRegression(**change).fit(X, y)


def test_many_targets_and_unusable_cells_are_refused():
    X, y = sparse_table()
    with pytest.raises(ValueError, match="2 targets; it searches for one at a time"):
        BestSubsetRegression().fit(X, np.column_stack([y, y]))
    assert not hasattr(BestSubsetRegression(selection="cv"), "partial_fit")
    X[5, 2] = np.nan
    with pytest.raises(ValueError, match="X contains NaN: column 'x2', row 5"):
        BestSubsetRegression().fit(X, y)
