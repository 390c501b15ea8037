"""What candidates choose inside the folds: told for searches and for learners that judge themselves."""

import numpy as np
import pytest

from glaswerk import (
    BestSubsetRegression,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    KernelRegression,
    KNeighborsRegressor,
    LinearRegression,
    RBFNetwork,
    Ridge,
    RidgeCV,
)
from glaswerk.evaluate import ArrayProblem, GridSearch, cross_validate
from glaswerk.evaluate.chosen import Chosen, in_words
from glaswerk.evaluate.search import drawn_rows
from tests.evaluate.conftest import line_with_noise


def nested(candidate, n=120, task=None):
    X, y = line_with_noise(n)
    y = y if task is None else np.where(y > np.median(y), "high", "low")
    return cross_validate({"c": candidate}, ArrayProblem(X, y, task=task), folds=5, repeats=1)


def row(found):
    return next(one for one in found.comparison.rows if one.name == "c")


CHOOSERS = {
    "alpha": RidgeCV(),
    "leaves": DecisionTreeRegressor(ccp_alpha="cv"),
    "bandwidth": KernelRegression(),
    "width": RBFNetwork(8),
    "n_neighbors": GridSearch(KNeighborsRegressor(), {"n_neighbors": [1, 5, 20]}, cv=3),
}


@pytest.mark.parametrize("name", list(CHOOSERS))
def test_the_inner_score_stands_beside_the_outer_one(name):
    found = nested(CHOOSERS[name])
    assert f"chosen inside: {name}" in " ".join(row(found).notes)
    table = found.choices("c")
    assert table.columns == ("repeat", "fold", name, "inner RMSE", "outer RMSE") and len(table.rows) == 5
    assert row(found).inner_score == pytest.approx(np.mean([line[3] for line in table.rows]))
    assert row(found).inner_score == pytest.approx(row(found).score, rel=0.4)  # both are errors on rows left out


def test_the_inner_score_of_a_penalty_is_its_error_on_rows_left_out():
    X, y = line_with_noise(60)
    (_, squared) = RidgeCV(cv=5).fit(X, y).chosen()
    assert squared == pytest.approx(-RidgeCV(cv=5).fit(X, y).best_score_)


@pytest.mark.parametrize("candidate", [BestSubsetRegression(), DecisionTreeClassifier(ccp_alpha="cv")])
def test_a_choice_without_an_error_of_the_metric_promises_nothing(candidate):
    found = nested(candidate, task="classification" if isinstance(candidate, DecisionTreeClassifier) else None)
    assert row(found).inner_score is None and "chosen inside" in " ".join(row(found).notes)


@pytest.mark.parametrize("candidate", [LinearRegression(), DecisionTreeRegressor(), KernelRegression(bandwidth=1.0)])
def test_who_chooses_nothing_tells_nothing(candidate):
    found = nested(candidate)
    assert row(found).inner_score is None and not any("chosen" in note for note in row(found).notes)
    with pytest.raises(ValueError, match="nothing was chosen"):
        found.choices("c")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([2, 2, 2], "k = 2"),
        ([2, 3, 2], "k = 2 in 2 of 3"),
        ([0.5, 1.25, 4.0], "k about 1.25 (0.5 to 4)"),
        (["a", "b", "c"], "k = a in 1 of 3, 2 others"),
    ],
)
def test_choices_are_summed_up_in_words(values, told):
    assert in_words([Chosen(0, fold, {"k": value}, None) for fold, value in enumerate(values)]) == told


def test_a_sample_judges_the_settings_and_all_rows_make_the_model():
    X, y = line_with_noise(200)
    search = GridSearch(Ridge(), {"alpha": [0.01, 1.0, 100.0]}, cv=3, sample=60).fit(X, y)
    few = drawn_rows(np.arange(200), 60, 0)
    alone = GridSearch(Ridge(), {"alpha": [0.01, 1.0, 100.0]}, cv=3).fit(X[few], y[few])
    assert search.best_score_ == alone.best_score_
    assert "a sample of 60 of the 200 rows" in search.search_.notes[0]
    np.testing.assert_allclose(search.predict(X), Ridge(**search.best_params_).fit(X, y).predict(X), rtol=1e-12)


def test_a_sample_beyond_all_rows_changes_nothing():
    X, y = line_with_noise(50)
    one, other = (GridSearch(Ridge(), {"alpha": [0.1, 1.0]}, sample=most).fit(X, y) for most in (None, 50))
    assert one.search_ == other.search_
    with pytest.raises(ValueError, match="sample must be None or an integer >= 4"):
        GridSearch(Ridge(), {"alpha": [0.1]}, sample=2).fit(X, y)


def test_neighbours_of_one_question_serve_every_k():
    X, y = line_with_noise(90)
    path = KNeighborsRegressor().fit_path(X, y, "n_neighbors", [1, 3, 7])
    for k, one in zip((1, 3, 7), path, strict=True):
        np.testing.assert_array_equal(one.predict(X[:20] + 0.1), KNeighborsRegressor(k).fit(X, y).predict(X[:20] + 0.1))
    assert len(path[0].solution_.asked["answers"]) == 1  # asked once for all
    np.testing.assert_array_equal(
        path[0].kneighbors(n_neighbors=2)[1], KNeighborsRegressor(1).fit(X, y).kneighbors(n_neighbors=2)[1]
    )
