"""Models by the names under which reports compare them."""

from typing import Any

import click

from glaswerk.report.families import FAMILIES, Family


def family_named(text: str, task: str | None = None) -> Family:
    """The family of this name (for this task); spaces may be hyphens, the beginning is enough where it is clear."""
    wanted = text.strip().casefold().replace("-", " ").replace("_", " ")
    fitting = [family for family in FAMILIES if task in (None, family.task)]
    found = [family for family in fitting if family.name.casefold() == wanted]
    found = found or [family for family in fitting if family.name.casefold().startswith(wanted)]
    if len(found) != 1:
        raise click.BadParameter(f"must be one of {names()}, got {text!r}", param_hint="--model")
    return found[0]


def chosen(texts: tuple[str, ...]) -> dict[str, Any] | None:
    """Unfitted models by name; None where none was asked for, which means all that make sense."""
    return {family.name: family.build() for family in map(family_named, texts)} or None


def names() -> str:
    return ", ".join(family.name.replace(" ", "-") for family in FAMILIES)
