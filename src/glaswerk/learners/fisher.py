"""Fisher's discriminant: the line on which two classes, projected, lie furthest apart for their own width.

    y = wᵀx,   J(w) = (m₁' - m₂')² / (s₁² + s₂²)                                                         [BG-FISHERJ]
    greatest for   w ∝ S_w⁻¹ (m₂ - m₁);   the means alone would give   w ∝ m₂ - m₁          [BG-FISHERW] [BG-MEANDIR]
    class 2 where   wᵀx + w₀ > 0,   w₀ = -wᵀm   with the mean m of all rows                                [BG-HYPER]
    the same w from least squares with targets N/N₁ and -N/N₂                                           [BG-FISHERLS]

Cost: one pass of n d² / 2 multiplications, one more of n d for the picture. When not to use it: more than two classes
(LinearDiscriminantAnalysis), probabilities, classes that no plane parts.
"""

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, Warned, none, number, one_of, thread_count
from glaswerk.facts import Coefficient, Coefficients, Curve, Facts, Line, MethodCard, Statement, Table
from glaswerk.learner import Again, Fitted
from glaswerk.learner.by_class import ByClass, MomentClassifier
from glaswerk.passes import Block
from glaswerk.stats.fisher import Bars, FisherSolution, Sight, criterion, least_squares_direction, unit
from glaswerk.stats.gaussian_classes import ClassSums, Steadied, steadied
from glaswerk.stats.gaussian_solution import told_of
from glaswerk.stats.labels import codes_of, labels_of
from glaswerk.stats.moments import GroupedMoments


