"""A table of two columns of numbers: the border of a support vector machine between its classes, with sliders."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Matrix
from glaswerk.evaluate import margin_steps
from glaswerk.facts import Fact, Statement
from glaswerk.figures.labels import short
from glaswerk.learners import SVC
from glaswerk.report.families import learner_of
from glaswerk.table import Column, Kind

BORDER_SECONDS = 4.0  # of some hundred fits to at most 400 rows
MOST_CLASSES = 8


def columns_of_border(
    candidates: Mapping[str, Any], inputs: Iterable[Column], classes: Sequence[Any]
) -> tuple[Column, ...]:
    """Both columns, where there are two of numbers and no other, and a support vector machine takes part."""
    found = tuple(column for column in inputs if column.kind not in (Kind.TEXT, Kind.IDENTIFIER))
    taking_part = any(isinstance(learner_of(candidate), SVC) for candidate in candidates.values())
    plane = len(found) == 2 and all(column.kind == Kind.NUMBER for column in found)
    return found if plane and taking_part and 2 <= len(classes) <= MOST_CLASSES else ()


def border_to_move(columns: Sequence[Column], rows: NDArray[Any], truth: NDArray[Any]) -> tuple[Fact, ...]:
    """What is seen, and the sliders; rows with a missing cell are left out, columns scaled."""
    cells = np.column_stack([column.numbers()[rows] for column in columns])
    whole = np.isfinite(cells).all(axis=1)
    cells, labels = cells[whole], truth[whole]
    spread = cells.std(axis=0)
    if len(np.unique(labels)) < 2 or not (spread > 0).all():
        return ()
    names = tuple(f"{short(column.name, 60)}, scaled" for column in columns)
    scaled = Matrix.of((cells - cells.mean(axis=0)) / spread, names)
    words = Statement(
        "",
        (
            "This table has two columns, so that the border between its classes can be seen: here it is that of a "
            "support vector machine with a Gaussian kernel, whatever the best model is.",
        ),
    )
    return words, margin_steps(scaled, labels)
