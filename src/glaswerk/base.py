"""The estimator contract, and the door to scikit-learn: parameters, tags, names and the checks at the border.

scikit-learn gives the contract (clone, get_params, tags, feature names, callbacks), never an algorithm.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MultiOutputMixin,
    OneToOneFeatureMixin,
    RegressorMixin,
    TransformerMixin,
    clone,
)
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

Array = NDArray[np.float64]


class Warned(UserWarning):
    """Something about the table that the user should know, although the fit went through."""


class Matrix(np.ndarray):
    """Rows of numbers that carry the `names` of their columns and, in `low`, what rounding the cells to doubles took.

    Any slice or computation drops both: they are only good beside the very cells they belong to.
    """

    names: tuple[str, ...] | None
    low: Array | None

    @classmethod
    def of(cls, cells: Array, names: Iterable[str] | None = None, low: Array | None = None) -> "Matrix":
        view = np.asarray(cells, dtype=np.float64).view(cls)
        view.names = None if names is None else tuple(map(str, names))
        view.low = low
        return view

    def __array_finalize__(self, parent: object) -> None:
        self.names = self.low = None


class Target(np.ndarray):
    """Numbers or labels to be predicted, one per row, that carry the `name` of their column; a slice drops it."""

    name: str | None

    @classmethod
    def of(cls, values: NDArray, name: str) -> "Target":
        view = np.asarray(values).view(cls)
        view.name = name
        return view

    def __array_finalize__(self, parent: object) -> None:
        self.name = None


@dataclass(frozen=True)
class Allowed:
    """What a parameter may be: a test, and the words for it."""

    words: str
    test: Callable[[Any], bool]

    def __or__(self, other: "Allowed") -> "Allowed":
        return Allowed(f"{self.words} or {other.words}", lambda value: self.test(value) or other.test(value))


def flag() -> Allowed:
    return Allowed("True or False", lambda v: isinstance(v, bool | np.bool_))


def none() -> Allowed:
    return Allowed("None", lambda v: v is None)


def one_of(*options: str) -> Allowed:
    return Allowed(" or ".join(map(repr, options)), lambda v: isinstance(v, str) and v in options)


def number(low: float = -np.inf, high: float = np.inf, *, above: bool = False) -> Allowed:
    """A real number in [low, high], or in (low, high] with `above`."""
    words = f"a number {'>' if above else '>='} {low:g}" if np.isfinite(low) else "a number"
    words += f" and <= {high:g}" if np.isfinite(high) else ""

    def test(v: Any) -> bool:
        real = isinstance(v, Real) and not isinstance(v, bool | np.bool_)
        return real and bool((low < v if above else low <= v) and v <= high)

    return Allowed(words, test)


def integer(low: int | None = None, high: int | None = None) -> Allowed:
    words = "an integer" + ("" if low is None else f" >= {low}") + ("" if high is None else f" and <= {high}")

    def test(v: Any) -> bool:
        whole = isinstance(v, Integral) and not isinstance(v, bool | np.bool_)
        return whole and (low is None or v >= low) and (high is None or v <= high)

    return Allowed(words, test)


def thread_count() -> Allowed:
    nonzero = Allowed("an integer other than 0", lambda v: integer().test(v) and v != 0)
    return nonzero | none()


def only(value: Any, because: str) -> Allowed:
    """A parameter of scikit-learn's class of which one value is implemented: the others are refused with a way out."""
    return Allowed(f"{value!r} ({because})", lambda v: isinstance(v, bool | np.bool_) and bool(v) == value)


class Parametric(BaseEstimator):
    """Parameters declared in one table, checked once, before anything else happens."""

    parameters: ClassVar[dict[str, Allowed]] = {}

    def check_parameters(self) -> None:
        """Raise ValueError naming the parameter, what is allowed and what came."""
        for name, allowed in self.parameters.items():
            value = getattr(self, name)
            if not allowed.test(value):
                came = f"{value!r} ({type(value).__name__})"
                raise ValueError(f"{type(self).__name__}: {name} must be {allowed.words}, got {came}")

    def check_fitted(self) -> None:
        check_is_fitted(self)


