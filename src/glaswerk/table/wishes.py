"""What the user asks of a table's columns, checked; and what the columns tell one another."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from glaswerk.table.column import Kind
from glaswerk.table.dates import Order
from glaswerk.table.deciding import Surroundings, Wish
from glaswerk.table.errors import TableError, shown
from glaswerk.table.evidence import Evidence
from glaswerk.table.typed import unknown_column


@dataclass(frozen=True)
class Wishes:
    """Wishes by column, and the one for every other column."""

    columns: dict[str, Wish] = field(default_factory=dict)
    otherwise: Wish = field(default_factory=Wish)

    @classmethod
    def of(
        cls,
        kinds: Mapping[str, str] | None,
        missing: Sequence[str] | Mapping[str, Sequence[str]] | None,
        levels: Mapping[str, Sequence[str]] | None,
        decimal: str | None,
    ) -> "Wishes":
        if decimal not in {None, ".", ","}:
            raise TableError(f"decimal must be '.' or ',', got {shown(decimal)}")
        kinds, levels = kinds or {}, levels or {}
        by_column = missing if isinstance(missing, Mapping) else {}
        everywhere = None if missing is None or isinstance(missing, Mapping) else _words("missing", missing)
        wished: dict[str, Wish] = {}
        for name in dict.fromkeys([*kinds, *levels, *by_column]):
            kind, order = _kind(name, kinds[name]) if name in kinds else (None, None)
            declared = _levels(name, levels[name]) if name in levels else None
            words = _words(f"missing of {shown(name)}", by_column[name]) if name in by_column else everywhere
            if declared is not None and kind not in {None, Kind.ORDERED, Kind.CATEGORY, Kind.FLAG}:
                raise TableError(f"column {shown(name)} cannot have levels and be read as {kind}")
            wished[name] = Wish(kind, order, declared, words, decimal)
        return cls(wished, Wish(missing=everywhere, decimal=decimal))

    def column(self, name: str) -> Wish:
        return self.columns.get(name, self.otherwise)

    def refuse_unknown(self, names: Iterable[str]) -> None:
        present = set(names)
        for name in self.columns:
            if name not in present:
                raise TableError(unknown_column(name, present))


def _kind(name: str, wanted: str) -> tuple[Kind, Order | None]:
    word, _, order = str(wanted).partition(" ")
    try:
        if order and word != Kind.DATE:
            raise ValueError(order)
        return Kind(word), Order(order) if order else None
    except ValueError as error:
        allowed = ", ".join([*Kind, *(f"date {order}" for order in Order)])
        raise TableError(f"kinds: column {shown(name)} can be {allowed}, got {shown(wanted)}") from error


def _levels(name: str, levels: Sequence[str]) -> tuple[str, ...]:
    found = tuple(map(str, levels)) if not isinstance(levels, str) else ()
    if not found or len(set(found)) < len(found):
        raise TableError(f"levels of {shown(name)} must be a list of different words, got {shown(levels)}")
    return found


def _words(what: str, words: Sequence[str]) -> frozenset[str]:
    if isinstance(words, str):
        raise TableError(f"{what} must be a list of words, such as [{shown(words)}], got the text {shown(words)}")
    return frozenset(str(word).strip() for word in words)


def surroundings(seen: Sequence[Evidence], separator: str) -> Surroundings:
    """The decimal mark and the order of dates that the columns which do decide have in common."""
    comma, point = sum(one.comma for one in seen), sum(one.point for one in seen)
    with_slashes = [one for one in seen if not one.dotted]  # dots go with the day first, and say nothing of slashes
    day, month = sum(one.day for one in with_slashes), sum(one.month for one in with_slashes)
    decimal = None if comma == point or separator == "," else "," if comma > point else "."
    order = None if day == month else Order.DAY if day > month else Order.MONTH
    return Surroundings(decimal, order, separator)
