"""Every E and every M step: k-means and EM on two moons and on Iris.          [BG-KMEANS] [BG-EM] [BG-LOGLIKGMM]

Script C says that k-means converges and that the likelihood rises with every round; here both are to be watched. Two
moons are no round groups: both methods cut them, and no number of rounds mends that.
"""

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array
from glaswerk.evaluate import group_plane
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line
from glaswerk.learners import GaussianMixture, KMeans
from glaswerk.table import load_iris

ROWS, NOISE = 300, 0.08


def two_moons(seed: int) -> tuple[Array, NDArray[np.int64]]:
    """Two half circles that reach into each other, and which of them each row lies on."""
    random = np.random.default_rng([seed, 31])
    angle, moon = np.pi * random.random(ROWS), np.arange(ROWS) % 2
    x = np.where(moon == 0, np.cos(angle), 1 - np.cos(angle))
    y = np.where(moon == 0, np.sin(angle), 0.5 - np.sin(angle))
    return np.column_stack([x, y]) + NOISE * random.standard_normal((ROWS, 2)), moon


def agreement(found: NDArray[np.integer], truth: NDArray[np.integer]) -> float:
    """The share of rows on their side, when every group is named after most of its rows."""
    right = sum(int(np.bincount(truth[found == k]).max()) for k in np.unique(found))
    return right / len(truth)


def fitted(X: Array, k: int, seed: int) -> tuple[KMeans, GaussianMixture]:
    """k-means from random rows until nothing changes, and EM from k-means, both with their traces."""
    hard = KMeans(k, init="random", n_init=1, tol=0, trace=True, random_state=seed)
    soft = GaussianMixture(k, tol=1e-5, max_iter=300, trace=True, random_state=seed)
    with heard():
        return hard.fit(X), soft.fit(X)


def run(seed: int) -> list[Fact]:
    """The steps as curves, where the prototypes went, and how well groups meet what is known."""
    flowers = load_iris()
    iris = flowers.to_polars().drop("species").to_numpy()
    species = np.unique(flowers.to_polars()["species"].to_numpy(), return_inverse=True)[1]
    moons, moon = two_moons(seed)
    rows: list[tuple[Cell, ...]] = []
    planes: list[Fact] = []
    errors, likelihoods = [], []
    for name, X, truth, k in (("two moons", moons, moon, 2), ("Iris", iris, species, 3)):
        hard, soft = fitted(X, k, seed)
        steps = np.stack([hard.solution_.rounds.assigned, hard.solution_.rounds.averaged], axis=1).ravel()
        rising = np.array(soft.lower_bounds_)
        errors.append(line(name, np.arange(len(steps)) / 2, steps / steps[-1]))
        likelihoods.append(line(name, np.arange(len(rising)) + 1.0, rising - rising[-1]))
        falls = bool(np.diff(steps).max() <= 1e-9 * steps[0])
        rises = bool(np.diff(rising).min() >= -1e-9)
        rows.append((name, "k-means", hard.n_iter_, falls, agreement(hard.labels_, truth)))
        rows.append((name, "EM", soft.n_iter_, rises, agreement(soft.predict(X), truth)))
        planes += [group_plane(hard, X, f"{name}: k-means"), group_plane(soft, X, f"{name}: mixture by EM")]
    heads = ("rows", "method", "rounds", "every step went the right way", "rows with their like")
    down = "Every half round is a step: E gives every row its nearest prototype, M moves prototypes to their rows."
    up = "The log-likelihood rises with every round, quickly at first and then for long by little."
    hard_iris, soft_iris = (agreement(model.predict(iris), species) for model in fitted(iris, 3, seed))
    said = Statement(
        "What is to be seen",
        (
            "No E step and no M step of k-means ever raises its error, and EM never lowers its likelihood.",
            "Two moons are not round: k-means cuts both, and two normal components are no moons either. More rounds do "
            "not help, for both have found what they were asked for.",
            f"On Iris k-means puts {100 * hard_iris:.0f} % of the flowers with most of their species, the mixture, "
            f"whose groups may be long and tilted, {100 * soft_iris:.0f} %.",
        ),
    )
    return [
        said,
        Table("How well the groups meet what is known", heads, tuple(rows)),
        Curve("Error of k-means, step by step", "round", "error as part of the last", tuple(errors), down),
        Curve("Log-likelihood of EM, round by round", "round", "mean ln p below the last", tuple(likelihoods), up),
        *planes,
    ]


LAB = Lab(
    rows=("R128", "R127", "R131", "R132", "R133"),
    script="C, 3.1: k-means converges; EM for GMM, step 4",
    says="every E and M step of k-means and of EM on two moons and on Iris, with the paths of the prototypes",
    run=run,
)