class Estimator(Parametric):
    """What learns from rows of numbers: their width and their names are kept at fit and compared ever after."""

    fitted: ClassVar[dict[str, type]] = {"n_features_in_": int, "feature_names_in_": list}

    def table(self, X: Any, *, fit: bool) -> NDArray:
        """X as a two-dimensional array of numbers; at fit its names and width are kept, later they are compared."""
        if isinstance(X, Matrix) and X.ndim == 2:
            return self._matrix(X, fit=fit)
        if type(X) is np.ndarray and X.ndim == 2 and X.dtype == np.float64 and X.shape[0] and X.shape[1]:
            if fit:
                self.n_features_in_ = X.shape[1]
                self.__dict__.pop("feature_names_in_", None)
                return X
            if X.shape[1] == self.n_features_in_ and not hasattr(self, "feature_names_in_"):
                return X
        try:
            return validate_data(self, X, reset=fit, dtype="numeric", ensure_all_finite=False)
        except (ValueError, TypeError) as error:
            raise _named(error, X) from error

    def _matrix(self, X: Matrix, *, fit: bool) -> NDArray:
        """The cells of a matrix whose names, where no slice dropped them, count as a dataframe's."""
        known = getattr(self, "feature_names_in_", None)
        if not fit and X.names is not None and known is not None and X.names != tuple(known):
            raise ValueError(f"{type(self).__name__}: {_unlike(tuple(known), X.names)}")
        if fit or known is None:
            self.table(np.asarray(X), fit=fit)
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                "as input"
            )
        if fit and X.names is not None:
            self.feature_names_in_ = np.array(X.names, dtype=object)
        return np.asarray(X)

    def restore(self, fitted: dict[str, Any]) -> None:
        """Take what a file says was fitted, after comparing it with the declared table."""
        for name, value in fitted.items():
            if name not in self.fitted or not isinstance(value, self.fitted[name]):
                raise ValueError(
                    f"{name} is a {type(value).__name__}, which is not part of a fitted {type(self).__name__}"
                )
        missing = [name for name in self.fitted if name not in fitted and name != "feature_names_in_"]
        if missing:
            raise ValueError(f"{', '.join(missing)} is missing")
        names = fitted.get("feature_names_in_")
        if names is not None and (len(names) != fitted["n_features_in_"] or not all(isinstance(n, str) for n in names)):
            raise ValueError("feature_names_in_ must hold one name per column")
        self.__dict__.update(fitted)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self.check_restored()

    def check_restored(self) -> None:
        """Raise ValueError where the parts of a restored model do not fit together."""

    def column_names(self) -> tuple[str, ...]:
        """Names of the input columns: the table's own, or x0, x1, …"""
        known = getattr(self, "feature_names_in_", None)
        return tuple(f"x{j}" for j in range(self.n_features_in_)) if known is None else tuple(map(str, known))


class Regressor(MultiOutputMixin, RegressorMixin, Estimator):
    """The contract of a regressor, with our own score."""


class Classifier(ClassifierMixin, Estimator):
    """The contract of a classifier: y holds labels, `classes_` the distinct ones in sorted order."""

    fitted: ClassVar[dict[str, type]] = {**Estimator.fitted, "classes_": np.ndarray}


class Transformer(TransformerMixin, Estimator):
    """The contract of a transformer: set_output, get_feature_names_out."""

    def numbers(self, X: Any, *, fit: bool) -> Array:
        """X as numbers without a gap; a NaN or infinite cell is refused by its name."""
        rows = np.asarray(self.table(X, fit=fit), dtype=np.float64)
        message = find_unusable(rows, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return rows

    def input_names(self, input_features: Any = None) -> tuple[str, ...]:
        """The names of the input columns; those handed over must agree with what was fitted."""
        self.check_fitted()
        if input_features is None:
            return self.column_names()
        names = tuple(map(str, input_features))
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), "
                f"got {len(names)}"
            )
        if hasattr(self, "feature_names_in_") and names != self.column_names():
            raise ValueError("input_features is not equal to feature_names_in_")
        return names


def _unlike(known: tuple[str, ...], came: tuple[str, ...]) -> str:
    """The sentence for a matrix of other columns than those fitted."""
    missing = [name for name in known if name not in came]
    extra = [name for name in came if name not in known]
    listed = [
        f"{what}: {', '.join(map(repr, some[:5]))}" for what, some in (("missing", missing), ("new", extra)) if some
    ]
    return f"The feature names should match those that were passed during fit; {'; '.join(listed) or 'other order'}"


def _named(error: Exception, X: Any) -> Exception:
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


__all__ = [
    "Allowed",
    "CallbackSupportMixin",
    "Classifier",
    "ClassifierMixin",
    "DataConversionWarning",
    "Estimator",
    "Matrix",
    "NotFittedError",
    "OneToOneFeatureMixin",
    "Parametric",
    "Pipeline",
    "Regressor",
    "Self",
    "Target",
    "Transformer",
    "Warned",
    "check_weights",
    "clone",
    "find_unusable",
    "flag",
    "integer",
    "none",
    "number",
    "one_of",
    "only",
    "targets",
    "thread_count",
    "weights",
    "with_callbacks",
]
