"""What changed between two reports, from their JSON twins: data, question, findings, candidates, versions.

A score counts as changed only where its interval leaves the other report's score; where the data are the same and the
folds too, the difference is what the model or the version made of it. Cost: nothing is fitted.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from glaswerk.facts import Cell, Fact, Statement, Table
from glaswerk.figures.theme import said
from glaswerk.report.twin import SCHEMA

Twin = Mapping[str, Any]
Rows = list[tuple[Cell, ...]]
NUMBERS = ("missing", "failed", "distinct", "minimum", "median", "mean", "maximum")
SMALL = 1e-9


def read_twin(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON twin in a file; anything else is a ValueError that names it."""
    try:
        found = json.loads(Path(path).read_text("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{os.fspath(path)} is no JSON of a report: {error}") from error
    if not isinstance(found, dict) or not {"input", "results", "reproduction", "schema"} <= found.keys():
        raise ValueError(f"{os.fspath(path)} is no JSON of a report: write one with --json-output")
    if found["schema"] != SCHEMA:
        raise ValueError(f"{os.fspath(path)} has schema {found['schema']}, this version reads {SCHEMA}")
    return found


def changes(old: Twin, new: Twin) -> tuple[Fact, ...]:
    """The summary in words, then tables of what differs; those without a row are left out."""
    tables = (
        Table("Question, settings and versions", ("what", "before", "after"), tuple(asked(old, new))),
        Table("Columns", ("column", "what", "before", "after"), tuple(columns(old, new))),
        Table("Findings", ("code", "title", "before", "after"), tuple(findings(old, new))),
        scores(old, new),
    )
    return (Statement("What changed", tuple(summary(old, new))), *(table for table in tables if table.rows))


def is_worse(old: Twin, new: Twin) -> bool:
    """Whether the best score got worse beyond its interval, or a graver finding came up."""
    first, second = best(old), best(new)
    grave = {f["code"] for f in facts(new, "Finding") if f["severity"] != "note"}
    known = {f["code"] for f in facts(old, "Finding") if f["severity"] != "note"}
    return moved(first, second, comparison(new)["better"]) == "worse" or bool(grave - known)


def summary(old: Twin, new: Twin) -> Iterator[str]:
    """The sentences a reader needs first."""
    if old["reproduction"]["result_hash"] == new["reproduction"]["result_hash"]:
        yield "Nothing: both say the same, number by number."
        return
    same_data = old["reproduction"]["data_fingerprint"] == new["reproduction"]["data_fingerprint"]
    yield "The data are the same." if same_data else "The data are not the same."
    for report, when in ((old, "before"), (new, "after")):
        if report.get("cut"):
            yield f"The report {when} was cut short, so that a difference may come from the clock."
    first, second = best(old), best(new)
    metric = comparison(new)["metric"]
    if comparison(old)["metric"] != metric:
        yield f"They are judged by different metrics, {comparison(old)['metric']} and {metric}."
        return
    verb = {"better": "got better", "worse": "got worse", "": "did not change beyond chance"}
    how = verb[moved(first, second, comparison(new)["better"])]
    yield (
        f"The best model {how}: {first['name']} with {metric} {within(first)} before, {second['name']} with "
        f"{within(second)} after."
    )
    if first["name"] != second["name"]:
        yield f"Another family is best now: {second['name']} instead of {first['name']}."


def asked(old: Twin, new: Twin) -> Iterator[tuple[Cell, ...]]:
    """Settings, versions and hashes that differ."""
    for name in ("table", "target", "task"):
        yield from differing(name, old["input"][name], new["input"][name])
    for part in ("settings",):
        yield from pairs(old["input"][part], new["input"][part])
    yield from pairs(old["reproduction"]["versions"], new["reproduction"]["versions"])
    for name in ("data_fingerprint", "result_hash"):
        yield from differing(name.replace("_", " "), old["reproduction"][name][:12], new["reproduction"][name][:12])


def pairs(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    for name in dict.fromkeys((*old, *new)):
        yield from differing(name, old.get(name), new.get(name))


def differing(name: str, before: Cell, after: Cell) -> Iterator[tuple[Cell, ...]]:
    if before != after:
        yield name, before, after


def columns(old: Twin, new: Twin) -> Iterator[tuple[Cell, ...]]:
    """Rows and columns that came, went, or hold something else."""
    nothing: dict[str, Any] = {"rows": 0, "columns": []}
    first, second = (next(iter(facts(report, "DataCard")), nothing) for report in (old, new))
    if first["rows"] != second["rows"]:
        yield "(all)", "rows", first["rows"], second["rows"]
    before, after = ({c["name"]: c for c in card["columns"]} for card in (first, second))
    for name in dict.fromkeys((*before, *after)):
        if name not in before or name not in after:
            yield name, "column", "there" if name in before else None, "there" if name in after else None
            continue
        for what in ("kind", "role", *NUMBERS):
            a, b = before[name][what], after[name][what]
            if a != b and not nearly(a, b):
                yield name, what, a, b


def nearly(a: Any, b: Any) -> bool:
    return isinstance(a, float) and isinstance(b, float) and abs(a - b) <= SMALL * max(abs(a), abs(b))


def findings(old: Twin, new: Twin) -> Iterator[tuple[Cell, ...]]:
    """Findings that came, went, or have another severity or evidence."""
    before, after = ({f["code"]: f for f in facts(report, "Finding")} for report in (old, new))
    for code in sorted({*before, *after}):
        a, b = before.get(code), after.get(code)
        if a is None or b is None or (a["severity"], a["evidence"]) != (b["severity"], b["evidence"]):
            yield code, (b or a or {})["title"], told(a), told(b)


def told(finding: Mapping[str, Any] | None) -> str | None:
    return None if finding is None else f"{finding['severity']}: {finding['evidence']}"


def scores(old: Twin, new: Twin) -> Table:
    """Every candidate's score before and after, with a verdict where the metric is the same."""
    first, second = comparison(old), comparison(new)
    before, after = ({row["name"]: row for row in report["rows"]} for report in (first, second))
    same = first["metric"] == second["metric"]
    rows: Rows = []
    for name in dict.fromkeys((*before, *after)):
        a, b = before.get(name), after.get(name)
        if a is not None and b is not None and a["score"] == b["score"]:
            continue
        verdict = moved(a, b, second["better"]) or "not beyond chance" if a and b and same else ""
        rows.append((name, a and within(a), b and within(b), verdict))
    title = f"Candidates by {second['metric']}" + ("" if same else f" (before: {first['metric']})")
    return Table(title, ("candidate", "before", "after", "verdict"), tuple(rows))


def moved(a: Mapping[str, Any], b: Mapping[str, Any], better: str) -> str:
    """better or worse where each score lies outside the other's interval, else nothing."""
    if None in (a["score"], b["score"], a["lower"], b["lower"], a["upper"], b["upper"]):
        return ""
    if a["lower"] <= b["score"] <= a["upper"] or b["lower"] <= a["score"] <= b["upper"]:
        return ""
    return "better" if (b["score"] < a["score"]) == (better == "lower") else "worse"


def within(row: Mapping[str, Any]) -> str:
    """A score with its interval."""
    if row["lower"] is None or row["upper"] is None:
        return said(row["score"])
    return f"{said(row['score'])} ({said(row['lower'])} to {said(row['upper'])})"


def comparison(report: Twin) -> Mapping[str, Any]:
    found: Mapping[str, Any] = facts(report, "Comparison")[0]
    return found


def best(report: Twin) -> Mapping[str, Any]:
    found: Mapping[str, Any] = comparison(report)["rows"][0]
    return found


def facts(report: Twin, kind: str) -> list[dict[str, Any]]:
    """All facts of a kind, of every section."""
    return [fact for section in report["results"].values() for fact in section if fact["fact"] == kind]
