"""What learners share that keep the rows and ask which are near: metric, search, leave-one-out in one pass of queries.

Euclid: √Σ (a_j - b_j)²;   Mahalanobis: √((a - b)ᵀ Σ⁻¹ (a - b))                              [BG-EUCLID] [BG-MAHALA]
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import (
    Allowed,
    Array,
    clone,
    find_unusable,
    integer,
    none,
    number,
    one_of,
    thread_count,
    with_callbacks,
)
from glaswerk.facts import Cell, Curve, Line, Table
from glaswerk.learner.learner import RoundLearner
from glaswerk.learner.nearest import NOBODY, Nearest, Rows, prefers_tree, threads_for
from glaswerk.learner.tasks import FitTasks
from glaswerk.passes import Source, one_blas_thread
from glaswerk.passes.blocks import n_blocks
from glaswerk.stats.gaussian_classes import ClassSums, steadied
from glaswerk.stats.moments import GroupedMoments, common_shift

SHIFT_ROWS = 64
STRAIGHT = {"euclidean": 2.0, "l2": 2.0, "manhattan": 1.0, "l1": 1.0, "cityblock": 1.0, "chebyshev": np.inf}
OTHERS = ("minkowski", "cosine", "mahalanobis")
MOST_CURVE = 100  # neighbours to which the leave-one-out curve goes
MOST_ROWS = 20_000  # rows up to which facts compute it
CHUNK_CELLS = 4_000_000
LAST_QUESTIONS = 2  # of a search over k: the training rows and the rows left out


@storable("KeptRows", version=1)
@dataclass(frozen=True, eq=False)
class KeptRows:
    """Rows in the coordinates of the metric, their targets (n, q), and how a new row comes to these coordinates."""

    rows: Array
    targets: Array
    shift: Array
    turn: Array
    unit: bool
    power: float
    tree: bool

    def seen(self, X: Array) -> Array:
        """Rows of a table in the coordinates of the metric."""
        near = X - self.shift
        if self.turn.size:
            near = near @ self.turn
        return _unit(near) if self.unit else near

    @cached_property
    def nearest(self) -> dict[int, Nearest]:
        """The search, for each number of threads."""
        return {}

    @cached_property
    def asked(self) -> dict[str, Any]:
        """Of copies that differ in k: how deep to ask at once, and the last questions with their answers."""
        return {}

    def query(self, queries: Array, k: int, n_jobs: int | None, own: Rows = NOBODY) -> tuple[Array, Rows]:
        """Distances and numbers of the k nearest; those of fewer are the first of those of more."""
        depth = self.asked.get("depth", 0)
        if k > depth or own is not NOBODY:
            return self._query(queries, k, n_jobs, own)
        known = self.asked.setdefault("answers", deque(maxlen=LAST_QUESTIONS))
        for question, distances, rows in known:
            if np.array_equal(question, queries):
                return distances[:, :k], rows[:, :k]
        known.append((queries, *self._query(queries, depth, n_jobs, own)))
        return known[-1][1][:, :k], known[-1][2][:, :k]

    def _query(self, queries: Array, k: int, n_jobs: int | None, own: Rows) -> tuple[Array, Rows]:
        threads = threads_for(n_jobs)
        if threads not in self.nearest:
            known = next(iter(self.nearest.values()), None)
            search = Nearest(self.rows, self.power, self.tree, threads)
            if known is not None and self.tree:
                search.__dict__["boxes"] = known.boxes
            self.nearest[threads] = search
        distances, rows = self.nearest[threads].query(queries, k, own)
        return (distances**2 / 2 if self.unit else distances), rows

    def check(self) -> None:
        if self.rows.ndim != 2 or self.targets.ndim != 2 or len(self.rows) != len(self.targets):
            raise ValueError("kept rows need one target each")
        if not self.power >= 1 or self.turn.shape not in ((0, 0), (self.shift.size, self.rows.shape[1])):
            raise ValueError("the metric does not belong to these columns")


def integer_values(values: Sequence[Any]) -> list[int]:
    """Those that are whole numbers; others are refused by the copies themselves."""
    return [int(value) for value in values if isinstance(value, int | np.integer)]


def _unit(X: Array) -> Array:
    length = np.sqrt(np.einsum("ij,ij->i", X, X))
    if (length == 0).any():
        raise ValueError(f"cosine: row {int(np.argmin(length))} is zero in every column and has no direction")
    found: Array = X / length[:, None]
    return found


class RowKeeper(RoundLearner):
    """Interface: a learner that keeps its rows; predictions are averages over those near a new row."""

    fitted: ClassVar[dict[str, type]] = {**RoundLearner.fitted, "solution_": KeptRows}
    path_parameters: ClassVar[tuple[str, ...]] = ("n_neighbors",)
    parameters: ClassVar[dict[str, Allowed]] = {
        "n_neighbors": integer(1),
        "weights": one_of("uniform", "distance")
        | Allowed("a function of the distances (n, k) that gives weights", callable),
        "algorithm": Allowed("'auto' or 'kd_tree' or 'brute' (all find the same rows)",
                             lambda v: isinstance(v, str) and v in ("auto", "kd_tree", "brute")),
        "leaf_size": integer(1),
        "p": number(1),
        "metric": one_of(*STRAIGHT, *OTHERS),
        "metric_params": none() | Allowed("{'V': a covariance} for 'mahalanobis'", lambda v: isinstance(v, dict)),
        "n_jobs": thread_count(),
    }  # fmt: skip

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str | Callable[[Array], Array] = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: str = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def complexity(self) -> float:
        """Free parameters: n / k, the number of neighbourhoods that do not overlap."""
        return len(self.solution_.rows) / self.n_neighbors

    def fit_path(
        self, X: Any, y: Any, name: str, values: Sequence[Any], sample_weight: Any = None
    ) -> list[Self]:  # fmt: skip
        """One fitted copy for each number of neighbours: all share the rows, the tree, and what each question found."""
        if sample_weight is not None:
            raise ValueError(f"{type(self).__name__}: rows have no weights here; give one twice to count it twice")
        fitted = clone(self).fit(X, y)
        found = [clone(self).set_params(**{name: value}) for value in values]
        for one in found:
            one.check_parameters()
        most = max(integer_values(values), default=0)
        if most <= len(fitted.solution_.rows):
            fitted.solution_.asked["depth"] = most
        for one in found:
            one.__dict__.update({key: value for key, value in vars(fitted).items() if key in type(self).fitted})
        return found

    @with_callbacks
    def fit(self, X: Any, y: Any) -> Self:
        """Keep these rows; a row that shall count twice is given twice."""
        return self._learn(self._source(X, y, None, first=True), "serial", None)

    def _learn(self, source: Source, engine: Any, n_jobs: int | None = None) -> Self:
        with FitTasks(self, source), one_blas_thread():
            blocks = list(source.blocks(0, n_blocks(source.n_rows)))
            if any(block.weight.size for block in blocks):
                raise ValueError(f"{type(self).__name__}: rows have no weights here; give one twice to count it twice")
            X, Y = np.concatenate([b.X for b in blocks]), np.concatenate([b.Y for b in blocks])
            message = find_unusable(X, self.column_names()) or find_unusable(Y, self.target_names_, "the target y")
            if message:
                raise ValueError(f"{type(self).__name__}: {message}")
            self.solution_ = self._kept(X, Y)
        return self

    def _kept(self, X: Array, Y: Array) -> KeptRows:
        """The rows in the coordinates of the metric."""
        d = X.shape[1]
        if self.metric_params is not None and (self.metric != "mahalanobis" or set(self.metric_params) != {"V"}):
            raise ValueError(f"{type(self).__name__}: metric_params must be {{'V': …}} for 'mahalanobis', else None")
        power = float(self.p) if self.metric == "minkowski" else STRAIGHT.get(self.metric, 2.0)
        turn = self._whitener(X) if self.metric == "mahalanobis" else np.zeros((0, 0))
        unit = self.metric == "cosine"
        shift = np.zeros(d) if unit else common_shift(X[:: -(-len(X) // SHIFT_ROWS)])
        asked = {"kd_tree": True, "brute": False}.get(self.algorithm, prefers_tree(len(X), d))
        start = KeptRows(np.zeros((0, d)), np.zeros((0, 0)), shift, turn, unit, power, power != 2.0 or asked)
        rows = np.ascontiguousarray(start.seen(X))
        return KeptRows(rows, np.ascontiguousarray(Y), shift, turn, unit, power, start.tree)

    def _whitener(self, X: Array) -> Array:
        """[BG-MAHALA] M with M Mᵀ = Σ⁻¹, of the rows' covariance or of the one handed over."""
        if self.metric_params is not None:
            given = np.asarray(self.metric_params["V"], dtype=np.float64)
            if given.shape != (X.shape[1],) * 2 or not np.allclose(given, given.T) or not np.isfinite(given).all():
                raise ValueError(f"{type(self).__name__}: metric_params['V'] must be symmetric, a row per column")
            return steadied(given, np.ones(len(given)), np.inf, 0.0, None).whitener
        nothing, one = np.zeros((len(X), 0)), np.zeros(len(X), dtype=np.int64)
        sums = ClassSums.of(GroupedMoments.of(X, nothing, one, 1, shift=common_shift(X[:SHIFT_ROWS])))
        return steadied(sums.within / max(sums.total - 1, 1), sums.spare_scale, sums.spare, 1e-7, None).whitener

    def queries(self, X: Any) -> Array:
        """New rows in the coordinates of the metric."""
        rows = np.asarray(self.table(X, fit=False), dtype=np.float64)
        message = find_unusable(rows, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        found: Array = self.solution_.seen(rows)
        return found

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[Array, Rows] | Rows:
        """Distances and numbers of the nearest rows of the fit, nearest first, of equally near ones the first.

        Without X every row of the fit looks for its neighbours among the others.
        """
        self.check_fitted()
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        found = self._found(None if X is None else self.queries(X), k)
        return found if return_distance else found[1]

    def _found(self, queries: Array | None, k: int) -> tuple[Array, Rows]:
        kept: KeptRows = self.solution_
        n = len(kept.rows) - (queries is None)
        if not integer(1).test(k) or k > n:
            raise ValueError(
                f"{type(self).__name__}: n_neighbors must be from 1 to the {n} rows kept, got {k!r}: "
                "Expected n_neighbors <= n_samples_fit"
            )
        if queries is None:
            return kept.query(kept.rows, int(k), self.n_jobs, np.arange(len(kept.rows)))
        return kept.query(queries, int(k), self.n_jobs)

    def weigh(self, distances: Array) -> Array:
        """[BG-WKNN] Weights of the neighbours (m, k); at distance 0 only those rows count."""
        if isinstance(self.weights, str):
            if self.weights == "uniform":
                return np.ones_like(distances)
            same = distances == 0.0
            with np.errstate(divide="ignore"):
                return np.where(same.any(axis=1, keepdims=True), same.astype(np.float64), 1.0 / distances)
        found = np.asarray(self.weights(distances), dtype=np.float64)
        if found.shape != distances.shape or not np.isfinite(found).all() or (found < 0).any():
            raise ValueError(
                f"{type(self).__name__}: weights must give one finite number >= 0 for each of {distances.shape} "
                f"distances, got shape {found.shape}"
            )
        return found

    def losses_by_k(self, values: Array, weight: Array, truth: Array) -> Array:
        """Loss of every row (m, k) when its first 1, 2, …, k neighbours decide; values (m, k, q), truth (m, q)."""
        raise NotImplementedError

    def leave_one_out_scores(self, n_neighbors: int = MOST_CURVE) -> Array:
        """Mean leave-one-out loss with 1, 2, … neighbours, from one pass of queries: squared error, or share wrong."""
        self.check_fitted()
        kept: KeptRows = self.solution_
        k = min(n_neighbors, len(kept.rows) - 1)
        total, step = np.zeros(k), max(1, CHUNK_CELLS // max(k * kept.targets.shape[1], 1))
        for start in range(0, len(kept.rows), step):
            part = np.arange(start, min(start + step, len(kept.rows)))
            distances, rows = kept.query(kept.rows[part], k, self.n_jobs, part)
            total += self.losses_by_k(kept.targets[rows], self.weigh(distances), kept.targets[part]).sum(axis=0)
        return total / len(kept.rows)

    def leave_one_out(self, n_neighbors: int = MOST_CURVE) -> Curve:
        """The leave-one-out loss over the number of neighbours, as a fact."""
        scores = self.leave_one_out_scores(n_neighbors)
        best = int(scores.argmin()) + 1
        line = Line("leave-one-out", tuple(map(float, range(1, len(scores) + 1))), tuple(scores.tolist()))
        says = f"Least with {best} neighbour(s): {scores[best - 1]:.4g}; every row predicted from the others."
        return Curve(
            f"Neighbours that decide on {self.target_names_[0]}", "number of neighbours", self.loss_name, (line,), says,
            marks=((float(best), "least"),),
        )  # fmt: skip

    loss_name: ClassVar[str] = "loss"

    def told_target(self, row: int) -> Cell:
        """The target of a kept row, as it is shown."""
        raise NotImplementedError

    def explain(self, row: Any) -> Table:
        """The neighbours of one row, with their distance, their weight and their target: why it is predicted so."""
        self.check_fitted()
        queries = self.queries(row)
        if len(queries) != 1:
            raise ValueError(f"{type(self).__name__}.explain takes one row, got {len(queries)}")
        distances, rows = self._found(queries, self.n_neighbors)
        weight = self.weigh(distances)[0]
        share = weight / (weight.sum() or 1.0)
        cells = tuple(
            (int(r), float(d), float(s), self.told_target(int(r)))
            for r, d, s in zip(rows[0], distances[0], share, strict=True)
        )
        return Table("The neighbours that decide", ("row", "distance", "share", self.target_names_[0]), cells)

    def kept_table(self) -> Table:
        """What is kept, and how it is searched."""
        kept: KeptRows = self.solution_
        weighted = self.weights if isinstance(self.weights, str) else "a function of the distance"
        metric = f"minkowski, p = {self.p:g}" if self.metric == "minkowski" else self.metric
        rows: tuple[tuple[Cell, ...], ...] = (
            ("rows kept", len(kept.rows)), ("columns", int(self.n_features_in_)),
            ("neighbours that decide", int(self.n_neighbors)), ("their weights", weighted), ("metric", metric),
            ("search", "a tree of boxes" if kept.tree else "all rows"),
        )  # fmt: skip
        return Table("Rows kept", ("", ""), rows)

    def curve_facts(self) -> list[Curve]:
        return [self.leave_one_out()] if 2 <= len(self.solution_.rows) <= MOST_ROWS else []
