"""A mixture started three ways: random rows, k-means, LBG.                                    [BG-EM] [BG-LOGLIKGMM]"""

import numpy as np

from glaswerk.base import Array
from glaswerk.evaluate import group_plane, how_many
from glaswerk.facts import Cell, Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, heard, line
from glaswerk.learners import GaussianMixture

WAYS = {"random": "random rows", "kmeans": "k-means", "lbg": "LBG"}
TRIES, K = 20, 4


def stretched(seed: int) -> Array:
    """Four long groups of different tilt, two of which cross."""
    random = np.random.default_rng([seed, 33])
    shapes = (((3.0, 0.0), (0.0, 0.4)), ((0.4, 0.0), (0.0, 3.0)), ((1.0, 0.9), (0.0, 0.4)), ((0.7, 0.0), (0.0, 0.7)))
    centres = ((0.0, 0.0), (0.0, 0.5), (6.0, 4.0), (-6.0, 5.0))
    parts = [random.standard_normal((120, 2)) @ np.array(s) + c for s, c in zip(shapes, centres, strict=True)]
    return np.concatenate(parts)


def run(seed: int) -> list[Fact]:
    """The likelihood reached from every start, its way there, and the best mixture in the plane."""
    X = stretched(seed)
    with heard():
        fits = {
            way: [
                GaussianMixture(K, init_params=way, random_state=seed + s, tol=1e-4, max_iter=200).fit(X)
                for s in range(TRIES)
            ]
            for way in WAYS
        }
        judged = how_many(X, learner=GaussianMixture(max_iter=200), sizes=range(1, 7), resamples=6, seed=seed)
    best = max(model.lower_bound_ for models in fits.values() for model in models)
    rows: list[tuple[Cell, ...]] = []
    for way, models in fits.items():
        reached = np.array([model.lower_bound_ for model in models])
        rounds = float(np.median([model.n_iter_ for model in models]))
        rows.append(
            (WAYS[way], rounds, float(reached.min()), float(np.median(reached)), float((reached > best - 0.01).mean()))
        )
    heads = ("start", "rounds, median", "least mean ln p", "median", "share within 0.01 of the best")
    ways = tuple(line(WAYS[w], np.arange(len(m[0].lower_bounds_)) + 1.0, m[0].lower_bounds_) for w, m in fits.items())
    shown = max((model for models in fits.values() for model in models), key=lambda model: model.lower_bound_)
    said = Statement(
        "What is to be seen",
        (
            f"The best of all starts reaches a mean ln p of {best:.4g}. k-means and LBG put the means near groups, so "
            "EM needs fewer rounds; but groups that cross are no regions of k-means, and random rows may find them.",
            f"Asked how many components, BIC says {judged.chosen['BIC']}, AIC {judged.chosen['AIC']}, "
            f"ICL {judged.chosen['ICL']}: where components cross, ICL may count fewer.",
        ),
    )
    told = "The first try of each start; all of them rise with every round."
    bic = next(fact for fact in judged.facts() if isinstance(fact, Curve))
    return [
        said,
        Table(f"{TRIES} tries from each start", heads, tuple(rows)),
        Curve("Log-likelihood from three starts", "round", "mean ln p", ways, told),
        group_plane(shown, X, "The best mixture"),
        bic,
    ]


LAB = Lab(
    rows=("R134", "R131", "R132", "R135"),
    script="C, 3.1: EM for GMM, Anmerkungen: Initialisierung",
    says="a Gaussian mixture started from random rows, from k-means and from LBG: rounds, likelihoods, and how many",
    run=run,
)
