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
from glaswerk.report import Report, analyse, cluster_report
from glaswerk.table import sample_file


@click.command("report", help=f"Write the report on predicting a column of FILE. FILE is {FILE}.")
@click.argument("file")
@asking_options
@reading_options
@click.option("--cluster", is_flag=True, help="No target: report on the groups that the rows fall into.")
@click.option("--how-many", type=click.IntRange(1), help="With --cluster: groups; by the curves where not given.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="With --cluster: leave this column out; may be repeated.")
@click.option(
    "--sample", type=click.IntRange(1), metavar="ROWS", help="Of a file too large for memory: report on so many rows."
)
@click.option("--output", metavar="PATH", help="The page; by default FILE's name with -report.html.")
@click.option("--json-output", metavar="PATH", help="Also write the numbers of the page as JSON to this file.")
@failing_option("never")
@click.option("--json", "as_json", is_flag=True, help="Also print the numbers of the page as JSON.")
@answering
def command(
    file: str, asking: dict[str, Any], models: tuple[str, ...], reading: dict[str, Any], output: str | None,
    json_output: str | None, as_json: bool, fail_on: str, cluster: bool, how_many: int | None, drop: tuple[str, ...],
    sample: int | None,
) -> None:  # fmt: skip
    if sample and reading:
        raise click.UsageError(f"--sample finds out itself how to read a file: leave out {', '.join(reading)}")
    table = sample_file(file, sample, seed=asking["seed"]) if sample else read(file, reading)
    if sample:
        click.echo(f"Note: everything is from a sample of rows: {dict(table.reading)['rows']}", err=True)
    path = output or f"{stem(file)}-report.html"
    origin = None if sample else (file, reading)
    if cluster:
        if asking["target"] is not None:
            raise click.UsageError("--cluster is for a table without a target: leave out --target, or --cluster")
        found = cluster_report(table, groups=how_many, drop=drop, seed=asking["seed"], origin=origin)
        found.save(path, json_path=json_output)
        _told(found, found.sections[0].facts, path, as_json)
        return
    with watched() as progress:
        analysis = analyse(table, **asking, candidates=chosen(models, table, asking), progress=progress, origin=origin)
    page = Report(analysis)
    page.save(path, json_path=json_output)
    _told(page, analysis.section("verdict").facts, path, as_json)
    failed = failures(analysis.facts(), fail_on)
    if failed:
        raise FailedCheck("; ".join(failed))


def _told(page: Any, facts: Any, path: str, as_json: bool) -> None:
    """What the terminal shows of a page that was written."""
    if as_json:
        show_json(page.data)
        return
    show(facts)
    click.echo(f"\nThe report: {path}")
