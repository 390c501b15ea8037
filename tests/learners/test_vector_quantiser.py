"""VectorQuantizer: the rule written out, the error as oracle, where it converges, edges, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import KMeans, VectorQuantizer
from glaswerk.base import Warned
from glaswerk.facts import Curve
from tests.learners.test_kmeans import clumps


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_rule_written_out(d):  # [BG-VQSTEP]
    X = clumps(80, d, 3)
    w, shown = X[:3].copy(), [X[:3].copy()]
    for epoch in range(4):
        for step, x in enumerate(X):
            c = ((x - w) ** 2).sum(axis=1).argmin()
            w[c] += 0.2 / (1 + 0.5 * (epoch + step / 80)) * (x - w[c])
        shown.append(w.copy())
    model = VectorQuantizer(
        3, init=X[:3], learning_rate=0.2, decay=0.5, max_iter=4, tol=0, shuffle=False, trace=True
    ).fit(X)
    np.testing.assert_allclose(model.solution_.rounds.trail, shown, atol=1e-11)
    errors = [((X[:, None] - at) ** 2).sum(axis=2).min(axis=1).mean() for at in shown]
    np.testing.assert_allclose(model.solution_.rounds.assigned / 80, errors, rtol=1e-12)
    assert model.inertia_ == pytest.approx(errors[-1] * 80)
    assert model.n_iter_ == 4


def test_one_prototype_with_rate_one_over_n_is_the_running_mean():
    X = clumps(50, 2, 2)
    model = VectorQuantizer(1, init=X[:1], learning_rate=1.0, decay=50.0, max_iter=1, shuffle=False).fit(X)
    np.testing.assert_allclose(model.cluster_centers_[0], X.mean(axis=0), atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_it_comes_near_a_minimum_of_k_means_and_ends_when_flat(seed):
    X = clumps(400, 2, 4, seed, apart=8.0)
    model = VectorQuantizer(4, init="k-means++", random_state=seed, max_iter=200).fit(X)
    assert model.solution_.settled
    near = KMeans(4, init=model.cluster_centers_, tol=0).fit(X)
    assert near.inertia_ <= model.inertia_ * (1 + 1e-12)
    assert model.inertia_ <= 1.1 * near.inertia_
    again = VectorQuantizer(4, init="k-means++", random_state=seed, max_iter=200).fit(X)
    np.testing.assert_array_equal(again.cluster_centers_, model.cluster_centers_)


def test_mahalanobis_distance_does_not_see_units():
    X = clumps(200, 2, 3)
    plain, bent = (VectorQuantizer(3, init=Z[:3], metric="mahalanobis").fit(Z) for Z in (X, X * [1e4, 1e-3]))
    np.testing.assert_array_equal(plain.labels_, bent.labels_)
    np.testing.assert_allclose(plain.cluster_centers_ * [1e4, 1e-3], bent.cluster_centers_, rtol=1e-7)


def test_far_groups_equal_rows_and_one_row():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(50, 2)) + at for at in (-1e9, 1e9)])
    model = VectorQuantizer(4, init=X[[0, 1, -2, -1]], max_iter=5).fit(X)
    assert model.solution_.direct
    assert sorted(set(model.labels_[:50])) == [0, 1]
    with pytest.warns(Warned, match="only 1 of 3 prototypes"):
        assert VectorQuantizer(3).fit(np.ones((5, 2))).inertia_ == 0
    assert VectorQuantizer(1).fit([[3.0, 4.0]]).cluster_centers_.tolist() == [[3.0, 4.0]]


def test_what_it_says():
    facts = VectorQuantizer(3, max_iter=2, tol=0).fit(clumps()).facts()
    (curve,) = facts.of_kind(Curve)
    assert curve.lines[0].x == (0.0, 1.0, 2.0)
    assert "the epochs were used up" in str(facts)
    assert "the error was flat" in str(VectorQuantizer(3).fit(clumps()).facts())


def test_bad_input_is_refused_by_name():
    with pytest.raises(ValueError, match="n_samples=1 should be >= n_prototypes=8"):
        VectorQuantizer().fit([[1.0]])
    with pytest.raises(ValueError, match="learning_rate must be a number > 0 and <= 1"):
        VectorQuantizer(learning_rate=2.0).fit([[1.0]])
    with pytest.raises(ValueError, match=r"does not add over rows: it takes rows one by one.*sample=100_000"):
        VectorQuantizer().fit_source("rows.parquet")
