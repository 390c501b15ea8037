"""From evidence to a kind. The rules stand in docs/table/reading.md, in the order in which they are tried here."""

import re
from dataclasses import dataclass

from glaswerk.table.column import Kind
from glaswerk.table.dates import Order
from glaswerk.table.errors import TableError, shown
from glaswerk.table.evidence import MOSTLY, Evidence
from glaswerk.table.grammar import FLAG_PAIRS, STRONG_TOKENS
from glaswerk.table.naming import identifies

FEW_LEVELS = 20  # so many different words are levels, however few the rows
MOST_LEVELS = 1_000
ROWS_PER_LEVEL = 5  # on average, where there are more than FEW_LEVELS
LONG_TEXT = 40  # characters on average: sentences, not names
COUNTRY_CODE = re.compile(r"[A-Z]{2}")
FEW_CODES = 5
WORD_KINDS = frozenset({Kind.CATEGORY, Kind.ORDERED, Kind.FLAG, Kind.TEXT, Kind.IDENTIFIER})


@dataclass(frozen=True)
class Wish:
    """What the user asked for: of one column, and of numbers everywhere."""

    kind: Kind | None = None
    order: Order | None = None
    levels: tuple[str, ...] | None = None
    missing: frozenset[str] | None = None
    decimal: str | None = None


@dataclass(frozen=True)
class Surroundings:
    """What a column cannot tell by itself: the decimal mark and date order of the other columns, the separator."""

    decimal: str | None = None
    order: Order | None = None
    separator: str = ","
    numbers_in_text: bool = True  # not in dataframes: there they would be numbers already


@dataclass(frozen=True)
class Decision:
    """How every cell of a column is to be read.

    clean : no cell has outer spaces or is nothing but them. whole : its numbers are integers of 64 bits.
    from_text : it comes from a file of text, where a missing cell is an empty one.
    """

    kind: Kind
    tokens: frozenset[str] = frozenset()
    decimal: str = "."
    order: Order = Order.DAY
    levels: tuple[str, ...] = ()
    declared: bool = False
    clean: bool = False
    whole: bool = False
    from_text: bool = True
    notes: tuple[str, ...] = ()


def decide(name: str, seen: Evidence, wish: Wish, around: Surroundings, apart: bool | None = None) -> Decision:
    """The kind of a column, the words for missing in it, and how its numbers, dates and levels are written.

    apart : whether every row has an integer of its own, where that is known beyond the evidence.
    """
    natural, notes = _natural_kind(name, seen, wish, around, apart)
    kind = wish.kind or (Kind.ORDERED if wish.levels else natural)
    if wish.kind or wish.levels:
        notes = ()  # they explain a choice that the user has made
    if kind in {Kind.NUMBER, Kind.DATE}:
        tokens = frozenset(seen.tokens)
    else:
        tokens, kept = _word_tokens(seen, wish)
        notes += kept
    decimal, order, said = _writing(name, seen, wish, around, kind)
    if seen.padded:
        said += (f"spaces around {cells(seen.padded)} are dropped",)
    levels = _levels(name, kind, seen, tokens, wish)
    clean = not seen.padded and not seen.blank
    declared, whole = wish.levels is not None, _whole(seen, kind, decimal)
    return Decision(kind, tokens, decimal, order, levels, declared, clean, whole, around.numbers_in_text, notes + said)


def cells(count: int) -> str:
    """How many cells, in words."""
    return "1 cell" if count == 1 else f"{count} cells"


def _natural_kind(
    name: str, seen: Evidence, wish: Wish, around: Surroundings, apart: bool | None
) -> tuple[Kind, tuple[str, ...]]:
    if seen.spoken == 0 and not set(map(str.lower, seen.tokens)) - STRONG_TOKENS:
        return Kind.NUMBER, ()
    marked = seen.unmarked + seen.point + seen.comma + seen.either + seen.either_comma
    codes = seen.zeros > 0 and not marked
    mostly_numbers = seen.numbers >= MOSTLY * seen.spoken > 0
    if mostly_numbers and not codes and around.numbers_in_text:
        if not marked and identifies(name) and (_tells_rows_apart(seen) if apart is None else apart):
            return Kind.IDENTIFIER, ("every row has its own number",)
        return Kind.NUMBER, ()
    if seen.moments >= MOSTLY * seen.spoken > 0:
        return Kind.DATE, ()
    notes: tuple[str, ...] = ()
    if codes and mostly_numbers:
        notes = (f"leading zeros in {cells(seen.zeros)}: kept as words; kinds={{{shown(name)}: 'number'}} drops them",)
    elif mostly_numbers:
        notes = (f"words that all read as numbers: kinds={{{shown(name)}: 'number'}} makes them numbers",)
    elif seen.numbers:
        notes = (f"{seen.numbers} of {seen.spoken} cells are numbers, too few for a column of numbers",)
    return _kind_of_words(name, seen, wish), notes


def _kind_of_words(name: str, seen: Evidence, wish: Wish) -> Kind:
    words = seen.distinct
    values = set(words.words()) - _word_tokens(seen, wish)[0] if len(words.kept) <= FEW_LEVELS + 20 else None
    if values is not None and _flag_levels(seen, values):
        return Kind.FLAG
    n_distinct, filled = words.count if values is None else len(values), int(words.kept["n"].sum())
    apart = not words.repeats and n_distinct > 1
    long = seen.characters > LONG_TEXT * max(filled, 1) or seen.long_cells > 0
    if apart and not long and (identifies(name) or n_distinct > FEW_LEVELS):
        return Kind.IDENTIFIER
    if apart and long:
        return Kind.TEXT
    few = n_distinct <= FEW_LEVELS or (n_distinct <= MOST_LEVELS and n_distinct * ROWS_PER_LEVEL <= filled)
    return Kind.CATEGORY if few else Kind.TEXT


