"""SVC: known machines, libsvm as oracle, proofs of the optimum, weights, kernels of one's own, edges, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import svm
from sklearn.calibration import _SigmoidCalibration
from sklearn.pipeline import make_pipeline

from glaswerk import SVC, Landmarks, Model, PolynomialBasis, StandardScaler, load, load_iris, save
from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Curve, Table
from glaswerk.stats.calibration import fit_sigmoid

FINE = 1e-7


def two_classes(n=200, d=3, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X[:, 0] * X[:, 1] + noise * rng.normal(size=n) > 0, "yes", "no")


def iris():
    table = load_iris()
    X = np.column_stack([table[name].numbers() for name in table.names[:4]])
    return X, np.array(table[table.names[4]].distinct_levels())[table[table.names[4]].codes()]


# Known numbers


def test_two_rows_have_the_plane_between_them():
    """[SCH-SOFT] [SCH-W] w = 2 (b - a) / |b - a|², half way."""
    model = SVC(kernel="linear", C=10.0).fit([[0.0, 0.0], [2.0, 0.0]], [0, 1])
    np.testing.assert_allclose(model.coef_, [[1, 0]], atol=1e-6)
    np.testing.assert_allclose(model.intercept_, [-1], atol=1e-6)
    np.testing.assert_allclose(np.abs(model.dual_coef_), [[0.5, 0.5]], atol=1e-6)
    assert model.solution_.machines[0].width == pytest.approx(2, rel=1e-5)


def test_exclusive_or_needs_a_kernel():
    """(aᵀb + 1)² on the four corners: every α is 1/8, the margin 2√2 in the space of features."""
    X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    y = [0, 1, 1, 0]
    model = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=np.inf).fit(X, y)
    np.testing.assert_allclose(np.abs(model.dual_coef_), np.full((1, 4), 0.125), atol=1e-6)
    np.testing.assert_allclose(model.decision_function(X), [-1, 1, 1, -1], atol=1e-6)
    assert model.solution_.machines[0].width == pytest.approx(2 * np.sqrt(2), rel=1e-6)
    with pytest.raises(ValueError, match=r"not separable: .* take a finite C"):
        SVC(kernel="linear", C=np.inf).fit(X, y)


# Oracle


@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_machines_equal_libsvms(kernel, C):
    X, y = two_classes()
    ours = SVC(kernel=kernel, C=C, tol=FINE).fit(X, y)
    theirs = svm.SVC(kernel=kernel, C=C, tol=FINE).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-5 * max(1, C))
    machine = ours.solution_.machines[0]
    beta = theirs.dual_coef_[0]
    K = machine_kernel(ours, theirs.support_vectors_)
    dual = np.abs(beta).sum() - 0.5 * beta @ K @ beta
    assert machine.dual == pytest.approx(dual, rel=1e-8)
    assert machine.gap < 1e-6
    if kernel != "linear":  # where a plane has degenerate rows, libsvm stops short of some bounds
        assert ours.support_.tolist() == theirs.support_.tolist()
        assert ours.n_support_.tolist() == theirs.n_support_.tolist()


def machine_kernel(model, rows):
    return model.solution_.kernel.matrix(rows - model.solution_.origin, rows - model.solution_.origin)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_several_classes_equal_libsvms(kernel, shape):
    X, y = iris()
    ours = SVC(kernel=kernel, tol=FINE, decision_function_shape=shape).fit(X, y)
    theirs = svm.SVC(kernel=kernel, tol=FINE, decision_function_shape=shape).fit(X, y)
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    # libsvm rounds the cells of its matrix to single precision and never looks back: 6e-8 of some hundreds.
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=3e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=3e-4)
    assert max(machine.gap for machine in ours.solution_.machines) < 1e-5
    if kernel == "linear":
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


def test_class_weights_equal_libsvms():
    X, y = two_classes()
    for weight in ("balanced", {"yes": 3.0}):
        ours = SVC(class_weight=weight, tol=FINE).fit(X, y)
        theirs = svm.SVC(class_weight=weight, tol=FINE).fit(X, y)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)


def test_a_function_a_matrix_and_a_name_are_the_same_kernel():
    X, y = two_classes()
    named = SVC(kernel="poly", degree=2, gamma=0.5, coef0=1.0, tol=FINE).fit(X, y)
    own = SVC(kernel=lambda A, B: (0.5 * A @ B.T + 1) ** 2, tol=FINE).fit(X, y)
    cells = (0.5 * X @ X.T + 1) ** 2
    given = SVC(kernel="precomputed", tol=FINE).fit(cells, y)
    for other in (own.decision_function(X), given.decision_function(cells)):
        np.testing.assert_allclose(other, named.decision_function(X), atol=1e-4)


def test_the_polynomial_trick_and_the_kernel_find_the_same_plane():
    """R77: the features of the kernel written out, and a plane in them."""
    X, y = two_classes(noise=0.1)
    kernel = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, tol=FINE).fit(X, y)
    weights = np.array([np.sqrt(2)] * 3 + [1, np.sqrt(2), np.sqrt(2), 1, np.sqrt(2), 1])
    features = PolynomialBasis(2).fit_transform(X) * weights
    trick = SVC(kernel="linear").fit(np.asarray(features), y)
    np.testing.assert_allclose(trick.decision_function(features), kernel.decision_function(X), atol=1e-4)


def test_landmarks_and_a_plane_do_what_the_kernel_does():
    """R48, R77."""
    X, y = two_classes(600, noise=0.05)
    marks = make_pipeline(StandardScaler(), Landmarks(n_landmarks=60), SVC(kernel="linear", C=10.0)).fit(X, y)
    assert marks.score(X, y) > 0.9
    assert SVC(kernel="linear").fit(X, y).score(X, y) < 0.7


# Laws


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["linear", "rbf"]))
def test_weight_two_is_the_row_twice_and_weight_nothing_no_row(seed, kernel):
    X, y = two_classes(60, seed=seed)
    weight = np.random.default_rng(seed).integers(0, 3, 60)
    weight[[np.flatnonzero(y == "yes")[0], np.flatnonzero(y == "no")[0]]] = 1
    counted = SVC(kernel=kernel, gamma=0.5, tol=FINE).fit(X, y, sample_weight=weight)
    repeated = SVC(kernel=kernel, gamma=0.5, tol=FINE).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(counted.decision_function(X), repeated.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_shift_of_the_columns_changes_nothing(kernel):
    X, y = two_classes()
    here = SVC(kernel=kernel, tol=FINE).fit(X, y).decision_function(X)
    there = SVC(kernel=kernel, tol=FINE).fit(X + 1e6, y).decision_function(X + 1e6)
    np.testing.assert_allclose(there, here, atol=1e-5)


def test_the_same_bits_on_any_number_of_threads():
    X, y = iris()
    one, two = SVC(n_jobs=1).fit(X, y), SVC(n_jobs=2).fit(X, y)
    assert one.decision_function(X).tobytes() == two.decision_function(X).tobytes()


# Probabilities


def test_probabilities_come_from_rows_held_out():
    X, y = two_classes(1500, noise=1.0)
    train, test = slice(0, 1000), slice(1000, 1500)
    model = SVC(calibration=5).fit(X[train], y[train])
    shares = model.predict_proba(X[test])
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)
    sure = np.abs(shares[:, 1] - 0.5) > 0.2
    right = (y[test] == "yes")[sure]
    assert abs(shares[sure, 1].mean() - right.mean()) < 0.06
    assert any("σ(A f + B)" in table.title for table in model.facts().of_kind(Table))


def test_the_sigmoid_equals_scikit_learns_calibration():
    values = np.random.default_rng(0).normal(size=400)
    positive = values + np.random.default_rng(1).normal(size=400) > 0
    theirs = _SigmoidCalibration().fit(values, positive.astype(int))
    slope, start = fit_sigmoid(values, positive, np.ones(400))
    np.testing.assert_allclose([-slope, -start], [theirs.a_, theirs.b_], rtol=1e-4)


def test_probabilities_of_three_classes():
    X, y = iris()
    shares = SVC(calibration=5).fit(X, y).predict_proba(X)
    assert shares.shape == (150, 3)
    assert (shares[np.arange(150), np.searchsorted(np.unique(y), y)] > 0.5).mean() > 0.93


# Facts


def test_the_facts_prove_the_optimum():
    X, y = two_classes()
    facts = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0).fit(X, y).facts()
    machines = facts.of_kind(Table)[0]
    row = dict(zip(machines.columns, machines.rows[0], strict=True))
    assert 0 <= row["relative gap"] < 0.01
    assert row["worst KKT violation"] < 0.01
    assert row["primal"] >= row["dual"]
    assert any("10 features; written out" in note for note in machines.notes)
    assert facts.of_kind(Curve)
    assert SVC(kernel="linear").fit(X, y).facts().of_kind(Coefficients)


def test_a_hard_margin_comes_with_its_certificate():
    X, y = iris()
    model = SVC(kernel="linear", C=np.inf).fit(X[:100], y[:100])
    assert "separable: a plane verified on every row" in model.facts().of_kind(Table)[0].notes[-1]
    soft = svm.SVC(kernel="linear", C=1e6, tol=FINE).fit(X[:100], y[:100])
    np.testing.assert_allclose(model.coef_, soft.coef_, rtol=1e-4, atol=1e-5)


def test_it_survives_a_file_and_takes_a_table(tmp_path):
    model = Model(SVC(C=2.0)).fit(load_iris(), target="species")
    model.save(tmp_path / "m.glaswerk")
    again = load(tmp_path / "m.glaswerk")
    assert again.predict(load_iris()).tolist() == model.predict(load_iris()).tolist()
    X, y = two_classes()
    save(SVC().fit(X, y), tmp_path / "a.glaswerk")
    np.testing.assert_array_equal(
        load(tmp_path / "a.glaswerk").decision_function(X), SVC().fit(X, y).decision_function(X)
    )


# Edges


def test_gamma_so_large_that_rows_are_like_themselves_only():
    X, y = two_classes(80)
    model = SVC(gamma=1e9, C=1.0).fit(X, y)
    assert model.score(X, y) == 1
    assert len(model.support_) == 80
    far = model.decision_function(np.full((1, 3), 1e6))
    np.testing.assert_allclose(far, model.intercept_, atol=1e-12)


def test_contradictory_rows_and_columns_that_do_not_vary():
    X = np.ones((6, 2))
    model = SVC().fit(X, [0, 1, 0, 1, 0, 0])
    assert model.predict(X).tolist() == [0] * 6
    with pytest.raises(ValueError, match="not separable"):
        SVC(C=np.inf).fit(X, [0, 1, 0, 1, 0, 0])


def test_columns_of_all_sizes():
    X, y = two_classes()
    model = SVC().fit(X * [1e12, 1e-12, 1.0], y)
    assert np.isfinite(model.decision_function(X * [1e12, 1e-12, 1.0])).all()
    with pytest.raises(ValueError, match="beyond all numbers on these rows: scale the columns"):
        SVC(kernel="poly", degree=5, gamma=1.0).fit(X * 1e12, y)


def test_a_fit_cut_short_says_so():
    X, y = two_classes()
    with pytest.warns(Warned, match="has not converged after 5 steps: primal and dual differ by"):
        SVC(max_iter=5).fit(X, y)


# Bad input


def test_refusals_say_what_is_allowed():
    X, y = two_classes(20)
    with pytest.raises(AttributeError, match="calibration=5"):
        SVC().fit(X, y).predict_proba  # noqa: B018
    with pytest.raises(ValueError, match="calibration=5"):
        SVC(probability=True).fit(X, y)
    with pytest.raises(ValueError, match=r"kernel must be .*'linear'.*got 'cosine'"):
        SVC(kernel="cosine").fit(X, y)
    with pytest.raises(ValueError, match="class_weight must give a number > 0 to classes among"):
        SVC(class_weight={"maybe": 2.0}).fit(X, y)
    with pytest.raises(ValueError, match="a precomputed kernel is a square matrix"):
        SVC(kernel="precomputed").fit(X, y)
    with pytest.raises(ValueError, match="one finite number per pair of rows"):
        SVC(kernel=lambda A, B: A).fit(X, y)
    with pytest.raises(AttributeError, match="kernel='linear' only"):
        SVC().fit(X, y).coef_  # noqa: B018
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="column 'x1', row 3"):
        SVC().fit(X, y)
    with pytest.raises(ValueError, match="holds only 1 class, 1; two at least are needed"):
        SVC().fit(np.ones((3, 1)), [1, 1, 1])


def test_every_weight_at_its_bound_is_proved_too():
    """So small a C that every row is inside the margin: primal and dual meet, and no condition is broken."""
    rng = np.random.default_rng(7)
    y = np.repeat([-1, 1], 20)
    X = np.column_stack([1.1 * y, np.zeros(40)]) + 0.8 * rng.normal(size=(40, 2))
    machine = SVC(kernel="linear", C=1e-3).fit(X, y).solution_.machines[0]
    assert machine.bounded == len(machine.rows) == 40
    assert machine.violation < 1e-9
    assert abs(machine.gap) < 1e-12
