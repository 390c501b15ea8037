"""A lab as one page: its tables and figures, how to get them again, and the same numbers as JSON."""

import hashlib
import os
import shlex
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from glaswerk import __version__
from glaswerk.archive import replace_file
from glaswerk.facts import Facts, as_plain
from glaswerk.figures import Figure
from glaswerk.labs import LABS, run_lab
from glaswerk.report.contents import Section
from glaswerk.report.page import figure_named, figures_by_anchor, in_frame, rendered
from glaswerk.report.twin import SCHEMA, canonical
from glaswerk.report.views import Picture, views_of

SECTION = "experiment"


class LabReport:
    """What a lab found, as `facts`, as a page (`html`), as JSON, and as pictures."""

    def __init__(self, name: str, facts: Facts, seed: int, data: str | None) -> None:
        self.name = name
        self.facts = facts
        self.seed = seed
        self.file = data

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything the page says, as plain dictionaries; `hash` is that of the results."""
        lab = LABS[self.name]
        results = [as_plain(fact) for fact in self.facts]
        return {
            "glaswerk": __version__,
            "schema": SCHEMA,
            "lab": {"name": self.name, "rows": list(lab.rows), "script": lab.script, "says": lab.says},
            "seed": self.seed,
            "results": results,
            "hash": hashlib.sha256(canonical(results).encode()).hexdigest(),
        }

    @cached_property
    def json(self) -> str:
        """`data` as JSON text."""
        return canonical(self.data)

    @cached_property
    def html(self) -> str:
        """The page: one file that loads nothing from anywhere."""
        section = Section(SECTION, "The experiment", tuple(self.facts))
        views = tuple(replace(view, formulas=()) for view in views_of(section))  # the docs have them
        return rendered(
            "lab.html.j2", self.json, name=self.name, lab=LABS[self.name], section=section, views=views, folds=False,
            snippet=self.snippet_of, seed=self.seed, command=self.command, in_python=self.snippet,
            result_hash=self.data["hash"],
        )  # fmt: skip

    @property
    def command(self) -> str:
        """The command that gives the same again."""
        return f"glaswerk lab run {self.name} --seed {self.seed}" + (
            f" --data {shlex.quote(self.file)}" if self.file else ""
        )

    @property
    def snippet(self) -> str:
        """The same in Python."""
        call = f'run_lab("{self.name}", seed={self.seed}{self._more})'
        return f"from glaswerk import run_lab\n\nfacts = {call}\nprint(facts)"

    @property
    def _more(self) -> str:
        return f", data={self.file!r}" if self.file else ""

    def snippet_of(self, picture: Picture) -> str:
        """The lines of Python that draw a picture of the page anew."""
        how = f'lab_report("{self.name}", seed={self.seed}{self._more})'
        drawn = f"{how}.figure({picture.id!r})"
        return f"from glaswerk.report import lab_report\n\n{drawn}.save('figure.svg')"

    @cached_property
    def _figures(self) -> dict[str, Figure]:
        """Figures by their anchors in the page, in reading order."""
        return figures_by_anchor([Section(SECTION, "", tuple(self.facts))])

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures in reading order."""
        return tuple(self._figures.values())

    def figure(self, name: str) -> Figure:
        """One picture of the page by its anchor, such as "experiment-2-curve-…"."""
        return figure_named(name, self._figures, "lab")

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write the page to a name that ends in .html, the numbers to one in .json, every figure to a folder.

        In a folder every figure is an SVG and a PNG. Gives the files written.
        """
        place = Path(path)
        if place.suffix.lower() in (".html", ".htm"):
            replace_file(place, self.html.encode())
            return [place]
        if place.suffix.lower() == ".json":
            replace_file(place, f"{self.json}\n".encode())
            return [place]
        if place.suffix and not place.is_dir():
            raise ValueError(f"cannot write {place}: its name must end in .html or .json, or be that of a folder")
        place.mkdir(parents=True, exist_ok=True)
        names = [
            (place / f"{k:02d}-{f.name}{ending}", f)
            for k, f in enumerate(self.figures, 1)
            for ending in (".svg", ".png")
        ]
        for name, figure in names:
            figure.save(name)
        return [name for name, _ in names]

    def __repr__(self) -> str:
        return f"<LabReport: {self.name}, seed {self.seed}>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return in_frame(f"Glaswerk lab: {self.name}", self.html)


def lab_report(name: str, *, seed: int = 0, data: str | os.PathLike[str] | None = None) -> LabReport:
    """Run a lab and make its page; parameters as `run_lab`.

    >>> report = lab_report("descent-parabola")
    >>> report, len(report.figures)
    (<LabReport: descent-parabola, seed 0>, 8)
    """
    return LabReport(name, run_lab(name, seed=seed, data=data), seed, None if data is None else os.fspath(data))
