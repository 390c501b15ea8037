"""Interpretation: each coefficient of a linear model in a sentence, with its unit, its interval and its caveat.

    one more unit of x_j, all other columns held fixed, goes with w_j more of y

When not to use it: columns that cannot move alone. Powers and products say so in their own sentence; for columns that
move together in the data the caveat is all that can be said.
"""

import re
from collections.abc import Mapping

from glaswerk.facts import Coefficient, Coefficients, Statement, shown

CETERIS_PARIBUS = (
    "All other columns held fixed (ceteris paribus): where columns move together in the data, no row may show that. "
    "These are associations among the rows at hand; what would happen if somebody changed a column is another question."
)
OPEN = "an interval that holds 0: the rows do not settle even the direction"


def interpret(
    coefficients: Coefficients,
    units: Mapping[str, str] | None = None,
    references: Mapping[str, str] | None = None,
) -> Statement:
    """A sentence for every coefficient, then the caveat.

    units : the unit of a column or of the target, by name ("kg"); without one a plain "1".
    references : for a category "colour" that became columns "colour: red", …, the level that got none.
    """
    units, references = units or {}, references or {}
    unknown = [name for name in units if name not in {r.name for r in coefficients.rows} | {coefficients.target}]
    if unknown:
        raise ValueError(f"interpret: there is no column {unknown[0]!r} to have a unit")
    names = [row.name for row in coefficients.rows if row.name != "intercept"]
    told = [_sentence(row, names, coefficients, units, references) for row in coefficients.rows]
    return Statement(f"What the coefficients for {coefficients.target} say", (*told, CETERIS_PARIBUS))


def _sentence(
    row: Coefficient, names: list[str], all_of: Coefficients, units: Mapping[str, str], references: Mapping[str, str]
) -> str:
    target, unit = all_of.target, units.get(all_of.target, "")
    sure = _sure(row, all_of.level, unit)
    if row.name == "intercept":
        rest = " and every category at its reference level" if references else ""
        return f"Where every column is 0{rest}, {target} is expected at {_amount(row.estimate, unit)}{sure}."
    parts = derived_from(row.name, names)
    if parts:
        columns = " and ".join(map(repr, parts))
        return (
            f"{row.name!r} is made from {columns} and cannot change while they stay: its {shown(row.estimate)} has a "
            "meaning only together with their other terms (see the curve, not the number)."
        )
    column, _, level = row.name.partition(": ")
    if level and column in references:
        against = f"rows whose {column!r} is {level!r} have, against {references[column]!r},"
        return f"All others held fixed, {against} {_more(row.estimate, unit)} {target}{sure}."
    one = f"one more {units[row.name]} of {row.name!r}" if row.name in units else f"{row.name!r} higher by 1"
    return f"All others held fixed, {one} goes with {_more(row.estimate, unit)} {target}{sure}."


def derived_from(name: str, names: list[str]) -> list[str]:
    """The columns whose power or product a term is by its name (x^2, a b, a^2 b); none for a column itself."""
    power = r"(?:\^\d+)?"
    for first in names:
        if re.fullmatch(re.escape(first) + r"\^\d+", name):
            return [first]
    choice = "|".join(re.escape(other) for other in sorted(names, key=len, reverse=True) if other != name)
    if not choice or not re.fullmatch(f"(?:{choice}){power}(?: (?:{choice}){power})+", name):
        return []
    return list(dict.fromkeys(re.sub(r"\^\d+$", "", part) for part in re.findall(f"(?:{choice}){power}", name)))


def _amount(value: float, unit: str) -> str:
    return f"{shown(value)} {unit}".rstrip()


def _more(value: float, unit: str) -> str:
    return f"{_amount(abs(value), unit)} {'less' if value < 0 else 'more'}"


def _sure(row: Coefficient, level: float, unit: str) -> str:
    if row.lower is None or row.upper is None:
        return " (how sure this is cannot be told)"
    text = f" ({100 * level:g} %: {shown(row.lower)} … {_amount(row.upper, unit)}"
    return f"{text}, {OPEN})" if row.name != "intercept" and row.lower <= 0 <= row.upper else f"{text})"
