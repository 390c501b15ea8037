"""What a naive model knows, as facts: priors, means and deviations, tables of levels, what one row's attributes say."""

from dataclasses import dataclass

import numpy as np

from glaswerk.facts import Cell, LikelihoodRatio, LikelihoodRatios, Table
from glaswerk.stats.naive_model import NaiveModel
from glaswerk.stats.naive_sums import NaiveSums
from glaswerk.stats.pairs import Array

MOST_TABLES = 12  # columns of levels that are printed
MOST_LEVELS = 40
MOST_CLASSES = 12


@dataclass(frozen=True, eq=False)
class NaiveNames:
    """A model with its sums, and the names under which they are told."""

    model: NaiveModel
    sums: NaiveSums
    target: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    levels: tuple[tuple[str, ...] | None, ...]

    def tables(self) -> list[Table]:
        return [self.priors(), *self.means(), *map(self.levels_of, range(min(MOST_TABLES, self.model.levels.size)))]

    def priors(self) -> Table:
        parts = zip(self.classes, self.sums.count.tolist(), self.sums.weight.tolist(), self.model.prior.tolist(),
                    strict=True)  # fmt: skip
        return Table(f"Classes of {self.target}", ("class", "rows", "weight", "prior"), tuple(parts))

    def means(self) -> list[Table]:
        """Mean and deviation of every number in every class."""
        model, shown = self.model, range(min(len(self.classes), MOST_CLASSES))
        if not model.numbers.size:
            return []
        heads = ["column", *(f"{what}, {self.classes[k]}" for what in ("mean", "deviation") for k in shown)]
        mean, deviation = model.shift + model.offset, np.sqrt(model.variance)
        rows: list[tuple[Cell, ...]] = [
            (self.columns[j], *(float(mean[k, place]) for k in shown), *(float(deviation[k, place]) for k in shown))
            for place, j in enumerate(model.numbers)
        ]
        more = len(self.classes) - len(shown)
        notes = (f"{more} more classes are in the model",) if more else ()
        return [Table(f"Numbers by class of {self.target}", tuple(heads), tuple(rows), notes)]

    def levels_of(self, place: int) -> Table:
        """P(level | k) of one column, with the counts behind it."""
        j = int(self.model.levels[place])
        shown = range(min(len(self.classes), MOST_CLASSES))
        chance, counts = self.model.table(place), self.sums.counts[place]
        names = self.names_of(j, len(chance))
        heads = [
            "level",
            *(f"P(level | {self.classes[k]})" for k in shown),
            *(f"rows, {self.classes[k]}" for k in shown),
        ]
        rows: list[tuple[Cell, ...]] = []
        for v in range(min(len(chance), MOST_LEVELS)):
            seen = counts[v] if v < len(counts) else np.zeros(len(self.classes))
            rows.append((names[v], *(float(chance[v, k]) for k in shown), *(float(seen[k]) for k in shown)))
        more = len(chance) - len(rows)
        notes = (f"{more} more levels are in the model",) if more else ()
        return Table(f"Levels of {self.columns[j]}", tuple(heads), tuple(rows), notes)

    def names_of(self, j: int, size: int) -> tuple[str, ...]:
        known = self.levels[j] if self.levels else None
        return known if known is not None else tuple(str(v) for v in range(size))

    def contributions(self, row: Array, notes: tuple[str, ...]) -> LikelihoodRatios:
        """What every attribute of `row` says for the predicted class against the next one."""
        joint = self.model.joint(row[None, :])[0][0]
        order = np.argsort(-joint, kind="stable")
        first, second = int(order[0]), int(order[1])
        alone = self.model.of_one(row)
        told = []
        for j, name in enumerate(self.columns):
            value, known = self.cell(j, row[j])
            pair = (float(alone[j, first]), float(alone[j, second]))
            likely, unlikely = (_chance(p) if known else None for p in pair)
            told.append(LikelihoodRatio(name, value, likely, unlikely, _apart(*pair) if known else 0.0))
        with np.errstate(divide="ignore"):
            prior = np.log(self.model.prior)
        powers = np.exp(joint - joint.max())
        return LikelihoodRatios(
            self.target, self.classes[first], self.classes[second], _apart(prior[first], prior[second]), tuple(told),
            self.classes, tuple(np.exp(joint).tolist()), tuple((powers / powers.sum()).tolist()), notes,
        )  # fmt: skip

    def cell(self, j: int, value: float) -> tuple[str, bool]:
        """The value of an attribute in words, and whether the model knows it."""
        if np.isnan(value):
            return "missing", False
        place = np.flatnonzero(self.model.levels == j)
        if not place.size:
            return f"{value:.6g}", True
        size = int(self.model.size[place[0]])
        if not 0 <= value < size:
            return "a level not seen before", False
        return self.names_of(j, size)[int(value)], True


def _chance(logarithm: float) -> float:
    return float(np.exp(min(logarithm, 700.0)))


def _apart(first: float, second: float) -> float:
    """The difference of two logarithms; even where both are those of zero."""
    return 0.0 if np.isneginf(first) and np.isneginf(second) else float(first - second)
