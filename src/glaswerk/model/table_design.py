"""From the columns of a table to the design matrix, by name: each column gets its encoder, learnt from training rows.

Cost: rows times columns of the matrix. When not to use it: learners that take categories as they are.
"""

import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, ColumnLevels, Matrix, Parametric, Warned, clone, flag, integer, none, one_of
from glaswerk.design.encoding import (
    Coded,
    DateParts,
    Encoder,
    Graded,
    Kept,
    KeptDate,
    Labels,
    Levels,
    Numeric,
    Unknown,
)
from glaswerk.facts import Table
from glaswerk.model.measured import Measured
from glaswerk.model.sheet import NUMERIC, Rows, Sheet
from glaswerk.model.wording import (
    few,
    never_seen,
    refuse_absent,
    refuse_other_kind,
    refused_gaps,
    why_nothing_varies,
)
from glaswerk.table import TableError
from glaswerk.table.errors import shown

if TYPE_CHECKING:
    from glaswerk.table import TypedTable

ASIDE = {
    "text": "free text",
    "identifier": "an identifier: it names rows, and rows to come have other names",
    "category": "a category, and categories='aside'",
}
STORED = ("encoders", "kinds", "aside", "repeats")
transformer = Allowed(
    "a transformer such as PolynomialBasis(2)", lambda v: hasattr(v, "fit") and hasattr(v, "transform")
)


