"""The method card: what a learner assumes and prefers."""

from dataclasses import dataclass

from glaswerk.facts.table import Table


@dataclass(frozen=True)
class MethodCard:
    """What a learner assumes and prefers: the bias without which nothing can be learnt (script C, chapter 1)."""

    name: str
    formula: str
    equations: tuple[str, ...]
    cost: str
    assumes: tuple[str, ...]
    restriction_bias: str
    preference_bias: str
    not_for: tuple[str, ...]

    def table(self) -> Table:
        rows = [
            ("model", self.formula),
            ("cost", self.cost),
            ("restriction bias", self.restriction_bias),
            ("preference bias", self.preference_bias),
            *(("assumes", text) for text in self.assumes),
            *(("not for", text) for text in self.not_for),
        ]
        return Table(f"Method: {self.name}", ("", "what"), tuple(rows))
