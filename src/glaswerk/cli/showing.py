"""Facts on a terminal, and as JSON: the same numbers, made unable to steer the terminal."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from glaswerk.facts import Cell, Curve, Fact, Table, as_plain
from glaswerk.report.cells import visible
from glaswerk.report.twin import canonical

LONGEST = 60
MOST_POINTS, FIRST, LAST = 60, 10, 2  # of curves on a terminal: as many as fit, else the first, the last of each line
LATER = frozenset(round(10 * 1.4**k) for k in range(40))  # and these


def show(facts: Iterable[Fact]) -> None:
    """Print the tables of these facts, one after the other."""
    click.echo("\n\n".join(str(readable(thinned(fact))) for fact in facts))


def show_json(content: Any) -> None:
    """One line of JSON that holds no character a terminal could act on."""
    click.echo(canonical(content))


def facts_as_json(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    return [as_plain(fact) for fact in facts]


def thinned(fact: Fact) -> Table:
    """The fact's table; of a long curve the first points, the last, and ever fewer between: most happens early."""
    table = fact.table()
    if not isinstance(fact, Curve) or len(table.rows) <= MOST_POINTS:
        return table
    rows: list[tuple[Cell, ...]] = []
    start = 0
    for line in fact.lines:
        count = len(line.x)
        rows += [table.rows[start + k] for k in range(count) if k < FIRST or k >= count - LAST or k in LATER]
        start += count
    left = len(table.rows) - len(rows)
    return replace(table, rows=tuple(rows), notes=(*table.notes, f"{left} points between are left out; --json has all"))


def readable(table: Table) -> Table:
    """The same table with every text harmless, and every cell short enough for a line."""
    return replace(
        table,
        title=visible(table.title),
        columns=tuple(_short(name) for name in table.columns),
        rows=tuple(tuple(_readable_cell(cell, len(table.columns)) for cell in row) for row in table.rows),
        notes=tuple(visible(note) for note in table.notes),
    )


def _readable_cell(cell: Cell, width: int) -> Cell:
    """Sentences keep their length where they stand nearly alone."""
    if not isinstance(cell, str):
        return cell
    return visible(cell) if width <= 2 and len(cell) <= 10 * LONGEST else _short(cell)


def _short(text: str) -> str:
    plain = visible(text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def pretty_json(content: Any) -> str:
    """Indented JSON of plain ASCII, for files that people open."""
    return json.dumps(content, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
