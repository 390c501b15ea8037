"""`glaswerk fit`: one model of a table, kept in a file."""

from typing import Any

import click

from glaswerk.cli.choosing import family_named
from glaswerk.cli.problems import answering
from glaswerk.cli.reading import FILE, read, reading_options, stem
from glaswerk.cli.showing import facts_as_json, show, show_json
from glaswerk.model import decide_task
from glaswerk.model.banded import WAYS
from glaswerk.report.families import FAMILIES, Family


@click.command("fit", help=f"Fit a model that predicts a column of FILE, and keep it. FILE is {FILE}.")
@click.argument("file")
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option("--model", "model", metavar="NAME", help="Which model; the plainest for the target where not given.")
@click.option(
    "--task", type=click.Choice(["regression", "classification"]), help="Decided by the target where not given."
)
@click.option("--positive", metavar="CLASS", help="The class that counts as positive, of two.")
@click.option("--weight", metavar="COLUMN", help="How many times each row counts.")
@click.option(
    "--intervals",
    type=click.Choice(["theory", *WAYS]),
    default="theory",
    show_default=True,
    help="How predictions get limits (of classes: sets): the model's own theory, or what folds left out missed by.",
)
@reading_options
@click.option("--output", metavar="PATH", help="The model file; by default FILE's name with .glaswerk.")
@click.option("--json", "as_json", is_flag=True, help="What the model knows as JSON.")
@answering
def command(
    file: str, target: str, model: str | None, task: str | None, positive: str | None, weight: str | None,
    reading: dict[str, Any], output: str | None, as_json: bool, intervals: str,
) -> None:  # fmt: skip
    table = read(file, reading)
    asked = decide_task(table[target], task, positive)
    family = plainest(asked.name) if model is None else family_named(model, asked.name)
    wanted = family.build().set_params(intervals=None if intervals == "theory" else intervals)
    fitted = wanted.fit(table, target=target, weight=weight, task=task, positive=positive)
    path = output or f"{stem(file)}.glaswerk"
    fitted.save(path)
    if as_json:
        show_json({"model": path, "family": family.name, "facts": facts_as_json(fitted.facts())})
        return
    show(fitted.facts())
    click.echo(f"\nThe model ({family.name}): {path}")


def plainest(task: str) -> Family:
    """The first family of a task: the one that every report begins with."""
    return next(family for family in FAMILIES if family.task == task)
