"""Candidate elimination: every conjunction that agrees with the rows, held by its least and its greatest members.

    V = {h : h(x) = c(x) for every row} = {h : s ≤ h ≤ g for some g of G}                        [BG-VS] [BG-ELIM]
    P(yes | x) = share of V that accepts x                                                             [BG-VOTE]

A positive row lifts S and strikes members of G that refuse it, a negative one lowers G and strikes S where it accepts
it; of both only the extreme members stay. Cost: rows × columns, then one table of the hypotheses above S, or, where
that has more than four million entries, G member by member up to `max_general`. G can double with every row: beyond
the bound it is not listed, and S with the negative rows, which say the same, answer instead. When not to use it: rows
that may be labelled wrongly (`BayesOptimalClassifier`), concepts joined by or (trees).
"""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, Self, Warned, integer, one_of
from glaswerk.facts import Facts, Hypotheses, Hypothesis, MethodCard, Statement, VersionSpace
from glaswerk.learner.concepts import ConceptLearner
from glaswerk.stats.concepts.attributes import Ranges
from glaswerk.stats.concepts.boundary import (
    collapse_at,
    consistent,
    culprits,
    eliminate,
    general_boundary,
    telling,
)
from glaswerk.stats.concepts.language import accepts_nothing, at_least_as_general, unlike
from glaswerk.stats.concepts.lattice import Lattice

LISTED, DRAWN, TOLD, TRACED, WIDE = 1_000, 40, 10, 40, 8
NOBODY = np.zeros(0, dtype=np.int64)


@storable("Candidates", version=1)
@dataclass(frozen=True, eq=False)
class Candidates:
    """A version space: S (d, 2), G (m, d, 2) where it is listed, and the negative rows that G comes from.

    `general_count` is -1 where G was not followed to its end. `collapse` is the first row with which nothing is left,
    -1 if none: then all else speaks of the `rows` before it. `culprits` are rows of which each, left out alone, makes
    the rest agree. `first` are the first rows (k, d) and `first_positive` their kind, for the steps.
    """

    specific: Ranges
    general: Ranges
    general_count: int
    negatives: Ranges
    rows: int
    collapse: int
    culprits: NDArray[np.int64]
    first: NDArray[np.int64]
    first_positive: NDArray[np.bool_]

    def check(self) -> None:
        d = self.specific.shape
        if len(d) != 2 or self.general.shape[1:] != d or self.negatives.shape[1:] != d:
            raise ValueError("a version space needs one range for every column in S, G and the negative rows")


