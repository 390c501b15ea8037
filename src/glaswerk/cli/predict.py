"""`glaswerk predict`: what a model from a file says of the rows of a table."""

import io
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from glaswerk.archive import replace_file
from glaswerk.cli.problems import ModelProblem, answering
from glaswerk.cli.reading import FILE, named, reading_options
from glaswerk.cli.showing import facts_as_json, show, show_json
from glaswerk.explain import explain_row
from glaswerk.learner.predicting import predict_source
from glaswerk.model import Model, load
from glaswerk.report.cells import visible
from glaswerk.table import TypedTable, read_table

IN_SET = " | "  # between the classes of a set
WRITERS = {".csv": "write_csv", ".parquet": "write_parquet", ".json": "write_json"}


@click.command("predict", help=f"Predict the rows of FILE with the model in MODEL. FILE is {FILE}.")
@click.argument("model")
@click.argument("file")
@click.option(
    "--interval",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Also limits that hold a new value with this probability.",
)
@click.option(
    "--set",
    "set_level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Also the classes that hold the true one with this probability, for a model fitted with --intervals cv+.",
)
@click.option("--probabilities", is_flag=True, help="Also the probability of each class.")
@click.option(
    "--explain",
    "explained",
    multiple=True,
    type=click.IntRange(1),
    metavar="ROW",
    help="Instead: what each column adds to the answer for this row, counted from 1; may be repeated.",
)
@click.option("--background", metavar="FILE", help="Rows to compare an explained row with; FILE's own where not given.")
@click.option("--json", "as_json", is_flag=True, help="Explanations as JSON.")
@click.option("--keep", multiple=True, metavar="COLUMN", help="Columns of FILE to write beside, such as an identifier.")
@reading_options
@click.option(
    "--output", metavar="PATH", help="A .csv, .parquet or .json file; standard output as CSV where not given."
)
@answering
def command(
    model: str, file: str, interval: float | None, set_level: float | None, probabilities: bool,
    keep: tuple[str, ...], reading: dict[str, Any],
    output: str | None, explained: tuple[int, ...], background: str | None, as_json: bool,
) -> None:  # fmt: skip
    suffix = Path(output).suffix if output is not None else ".csv"
    if suffix not in WRITERS:
        raise click.BadParameter(f"must end in {', '.join(WRITERS)}, got {output!r}", param_hint="--output")
    fitted = load(model)
    if not isinstance(fitted, Model):
        count = streamed(fitted, model, file, output, interval, probabilities, keep)
        click.echo(f"{count} predictions: {output}", err=True)
        return
    table = fitted.read(named(file), **reading)
    if explained:
        behind = None if background is None else fitted.read(named(background), **reading)
        facts = [explain_row(fitted, table, row, background=behind) for row in explained]
        show_json(facts_as_json(facts)) if as_json else show(facts)
        return
    try:
        answers = predictions(fitted, table, interval, probabilities, keep, set_level)
    except TypeError as error:  # the model has no limits, or no probabilities, and says so
        raise ModelProblem(str(error)) from error
    content = written(answers, suffix)
    if output is None:
        sys.stdout.buffer.write(on_screen(content) if sys.stdout.isatty() else content)
    else:
        replace_file(output, content)
        click.echo(f"{len(table)} predictions: {output}", err=True)


def streamed(
    fitted: Any, model: str, file: str, output: str | None, interval: float | None, probabilities: bool,
    keep: tuple[str, ...],
) -> int:  # fmt: skip
    """Predictions of a model that was fitted without holding its rows: as many as there are, never held either."""
    if not hasattr(fitted, "feature_names_in_"):
        raise ModelProblem(
            f"{model} holds a {type(fitted).__name__} for arrays, not a model of a table: fit it with glaswerk fit"
        )
    if output is None or not output.endswith(".parquet"):
        raise click.BadParameter(
            f"must be a .parquet file, for {model} was fitted to a file that need not fit in memory, got {output!r}",
            param_hint="--output",
        )
    return predict_source(fitted, file, output, interval=interval, probabilities=probabilities, keep=list(keep))


def predictions(
    model: Model, table: TypedTable, interval: float | None, probabilities: bool, keep: tuple[str, ...],
    set_level: float | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The columns to write, by name."""
    found: dict[str, Any] = {name: table[name].series for name in keep}
    found["prediction"] = model.predict(table)
    if interval is not None:
        limits = model.predict_interval(table, level=interval)
        found["lower"], found["upper"] = limits[:, 0], limits[:, 1]
    if set_level is not None:
        inside, names = model.predict_set(table, level=set_level), np.array(model.classes_)
        found["set"] = [IN_SET.join(names[row]) for row in inside]
    if probabilities:
        shares = model.predict_proba(table)
        found |= {f"probability of {name}": shares[:, k] for k, name in enumerate(model.task_.classes)}
    return found


def on_screen(content: bytes) -> bytes:
    """The same for a person at a terminal: what would steer it is made visible. A file or a program gets every byte."""
    return "".join(f"{visible(line)}\n" for line in content.decode().split("\n")[:-1]).encode()


def written(columns: dict[str, Any], suffix: str) -> bytes:
    """The columns as the bytes of a file of this kind."""
    stream = io.BytesIO()
    getattr(read_table(columns).to_polars(), WRITERS[suffix])(stream)
    return stream.getvalue()
