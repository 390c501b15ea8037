"""Influence: standardised residuals over leverage, with the lines of equal Cook's distance."""

import math

from glaswerk.facts import Influence, Pull
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import short
from glaswerk.figures.parts import Rows, finite, frame, layer, level, numbers, rounded, span
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, INK, RED, said

HEIGHT = 280
DISTANCES = (0.5, 1.0)
NAMED = 3


@figures_of.register
def draw_influence(fact: Influence) -> tuple[Figure, ...]:
    """The fourth of the residual plots: who lies far out, and is answered badly."""
    known = [row for row in fact.cloud if len(finite([row.leverage, row.studentised])) == 2]
    if not known:
        return ()
    far, worst = max(known, key=lambda row: row.leverage), fact.rows[0] if fact.rows else known[0]
    domain = span([0.0, *(row.leverage for row in known)])
    x = numbers("x", "leverage, how far the row lies from the others", (0.0, domain[1]), grid=False)
    y = numbers("y", "studentised residual", span([0.0, *(row.studentised for row in known)]))
    place = {"x": x, "y": y}
    dots: Rows = [
        {
            "x": rounded(row.leverage), "y": rounded(row.studentised),
            "tip": f"row {row.row}\nCook's distance {said(row.cook)}",
        }
        for row in known
    ]  # fmt: skip
    names: Rows = [
        {"x": rounded(row.leverage), "y": rounded(row.studentised), "text": str(row.row)} for row in fact.rows[:NAMED]
    ]
    look = {"filled": True, "size": 28, "opacity": 0.5, "color": BLUE, "clip": True}
    contours = [layer("line", curve, place, color=RED, strokeDash=[6, 3], strokeWidth=1.2, clip=True)
                for curve in _contours(fact.terms, domain[1])]  # fmt: skip
    return (
        Figure(
            name="influence",
            title=f"Which rows pull at a fit of {short(fact.target)}?",
            alt=f"Studentised residuals of {fact.total} rows over their leverage: row {worst.row} pulls hardest with a "
            f"Cook's distance of {said(worst.cook)}, row {far.row} lies farthest out with a leverage of "
            f"{said(far.leverage)}.",
            spec=frame(
                [
                    level(0.0, y),
                    layer("point", dots, place, **look),
                    *contours,
                    layer(
                        "text", names, {**place, "text": {"field": "text", "type": "nominal"}},
                        align="right", dx=-6, dy=-4, fontSize=11, color=INK,
                    ),
                ],
                HEIGHT,
            ),
            table=fact.table(),
            note=_note(fact, known),
        ),
    )  # fmt: skip


def _contours(terms: int, most: float) -> list[Rows]:
    """studentised = ± √(D p (1 - h) / h) for each distance."""
    curves: list[Rows] = []
    for distance in DISTANCES:
        at = [most * k / 60 for k in range(1, 61) if most * k / 60 < 1]
        height = [math.sqrt(distance * terms * (1 - h) / h) for h in at]
        curves += [[{"x": h, "y": sign * v} for h, v in zip(at, height, strict=True)] for sign in (1, -1)]
    return curves


def _note(fact: Influence, known: list[Pull]) -> str:
    shown = f" {len(known):,} of {fact.total:,} rows are drawn, those that pull hardest among them."
    return "Dashed: Cook's distance 0.5 and 1; beyond them a row moves the fit by itself. Numbers name rows." + (
        shown if len(known) < fact.total else ""
    )
