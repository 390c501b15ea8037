"""Quantiser: learners whose model is a set of prototypes, each standing for the rows nearest to it."""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Clusterer, Transformer, Warned, integer, none, one_of, weights
from glaswerk.facts import Facts, MethodCard, Statement
from glaswerk.learner.unsupervised import Unsupervised, Walk
from glaswerk.optim.partition import Partition
from glaswerk.optim.seeding import plus_plus, random_rows, sampled
from glaswerk.optim.tiles import TiledRows, tiled
from glaswerk.optim.whitening import WhitenedSource, whitening_of
from glaswerk.passes import ArraySource

METRIC = one_of("euclidean", "mahalanobis")
START = one_of("k-means++", "random") | Allowed(
    "an array (k, d)", lambda v: not isinstance(v, str) and not callable(v) and np.ndim(v) == 2
)
RANDOM = none() | integer(0) | Allowed("a RandomState", lambda v: isinstance(v, np.random.RandomState))


class Quantiser(Transformer, Clusterer, Unsupervised):
    """Interface: prototypes, and the nearest of them for every row."""

    fitted: ClassVar[dict[str, type]] = {**Unsupervised.fitted, "solution_": Partition, "labels_": np.ndarray}
    metric: str
    card: ClassVar[MethodCard]

    def measured(self, walk: Walk) -> tuple[Walk, Any]:
        """The walk where Euclidean distance is the metric, with the whitening that took it there.       [BG-MAHA]"""
        if self.metric == "euclidean":
            return walk, None
        whitening = whitening_of(walk)
        if not len(whitening.turn):
            raise ValueError(
                f"{type(self).__name__}: metric='mahalanobis' needs a column that varies, all are constant"
            )
        return walk.over(WhitenedSource(walk.source, whitening)), whitening

    def rows_of(self, X: Any) -> Array:
        """New rows as numbers."""
        self.check_fitted()
        return np.ascontiguousarray(self.numbers(X, fit=False))

    def start(
        self, walk: Walk, rows: TiledRows, whitening: Any, k: int, init: Any, random: np.random.RandomState
    ) -> Array:
        """The prototypes to begin with, about the shift of the rows."""
        if isinstance(init, str):
            draw = plus_plus if init == "k-means++" else random_rows
            if rows.held is not None:
                return draw(walk, rows, k, random)
            few = walk.over(sampled(walk, rows, int(random.randint(1 << 31))))
            part = tiled(few)
            return draw(few, part, k, random) + part.shift
        owner = type(self).__name__
        if callable(init):
            if not isinstance(walk.source, ArraySource):
                raise ValueError(f"{owner}: init can be a function only with fit(X) and the Euclidean metric")
            init = init(walk.source.X, k, random_state=random)
        at = np.array(init, dtype=np.float64)
        if at.shape != (k, self.n_features_in_) or not np.isfinite(at).all():
            raise ValueError(f"{owner}: init must be {k} rows of {self.n_features_in_} finite numbers, got {at.shape}")
        return (at if whitening is None else whitening(at)) - rows.shift

    def tell_unused(self, count: Array) -> None:
        """Warn where prototypes stand for no row."""
        held = int((count > 0).sum())
        if held < len(count):
            told = f"only {held} of {len(count)} prototypes stand for rows; are there fewer distinct rows?"
            warnings.warn(f"{type(self).__name__}: {told}", Warned, stacklevel=8)

    @property
    def partition(self) -> Partition:
        self.check_fitted()
        found: Partition = self.solution_
        return found

    @property
    def cluster_centers_(self) -> Array:
        """Prototypes (k, d) in the units of the columns."""
        return self.partition.centres

    @property
    def inertia_(self) -> float:
        """J = Σ w d(x, c)² in the metric."""
        return self.partition.error

    @property
    def n_iter_(self) -> int:
        """Rounds."""
        return len(self.partition.rounds.assigned)

    def predict(self, X: Any) -> NDArray[np.int32]:
        """The number of the nearest prototype of every row; of equally near ones the first.                [BG-VQ]"""
        rows = self.rows_of(X)
        return self.partition.nearest(rows)

    def transform(self, X: Any) -> Array:
        """Distances of every row from every prototype (n, k)."""
        rows = self.rows_of(X)
        return self.partition.distances(rows)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """-J of these rows: the greater the better."""
        rows = self.rows_of(X)
        weight = weights(sample_weight, len(rows), type(self).__name__)
        least = self.partition.distances(rows).min(axis=1) ** 2
        return -float(least @ weight) if weight.size else -float(least.sum())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """The class's name and the number of the prototype: the columns of `transform`."""
        self.input_names(input_features)
        stem = type(self).__name__.lower()
        return np.array([f"{stem}{k}" for k in range(len(self.cluster_centers_))], dtype=object)

    def check_restored(self) -> None:
        if self.partition.centres.shape[1] != self.n_features_in_:
            raise ValueError(f"solution_ does not belong to {self.n_features_in_} columns")

    def own_facts(self, extra: tuple[str, ...] = ()) -> Facts:
        """Prototypes, the error of every round, what must be known of them, the method."""
        found = self.partition
        explained = 1 - found.error / self._total() if self._total() > 0 else 0.0
        says = (
            f"Mean squared distance {found.distortion:.6g}; the groups explain {100 * explained:.1f} % of the spread."
        )
        title = f"Prototypes of {self.card.name}"
        told = Statement("How it was found", (*extra, *self._numerics()))
        return Facts(
            [
                found.prototypes(title, self.column_names(), says),
                told,
                found.curve(f"Error of {self.card.name}"),
                self.card,
            ]
        )

    def _total(self) -> float:
        """Σ w d(x, mean)²: the error of one prototype."""
        found = self.partition
        away = ((found.count @ found.places) / found.weight) if found.weight else np.zeros(found.places.shape[1])
        return found.total - found.weight * float(away @ away)

    def _numerics(self) -> list[str]:
        found = self.partition
        told = []
        moved = int(found.rounds.relocated.sum())
        if moved:
            told.append(f"{moved} time(s) a prototype without rows was moved to the row furthest from its own.")
        empty = int((found.count == 0).sum())
        if empty:
            told.append(f"{empty} prototype(s) stand for no row: there are fewer distinct rows than prototypes.")
        if found.direct:
            told.append("The groups lie so far apart that distances were taken in their long form, Σ (x - c)².")
        if found.whitening is not None:
            r, d = found.whitening.turn.shape
            told.append(f"Distances are Mahalanobis distances: {r} of {d} directions vary.")
        return told
