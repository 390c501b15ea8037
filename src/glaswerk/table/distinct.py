"""Distinct cells and their counts in bounded memory.

While there are few, all are kept. Beyond `LIMIT` only those are kept whose hash is below 2⁶⁴ / 2^level: a value that is
kept has been kept from its first row on, so that its count is exact, and kept × 2^level estimates how many there are.
Parts of a table merge in any order to the same result.
"""

from dataclasses import dataclass, field

import polars as pl

LIMIT = 50_000
SEED = 20_240_101
NONE = pl.DataFrame(schema={"text": pl.String, "n": pl.Int64})


@dataclass(frozen=True, eq=False)
class Distinct:
    """Kept values with their counts; `level` 0 means that every value is kept."""

    kept: pl.DataFrame = field(default_factory=lambda: NONE)
    level: int = 0

    @classmethod
    def of(cls, texts: pl.Series, level: int = 0) -> "Distinct":
        """The distinct texts that belong to this level, however many: a table in memory has room for all of them."""
        counted = _below(texts.drop_nulls().alias("text").to_frame(), level)["text"].value_counts(name="n")
        return cls(counted.with_columns(pl.col("n").cast(pl.Int64)), level)

    def __add__(self, other: "Distinct") -> "Distinct":
        if not len(self.kept) and not self.level:
            return other
        if not len(other.kept) and not other.level:
            return self
        together = pl.concat([self.kept, other.kept]).group_by("text").agg(pl.col("n").sum())
        return Distinct(together, max(self.level, other.level)).thinned()

    def thinned(self) -> "Distinct":
        """At most `LIMIT` values, at the lowest level that allows it."""
        kept, level = _below(self.kept, self.level), self.level
        while len(kept) > LIMIT:
            level += 1
            kept = _below(kept, level)
        return Distinct(kept, level)

    @property
    def exact(self) -> bool:
        return self.level == 0

    @property
    def count(self) -> int:
        return len(self.kept) << self.level

    @property
    def repeats(self) -> bool:
        """Whether a kept value occurs twice."""
        return bool((self.kept["n"] > 1).any())

    def words(self) -> list[str]:
        """The kept values by code point."""
        return sorted(self.kept["text"].to_list())

    def most_frequent(self, most: int) -> tuple[tuple[str, int], ...]:
        """The kept values with the highest counts; of equal counts the first by code point."""
        ranked = self.kept.sort("n", "text", descending=[True, False]).head(most)
        return tuple(ranked.rows())


def _below(kept: pl.DataFrame, level: int) -> pl.DataFrame:
    if not level:
        return kept
    return kept.filter(kept["text"].hash(SEED) < 2 ** (64 - level))
