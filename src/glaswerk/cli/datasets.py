"""`glaswerk datasets`: what comes along, with source and licence."""

import io
import sys

import click

from glaswerk.archive import replace_file
from glaswerk.cli.problems import answering
from glaswerk.cli.showing import show, show_json
from glaswerk.facts import as_plain
from glaswerk.table import DATASETS, describe_datasets


@click.command("datasets", help="List the data sets, or write the one called NAME as CSV.")
@click.argument("name", required=False)
@click.option("--output", metavar="PATH", help="The CSV file; standard output where not given.")
@click.option("--path", metavar="PATH", help="Your own copy of a set that would be downloaded.")
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
@answering
def command(name: str | None, output: str | None, path: str | None, as_json: bool) -> None:
    if name is None:
        listed = describe_datasets()
        show_json(as_plain(listed)) if as_json else show([listed])
        return
    if name not in DATASETS:
        raise click.BadParameter(f"must be one of {', '.join(DATASETS)}, got {name!r}", param_hint="NAME")
    stream = io.BytesIO()
    DATASETS[name].load(path).to_polars().write_csv(stream)
    if output is None:
        sys.stdout.buffer.write(stream.getvalue())
    else:
        replace_file(output, stream.getvalue())
        click.echo(f"{name}: {output}", err=True)