def one_of_k(codes: Any, n_classes: int) -> Array:
    """[BG-ONEOFK] Targets (n, K): 1 in the column of the row's own class, 0 elsewhere.

    >>> one_of_k([0, 2], 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    found = np.zeros((len(codes), n_classes))
    found[np.arange(len(codes)), np.asarray(codes, dtype=np.intp)] = 1.0
    return found


class FisherDiscriminant(MomentClassifier):
    """Fisher's direction between two classes, with its criterion, its threshold, and the rows projected on it.

    Parameters
    ----------
    threshold : where the line is cut. "mean": at the mean of all rows, as the script does; "midpoint": half-way between
        the class means; "bayes": where Gaussian classes of one covariance are equally probable.
    shrinkage : None, or a share from 0 to 1; as for `LinearDiscriminantAnalysis`.
    tol : a direction narrower than this many deviations of its columns counts as not determined.
    n_jobs : threads; the result does not depend on it.

    >>> X, y = [[0.0, 0.0], [2.0, 0.2], [4.0, 0.0], [0.0, 1.0], [2.0, 0.8], [4.0, 1.0]], list("aaabbb")
    >>> model = FisherDiscriminant().fit(X, y)
    >>> model.direction_.round(3).tolist(), model.predict([[9.0, 0.2], [-9.0, 0.8]]).tolist()
    ([0.0, 1.0], ['a', 'b'])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "threshold": one_of("mean", "midpoint", "bayes"),
        "shrinkage": number(0, 1) | none(),
        "tol": number(0),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**MomentClassifier.fitted, "solution_": FisherSolution}
    card: ClassVar[MethodCard] = MethodCard(
        name="Fisher's discriminant",
        formula="class 2 where wᵀx + w₀ > 0, w ∝ S_w⁻¹ (m₂ - m₁), w₀ = -wᵀm",
        equations=("BG-FISHERJ", "BG-FISHERW", "BG-FISHERLS", "BG-MEANDIR", "BG-HYPER", "BG-ONEOFK"),
        cost="one pass of n d² / 2 multiplications, one of n d for the projected rows",
        assumes=("the means tell the classes apart", "both classes scatter alike: their scatters are added"),
        restriction_bias="only two classes, parted by one plane",
        preference_bias="projected means far apart for the projected width of the classes",
        not_for=("more than two classes", "probabilities", "classes of equal means and unlike spread"),
    )

    def __init__(
        self,
        *,
        threshold: str = "mean",
        shrinkage: float | None = None,
        tol: float = 1e-4,
        n_jobs: int | None = None,
    ) -> None:
        self.threshold = threshold
        self.shrinkage = shrinkage
        self.tol = tol
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def begin(self, head: Block, n_rows: int | None) -> ByClass:
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{len(self.classes_)} classes; LinearDiscriminantAnalysis takes any number"
            )
        return super().begin(head, n_rows)

    def observe(self, block: Block, ask: ByClass | Sight) -> GroupedMoments | Bars:
        if isinstance(ask, Sight):
            return Bars.of(block.X, block.Y[:, 0], block.weight, ask)
        found: GroupedMoments = super().observe(block, ask)
        return found

    def solve(self, statistic: Any, ask: Any, *, more: bool) -> Fitted | Again:
        if isinstance(ask, Sight):
            return Fitted(replace(ask.solution, edges=ask.edges, counts=statistic.counts), None)
        moved = self.farther(statistic, ask) if more else None
        if moved is not None:
            return Again(moved)
        sums = ClassSums.of(statistic)
        steady = steadied(sums.within / sums.total, sums.spare_scale, sums.spare, self.tol, self.shrinkage)
        solution = self._solved(sums, steady)
        if steady.share > 0 and self.shrinkage is None:
            warnings.warn(
                f"{type(self).__name__}: the scatter within the classes is singular "
                f"({sums.why_singular(self.column_names())}); it was shrunk by {steady.share:.3g} towards columns "
                "without correlation",
                Warned,
                stacklevel=6,
            )
        if not more:
            return Fitted(solution, statistic)
        return Again(Sight.of(solution, sums, ask.passes + 1), statistic)

    def _solved(self, sums: ClassSums, steady: Steadied) -> FisherSolution:
        apart = sums.offset[1] - sums.offset[0]
        w = steady.solve(apart[None, :])[0]
        middle = (sums.offset[0] + sums.offset[1]) / 2
        cut = float(w @ (sums.centre if self.threshold == "mean" else middle))
        if self.threshold == "bayes" and (sums.weight > 0).all():
            cut -= float(np.log(sums.weight[1] / sums.weight[0]))
        means = unit(apart)
        return FisherSolution(
            sums.shift, w, -cut, means, unit(-least_squares_direction(sums, steady)), criterion(w, sums),
            criterion(means, sums), sums.weight, sums.offset @ unit(w), steady.share, steady.why, steady.condition,
            sums.lost, np.zeros(0), np.zeros(0),
        )  # fmt: skip

    def decision_function(self, X: Any) -> Array:
        """wᵀx + w₀: above zero on the side of the second class."""
        self.check_fitted()
        rows = self.rows_of(X)
        return self.usable(self.solution_.scores(rows), rows)

    def predict(self, X: Any) -> np.ndarray:
        """The class on whose side of the plane a row lies."""
        side = self.decision_function(X) > 0
        return self.classes_[side.astype(np.intp)]

    def project(self, X: Any) -> Array:
        """wᵀx along the unit direction (n,): where the rows lie on the line."""
        self.check_fitted()
        found: Array = self.rows_of(X) @ self.direction_
        return found

    def coded(self, y: Any) -> Array:
        """Labels as 1-of-K targets (n, 2)."""
        self.check_fitted()
        owner = type(self).__name__
        return one_of_k(codes_of(labels_of(y, len(y), owner), self.classes_, owner=owner), len(self.classes_))

    @property
    def coef_(self) -> Array:
        """w (1, d) = Σ⁻¹ (m₂ - m₁)."""
        self.check_fitted()
        found: Array = self.solution_.weights[None, :]
        return found

    @property
    def intercept_(self) -> Array:
        """w₀ (1,)."""
        self.check_fitted()
        return np.array([self.solution_.w0])

    @property
    def direction_(self) -> Array:
        """w with length one."""
        self.check_fitted()
        return unit(self.solution_.weights)

    @property
    def criterion_(self) -> float:
        """J(w)."""
        self.check_fitted()
        found: float = self.solution_.criterion
        return found

    def facts(self) -> Facts:
        """The plane, the criterion of both directions, the rows along both, the method."""
        self.check_fitted()
        s, (first, second) = self.solution_, self.class_names()
        names = self.column_names()
        target = f"{second} against {first}"
        rows = [Coefficient("w₀", s.w0), *(Coefficient(n, float(w)) for n, w in zip(names, s.weights, strict=True))]
        note = f"the hyperplane wᵀx + w₀ = 0; {second} lies where it is positive; only the direction of w is determined"
        plane = Coefficients(f"{self.target_names_[0]}: {target}", 0.95, tuple(rows), (note,))
        told = Statement("The scatter within the classes", told_of(s.share, s.why, s.condition, s.lost))
        return Facts([plane, self._criteria(), self._directions(names), *self._along(), told, self.card])

    def _criteria(self) -> Table:
        s = self.solution_
        cosine = float(unit(s.weights) @ s.squares_direction)
        rows = (
            ("Fisher's, S_w⁻¹ (m₂ - m₁)", s.criterion, 1.0),
            ("least squares, targets N/N₁ and -N/N₂", s.criterion, cosine),
            ("means alone, m₂ - m₁", s.mean_criterion, float(unit(s.weights) @ s.mean_direction)),
        )
        return Table("Criterion J(w) by direction", ("direction", "J(w)", "cosine with Fisher's"), rows)

    def _directions(self, names: tuple[str, ...]) -> Table:
        s = self.solution_
        parts = zip(
            names, unit(s.weights).tolist(), s.squares_direction.tolist(), s.mean_direction.tolist(), strict=True
        )
        return Table("Directions of length one", ("column", "Fisher", "least squares", "means alone"), tuple(parts))

    def _along(self) -> list[Curve]:
        """The rows projected on both directions, class by class, with the threshold on Fisher's."""
        s = self.solution_
        if not s.counts.size:
            return []
        length = float(np.sqrt(s.weights @ s.weights))
        origins = float(unit(s.weights) @ s.shift), float(s.mean_direction @ s.shift)
        titles = "Rows projected on Fisher's direction", "Rows projected on the direction of the means alone"
        found = []
        for k, (title, origin) in enumerate(zip(titles, origins, strict=True)):
            lines = tuple(
                Line(name, tuple((s.edges[k] + origin).tolist()), (*density.tolist(), 0.0), form="steps")
                for name, density in zip(self.class_names(), self._densities(k), strict=True)
            )
            marks = ((origin - s.intercept / length, "threshold"),) if k == 0 and length > 0 else ()
            value = s.criterion if k == 0 else s.mean_criterion
            found.append(
                Curve(title, "w · x, w of length one", "share of the class", lines, f"J(w) = {value:.4g}.", marks=marks)
            )
        return found

    def _densities(self, k: int) -> Array:
        counts = self.solution_.counts[k]
        found: Array = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        return found
