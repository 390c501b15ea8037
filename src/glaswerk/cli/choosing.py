"""Models by the names under which reports compare them."""

from collections.abc import Mapping
from typing import Any

import click

from glaswerk.model import decide_task
from glaswerk.report.families import BY_NAME, Family, built
from glaswerk.table import TypedTable


def family_named(text: str, task: str | None = None) -> Family:
    """The family of this name (for this task); spaces may be hyphens, the beginning is enough where it is clear."""
    wanted = text.strip().casefold().replace("-", " ").replace("_", " ")
    fitting = [family for family in BY_NAME if task in (None, family.task)]
    found = [family for family in fitting if family.name.casefold() == wanted]
    found = found or [family for family in fitting if family.name.casefold().startswith(wanted)]
    if len(found) != 1:
        raise click.BadParameter(f"must be one of {names(task)}, got {text!r}", param_hint="--model")
    return found[0]


def chosen(texts: tuple[str, ...], table: TypedTable, asking: Mapping[str, Any]) -> dict[str, Any] | None:
    """Unfitted models for what is asked, by name; None where none was named, which means all that make sense."""
    if not texts:
        return None
    task = decide_task(table[asking["target"]], asking["task"], asking["positive"]).name
    return built(*(family_named(text, task).name for text in texts))


def names(task: str | None) -> str:
    return ", ".join(family.name.replace(" ", "-") for family in BY_NAME if task in (None, family.task))
