"""What a tree and a forest share about their target: numbers, or classes of one or several outputs."""

from typing import Any

import numpy as np

from glaswerk.base import Array, Classifier, Regressor, find_unusable, targets
from glaswerk.scoring import accuracy_score, r2_score
from glaswerk.trees.labels import coded_labels, with_class_weight
from glaswerk.trees.target import Target, classes, numbers


class NumbersTask(Regressor):
    """Interface: one or several targets that are numbers."""

    single_target_: bool
    target_names_: list[str]

    def target_of(self, y: Any, weight: Array, n_rows: int) -> tuple[Target, Array]:
        """The targets on their grid, and the weights as they are."""
        owner = type(self).__name__
        Y, self.single_target_ = targets(y, n_rows, owner)
        message = find_unusable(Y, self.target_names_, "the target y")
        if message:
            raise ValueError(f"{owner}: {message}")
        self.n_outputs_ = Y.shape[1]
        return numbers(Y, weight), weight

    def shaped(self, found: Array) -> Array:
        """Predictions as y came: one dimension for one target."""
        return found[:, 0] if self.single_target_ else found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))


class ClassesTask(Classifier):
    """Interface: one or several targets that are classes."""

    criterion: str
    class_weight: Any
    target_names_: list[str]

    def target_of(self, y: Any, weight: Array, n_rows: int) -> tuple[Target, Array]:
        """Class numbers, and the weights of rows times those of their classes."""
        owner = type(self).__name__
        codes, known = coded_labels(y, n_rows, weight, owner)
        self.n_outputs_ = len(known)
        self.classes_: Any = known[0] if len(known) == 1 else known
        weight = with_class_weight(self.class_weight, codes, known, weight, owner)
        return classes(codes, [len(names) for names in known], weight, self.criterion), weight

    def class_names(self) -> tuple[str, ...]:
        """The classes in words."""
        if self.n_outputs_ == 1:
            return tuple(map(str, self.classes_.tolist()))
        pairs = zip(self.target_names_, self.classes_, strict=True)
        return tuple(f"{target}: {label}" for target, labels in pairs for label in labels.tolist())

    @property
    def n_classes_(self) -> Any:
        self.check_fitted()
        return len(self.classes_) if self.n_outputs_ == 1 else [len(labels) for labels in self.classes_]

    def split_shares(self, X: Any) -> list[Array]:
        """The shares of the classes of every output, (n, K) each."""
        raise NotImplementedError

    def predict_proba(self, X: Any) -> Any:
        """The shares of the classes (n, K); a list of such arrays for several outputs."""
        parts = self.split_shares(X)
        return parts[0] if self.n_outputs_ == 1 else parts

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the shares; -inf for a class that has none."""
        found = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(found) if self.n_outputs_ == 1 else [np.log(p) for p in found]

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest share; of equal ones the first."""
        parts = self.split_shares(X)
        known = [self.classes_] if self.n_outputs_ == 1 else self.classes_
        found = [labels[part.argmax(axis=1)] for part, labels in zip(parts, known, strict=True)]
        return found[0] if self.n_outputs_ == 1 else np.stack(found, axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))
