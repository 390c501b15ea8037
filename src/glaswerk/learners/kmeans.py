"""KMeans: every row belongs to the nearest of k prototypes, every prototype is the mean of its rows.

    J = Σ_n Σ_k r_nk ‖x_n - w_k‖²;   E: r_nk = 1 for the nearest w_k;   M: w_k = Σ r_nk x_n / Σ r_nk      [BG-KMEANS]

Neither step can raise J, so it converges: to a minimum near its start, not to the least of all. Cost: n k d a round.
When not to use it: groups that are not round and of like width (GaussianMixture), columns in units that cannot be
compared (scale them, or metric="mahalanobis"), an unknown number of groups (how_many).
"""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Clusterer, Transformer, Warned, flag, integer, none, number, one_of, weights
from glaswerk.base import thread_count as threads
from glaswerk.facts import Facts, MethodCard, Statement
from glaswerk.learner import Unsupervised, Walk
from glaswerk.optim.lloyd import Clustered, lloyd
from glaswerk.optim.partition import Partition, partition_of
from glaswerk.optim.seeding import plus_plus, random_rows, random_state, sampled
from glaswerk.optim.tiles import TiledRows, tiled
from glaswerk.optim.whitening import WhitenedSource, whitening_of
from glaswerk.passes import ArraySource

STARTS = 10  # from random rows, as in scikit-learn
METRIC = one_of("euclidean", "mahalanobis")
RANDOM = none() | integer(0) | Allowed("a RandomState", lambda v: isinstance(v, np.random.RandomState))


class Quantiser(Transformer, Clusterer, Unsupervised):
    """Interface: prototypes, and the nearest of them for every row."""

    fitted: ClassVar[dict[str, type]] = {**Unsupervised.fitted, "solution_": Partition, "labels_": np.ndarray}
    metric: str

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
        """kmeans0, kmeans1, …: the columns of `transform`."""
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


class KMeans(Quantiser):
    """k-means, with the error of every step, and every empty cluster it relocated told.

    Drop-in for scikit-learn's class of this name: the same seeds for the same `random_state`, the same rounds. Row
    weights, and tables larger than memory (`fit_source`). The result does not depend on the number of threads.

    Parameters
    ----------
    n_clusters : k.
    init : "k-means++", "random" (rows), an array (k, d), or a function of (X, n_clusters, random_state).
    n_init : starts, of which the one of least error is kept; "auto" is 1, and 10 for random rows or a function.
    max_iter : rounds at most. tol : end where ‖Δw‖² of a round is at most this times the mean variance of the columns;
        0 goes on until no row changes its prototype.
    random_state : seed of the start.
    metric : "euclidean", or "mahalanobis": distances by the covariance of all rows.
    trace : whether the prototypes of every round are kept, in `solution_.rounds.trail`.
    n_jobs : threads; None takes what affinity and OMP_NUM_THREADS allow.
    algorithm : "lloyd" and "elkan" both mean the same exact rounds. copy_x, verbose : for scikit-learn's sake.

    >>> model = KMeans(2).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist()), model.inertia_
    ([0.5, 9.5], 1.0)
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_clusters": integer(1),
        "init": one_of("k-means++", "random")
        | Allowed("an array (k, d)", lambda v: not isinstance(v, str) and np.ndim(v) == 2)
        | Allowed("a function", callable),
        "n_init": one_of("auto") | integer(1),
        "max_iter": integer(1),
        "tol": number(0),
        "verbose": integer(0) | flag(),
        "random_state": RANDOM,
        "copy_x": flag(),
        "algorithm": one_of("lloyd", "elkan"),
        "metric": METRIC,
        "trace": flag(),
        "n_jobs": threads(),
    }
    card: ClassVar[MethodCard] = MethodCard(
        name="k-means",
        formula="cluster = argmin d(x, w_k); w minimises J = Σ d(x, w_k)²",
        equations=("BG-KMEANS", "BG-VQ", "BG-VQE", "BG-MAHA"),
        cost="n k d multiplications a round",
        assumes=("groups are round, of like width", "columns of units that can be compared", "k is known"),
        restriction_bias="a group is the region nearer to its prototype than to any other: convex, with flat borders",
        preference_bias="groups of like extent; the minimum nearest to the start",
        not_for=("groups of any shape", "overlapping groups: rows belong wholly to one", "categories"),
    )

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = 0,
        copy_x: bool = True,
        algorithm: str = "lloyd",
        metric: str = "euclidean",
        trace: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.metric = metric
        self.trace = trace
        self.n_jobs = n_jobs

    def learn(self, walk: Walk) -> None:
        if walk.n_rows < self.n_clusters:
            raise ValueError(f"KMeans: n_samples={walk.n_rows} should be >= n_clusters={self.n_clusters}")
        walk, whitening = self.measured(walk)
        rows = tiled(walk)
        random, best = random_state(self.random_state), None
        for _ in range(self._starts()):
            start = self._start(walk, rows, whitening, random)
            tol = self.tol * float(rows.reach.variance.mean())
            found = lloyd(walk, rows, start, max_iter=self.max_iter, tol=tol, trace=self.trace)
            if best is None or found.error < best.error * (1 - 1e-12):
                best, labels = found, rows.all_labels()
        assert best is not None
        self._tell(best)
        self.solution_, self.labels_ = partition_of(best, rows, whitening), labels

    def _starts(self) -> int:
        given = not isinstance(self.init, str) and not callable(self.init)
        if self.n_init == "auto":
            return 1 if given or self.init == "k-means++" else STARTS
        if given and self.n_init != 1:
            warnings.warn("KMeans: init is an array, so there is one start", Warned, stacklevel=7)
            return 1
        return int(self.n_init)

    def _start(self, walk: Walk, rows: TiledRows, whitening: Any, random: np.random.RandomState) -> Array:
        k = int(self.n_clusters)
        if isinstance(self.init, str):
            draw = plus_plus if self.init == "k-means++" else random_rows
            if rows.held is not None:
                return draw(walk, rows, k, random)
            part = sampled(walk, rows, int(random.randint(1 << 31)))
            few = walk.over(part)
            found = tiled(few)
            return draw(few, found, k, random) + found.shift
        if callable(self.init) and not isinstance(walk.source, ArraySource):
            raise ValueError("KMeans: init can be a function only with fit(X): a file's rows are not held as one array")
        whole = getattr(walk.source, "X", None)
        given = self.init(whole, k, random_state=random) if callable(self.init) else self.init
        at = np.array(given, dtype=np.float64)
        if at.shape != (k, self.n_features_in_) or not np.isfinite(at).all():
            raise ValueError(f"KMeans: init must be {k} rows of {self.n_features_in_} finite numbers, got {at.shape}")
        return (at if whitening is None else whitening(at)) - rows.shift

    def _tell(self, found: Clustered) -> None:
        held = int((found.count > 0).sum())
        if held < self.n_clusters:
            warnings.warn(
                f"KMeans: only {held} of n_clusters={self.n_clusters} prototypes stand for rows; "
                "are there fewer distinct rows?",
                Warned,
                stacklevel=7,
            )

    def facts(self) -> Facts:
        """Prototypes, the error of every round, what must be known of them, the method."""
        start = self.init if isinstance(self.init, str) else "given prototypes"
        return self.own_facts((f"Started from {start}; the best of {self._starts()} start(s) by error.",))
