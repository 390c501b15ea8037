"""What backpropagation computes for some rows, layer by layer: passed on, sent back, gradients, and their proof."""

from collections.abc import Iterator

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Line, Table
from glaswerk.optim.network import Backward, Numbers, Shape, backward, difference_gradient

CHECKED = 200  # weights whose gradient is compared with differences
MOST_UNITS, MOST_ROWS = 6, 5  # written out of a layer


def backpropagation(shape: Shape, theta: Array, X: Array, Y: Array, ridge: float) -> Iterator[Fact]:
    """[BG-BACKPROP] The layers, a picture of their sizes, and the first units of each for the first rows."""
    found = backward(shape, theta, X, Y, np.zeros(0), ridge)
    yield _layers(found, _proof(found, shape, theta, X, Y, ridge))
    yield _sizes(found)
    for k, (passed, delta) in enumerate(zip(found.passed[1:], found.deltas, strict=True)):
        yield _units(k, passed, delta)


def _proof(found: Backward, shape: Shape, theta: Array, X: Array, Y: Array, ridge: float) -> str:
    """Gradients beside central differences."""
    places = np.unique(np.linspace(0, theta.size - 1, min(CHECKED, theta.size)).astype(np.intp))
    slow = difference_gradient(shape, theta, X, Y, np.zeros(0), ridge, places)
    exact = found.flat()[places]
    off = float(np.abs(slow - exact).max() / max(float(np.abs(exact).max()), 1e-12))
    return f"{len(places)} of {theta.size} gradients against central differences: relative difference {off:.1e}"


def _layers(found: Backward, proof: str) -> Table:
    heads = ("layer", "units", "mean activation", "share at rest", "largest |δ|", "|∂E/∂W|", "|∂E/∂b|")
    rows = tuple(
        (
            f"{number + 1}{' (output)' if number == len(found.deltas) - 1 else ''}", passed.shape[1],
            float(passed.mean()), float((passed == 0).mean()), float(np.abs(delta).max()),
            float(np.linalg.norm(W)), float(np.linalg.norm(b)),
        )
        for number, (passed, delta, (W, b)) in enumerate(
            zip(found.passed[1:], found.deltas, found.gradients, strict=True)
        )
    )  # fmt: skip
    return Table(f"Backpropagation through {len(found.passed[0])} rows", heads, rows, (proof,))


def _sizes(found: Backward) -> Curve:
    """Root mean squares of what every layer passes on, is sent back, and of the gradient of its weights."""
    layers = tuple(float(k) for k in range(1, len(found.deltas) + 1))
    sizes = {
        "activations": [_size(passed) for passed in found.passed[1:]],
        "δ, sent back": [_size(delta) for delta in found.deltas],
        "gradient of a weight": [_size(W) for W, _ in found.gradients],
    }
    lines = tuple(Line(name, layers, tuple(values)) for name, values in sizes.items())
    positive = all(value > 0 for values in sizes.values() for value in values)
    says = "Where the gradient fades from right to left, the first layers hardly learn."
    return Curve(
        "Backpropagation, layer by layer", "layer", "root mean square", lines, says,
        y_scale="log" if positive else "linear", notes=("The last layer is the output.",),
    )  # fmt: skip


def _size(cells: Numbers) -> float:
    return float(np.sqrt(np.mean(cells * cells)))


def _units(layer: int, passed: Numbers, delta: Numbers) -> Table:
    """Activation and δ of the first units, for the first rows."""
    units = range(min(MOST_UNITS, passed.shape[1]))
    heads = ("row", *(f"a of unit {u}" for u in units), *(f"δ of unit {u}" for u in units))
    rows = tuple(
        (r, *(float(passed[r, u]) for u in units), *(float(delta[r, u]) for u in units))
        for r in range(min(MOST_ROWS, len(passed)))
    )
    return Table(f"Layer {layer + 1}: what its units pass on and are sent back", heads, rows)
