"""Facts made ready for the templates: pictures with the tables behind them, tables as HTML, formulas to link."""

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from markupsafe import Markup

from glaswerk.facts import (
    Cell,
    Coefficients,
    Comparison,
    DataCard,
    Fact,
    OutOfFold,
    Table,
)
from glaswerk.figures import Figure, figures_of
from glaswerk.report.cells import LONG, SHORT, cell_html, plain, visible
from glaswerk.report.contents import Section
from glaswerk.report.formulas import formulas_of
from glaswerk.report.packing import packed
from glaswerk.report.twin import canonical, embeddable

MOST_ROWS = 40  # of a table in the page; the others stand in the JSON twin
LARGEST_SVG = 40_000  # bytes; a busier still picture may be smaller as PNG
NARROW = 460  # pixels of a still picture that stands beside another
NARROW_FACTS = (OutOfFold, Coefficients)
MISSING = "missing"  # the figure of missing cells by column
MOST_NOTES = 8  # under a table in the page
MOST_DRAWN = 3  # sets of coefficients, one for each class
MOST_PICTURED = 60  # columns of a data card that are shown with their distribution


@dataclass(frozen=True)
class Grid:
    """A table as HTML cells; numeric columns are set right. `more` rows are left to the JSON twin."""

    title: str
    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[Markup, ...], ...]
    more: int
    notes: tuple[str, ...]
    more_notes: int


@dataclass(frozen=True)
class Picture:
    """A figure: the still image that needs no script, the specification that replaces it, and the table behind it.

    frames: where a slider swaps the figure, specification, sentence and note of every place, packed.
    """

    id: str
    title: str
    alt: str
    image: str
    spec: Markup
    grid: Grid
    note: str = ""
    formula: str = ""
    column: int | None = None
    frames: Markup | None = None


@dataclass(frozen=True)
class View:
    """One fact as the templates see it."""

    kind: str
    id: str
    fact: Fact
    grid: Grid
    pictures: tuple[Picture, ...] = ()
    others: tuple[Grid, ...] = ()
    formulas: tuple[str, ...] = ()


def views_of(section: Section) -> tuple[View, ...]:
    """All facts of a section, ready to be shown; of many sets of coefficients only the first are drawn."""
    drawn = [fact for fact in section.facts if isinstance(fact, Coefficients)][:MOST_DRAWN]
    return tuple(
        view(fact, f"{section.name}-{place}", draw=not isinstance(fact, Coefficients) or fact in drawn)
        for place, fact in enumerate(section.facts, start=1)
    )


def view(fact: Fact, identity: str, *, draw: bool = True) -> View:
    formulas = formulas_of(fact)
    width = NARROW if isinstance(fact, NARROW_FACTS) else None
    formula = formulas[0] if formulas else ""
    pictures = tuple(
        picture(figure, f"{identity}-{figure.name}", formula, width) for figure in (pictured(fact) if draw else ())
    )
    return View(
        type(fact).__name__.lower(), identity, fact, grid(fact.table()), pictures, tuple(map(grid, others(fact))),
        formulas,
    )  # fmt: skip


def pictured(fact: Fact) -> Iterable[Figure]:
    """The figures of a fact; of a data card those that say more than its table."""
    figures = figures_of(fact)
    if not isinstance(fact, DataCard):
        return figures
    several = sum(column.missing > 0 for column in fact.columns) > 1
    return [f for f in figures if several or f.name != MISSING][:MOST_PICTURED]


def picture(figure: Figure, identity: str, formula: str, width: int | None) -> Picture:
    """A figure as the templates see it; those of a data card know which column they belong to."""
    of_column = re.fullmatch(r"column-(\d+)", figure.name)
    return Picture(
        identity, figure.title, figure.alt, still(figure, width), Markup(embeddable(canonical(figure.spec))),
        grid(replace(figure.table, notes=())), figure.note, formula, int(of_column[1]) if of_column else None,
        frames_of(figure),
    )  # fmt: skip


def frames_of(figure: Figure) -> Markup | None:
    """The figure at every place of a slider, or None where it stands still."""
    if not figure.frames:
        return None
    every = [{"spec": f.spec, "alt": visible(f.alt), "note": visible(f.note)} for f in figure.frames]
    return Markup(embeddable(canonical(packed(every))))


def still(figure: Figure, width: int | None) -> str:
    """The figure as an image in a data address, in the form that takes fewer bytes."""
    drawn, kind = figure.svg(width, titled=False).encode(), "svg+xml"
    if len(drawn) > LARGEST_SVG:
        dots = figure.png(1, width, titled=False)
        drawn, kind = (dots, "png") if len(dots) < len(drawn) else (drawn, kind)
    return f"data:image/{kind};base64,{base64.b64encode(drawn).decode()}"


def others(fact: Fact) -> tuple[Table, ...]:
    """Further tables of a fact that its own `table()` has no room for."""
    match fact:
        case Comparison(rows=candidates):
            notes = tuple((c.name, note) for c in candidates for note in c.notes)
            return (Table("Notes on the candidates", ("candidate", "note"), notes),) if notes else ()
        case DataCard(reading=reading) if reading:
            return (Table("How the table was read", ("", ""), reading),)
        case _:
            return ()


def grid(table: Table) -> Grid:
    """The cells of a table, with the columns lower and upper of an interval set as one."""
    merged = with_intervals(table)
    numeric = tuple(
        all(not isinstance(row[k], str) or row[k] == "" or is_interval(row[k]) for row in merged.rows)
        for k in range(len(merged.columns))
    )
    rows = tuple(
        tuple(cell_html(cell, LONG if k else SHORT) for k, cell in enumerate(row)) for row in merged.rows[:MOST_ROWS]
    )
    return Grid(
        merged.title, merged.columns, numeric, rows, max(0, len(merged.rows) - MOST_ROWS), merged.notes[:MOST_NOTES],
        max(0, len(merged.notes) - MOST_NOTES),
    )  # fmt: skip


def with_intervals(table: Table) -> Table:
    """Neighbouring columns "lower …" and "upper …" become one column of intervals, or none where all are empty."""
    heads = table.columns
    starts = {k for k in range(len(heads) - 1) if heads[k].startswith("lower") and heads[k + 1].startswith("upper")}
    empty = {k for k in starts if all(row[k] is None and row[k + 1] is None for row in table.rows)}
    kept = [k for k in range(len(heads)) if k - 1 not in starts and k not in empty]
    names = tuple(f"{heads[k][len('lower') :]} interval".strip() if k in starts else heads[k] for k in kept)
    rows = tuple(tuple(interval(row[k], row[k + 1]) if k in starts else row[k] for k in kept) for row in table.rows)
    return Table(table.title, names, rows, table.notes)


def interval(lower: Cell, upper: Cell) -> str:
    return "" if lower is None or upper is None else f"[{plain(lower)}, {plain(upper)}]"


def is_interval(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith("[") and cell.endswith("]") and ", " in cell
