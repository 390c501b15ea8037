"""`glaswerk validate`: how well models do on rows they have not seen, and whether that is good enough."""

from typing import Any

import click

from glaswerk.cli.asking import asking_options
from glaswerk.cli.choosing import chosen
from glaswerk.cli.failing import failing_option, failures
from glaswerk.cli.problems import FailedCheck, answering
from glaswerk.cli.reading import FILE, read, reading_options
from glaswerk.cli.showing import facts_as_json, show, show_json
from glaswerk.cli.watching import watched
from glaswerk.report import analyse

SECTIONS = ("verdict", "comparison", "diagnosis")


@click.command("validate", help=f"Judge models that predict a column of FILE. FILE is {FILE}.")
@click.argument("file")
@asking_options
@reading_options
@failing_option("error")
@click.option("--json", "as_json", is_flag=True, help="The facts as JSON.")
@answering
def command(
    file: str, asking: dict[str, Any], models: tuple[str, ...], reading: dict[str, Any], fail_on: str,
    as_json: bool,
) -> None:  # fmt: skip
    table = read(file, reading)
    with watched() as progress:
        analysis = analyse(
            table, **asking, candidates=chosen(models, table, asking), progress=progress, origin=(file, reading)
        )
    facts = [fact for name in SECTIONS for fact in analysis.section(name).facts]
    if as_json:
        show_json(facts_as_json(facts))
    else:
        show(facts)
    failed = failures(facts, fail_on)
    if failed:
        raise FailedCheck("; ".join(failed))
