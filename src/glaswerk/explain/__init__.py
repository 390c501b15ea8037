"""Why a model answers as it does, and where it is wrong: facts made from a fitted model and rows of a table.

| file | gives |
|--|--|
| `contributions` | one answer as a sum over columns, exact for linear models, Shapley values for all others |
| `importance` | how much worse answers get when a column, or columns that move together, are shuffled |
| `dependence` | the mean answer along one column, with the rows there are |
| `segments` | where the error is larger or smaller than elsewhere |
| `influence` | rows that lie far out and pull at a fit |

A new family of models is explained without a line of its own: nothing here asks for more than answers.
"""

from glaswerk.explain.contributions import explain_row
from glaswerk.explain.dependence import partial_dependence
from glaswerk.explain.importance import permutation_importance
from glaswerk.explain.influence import influence
from glaswerk.explain.segments import segments

__all__ = ["explain_row", "influence", "partial_dependence", "permutation_importance", "segments"]
