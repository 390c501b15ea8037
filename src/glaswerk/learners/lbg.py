"""LBG: a codebook that grows by splitting: one prototype, then 2, 4, 8, … until the error is small enough.

    w_l → w_l + ε, w_l - ε,   ε random and short;   then k-means from there;   until E_VQ < e_min or L = L_max  [BG-LBG]

The start is the mean of the rows, so there is no start to be lucky with. Cost: about twice that of k-means at L_max.
When not to use it: the one best partition for a known number of groups, where KMeans with several starts looks wider.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, flag, integer, number, one_of, thread_count
from glaswerk.facts import Curve, Facts, Line, MethodCard
from glaswerk.learner.quantiser import METRIC, RANDOM, Quantiser
from glaswerk.learner.unsupervised import Walk
from glaswerk.optim.lloyd import Clustered, lloyd
from glaswerk.optim.partition import Partition, partition_of
from glaswerk.optim.seeding import random_state
from glaswerk.optim.tiles import TiledRows, Walks, tiled


@storable("Codebook", version=1)
@dataclass(frozen=True, eq=False)
class Codebook:
    """The last partition, and how it grew: prototypes, E_VQ and rounds of every stage. `reached`: E_VQ < e_min."""

    partition: Partition
    sizes: NDArray[np.int64]
    errors: Array
    rounds: NDArray[np.int64]
    reached: bool

    def check(self) -> None:
        if not len(self.sizes) == len(self.errors) == len(self.rounds):
            raise ValueError("a codebook needs one size, one error and one number of rounds for every stage")


def grown(
    walk: Walks, rows: TiledRows, most: int, *, error: float, worst: int | None, length: float, max_iter: int,
    tol: float, random: np.random.RandomState, trace: bool,
) -> tuple[list[Clustered], bool]:  # fmt: skip
    """The stages: each splits all prototypes, or the `worst` of largest error, and goes on from their rows.   [BG-LBG]

    A prototype whose rows are all alike is not split. The rows keep their prototypes between stages: of the two that
    one becomes the first inherits its sums.
    """
    mean = (rows.reach.sums[0] / rows.reach.rows)[None, :]
    stages = [lloyd(walk, rows, mean, max_iter=2, tol=0.0, trace=trace)]
    while stages[-1].error / rows.reach.weight >= error and len(stages[-1].centres) < most:
        last = stages[-1]
        split = splittable(last, min(worst or most, most - len(last.centres)), rows)
        if not len(split):
            break
        away = _short(last, split, length, random)
        centres = np.concatenate([last.centres, last.centres[split] - away])
        centres[split] += away
        known = _with_room(last, len(split))
        stages[-1] = replace(last, labels=last.labels[:0])
        stages.append(lloyd(walk, rows, centres, max_iter=max_iter, tol=tol, trace=trace, known=known))
    return stages, stages[-1].error / rows.reach.weight < error


def splittable(found: Clustered, most: int, rows: TiledRows) -> NDArray[np.intp]:
    """The prototypes of largest error that have one, at most `most`; of equal ones the first."""
    least = 64 * float(np.finfo(np.float64).eps) ** 2 * rows.reach.longest * found.count
    order = np.argsort(-found.errors, kind="stable")
    return np.sort(order[found.errors[order] > least[order]][:most])


def _short(found: Clustered, split: NDArray[np.intp], length: float, random: np.random.RandomState) -> Array:
    """Random directions, `length` times the root mean squared distance of the rows long."""
    away = random.standard_normal((len(split), found.centres.shape[1]))
    lengths = np.sqrt((away**2).sum(axis=1))
    spread = np.sqrt(found.errors[split] / found.count[split])
    return away * (length * spread / np.where(lengths > 0, lengths, 1.0))[:, None]


def _with_room(found: Clustered, more: int) -> tuple[Array, Array]:
    sums = np.concatenate([found.sums, np.zeros((more, found.sums.shape[1]))])
    return np.concatenate([found.count, np.zeros(more)]), sums


class LBG(Quantiser):
    """The codebook of Linde, Buzo and Gray: grown by splitting, until it is good enough or large enough.

    Parameters
    ----------
    n_prototypes : L_max, the prototypes at most.
    error_threshold : e_min: end as soon as the mean squared distance is below it.
    split : "all" prototypes at every stage, or the number M of those of largest error.
    split_length : length of ε, as a part of the root mean squared distance of the rows of the prototype that is split.
    max_iter, tol : of the k-means rounds of every stage, as in KMeans.
    random_state : seed of the directions of ε. metric : "euclidean", or "mahalanobis".
    trace : whether the prototypes of every round of the last stage are kept. n_jobs : threads.

    >>> model = LBG(2).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist()), model.solution_.errors.round(3).tolist()
    ([0.5, 9.5], [20.5, 0.25])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_prototypes": integer(1),
        "error_threshold": number(0),
        "split": one_of("all") | integer(1),
        "split_length": number(0, 1, above=True),
        "max_iter": integer(1),
        "tol": number(0),
        "random_state": RANDOM,
        "metric": METRIC,
        "trace": flag(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**Quantiser.fitted, "solution_": Codebook}
    card: ClassVar[MethodCard] = MethodCard(
        name="LBG",
        formula="w → w + ε, w - ε, then k-means, until E_VQ < e_min or L = L_max",
        equations=("BG-LBG", "BG-KMEANS", "BG-VQ", "BG-VQE"),
        cost="about 2 n L d multiplications a round of the last stage, for all stages",
        assumes=("groups are round, of like width", "columns of units that can be compared"),
        restriction_bias="a group is the region nearer to its prototype than to any other: convex, with flat borders",
        preference_bias="partitions that arise by halving coarser ones",
        not_for=("the least error for a known number of groups", "groups of any shape", "categories"),
    )

    def __init__(
        self,
        n_prototypes: int = 8,
        *,
        error_threshold: float = 0.0,
        split: Any = "all",
        split_length: float = 0.01,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = 0,
        metric: str = "euclidean",
        trace: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_prototypes = n_prototypes
        self.error_threshold = error_threshold
        self.split = split
        self.split_length = split_length
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.metric = metric
        self.trace = trace
        self.n_jobs = n_jobs

    def learn(self, walk: Walk) -> None:
        walk, whitening = self.measured(walk)
        rows = tiled(walk)
        worst = None if self.split == "all" else self.split
        stages, reached = grown(
            walk, rows, self.n_prototypes, error=self.error_threshold, worst=worst,
            length=self.split_length, max_iter=self.max_iter, tol=self.tol * float(rows.reach.variance.mean()),
            random=random_state(self.random_state), trace=self.trace,
        )  # fmt: skip
        sizes = np.array([len(stage.centres) for stage in stages])
        errors = np.array([stage.error for stage in stages]) / rows.reach.weight
        rounds = np.array([stage.n_rounds for stage in stages])
        self.solution_ = Codebook(partition_of(stages[-1], rows, whitening), sizes, errors, rounds, reached)
        self.labels_ = stages[-1].labels

    @property
    def partition(self) -> Partition:
        self.check_fitted()
        found: Partition = self.solution_.partition
        return found

    @property
    def n_iter_(self) -> int:
        """Rounds of all stages."""
        self.check_fitted()
        return int(self.solution_.rounds.sum())

    def facts(self) -> Facts:
        """Prototypes, how the codebook grew, the error of the last rounds, the method."""
        self.check_fitted()
        book: Codebook = self.solution_
        x, y = tuple(map(float, book.sizes)), tuple(map(float, book.errors))
        says = f"{len(x)} stages, {self.n_iter_} rounds in all. {self._ended(book)}"
        grew = Curve("How the codebook grew", "prototypes", "mean squared distance", (Line("E_VQ", x, y),), says)
        return Facts([*self.own_facts((says,)), grew])

    def _ended(self, book: Codebook) -> str:
        if book.reached:
            return f"The mean squared distance is below e_min = {self.error_threshold:g}."
        if book.sizes[-1] < self.n_prototypes:
            return "No prototype could be split any more: the rows of each are alike."
        return f"It ended at L_max = {self.n_prototypes} prototypes."
