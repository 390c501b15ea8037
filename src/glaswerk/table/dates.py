"""Dates as people write them: year first, day first or month first, with or without the time.

`3/4/2024` is two dates. Which one is decided by the whole column: a single `25/4/2024` says that the day comes first.
"""

from enum import StrEnum

import polars as pl

YEAR_PIVOT = 69  # two digits: 69 … 99 are 1969 … 1999, 00 … 68 are 2000 … 2068, as POSIX has it
TIME = (
    r"(?:[T ,]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r" ?(?P<half>[AaPp][Mm])?(?P<zone>Z|[+\-][0-9]{2}:?[0-9]{2})?)?$"
)
YEAR_FIRST = r"^(?P<year>[0-9]{4})(?P<mark>[./\-])(?P<first>[0-9]{1,2})(?P<again>[./\-])(?P<last>[0-9]{1,2})" + TIME
YEAR_LAST = (
    r"^(?P<first>[0-9]{1,2})(?P<mark>[./\-])(?P<last>[0-9]{1,2})(?P<again>[./\-])(?P<year>[0-9]{4}|[0-9]{2})" + TIME
)
LOOKS_LIKE = r"^[0-9]{1,4}[./\-][0-9]{1,2}[./\-][0-9]{1,4}(?:[T ,].*)?$"
MICROSECOND = 1_000_000


class Order(StrEnum):
    """What stands first where the year stands last."""

    DAY = "d/m/y"
    MONTH = "m/d/y"


def read_dates(texts: pl.Series) -> pl.DataFrame:
    """For each text its moment with the day first and with the month first, null where it is none.

    `day` and `month` are equal where the year stands first. `dotted`, `short` (two digits of the year) and `zoned` say
    how the cell is written.
    """
    leading, trailing = _parts(texts, YEAR_FIRST), _parts(texts, YEAR_LAST)
    is_leading = leading["year"].is_not_null()
    moments = leading.select(_moment("first", "last").alias("day"), _moment("first", "last").alias("month"))
    others = trailing.select(_moment("last", "first").alias("day"), _moment("first", "last").alias("month"))
    return pl.DataFrame(
        {
            "day": moments["day"].zip_with(is_leading, others["day"]),
            "month": moments["month"].zip_with(is_leading, others["month"]),
            "dotted": (trailing["mark"] == ".").fill_null(False),
            "short": (trailing["year"].str.len_bytes() == 2).fill_null(False),
            "zoned": leading["zone"].is_not_null() | trailing["zone"].is_not_null(),
        }
    )


def _parts(texts: pl.Series, form: str) -> pl.DataFrame:
    """What stands in the groups of `form`, with the year in full and the time of day in microseconds."""
    year = pl.col("year").cast(pl.Int32)
    century = pl.when(year >= YEAR_PIVOT).then(1900).otherwise(2000)
    full = pl.when(pl.col("year").str.len_bytes() == 2).then(year + century).otherwise(year)
    return (
        texts.str.extract_groups(form)
        .struct.unnest()
        .with_columns(
            pl.when(pl.col("mark") == pl.col("again")).then(full).alias("years"), _time_of_day().alias("clock")
        )
    )


def _moment(month: str, day: str) -> pl.Expr:
    """The moment of these parts, null where there is no such day or hour."""
    padded = pl.format(
        "{}-{}-{}",
        pl.col("years").cast(pl.String).str.zfill(4),
        pl.col(month).str.zfill(2),
        pl.col(day).str.zfill(2),
    )
    return padded.str.to_datetime("%Y-%m-%d", time_unit="us", strict=False) + pl.duration(microseconds=pl.col("clock"))


def _time_of_day() -> pl.Expr:
    """Microseconds since midnight, in UTC where a zone is given; null for an hour or minute that does not exist."""
    hour, minute, second = (pl.col(name).cast(pl.Int64).fill_null(0) for name in ("hour", "minute", "second"))
    half = pl.col("half").str.to_lowercase()
    civil = pl.when(half == "pm").then(hour % 12 + 12).when(half == "am").then(hour % 12).otherwise(hour)
    fraction = pl.col("fraction").fill_null("").str.pad_end(6, "0").str.slice(0, 6).cast(pl.Int64)
    zone = pl.col("zone").str.replace_all(":", "", literal=True)
    offset = (
        pl.when(zone.str.len_bytes() == 5)
        .then(
            (zone.str.slice(1, 2).cast(pl.Int64, strict=False) * 60 + zone.str.slice(3, 2).cast(pl.Int64, strict=False))
            * pl.when(zone.str.starts_with("-")).then(-1).otherwise(1)
        )
        .otherwise(0)
    )
    clock = ((civil * 60 + minute - offset) * 60 + second) * MICROSECOND + fraction
    sound = (hour < 24) & (minute < 60) & (second < 60) & (half.is_null() | ((hour > 0) & (hour < 13)))
    return pl.when(sound).then(clock)
