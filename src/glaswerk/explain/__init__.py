"""Why a model answers as it does, and where it is wrong: facts made from a fitted model and rows of a table.

| file | gives |
|--|--|
| `contributions` | one answer as a sum over columns, exact for linear models, Shapley values for all others |
| `importance` | how much worse answers get when a column, or columns that move together, are shuffled |
| `dependence` | the mean answer along one column, with the rows there are |
| `segments` | where the error is larger or smaller than elsewhere |
| `influence` | rows that lie far out and pull at a fit |
| `reading` | the path of one row through a tree, what lies in its nodes, impurities over p |
| `shapes` | what a tree makes of one column or two, by depth: steps, rectangles, surfaces |
| `steadiness` | how often a tree changes without a row, on resampled rows, after a turn of the plane |

A new family of models is explained without a line of its own: all but the last three ask for answers only.
"""

from glaswerk.explain.contributions import explain_row
from glaswerk.explain.dependence import partial_dependence
from glaswerk.explain.importance import permutation_importance
from glaswerk.explain.influence import influence
from glaswerk.explain.reading import impurity_curves, tree_nodes, tree_path
from glaswerk.explain.segments import segments
from glaswerk.explain.shapes import tree_shapes
from glaswerk.explain.steadiness import instability, rotation

__all__ = [
    "explain_row",
    "impurity_curves",
    "influence",
    "instability",
    "partial_dependence",
    "permutation_importance",
    "rotation",
    "segments",
    "tree_nodes",
    "tree_path",
    "tree_shapes",
]
