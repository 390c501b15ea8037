"""A table without a target as one page: how many groups its rows fall into, what each looks like, how sure that is."""

import hashlib
import os
import shlex
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from glaswerk import __version__
from glaswerk.archive import replace_file
from glaswerk.base import Matrix
from glaswerk.evaluate import group_plane, how_many
from glaswerk.facts import Fact, Prototype, Prototypes, Statement, as_plain
from glaswerk.figures import Figure
from glaswerk.learners import GaussianMixture, KMeans
from glaswerk.model import TableDesign
from glaswerk.report.cells import visible
from glaswerk.report.contents import Section
from glaswerk.report.page import figure_named, figures_by_anchor, formulas_in, in_frame, rendered
from glaswerk.report.reproduction import Origin
from glaswerk.report.twin import SCHEMA, canonical
from glaswerk.report.views import Picture, views_of
from glaswerk.table import TableError, TypedTable, read_table
from glaswerk.table.errors import shown

MOST_SIZES = 10
STARTS = 10


def group_facts(table: TypedTable, groups: int | None, seed: int) -> tuple[Section, ...]:
    """What the page says. Numbers are scaled and categories become columns of 0 and 1; what names rows is set aside."""
    design = TableDesign(scale=True).fit(table)
    scaled = design.transform(table)
    cells = np.asarray(scaled, dtype=np.float64)
    judged = how_many(cells, sizes=range(1, min(MOST_SIZES, len(cells) // 4) + 1), seed=seed)
    k = groups or judged.verdict
    model = KMeans(k, n_init=STARTS, random_state=seed, trace=True).fit(scaled)
    soft = GaussianMixture(k, covariance_type="diag", random_state=seed, reg_covar=1e-3).fit(scaled)
    portraits = portraits_of(model, TableDesign().fit(table).transform(table))
    say = Statement("What the groups are", tuple(portraits.told(group) + "." for group in portraits.groups))
    plane = group_plane(model, scaled, "The groups in a plane")
    inside = [fact for fact in model.facts() if not isinstance(fact, Prototypes)]
    return (
        Section(
            "groups",
            "The groups",
            (_head(judged.verdict, groups, model), say, portraits, plane, _soft(soft, scaled)),
        ),
        Section("how-many", "How many", tuple(judged.facts())),
        Section("inside", "Inside the model", tuple(inside)),
        Section("data", "Data", (_used(table, design),)),
    )


def _head(verdict: int, asked: int | None, model: KMeans) -> Statement:
    chosen = f"{verdict} group(s), by the votes below."
    if asked:
        chosen = f"{asked} groups were asked for; the curves would choose {verdict}."
    part = model.partition
    total = part.total - part.weight * float(((part.count @ part.places / part.weight) ** 2).sum())
    share = 1 - part.error / total if total > 0 else 0.0
    sentences = (
        chosen,
        f"They explain {100 * share:.0f} % of the spread of the scaled columns.",
        "Groups are a way to see rows, not a fact about them: nothing here says that the table was made in groups.",
    )
    return Statement("The answer", sentences)


def _soft(soft: GaussianMixture, scaled: Matrix) -> Statement:
    """How many rows lie between groups: by a mixture with as many components."""
    shares = np.sort(soft.predict_proba(scaled), axis=1)[:, ::-1]
    unsure = int((shares[:, 0] < 0.9).sum())
    text = f"{unsure} of {len(scaled)} rows belong to no component of a Gaussian mixture by 90 %"
    text += ": they lie between groups." if unsure else "."
    return Statement("Rows between groups", (text,))


def portraits_of(model: KMeans, matrix: Matrix) -> Prototypes:
    """The means of the groups in the units of the table."""
    labels, names, cells = model.labels_, matrix.names or (), np.asarray(matrix)
    groups, part = [], model.partition
    for k in np.argsort(-part.count, kind="stable"):
        rows = cells[labels == k]
        if not len(rows):
            continue
        spread = float(np.sqrt(part.errors[k] / part.count[k]))
        share = len(rows) / len(cells)
        groups.append(Prototype(f"cluster {k}", float(len(rows)), share, spread, tuple(rows.mean(axis=0).tolist())))
    notes = ("The distance is that of the scaled columns; means are in the units of the table.",)
    mean, scale = tuple(cells.mean(axis=0).tolist()), tuple(cells.std(axis=0).tolist())
    return Prototypes("The groups, column by column", names, tuple(groups), mean, scale, "", notes)


def _used(table: TypedTable, design: TableDesign) -> Fact:
    card = table.card()
    aside = dict(design.aside_)
    columns = tuple(
        replace(c, role="set aside", notes=(*c.notes, f"set aside: {aside[c.name]}")) if c.name in aside else c
        for c in card.columns
    )
    return replace(card, columns=columns)


class ClusterReport:
    """The groups of a table as facts in `sections`, as a page (`html`), as JSON, and as pictures."""

    def __init__(self, table: TypedTable, origin: Origin, groups: int | None, drop: tuple[str, ...], seed: int) -> None:
        self.table, self.origin, self.groups, self.drop, self.seed = table, origin, groups, drop, seed
        self.sections = group_facts(table, groups, seed)

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything the page says, as plain dictionaries; `hash` is that of the results."""
        results = {section.name: [as_plain(fact) for fact in section.facts] for section in self.sections}
        return {
            "glaswerk": __version__,
            "schema": SCHEMA,
            "table": {"name": self.table.name, "fingerprint": self.table.fingerprint},
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
        views = {section.name: views_of(section) for section in self.sections}
        return rendered(
            "clusters.html.j2", self.json, name=visible(self.table.name), n_rows=self.table.n_rows,
            sections=self.sections, views=views, formulas=formulas_in(views.values()), snippet=self.snippet_of,
            seed=self.seed, command=self.command, in_python=self.snippet, result_hash=self.data["hash"],
        )  # fmt: skip

    @property
    def command(self) -> str:
        """The command that gives the same again."""
        groups = f" --how-many {self.groups}" if self.groups else ""
        drop = "".join(f" --drop {shlex.quote(name)}" for name in self.drop)
        file = shlex.quote(self.origin.source or "table.csv")
        return f"glaswerk report {file} --cluster{groups}{drop} --seed {self.seed} --output {self.origin.output}"

    @property
    def snippet(self) -> str:
        """The same in Python."""
        return f"from glaswerk.report import cluster_report\n\nreport = {self._call}\nreport.save('clusters.html')"

    @property
    def _call(self) -> str:
        more = f", groups={self.groups}" if self.groups else ""
        more += f", drop={list(self.drop)!r}" if self.drop else ""
        return f"cluster_report({self.origin.source or 'table.csv'!r}{more}, seed={self.seed})"

    def snippet_of(self, picture: Picture) -> str:
        """The lines of Python that draw a picture of the page anew."""
        return f"from glaswerk.report import cluster_report\n\n{self._call}.figure({picture.id!r}).save('figure.svg')"

    def figure(self, name: str) -> Figure:
        """One picture of the page by its anchor, such as "groups-3-portraits"."""
        return figure_named(name, figures_by_anchor(self.sections), "report")

    def save(self, path: str | os.PathLike[str], json_path: str | os.PathLike[str] | None = None) -> None:
        """Write the page to `path`, and the JSON twin to `json_path` where one is given."""
        found = self.html.encode()
        if json_path is not None:
            replace_file(json_path, f"{self.json}\n".encode())
        replace_file(path, found)

    def __repr__(self) -> str:
        return f"<ClusterReport: {visible(self.table.name)}>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return in_frame(f"Glaswerk clusters: {visible(self.table.name)[:80]}", self.html)


def cluster_report(
    source: Any, *, groups: int | None = None, drop: Any = (), seed: int = 0, origin: Any = None
) -> ClusterReport:
    """A table without a target as a page: `groups` clusters, or as many as most criteria choose.

    `drop`: columns to leave out, such as a class one knows.
    """
    table = read_table(source)
    unknown = [name for name in drop if name not in table.names]
    if unknown:
        raise TableError(f"the table has no column {shown(unknown[0])} to drop; it has {', '.join(table.names[:20])}")
    if table.n_rows < 8:
        raise TableError(f"a report on groups needs eight rows at least, the table has {table.n_rows}")
    if groups is not None and not 1 <= groups <= table.n_rows:
        raise ValueError(f"groups must be between 1 and the number of rows, {table.n_rows}, got {groups}")
    kept = table.select([name for name in table.names if name not in set(drop)])
    if all(kept[name].missing().all() for name in kept.names):
        raise TableError("a report on groups needs a column that holds values: every cell of the table is missing")
    came = Origin.of(source) if origin is None else Origin(*origin)
    return ClusterReport(kept, came, groups, tuple(drop), seed)
