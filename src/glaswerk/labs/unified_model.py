"""One formula, many models: t(x) = Σ Φ_e(x) (a_eᵀx + b_e) and its special cases, each against the model it is.

[BG-UNIFIED] linear regression, a network of bumps, one weighted line, E superposed lines                     [BG-LWR]
"""

from typing import Any

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Table
from glaswerk.labs.lab import Lab, line, mean_square
from glaswerk.learners import LinearRegression, LocallyWeightedRegression, RBFNetwork, UnifiedLocalModel

ROWS, NOISE = 100, 0.1
CENTRES = [[0.1], [0.5], [0.9]]
WIDTH = 0.15
FLAT = 1e8  # a bandwidth beside which the rows are one point


def wave(seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng([seed, 54])
    x = rng.uniform(size=ROWS)
    return x[:, None], np.sin(6.0 * x) + x + NOISE * rng.standard_normal(ROWS)


def superposed(x: Array, y: Array, at: Array) -> Array:
    """[BG-LWR] As printed: every line by weighted least squares, multiplied by its bell, and all added up."""
    found = np.zeros(len(at))
    Z, Q = np.column_stack([x, np.ones(len(x))]), np.column_stack([at, np.ones(len(at))])
    for (centre,) in CENTRES:
        bell = np.exp(-0.5 * ((x[:, 0] - centre) / WIDTH) ** 2)
        solved = np.linalg.solve(Z.T @ (bell[:, None] * Z), Z.T @ (bell * y))
        found += np.exp(-0.5 * ((at[:, 0] - centre) / WIDTH) ** 2) * (Q @ solved)
    return found


def run(seed: int) -> list[Fact]:
    """Every special case beside its model, and the lines under their bells."""
    x, y = wave(seed)
    at = np.linspace(0.0, 1.0, 161)[:, None]
    cases = special_cases(x, y, at)
    joint = UnifiedLocalModel(centres=CENTRES, bandwidth=WIDTH).fit(x, y)
    each = UnifiedLocalModel(centres=CENTRES, bandwidth=WIDTH, fit_lines="each", alpha=0.0).fit(x, y)
    return [
        differences(cases),
        drawn(cases, x, y, at[:, 0]),
        under_bells(each, x, y, at),
        *joint.facts()[:1],
        printed(x, y, {"all lines at once": joint, "every line by itself": each}, at),
    ]


def special_cases(x: Array, y: Array, at: Array) -> dict[str, tuple[str, Array, Array]]:
    """By name: the parameters, what the unified model says, what the model says that it is a case of."""
    flat: dict[str, Any] = {"centres": [[0.5]], "bandwidth": FLAT, "alpha": 0.0}
    bumps: dict[str, Any] = {"centres": CENTRES, "bandwidth": WIDTH, "slopes": False, "normalise": False, "alpha": 1e-3}
    single: dict[str, Any] = {"centres": [[0.5]], "bandwidth": WIDTH, "fit_lines": "each", "alpha": 0.0}
    several: dict[str, Any] = {
        "centres": CENTRES, "bandwidth": WIDTH, "fit_lines": "each", "normalise": False, "alpha": 0.0,
    }  # fmt: skip

    def said(**parameters: Any) -> Array:
        found: Array = UnifiedLocalModel(**parameters).fit(x, y).predict(at)
        return found

    middle = np.abs(at[:, 0] - 0.5).argmin()
    weighted = np.full(len(at), np.nan)
    weighted[middle] = LocallyWeightedRegression(WIDTH, tol=0.0).fit(x, y).predict(at[[middle]])[0]
    straight = LinearRegression().fit(x, y).predict(at)
    return {
        "linear regression": ("one bell, so wide that it is flat", said(**flat), straight),
        "network of bumps": (
            "no slopes, bells as they are", said(**bumps),
            RBFNetwork(centres=CENTRES, width=WIDTH, alpha=1e-3).fit(x, y).predict(at),
        ),
        "one weighted line": ("one centre, fitted by itself; compared at the centre", said(**single), weighted),
        "superposed lines": ("three centres, each by itself, bells as they are", said(**several), superposed(x, y, at)),
    }  # fmt: skip


def differences(cases: dict[str, tuple[str, Array, Array]]) -> Table:
    rows = tuple(
        (name, how, float(np.nanmax(np.abs(ours - theirs)))) for name, (how, ours, theirs) in cases.items()
    )  # fmt: skip
    return Table("Special cases", ("model", "the unified model with", "largest difference of predictions"), rows)


def drawn(cases: dict[str, tuple[str, Array, Array]], x: Array, y: Array, at: Array) -> Curve:
    lines = (line(name, at, ours) for name, (_, ours, _) in cases.items())
    says = "Four models, and one formula that is each of them."
    return Curve("What the special cases say", "x", "y", (line("rows", x[:, 0], y, "points"), *lines), says)


def under_bells(model: UnifiedLocalModel, x: Array, y: Array, at: Array) -> Curve:
    """The three lines where their bells are high, and their sum."""
    slopes, heights = model.lines()
    pieces = []
    for e, (centre,) in enumerate(CENTRES):
        ends = np.array([max(0.0, centre - 1.5 * WIDTH), min(1.0, centre + 1.5 * WIDTH)])
        pieces.append(line(f"line of {centre:g}", ends, slopes[e, 0, 0] * ends + heights[e, 0]))
    whole = line("bells times lines, over all bells", at[:, 0], model.predict(at))
    return Curve("Three lines under three bells", "x", "y", (line("rows", x[:, 0], y, "points"), *pieces, whole))


def printed(x: Array, y: Array, models: dict[str, UnifiedLocalModel], at: Array) -> Table:
    """Normalised bells against the formula as printed."""
    known = np.sin(6.0 * at[:, 0]) + at[:, 0]
    rows = [(name, mean_square(known, model.predict(at))) for name, model in models.items()]
    rows.append(("every line by itself, bells as printed", mean_square(known, superposed(x, y, at))))
    note = "As printed, lines that agree do not add up to themselves: bells must be divided by their sum."
    return Table("Squared distance to the truth", ("three lines", "error"), tuple(rows), (note,))


LAB = Lab(
    rows=("R54", "R53", "R52"),
    script="C, 2.3, unified model",
    says="the unified local model as linear regression, as a network of bumps, as one weighted line, as three",
    run=run,
)
