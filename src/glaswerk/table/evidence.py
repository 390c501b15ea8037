"""What the cells of a column look like, as counts that add: the whole column decides its kind, never a sample.

Each block of rows is counted once. Cells that plainly are numbers are recognised by casting; only what is left over is
looked at as text, and each distinct text once.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import polars as pl

from glaswerk.table.dates import LOOKS_LIKE, read_dates
from glaswerk.table.distinct import Distinct
from glaswerk.table.grammar import EITHER, INFINITE, INTEGER, LEADING_ZERO, NUMBER, TOKENS, UNMARKED

LONG_CELL = 200  # characters
PROBE = 200  # rows that say whether casting is worth trying
NO_WORD = frozenset({""})
MOSTLY = 0.9  # the share of cells from which on a column is a number or a date


@dataclass(frozen=True, eq=False)
class Plain:
    """What casting makes of the cells of a column.

    whole : the integers. real : all numbers, where some cells are no integers. n_whole, n_numbers : how many there are,
    infinite ones not counted. zeros : integers with leading zeros, where no number is other than an integer.
    """

    whole: pl.Series
    real: pl.Series | None
    n_whole: int
    n_numbers: int
    zeros: int = 0

    def is_number(self) -> pl.Series:
        return self.whole.is_not_null() if self.real is None else self.real.is_finite().fill_null(False)

    def all_of(self, cells: pl.Series) -> pl.Series | None:
        """The numbers, if every cell that is not empty is one and finite."""
        numbers = self.whole if self.real is None else self.real
        return numbers if self.n_numbers == len(cells) - cells.null_count() else None


@dataclass(frozen=True)
class Evidence:
    """Counts over the cells of one column.

    empty : null or nothing between the separators, of which `blank` are blanks or empty quotes. tokens : words for
    missing, as they are spelled. integer : whole numbers of 64 bits, `zeros` of them with leading zeros. unmarked :
    other numbers without a decimal mark. point, comma : numbers that only the decimal point or only the comma reads.
    either, either_comma : what both read, to different values (1.234 and 1,234). dates, day, month, either_order :
    dates of one reading, of the day first only, of the month first only, of both. listed : what `distinct` counts.
    """

    rows: int = 0
    empty: int = 0
    blank: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    integer: int = 0
    zeros: int = 0
    unmarked: int = 0
    point: int = 0
    comma: int = 0
    either: int = 0
    either_comma: int = 0
    infinite: int = 0
    dates: int = 0
    day: int = 0
    month: int = 0
    either_order: int = 0
    dotted: int = 0
    short_years: int = 0
    zoned: int = 0
    padded: int = 0
    characters: int = 0
    long_cells: int = 0
    listed: int = 0
    distinct: Distinct = field(default_factory=Distinct)

    def __add__(self, other: "Evidence") -> "Evidence":
        return Evidence(**{part.name: getattr(self, part.name) + getattr(other, part.name) for part in fields(self)})

    @property
    def numbers(self) -> int:
        """Cells that the better of the two decimal marks reads."""
        return (
            self.integer + self.unmarked + self.either + self.either_comma + max(self.point, self.comma) + self.infinite
        )

    @property
    def of_words(self) -> bool:
        """Whether this is no column of numbers: words, dates, or integers that leading zeros make codes."""
        return self.numbers < MOSTLY * self.spoken or self.zeros > 0

    @property
    def moments(self) -> int:
        """Cells that the better order of day and month reads."""
        return self.dates + self.either_order + max(self.day, self.month)

    @property
    def spoken(self) -> int:
        """Cells that are neither empty nor a word for missing."""
        return self.rows - self.empty - sum(self.tokens.values())


def plain_numbers(frame: pl.DataFrame) -> dict[str, Plain]:
    """The columns of text that begin with a number somewhere in their first rows, cast; all columns at once."""
    number = pl.all().cast(pl.Float64, strict=False).is_not_null().any()
    probe = frame.head(PROBE).select(number | pl.all().is_null().all())
    names = [name for name, found in zip(probe.columns, probe.row(0), strict=True) if found]
    if not names:
        return {}
    cells = frame.select(names)
    whole = cells.select(pl.all().cast(pl.Int64, strict=False))
    n_empty, n_lost = cells.null_count().row(0), whole.null_count().row(0)
    parted = [name for name, empty, lost in zip(names, n_empty, n_lost, strict=True) if lost > empty]
    real = cells.select(pl.col(parted).cast(pl.Float64, strict=False)) if parted else pl.DataFrame()
    finite = real.select(pl.all().is_finite().sum()).row(0) if parted else ()
    n_numbers = dict(zip(parted, finite, strict=True))
    reals = dict(zip(parted, real.iter_columns(), strict=True))
    found = {
        name: Plain(integers, reals.get(name), len(frame) - lost, n_numbers.get(name, len(frame) - lost))
        for name, integers, lost in zip(names, whole.iter_columns(), n_lost, strict=True)
    }
    coded = [name for name, plain in found.items() if plain.n_whole == plain.n_numbers > 0]
    zeros = frame.select(_leading_zeros(pl.col(coded))).row(0) if coded else ()
    return found | {name: replace(found[name], zeros=count or 0) for name, count in zip(coded, zeros, strict=True)}


def _leading_zeros(cells: pl.Expr) -> pl.Expr:
    """How many of these integers begin with a zero that says nothing of their value."""
    return (cells.str.starts_with("0") & (cells.str.len_bytes() > 1)).sum()


def observe(
    cells: pl.Series,
    plain: Plain | None = None,
    *,
    commas: bool = True,
    count_distinct: bool = False,
    missing: frozenset[str] | None = None,
) -> Evidence:
    """The evidence in a block of text cells; `plain` is what casting has made of them, where it was tried.

    commas : whether decimal commas are to be expected, so that `1.234` may be a thousand. count_distinct : count the
    distinct cells of numbers too; without it they are counted where the column is no number. missing : the words for
    missing, where the user named them; no other word is one then.
    """
    if missing is None:
        return _observe(cells, plain, commas, count_distinct, TOKENS)
    bare = cells.str.strip_chars()
    named = (bare.is_in(list(missing)) & (bare != "")).fill_null(False)
    if not named.any():
        return _observe(cells, plain, commas, count_distinct, NO_WORD)
    tokens = Counter(bare.filter(named).to_list())
    found = _observe(cells.set(named, None), None, commas, count_distinct, NO_WORD)
    return found + Evidence(empty=-tokens.total(), tokens=tokens)


def _observe(
    cells: pl.Series, plain: Plain | None, commas: bool, count_distinct: bool, words: frozenset[str]
) -> Evidence:
    found = Evidence(rows=len(cells), empty=cells.null_count())
    if not len(cells):
        return found
    if plain is None:
        seen = Distinct.of(cells)
        return found + _observe_texts(seen, words) + _observe_words(seen)
    found = found + _observe_plain(cells, plain, commas)
    odd = Distinct()
    if plain.n_numbers + found.empty < len(cells):
        odd = Distinct.of(cells.filter(~plain.is_number()))
        found = found + _observe_texts(odd, words)
    if count_distinct or found.of_words:
        found = found + _observe_words(odd + Distinct.of(cells.filter(plain.is_number())))
    return found


def _observe_plain(cells: pl.Series, plain: Plain, commas: bool) -> Evidence:
    """What the cells that cast to numbers say of the decimal mark."""
    n_parted = plain.n_numbers - plain.n_whole
    if not commas or not n_parted:
        return Evidence(integer=plain.n_whole, zeros=plain.zeros, point=n_parted)
    parted = cells.filter(plain.is_number() & plain.whole.is_null())
    either, unmarked = (int(parted.str.contains(form).sum() or 0) for form in (EITHER["."], UNMARKED))
    point = n_parted - either - unmarked
    return Evidence(integer=plain.n_whole, zeros=plain.zeros, point=point, either=either, unmarked=unmarked)


def _observe_words(seen: Distinct) -> Evidence:
    """The distinct cells without their outer spaces, and how long they are."""
    bare = seen.kept.with_columns(pl.col("text").str.strip_chars()).filter(pl.col("text") != "")
    if bare["text"].n_unique() < len(bare):
        bare = bare.group_by("text").agg(pl.col("n").sum())
    lengths = bare["text"].str.len_chars()
    return Evidence(
        listed=int(seen.kept["n"].sum()),
        characters=int((lengths * bare["n"]).sum() or 0),
        long_cells=int(bare["n"].filter(lengths > LONG_CELL).sum() or 0),
        distinct=Distinct(bare, seen.level),
    )


def _observe_texts(distinct: Distinct, words: frozenset[str]) -> Evidence:
    """Evidence in cells that are not plainly numbers; every distinct text is looked at once."""
    seen = distinct.kept.with_columns(pl.col("text").str.strip_chars().alias("bare"))
    is_blank, is_token = pl.col("bare") == "", pl.col("bare").str.to_lowercase().is_in(list(words))
    padded = int(seen.filter((pl.col("bare") != pl.col("text")) & ~is_blank)["n"].sum())
    blank = int(seen.filter(is_blank)["n"].sum())
    tokens = Counter(dict(seen.filter(is_token & ~is_blank).group_by("bare").agg(pl.col("n").sum()).rows()))
    found = Evidence(empty=blank, blank=blank, tokens=tokens, padded=padded)
    rest = seen.filter(~is_token)
    return found + _count_numbers(rest) + _count_dates(rest) if len(rest) else found


def _count_numbers(seen: pl.DataFrame) -> Evidence:
    text = pl.col("bare")
    point, comma = text.str.contains(NUMBER["."]), text.str.contains(NUMBER[","])
    either, either_comma = text.str.contains(EITHER["."]), text.str.contains(EITHER[","])
    whole = (
        text.str.contains(INTEGER) & text.str.replace("−", "-", literal=True).cast(pl.Int64, strict=False).is_not_null()
    )
    unmarked = text.str.contains(UNMARKED)
    grouped = point & comma & ~text.cast(pl.Float64, strict=False).is_not_null()
    finite = ~text.cast(pl.Float64, strict=False).is_infinite().fill_null(False)
    forms = {
        "integer": (whole | grouped) & ~either & ~either_comma,
        "zeros": text.str.contains(LEADING_ZERO),
        "unmarked": unmarked & ~whole & finite,
        "point": point & finite & ~(whole | grouped | unmarked) & ~either & ~either_comma,
        "comma": comma & ~point,
        "either": either,
        "either_comma": either_comma,
        "infinite": text.str.contains(INFINITE),
    }
    return Evidence(**_counts(seen, forms))


def _count_dates(seen: pl.DataFrame) -> Evidence:
    suspects = seen.filter(pl.col("bare").str.contains(LOOKS_LIKE))
    if not len(suspects):
        return Evidence()
    read = suspects.select("n").hstack(read_dates(suspects["bare"]))
    day, month = pl.col("day").is_not_null(), pl.col("month").is_not_null()
    same, any_order = pl.col("day") == pl.col("month"), day | month
    forms = {
        "dates": (same & day).fill_null(False),
        "day": day & ~month,
        "month": month & ~day,
        "either_order": day & month & ~same.fill_null(True),
        "dotted": pl.col("dotted") & any_order,
        "short_years": pl.col("short") & any_order,
        "zoned": pl.col("zoned") & any_order,
    }
    return Evidence(**_counts(read, forms))


def _counts(seen: pl.DataFrame, forms: Mapping[str, pl.Expr]) -> dict[str, Any]:
    sums = seen.select(*(pl.col("n").filter(form).sum().alias(name) for name, form in forms.items()))
    return {name: int(number or 0) for name, number in zip(sums.columns, sums.row(0), strict=True)}
