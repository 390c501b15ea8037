"""Descent on a bowl: script A's figure 9, f(x) = x₁² + x₂², and the same bowl drawn out to a valley.

x ← x - η ∇f(x); along an axis of curvature σ every step multiplies the distance by 1 - ησ   [BOE-GD] [NAN-SIGMA]
"""

import numpy as np

from glaswerk.facts import Cell, Curve, Fact, Line, Surface, Table
from glaswerk.labs.lab import Lab, line, verdict
from glaswerk.optim.descent import Path, descend

ROUND, VALLEY = (1.0, 1.0), (1.0, 10.0)  # the squares' factors: half the curvatures
STEPS = 30
TITLE = {ROUND: "x1² + x2²", VALLEY: "x1² + 10 x2²"}
RATES = {
    ROUND: ((0.1, "good"), (0.01, "too small"), (0.85, "overshoots"), (1.02, "too large")),
    VALLEY: ((0.05, "1/σ_max"), (0.01, "too small"), (0.095, "overshoots"), (0.102, "too large")),
}
STARTS = {
    ROUND: ((-1.6, 1.2), (1.6, 1.2), (1.2, -1.6), (-0.9, -0.3)),
    VALLEY: ((-1.6, 0.8), (1.6, -1.8), (1.6, 1.2), (-1.2, -0.9)),
}
GRID = 35


def walks(bowl: tuple[float, float]) -> list[tuple[float, str, Path]]:
    """Every rate on c₁x₁² + c₂x₂², from where its path can be told from the others."""
    factors = np.array(bowl)
    return [
        (rate, name, descend(lambda x: 2 * factors * x, np.array(start), rate, STEPS, lambda x: factors * x**2))
        for (rate, name), start in zip(RATES[bowl], STARTS[bowl], strict=True)
    ]


def run(_seed: int) -> list[Fact]:
    """For both bowls: the paths on their map, the rates, and the value step by step."""
    return [fact for bowl in (ROUND, VALLEY) for fact in (surface(bowl), table(bowl), values(bowl))]


def surface(bowl: tuple[float, float]) -> Surface:
    """The map with the paths; those that diverge as far as the map goes."""
    reach = np.linspace(-2.0, 2.0, GRID)
    z = bowl[0] * reach[None, :] ** 2 + bowl[1] * reach[:, None] ** 2
    paths = tuple(_path(*walked) for walked in walks(bowl))
    says = {
        ROUND: "On a round bowl the gradient points straight at the minimum: a good rate walks there in a line, "
        "one too large goes across it. Every rate starts elsewhere, so that the paths can be told apart.",
        VALLEY: "In a valley the gradient points across it: the steep axis bounds the rate, and along the flat one "
        "the same rate creeps. That is the condition number, here 10. Every rate starts elsewhere.",
    }[bowl]
    axis = tuple(reach.tolist())
    named = "script A, figure 9" if bowl == ROUND else "the bowl drawn out"
    return Surface(
        f"Descent on {TITLE[bowl]} ({named})",
        "x1",
        "x2",
        "f(x)",
        axis,
        axis,
        tuple(tuple(row) for row in z.tolist()),
        paths,
        says,
    )


def _path(rate: float, name: str, path: Path) -> Line:
    shown = path.places[np.abs(path.places).max(axis=1) <= 2.0]
    return line(f"η = {rate:g}, {name}", shown[:, 0], shown[:, 1])


def table(bowl: tuple[float, float]) -> Table:
    """Each rate with its factors along both axes, and where the steps lead."""
    rows: list[tuple[Cell, ...]] = []
    for rate, name, path in walks(bowl):
        factors = [1 - 2 * rate * c for c in bowl]
        worst = verdict(max(factors, key=abs))
        rows.append((rate, name, *factors, *map(float, path.end), float(path.values[-1]), worst))
    heads = ("rate η", "", "factor along x1", "factor along x2", "x1 at the end", "x2 at the end", "f", "what happens")
    bound = (
        f"all steps go down below η = 2/σ_max = {1 / max(bowl):g}; the longest that overshoots nowhere is half of it"
    )
    return Table(f"Rates on {TITLE[bowl]}, {STEPS} steps", heads, tuple(rows), (bound,))


def values(bowl: tuple[float, float]) -> Curve:
    """f after every step."""
    lines = tuple(line(f"η = {rate:g}, {name}", np.arange(STEPS + 1), path.values) for rate, name, path in walks(bowl))
    says = {
        ROUND: "Every rate is a straight line: both axes shrink by the same factor.",
        VALLEY: "Lines bend: first the steep axis shrinks, then only the flat one is left.",
    }[bowl]
    return Curve(f"Value of {TITLE[bowl]}, step by step", "step", "f(x)", lines, says, y_scale="log")


LAB = Lab(
    rows=("R159", "R9"),
    script="A, figure 9",
    says="descent on the bowl x₁² + x₂² with good, too small and too large rates, and what a valley changes",
    run=run,
)
