"""The page: one HTML file that carries everything it needs and reaches for nothing else.

A policy in its head forbids every request and every script but the two it names by hash. Pictures stand as still
images, and are redrawn by the script where scripts may run. What came from the table is escaped by Jinja, always.
"""

import base64
import hashlib
import html
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from glaswerk import __version__
from glaswerk.archive import replace_file
from glaswerk.facts import Candidate, Cell, ColumnCard, Comparison, DataCard, Steps
from glaswerk.facts.data import day
from glaswerk.figures import Figure, figures_of, runtime_script
from glaswerk.figures.theme import said
from glaswerk.report.cells import cell_html, code, sentence_html, visible
from glaswerk.report.contents import Analysis, Section
from glaswerk.report.outline import outline, still_open
from glaswerk.report.twin import canonical, embeddable, twin
from glaswerk.report.verdict import proven
from glaswerk.report.views import Picture, grid, views_of

TEMPLATES = Path(__file__).parent / "templates"
MOST_COLUMNS = 200  # of a data card in the page
LARGEST_TWIN = 800_000  # characters of JSON that a page carries
TOLD_BY_PICTURE = (
    "curve",
    "confusion",
    "contributions",
    "dependence",
    "groupplane",
    "importance",
    "segments",
    "surface",
)  # table behind it
FRAME_HEIGHT = 800  # pixels of the frame in a notebook


@dataclass(frozen=True)
class Tile:
    """One number at the head of the verdict, with the range it may lie in."""

    label: str
    value: str
    range: str = ""


@dataclass(frozen=True)
class ColumnRow:
    """A column of the data card as the template sees it."""

    card: ColumnCard
    picture: Picture | None
    figures: tuple[Cell, ...]
    remarks: tuple[str, ...]


class Report:
    """An analysis as a page and as its JSON twin; both are made when they are first asked for."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything the page says, as plain dictionaries (docs/report.md describes them)."""
        return twin(self.analysis)

    @cached_property
    def json(self) -> str:
        """`data` as JSON text."""
        return canonical(self.data)

    @cached_property
    def html(self) -> str:
        """The page."""
        return page(self.analysis, self.json)

    def figure(self, name: str) -> Figure:
        """One picture of the page by its anchor, such as "comparison-1-comparison"."""
        return figure_named(name, figures_by_anchor(self.analysis.sections), "report")

    def save(self, path: str | os.PathLike[str], json_path: str | os.PathLike[str] | None = None) -> None:
        """Write the page to `path`, and the JSON twin to `json_path` where one is given; each whole or not at all."""
        found = self.html.encode()
        if json_path is not None:
            replace_file(json_path, f"{self.json}\n".encode())
        replace_file(path, found)

    def __repr__(self) -> str:
        return f"<Report: {visible(self.analysis.target)} from {visible(self.analysis.name)}>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return in_frame(f"Glaswerk report: {visible(self.analysis.target)[:80]}", self.html)


def in_frame(title: str, content: str) -> str:
    """A whole page in a frame that may run its own scripts and nothing else."""
    return (
        f'<iframe title="{html.escape(title)}" width="100%" height="{FRAME_HEIGHT}" style="border:0" '
        f'sandbox="allow-scripts allow-downloads allow-modals" srcdoc="{html.escape(content)}"></iframe>'
    )


def page(analysis: Analysis, twin_json: str) -> str:
    """The whole HTML file."""
    sections = tuple((section, views_of(section)) for section in analysis.sections)
    how = analysis.reproduction.snippet.rpartition("\n")[0]
    cards = [view.id for _, views in sections for view in views if view.kind == "methodcard"]
    return rendered(
        "page.html.j2", twin_json, analysis=analysis, sections=sections, header=header(analysis),
        key_numbers=key_numbers(analysis), formulas=formulas_in(views for _, views in sections),
        file_name=file_name(analysis.name), spending=None if analysis.spending is None else grid(analysis.spending),
        card_id=cards[0] if cards else None, snippet=lambda picture: snippet_of(picture, how),
    )  # fmt: skip


def rendered(template: str, twin_json: str, **context: Any) -> str:
    """A page of ours: what this template says, in the style, under the policy and with the scripts that all share.

    folds: whether long tables and all method cards but the first stand closed.
    """
    script, style = (TEMPLATES / "page.js").read_text("utf-8"), (TEMPLATES / "style.css").read_text("utf-8")
    runtime = runtime_script()
    given = {"folds": True, "card_id": None, **context}
    return environment().get_template(template).render(
        version=__version__, told_by_picture=TOLD_BY_PICTURE, most_columns=MOST_COLUMNS,
        policy=policy(runtime, script), style=Markup(style), runtime=Markup(runtime), script=Markup(script),
        twin=Markup(embeddable(twin_json)) if len(twin_json) <= LARGEST_TWIN else None, **given,
    )  # fmt: skip


def figures_by_anchor(sections: Iterable[Section]) -> dict[str, Figure]:
    """Every picture of a page by its anchor, such as "comparison-1-comparison", in reading order."""
    return {
        f"{section.name}-{place}-{figure.name}": figure
        for section in sections
        for place, fact in enumerate(section.facts, start=1)
        for figure in figures_of(fact)
    }


