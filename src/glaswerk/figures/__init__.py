"""Figures: facts become Vega dictionaries, and pictures. The door to vl-convert.

`figures_of(fact)` gives the figures of any fact, `Figure` draws itself, `runtime_script()` draws them in a page. A new
kind of fact becomes visible by one file that registers a function with `figures_of`, named here.

>>> from glaswerk.facts import Coefficient, Coefficients
>>> row = Coefficient("weight", -0.5, standard_error=0.1, t=-5.0, p=0.0, lower=-0.7, upper=-0.3)
>>> [figure.name for figure in figures_of(Coefficients("mpg", 0.95, (row,)))]
['coefficients', 'coefficients-t']
"""

from glaswerk.figures import (  # each registers what it draws
    coefficients,
    comparison,
    concepts,
    confusion,
    contributions,
    curves,
    data_card,
    dependence,
    groups,
    importance,
    influence,
    likelihoods,
    margins,
    nodes,
    out_of_fold,
    regions,
    search,
    segments,
    steps,
    surface,
    trees,
)
from glaswerk.figures.figure import Figure, FigureError
from glaswerk.figures.registry import figures_of
from glaswerk.figures.runtime import runtime_script

KINDS = (
    coefficients, comparison, concepts, confusion, contributions, curves, data_card, dependence, groups,
    importance, influence, likelihoods, margins, nodes, out_of_fold, regions, search, segments, steps, surface,
    trees,
)  # fmt: skip

__all__ = ["KINDS", "Figure", "FigureError", "figures_of", "runtime_script"]