class TableDesign(Parametric):
    """Binds encoders to the columns of a table by name, and makes the matrix a learner sees.

    Columns may come in any order and with others beside them; one that is missing, or that holds something else than
    when fitted, is refused by name. Levels never seen count as an average row, and are told once with their counts.

    Parameters
    ----------
    missing : "fill": numbers get the training mean and a column that says so, levels a level of their own; "drop": rows
        with a gap are left out of the fit, and predicted as if average; "refuse": a gap is an error; "keep": a gap
        stays NaN, for learners that know what to do with it.
    categories : "levels": one column for each level but the most frequent; "codes": categories and flags as they are,
        for learners that take them (trees, naive Bayes); "aside": categories are not used.
    ordered : "codes": 0, 1, 2, … as a number; "levels": as a category.
    scale : numbers to mean 0 and deviation 1 (numbers, ordered codes and years; columns of 0 and 1 stay).
    basis : a transformer for the numbers that have more than two values, such as PolynomialBasis(2); its images come
        first.
    most_levels : columns a category may make; rarer levels share one.
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "missing": one_of("fill", "drop", "refuse", "keep"),
        "categories": one_of("levels", "codes", "aside"),
        "ordered": one_of("codes", "levels"),
        "scale": flag(),
        "basis": none() | transformer,
        "most_levels": integer(2),
    }

    def __init__(
        self,
        *,
        missing: str = "fill",
        categories: str = "levels",
        ordered: str = "codes",
        scale: bool = False,
        basis: Any = None,
        most_levels: int = 50,
    ) -> None:
        self.missing = missing
        self.categories = categories
        self.ordered = ordered
        self.scale = scale
        self.basis = basis
        self.most_levels = most_levels

    def fit(self, table: "TypedTable | Sheet", weight: Array | None = None) -> Self:
        """Learn the encoders from these rows; every column is an input, so drop target and weight first."""
        self.check_parameters()
        if self.missing == "keep" and (self.scale or self.basis is not None):
            raise ValueError(
                "TableDesign: missing='keep' leaves gaps, which scale and basis cannot take: missing='fill'"
            )
        sheet = table if isinstance(table, Sheet) else Sheet(table)
        weight = np.zeros(0) if weight is None else weight
        rows = self.complete_rows(sheet)
        if len(rows) < sheet.n_rows:
            sheet, weight = sheet.take(rows), weight[rows] if weight.size else weight
        if not sheet.n_rows:
            raise TableError("no row is left to learn the design from")
        self.kinds_ = {name: sheet.kind(name) for name in sheet.names}
        self.encoders_, self.aside_ = self._encoders(sheet, weight)
        if not self.encoders_:
            told = few(f"{shown(name)}: {why}" for name, why in self.aside_)
            raise TableError(f"no column is left to learn from ({told or 'the table has no other column'})")
        self.repeats_ = repeated_gaps(self.encoders_, sheet, weight)
        self.measured_ = Measured()
        if self.scale or self.basis is not None:
            cells = self._encoded(sheet)[0]
            self.measured_ = Measured.fit(cells, self._measured(), weight, scale=self.scale, basis=self.basis)
        return self

    def transform(self, table: "TypedTable | Sheet") -> Matrix:
        """The design matrix of these rows, with the names of its columns."""
        return self.finish(self.encode(table))

    def encode(self, table: "TypedTable | Sheet") -> Matrix:
        """The cells of the encoders, before scaling and basis: every one belongs to one column, see `sources_`."""
        self.check_fitted()
        sheet = table if isinstance(table, Sheet) else Sheet(table)
        cells, unknown = self._encoded(sheet)
        if unknown:
            warnings.warn(never_seen(unknown), Warned, stacklevel=3)
        return cells

    def finish(self, cells: Matrix) -> Matrix:
        """The design matrix of such cells, which it may overwrite."""
        return self.measured_.apply(cells)

    @property
    def sources_(self) -> tuple[str, ...]:
        """The column of the table that each cell of `encode` comes from."""
        return tuple(encoder.column for _, encoder, _ in self._columns())

    @property
    def names_(self) -> tuple[str, ...]:
        """Names of the columns of the matrix, all different."""
        return self.measured_.names(self._raw_names())

    @property
    def together_(self) -> list[list[str]]:
        """Names of those columns of the matrix that came of one column: its levels, or a number and its gaps."""
        lots: dict[str, list[str]] = {}
        for name, source in zip(self.names_, self.measured_.sources(self.sources_), strict=True):
            if source is not None:
                lots.setdefault(source, []).append(name)
        return [lot for lot in lots.values() if len(lot) > 1]

    def levels_of(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The words of those of these columns that are coded by words, in order, to read another table with."""
        grades = {e.column: e.grades for e in self.encoders_ if isinstance(e, Graded) and len(e.grades) > 1}
        grades |= {e.column: e.words for e in self.encoders_ if isinstance(e, Coded) and len(e.words) > 1}
        return {name: grades[name] for name in names if name in grades}

    def as_tree(self, functions: dict[str, Callable[..., Any]]) -> dict[str, Any]:
        """What a file holds of this design."""
        self.check_fitted()
        return {
            "parameters": {k: v for k, v in self.get_params(deep=False).items() if k != "basis"},
            "measured": self.measured_.as_tree(functions),
            **{name: getattr(self, f"{name}_") for name in STORED},
        }

    @classmethod
    def of_tree(cls, tree: Any, functions: dict[str, Callable[..., Any]]) -> Self:
        """The design a file holds; a tree that is none is a ValueError."""
        if not isinstance(tree, dict) or tree.keys() != {"parameters", "measured", *STORED}:
            raise ValueError("the design lacks parameters, encoders or columns")
        encoders, kinds = tree["encoders"], tree["kinds"]
        if not (isinstance(encoders, tuple) and all(isinstance(e, Encoder) for e in encoders)):
            raise ValueError("the design's encoders are of another type")
        if not isinstance(kinds, dict) or not {e.column for e in encoders} <= kinds.keys():
            raise ValueError("an encoder belongs to no column of the design")
        for name in ("aside", "repeats"):
            pairs = tree[name]
            if not isinstance(pairs, tuple) or not all(isinstance(p, tuple) and len(p) == 2 for p in pairs):
                raise ValueError(f"{name} of the design is of another type")
        design = cls(**tree["parameters"])
        for name in STORED:
            setattr(design, f"{name}_", tree[name])
        design.measured_ = Measured.of_tree(tree["measured"], functions, len(design._raw_names()))
        design.basis = None if design.measured_.basis is None else clone(design.measured_.basis)
        design.check_parameters()
        return design

    def complete_rows(self, sheet: Sheet) -> Rows:
        """The rows a fit may use: all of them, or with missing="drop" those without a gap in any column it uses."""
        used = [name for name in sheet.names if not self._why_aside(sheet.kind(name))]
        complete = np.ones(sheet.n_rows, dtype=bool)
        for missing in self._gaps(sheet, [name for name in used if not sheet.missing(name).all()]).values():
            complete &= ~missing
        return np.flatnonzero(complete)

    def _gaps(self, sheet: Sheet, names: list[str]) -> dict[str, NDArray[np.bool_]]:
        """The missing cells that this design does not fill."""
        if self.missing in ("fill", "keep"):
            return {}
        gaps = {name: missing for name in names if (missing := sheet.missing(name)).any()}
        if self.missing == "refuse" and gaps:
            raise TableError(refused_gaps(gaps, sheet))
        return gaps

    def facts(self) -> Table:
        """What became of each column."""
        self.check_fitted()
        told: dict[str, tuple[str, str, str]] = {e.column: e.story for e in self.encoders_}
        for name, first in self.repeats_:
            became, gaps, reference = told[name]
            told[name] = became, f"{gaps} (the same rows as {shown(first)})", reference
        told |= {name: (f"set aside: {why}", "", "") for name, why in self.aside_}
        rows = tuple((name, kind, *told[name]) for name, kind in self.kinds_.items())
        heads = ("column", "kind", "becomes", "missing cells", "reference level")
        return Table("What became of each column", heads, rows, self.measured_.notes(self._raw_names()))

    def _encoders(self, sheet: Sheet, weight: Array) -> tuple[tuple[Encoder, ...], tuple[tuple[str, str], ...]]:
        """The encoders of the columns that say something, and why the others are set aside."""
        found: list[Encoder] = []
        aside: list[tuple[str, str]] = []
        for name in sheet.names:
            why = self._why_aside(sheet.kind(name))
            encoder = None if why else self._encoder(sheet, name, weight)
            if encoder is not None and encoder.names:
                found.append(encoder)
            else:
                aside.append((name, why or why_nothing_varies(sheet, name)))
        return tuple(found), tuple(aside)

    def _why_aside(self, kind: str) -> str | None:
        return None if kind == "category" and self.categories != "aside" else ASIDE.get(kind)

    def _encoder(self, sheet: Sheet, name: str, weight: Array) -> Encoder:
        kind, kept = sheet.kind(name), self.missing == "keep"
        if kind == "number":
            return (Kept if kept else Numeric).fit(name, sheet.numbers(name), weight)
        if kind == "date":
            return (KeptDate if kept else DateParts).fit(name, sheet.numbers(name), weight)
        labels = sheet.labels(name)
        if kind == "ordered" and self.ordered == "codes" and kept:
            return Coded.fit(name, labels, weight, order=labels.names, graded=True)
        if self.categories == "codes" and not (kind == "ordered" and self.ordered == "codes"):
            return Coded.fit(name, labels, weight, order=None if kind == "category" else labels.names)
        if kind == "flag":
            title = f"{name}: {labels.names[1]}" if len(labels.names) == 2 else name
            return Graded.fit(name, labels, weight, grades=labels.names, title=title)
        if kind == "ordered" and self.ordered == "codes":
            return Graded.fit(name, labels, weight, grades=labels.names)
        return Levels.fit(name, labels, weight, most=self.most_levels)

    def _encoded(self, sheet: Sheet) -> tuple[Matrix, dict[str, Unknown]]:
        """Every encoder's columns side by side, and what was unknown to it."""
        inputs = [self._inputs(sheet, encoder) for encoder in self.encoders_]
        self._gaps(sheet, [encoder.column for encoder in self.encoders_])
        cells = np.zeros((sheet.n_rows, sum(len(encoder.names) for encoder in self.encoders_)))
        unknown: dict[str, Unknown] = {}
        start = 0
        for encoder, values in zip(self.encoders_, inputs, strict=True):
            stop = start + len(encoder.names)
            told = encoder.fill(values, cells[:, start:stop])  # type: ignore[arg-type]
            start = stop
            if told:
                unknown[encoder.column] = told
        columns = self._columns()
        kept = cells if len(columns) == cells.shape[1] else cells[:, [place for place, _, _ in columns]]
        return Matrix.of(kept, self._raw_names(), levels=self._levels(columns)), unknown

    def _levels(self, columns: list[tuple[int, Encoder, str]]) -> ColumnLevels | None:
        """The words behind columns of codes, where there are any."""
        words = {e.column: e.levels[0] for e in self.encoders_ if isinstance(e, Coded) and e.levels}
        levels = tuple(words.get(encoder.column) for _, encoder, _ in columns)
        return levels if any(levels) else None

    def _inputs(self, sheet: Sheet, encoder: Encoder) -> Array | Labels:
        name = encoder.column
        if name not in sheet:
            refuse_absent(sheet, name)
        if self.kinds_[name] in NUMERIC:
            if sheet.kind(name) in NUMERIC and sheet.kind(name) != self.kinds_[name]:
                refuse_other_kind(name, self.kinds_[name], sheet.kind(name))
            return sheet.numbers(name)
        labels = sheet.labels(name)
        if self.kinds_[name] == sheet.kind(name) == "flag" and len(labels.names) == 2:
            # Yes and no here may be true and false there: a flag's two words stand for False and True.
            known = encoder.grades if isinstance(encoder, Graded) else getattr(encoder, "words", labels.names)
            return labels if set(labels.names) <= set(known) or len(known) != 2 else Labels(labels.codes, known)
        return labels

    def _columns(self) -> list[tuple[int, Encoder, str]]:
        """What the encoders make, as (place, encoder, name), without gaps that repeat those of an earlier column."""
        repeats = dict(self.repeats_)
        made = [(encoder, j, name) for encoder in self.encoders_ for j, name in enumerate(encoder.names)]
        return [
            (place, encoder, name)
            for place, (encoder, j, name) in enumerate(made)
            if encoder.column not in repeats or j != encoder.gap_place
        ]

    def _raw_names(self) -> tuple[str, ...]:
        """Names of these columns, before scaling and basis."""
        return tuple(name for _, _, name in self._columns())

    def _measured(self) -> list[int]:
        """Which of these columns are measured on a scale: numbers, ordered codes, years."""
        scales = {e.column: numeric.title for e in self.encoders_ if (numeric := self._scale_of(e)) is not None}
        return [k for k, (_, e, name) in enumerate(self._columns()) if scales.get(e.column) == name]

    @property
    def scaled_names(self) -> tuple[str, ...]:
        """Columns that count in standard deviations, where `scale` is wished."""
        return tuple(self._raw_names()[k] for k in self._measured()) if self.scale else ()

    def _scale_of(self, encoder: Encoder) -> Numeric | None:
        """The numeric part of an encoder, where its steps are measured and not a mere yes or no."""
        match encoder:
            case Numeric():
                numeric = encoder
            case Graded() if self.kinds_[encoder.column] != "flag":
                numeric = encoder.numeric
            case DateParts():
                numeric = encoder.years
            case _:
                return None
        return numeric if numeric.varies else None


def repeated_gaps(encoders: tuple[Encoder, ...], sheet: Sheet, weight: Array) -> tuple[tuple[str, str], ...]:
    """Columns that lack their cells in the very rows in which an earlier one does: (column, that earlier one)."""
    counted = weight > 0 if weight.size else np.ones(sheet.n_rows, dtype=bool)
    first: dict[bytes, str] = {}
    found = []
    for encoder in encoders:
        if encoder.gap_place is not None:
            rows = np.packbits(sheet.missing(encoder.column)[counted]).tobytes()
            earlier = first.setdefault(rows, encoder.column)
            if earlier != encoder.column:
                found.append((encoder.column, earlier))
    return tuple(found)
