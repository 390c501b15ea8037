"""`glaswerk describe`: what a table holds, before anything is fitted."""

import os
from typing import Any

import click

from glaswerk.cli.problems import answering
from glaswerk.cli.reading import FILE, is_dataset, read, reading_options
from glaswerk.cli.showing import show, show_json
from glaswerk.facts import ColumnCard, DataCard, Table, as_plain
from glaswerk.table import describe_file

LARGE = 200 * 2**20  # bytes beyond which a file is not held in memory


@click.command("describe", help=f"What FILE holds. FILE is {FILE}.")
@click.argument("file")
@click.option("--target", help="The column to be predicted, to mark it.")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="The data card as JSON.")
@answering
def command(file: str, target: str | None, reading: dict[str, Any], as_json: bool) -> None:
    card = _card(file, target, reading)
    if as_json:
        show_json(as_plain(card))
        return
    lost = [column for column in card.columns if column.missing_tokens or column.failed]
    show([card, _how_read(card), *([_what_was_lost(lost)] if lost else [])])


def _card(file: str, target: str | None, reading: dict[str, Any]) -> DataCard:
    """A file too large for memory is read in one pass, and its card says what comes from a sample."""
    if not is_dataset(file) and os.path.isfile(file) and os.path.getsize(file) > LARGE:
        return describe_file(file, target=target, **reading)
    return read(file, reading).card(target=target)


def _how_read(card: DataCard) -> Table:
    return Table("How it was read", ("", "what"), (*card.reading, ("fingerprint", card.fingerprint)))


def _what_was_lost(columns: list[ColumnCard]) -> Table:
    """Per column: how missing cells were written, and which cells did not read."""
    rows = []
    for column in columns:
        tokens = ", ".join(f"{token!r} {count} times" for token, count in column.missing_tokens)
        failed = ", ".join(f"row {row}: {text!r}" for row, text in column.failed_examples)
        rows.append((column.name, tokens, column.failed, failed))
    heads = ("column", "missing is written", "cells that did not read", "for example")
    return Table("What stands for missing, and what did not read", heads, tuple(rows))