def figure_named(name: str, found: dict[str, Figure], where: str) -> Figure:
    """One of these pictures; a name that is not there is told with those that are."""
    if name not in found:
        raise KeyError(f"the {where} has no figure {name!r}; it has {', '.join(found)}")
    return found[name]


def snippet_of(picture: Picture, how: str) -> str:
    """The lines of Python that draw a picture of this report anew."""
    name = picture.id.split("-", 2)[-1]
    return f"{how}\nreport.figure({picture.id!r}).save({f'{name}.svg'!r})"


def policy(*scripts: str) -> str:
    """No request of any kind, no script but these: each is named by the hash of its text."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def environment() -> Environment:
    """Templates with everything escaped, and a name that is not there an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "cell": cell_html, "sentence": sentence_html, "visible": visible, "code": code, "columns": column_rows,
        "places": places_json, "outline": outline, "still_open": still_open,
    }  # fmt: skip
    made.filters.update(filters)
    return made


def header(analysis: Analysis) -> tuple[tuple[str, Cell], ...]:
    """What a reader of a printed page needs to know it by."""
    card = next((fact for fact in analysis.facts() if isinstance(fact, DataCard)), None)
    size: tuple[tuple[str, Cell], ...] = (
        () if card is None else (("rows", f"{card.rows:,}"), ("columns", f"{len(card.columns):,}"))
    )
    return (
        ("target", analysis.target), ("task", analysis.task), *size,
        ("seed", analysis.reproduction.seed), ("Glaswerk", __version__),
        ("results hash", analysis.reproduction.result_hash[:12]),
    )  # fmt: skip


def key_numbers(analysis: Analysis) -> tuple[Tile, ...]:
    """The error of the best candidate, of the baseline, and how much of it is gone."""
    comparison = next((fact for fact in analysis.facts() if isinstance(fact, Comparison)), None)
    if comparison is None or not comparison.rows:
        return ()
    best = comparison.rows[0]
    base = next((row for row in comparison.rows if row.name == comparison.baseline), None)
    tiles = [Tile(f"{comparison.metric} of the best: {best.name}", said(best.score), spread(best, comparison.level))]
    if base is not None and base is not best:
        tiles.append(Tile(f"{comparison.metric} of the baseline", said(base.score), spread(base, comparison.level)))
        if comparison.better == "lower" and base.score > 0:
            share = f"{100 * (1 - best.score / base.score):.0f} %"
            tiles.append(Tile("less error than the baseline", share, "" if proven(best) else "which may be chance"))
    tiles.append(Tile("models fitted and judged", f"{sum(row.fits for row in comparison.rows):,}"))
    return tuple(tiles)


def spread(candidate: Candidate, level: float) -> str:
    """The interval of a candidate's score, in words."""
    if candidate.lower is None or candidate.upper is None:
        return ""
    return f"{100 * level:g} % interval {said(candidate.lower)} to {said(candidate.upper)}"


def column_rows(cards: tuple[ColumnCard, ...], pictures: tuple[Picture, ...]) -> Iterator[ColumnRow]:
    """The columns of a data card beside their pictures."""
    named = {picture.column: picture for picture in pictures if picture.column is not None}
    for place, card in enumerate(cards[:MOST_COLUMNS]):
        numbers = (card.minimum, card.median, card.mean, card.maximum)
        figures = tuple(day(value) for value in numbers) if card.kind == "date" else numbers
        yield ColumnRow(card, named.get(place), figures, tuple(remarks(card)))


def remarks(card: ColumnCard) -> Iterator[str]:
    """What reading the column met, as short sentences."""
    written = [f"{token!r}" if token else "empty" for token, _ in card.missing_tokens]
    if card.missing_tokens:
        counts = (count for _, count in card.missing_tokens)
        yield "Missing written as " + ", ".join(f"{w} ({c} times)" for w, c in zip(written, counts, strict=True)) + "."
    if card.failed_examples:
        examples = ", ".join(f"{text!r} in row {row}" for row, text in card.failed_examples[:3])
        yield f"Not read as {card.kind}: {examples}{', …' if card.failed > 3 else ''}."
    for note in card.notes:
        yield note if note.endswith((".", "!", "?")) else f"{note}."


def formulas_in(all_views: Any) -> tuple[str, ...]:
    """The formulas that the page links to and has, in order of first use."""
    used = dict.fromkeys(name for views in all_views for view in views for name in view.formulas)
    return tuple(name for name in used if (TEMPLATES / "formulas" / f"{name}.html").is_file())


def places_json(steps: Steps) -> Markup:
    """What the script needs to move sliders: the words of their places, and the sentence of every place."""
    words = [[visible(place) for place in slider.places] for slider in steps.sliders]
    return Markup(embeddable(canonical({"places": words, "says": [visible(text) for text in steps.says]})))


def file_name(name: str) -> str:
    """A harmless file name made of the table's name."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:60]
    return f"{stem or 'table'}-report"
