"""A figure: a picture as plain data, with its words and the table behind it."""

import importlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glaswerk.archive import replace_file
from glaswerk.facts import Table
from glaswerk.figures.theme import CONFIG, WIDE

SCHEMAS = {
    "vega-lite": "https://vega.github.io/schema/vega-lite/v6.json",
    "vega": "https://vega.github.io/schema/vega/v6.json",
}


class FigureError(ValueError):
    """A figure cannot be drawn or written as asked."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A Vega-Lite (or Vega) dictionary with its data inline, what it shows in words, and the same numbers as a table.

    name: a slug, unique among the figures of one fact. title: what it is. alt: one sentence that says what is seen,
    with the main numbers. note: what a reader must know of how it was drawn (rows sampled, columns left out), or "".
    frames: the figure at every place of a slider, where it has one; the figure itself is that of the chosen place.
    narrowest: pixels below which it cannot be read: a narrower page lets it scroll.

    `spec` has no title and takes the width of the element it is drawn in: a page writes title and note itself. The
    pictures that `svg`, `png`, `pdf` and `save` make stand alone and carry them.
    """

    name: str
    title: str
    alt: str
    spec: dict[str, Any]
    table: Table
    note: str = ""
    frames: tuple["Figure", ...] = ()
    narrowest: int = 0

    @property
    def language(self) -> str:
        """Which of the two languages `spec` is written in: "vega-lite" or "vega"."""
        return "vega" if "marks" in self.spec else "vega-lite"

    def svg(self, width: int | None = None, titled: bool = True) -> str:
        """The picture as SVG text; `width` in pixels, `titled=False` leaves out title and note."""
        return _render().svg(self.standing_alone(width, titled), self.language)

    def png(self, scale: float = 2, width: int | None = None, titled: bool = True) -> bytes:
        """The picture as PNG, `scale` pixels for each pixel of its width."""
        return _render().png(self.standing_alone(width, titled), self.language, scale)

    def pdf(self, width: int | None = None, titled: bool = True) -> bytes:
        """The picture as a one-page PDF with its text as text."""
        return _render().pdf(self.standing_alone(width, titled), self.language)

    def standing_alone(self, width: int | None = None, titled: bool = True) -> dict[str, Any]:
        """`spec` with a width in pixels, the house's look, title and note: what any Vega editor can draw."""
        spec = {"$schema": SCHEMAS[self.language], "description": self.alt, "background": "white", **self.spec}
        if spec.get("width") == "container":
            spec["width"] = max(width or WIDE, self.narrowest)
        if titled:
            spec["title"] = _heading(self.title, self.note, int(spec.get("width", WIDE)))
        return {**spec, "config": {**CONFIG, **self.spec.get("config", {})}}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to `path`; its ending says how: .svg, .png, .pdf, or .json for the Vega dictionary."""
        writers: dict[str, Callable[[], bytes]] = {
            ".svg": lambda: self.svg().encode(),
            ".png": self.png,
            ".pdf": self.pdf,
            ".json": lambda: json.dumps(self.standing_alone(), indent=1, ensure_ascii=False, allow_nan=False).encode(),
        }
        ending = Path(path).suffix.lower()
        if ending not in writers:
            raise FigureError(
                f"cannot tell how to draw {os.fspath(path)}: its ending must be one of {', '.join(writers)}"
            )
        replace_file(path, writers[ending]())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "image/svg+xml": self.svg(),
            "text/plain": self.alt,
            f"application/vnd.{self.language.replace('-', '')}.v6+json": self.standing_alone(),
        }


def _heading(title: str, note: str, width: int) -> dict[str, Any]:
    """Title and note broken into lines that fit: Vega breaks none by itself."""
    heading: dict[str, Any] = {"text": _lines(title, width / 8)}
    return {**heading, "subtitle": _lines(note, width / 6.4)} if note else heading


def _lines(text: str, longest: float) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > longest:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _render() -> Any:
    """The drawing engine is large: it is loaded by the first picture and not by an import."""
    try:
        return importlib.import_module("glaswerk.figures.render")
    except ModuleNotFoundError as error:
        raise FigureError("drawing needs vl-convert-python: pip install 'glaswerk[report]'") from error
