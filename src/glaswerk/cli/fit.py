"""`glaswerk fit`: one model of a table, kept in a file."""

from glob import has_magic
from typing import Any

import click

from glaswerk.cli.choosing import family_named
from glaswerk.cli.problems import answering
from glaswerk.cli.reading import FILE, read, reading_options, stem
from glaswerk.cli.showing import facts_as_json, show, show_json
from glaswerk.model import decide_task, save
from glaswerk.model.banded import WAYS
from glaswerk.report.families import FAMILIES, Family, learner_of


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
@click.option(
    "--engine",
    metavar="ENGINE",
    help="Fit without holding FILE in memory: serial, threads, dask, or the address of a Dask scheduler. "
    "FILE may then be a pattern in quotes, such as 'sales/*.parquet'; its columns must be numbers.",
)
@click.option("--checkpoint", metavar="PATH", help="A file from which the same command goes on if it was interrupted.")
@click.option("--memory", metavar="SIZE", help="What may be read at a time with --engine, such as 500MB; 1GB else.")
@click.option(
    "--input", "inputs", multiple=True, metavar="COLUMN", help="With --engine: only these inputs; repeatable."
)
@reading_options
@click.option("--output", metavar="PATH", help="The model file; by default FILE's name with .glaswerk.")
@click.option("--json", "as_json", is_flag=True, help="What the model knows as JSON.")
@answering
def command(
    file: str, target: str, model: str | None, task: str | None, positive: str | None, weight: str | None,
    reading: dict[str, Any], output: str | None, as_json: bool, intervals: str, engine: str | None,
    checkpoint: str | None, memory: str | None, inputs: tuple[str, ...],
) -> None:  # fmt: skip
    if engine or checkpoint or memory or inputs or has_magic(file):
        if reading or positive or intervals != "theory":
            raise click.UsageError("a file that is not held takes no options on reading, classes or intervals")
        family = family_named(model, task) if model else plainest(task or "regression")
        walking = {"engine": engine or "threads", "checkpoint": checkpoint, "memory": memory or "1GB"}
        learner = streamed(family, file, target, weight, list(inputs), walking)
        path = output or f"{stem(file).strip('*?[]') or 'model'}.glaswerk"
        save(learner, path)
        told(learner, family, path, as_json)
        return
    table = read(file, reading)
    asked = decide_task(table[target], task, positive)
    family = plainest(asked.name) if model is None else family_named(model, asked.name)
    wanted = family.build().set_params(intervals=None if intervals == "theory" else intervals)
    fitted = wanted.fit(table, target=target, weight=weight, task=task, positive=positive)
    path = output or f"{stem(file)}.glaswerk"
    fitted.save(path)
    told(fitted, family, path, as_json)


def streamed(
    family: Family, file: str, target: str, weight: str | None, inputs: list[str], walking: dict[str, Any]
) -> Any:
    """The learner of a family, fitted to a file that is walked and never held."""
    learner = learner_of(family.build())
    known = {name: value for name, value in walking.items() if value is not None}
    return learner.fit_source(file, target, weight=weight, columns=inputs or None, **known)


def told(fitted: Any, family: Family, path: str, as_json: bool) -> None:
    """What was found, and where it is kept."""
    if as_json:
        show_json({"model": path, "family": family.name, "facts": facts_as_json(fitted.facts())})
        return
    show(fitted.facts())
    click.echo(f"\nThe model ({family.name}): {path}")


def plainest(task: str) -> Family:
    """The first family of a task: the one that every report begins with."""
    return next(family for family in FAMILIES if family.task == task)
