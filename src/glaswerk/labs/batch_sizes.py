"""Batch sizes: script E's problems 1.3 and 1.4, mini-batches in consecutive slices, and single rows shuffled.

∇J ≈ 1/M Φᵀ_{k:k+M} (Φ_{k:k+M} w - t_{k:k+M}),  k = 0, M, 2M, …                                [NAN-7] [NAN-SGD]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.design import OrthogonalPolynomialBasis
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, mean_square, noisy_sine
from glaswerk.learners import GradientDescentRegressor, LinearRegression

ROWS, TESTED, NOISE, DEGREE, EPOCHS = 240, 400, 0.2, 5, 60
SIZES = (1, 4, 16, 60, 240)
RATE = 0.1  # the same for all, as the mean over a batch asks
DECAY = 0.2


def parts(seed: int) -> tuple[Array, Array, Array, Array]:
    """Derived columns and t, of training and of test rows."""
    random = np.random.default_rng([seed, 13])
    x, t = noisy_sine(ROWS, NOISE, random)
    new_x, new_t = noisy_sine(TESTED, NOISE, random)
    basis = OrthogonalPolynomialBasis(degree=DEGREE).fit(x)
    return basis.transform(x), t, basis.transform(new_x), new_t


def descended(X: Array, t: Array, size: int, seed: int, decay: float = 0.0) -> GradientDescentRegressor:
    """[NAN-7] slices of this size; of one row each, shuffled every epoch [NAN-SGD]; all rows for the last size."""
    batch = None if size == ROWS else size
    model = GradientDescentRegressor(
        objective="half_mse",
        learning_rate=RATE,
        batch_size=batch,
        shuffle=size == 1,
        n_epochs=EPOCHS,
        tol=None,
        decay=decay,
        random_state=seed,
    )
    return model.fit(X, t)


def name_of(size: int) -> str:
    return "M = 1, shuffled (SGD)" if size == 1 else "all rows" if size == ROWS else f"M = {size}"


def run(seed: int) -> list[Fact]:
    """Errors of every size, the loss per epoch and per step, single rows alone, and a rate that falls."""
    X, t, new_X, new_t = parts(seed)
    closed = LinearRegression().fit(X, t)
    with heard():
        walks = {size: descended(X, t, size, seed) for size in SIZES}
        calm = descended(X, t, 1, seed, DECAY)
    least = mean_square(t, closed.predict(X))
    rows: list[tuple[Cell, ...]] = [
        (name_of(size), -(-ROWS // size) * EPOCHS, *found(m, X, t, new_X, new_t, least)) for size, m in walks.items()
    ]
    rows.append((f"M = 1, rate falling (decay {DECAY:g})", ROWS * EPOCHS, *found(calm, X, t, new_X, new_t, least)))
    rows.append(("closed form", None, least, mean_square(new_t, closed.predict(new_X)), 0.0, None))
    heads = ("batch", "steps", "MSE on training rows", "MSE on test rows", "above the closed form", "restless")
    note = "restless: standard deviation of the training MSE over the last 20 epochs"
    table = Table(f"Batch sizes, {EPOCHS} epochs at η = {RATE:g}", heads, tuple(rows), (note,))
    told = Statement(
        "What is to be seen",
        (
            "An epoch costs the same for every size, and small batches take more steps in it: they come down in "
            "fewer epochs.",
            "Every batch has a minimum of its own. Consecutive slices do the same in every epoch and come to rest "
            "beside "
            "the closed form, the further the smaller they are; shuffled single rows never rest.",
            "A falling rate lets even single rows settle.",
        ),
    )
    return [told, table, by_epoch(walks, least), by_step(walks, least), single(walks[1], calm, least)]


def found(
    model: GradientDescentRegressor, X: Array, t: Array, new_X: Array, new_t: Array, least: float
) -> tuple[float, ...]:
    """Training and test MSE, what is left to the closed form, and how much the last epochs waver."""
    mse = mean_square(t, model.predict(X))
    last = 2 * model.solution_.objective[-20:]
    return mse, mean_square(new_t, model.predict(new_X)), mse - least, float(last.std())


def by_epoch(walks: dict[int, GradientDescentRegressor], least: float) -> Curve:
    """MSE over all rows after every epoch."""
    lines = [line(name_of(size), m.solution_.epochs, 2 * m.solution_.objective) for size, m in walks.items()]
    lines.append(line("closed form", [0, EPOCHS], [least, least]))
    return Curve(
        "Error after every epoch by batch size (script E, problem 1.3)",
        "epoch",
        "MSE on training rows",
        tuple(lines),
        "Small batches fall sooner and end higher.",
        y_scale="log",
    )


def by_step(walks: dict[int, GradientDescentRegressor], least: float) -> Curve:
    """The same over the number of steps."""
    lines = []
    for size, m in walks.items():
        steps = m.solution_.epochs[1:] * -(-ROWS // size)
        lines.append(line(name_of(size), steps, 2 * m.solution_.objective[1:] - least))
    return Curve(
        "The same over the number of steps",
        "steps",
        "MSE above the closed form's",
        tuple(lines),
        "Step for step a large batch is no slower: it is its step that costs more.",
        "log",
        "log",
    )


def single(steady: GradientDescentRegressor, calm: GradientDescentRegressor, least: float) -> Curve:
    """Stochastic descent epoch by epoch (script E, problem 1.4)."""
    lines = (
        line("rate stays", steady.solution_.epochs, 2 * steady.solution_.objective),
        line(f"rate falls, decay {DECAY:g}", calm.solution_.epochs, 2 * calm.solution_.objective),
        line("closed form", [0, EPOCHS], [least, least]),
    )
    return Curve(
        "Stochastic gradient descent (script E, problem 1.4)",
        "epoch",
        "MSE on training rows",
        lines,
        "A rate that stays keeps it restless, one that falls lets it settle.",
        y_scale="log",
    )


LAB = Lab(
    rows=("R19", "R10", "R11"),
    script="E, problems 1.3 and 1.4",
    says="mini-batches of several sizes, from single rows to all of them",
    run=run,
)