def _tells_rows_apart(seen: Evidence) -> bool:
    return (
        seen.rows > 1
        and not seen.empty
        and not seen.tokens
        and not seen.distinct.repeats
        and len(seen.distinct.kept) > 1
    )


def _word_tokens(seen: Evidence, wish: Wish) -> tuple[frozenset[str], tuple[str, ...]]:
    """Of the words for missing those that count among words, and a note on those that are kept as words."""
    if wish.missing is not None:
        return frozenset(seen.tokens), ()
    strong = {token for token in seen.tokens if token.lower() in STRONG_TOKENS}
    if "NA" in strong and _are_country_codes(seen):
        strong.discard("NA")
    strong -= set(wish.levels or ())
    kept = sorted(set(seen.tokens) - strong - set(wish.levels or ()))
    notes = tuple(
        f"{shown(token)} is kept as a word ({cells(seen.tokens[token])}): name it in missing= if it means missing"
        for token in kept
    )
    return frozenset(strong), notes


def _are_country_codes(seen: Evidence) -> bool:
    others = [word for word in seen.distinct.words() if word not in seen.tokens]
    return len(others) >= FEW_CODES and all(COUNTRY_CODE.fullmatch(word) for word in others)


def _writing(
    name: str, seen: Evidence, wish: Wish, around: Surroundings, kind: Kind
) -> tuple[str, Order, tuple[str, ...]]:
    """The decimal mark and the order of dates, with notes where the column leaves them open."""
    if kind == Kind.NUMBER:
        decimal, notes = _decimal(seen, wish, around)
        return decimal, Order.DAY, notes
    if kind == Kind.DATE:
        order, notes = _order(name, seen, wish, around)
        return ".", order, notes
    return ".", Order.DAY, ()


def _decimal(seen: Evidence, wish: Wish, around: Surroundings) -> tuple[str, tuple[str, ...]]:
    if wish.decimal is not None:
        return wish.decimal, ()
    if seen.comma != seen.point:
        mark = "," if seen.comma > seen.point else "."
        return mark, ("decimal comma",) if mark == "," else ()
    open_cells = seen.either + seen.either_comma
    if not open_cells:
        return ".", ()
    only_commas = seen.either_comma > 0 and not seen.either
    mark = around.decimal or ("," if only_commas and around.separator != "," else ".")
    if mark == "." and not seen.either_comma and around.decimal is None:
        return mark, ()  # 1.234 where nothing in the file speaks of decimal commas
    word = "decimal comma" if mark == "," else "decimal point"
    return mark, (
        f"{cells(open_cells)} such as 1.234 or 1,234 can be read either way: the {word} is taken; see decimal=",
    )


def _order(name: str, seen: Evidence, wish: Wish, around: Surroundings) -> tuple[Order, tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if seen.short_years:
        notes += (f"{seen.short_years} years have two digits: 69 … 99 are 19.., 00 … 68 are 20..",)
    if seen.zoned:
        notes += (f"{seen.zoned} times name a zone: kept in UTC",)
    if wish.order is not None:
        return wish.order, notes
    if seen.day != seen.month:
        order = Order.DAY if seen.day > seen.month else Order.MONTH
        return order, (*notes, f"dates are {order}") if seen.either_order else notes
    if not seen.either_order:
        return Order.DAY, notes
    if seen.dotted >= seen.either_order + seen.day:
        return Order.DAY, (*notes, "dates with dots are d.m.y")
    order = around.order or Order.DAY
    other = Order.MONTH if order == Order.DAY else Order.DAY
    reason = "as in the other columns" if around.order else "nothing in the column decides"
    return order, (
        *notes,
        f"ambiguous dates: {cells(seen.either_order)} can be read as {order} and as {other}; {order} is taken, "
        f"{reason}; kinds={{{shown(name)}: 'date {other}'}} reads them the other way",
    )


def _whole(seen: Evidence, kind: Kind, decimal: str) -> bool:
    if kind == Kind.IDENTIFIER:
        return seen.integer == seen.spoken and not seen.zeros
    parted = seen.either if decimal == "." else seen.either_comma
    return not (seen.unmarked or seen.point or seen.comma or seen.infinite or parted)


def _levels(name: str, kind: Kind, seen: Evidence, tokens: frozenset[str], wish: Wish) -> tuple[str, ...]:
    if wish.levels is not None:
        return wish.levels
    if kind not in {Kind.CATEGORY, Kind.ORDERED, Kind.FLAG}:
        return ()
    words = [word for word in seen.distinct.words() if word not in tokens]
    if kind == Kind.CATEGORY:
        return tuple(words)
    if kind == Kind.ORDERED:
        return _ranked(name, words)
    found = _flag_levels(seen, set(words)) or tuple(words)
    if len(found) > 2:
        raise TableError(
            f"column {shown(name)} cannot be a flag: it has {len(found)} different words, "
            f"among them {', '.join(map(shown, found[:3]))}"
        )
    return found


def _ranked(name: str, words: list[str]) -> tuple[str, ...]:
    try:
        return tuple(sorted(words, key=float))
    except ValueError as error:
        raise TableError(
            f"column {shown(name)} is to be ordered: say how with levels={{{shown(name)}: [lowest, …, highest]}}"
        ) from error


def _flag_levels(seen: Evidence, values: set[str]) -> tuple[str, ...]:
    """The words for False and True as they are most often spelled; empty where the words are no such pair."""
    folded = {value.lower() for value in values}
    for pair in FLAG_PAIRS:
        if folded == set(pair):
            ranked = seen.distinct.kept.sort("n", "text", descending=[True, False])["text"].to_list()
            return tuple(next(word for word in ranked if word.lower() == meant) for meant in pair)
    return ()
