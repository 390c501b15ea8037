"""`glaswerk lab`: the experiments of the scripts."""

from pathlib import Path

import click

from glaswerk.archive import replace_file
from glaswerk.cli.problems import answering
from glaswerk.cli.showing import facts_as_json, show, show_json
from glaswerk.figures import figures_of
from glaswerk.labs import LABS, list_of_labs, run_lab


@click.group("lab", help="The experiments of the scripts: every figure and table they show, rebuilt.")
def command() -> None:
    pass


@command.command("list", help="All experiments, with the row of the mission and the place in the script.")
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
def list_labs(as_json: bool) -> None:
    listed = list_of_labs()
    show_json(facts_as_json([listed])) if as_json else show([listed])


@command.command("run", help="Run the experiment called NAME; print its tables, and write its figures if asked.")
@click.argument("name")
@click.option("--figures", "folder", metavar="FOLDER", help="Write every figure as SVG into this folder.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="The same seed gives the same numbers."
)
@click.option("--json", "as_json", is_flag=True, help="The facts as JSON.")
@answering
def run(name: str, folder: str | None, seed: int, as_json: bool) -> None:
    if name not in LABS:
        raise click.BadParameter(f"must be one of {', '.join(LABS)}, got {name!r}", param_hint="NAME")
    facts = run_lab(name, seed=seed)
    show_json(facts_as_json(facts)) if as_json else show(facts)
    if folder is not None:
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for figure in (figure for fact in facts for figure in figures_of(fact)):
            replace_file(place / f"{figure.name}.svg", figure.svg().encode())
            click.echo(f"{place / figure.name}.svg", err=True)
