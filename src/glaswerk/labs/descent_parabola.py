"""Descent on a parabola: script A walks down f(x) = x(x - 2) with rates that are right, too small and too large.

x ← x - η (2x - 2)   so that   x - 1 ← (1 - 2η) (x - 1)                                              [BOE-GD1]
"""

import numpy as np

from glaswerk.facts import Curve, Fact, Table
from glaswerk.labs.lab import Lab, Printed, beside, line, verdict
from glaswerk.optim.descent import Path, descend

START, STEPS = -0.5, 20
RATES = {  # of each: what it shows, and how many steps a picture of it can hold
    0.1: ("5", "A good rate: every step goes on in the same direction, and each is shorter.", 20),
    0.005: ("7", "Too small a rate: after twenty steps most of the way is still to go.", 20),
    0.5: ("5", "The rate 1/f″ = ½ is the Newton step: a parabola is done in one.", 2),
    0.95: ("6", "Close to too large: every step lands on the other side, and it still comes down.", 20),
    1.0: ("6", "At η = 1 it goes to and fro between the same two places for ever.", 4),
    1.05: ("6", "Too large a rate: every step lands further away than the one before.", 12),
}


def f(x: np.ndarray) -> np.ndarray:
    return x * (x - 2)


def walk(rate: float, steps: int = STEPS) -> Path:
    """Descent from the start, every place kept."""
    return descend(lambda x: 2 * x - 2, START, rate, steps, f)


def run(_seed: int) -> list[Fact]:
    """The minimum, the table of rates, f itself, one picture for each rate, and all of them step by step."""
    walks = {rate: walk(rate) for rate in RATES}
    best = float(walks[0.5].end[0])
    minimum = beside("The minimum of x(x - 2)", [Printed("x", "1", best, "found by one step of η = ½ from x = -0.5")])
    x = np.linspace(-1, 3, 81)
    parabola = Curve(
        "The function of script A, figure 4",
        "x",
        "f(x)",
        (line("x(x - 2)", x, f(x)),),
        "One minimum, at x = 1, where f′ = 2x - 2 is zero; f″ = 2 everywhere.",
        marks=((1.0, "minimum"),),
    )
    return [minimum, table(walks), parabola, *(picture(rate) for rate in RATES), distances(walks)]


def table(walks: dict[float, Path]) -> Table:
    """Each rate with its factor per step, where twenty steps lead, and what that is called."""
    rows = tuple(
        (rate, 1 - 2 * rate, float(path.end[0]), abs(float(path.end[0]) - 1), verdict(1 - 2 * rate))
        for rate, path in sorted(walks.items())
    )
    heads = ("rate η", "factor 1 - 2η", f"x after {STEPS} steps", "distance to 1", "verdict")
    notes = ("descent comes down exactly for 0 < η < 1, without overshooting up to η = ½",)
    return Table("Rates and what they do", heads, rows, notes)


def picture(rate: float) -> Curve:
    """The parabola with the places that the steps come by."""
    figure, says, steps = RATES[rate]
    places = walk(rate, steps).places[:, 0]
    reach = max(2.0, float(np.abs(places - 1).max()) * 1.05)
    x = np.linspace(1 - reach, 1 + reach, 81)
    steps_taken = line(f"{len(places) - 1} steps from x = {START:g}", places, f(places))
    return Curve(
        f"Descent on x(x - 2) with η = {rate:g} (script A, figure {figure})",
        "x",
        "f(x)",
        (line("x(x - 2)", x, f(x), "line"), steps_taken),
        says,
    )


def distances(walks: dict[float, Path]) -> Curve:
    """How far from the minimum after every step, for all rates; the one that arrives at once has no place here."""
    lines = tuple(
        line(f"η = {rate:g}", np.arange(len(path.places)), np.abs(path.places[:, 0] - 1))
        for rate, path in sorted(walks.items())
        if rate != 0.5
    )
    says = "On a logarithmic axis every rate is a straight line: each step multiplies the distance by |1 - 2η|."
    return Curve("Distance to the minimum, step by step", "step", "|x - 1|", lines, says, y_scale="log")


LAB = Lab(
    rows=("R159", "R9"),
    script="A, figures 4 to 7",
    says="descent on x(x - 2) with good, too small and too large learning rates",
    run=run,
)
