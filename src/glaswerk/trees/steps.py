"""The pruning sequence as a slider: every nested tree with its error on rows left out, none of them grown again."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from glaswerk.facts import Curve, Line, Slider, Steps, Tree, shown
from glaswerk.trees.choice import Choice

MOST_PLACES = 14
MOST_POINTS = 60  # of the curve that stands beside every tree


def places_of(choice: Choice) -> NDArray[np.int64]:
    """The trees the slider stops at, the smallest first: at even ratios of leaves, and the two that matter."""
    leaves = choice.leaves.astype(float)
    wanted = np.geomspace(min(2.0, leaves[0]), leaves[0], MOST_PLACES)
    nearest = np.abs(np.log(leaves)[:, None] - np.log(wanted)[None, :]).argmin(axis=0)
    return np.unique([*nearest, choice.best, choice.chosen])[::-1].astype(np.int64)


def pruning_steps(choice: Choice, tree_at: Callable[[float], Tree], target: str) -> Steps:
    """The slider; `tree_at(alpha)` tells the tree of the sequence at a penalty, a sum over rows."""
    at = places_of(choice)
    curve = replace(choice.curve(f"Error of the pruned trees for {target}", MOST_POINTS), says="")
    error = choice.measured(choice.error)

    def marked(k: int) -> Curve:
        here = Line("this tree", (float(choice.leaves[k]),), (float(error[k]),), form="points")
        return replace(curve, lines=(*curve.lines, here))

    facts = tuple((marked(k), tree_at(float(choice.alpha[k]))) for k in at.tolist())
    slider = Slider("leaves", tuple(str(int(choice.leaves[k])) for k in at))
    chosen = int(np.flatnonzero(at == choice.chosen)[0])
    told = choice.curve("").says
    notes = (told, f"The slider stops at {len(at)} of the {len(choice.alpha)} trees; all came from one growth.")
    says = tuple(said(choice, int(k)) for k in at)
    return Steps(f"The tree for {target}, pruned step by step", (slider,), facts, says, chosen, notes)


def said(choice: Choice, k: int) -> str:
    """One tree in a sentence."""
    leaves = int(choice.leaves[k])
    sure = (choice.error[k] - choice.standard_error[k], choice.error[k] + choice.standard_error[k])
    low, high = (float(choice.measured(np.maximum(np.array(e), 0.0))) for e in sure)
    error = float(choice.measured(choice.error)[k])
    parts = [
        f"{leaves} {'leaf' if leaves == 1 else 'leaves'}: {choice.name} {shown(round_to(error))} on rows left out "
        f"({shown(round_to(low))} to {shown(round_to(high))} within one standard error)"
    ]
    if not choice.classes:
        parts.append(f"{shown(round_to(float(np.sqrt(choice.risk[k] / choice.weight))))} on training rows")
    mark = "the tree that was taken" if k == choice.chosen else "the least error" if k == choice.best else ""
    return (
        ", ".join(
            [*parts, f"ccp_alpha {shown(round_to(float(choice.alpha[k] / choice.weight)))}", *([mark] if mark else [])]
        )
        + "."
    )


def round_to(value: float) -> float:
    """Four significant digits: enough for a sentence."""
    return float(f"{value:.4g}")
