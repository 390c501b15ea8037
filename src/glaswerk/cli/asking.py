"""The options that say what is asked of a table, shared by the commands that judge models."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from glaswerk.report.purse import parsed

TASKS = click.Choice(["regression", "classification"])
OPTIONS = (
    click.option("--target", metavar="COLUMN", help="The column to predict."),
    click.option("--task", type=TASKS, help="Decided by the target where not given."),
    click.option("--positive", metavar="CLASS", help="The class that counts as positive, of two."),
    click.option("--weight", metavar="COLUMN", help="How many times each row counts."),
    click.option(
        "--groups", metavar="COLUMN", help="Rows of one value stay in one fold: a person, a machine, a place."
    ),
    click.option("--time", metavar="COLUMN", help="Its order is kept: trained on the past, tested on what follows."),
    click.option("--folds", type=click.IntRange(2), help="Parts of a cross-validation; by the rows where not given."),
    click.option("--repeats", type=click.IntRange(1), help="Cross-validations; by the rows where not given."),
    click.option("--level", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True, help="Of intervals."),
    click.option(
        "--budget",
        default="120s",
        show_default=True,
        metavar="TIME",
        help="How long it may take, such as 60s or 5min; none for no limit. Ctrl-C reports on what is finished.",
    ),
    click.option("--ignore", multiple=True, metavar="CODE", help="A finding not to look for, such as GW012."),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same numbers."),
    click.option("--model", "models", multiple=True, metavar="NAME", help="Compare only this; may be repeated."),
)
NAMES = (
    "target",
    "task",
    "positive",
    "weight",
    "groups",
    "time",
    "folds",
    "repeats",
    "level",
    "budget",
    "ignore",
    "seed",
)


def asking_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options above: one dictionary `asking` that `analyse` takes, and the names of models."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        if options["target"] is None and not options.get("cluster"):
            raise click.MissingParameter(param_hint="'--target'", param_type="option")
        _budget_or_wrong_use(options["budget"])
        return command(*arguments, asking={name: options.pop(name) for name in NAMES}, **options)

    for option in reversed(OPTIONS):
        run = option(run)
    return run


def _budget_or_wrong_use(budget: str) -> None:
    try:
        parsed(budget)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--budget'") from error
