"""`glaswerk report`: compare models of a table, and write down everything that was found, as one page."""

from typing import Any

import click

from glaswerk.cli.asking import asking_options
from glaswerk.cli.choosing import chosen
from glaswerk.cli.failing import failing_option, failures
from glaswerk.cli.problems import FailedCheck, answering
from glaswerk.cli.reading import FILE, read, reading_options, stem
from glaswerk.cli.showing import show, show_json
from glaswerk.cli.watching import watched
from glaswerk.report import Report, analyse


@click.command("report", help=f"Write the report on predicting a column of FILE. FILE is {FILE}.")
@click.argument("file")
@asking_options
@reading_options
@click.option("--output", metavar="PATH", help="The page; by default FILE's name with -report.html.")
@click.option("--json-output", metavar="PATH", help="Also write the numbers of the page as JSON to this file.")
@failing_option("never")
@click.option("--json", "as_json", is_flag=True, help="Also print the numbers of the page as JSON.")
@answering
def command(
    file: str, asking: dict[str, Any], models: tuple[str, ...], reading: dict[str, Any], output: str | None,
    json_output: str | None, as_json: bool, fail_on: str,
) -> None:  # fmt: skip
    table = read(file, reading)
    with watched() as progress:
        analysis = analyse(table, **asking, candidates=chosen(models), progress=progress, origin=(file, reading))
    page = Report(analysis)
    path = output or f"{stem(file)}-report.html"
    page.save(path, json_path=json_output)
    if as_json:
        show_json(page.data)
    else:
        show(analysis.section("verdict").facts)
        click.echo(f"\nThe report: {path}")
    failed = failures(analysis.facts(), fail_on)
    if failed:
        raise FailedCheck("; ".join(failed))
