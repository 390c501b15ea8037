"""Find-S: the most specific conjunction that accepts every positive row.

    h ← ⟨∅, …, ∅⟩;   for every positive row: generalise each condition it fails, as little as possible      [BG-FINDS]

What comes out is the least upper bound of the positive rows in the language, whatever their order. Cost: one pass,
rows × columns. When not to use it: rows that may be labelled wrongly (one wrong positive row spoils h for good);
whenever the negative rows should count, or one wants to know whether h is the only answer (`CandidateElimination`).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Array, Self
from glaswerk.facts import Facts, Hypotheses, Hypothesis, MethodCard, Statement
from glaswerk.learner.concepts import ConceptLearner
from glaswerk.stats.concepts.attributes import Ranges
from glaswerk.stats.concepts.language import at_least_as_general

STEPS = 12
FEW = 10


@storable("MostSpecific", version=1)
@dataclass(frozen=True, eq=False)
class MostSpecific:
    """The hypothesis (d, 2), the first steps to it (k, d, 2) with the rows that took them, and what it contradicts.

    `accepted` are negative rows that it accepts: with them no conjunction of the language agrees with all rows.
    """

    hypothesis: Ranges
    steps: Ranges
    taken: NDArray[np.int64]
    changes: int
    positives: int
    rows: int
    accepted: NDArray[np.int64]

    def check(self) -> None:
        if self.hypothesis.ndim != 2 or self.steps.shape[1:] != self.hypothesis.shape:
            raise ValueError("a most specific hypothesis needs one range for every column")


class FindS(ConceptLearner):
    """The most specific hypothesis, from positive rows alone.

    Parameters
    ----------
    domains : all values of every column, as a dictionary or a list of lists; None takes those seen as all there are to
        be told apart, and lets others come.
    ordered : columns whose conditions are intervals: {column: values in order}, or names of columns.
    trees : columns whose values are leaves of a tree: {column: {"round": ["ball", "disc"], "cornered": ["cube"]}}.
    positive : the label of the concept; None takes the second class in sorted order.

    >>> model = FindS().fit([["Sunny", "Warm"], ["Sunny", "Cold"], ["Rainy", "Cold"]], ["yes", "yes", "no"])
    >>> model.hypothesis, model.predict([["Sunny", "Mild"], ["Rainy", "Warm"]]).tolist()
    (('Sunny', '?'), ['yes', 'no'])
    """

    fitted: ClassVar[dict[str, type]] = {**ConceptLearner.fitted, "solution_": MostSpecific}
    card: ClassVar[MethodCard] = MethodCard(
        name="Find-S",
        formula="h = least conjunction above all positive rows; class = whether h accepts the row",
        equations=("BG-LANGUAGE", "BG-GEQ", "BG-FINDS"),
        cost="one pass, rows × columns",
        assumes=("the concept is a conjunction of conditions on single columns", "no row is labelled wrongly"),
        restriction_bias="only conjunctions: at most one condition for each column, joined by and",
        preference_bias="the most specific one: what was never seen to be positive is negative",
        not_for=("noisy labels", "concepts joined by or", "a number as target", "more than two classes"),
    )

    def __init__(
        self, *, domains: Any = None, ordered: Any = None, trees: Any = None, positive: Any = None
    ) -> None:  # fmt: skip
        self.domains = domains
        self.ordered = ordered
        self.trees = trees
        self.positive = positive

    def fit(self, X: Any, y: Any) -> Self:
        """Generalise from the positive rows; the negative ones are only held against the outcome."""
        rows, positive = self.read(X, y)
        yes, no = np.flatnonzero(positive), np.flatnonzero(~positive)
        found = self.language_.join(rows[yes])
        steps, taken, changes = self._steps(rows, yes)
        accepted = no[at_least_as_general(found[None], rows[no])[0]]
        self.solution_ = MostSpecific(found, steps, taken, changes, len(yes), len(rows), accepted.astype(np.int64))
        return self

    def _steps(self, rows: Ranges, yes: NDArray[np.intp]) -> tuple[Ranges, NDArray[np.int64], int]:
        """The hypotheses on the way, each with the row that made it; the first few are kept."""
        low = np.minimum.accumulate(rows[yes, :, 0], axis=0)
        high = np.maximum.accumulate(rows[yes, :, 1], axis=0)
        way = self.language_.closure(np.stack([low, high], axis=2))
        new = np.append(True, (way[1:] != way[:-1]).any(axis=(1, 2)))
        made = np.flatnonzero(new)
        return way[made[:STEPS]], yes[made[:STEPS]].astype(np.int64), len(made)

    @property
    def hypothesis(self) -> tuple[str, ...]:
        """The conditions in words."""
        self.check_fitted()
        return self.language_.said(self.solution_.hypothesis)

    def predict(self, X: Any) -> np.ndarray:
        """The concept where every condition is met."""
        self.check_fitted()
        return self.labels(at_least_as_general(self.solution_.hypothesis[None], self.places(X))[0])

    def predict_proba(self, X: Any) -> Array:
        """1 for the class predicted: a single hypothesis knows no doubt."""
        self.check_fitted()
        accepted = at_least_as_general(self.solution_.hypothesis[None], self.places(X))[0]
        return self.chances(accepted.astype(np.float64))

    def facts(self) -> Facts:
        """The hypothesis and the steps to it, what it contradicts, how much the language can say, the method."""
        self.check_fitted()
        s = self.solution_
        names = [f"after row {k + 1}" for k in s.taken.tolist()]
        rows = [Hypothesis("at first", self.language_.said(self.language_.nothing))]
        rows += [
            Hypothesis(name, self.language_.said(h)) for name, h in zip(names, s.steps, strict=True)
        ]  # fmt: skip
        cut = s.changes - len(s.steps)
        if cut:
            rows.append(Hypothesis("at last", self.hypothesis))
        title = f"Find-S for {self.target_names_[0]} = {self.concept}"
        notes = (f"{cut} steps between are not shown",) if cut else ()
        return Facts([
            Hypotheses(title, self.column_names(), tuple(rows), notes),
            Statement("What Find-S can and cannot tell", tuple(self._sentences())), self.counting(), self.card,
        ])  # fmt: skip

    def _sentences(self) -> list[str]:
        s = self.solution_
        told = [f"Of {s.rows} rows {s.positives} are positive; only these were looked at."]
        if len(s.accepted):
            shown = ", ".join(str(k + 1) for k in s.accepted[:FEW].tolist())
            more = " …" if len(s.accepted) > FEW else ""
            told.append(
                f"Negative rows that the hypothesis accepts: {len(s.accepted)} ({shown}{more}). "
                "With them no hypothesis of the language agrees with all rows."
            )
        else:
            told.append("The hypothesis refuses every negative row, so it agrees with all rows.")
        told.append("Whether other hypotheses agree too it cannot tell: CandidateElimination does.")
        return told
