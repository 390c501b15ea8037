"""Checks at the border: targets, weights and cells, with messages that name the row or column."""

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from glaswerk.base.matrices import Array


class Warned(UserWarning):
    """Something about the table that the user should know, although the fit went through."""


def named_error(error: Exception, X: Any) -> Exception:
    """The same error, with the column and row that caused it where they can be found."""
    columns = getattr(X, "columns", None)
    values = np.asarray(X, dtype=object) if columns is not None or isinstance(X, list | np.ndarray) else None
    if values is None or values.ndim != 2:
        return error
    names = [repr(str(c)) for c in columns] if columns is not None else [str(j) for j in range(values.shape[1])]
    for j, name in enumerate(names):
        for i, value in enumerate(values[:, j]):
            if isinstance(value, str | bytes) and not _reads_as_number(value):
                text = f"column {name} holds text ({value!r} in row {i}); numbers are needed here: encode or drop it"
                return ValueError(f"{text}. ({error})")
    return error


def _reads_as_number(text: str | bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def targets(y: Any, n_rows: int, owner: str) -> tuple[Array, bool]:
    """y as float64 columns (n, q), and whether it came as a single one-dimensional target."""
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    values = (
        np.asarray(y) if type(y) is np.ndarray else check_array(y, ensure_2d=False, dtype=None, ensure_all_finite=False)
    )
    if values.ndim not in (1, 2):
        raise ValueError(f"{owner}: y must have one or two dimensions, got shape {values.shape}")
    if len(values) != n_rows:
        raise ValueError(f"{owner}: X has {n_rows} rows and y has {len(values)}: inconsistent numbers of samples")
    if values.dtype.kind not in "fiub":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{owner}: the target y must hold numbers, got {values.dtype} such as {values.flat[0]!r}"
            ) from error
    columns = values.reshape(n_rows, -1)
    return np.ascontiguousarray(columns, dtype=np.float64), values.ndim == 1


def weights(sample_weight: Any, n_rows: int, owner: str) -> Array:
    """Row weights as float64 (n,), or (0,) where every row counts once."""
    if sample_weight is None:
        return np.zeros(0)
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_rows, float(sample_weight))
    values = np.asarray(sample_weight, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"{owner}: sample_weight must be a 1D array with one weight per row, got shape {values.shape}")
    if len(values) != n_rows:
        raise ValueError(f"{owner}: sample_weight.shape == ({len(values)},), expected ({n_rows},)")
    check_weights(values, owner)
    if not values.any():
        raise ValueError(f"{owner}: sample_weight is zero for every row: nothing is left to fit")
    return np.ascontiguousarray(values)


def check_weights(values: Array, owner: str, first_row: int = 0) -> None:
    """Refuse weights that are negative or not numbers, naming the first such row."""
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(f"{owner}: sample_weight must be finite and >= 0, got {values[row]} in row {first_row + row}")


def find_unusable(X: NDArray, names: Sequence[str], what: str = "X", first_row: int = 0) -> str | None:
    """The sentence that names the first NaN or infinite cell of a table, or None."""
    bad = ~np.isfinite(X)
    if not bad.any():
        return None
    row, column = (int(k) for k in np.argwhere(bad)[0])
    kind = "NaN" if np.isnan(X[row, column]) else "infinity"
    return (
        f"{what} contains {kind}: column {names[column]!r}, row {first_row + row} "
        f"({int(bad.sum())} such cell(s) in all). Drop these rows or fill the cells first"
    )
