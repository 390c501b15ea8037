"""How often intervals hold what they promise: 90 % intervals on tables as models think them, and on others."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Case, Outcome, Plan
from benchmarks.tables import Array
from glaswerk import LinearRegression, Ridge
from glaswerk.evaluate import ArrayProblem, ConformalRegressor, cross_validate
from glaswerk.evaluate.corrected import corrected_interval
from glaswerk.evaluate.plan import plan_folds

SENTENCE = (
    "90 % intervals hold 89 to 91 % where theory holds, 88 to 94 % without theory; the corrected interval of CV holds"
)
ROWS, NEW, COLUMNS, LEVEL = 100, 100, 5, 0.9
TABLES, TABLES_OF_FOLDS = 500, 250


@dataclass(frozen=True)
class World:
    """Where tables come from: the mean of y at rows X, and the deviation of its noise there."""

    mean: Callable[[Array], Array]
    deviation: Callable[[Array], Array]

    def draw(self, seed: int, n: int = ROWS + NEW) -> tuple[Array, Array]:
        random = np.random.default_rng(seed)
        X = random.normal(size=(n, COLUMNS))
        return X, self.mean(X) + self.deviation(X) * random.normal(size=n)


def plane(X: Array) -> Array:
    return np.asarray(X @ np.arange(1.0, COLUMNS + 1))


WELL = World(plane, lambda X: np.ones(len(X)))
BENT = World(lambda X: plane(X) + 2 * X[:, 0] ** 2, lambda X: np.ones(len(X)))
UNEVEN = World(plane, lambda X: np.exp(X[:, 0]))
WAYS: dict[str, Callable[[], Any]] = {
    "theory of least squares": LinearRegression,
    "theory of ridge, alpha = 1": partial(Ridge, alpha=1.0),
    "CV+": partial(ConformalRegressor, LinearRegression()),
    "CV+, normalised": partial(ConformalRegressor, LinearRegression(), normalised=True),
}
WORLDS = {"well specified": WELL, "a square is missing": BENT, "uneven noise": UNEVEN}


def cases(plan: Plan) -> list[Case]:
    found = [
        Case(f"{world}: {way}", partial(share_held, WORLDS[world], WAYS[way], plan)) for world in WORLDS for way in WAYS
    ]
    found.append(Case("well specified: jackknife+", partial(share_held, WELL, by_row, plan, 5)))
    return [
        *found,
        *(Case(f"score of CV: {how} interval", partial(score_held, how, plan)) for how in ("corrected", "naive")),
    ]


def by_row() -> Any:
    return ConformalRegressor(LinearRegression(), cv=None)


def share_held(world: World, make: Callable[[], Any], plan: Plan, fewer: int = 1) -> Outcome:
    """Share of new rows inside, over all tables; the error is that of a mean over tables."""
    held, width = [], []
    for seed in range((40 if plan.quick else TABLES) // fewer):
        X, y = world.draw(seed)
        limits = make().fit(X[:ROWS], y[:ROWS]).predict_interval(X[ROWS:], LEVEL)
        held.append(np.mean((limits[:, 0] <= y[ROWS:]) & (y[ROWS:] <= limits[:, 1])))
        width.append(np.mean(limits[:, 1] - limits[:, 0]))
    return percent(np.array(held), f"mean width {np.mean(width):.3g}")


def percent(held: Array, *notes: str) -> Outcome:
    off = 100 * held.std(ddof=1) / np.sqrt(len(held))
    return Outcome(100 * float(held.mean()), "%", (), (), (f"± {off:.2g}, {len(held)} tables", *notes))


def score_held(how: str, plan: Plan) -> Outcome:
    """How often the interval of a cross-validated squared error holds the error that so many rows lead to."""
    n, folds, repeats = 60, 10, 3
    expected = expected_error(n - n // folds)
    held = []
    for seed in range(40 if plan.quick else TABLES_OF_FOLDS):
        X, y = WELL.draw(seed, n)
        found = cross_validate({"line": LinearRegression()}, ArrayProblem(X, y), folds=folds, repeats=repeats)
        row = next(r for r in found.comparison.rows if r.name == "line")
        squares = np.array(row.fold_scores) ** 2
        test = len(plan_folds(ArrayProblem(X, y), folds, repeats, 0).rounds()[0].test)
        ratio = test / (n - test) if how == "corrected" else 0.0
        mean = float(squares.mean())
        interval = corrected_interval(mean, squares - mean, np.ones(len(squares)), ratio, LEVEL)
        held.append(float((interval.lower or 0.0) <= expected <= (interval.upper or np.inf)))
    return percent(np.array(held), f"expected squared error {expected:.4f} by 20,000 drawn fits")


def expected_error(n: int, draws: int = 20_000) -> float:
    """1 + ⟨x₀ᵀ (AᵀA)⁻¹ x₀⟩: the mean squared error of least squares on n rows of this world, noise of variance 1."""
    random = np.random.default_rng(1)
    total = 0.0
    for _ in range(draws // 100):
        A = np.concatenate([np.ones((100, n, 1)), random.normal(size=(100, n, COLUMNS))], axis=2)
        spread = np.linalg.solve(
            np.swapaxes(A, 1, 2) @ A, np.broadcast_to(np.eye(COLUMNS + 1), (100,) + (COLUMNS + 1,) * 2)
        )
        total += float(np.trace(spread, axis1=1, axis2=2).sum())  # ⟨x₀ x₀ᵀ⟩ is the unit matrix, the ones included
    return 1.0 + total / (100 * (draws // 100))
