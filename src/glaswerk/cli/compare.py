"""`glaswerk compare`: what changed between two reports."""

import click

from glaswerk.cli.problems import FailedCheck, answering
from glaswerk.cli.showing import facts_as_json, show, show_json
from glaswerk.report.changes import changes, is_worse, read_twin


@click.command("compare", help="What changed from the report in BEFORE to that in AFTER, both JSON (--json-output).")
@click.argument("before")
@click.argument("after")
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit code 1 where the best score got worse beyond its interval, or a warning came up.",
)
@click.option("--json", "as_json", is_flag=True, help="The changes as JSON.")
@answering
def command(before: str, after: str, fail_if_worse: bool, as_json: bool) -> None:
    old, new = read_twin(before), read_twin(after)
    found = changes(old, new)
    if as_json:
        show_json(facts_as_json(found))
    else:
        show(found)
    if fail_if_worse and is_worse(old, new):
        raise FailedCheck(found[0].sentences[-1])  # type: ignore[union-attr]
