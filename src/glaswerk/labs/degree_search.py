"""Degree search: script A's algorithm 3 as it is printed and as it must be.                              [BOE-DEGREE]

T, V = split(D);  for d = 0 … max_d: w = fit of degree d on T; where its error on V is the least so far, w* = w
return w*        (printed: return w, which is the fit of the last degree whatever its error)
"""

import numpy as np

from glaswerk.evaluate import search_degree
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line, noisy_sine

ROWS, NOISE, FRESH, LAST = 40, 0.2, 2000, 15
TALLEST = 2.5  # of what is drawn


def run(seed: int) -> list[Fact]:
    """The search, what both versions of the algorithm return, and the two polynomials."""
    random = np.random.default_rng([seed, 31])
    x, y = noisy_sine(ROWS, NOISE, random)
    new_x, new_y = noisy_sine(FRESH, NOISE, random)
    with heard() as told:
        found = search_degree(x, y, degrees=range(LAST + 1), split=0.25, seed=seed)
        split = (found.train.tolist(), found.validation.tolist())
        last = search_degree(x, y, degrees=[LAST], split=split)
    models = {"w*, the best of all": found, "w, the last of all": last}
    rows = tuple(
        (
            name,
            kept.degree,
            float(np.mean((kept.model.predict(x[kept.validation]) - y[kept.validation]) ** 2)),
            float(np.mean((kept.model.predict(new_x) - new_y) ** 2)),
        )
        for name, kept in models.items()
    )
    heads = ("what is returned", "degree", "MSE on the validation rows", f"MSE on {FRESH} fresh rows")
    note = "the error on the validation rows has been chosen for being small; fresh rows are the honest judge"
    table = Table("Algorithm 3: corrected, and as printed", heads, rows, (note, *dict.fromkeys(told)))
    words = Statement(
        "The slip",
        (
            "The script's algorithm 3 keeps w*, the weights with the least error on the validation rows, and then "
            "returns w, those of the last degree tried. It must return w*.",
            found.says,
        ),
    )
    along = np.linspace(-1, 1, 201)
    shown = [kept.model.predict(along[:, None]) for kept in models.values()]
    shown = [np.where(np.abs(t) <= TALLEST, t, np.nan) for t in shown]
    curve = Curve(
        "What the two versions return",
        "x",
        "t",
        (
            line("training rows", x[found.train, 0], y[found.train], "points"),
            line("validation rows", x[found.validation, 0], y[found.validation], "points"),
            line(f"w*: degree {found.degree}", along, shown[0]),
            line(f"w: degree {LAST}", along, shown[1]),
            line("sin πx", along, np.sin(np.pi * along)),
        ),
        "The last degree follows the noise of the training rows; what lies beyond ±2.5 is not drawn.",
    )
    return [words, table, found.curve, curve]


LAB = Lab(
    rows=("R50", "R139"),
    script="A, algorithm 3",
    says="the degree of a polynomial chosen on validation rows, with the return statement corrected",
    run=run,
)