class CandidateElimination(ConceptLearner):
    """The version space: all conjunctions that agree with the rows, and their vote on rows not seen.

    Parameters
    ----------
    domains : all values of every column, as a dictionary or a list of lists; None takes those seen as all there are to
        be told apart, and lets others come.
    ordered : columns whose conditions are intervals: {column: values in order}, or names of columns.
    trees : columns whose values are leaves of a tree: {column: {"round": ["ball", "disc"], "cornered": ["cube"]}}.
    positive : the label of the concept; None takes the second class in sorted order.
    max_general : members of G that are listed; more are counted where that is possible.
    on_collapse : where no hypothesis agrees with all rows, "keep" the version space before the row that emptied it and
        warn, or "raise" an error that names the row.

    >>> rows = [["Sunny", "Warm"], ["Rainy", "Cold"], ["Sunny", "Cold"]]
    >>> model = CandidateElimination().fit(rows, ["yes", "no", "yes"])
    >>> model.specific, model.general, model.size
    ((('Sunny', '?'),), (('Sunny', '?'),), 1)
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        **ConceptLearner.parameters, "max_general": integer(1), "on_collapse": one_of("keep", "raise"),
    }  # fmt: skip
    fitted: ClassVar[dict[str, type]] = {**ConceptLearner.fitted, "solution_": Candidates}
    card: ClassVar[MethodCard] = MethodCard(
        name="candidate elimination",
        formula="V = all conjunctions that agree with the rows = what lies between S and G; class = majority of V",
        equations=("BG-LANGUAGE", "BG-GEQ", "BG-CONCEPTS", "BG-VS", "BG-ELIM", "BG-VOTE"),
        cost="rows × columns, and a table of the hypotheses above S (2^columns at most for plain columns)",
        assumes=("the concept is a conjunction of conditions on single columns", "no row is labelled wrongly"),
        restriction_bias="only conjunctions: at most one condition for each column, joined by and",
        preference_bias="none: all hypotheses that agree with the rows are kept, each has one vote",
        not_for=("noisy labels: BayesOptimalClassifier", "concepts joined by or: trees", "a number as target"),
    )

    def __init__(
        self, *, domains: Any = None, ordered: Any = None, trees: Any = None, positive: Any = None,
        max_general: int = 1_000, on_collapse: str = "keep",
    ) -> None:  # fmt: skip
        self.domains = domains
        self.ordered = ordered
        self.trees = trees
        self.positive = positive
        self.max_general = max_general
        self.on_collapse = on_collapse

    def fit(self, X: Any, y: Any) -> Self:
        """Narrow the version space by all rows."""
        rows, positive = self.read(X, y)
        collapse = collapse_at(self.language_, rows, positive)
        guilty = NOBODY
        if collapse is not None:
            guilty = culprits(self.language_, rows, positive).astype(np.int64)
            self._tell_collapse(collapse, guilty)
            rows, positive = rows[:collapse], positive[:collapse]
        specific = self.language_.join(rows[positive])
        first = rows[:TRACED, :, 0] if len(rows) <= TRACED else rows[:0, :, 0]
        self._settle(specific, rows[~positive], len(rows), collapse, guilty, first, positive[: len(first)])
        return self

    def merge(self, other: Self) -> Self:
        """The hypotheses that agree with the rows of both: version spaces of one language intersect."""
        self.check_fitted()
        other.check_fitted()
        same = self.get_params() == other.get_params() and self.column_names() == other.column_names()
        words = [[(a.values, a.names) for a in m.language_.attributes] for m in (self, other)]
        if type(other) is not type(self) or not same or words[0] != words[1] or self.concept != other.concept:
            raise ValueError("only a CandidateElimination of the same language can be merged: declare equal domains")
        mine, theirs = self.solution_, other.solution_
        both = np.stack([mine.specific, theirs.specific])
        specific = self.language_.join(both[~accepts_nothing(both)])
        negatives = np.concatenate([mine.negatives, theirs.negatives])
        if not consistent(specific, negatives):
            raise ValueError("no hypothesis agrees with the rows of both: their version spaces do not meet")
        collapse = next((s.collapse for s in (mine, theirs) if s.collapse >= 0), None)
        self._settle(
            specific, negatives, mine.rows + theirs.rows, collapse, mine.culprits, mine.first[:0],
            mine.first_positive[:0],
        )  # fmt: skip
        return self

    def _settle(
        self, specific: Ranges, negatives: Ranges, rows: int, collapse: int | None, guilty: NDArray[np.int64],
        first: NDArray[np.int64], first_positive: NDArray[np.bool_],
    ) -> None:  # fmt: skip
        negatives = telling(self.language_, specific, negatives)
        lattice = Lattice.of(self.language_, specific, negatives)
        most = int(self.max_general)
        if lattice is None:
            listed = general_boundary(self.language_, specific, negatives, most)
            count = -1 if listed is None else len(listed)
        else:
            listed = unlike(lattice.greatest())
            listed = self.language_.nothing[None] if not len(listed) else listed
            count = len(listed)
        general = specific[None][:0] if listed is None or count > most else listed
        self.solution_ = Candidates(
            specific, general, count, negatives, rows, -1 if collapse is None else collapse, guilty, first,
            first_positive,
        )  # fmt: skip

    def _tell_collapse(self, row: int, guilty: NDArray[np.int64]) -> None:
        text = (
            f"{type(self).__name__}: with row {row} (counted from 0) no hypothesis of the language agrees with all "
            f"rows. {_guilt(guilty, 0)}"
        )
        if self.on_collapse == "raise":
            raise ValueError(text)
        warnings.warn(f"{text} The version space before it is kept", Warned, stacklevel=3)

    # What is known

    @property
    def specific(self) -> tuple[tuple[str, ...], ...]:
        """S in words: one hypothesis."""
        self.check_fitted()
        return (self.language_.said(self.solution_.specific),)

    @property
    def general(self) -> tuple[tuple[str, ...], ...]:
        """G in words; empty where it has more than `max_general` members."""
        self.check_fitted()
        return tuple(self.language_.said(h) for h in self.solution_.general)

    @property
    def size(self) -> int | None:
        """How many hypotheses agree with the rows; None where they are too many to count."""
        lattice = self._lattice()
        return None if lattice is None else lattice.size

    def hypotheses(self, limit: int = LISTED) -> tuple[tuple[str, ...], ...]:
        """The members of the version space in words; an error where there are more than `limit`."""
        size = self.size
        if size is None or size > limit:
            many = "too many to count" if size is None else f"{size:,}"
            raise ValueError(f"the version space has {many} members; limit={limit}")
        return tuple(self.language_.said(h) for h in self._members(size))

    def _lattice(self) -> Lattice | None:
        self.check_fitted()
        return Lattice.of(self.language_, self.solution_.specific, self.solution_.negatives)

    def _members(self, most: int) -> Ranges:
        """Members, the specific ones first."""
        lattice = self._lattice()
        assert lattice is not None
        found = unlike(lattice.members(most))
        return np.concatenate([self.language_.nothing[None], found]) if lattice.empty else found

    # Voting

    def vote(self, X: Any) -> Array:
        """The share of the version space that accepts each row: 0 and 1 are certain.

        NaN where the members disagree and are too many to count; 0 and 1 are exact also then.
        """
        self.check_fitted()
        rows, s = self.places(X), self.solution_
        lattice = self._lattice()
        if lattice is not None:
            return lattice.votes_for(rows) / lattice.size
        share = np.full(len(rows), np.nan)
        share[at_least_as_general(s.specific[None], rows)[0]] = 1.0
        if accepts_nothing(s.specific[None])[0]:
            least = self.language_.closure(rows)
        else:
            low = np.minimum(rows[..., 0], s.specific[:, 0])
            least = self.language_.closure(np.stack([low, np.maximum(rows[..., 1], s.specific[:, 1])], axis=2))
        share[at_least_as_general(least, s.negatives).any(axis=1)] = 0.0
        return share

    def predict(self, X: Any) -> np.ndarray:
        """What the majority says; not the concept where it is even, or where the members cannot be counted."""
        return self.labels(self.vote(X) > 0.5)

    def predict_proba(self, X: Any) -> Array:
        """[BG-VOTE] Shares of the version space; ½ where its members disagree and cannot be counted."""
        return self.chances(np.nan_to_num(self.vote(X), nan=0.5))

    def next_example(self, X: Any = None) -> tuple[Any, float] | None:
        """The row whose label would halve the version space best, and the share that accepts it.

        Of all rows the language can tell apart, as values; with `X` of its rows, as a number. None where every row is
        decided, so that no label could teach anything.
        """
        lattice = self._lattice()
        if X is not None:
            share = self.vote(X)
            open_ = ~np.isin(share, (0.0, 1.0))
            if not open_.any():
                return None
            best = int(np.where(open_, np.abs(np.nan_to_num(share, nan=0.5) - 0.5), 1.0).argmin())
            return best, float(share[best])
        if lattice is None:
            raise ValueError(
                f"{type(self).__name__}: the version space is too large to count; hand over rows to choose from: "
                "next_example(X)"
            )
        found = lattice.halving()
        return None if found is None else (self.values(found[0]), found[1] / lattice.size)

    # Facts

    def facts(self) -> Facts:
        """The version space, the steps of few rows, what it tells, how much the language can say, the method."""
        self.check_fitted()
        told = Statement("What the version space tells", tuple(self._sentences()))
        return Facts([self._space(), *self._steps(), told, self.counting(), self.card])

    def _space(self) -> VersionSpace:
        s, size = self.solution_, self.size
        members: tuple[tuple[str, ...], ...] = ()
        edges: tuple[tuple[int, int], ...] = ()
        if size is not None and size <= DRAWN:
            found = self._members(size)
            members = tuple(self.language_.said(h) for h in found)
            edges = _edges(found)
        notes = (self._general_note(),) if len(s.general) != s.general_count else ()
        count = None if s.general_count < 0 else s.general_count
        target = f"{self.target_names_[0]} = {self.concept}"
        return VersionSpace(
            target, self.column_names(), self.specific, self.general, count, size, members, edges, notes
        )  # fmt: skip

    def _general_note(self) -> str:
        count = self.solution_.general_count
        many = f"more than {self.max_general:,}" if count < 0 else f"{count:,}"
        return f"G has {many} members and is not listed (max_general={self.max_general}); votes do not need it"

    def _steps(self) -> list[Hypotheses]:
        s = self.solution_
        if not len(s.first):
            return []
        rows = np.stack([s.first, s.first], axis=2)
        told: list[Hypothesis] = []
        for step in eliminate(self.language_, rows, s.first_positive, WIDE):
            when = f"row {step.row + 1} ({'+' if step.positive else '−'})" if step.row >= 0 else "at first"
            told.append(Hypothesis(f"{when}: S", self.language_.said(step.specific)))
            told += [Hypothesis(f"{when}: G", self.language_.said(h)) for h in step.general]
        shown = step.row + 1 == len(rows)
        notes = () if shown else (f"from row {step.row + 2} on G has more than {WIDE} members: not shown",)
        return [Hypotheses("S and G after every row", self.column_names(), tuple(told), notes)]

    def _sentences(self) -> list[str]:
        s, size = self.solution_, self.size
        told = []
        if s.collapse >= 0:
            told.append(
                f"Row {s.collapse + 1} leaves no hypothesis that agrees with all rows; what follows speaks of the "
                f"{s.rows} rows before it. {_guilt(s.culprits, 1)}"
            )
        if size == 1:
            told.append("One hypothesis is left: the rows have decided the concept, if the language holds it.")
        elif size is None:
            told.append("The hypotheses that agree are too many to count; rows on which all agree are still known.")
        else:
            told.append(f"{size:,} hypotheses agree with the {s.rows} rows; on rows where they differ they vote.")
        told += self._next_sentence() if size is not None else []
        return told

    def _next_sentence(self) -> list[str]:
        found = self.next_example()
        if found is None:
            return ["They agree on every row there can be: no further row could teach anything."]
        row, share = found
        return [f"The label of ⟨{', '.join(row)}⟩ would teach most: {share:.0%} of them accept it."]


def _guilt(guilty: NDArray[np.int64], first: int) -> str:
    if not len(guilty):
        return "No single row is to blame: the concept is no conjunction, or several labels are wrong."
    shown = ", ".join(str(k + first) for k in guilty[:TOLD].tolist()) + (" …" if len(guilty) > TOLD else "")
    if len(guilty) == 1:
        return f"Without row {shown} all others agree: is its label right?"
    return f"Each of the rows {shown}, left out alone, makes the others agree: is one of their labels wrong?"


def _edges(members: Ranges) -> tuple[tuple[int, int], ...]:
    """Pairs (lower, upper) of members with no member between."""
    above = at_least_as_general(members, members).T & ~np.eye(len(members), dtype=bool)
    steps = above.astype(np.int64)
    return tuple((int(a), int(b)) for a, b in np.argwhere(above & ~((steps @ steps) > 0)))
