"""PlayTennis: ID3 on fourteen days, with the entropy and the gain of every column at every node.

S = -Σ p log₂ p;   Δ_x S = S - Σ |S_k| / |S| S_k;   ask for the largest                       [BG-ENTROPY] [BG-GAIN]
"""

import numpy as np

from glaswerk.base import Matrix, Target
from glaswerk.explain import impurity_curves, tree_nodes
from glaswerk.facts import Fact, Table
from glaswerk.labs.lab import Lab, Printed, beside
from glaswerk.learners import ID3Classifier
from glaswerk.table import load_play_tennis
from glaswerk.trees.gains import entropy_sum

GAINS = {"outlook": "0.2467", "humidity": "0.1518", "wind": "0.0481", "temperature": "0.0292"}


def run(_seed: int) -> list[Fact]:
    """Numbers of the textbook, the gains node by node, the tree, and the impurities over p."""
    table = load_play_tennis()
    names = [name for name in table.names if name != "play_tennis"]
    levels, codes = [], []
    for name in names:
        words, place = np.unique(table[name].series.to_list(), return_inverse=True)
        levels.append(tuple(map(str, words.tolist())))
        codes.append(place.astype(np.float64))
    y = np.where(table["play_tennis"].series.to_list(), "yes", "no")
    X = Matrix.of(np.column_stack(codes), names, levels=tuple(levels))
    model = ID3Classifier().fit(X, Target.of(y, "play_tennis"))
    tree, gains, *_ = model.facts()
    return [printed(model, names), gains, tree, tree_nodes(model), impurity_curves()]


def printed(model: ID3Classifier, names: list[str]) -> Table:
    """Entropy and gains at the root."""
    value, rows = model.full_.value[0], float(model.full_.weight[0])
    entropy = float((entropy_sum(np.array([rows])) - entropy_sum(value)) / rows)
    found = [Printed("entropy of all rows", "0.9403", entropy)]
    found += [
        Printed(f"gain of {name}", text, float(model.gains_.weighted[0, names.index(name)] / rows))
        for name, text in GAINS.items()
    ]
    notes = ("The script gives the formulas and no numbers; these are the textbook's (Mitchell 1997).",)
    return beside("PlayTennis, printed and obtained", found, notes)


LAB = Lab(
    rows=("R93", "R94", "R104"),
    script="C, 2.7: ID3; D, impurities",
    says="fourteen days of PlayTennis: the gain of every column at every node, the tree, the impurities over p",
    run=run,
)
