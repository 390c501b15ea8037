"""KMeans: every row belongs to the nearest of k prototypes, every prototype is the mean of its rows.

    J = Σ_n Σ_k r_nk ‖x_n - w_k‖²;   E: r_nk = 1 for the nearest w_k;   M: w_k = Σ r_nk x_n / Σ r_nk      [BG-KMEANS]

Neither step can raise J, so it converges: to a minimum near its start, not to the least of all. Cost: n k d a round.
When not to use it: groups that are not round and of like width (GaussianMixture), columns in units that cannot be
compared (scale them, or metric="mahalanobis"), an unknown number of groups (how_many).
"""

import warnings
from typing import Any, ClassVar

from glaswerk.base import Allowed, Warned, flag, integer, number, one_of, thread_count
from glaswerk.facts import Facts, MethodCard
from glaswerk.learner.quantiser import METRIC, RANDOM, START, Quantiser
from glaswerk.learner.unsupervised import Walk
from glaswerk.optim.lloyd import lloyd
from glaswerk.optim.partition import partition_of
from glaswerk.optim.seeding import random_state
from glaswerk.optim.tiles import tiled

STARTS = 10  # from random rows, as in scikit-learn


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
        "init": START | Allowed("a function", callable),
        "n_init": one_of("auto") | integer(1),
        "max_iter": integer(1),
        "tol": number(0),
        "verbose": integer(0) | flag(),
        "random_state": RANDOM,
        "copy_x": flag(),
        "algorithm": one_of("lloyd", "elkan"),
        "metric": METRIC,
        "trace": flag(),
        "n_jobs": thread_count(),
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
            start = self.start(walk, rows, whitening, self.n_clusters, self.init, random)
            tol = self.tol * float(rows.reach.variance.mean())
            found = lloyd(walk, rows, start, max_iter=self.max_iter, tol=tol, trace=self.trace)
            if best is None or found.error < best.error * (1 - 1e-12):
                best = found
        assert best is not None
        self.tell_unused(best.count)
        self.solution_, self.labels_ = partition_of(best, rows, whitening), best.labels

    def _starts(self) -> int:
        given = not isinstance(self.init, str) and not callable(self.init)
        if self.n_init == "auto":
            return 1 if given or self.init == "k-means++" else STARTS
        if given and self.n_init != 1:
            warnings.warn("KMeans: init is an array, so there is one start", Warned, stacklevel=7)
            return 1
        return int(self.n_init)

    def facts(self) -> Facts:
        """Prototypes, the error of every round, what must be known of them, the method."""
        start = self.init if isinstance(self.init, str) else "given prototypes"
        return self.own_facts((f"Started from {start}; the best of {self._starts()} start(s) by error.",))
