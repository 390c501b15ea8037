"""Facts on a terminal, and as JSON: the same numbers, made unable to steer the terminal."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from glaswerk.facts import Cell, Fact, Table, as_plain
from glaswerk.report.cells import visible
from glaswerk.report.twin import canonical

LONGEST = 60


def show(facts: Iterable[Fact]) -> None:
    """Print the tables of these facts, one after the other."""
    click.echo("\n\n".join(str(readable(fact.table())) for fact in facts))


def show_json(content: Any) -> None:
    """One line of JSON that holds no character a terminal could act on."""
    click.echo(canonical(content))


def facts_as_json(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    return [as_plain(fact) for fact in facts]


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
