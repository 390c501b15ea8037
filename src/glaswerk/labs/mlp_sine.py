"""Networks of one and of two hidden layers on a noisy sine: too few units, enough, too many; and what flows back.

s⁽ᵛ⁺¹⁾ = g(Wᵀs⁽ᵛ⁾ + b),   minimises Σ ½ (y - t)² / n + α ‖W‖² / 2n                   [BG-MLP] [BG-BACKPROP] [BG-DECAY]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, mean_square, noisy_sine
from glaswerk.learners import MLPRegressor

ROWS, NOISE, FRESH = 40, 0.25, 2000
LAYERS: dict[str, tuple[tuple[int, ...], float]] = {  # and the weight decay α
    "1 unit": ((1,), 1e-3), "3 units": ((3,), 1e-3), "80 units": ((80,), 1e-6),
    "2 x 1 units": ((1, 1), 1e-3), "2 x 3 units": ((3, 3), 1e-2), "2 x 40 units": ((40, 40), 1e-6),
}  # fmt: skip
DECAYS = np.array([1e-6, 1e-4, 1e-2, 0.1, 1.0, 10.0])
EPOCHS = 1500


def fitted(x: Array, t: Array, layers: tuple[int, ...], decay: float) -> MLPRegressor:
    """All rows at a time, as far as it goes down."""
    model = MLPRegressor(layers, "tanh", solver="lbfgs", alpha=decay, max_iter=EPOCHS, tol=1e-7, random_state=1)
    with heard():
        return model.fit(x, t)


def run(seed: int) -> list[Fact]:
    """Curves of all networks, their errors, the loss of rows held out by epoch, weight decay, and backpropagation."""
    x, t = noisy_sine(ROWS, NOISE, np.random.default_rng([seed, 58]))
    models = {name: fitted(x, t, *setting) for name, setting in LAYERS.items()}
    fresh, truth = noisy_sine(FRESH, NOISE, np.random.default_rng([seed, 59]))
    watched = overfitting(x, t)
    first = MLPRegressor((6, 6), "tanh", max_iter=1, tol=0.0, random_state=1)
    with heard():
        first.fit(x, t)
    names = list(LAYERS)
    return [
        words(),
        errors(models, x, t, fresh, truth),
        drawn("One hidden layer", {name: models[name] for name in names[:3]}, x, t),
        drawn("Two hidden layers", {name: models[name] for name in names[3:]}, x, t),
        watched,
        decayed(x, t, fresh, truth),
        *first.inspect(x, t),
    ]


def errors(models: dict[str, MLPRegressor], x: Array, t: Array, fresh: Array, truth: Array) -> Table:
    rows = []
    for name, model in models.items():
        weights = sum(W.size + b.size for W, b in zip(model.coefs_, model.intercepts_, strict=True))
        own, other = mean_square(t, model.predict(x)), mean_square(truth, model.predict(fresh))
        rows.append((name, weights, model.alpha, own, other, verdict_of(own, other)))
    note = f"The noise alone is {NOISE**2:.4g}."
    heads = ("hidden layers", "weights", "α", f"error on {ROWS} rows", f"error on {FRESH} fresh rows", "verdict")
    return Table("Too few units, enough, too many", heads, tuple(rows), (note,))


def verdict_of(own: float, fresh: float) -> str:
    """In words, against the noise."""
    if own > 1.5 * NOISE**2:
        return "underfits"
    return "overfits" if fresh > 1.7 * NOISE**2 else "about right"


def drawn(title: str, models: dict[str, MLPRegressor], x: Array, t: Array) -> Curve:
    at = np.linspace(-1.0, 1.0, 161)
    lines = (line(name, at, model.predict(at[:, None])) for name, model in models.items())
    return Curve(title, "x", "t", (line("rows", x[:, 0], t, "points"), *lines))


def overfitting(x: Array, t: Array) -> Curve:
    """Training and validation loss of every epoch, of a network that is too large."""
    model = MLPRegressor(
        (40, 40), "tanh", solver="lbfgs", alpha=0.0, max_iter=600, tol=1e-12, track_validation=True,
        validation_fraction=0.3, random_state=1,
    )  # fmt: skip
    with heard():
        model.fit(x, t)
    (found,) = model.facts().of_kind(Curve)
    return Curve("2 x 40 units: loss of the rows and of rows held out", found.x_title, found.y_title, found.lines,
                 found.says, y_scale=found.y_scale, marks=found.marks)  # fmt: skip


def decayed(x: Array, t: Array, fresh: Array, truth: Array) -> Curve:
    """[BG-DECAY] The same 80 units under more and more weight decay."""
    models = [fitted(x, t, (80,), float(a)) for a in DECAYS]
    own = line("training rows", DECAYS, [mean_square(t, m.predict(x)) for m in models])
    other = line("fresh rows", DECAYS, [mean_square(truth, m.predict(fresh)) for m in models])
    says = "Weight decay does what fewer units do: too little overfits, too much is nearly a straight line."
    return Curve("80 units under weight decay", "α", "mean squared error", (own, other), says, x_scale="log",
                 y_scale="log")  # fmt: skip


def words() -> Statement:
    return Statement(
        "What to look for",
        (
            "One unit is one bend: it cannot follow a sine, nor can two in a row. Three side by side can.",
            "Eighty units, or two layers of forty, also follow the noise: a small error on their rows, a large one on "
            "fresh rows.",
            "The last tables look into backpropagation after one epoch: what every unit passes on, what is sent back, "
            "and that the gradients are those of finite differences.",
        ),
    )


LAB = Lab(
    rows=("R58", "R59", "R60", "R61"),
    script="C, 2.4, MLP and backpropagation",
    says="networks of one and two hidden layers on a sine: under- and overfitting, losses by epoch, gradients by layer",
    run=run,
)
