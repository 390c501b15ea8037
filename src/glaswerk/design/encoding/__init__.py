"""Encoders: one column of a table becomes columns of numbers. They see arrays only: numbers, or `Labels`.

| encoder | column | becomes | learns from the rows |
|--|--|--|--|
| `Numeric` | numbers | itself, and "x is missing" where training had gaps | the mean, for gaps |
| `Graded` | a flag, an ordered column | 0 and 1, or 0, 1, 2, … | the mean, for gaps |
| `Levels` | a category | one column of 0 and 1 for each level but the most frequent | levels, their shares |
| `Kept`, `Coded`, `KeptDate` | as they are, for learners that ask | numbers with NaN, codes of words | levels |
| `DateParts` | dates | years since the first, month, weekday, hour | the first date, the parts that vary |

All of them are frozen, made by `fit` from training rows alone, and stored in model files. A sum over folds may stand
for a refit only where an encoder learnt nothing that changes its columns: `Numeric` and `Graded` without gaps.
Everything else is fitted again in every fold.
"""

from glaswerk.design.encoding.dates import DateParts
from glaswerk.design.encoding.kept import Coded, Kept, KeptDate
from glaswerk.design.encoding.labels import Labels, Unknown
from glaswerk.design.encoding.levels import Levels
from glaswerk.design.encoding.numeric import Graded, Numeric

Encoder = Numeric | Graded | Levels | DateParts | Kept | Coded | KeptDate

__all__ = [
    "Coded",
    "DateParts",
    "Encoder",
    "Graded",
    "Kept",
    "KeptDate",
    "Labels",
    "Levels",
    "Numeric",
    "Unknown",
]
