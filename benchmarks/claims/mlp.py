"""Speed of the multilayer perceptron at equal steps: the same start and slices, weights equal to ten digits first."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier as SklearnClassifier
from sklearn.neural_network import MLPRegressor as SklearnRegressor

from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare
from benchmarks.machine import peer
from benchmarks.tables import Array
from benchmarks.timing import Side
from glaswerk.base import Warned
from glaswerk.learners import MLPClassifier, MLPRegressor
from glaswerk.optim.network import Shape, backward

SENTENCE = "MLPRegressor with Adam in single precision is 2.5 times as fast as scikit-learn's; its steps are the same"
CASES = (
    (1_000, 10, (32, 32), 32, 10),
    (10_000, 20, (100, 50), 200, 5),
    (10_000, 50, (256, 128), 200, 3),
    (100_000, 20, (64, 32), 200, 2),
)
SAME = 1e-10  # weights after these epochs, in double precision
NEAR = 0.01  # of the error in single precision: torch adds ε elsewhere, and rounding grows from step to step


def cases(plan: Plan) -> list[Case]:
    sizes = CASES[:1] if plan.quick else CASES
    found = [Case(f"{n} x {d}, layers {h}", regression(n, d, h, b, e, plan)) for n, d, h, b, e in sizes]
    found += [Case(f"{n} x {d}, layers {h}, against torch", torch_case(n, d, h, b, e, plan)) for n, d, h, b, e in sizes]
    return [*found, Case("classes, 1000 x 10, layers (32,)", classes(plan))]


def wave(n: int, d: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(n + d)
    X = rng.normal(size=(n, d))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=n)


def regression(n: int, d: int, hidden: tuple[int, ...], batch: int, epochs: int, plan: Plan) -> Callable[[], Outcome]:
    def run() -> Outcome:
        X, y = wave(n, d)
        single, z = X.astype(np.float32), y.astype(np.float32)
        settings: dict[str, Any] = {
            "hidden_layer_sizes": hidden, "batch_size": batch, "max_iter": epochs, "random_state": 0, "tol": 0.0
        }  # fmt: skip
        sides = [
            Side("glaswerk, single", "ours", lambda: quiet(MLPRegressor(precision="single", **settings), X, y)),
            Side("glaswerk, double", "peer", lambda: quiet(MLPRegressor(**settings), X, y)),
            Side("scikit-learn, double (default)", "rival", lambda: quiet(SklearnRegressor(**settings), X, y)),
            Side("scikit-learn, single", "rival", lambda: quiet(SklearnRegressor(**settings), single, z)),
        ]
        return compare(sides, plan, equal_weights("glaswerk, double", "scikit-learn, double (default)"))

    return run


def torch_case(n: int, d: int, hidden: tuple[int, ...], batch: int, epochs: int, plan: Plan) -> Callable[[], Outcome]:
    """Against torch on the CPU with its fused Adam: the same start, the same slices in the same order, no penalty."""

    def run() -> Outcome:
        torch = peer("torch")
        if torch is None:
            raise NotRun("torch is not installed")
        torch.set_num_threads(plan.threads)
        X, y = wave(n, d)
        shape = Shape((d, *hidden, 1), "relu", "squared")
        start = shape.layers(shape.start(np.random.RandomState(0)))
        single, z = torch.tensor(X, dtype=torch.float32), torch.tensor(y[:, None], dtype=torch.float32)
        settings: dict[str, Any] = {
            "hidden_layer_sizes": hidden, "batch_size": batch, "max_iter": epochs, "random_state": 0, "tol": 0.0,
            "alpha": 0.0, "shuffle": False,
        }  # fmt: skip
        sides = [
            Side("glaswerk, single", "ours", lambda: quiet(MLPRegressor(precision="single", **settings), X, y)),
            Side("torch, single", "rival", lambda: descended(torch, network(torch, start, "float32"), single, z, batch,
                                                             epochs)),
        ]  # fmt: skip

        def checks(answers: dict[str, Any]) -> Sequence[Check]:
            ours = float(np.mean((answers["glaswerk, single"].predict(X) - y) ** 2))
            with torch.no_grad():
                theirs = float(np.mean((answers["torch, single"](single).numpy()[:, 0] - y) ** 2))
            return [
                Check("gradients of the first slice, double", gradient_gap(torch, shape, start, X, y, batch), SAME),
                Check("squared error after these epochs, relative", abs(ours / theirs - 1.0), NEAR),
            ]

        return compare(sides, plan, checks)

    return run


def network(torch: Any, start: Any, precision: str) -> Any:
    """Layers with these weights."""
    parts: list[Any] = []
    for W, b in start:
        layer = torch.nn.Linear(*W.shape)
        layer.weight.data = torch.tensor(W.T.copy(), dtype=getattr(torch, precision))
        layer.bias.data = torch.tensor(b.copy(), dtype=getattr(torch, precision))
        parts += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*parts[:-1])


def descended(torch: Any, model: Any, X: Any, y: Any, batch: int, epochs: int) -> Any:
    """Epochs of Adam on the mean of half squared errors."""
    step = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-8, fused=True)
    for _ in range(epochs):
        for first in range(0, len(X), batch):
            step.zero_grad()
            loss = 0.5 * torch.nn.functional.mse_loss(model(X[first : first + batch]), y[first : first + batch])
            loss.backward()
            step.step()
    return model


def gradient_gap(torch: Any, shape: Shape, start: Any, X: Array, y: Array, batch: int) -> float:
    model, theta = network(torch, start, "float64"), np.concatenate([np.append(W.ravel(), b) for W, b in start])
    rows, targets = X[:batch], y[:batch, None]
    (0.5 * torch.nn.functional.mse_loss(model(torch.tensor(rows)), torch.tensor(targets))).backward()
    ours = backward(shape, theta, rows, targets, np.zeros(0), 0.0).gradients
    theirs = list(model.parameters())
    return max(
        float(max(np.abs(W - w.grad.numpy().T).max(), np.abs(b - c.grad.numpy()).max()))
        for (W, b), w, c in zip(ours, theirs[::2], theirs[1::2], strict=True)
    )


def classes(plan: Plan) -> Callable[[], Outcome]:
    def run() -> Outcome:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(1_000, 10))
        y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)
        settings: dict[str, Any] = {
            "hidden_layer_sizes": (32,), "batch_size": 32, "max_iter": 10, "random_state": 0, "tol": 0.0
        }  # fmt: skip
        sides = [
            Side("glaswerk", "ours", lambda: quiet(MLPClassifier(**settings), X, y)),
            Side("scikit-learn", "rival", lambda: quiet(SklearnClassifier(**settings), X, y)),
        ]
        return compare(sides, plan, equal_weights("glaswerk", "scikit-learn"))

    return run


def quiet(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", Warned)
        return model.fit(X, y)


def equal_weights(ours: str, theirs: str) -> Callable[[dict[str, Any]], Sequence[Check]]:
    def checks(answers: dict[str, Any]) -> Sequence[Check]:
        pairs = zip(answers[ours].coefs_, answers[theirs].coefs_, strict=True)
        return [Check("weights", float(max(np.abs(a - b).max() for a, b in pairs)), SAME)]

    return checks
