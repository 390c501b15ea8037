"""How many groups: silhouettes and gaps against their definition, the truth where it is known, edges, bad input."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_score

from glaswerk import GaussianMixture, KMeans, how_many, load_iris
from glaswerk.evaluate.grouping import silhouette, uniform_box
from glaswerk.facts import Curve, Statement, Table


def clumps(k, n=60, apart=8.0, seed=0):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(size=(n, 2)) + apart * np.array([i % 2, i // 2]) for i in range(k)])


def apart_of(X):
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_silhouette_is_scikit_learns(k):
    X = np.random.default_rng(k).normal(size=(80, 3))
    labels = np.random.default_rng(0).integers(0, k, 80)
    labels[0] = k  # a row of its own
    assert silhouette(apart_of(X), labels) == pytest.approx(silhouette_score(X, labels), rel=1e-12)


def test_a_silhouette_by_hand():  # [BG-HOWMANY]
    apart = apart_of(np.array([[0.0], [1.0], [5.0]]))
    assert silhouette(apart, np.array([0, 0, 1])) == pytest.approx((4 / 5 + 3 / 4 + 0) / 3)
    assert np.isnan(silhouette(apart, np.zeros(3, dtype=int)))


def test_rows_without_groups_fill_the_box_of_the_rows():
    X = np.random.default_rng(0).normal(size=(100, 2)) @ [[3.0, 3.0], [0.0, 0.1]]
    drawn = uniform_box(X)(np.random.default_rng(1).random((5000, 2)))
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(np.corrcoef(X.T)[0, 1], abs=0.02)


@pytest.mark.parametrize("learner", [KMeans(n_init=2), GaussianMixture()])
def test_clear_groups_are_counted(learner):
    found = how_many(clumps(4), learner=learner, sizes=range(1, 7), resamples=4)
    assert found.verdict == 4
    assert all(k == 4 for name, k in found.chosen.items() if name != "AIC")
    (told,) = found.facts().of_kind(Statement)
    assert "4 groups" in told.sentences[0]
    again = how_many(clumps(4), learner=learner, sizes=range(1, 7), resamples=4)
    assert again.votes == found.votes


def test_rows_without_groups_are_one_group_to_the_gap():
    X = np.random.default_rng(3).random((200, 2))
    found = how_many(X, sizes=range(1, 6), resamples=3)
    assert found.chosen["gap"] == 1


def test_what_it_says_of_iris():
    X = load_iris().to_polars().drop("species").to_numpy()
    found = how_many(X, sizes=range(1, 7), resamples=4)
    facts = found.facts()
    assert found.chosen["silhouette"] == 2
    assert len(facts.of_kind(Curve)) == 3
    assert facts.of_kind(Table)[0].columns[2:] == tuple(f"k = {k}" for k in range(1, 7))
    assert "of 4 halves of the rows choose the same" in str(facts)
    assert facts.of_kind(Curve)[1].lines[0].x == (2.0, 3.0, 4.0, 5.0, 6.0)
    assert facts.of_kind(Curve)[0].marks[0][0] == found.chosen["elbow"]


def test_few_rows_and_no_resamples():
    found = how_many([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1], [0.2], [5.2]], sizes=range(1, 9), resamples=0)
    assert found.sizes == (1, 2)
    assert np.isfinite(found.curves["elbow"]).all()
    assert how_many(np.ones((9, 2)), sizes=[1], resamples=1).verdict == 1


def test_bad_input_is_refused_by_name():
    with pytest.raises(ValueError, match="learner must be a KMeans or a GaussianMixture, got str"):
        how_many(clumps(2), learner="kmeans")
    with pytest.raises(ValueError, match="sizes must be rising"):
        how_many(clumps(2), sizes=[3, 2])
    with pytest.raises(ValueError, match="four rows at least"):
        how_many([[1.0]])
    with pytest.raises(ValueError, match="X contains NaN: column 'x0', row 0"):
        how_many([[np.nan]] * 5)
