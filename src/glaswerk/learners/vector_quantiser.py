"""VectorQuantizer: prototypes that are pulled by one row after another, ever less.

    w_c ← w_c + ε (x - w_c),   c = argmin_k d(x, w_k),   ε = ε₀ / (1 + decay · epochs done)                  [BG-VQSTEP]

It ends where the error is flat. Cost: n k d an epoch, twice that with its trace. When not to use it: rows that can be
read again and again, for which KMeans finds a better minimum in fewer passes.
"""

from typing import Any, ClassVar, Self

import numpy as np

from glaswerk import kernels
from glaswerk.base import Allowed, Array, flag, integer, number
from glaswerk.facts import Curve, Facts, Line, MethodCard
from glaswerk.learner.quantiser import METRIC, RANDOM, START, Quantiser
from glaswerk.learner.sampling import SampleFit
from glaswerk.learner.unsupervised import Walk
from glaswerk.optim.lloyd import Clustered, Rounds, needs_long_form, resummed
from glaswerk.optim.partition import partition_of
from glaswerk.optim.seeding import random_state
from glaswerk.optim.tiles import TiledRows, Walks, tiled

FLAT_EPOCHS = 2  # one flat epoch may be chance


def quantised(
    walk: Walks, rows: TiledRows, X: Array, centres: Array, *, rate: float, decay: float, epochs: int, tol: float,
    random: np.random.RandomState, shuffle: bool, trace: bool,
) -> Clustered:  # fmt: skip
    """Epochs of single rows until E_VQ changes by no more than `tol` of itself, twice in a row.          [BG-VQSTEP]"""
    order, at = np.arange(len(X)), np.array(centres.T, order="C")
    log: list[tuple[float, float]] = []
    trail, flat, direct = [centres], 0, False
    while True:
        at_last = resummed(walk, rows, trail[-1], direct)
        error = float(at_last.errors.sum())
        direct = direct or needs_long_form(rows, trail[-1], error)
        moved = float(((trail[-1] - trail[-2]) ** 2).sum()) if len(trail) > 1 else 0.0
        flat = flat + 1 if log and abs(log[-1][0] - error) <= tol * log[-1][0] else 0
        log.append((error, moved))
        if flat >= FLAT_EPOCHS or len(log) > epochs:
            break
        if shuffle:
            order = random.permutation(len(X))
        kernels.quantise_epoch(X, order, rate, decay, float(len(log) - 1), at)
        trail.append(np.array(at.T, order="C"))
        if not trace:
            trail = trail[-2:]
    found, moves = (np.array(part) for part in zip(*log, strict=True))
    none = np.zeros(len(log), dtype=np.int64)
    kept = np.array(trail) if trace else np.zeros((0, *centres.shape))
    rounds = Rounds(found, found, none, moves, none, kept)
    settled = flat >= FLAT_EPOCHS
    return at_last.clustered(trail[-1], settled, direct, rounds)


class VectorQuantizer(SampleFit, Quantiser):
    """Online vector quantisation, with the quantisation error after every epoch.

    Rows are taken one after another, each once an epoch: a row that shall count twice is given twice.

    Parameters
    ----------
    n_prototypes : K.
    init : "random" rows, "k-means++", or an array (K, d).
    learning_rate : ε₀, in (0, 1]. decay : how fast ε falls: after e epochs it is ε₀ / (1 + decay e).
    max_iter : epochs at most. tol : the error is flat where an epoch changes it by no more than this part of itself.
    shuffle : whether every epoch takes the rows in a new random order. random_state : seed of start and order.
    metric : "euclidean", or "mahalanobis". trace : whether the prototypes after every epoch are kept.

    >>> model = VectorQuantizer(2, init=[[0.0], [1.0]]).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> model.predict([[2.0], [8.0]]).tolist()
    [0, 1]
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_prototypes": integer(1),
        "init": START,
        "learning_rate": number(0, 1, above=True),
        "decay": number(0),
        "max_iter": integer(1),
        "tol": number(0),
        "shuffle": flag(),
        "random_state": RANDOM,
        "metric": METRIC,
        "trace": flag(),
    }
    needs_rows: ClassVar[str] = "it takes rows one by one, in random order (KMeans and LBG have sums that add)"
    card: ClassVar[MethodCard] = MethodCard(
        name="vector quantisation",
        formula="w_c ← w_c + ε (x - w_c) for the prototype nearest to x",
        equations=("BG-VQSTEP", "BG-VQ", "BG-VQE", "BG-MAHA"),
        cost="n k d multiplications an epoch, and as many for its error",
        assumes=("rows come in no particular order", "columns of units that can be compared"),
        restriction_bias="a group is the region nearer to its prototype than to any other: convex, with flat borders",
        preference_bias="a minimum near the start; the order of the rows and the rate decide which",
        not_for=("rows that can be read again: KMeans", "groups of any shape", "categories"),
    )

    def __init__(
        self,
        n_prototypes: int = 8,
        *,
        init: Any = "random",
        learning_rate: float = 0.1,
        decay: float = 1.0,
        max_iter: int = 50,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
        metric: str = "euclidean",
        trace: bool = False,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.init = init
        self.learning_rate = learning_rate
        self.decay = decay
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.random_state = random_state
        self.metric = metric
        self.trace = trace

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit to rows in memory; y is not used."""
        super().fit(X)
        return self

    def learn(self, walk: Walk) -> None:
        if walk.n_rows < self.n_prototypes:
            raise ValueError(f"VectorQuantizer: n_samples={walk.n_rows} should be >= n_prototypes={self.n_prototypes}")
        walk, whitening = self.measured(walk)
        rows, random = tiled(walk), random_state(self.random_state)
        start = self.start(walk, rows, whitening, self.n_prototypes, self.init, random)
        X = np.ascontiguousarray(np.concatenate([tiles.by_row() for tiles in rows.blocks(0, rows.cuts(1)[-1])]))
        found = quantised(
            walk, rows, X, start, rate=self.learning_rate, decay=self.decay, epochs=self.max_iter, tol=self.tol,
            random=random, shuffle=self.shuffle, trace=self.trace,
        )  # fmt: skip
        self.tell_unused(found.count)
        self.solution_, self.labels_ = partition_of(found, rows, whitening), found.labels

    @property
    def n_iter_(self) -> int:
        """Epochs."""
        return len(self.partition.rounds.assigned) - 1

    def facts(self) -> Facts:
        """Prototypes, the error after every epoch, what must be known of them, the method."""
        found = self.partition
        ended = "the error was flat" if found.settled else "the epochs were used up while the error still changed"
        told = (
            f"Started from {self.init if isinstance(self.init, str) else 'given prototypes'}; it ended since {ended}."
        )
        errors = tuple((found.rounds.assigned / found.weight).tolist())
        line = Line("E_VQ", tuple(float(e) for e in range(len(errors))), errors)
        curve = Curve(
            "Quantisation error", "epoch", "mean squared distance", (line,), f"{self.n_iter_} epochs: {ended}."
        )
        own = self.own_facts((told,))
        return Facts([curve if isinstance(fact, Curve) else fact for fact in own])
