"""Descent on the cross-entropy in batches: the loop written out, its limits, and what it refuses."""

import warnings

import numpy as np
import pytest

from glaswerk import kernels
from glaswerk.base import Warned
from glaswerk.facts import Statement
from glaswerk.learners import LogisticRegression
from glaswerk.losses import cross_entropy, softmax_cross_entropy


def table(n=120, d=3, classes=2, seed=0):
    rng = np.random.default_rng([seed, n, d, classes])
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1) + 0.5
    Z = X @ rng.normal(size=(d, classes)) + 2 * rng.gumbel(size=(n, classes))
    return X, Z.argmax(axis=1)


def batches(X, y, size, epochs=5, rate=0.01, weight=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        model = LogisticRegression(solver="descent", learning_rate=rate, max_iter=epochs, tol=0.0, batch_size=size,
                                   **{"shuffle": False, **options})  # fmt: skip
        return model.fit(X, y, sample_weight=weight)


def written_out(X, y, size, epochs, rates, penalty, orders, weight, intercept=True):
    """Script E, (7): θ ← θ - η ∇F_B for slices of the order, the penalty shared out by weight; F after every epoch."""
    A, K = np.column_stack([X, np.full(len(X), float(intercept))]), int(y.max()) + 1
    loss = cross_entropy if K == 2 else softmax_cross_entropy
    theta = np.zeros((1 if K == 2 else K, A.shape[1]))
    pays, values = np.append(np.ones(X.shape[1]), 0.0), []
    for epoch in range(epochs + 1):
        value = (weight * loss(theta @ A.T, y).value).sum() + penalty / 2 * ((theta * pays) ** 2).sum()
        values.append(value)
        for start in range(0, len(X) if epoch < epochs else 0, size):
            B = orders[epoch][start : start + size]
            slope = loss(theta @ A[B].T, y[B]).slope * weight[B]
            theta = theta - rates[epoch] * (slope @ A[B] + penalty * weight[B].sum() / weight.sum() * theta * pays)
    return theta, np.array(values)


@pytest.mark.parametrize("size", [1, 7, 50, 500])
@pytest.mark.parametrize("classes", [2, 3])
def test_slices_are_the_loop_of_the_script(size, classes):
    """[NAN-7] Consecutive slices, weights as repetitions, a rate that decays, the objective of all rows."""
    X, y = table(classes=classes)
    weight = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    model = batches(X, y, size, rate=0.02, weight=weight, decay=0.5, C=0.5)
    rates = 0.02 / (1 + 0.5 * np.arange(5))
    wanted, values = written_out(X, y, size, 5, rates, 2.0, [np.arange(120)] * 5, weight)
    np.testing.assert_allclose(model.solution_.trace[:, 1], values, rtol=1e-11)
    np.testing.assert_allclose(model.solution_.trace[1:, 3], rates, rtol=1e-15)
    found = np.column_stack([model.coef_, model.intercept_])
    np.testing.assert_allclose(found, wanted - (wanted.mean(axis=0) if classes > 2 else 0), rtol=1e-9, atol=1e-12)


def test_single_rows_are_shuffled_anew_every_epoch_by_the_seed():
    """[NAN-SGD]"""
    X, y = table()
    model = batches(X, y, 1, 3, shuffle=True, random_state=4, fit_intercept=False)
    orders = [np.random.default_rng([4, epoch]).permutation(120) for epoch in range(3)]
    wanted, values = written_out(X, y, 1, 3, [0.01] * 3, 1.0, orders, np.ones(120), intercept=False)
    np.testing.assert_allclose(model.solution_.trace[:, 1], values, rtol=1e-12)
    np.testing.assert_allclose(model.coef_, wanted[:, :-1], rtol=1e-10)
    assert model.intercept_[0] == 0
    again, other = batches(X, y, 1, 3, shuffle=True, random_state=4), batches(X, y, 1, 3, shuffle=True, random_state=5)
    np.testing.assert_array_equal(batches(X, y, 1, 3, shuffle=True, random_state=4).coef_, again.coef_)
    assert (again.coef_ != other.coef_).any()


@pytest.mark.parametrize("classes", [2, 3])
def test_a_batch_of_all_rows_is_descent_of_all_rows(classes):
    X, y = table(classes=classes)
    whole, batch = batches(X, y, None, 20, 0.005), batches(X, y, len(y), 20, 0.005)
    np.testing.assert_allclose(batch.solution_.trace, whole.solution_.trace, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(batch.coef_, whole.coef_, rtol=1e-10)


@pytest.mark.parametrize("classes", [2, 4])
def test_safe_rates_that_decay_come_near_the_answer(classes):
    X, y = table(600, classes=classes)
    best = LogisticRegression(tol=1e-8).fit(X, y)
    model = batches(X, y, 8, 200, "lipschitz", shuffle=True, decay=0.05)
    assert model.solution_.objective <= best.solution_.objective * 1.002
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), atol=0.05)


def test_balanced_classes_weigh_the_steps():
    X, y = table()
    y = np.where(np.arange(120) % 4 > 0, 0, y)
    share = np.bincount(y)
    by_hand = (120 / (2 * share))[y]
    a, b = batches(X, y, 10, class_weight="balanced"), batches(X, y, 10, weight=by_hand)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-10)


def test_scores_without_bound_overflow_nowhere():
    X, y = table(classes=3)
    for codes in (y, (y > 0).astype(int)):
        q = 3 if codes.max() == 2 else 1
        theta = np.full((q, 4), 1e200) * np.arange(1, q + 1)[:, None]
        kernels.class_epoch(X, codes.astype(float), np.zeros(0), np.arange(120), 10, 1.0, 0.0, True, theta)
        assert np.isfinite(theta).all()


def test_the_words_name_epochs_and_the_cloud():
    X, y = table()
    model = batches(X, y, 1, 30, 0.3, shuffle=True)
    told = " ".join(s for one in model.facts().of_kind(Statement) for s in one.sentences)
    assert "an epoch of steps down the gradients of 1 row(s): 30 epochs" in told
    assert "A step sees 1 row(s)" in told and "a cloud, not a point" in told


def test_a_rate_far_too_large_is_stopped_and_one_that_is_not_done_says_what_helps():
    X, y = table()
    with pytest.warns(Warned, match="diverged within"):
        LogisticRegression(solver="descent", batch_size=5, learning_rate=1e3).fit(X * 100, y)
    with pytest.warns(Warned, match="lower learning_rate or set decay"):
        LogisticRegression(solver="descent", batch_size=5, max_iter=3).fit(X, y)


def test_what_batches_cannot_do_is_refused_in_words():
    X, y = table()
    with pytest.raises(ValueError, match=r"batch_size=5 is for solver='descent'; solver='newton' takes all rows"):
        LogisticRegression(batch_size=5).fit(X, y)
    with pytest.raises(ValueError, match="'backtracking' needs the objective of all rows at every step"):
        LogisticRegression(solver="descent", learning_rate="backtracking", batch_size=5).fit(X, y)
    frame = pytest.importorskip("pandas").DataFrame({"a": X[:, 0], "y": y})
    with pytest.raises(ValueError, match=r"batch_size=5 needs the rows in memory, fit\(X, y\)"):
        LogisticRegression(solver="descent", batch_size=5).fit_source(frame, "y")
    with pytest.raises(ValueError, match="batch_size"):
        LogisticRegression(solver="descent", batch_size=0).fit(X, y)
