"""A table opened for a model that walks its rows by itself."""

from typing import Any

import numpy as np

from glaswerk.base import Estimator
from glaswerk.passes import Source
from glaswerk.table import open_source


def opened(
    model: Estimator, source: Any, target: str | list[str], weight: str | None, columns: list[str] | None
) -> Source:
    """The rows of a Parquet file (or several) or of a dataframe; the model keeps the names of their columns."""
    rows = open_source(source, target=target, weight=weight, columns=columns)
    model.feature_names_in_ = np.array(rows.names, dtype=object)
    model.n_features_in_ = len(rows.names)
    return rows
