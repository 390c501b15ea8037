"""Facts made ready for the templates: pictures with the tables behind them, tables as HTML, formulas to link."""

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
    Steps,
    Table,
    Tree,
)
from glaswerk.figures import Figure, figures_of
from glaswerk.report.cells import LONG, SHORT, cell_html, plain, visible
from glaswerk.report.contents import Section
from glaswerk.report.formulas import formulas_of
from glaswerk.report.packing import packed
from glaswerk.report.stills import still
from glaswerk.report.twin import canonical, embeddable

MOST_ROWS = 40  # of a table in the page; the others stand in the JSON twin
NARROW = 460  # pixels of a still picture that stands beside another
NARROW_FACTS = (OutOfFold, Coefficients)
WORDY = 24  # characters of a cell whose column is kept wide enough for words
MISSING = "missing"  # the figure of missing cells by column
MOST_NOTES = 8  # under a table in the page
MOST_DRAWN = 3  # sets of coefficients, one for each class
MOST_PICTURED = 60  # columns of a data card that are shown with their distribution


@dataclass(frozen=True)
class Grid:
    """A table as HTML cells; numeric columns are set right, wordy ones kept wide, `more` rows left to the JSON twin."""

    title: str
    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    wordy: tuple[bool, ...]
    rows: tuple[tuple[Markup, ...], ...]
    more: int
    notes: tuple[str, ...]
    more_notes: int


@dataclass(frozen=True)
class Picture:
    """A figure: the still image that needs no script, the packed specification that replaces it, the table behind it.

    places: at how many places of a slider it stands, each with a specification, a sentence and a note of its own.
    narrowest: pixels that it needs; it scrolls where there are fewer.
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
    places: int = 1
    narrowest: int = 0


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
    """All facts of a section, ready to be shown; of many sets of coefficients only the first are drawn, a tree only
    where no slider shows it."""
    drawn = [fact for fact in section.facts if isinstance(fact, Coefficients)][:MOST_DRAWN]
    under_slider = any(isinstance(one, Tree) for steps in section.of_kind(Steps) for one in steps.facts[steps.chosen])

    def wanted(fact: Fact) -> bool:
        if isinstance(fact, Tree):
            return not under_slider
        return not isinstance(fact, Coefficients) or fact in drawn

    return tuple(
        view(fact, f"{section.name}-{place}", draw=wanted(fact)) for place, fact in enumerate(section.facts, start=1)
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
        identity, figure.title, figure.alt, still(figure, width), spec_of(figure),
        grid(replace(figure.table, notes=())), figure.note, formula, int(of_column[1]) if of_column else None,
        max(1, len(figure.frames)), max([figure.narrowest, *(f.narrowest for f in figure.frames)]),
    )  # fmt: skip


def spec_of(figure: Figure) -> Markup:
    """What the script draws, packed: the figure, or that of every place of a slider and the place it begins at."""
    if not figure.frames:
        return Markup(embeddable(canonical(packed([{"spec": figure.spec}]))))
    every = [{"spec": f.spec, "alt": visible(f.alt), "note": visible(f.note)} for f in figure.frames]
    first = next(k for k, f in enumerate(figure.frames) if f.spec == figure.spec)
    return Markup(embeddable(canonical({**packed(every), "first": first})))


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
    wordy = tuple(
        any(len(plain(row[k])) > WORDY for row in merged.rows[:MOST_ROWS]) for k in range(len(merged.columns))
    )
    return Grid(
        merged.title, merged.columns, numeric, wordy, rows,
        max(0, len(merged.rows) - MOST_ROWS), merged.notes[:MOST_NOTES],
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
