"""MLP: scikit-learn's steps to the last digits, truth recovered, resumption, overfitting shown, edges, bad input."""

import numpy as np
import pytest
from sklearn import neural_network

from glaswerk import MLPClassifier, MLPRegressor, Model, load, load_iris, save
from glaswerk.base import Warned
from glaswerk.facts import Curve, Table

STEPS = [
    {"solver": "adam"},
    {"solver": "sgd"},
    {"solver": "sgd", "nesterovs_momentum": False},
    {"solver": "sgd", "momentum": 0.0, "learning_rate": "invscaling"},
    {"solver": "sgd", "learning_rate": "adaptive", "learning_rate_init": 0.1, "max_iter": 40},
]
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*has not converged|.*reached", "ignore::sklearn.exceptions.ConvergenceWarning"
)


def rows(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1]


def flat(model):
    return np.concatenate(
        [np.concatenate([W.ravel(), b]) for W, b in zip(model.coefs_, model.intercepts_, strict=True)]
    )


# Oracle: the same start, the same slices, the same steps


@pytest.mark.parametrize("steps", STEPS, ids=lambda s: "-".join(map(str, s.values())))
@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
def test_every_step_is_scikit_learns(activation, steps):
    X, y = rows()
    settings = {
        "hidden_layer_sizes": (8, 4), "activation": activation, "batch_size": 32, "random_state": 3, "max_iter": 8,
        **steps,
    }  # fmt: skip
    for ours, theirs, target in (
        (MLPRegressor, neural_network.MLPRegressor, y),
        (MLPClassifier, neural_network.MLPClassifier, (y > 0).astype(int) + (y > 1)),
        (MLPClassifier, neural_network.MLPClassifier, y > 0),
    ):
        one, two = ours(**settings).fit(X, target), theirs(**settings).fit(X, target)
        np.testing.assert_allclose(flat(one), flat(two), atol=1e-6 if steps.get("max_iter") else 1e-10)
        np.testing.assert_allclose(one.loss_curve_, two.loss_curve_, rtol=1e-6 if steps.get("max_iter") else 1e-10)


def test_predictions_are_scikit_learns():
    X, y = rows()
    ours = MLPRegressor((6,), max_iter=5).fit(X, y)
    theirs = neural_network.MLPRegressor(hidden_layer_sizes=(6,), max_iter=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-12)
    classes = np.array(["a", "b", "c"])[(y > 0).astype(int) + (y > 1)]
    ours = MLPClassifier((6,), max_iter=5).fit(X, classes)
    theirs = neural_network.MLPClassifier(hidden_layer_sizes=(6,), max_iter=5, random_state=0).fit(X, classes)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()


# Truth


@pytest.mark.parametrize(("solver", "most"), [("lbfgs", 500), ("rprop", 600), ("adam", 1500)])
def test_a_sine_is_learnt(solver, most):
    x = np.linspace(-1, 1, 80)[:, None]
    model = MLPRegressor(
        (12,), "tanh", solver=solver, max_iter=most, tol=1e-9, alpha=0.0, learning_rate_init=0.01, n_iter_no_change=100
    ).fit(x, np.sin(3 * x[:, 0]))
    assert np.abs(model.predict(x) - np.sin(3 * x[:, 0])).max() < 0.1
    assert model.loss_curve_[-1] < 0.01 * model.loss_curve_[0]


def test_quasi_newton_never_goes_up():
    X, y = rows()
    losses = MLPRegressor((8,), "tanh", solver="lbfgs", max_iter=100).fit(X, y).loss_curve_
    assert (np.diff(losses) <= 1e-12).all()


