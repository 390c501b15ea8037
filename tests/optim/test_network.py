"""Networks as arrays: a worked example, gradients against differences, the compiled epoch against this statement."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import kernels
from glaswerk.kernels import network as compiled
from glaswerk.optim.network import (
    ACTIVATIONS,
    OUTPUTS,
    Shape,
    answers,
    backward,
    bend,
    difference_gradient,
    forward,
    losses,
    objective,
    slope_of,
)

NOTHING = np.zeros(0)


def problem(shape, n=7, seed=0):
    rng = np.random.default_rng(seed)
    X, q = rng.normal(size=(n, shape.widths[0])), shape.widths[-1]
    Y = {
        "squared": lambda: rng.normal(size=(n, q)),
        "binary": lambda: rng.integers(0, 2, (n, q)).astype(float),
        "softmax": lambda: np.eye(q)[rng.integers(0, q, n)],
    }[shape.output]()
    return shape.start(np.random.RandomState(seed)), X, Y


def test_two_units_by_hand():
    """[BG-MLP] x = 1: units tanh(½) and tanh(-1), their sum with weights 2 and 1 and intercept ¼."""
    shape = Shape((1, 2, 1), "tanh", "squared")
    theta = np.array([0.5, -1.0, 0.0, 0.0, 2.0, 1.0, 0.25])
    scores = forward(shape, theta, np.array([[1.0]]))[-1]
    assert scores[0, 0] == pytest.approx(2 * np.tanh(0.5) + np.tanh(-1.0) + 0.25, rel=1e-15)
    assert losses(shape, scores, np.array([[1.0]]))[0] == pytest.approx(0.5 * (scores[0, 0] - 1) ** 2)
    found = backward(shape, theta, np.array([[1.0]]), np.array([[1.0]]), NOTHING, 0.0)
    miss = scores[0, 0] - 1
    np.testing.assert_allclose(found.deltas[0], [[miss * 2 / np.cosh(0.5) ** 2, miss / np.cosh(1) ** 2]])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=5),
    st.sampled_from(["identity", "tanh", "logistic"]),
    st.sampled_from(OUTPUTS),
    st.integers(0, 1000),
)
def test_backpropagation_equals_differences(widths, hidden, output, seed):
    """[BG-BACKPROP]"""
    if output == "binary":
        widths[-1] = 1
    shape = Shape(tuple(widths), hidden, output)
    theta, X, Y = problem(shape, seed=seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2, len(X))
    fast = backward(shape, theta, X, Y, weight, 0.3).flat()
    slow = difference_gradient(shape, theta, X, Y, weight, 0.3, np.arange(theta.size))
    np.testing.assert_allclose(fast, slow, atol=1e-7)


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("hidden", ACTIVATIONS)
@pytest.mark.parametrize("single", [False, True])
def test_the_compiled_epoch_is_this_pass_back(hidden, output, single):
    """One plain step of rate 1 over all rows moves θ by the gradient; the losses agree."""
    shape = Shape((3, 6, 4, 1 if output == "binary" else 3), hidden, output)
    theta, X, Y = problem(shape, 20)
    kind = np.float32 if single else np.float64
    weight = np.random.default_rng(1).uniform(0.5, 2, 20)
    moved, X32, Y32 = theta.astype(kind), X.astype(kind), Y.astype(kind)
    work = [np.zeros(20 * sum(shape.widths), kind) for _ in range(2)]
    memory = [np.zeros(theta.size, kind) for _ in range(3)]
    settings_ = np.array([1.0, 0, 0, 0.9, 0.999, 1e-8, 0.1], dtype=kind)
    run = kernels.network_epoch_single if single else kernels.network_epoch
    loss = run(
        X32, Y32, weight.astype(kind), np.arange(20), 20, np.array(shape.widths), ACTIVATIONS.index(hidden),
        OUTPUTS.index(output), compiled.PLAIN, settings_, 0, moved, *memory, *work,
    )  # fmt: skip
    expected = backward(shape, theta, X, Y, weight, 0.1).flat()
    np.testing.assert_allclose(theta - moved, expected, atol=2e-5 if single else 1e-13)
    total = objective(shape, theta, X, Y, weight, 0.1) * weight.sum()
    assert loss == pytest.approx(total, rel=1e-5 if single else 1e-12)


def test_slopes_are_those_of_the_bends():
    z = np.linspace(-3, 3, 61)
    for kind in ACTIVATIONS:
        difference = (bend(z + 1e-6, kind) - bend(z - 1e-6, kind)) / 2e-6
        smooth = np.abs(z) > 1e-9
        np.testing.assert_allclose(slope_of(bend(z, kind), kind)[smooth], difference[smooth], atol=1e-8)


def test_answers_are_probabilities_at_any_score():
    scores = np.array([[1000.0, -1000.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(answers(Shape((1, 3), "relu", "softmax"), scores), [[1, 0, 0], [1 / 3] * 3])
    one = Shape((1, 1), "relu", "binary")
    np.testing.assert_allclose(answers(one, np.array([[-1000.0], [0.0]])), [[0], [0.5]])
    assert losses(one, np.array([[-1000.0]]), np.array([[1.0]]))[0] == 1000


def test_a_shape_from_a_file_must_be_one():
    with pytest.raises(ValueError, match="an input and an output"):
        Shape((3,), "relu", "squared").check()
    with pytest.raises(ValueError, match="known activation"):
        Shape((3, 1), "swish", "squared").check()
