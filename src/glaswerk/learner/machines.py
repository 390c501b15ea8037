"""What fitted support vector machines show: the rows that hold them, planes, proofs, and a picture over two columns."""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Array, Classifier, Matrix
from glaswerk.facts import Facts, MarginPlane
from glaswerk.optim.margins import margin_plane
from glaswerk.optim.support import SupportSolution, support_facts
from glaswerk.stats.labels import codes_of, labels_of


class Machines(Classifier):
    """Interface: a classifier put together from one machine for every pair of classes; its subclass finds them."""

    fitted: ClassVar[dict[str, type]] = {**Classifier.fitted, "solution_": SupportSolution, "calibration_": object}
    C: float
    kernel: Any
    calibration_: Any

    def pair_values(self, X: Any) -> Array:
        """f of every machine for every row (n, machines)."""
        raise NotImplementedError

    def votes(self, values: Array) -> Array:
        """Votes of the pairs per class, ties told apart by the values, which weigh less than one vote."""
        votes, sums = np.zeros((2, len(values), len(self.classes_)))
        for k, machine in enumerate(self.solution_.machines):
            second = values[:, k] > 0
            votes[:, machine.second] += second
            votes[:, machine.first] += ~second
            sums[:, machine.second] += values[:, k]
            sums[:, machine.first] -= values[:, k]
        found: Array = votes + sums / (3 * (np.abs(sums) + 1))
        return found

    @property
    def support_(self) -> np.ndarray:
        """Numbers of the rows that support a machine, by class."""
        return self.solution_.support

    @property
    def support_vectors_(self) -> Array:
        return self.solution_.points + self.solution_.origin

    @property
    def n_iter_(self) -> np.ndarray:
        """Steps (rounds, of interior points) that every machine took."""
        return np.array([machine.steps for machine in self.solution_.machines])

    @property
    def n_support_(self) -> np.ndarray:
        return self.solution_.counts

    @property
    def intercept_(self) -> Array:
        """b, for rows as they come (not about the mean); of several classes one for each pair, above 0 the first."""
        found = self.solution_.intercepts_as_they_come()
        return found if len(self.classes_) == 2 else -found

    @property
    def coef_(self) -> Array:
        """w, for the linear kernel only; of several classes one for each pair, above 0 the first."""
        if not self.solution_.plane:
            raise AttributeError("coef_ exists for kernel='linear' only: other kernels have their plane elsewhere")
        found = self.solution_.planes()
        return found if len(self.classes_) == 2 else -found

    @property
    def dual_coef_(self) -> Array:
        """β of every supporting row; of several classes (machines, rows), a row for every pair."""
        return self.solution_.weights

    def facts(self) -> Facts:
        """The machines with their proofs, the rows that weigh most, planes where they are in the columns, the card."""
        self.check_fitted()
        told = support_facts(self.solution_, self.classes_.tolist(), self.column_names(), self.C)
        known = () if self.calibration_ is None else (self.calibration_.table(self.classes_.tolist()),)
        drawn = [self._drawn(self.support_vectors_)] if self._in_plane() else []
        return Facts([*told, *drawn, *known, self.card])

    def margins(self, X: Any, y: Any, title: str = "") -> MarginPlane:
        """[R79] A picture over two columns: regions, border, margins, rows X by their class y, supporting ones ringed.

        `X` are the rows of the fit, in their order.
        """
        self.check_fitted()
        if not self._in_plane():
            raise ValueError(f"{type(self).__name__}.margins draws two columns of numbers, got {self.n_features_in_}")
        rows, owner = np.asarray(self.table(X, fit=False), dtype=np.float64), type(self).__name__
        codes = codes_of(labels_of(y, len(rows), owner), self.classes_, np.ones(len(rows)), owner).astype(np.intp)
        held = np.zeros(len(rows), dtype=bool)
        held[self.solution_.support[self.solution_.support < len(rows)]] = True
        return self._drawn(rows, codes, held, title)

    def _in_plane(self) -> bool:
        return self.n_features_in_ == 2 and self.kernel != "precomputed"

    def _drawn(
        self, rows: Array, codes: np.ndarray | None = None, held: np.ndarray | None = None, title: str = ""
    ) -> MarginPlane:
        """The plane with these rows; where their classes are not given they are those that support."""
        known = self.solution_
        says = ""
        if codes is None or held is None:
            codes, held = np.repeat(np.arange(len(known.counts)), known.counts), np.ones(len(rows), dtype=bool)
            says = "Only rows that support it are kept."
        classes = [str(name) for name in self.classes_]
        named = getattr(self, "feature_names_in_", None)

        def values(asked: Array) -> Array:
            found = self.pair_values(Matrix.of(asked, named))
            return found[:, 0] if len(classes) == 2 else self.votes(found)

        title = title or "The border in the plane of both columns"
        return margin_plane(values, rows, codes, held, classes, self.column_names(), title, says)
