"""`glaswerk lab`: the experiments of the scripts."""

from collections.abc import Iterable
from dataclasses import replace

import click

from glaswerk.cli.problems import answering
from glaswerk.cli.showing import facts_as_json, show_json
from glaswerk.facts import Cell, Curve, Fact, Line, Surface, Table
from glaswerk.labs import LABS, list_of_labs
from glaswerk.report import lab_report
from glaswerk.report.cells import visible

LONGEST = 44  # characters of a cell; longer ones become notes
MOST_ROWS = 40


@click.group("lab", help="The experiments of the scripts: every figure and table they show, rebuilt.")
def command() -> None:
    pass


@command.command("list", help="All experiments, with the row of the mission and the place in the script.")
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
def list_labs(as_json: bool) -> None:
    listed = list_of_labs()
    show_json(facts_as_json([listed])) if as_json else click.echo(str(listed))


@command.command(
    "run", help="Run the experiment called NAME: print its tables, and save it as one page with its figures."
)
@click.argument("name")
@click.option(
    "--output", metavar="PATH",
    help="The page (.html), the numbers (.json), or a folder for the figures (SVG and PNG). [default: NAME-lab.html]",
)  # fmt: skip
@click.option("--data", metavar="FILE", help="Your own copy of the data, for labs whose data cannot come along.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="The same seed gives the same numbers."
)
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON instead of tables.")
@answering
def run(name: str, output: str | None, data: str | None, seed: int, as_json: bool) -> None:
    if name not in LABS:
        raise click.BadParameter(f"must be one of {', '.join(LABS)}, got {name!r}", param_hint="NAME")
    if data is not None and not LABS[name].data:
        raise click.BadParameter(f"lab {name} has its data with it: it takes no file", param_hint="--data")
    report = lab_report(name, seed=seed, data=data)
    show_json(report.data) if as_json else click.echo("\n\n".join(str(brief(fact)) for fact in report.facts))
    for path in report.save(output or f"{name}-lab.html"):
        click.echo(f"Written: {visible(str(path))}", err=True)


def brief(fact: Fact) -> Table:
    """A fact as a table that a terminal can hold: curves by their ends, long words as notes, at most 40 rows."""
    match fact:
        case Curve(title=title, lines=lines, x_title=x, y_title=y):
            table = Table(f"Figure: {title}", ("line", "points", f"{y} at first", "at last", "least", "greatest"),
                          tuple(map(_of_line, lines)), tuple(filter(None, (f"over {x}", fact.says))))  # fmt: skip
        case Surface(title=title, paths=paths):
            rows = tuple((p.name, len(p.x) - 1, _place(p, 0), _place(p, -1)) for p in paths if p.x)
            table = Table(f"Figure: {title}", ("path", "steps", "from", "to"), rows, tuple(filter(None, (fact.says,))))
        case _:
            table = fact.table()
    return _noted(_cut(table))


def _of_line(line: Line) -> tuple[Cell, ...]:
    known = [v for v in line.y if v is not None]
    ends: tuple[Cell, ...] = (known[0], known[-1], min(known), max(known)) if known else (None,) * 4
    return (line.name, len(line.x), *ends)


def _place(path: Line, at: int) -> str:
    return f"({path.x[at]:.4g}, {path.y[at]:.4g})"


def _cut(table: Table) -> Table:
    more = len(table.rows) - MOST_ROWS
    if more <= 0:
        return table
    return replace(table, rows=table.rows[:MOST_ROWS], notes=(f"{more} more rows: --output FILE.json", *table.notes))


def _noted(table: Table) -> Table:
    """Long cells of a table of several columns go below it, each once, and leave a number behind."""
    if len(table.columns) == 1:
        return table
    notes: dict[str, str] = {}
    rows = tuple(tuple(_shortened(cell, notes) for cell in row) for row in table.rows)
    return replace(table, rows=rows, notes=(*_numbered(notes), *table.notes))


def _shortened(cell: Cell, notes: dict[str, str]) -> Cell:
    if not isinstance(cell, str) or len(cell) <= LONGEST:
        return cell
    return notes.setdefault(cell, f"[{len(notes) + 1}]")


def _numbered(notes: dict[str, str]) -> Iterable[str]:
    return (f"{number} {text}" for text, number in notes.items())
