"""Why one row is given its class: what every attribute of it says, as a ratio of likelihoods."""

import math
from dataclasses import dataclass

from glaswerk.facts.table import Cell, Table


@dataclass(frozen=True)
class LikelihoodRatio:
    """One attribute's value in the row, its probability (or density) in both classes, and the log of their ratio.

    A missing cell or an unknown level says nothing: its probabilities are None and its logarithm is 0.
    """

    attribute: str
    value: str
    likely: float | None
    unlikely: float | None
    log_ratio: float


@dataclass(frozen=True)
class LikelihoodRatios:
    """Attributes of a row for class `favoured` against class `other`: prior odds times all ratios are posterior odds.

    `scores` are P(k) Π P(a | k) and `posterior` P(k | a) of all `classes`.
    """

    target: str
    favoured: str
    other: str
    prior_log_ratio: float
    rows: tuple[LikelihoodRatio, ...]
    classes: tuple[str, ...]
    scores: tuple[float, ...]
    posterior: tuple[float, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        heads = ("attribute", "value", f"P(value | {self.favoured})", f"P(value | {self.other})", "ratio")
        cells: list[tuple[Cell, ...]] = [("prior", "", None, None, _power(self.prior_log_ratio))]
        cells += [(r.attribute, r.value, r.likely, r.unlikely, _power(r.log_ratio)) for r in self.rows]
        odds = self.prior_log_ratio + sum(r.log_ratio for r in self.rows)
        cells.append(("all together", "", None, None, _power(odds)))
        told = (
            f"{name}: score {score:.6g}, probability {probability:.6g}"
            for name, score, probability in zip(self.classes, self.scores, self.posterior, strict=True)
        )
        title = f"What speaks for {self.target} = {self.favoured} and not {self.other}"
        return Table(title, heads, tuple(cells), (*told, *self.notes))


def _power(logarithm: float) -> float:
    return math.exp(logarithm) if logarithm < 700 else math.inf
