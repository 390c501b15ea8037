"""Perceptron: the forerunner. A plane that is moved only by the rows on its wrong side.

    y ∈ {-1, +1},   if y (w₀ + wᵀx) ≤ 0:   w ← w + η y x   for every row, in random order              [TRE-PERCEPTRON]

Where a plane separates the classes it is found after at most (R/γ)² corrections, R the length of the longest row [x, 1]
and γ the widest margin. Cost: n d an epoch. When not to use it: classes that overlap, where it never comes to rest (the
pocket keeps its best plane; logistic regression weighs the rows and decides whether a plane separates at all).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from glaswerk import kernels, passes
from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, flag, integer, none, number
from glaswerk.facts import Curve, Facts, Line, MethodCard, Statement
from glaswerk.learners.adaline import SignClassifier, wrong_sides
from glaswerk.optim.epochs import Rows, shuffler
from glaswerk.optim.trace import along_scale


@storable("Corrections", version=1)
@dataclass(frozen=True, eq=False)
class Corrections:
    """Weights (q, d + 1) of the planes, and how they came to be.

    `mistakes` (epochs, q) rows that moved a plane in each epoch; `wrong` (q,) rows on its wrong side at the end;
    `margin` (q,) the least distance of a row where the plane separates, else 0; `radius` the longest row [x, 1].
    """

    weights: Array
    mistakes: Array
    wrong: Array
    margin: Array
    radius: float
    rows: int

    @property
    def separated(self) -> np.ndarray:
        """Which planes have all rows on their right side."""
        return self.wrong == 0

    def check(self) -> None:
        q = len(self.weights)
        if self.weights.ndim != 2 or self.mistakes.ndim != 2 or self.mistakes.shape[1] != q or not len(self.mistakes):
            raise ValueError("corrections need weights (planes, columns + 1) and mistakes (epochs, planes)")
        if self.wrong.shape != (q,) or self.margin.shape != (q,):
            raise ValueError("corrections need one count and one margin for every plane")


def correct(
    rows: Rows, rate: float, intercept: bool, epochs: int, *, shuffle: bool, pocket: bool, seed: int
) -> Corrections:
    """Epochs until no row moves a plane; the `pocket` holds the plane of each epoch with the fewest rows wrong."""
    n, q = rows.Y.shape
    theta, best = np.zeros((q, rows.X.shape[1] + 1)), np.zeros((q, rows.X.shape[1] + 1))
    fewest, order, state = np.full(q, np.inf), np.arange(n), shuffler(seed)
    seen = []
    for _ in range(epochs):
        if shuffle:
            kernels.shuffle_order(order, state)
        mistakes = np.zeros(q)
        kernels.mistake_epoch(rows.X, rows.Y, order, rate, intercept, theta, mistakes)
        seen.append(mistakes)
        if pocket:
            wrong = wrong_sides(theta, rows)
            better = wrong < fewest
            best[better], fewest[better] = theta[better], wrong[better]
        if not mistakes.any():
            break
    found = best if pocket else theta
    return Corrections(found, np.array(seen), wrong_sides(found, rows), *_margins(found, rows, intercept), n)


def _margins(planes: Array, rows: Rows, intercept: bool) -> tuple[Array, float]:
    """Least distance of [x, 1] to each plane that separates, and the length of the longest row."""
    ones = float(intercept)
    radius = float(np.sqrt(np.einsum("ij,ij->i", rows.X, rows.X).max() + ones))
    sides = (rows.X @ planes[:, :-1].T + planes[:, -1]) * rows.Y
    lengths = np.sqrt((planes**2).sum(axis=1))
    return np.maximum(sides.min(axis=0), 0.0) / np.where(lengths > 0, lengths, 1.0), radius


class Perceptron(SignClassifier):
    """Rosenblatt's perceptron, with the count of its mistakes and what they prove.

    scikit-learn's names; from zero weights its rate changes the length of the weights and nothing else.

    Parameters
    ----------
    penalty : None.
    fit_intercept : whether w₀ is fitted. max_iter : epochs at most; it ends where an epoch made no mistake.
    shuffle : whether every epoch takes the rows in a new random order. eta0 : η > 0.
    pocket : whether the plane of the epoch with the fewest rows on the wrong side is kept, or the last one.
    random_state : seed of the order.

    >>> model = Perceptron().fit([[0.0], [1.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[0.5], [3.5]]).tolist(), int(model.solution_.mistakes[-1].sum())
    (['no', 'yes'], 0)
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "penalty": none(),
        "fit_intercept": flag(),
        "max_iter": integer(1),
        "shuffle": flag(),
        "eta0": Allowed("a finite number > 0", lambda v: number(0, above=True).test(v) and np.isfinite(v)),
        "pocket": flag(),
        "random_state": integer(0),
    }
    fitted: ClassVar[dict[str, type]] = {**SignClassifier.fitted, "solution_": Corrections}
    card: ClassVar[MethodCard] = MethodCard(
        name="perceptron",
        formula="class = sign(w₀ + Σ wⱼ xⱼ); w ← w + η y x for every row on the wrong side",
        equations=("TRE-PERCEPTRON", "TRE-SIGN"),
        cost="n d multiplications an epoch; at most (R/γ)² corrections where a plane separates",
        assumes=("a plane separates the classes", "columns of like size: R/γ decides how long it takes"),
        restriction_bias="only classes parted by planes can be found",
        preference_bias="the first plane met that makes no mistake; the order of the rows decides which",
        not_for=("probabilities", "classes that overlap", "a number as target"),
    )

    def __init__(
        self,
        *,
        penalty: str | None = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        shuffle: bool = True,
        eta0: float = 1.0,
        pocket: bool = True,
        random_state: int = 0,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.eta0 = eta0
        self.pocket = pocket
        self.random_state = random_state

    def learn_rows(self, rows: Rows) -> None:
        with passes.one_blas_thread():
            self.solution_ = correct(
                rows, float(self.eta0), bool(self.fit_intercept), int(self.max_iter), shuffle=bool(self.shuffle),
                pocket=bool(self.pocket), seed=int(self.random_state),
            )  # fmt: skip

    @property
    def planes(self) -> Array:
        found: Array = self.solution_.weights
        return found

    @property
    def n_iter_(self) -> int:
        """Epochs until the end."""
        self.check_fitted()
        return len(self.solution_.mistakes)

    def facts(self) -> Facts:
        """The weights, the mistakes of every epoch, whether the classes were separated, the method."""
        self.check_fitted()
        told = Statement("Do planes separate the classes?", tuple(self._sentences()))
        return Facts([*self.coefficients(bool(self.fit_intercept)), told, self._curve(), self.card])

    def _sentences(self) -> list[str]:
        s, told = self.solution_, []
        for k, name in enumerate(self.plane_names()):
            made = int(s.mistakes[:, k].sum())
            if s.separated[k]:
                bound = (s.radius / s.margin[k]) ** 2 if s.margin[k] > 0 else np.inf
                told.append(
                    f"{name}: separated, after {made} corrections. Margin γ = {s.margin[k]:.4g}, longest row R = "
                    f"{s.radius:.4g}: never more than (R/γ)² = {bound:.4g} corrections from zero weights."
                )
            else:
                told.append(
                    f"{name}: no separating plane was met in {self.n_iter_} epochs; {s.wrong[k]:.0f} of {s.rows} rows "
                    "are on the wrong side. That is no proof that there is none: LogisticRegression decides it."
                )
        return told

    def _curve(self) -> Curve:
        mistakes = self.solution_.mistakes
        shown = along_scale(len(mistakes))
        x = tuple((shown + 1.0).tolist())
        lines = tuple(Line(name, x, tuple(mistakes[shown, k].tolist())) for k, name in enumerate(self.plane_names()))
        ended = "The last epoch made no mistake." if not mistakes[-1].any() else "It never came to rest."
        title = f"Mistakes of the perceptron for {self.target_names_[0]}"
        return Curve(title, "epoch", "rows that moved the plane", lines, ended)