def test_the_penalty_draws_weights_in():
    """[BG-DECAY]"""
    X, y = rows()
    sizes = [
        np.square(flat(MLPRegressor((8,), "tanh", solver="lbfgs", max_iter=200, alpha=alpha).fit(X, y))).sum()
        for alpha in (1e-4, 1.0, 100.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


# Laws


@pytest.mark.parametrize("solver", ["adam", "sgd", "rprop"])
def test_going_on_is_as_if_it_had_never_stopped(solver, tmp_path):
    X, y = rows()
    settings = {"hidden_layer_sizes": (5,), "solver": solver, "batch_size": 16, "tol": 0.0}
    whole = MLPRegressor(max_iter=12, **settings).fit(X, y)
    save(MLPRegressor(max_iter=7, warm_start=True, **settings).fit(X, y), tmp_path / "half.glaswerk")
    half = load(tmp_path / "half.glaswerk").set_params(max_iter=5).fit(X, y)
    assert flat(half).tobytes() == flat(whole).tobytes()
    assert half.loss_curve_ == whole.loss_curve_


def test_weight_two_is_the_row_twice_for_whole_passes():
    X, y = rows(60)
    weight = np.arange(60) % 3
    settings = {"hidden_layer_sizes": (5,), "activation": "tanh", "solver": "lbfgs", "max_iter": 30}
    counted = MLPRegressor(**settings).fit(X, y, sample_weight=weight)
    repeated = MLPRegressor(**settings).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(counted.predict(X), repeated.predict(X), atol=1e-6)


def test_single_precision_is_near():
    X, y = rows()
    double = MLPRegressor((8,), max_iter=20).fit(X, y)
    single = MLPRegressor((8,), max_iter=20, precision="single").fit(X, y)
    assert single.coefs_[0].dtype == np.float32
    np.testing.assert_allclose(single.predict(X), double.predict(X), atol=1e-4)


# Facts


def test_training_and_validation_loss_of_every_epoch_show_overfitting():
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(60, 5)), rng.normal(size=60)
    model = MLPRegressor((60,), "tanh", solver="lbfgs", max_iter=300, track_validation=True, alpha=0.0).fit(X, noise)
    curve = model.facts().of_kind(Curve)[0]
    assert [line.name for line in curve.lines] == ["training rows", "rows held out"]
    assert "from there the network overfits" in curve.says
    assert len(model.validation_loss_curve_) == len(model.loss_curve_)


def test_stopping_early_keeps_the_best_weights():
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(100, 5)), rng.normal(size=100)
    model = MLPRegressor((40,), max_iter=400, early_stopping=True, learning_rate_init=0.01).fit(X, noise)
    assert model.solution_.kept == int(np.argmin(model.validation_loss_curve_)) + 1
    assert model.n_iter_ < 400


def test_inspection_shows_layers_and_proves_its_gradients():
    X, y = rows(30)
    facts = MLPRegressor((6, 3), "tanh", max_iter=5).fit(X, y).inspect(X, y)
    layers = facts.of_kind(Table)[0]
    assert [row[1] for row in layers.rows] == [6, 3, 1]
    assert float(layers.notes[0].split()[-1]) < 1e-6
    assert len(facts) == 5
    (sizes,) = facts.of_kind(Curve)
    assert [line.name for line in sizes.lines] == ["activations", "δ, sent back", "gradient of a weight"]
    assert all(value > 0 for line in sizes.lines for value in line.y)


def test_it_takes_a_table_and_survives_a_file(tmp_path):
    model = Model(MLPClassifier((5,), max_iter=20)).fit(load_iris(), target="species")
    model.save(tmp_path / "m.glaswerk")
    again = load(tmp_path / "m.glaswerk")
    np.testing.assert_array_equal(again.predict_proba(load_iris()), model.predict_proba(load_iris()))


# Edges and bad input


def test_one_row_several_targets_and_no_hidden_layer():
    model = MLPRegressor((), solver="lbfgs", max_iter=50).fit([[1.0]], [[2.0, 3.0]])
    assert model.predict([[1.0]]).shape == (1, 2)
    assert MLPRegressor(4, max_iter=2).fit(np.ones((5, 2)), np.ones(5)).n_layers_ == 3


def test_refusals():
    X, y = rows(20)
    with pytest.raises(
        ValueError, match=r"hidden_layer_sizes must be an integer >= 1 or a tuple of such, got \(3, 0\)"
    ):
        MLPRegressor((3, 0)).fit(X, y)
    with pytest.raises(ValueError, match=r"grown beyond all numbers .* lower learning_rate_init"):
        MLPRegressor((8,), "identity", solver="sgd", learning_rate_init=1e6, max_iter=50).fit(X * 1e6, y)
    with pytest.raises(AttributeError, match="needs solver='sgd' or 'adam'"):
        MLPRegressor(solver="lbfgs").partial_fit(X, y)
    with pytest.raises(ValueError, match="too few to keep"):
        MLPRegressor(early_stopping=True).fit([[1.0]], [1.0])
    with pytest.raises(ValueError, match="has layers"):
        MLPRegressor((3,), warm_start=True, max_iter=2).fit(X, y).set_params(hidden_layer_sizes=(4,)).fit(X, y)
    with pytest.warns(Warned, match="has not converged after 3 epochs"):
        MLPRegressor((3,), max_iter=3).fit(X, y)
