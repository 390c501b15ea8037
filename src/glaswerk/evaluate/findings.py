"""The codes of findings and how one is made; `docs/evaluate/checks.md` lists all of them with meaning and remedy."""

from collections.abc import Sequence
from typing import Literal

from glaswerk.facts import Finding

Severity = Literal["error", "warning", "note"]
TITLES = {
    "GW001": "rows occur twice",
    "GW002": "constant column",
    "GW003": "columns that say the same",
    "GW004": "columns that depend on others",
    "GW005": "not better than the baseline",
    "GW006": "rare class",
    "GW007": "few rows",
    "GW008": "column looks like an identifier",
    "GW009": "one column gives the target away",
    "GW010": "rows without a target",
    "GW011": "one class is almost everything",
    "GW012": "a candidate failed",
    "GW013": "values that stand in for others, or cannot be",
    "GW014": "known only after the fact",
    "GW015": "rows in order of time",
    "GW016": "rows that belong together",
    "GW017": "columns that move together",
    "GW018": "a plane separates the classes",
    "GW019": "predicted beyond the training rows",
    "GW020": "the search ended at the edge",
    "GW021": "a choice among equals",
}
ORDER = {"error": 0, "warning": 1, "note": 2}
SHOWN = 5


def finding(code: str, severity: Severity, evidence: str, remedy: str) -> Finding:
    return Finding(code, severity, TITLES[code], evidence, remedy)


def named(names: Sequence[str]) -> str:
    """Names in a sentence, the first few of them."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more


def joined(sentences: Sequence[str]) -> str:
    """The first few sentences as one."""
    more = f"; and {len(sentences) - SHOWN} more" if len(sentences) > SHOWN else ""
    return "; ".join(sentences[:SHOWN]) + more


def worst_first(found: Sequence[Finding], ignore: Sequence[str]) -> tuple[Finding, ...]:
    """Without those to be ignored, the gravest first."""
    kept = (one for one in found if one.code not in ignore)
    return tuple(sorted(kept, key=lambda one: (ORDER[one.severity], one.code)))
