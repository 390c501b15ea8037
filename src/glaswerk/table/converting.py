"""Text cells converted as a decision says. Every cell that does not follow is counted, with examples."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from glaswerk.table.column import Column, Kind
from glaswerk.table.dates import Order, read_dates
from glaswerk.table.deciding import Decision
from glaswerk.table.evidence import Plain
from glaswerk.table.grammar import GROUP_MARKS, INFINITE, NUMBER

EXAMPLES = 5


@dataclass(frozen=True, eq=False)
class Converted:
    """Cells of their kind, and what did not become one. Blocks add, but for their cells."""

    series: pl.Series
    empty: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    examples: tuple[tuple[int, str], ...] = ()


def convert(cells: pl.Series, decision: Decision, plain: Plain | None = None, first_row: int = 1) -> Converted:
    """The cells of one block, the first of which stands in row `first_row`; `plain` is what casting made of them."""
    numbers = plain.all_of(cells) if plain is not None and _casts(decision) else None
    if numbers is not None:
        return Converted(numbers.cast(_type_of_numbers(decision)).alias(cells.name), cells.null_count())
    bare = cells if decision.clean else cells.str.strip_chars().replace("", None)
    is_token = bare.is_in(list(decision.tokens)).fill_null(False) if decision.tokens else None
    spoken = bare if is_token is None else bare.set(is_token, None)
    tokens = Counter(bare.filter(is_token).to_list()) if is_token is not None else Counter()
    series = READERS[decision.kind](spoken, decision)
    failed = series.null_count() - spoken.null_count()
    lost = (series.is_null() & spoken.is_not_null()).arg_true().head(EXAMPLES).to_list() if failed else []
    examples = tuple((first_row + row, spoken[row]) for row in lost)
    empty = bare.null_count() - (0 if decision.from_text else cells.null_count())
    return Converted(series.alias(cells.name), empty, tokens, failed, examples)


def converted_column(found: Converted, decision: Decision, notes: tuple[str, ...]) -> Column:
    """The column, with how its missing cells were written, the most frequent first."""
    written = [*found.tokens.items(), *([("", found.empty)] if found.empty else [])]
    tokens = tuple(sorted(written, key=lambda item: (-item[1], item[0])))
    return Column(
        found.series.name, decision.kind, found.series, decision.levels, tokens, found.failed, found.examples,
        (*notes, *decision.notes),
    )  # fmt: skip


def _casts(decision: Decision) -> bool:
    """Whether a cell that casts to a number is it: not where -999 is a word for missing, or 1.234 a thousand."""
    worded = any(character.isdigit() for token in decision.tokens for character in token)
    return decision.kind == Kind.NUMBER and decision.decimal == "." and not worded


def _to_numbers(spoken: pl.Series, decision: Decision) -> pl.Series:
    kind = _type_of_numbers(decision)
    if decision.decimal == ".":
        direct = spoken.cast(kind, strict=False)
        odd = (
            direct.is_null() & spoken.is_not_null()
            if decision.whole
            else ~direct.is_finite().fill_null(spoken.is_null())
        )
        if 2 * int(odd.sum()) < len(spoken):
            written = _by_distinct(spoken.set(~odd, None), lambda texts: _written_numbers(texts, ".").cast(kind))
            return direct.zip_with(~odd, written)
    return _written_numbers(spoken, decision.decimal).cast(kind, strict=False)


def _written_numbers(texts: pl.Series, decimal: str) -> pl.Series:
    """Numbers with this decimal mark, grouped or not: Int64 if all of them are whole, else Float64."""
    text, other = pl.col("text"), "," if decimal == "." else "."
    bare = text.str.replace("−", "-", literal=True).str.replace_all(other, "", literal=True)
    bare = bare.str.replace_all(GROUP_MARKS, "").str.replace(decimal, ".", literal=True)
    sound = pl.when(text.str.contains(NUMBER[decimal]) | text.str.contains(INFINITE)).then(bare)
    frame = pl.DataFrame({"text": texts}).select(sound.alias("bare"), text.str.contains(INFINITE).alias("endless"))
    whole = frame["bare"].cast(pl.Int64, strict=False)
    if whole.null_count() == frame["bare"].null_count():
        return whole
    real = frame["bare"].cast(pl.Float64, strict=False)
    return real.set(real.is_infinite() & ~frame["endless"], None)


def _type_of_numbers(decision: Decision) -> Any:
    return pl.Int64 if decision.whole else pl.Float64


def _to_dates(spoken: pl.Series, decision: Decision) -> pl.Series:
    column = "day" if decision.order == Order.DAY else "month"
    return _by_distinct(spoken, lambda texts: read_dates(texts)[column])


def _to_levels(spoken: pl.Series, decision: Decision) -> pl.Series:
    if not decision.declared:
        return spoken
    return spoken.set(~spoken.is_in(list(decision.levels)), None)


def _to_flags(spoken: pl.Series, decision: Decision) -> pl.Series:
    false, true = (level.lower() for level in (*decision.levels, "", "")[:2])
    return _by_distinct(spoken, lambda texts: _said(texts.str.to_lowercase(), false, true))


def _said(folded: pl.Series, false: str, true: str) -> pl.Series:
    is_true = folded == true
    return is_true.set(~(is_true | (folded == false)), None)


def _to_identifiers(spoken: pl.Series, decision: Decision) -> pl.Series:
    return spoken.cast(pl.Int64, strict=False) if decision.whole else spoken


def _by_distinct(texts: pl.Series, read: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """Read each distinct text once."""
    words = texts.drop_nulls().unique()
    if 2 * len(words) > len(texts):
        return read(texts)
    values = read(words)
    return texts.replace_strict(words, values, default=None, return_dtype=values.dtype)


READERS: dict[Kind, Callable[[pl.Series, Decision], pl.Series]] = {
    Kind.NUMBER: _to_numbers,
    Kind.DATE: _to_dates,
    Kind.FLAG: _to_flags,
    Kind.CATEGORY: _to_levels,
    Kind.ORDERED: _to_levels,
    Kind.TEXT: lambda spoken, _: spoken,
    Kind.IDENTIFIER: _to_identifiers,
}
