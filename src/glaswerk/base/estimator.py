"""Estimators: columns and their names compared between fit and use; regressors, classifiers, transformers."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, ClusterMixin, DensityMixin, MultiOutputMixin, RegressorMixin, TransformerMixin
from sklearn.utils.validation import validate_data

from glaswerk.base.border import find_unusable, named_error
from glaswerk.base.matrices import Array, ColumnLevels, Matrix
from glaswerk.base.mixed import chosen_columns, coded, columns_of, has_words, learn_levels, recoded
from glaswerk.base.parameters import Parametric


class Estimator(Parametric):
    """What learns from rows of numbers: their width and their names are kept at fit and compared ever after."""

    fitted: ClassVar[dict[str, type]] = {"n_features_in_": int, "feature_names_in_": list}
    takes_categories: ClassVar[bool] = False
    takes_groups: ClassVar[bool] = False  # whether `groups` names columns that belong together
    levels_: ColumnLevels

    def cells(self, X: Any, *, fit: bool) -> NDArray:
        """X as numbers; words become codes where this estimator takes categories as they are."""
        return self.mixed_table(X, fit=fit) if self.takes_categories else self.table(X, fit=fit)

    def mixed_table(self, X: Any, *, fit: bool) -> NDArray:
        """X as numbers, its columns of words as codes of the `levels_` learnt at fit; NaN where a cell is missing.

        A parameter `categorical_features` (numbers, names or a mask of columns) makes columns of numbers categories.
        """
        if isinstance(X, Matrix) and X.ndim == 2:
            return self._mixed_matrix(X, fit=fit)
        owner, asked = type(self).__name__, getattr(self, "categorical_features", None)
        known = None if fit else self.levels_
        plain = not any(known) if known is not None else asked is None
        if plain and not has_words(X):
            rows = self.table(X, fit=fit)
            self.levels_ = (None,) * rows.shape[1]
            return rows
        if not has_words(X):
            self.table(X, fit=fit)  # one check for shape, names and sparse cells
        else:
            validate_data(self, X, reset=fit, skip_check_array=True)
        columns = columns_of(X)
        if fit:
            self.levels_ = learn_levels(columns, chosen_columns(asked, self.column_names(), owner))
        return coded(columns, self.levels_, owner)

    def _mixed_matrix(self, X: Matrix, *, fit: bool) -> NDArray:
        cells = self._matrix(X, fit=fit)
        asked = chosen_columns(getattr(self, "categorical_features", None), self.column_names(), type(self).__name__)
        if fit and any(asked):
            learnt = learn_levels(columns_of(np.asarray(X)), asked)
            own = X.levels or (None,) * X.shape[1]
            self.levels_ = tuple(a if a is not None else b for a, b in zip(own, learnt, strict=True))
        elif fit:
            self.levels_ = X.levels or (None,) * X.shape[1]
        if X.levels is None and any(self.levels_):
            return coded(columns_of(np.asarray(X)), self.levels_, type(self).__name__)
        return recoded(X, self.levels_) if X.levels is not None and X.levels != self.levels_ else cells

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
            raise named_error(error, X) from error

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


class Clusterer(ClusterMixin, Estimator):
    """The contract of a clusterer: `fit(X)`, `labels_`, `fit_predict`."""


class Density(DensityMixin, Estimator):
    """The contract of a density: `fit(X)`, `score(X)` is the mean log-density."""


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
