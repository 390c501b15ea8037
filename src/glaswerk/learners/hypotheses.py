"""The posterior over all hypotheses, and the vote that no other classifier beats on average.

    P(h | D) ∝ ε^wrong(h) (1 − ε)^right(h) P(h),   MAP = argmax P(h | D),   ML = argmax P(D | h)   [BG-HPOST] [BG-HMAP]
    class = argmax over y of Σ P(y | h) P(h | D)                                                              [BG-BOC]

Every conjunction of the language is weighed, so that wrong labels (a share ε of them) only shift weight. With ε = 0 and
equal priors the posterior is 1 / |V| on the version space. The vote itself is no conjunction. Cost: one table with an
entry for every hypothesis, at most four million. When not to use it: many columns or values (naive Bayes weighs the
columns one by one), concepts joined by or (trees).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, Self, number, one_of
from glaswerk.facts import Facts, Hypotheses, Hypothesis, MethodCard, Statement
from glaswerk.learner.concepts import ConceptLearner
from glaswerk.stats.concepts.attributes import Ranges
from glaswerk.stats.concepts.lattice import MOST, table_size
from glaswerk.stats.concepts.weighing import Weighed, weigh

TOLD = 10
PER_CONDITION = float(np.log(2.0))
TIED = 1e-9  # of a log posterior: what sums in another order may change


@storable("WeighedRows", version=1)
@dataclass(frozen=True, eq=False)
class WeighedRows:
    """The rows as places (n, d) and which are positive: what the table of hypotheses is made of, again when needed."""

    places: NDArray[np.int64]
    positive: NDArray[np.bool_]

    def check(self) -> None:
        if self.places.ndim != 2 or self.positive.shape != (len(self.places),):
            raise ValueError("weighed rows need one label each")


class BayesOptimalClassifier(ConceptLearner):
    """Bayes-optimal classification over all conjunctions, with a prior and a share of wrong labels.

    Parameters
    ----------
    noise : ε, the share of labels that are wrong, in [0, ½); 0 asks for hypotheses that agree with every row.
    prior : "uniform", or "short": each condition other than `?` halves the prior.
    domains : all values of every column, as a dictionary or a list of lists; None takes those seen as all there are to
        be told apart, and lets others come.
    ordered : columns whose conditions are intervals: {column: values in order}, or names of columns.
    trees : columns whose values are leaves of a tree: {column: {"round": ["ball", "disc"], "cornered": ["cube"]}}.
    positive : the label of the concept; None takes the second class in sorted order.

    >>> rows, labels = [["Sunny", "Warm"], ["Rainy", "Cold"], ["Sunny", "Cold"]], ["yes", "no", "yes"]
    >>> model = BayesOptimalClassifier(noise=0.1).fit(rows, labels)
    >>> model.predict([["Sunny", "Warm"], ["Rainy", "Warm"]]).tolist(), model.map_hypothesis
    (['yes', 'no'], (('Sunny', '?'),))
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "noise": Allowed("a number >= 0 and < 0.5", lambda v: number(0, 0.5).test(v) and v < 0.5),
        "prior": one_of("uniform", "short"),
        **ConceptLearner.parameters,
    }
    fitted: ClassVar[dict[str, type]] = {**ConceptLearner.fitted, "solution_": WeighedRows}
    card: ClassVar[MethodCard] = MethodCard(
        name="Bayes-optimal classifier over conjunctions",
        formula="P(yes | x, D) = Σ P(h | D) over the hypotheses that accept x; P(h | D) ∝ ε^wrong (1 − ε)^right P(h)",
        equations=("BG-LANGUAGE", "BG-HPOST", "BG-HMAP", "BG-BOC"),
        cost="one entry for every hypothesis and every row that can be told apart, at most 4,194,304",
        assumes=("the concept is a conjunction", "each label is wrong with the same chance, whatever the row"),
        restriction_bias="mixtures of conjunctions, no single one of which need be the answer",
        preference_bias="the prior: equal chances, or half for every condition",
        not_for=("many columns or values: naive Bayes", "concepts joined by or: trees", "a number as target"),
    )

    def __init__(
        self, *, noise: float = 0.05, prior: str = "uniform", domains: Any = None, ordered: Any = None,
        trees: Any = None, positive: Any = None,
    ) -> None:  # fmt: skip
        self.noise = noise
        self.prior = prior
        self.domains = domains
        self.ordered = ordered
        self.trees = trees
        self.positive = positive

    def fit(self, X: Any, y: Any) -> Self:
        """Weigh every hypothesis by these rows."""
        rows, positive = self.read(X, y)
        if table_size(self.language_, None) > MOST:
            raise ValueError(
                f"{type(self).__name__}: the language has {self.language_.meant:,} hypotheses on "
                f"{self.language_.instances:,} rows that can be told apart; at most {MOST:,} can be weighed. Leave out "
                "columns or join values; CandidateElimination and naive Bayes take more"
            )
        self.solution_ = WeighedRows(np.ascontiguousarray(rows[:, :, 0]), positive)
        try:
            self._weighed()
        except ValueError as error:
            raise ValueError(f"{type(self).__name__}: {error}") from error
        return self

    def _weighed(self) -> Weighed:
        self.check_fitted()
        s = self.solution_
        rate = PER_CONDITION if self.prior == "short" else 0.0
        rows: Ranges = np.stack([s.places, s.places], axis=2)
        return weigh(self.language_, rows, s.positive, float(self.noise), rate)

    @property
    def map_hypothesis(self) -> tuple[tuple[str, ...], ...]:
        """[BG-HMAP] The hypotheses of the largest posterior, in words: all of them where several are equal."""
        weighed = self._weighed()
        return self._equal(weighed, weighed.log_posterior, weighed.empty_log_posterior)

    @property
    def ml_hypothesis(self) -> tuple[tuple[str, ...], ...]:
        """[BG-HMAP] The hypotheses under which the rows are likeliest: those with the fewest rows wrong."""
        weighed = self._weighed()
        return self._equal(weighed, -weighed.wrong.astype(np.float64), -float(weighed.empty_wrong))

    def _equal(self, weighed: Weighed, keys: Array, of_empty: float) -> tuple[tuple[str, ...], ...]:
        best = max(float(keys.max()), of_empty)
        found = [self.language_.said(self.language_.nothing)] if of_empty >= best - TIED else []
        places = np.argwhere(keys >= best - TIED)
        return (*found, *(self.language_.said(h) for h in weighed.hypotheses(places)))

    def predict_proba(self, X: Any) -> Array:
        """P(class | x): what the hypotheses say of each row, each with its posterior as weight."""
        return self.chances(self._weighed().chance(self.places(X)))

    def predict(self, X: Any) -> np.ndarray:
        """The class of the larger chance; not the concept where they are equal."""
        self.check_fitted()
        return self.labels(self._weighed().chance(self.places(X)) > 0.5)

    def facts(self) -> Facts:
        """The most probable hypotheses, what the posterior tells, how much the language can say, the method."""
        weighed = self._weighed()
        places = weighed.first(weighed.log_posterior, TOLD)
        found = list(zip(weighed.hypotheses(places), map(tuple, places), strict=True))
        rows = [
            Hypothesis(
                f"h{k}", self.language_.said(h), int(weighed.wrong[at]), float(np.exp(weighed.log_prior[at])),
                float(weighed.posterior[at]),
            )
            for k, (h, at) in enumerate(found, start=1)
        ]  # fmt: skip
        rows.append(
            Hypothesis(
                "∅", self.language_.said(self.language_.nothing), weighed.empty_wrong,
                float(np.exp(weighed.empty_log_prior)), float(np.exp(weighed.empty_log_posterior)),
            )
        )  # fmt: skip
        title = f"The most probable hypotheses for {self.target_names_[0]} = {self.concept}"
        left = max(0.0, 1.0 - sum(row.posterior or 0.0 for row in rows))
        notes = (f"all other hypotheses together: {left:.3g}",)
        told = Statement("What the posterior tells", tuple(self._sentences(weighed)))
        return Facts([
            Hypotheses(title, self.column_names(), tuple(rows), notes), told, self.counting(), self.card,
        ])  # fmt: skip

    def _sentences(self, weighed: Weighed) -> list[str]:
        best = self._equal(weighed, weighed.log_posterior, weighed.empty_log_posterior)
        likely = self._equal(weighed, -weighed.wrong.astype(np.float64), -float(weighed.empty_wrong))
        fewest = min(int(weighed.wrong.min()), weighed.empty_wrong)
        return [
            f"Most probable (MAP): {_listed(best)}.",
            f"Likeliest (ML), {fewest} of {len(self.solution_.places)} rows wrong: {_listed(likely)}.",
            f"ln P(D) = {weighed.log_evidence:.4f} with noise {self.noise:g} and a prior that is {self.prior}.",
            "The Bayes-optimal vote weighs all hypotheses; it may be none of them.",
        ]


def _listed(found: tuple[tuple[str, ...], ...]) -> str:
    shown = "; ".join(f"⟨{', '.join(h)}⟩" for h in found[:3])
    return shown if len(found) <= 3 else f"{shown} and {len(found) - 3:,} more, equal"
