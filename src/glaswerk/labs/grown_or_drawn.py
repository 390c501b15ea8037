"""LBG against k-means from random starts: a codebook that grows needs no luck.                     [BG-LBG] [BG-VQE]"""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import LBG, KMeans, VectorQuantizer

SIDE, EACH, STARTS = 4, 40, 50


def grid_of_clumps(seed: int) -> Array:
    """Sixteen clumps on a grid: a random start nearly always puts two prototypes into one and none into another."""
    random = np.random.default_rng([seed, 32])
    centres = np.array([[a, b] for a in range(SIDE) for b in range(SIDE)], dtype=np.float64)
    return np.repeat(4.0 * centres, EACH, axis=0) + 0.5 * random.standard_normal((SIDE * SIDE * EACH, 2))


def run(seed: int) -> list[Fact]:
    """The errors of many starts beside that of LBG, and how its codebook grew."""
    X, k = grid_of_clumps(seed), SIDE * SIDE
    drawn = [KMeans(k, init="random", n_init=1, random_state=seed + s) for s in range(STARTS)]
    seeded = [KMeans(k, random_state=seed + s) for s in range(STARTS)]
    online = [VectorQuantizer(k, random_state=seed + s) for s in range(STARTS // 5)]
    grown = [LBG(k, random_state=seed + s) for s in range(STARTS // 5)]
    errors = {
        name: np.sort([model.fit(X).solution_.distortion for model in models])
        for name, models in (("k-means, random rows", drawn), ("k-means++", seeded), ("online VQ, random rows", online))
    }
    errors["LBG, random directions"] = np.sort([model.fit(X).partition.distortion for model in grown])
    best = min(float(found[0]) for found in errors.values())
    rows: list[tuple[Cell, ...]] = [
        (name, len(found), *(float(v) for v in np.quantile(found, [0, 0.5, 1])), float((found < 1.01 * best).mean()))
        for name, found in errors.items()
    ]
    heads = ("method", "starts", "least error", "median", "greatest", "share within 1 % of the best")
    book = grown[0].solution_
    lines = tuple(line(name, (np.arange(len(v)) + 0.5) / len(v), v / best) for name, v in errors.items())
    growth = (line("LBG", book.sizes.astype(float), book.errors),)
    typical = {name: float(np.median(found)) / best for name, found in errors.items()}
    good = "Flat and low is good: no luck needed."
    said = Statement(
        "What is to be seen",
        (
            f"From random rows k-means ends at a median of {typical['k-means, random rows']:.2f} times "
            "the least error: prototypes that start in one clump never reach another.",
            f"LBG, which starts from the mean and halves, ends at {typical['LBG, random directions']:.2f} "
            "times the least error; a doubling may still halve the wrong way.",
            f"k-means++, which draws its start far apart, ends at {typical['k-means++']:.2f} times.",
        ),
    )
    title = "Errors of all starts, the least first"
    return [
        said,
        Table("Sixteen clumps, sixteen prototypes", heads, tuple(rows)),
        Curve(title, "part of the starts", "error as part of the least", lines, good),
        Curve("How LBG grows", "prototypes", "mean squared distance", growth, "Every doubling goes on from the last.",
              x_scale="log", y_scale="log"),
    ]  # fmt: skip


LAB = Lab(
    rows=("R130", "R126", "R128", "R127"),
    script="C, 3.1 algorithms 3 and 4: k-means and LGB",
    says="LBG, which grows by splitting, against k-means and online quantisation from many random starts",
    run=run,
)
