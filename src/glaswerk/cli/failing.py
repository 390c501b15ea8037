"""When a command fails: findings of a severity or graver, and a best model that is none."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from glaswerk.facts import Comparison, Fact, Finding

GRAVITY = ("never", "error", "warning", "note")


def failing_option(default: str) -> Callable[..., Any]:
    """The option `--fail-on`, as `fail_on`."""
    return click.option(
        "--fail-on", "fail_on", type=click.Choice(GRAVITY), default=default, show_default=True,
        help="Exit code 1 where there is such a finding or a graver one, or no model beats the baseline.",
    )  # fmt: skip


def failures(facts: Iterable[Fact], fail_on: str) -> list[str]:
    """What fails the check, each in a few words; nothing where it never shall."""
    counted = GRAVITY[1 : GRAVITY.index(fail_on) + 1]
    facts = tuple(facts)
    found = [f"{fact.code} {fact.title}" for fact in facts if isinstance(fact, Finding) and fact.severity in counted]
    compared = [fact for fact in facts if isinstance(fact, Comparison)]
    if counted and any(fact.rows[0].name == fact.baseline for fact in compared):
        found.append("no model is better than the baseline")
    return found
