"""A feed-forward network as arrays: forward, backward, and how one row travels through it.

    z⁽ˡ⁾ = W⁽ˡ⁾ᵀ a⁽ˡ⁻¹⁾ + b⁽ˡ⁾,  a⁽ˡ⁾ = g(z⁽ˡ⁾)                                                          [BG-MLP]
    δ⁽ᴸ⁾ = y - t,  δ⁽ˡ⁾ = g'(z⁽ˡ⁾) ∘ W⁽ˡ⁺¹⁾ δ⁽ˡ⁺¹⁾,  ∂E/∂W⁽ˡ⁾ = a⁽ˡ⁻¹⁾ δ⁽ˡ⁾ᵀ                            [BG-BACKPROP]

This is the readable statement; `kernels.network` is the same loop compiled, and a test holds them equal.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.losses import sigmoid, softmax

ACTIVATIONS = ("identity", "tanh", "logistic", "relu")
OUTPUTS = ("squared", "binary", "softmax")
Numbers = NDArray[Any]


@storable("Shape", version=1)
@dataclass(frozen=True)
class Shape:
    """Widths of the layers from input to output, the activation inside, and what the output means."""

    widths: tuple[int, ...]
    hidden: str
    output: str

    @property
    def n_parameters(self) -> int:
        return sum((a + 1) * b for a, b in zip(self.widths, self.widths[1:], strict=False))

    def layers(self, theta: Numbers) -> list[tuple[Numbers, Numbers]]:
        """W (in, out) and b (out,) of every layer, as views of θ."""
        found, t = [], 0
        for wide, out in zip(self.widths, self.widths[1:], strict=False):
            found.append((theta[t : t + wide * out].reshape(wide, out), theta[t + wide * out : t + (wide + 1) * out]))
            t += (wide + 1) * out
        return found

    def start(self, random: np.random.RandomState) -> Array:
        """Small random weights, even in ±√(6 / (in + out)) (2 for logistic units): scores keep their size [BG-MLP]."""
        parts = []
        for wide, out in zip(self.widths, self.widths[1:], strict=False):
            bound = np.sqrt((2.0 if self.hidden == "logistic" else 6.0) / (wide + out))
            parts += [random.uniform(-bound, bound, (wide, out)).ravel(), random.uniform(-bound, bound, out)]
        return np.concatenate(parts)

    def check(self) -> None:
        if len(self.widths) < 2 or min(self.widths) < 1:
            raise ValueError("a network has an input and an output, of one unit at least")
        if self.hidden not in ACTIVATIONS or self.output not in OUTPUTS:
            raise ValueError("a network needs a known activation and a known output")


def bend(Z: Numbers, kind: str) -> Numbers:
    """g(z)."""
    match kind:
        case "tanh":
            found: Numbers = np.tanh(Z)
        case "logistic":
            found = sigmoid(Z)
        case "relu":
            found = np.maximum(Z, 0)
        case _:
            found = Z
    return found


def slope_of(A: Numbers, kind: str) -> Numbers:
    """g'(z), from a = g(z)."""
    match kind:
        case "tanh":
            found: Numbers = 1 - A * A
        case "logistic":
            found = A * (1 - A)
        case "relu":
            found = (A > 0).astype(A.dtype)
        case _:
            found = np.ones_like(A)
    return found


def forward(shape: Shape, theta: Numbers, X: Numbers) -> list[Numbers]:
    """What every layer passes on; the last are scores."""
    passed = [X]
    layers = shape.layers(theta)
    for number, (W, b) in enumerate(layers):
        Z = passed[-1] @ W + b
        passed.append(bend(Z, shape.hidden) if number < len(layers) - 1 else Z)
    return passed


def answers(shape: Shape, scores: Numbers) -> Numbers:
    """What the scores mean: numbers, the probability of the second class, or of every class."""
    match shape.output:
        case "binary":
            found: Numbers = sigmoid(scores)
        case "softmax":
            found = softmax(scores.T).T
        case _:
            found = scores
    return found


def losses(shape: Shape, scores: Numbers, Y: Numbers) -> Array:
    """What every row costs: half its squared error, or the cross-entropy of its class."""
    match shape.output:
        case "binary":
            found: Array = np.logaddexp(0.0, scores[:, 0]) - Y[:, 0] * scores[:, 0]
        case "softmax":
            found = np.logaddexp.reduce(scores, axis=1) - (Y * scores).sum(axis=1)
        case _:
            found = 0.5 * ((scores - Y) ** 2).sum(axis=1)
    return found


@dataclass(frozen=True, eq=False)
class Backward:
    """One pass back: what every layer passed on, its δ for every row, and the gradients of W and b."""

    passed: list[Numbers]
    deltas: list[Numbers]
    gradients: list[tuple[Numbers, Numbers]]

    def flat(self) -> Array:
        """The gradient in the order of θ."""
        return np.concatenate([np.concatenate([W.ravel(), b]) for W, b in self.gradients])


def backward(shape: Shape, theta: Numbers, X: Numbers, Y: Numbers, weight: Numbers, ridge: float) -> Backward:
    """[BG-BACKPROP] The gradient of the mean loss + ridge |W|² / 2n, layer by layer."""
    passed, layers = forward(shape, theta, X), shape.layers(theta)
    each = weight[:, None] if weight.size else np.ones((len(X), 1))
    whole = float(each.sum())
    delta: Numbers = each * (answers(shape, passed[-1]) - Y)
    deltas: list[Numbers] = [delta]
    gradients: list[tuple[Numbers, Numbers]] = []
    for number in range(len(layers) - 1, -1, -1):
        W = layers[number][0]
        gradients.insert(0, ((passed[number].T @ delta + ridge * W) / whole, delta.sum(axis=0) / whole))
        if number:
            delta = (delta @ W.T) * slope_of(passed[number], shape.hidden)
            deltas.insert(0, delta)
    return Backward(passed, deltas, gradients)


def objective(shape: Shape, theta: Numbers, X: Numbers, Y: Numbers, weight: Numbers, ridge: float) -> float:
    """The mean loss + ridge |W|² / 2n."""
    each = weight if weight.size else np.ones(len(X))
    loss = float(each @ losses(shape, forward(shape, theta, X)[-1], Y))
    squares = sum(float((W * W).sum()) for W, _ in shape.layers(theta))
    return (loss + 0.5 * ridge * squares) / float(each.sum())


def difference_gradient(
    shape: Shape, theta: Array, X: Array, Y: Array, weight: Array, ridge: float, places: NDArray[np.intp]
) -> Array:
    """The gradient at some places of θ by central differences: slow, and blind to how `backward` was written."""
    found = np.empty(len(places))
    for k, place in enumerate(places):
        step = 1e-5 * max(1.0, abs(float(theta[place])))
        up, down = theta.copy(), theta.copy()
        up[place] += step
        down[place] -= step
        rise = objective(shape, up, X, Y, weight, ridge) - objective(shape, down, X, Y, weight, ridge)
        found[k] = rise / (2 * step)
    return found
