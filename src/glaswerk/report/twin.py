"""The JSON twin: every number of the page in one documented tree, in one order, the same bytes for the same results.

`docs/report.md` describes the tree. What depends on the day (times) stands outside `results`, which is what is hashed.
"""

import hashlib
import json
import unicodedata
from dataclasses import asdict
from typing import Any

from glaswerk import __version__
from glaswerk.facts import as_plain
from glaswerk.report.contents import Analysis, Section

SCHEMA = 1
HIDDEN = {
    "Cc",
    "Cf",
    "Co",
    "Cs",
    "Zl",
    "Zp",
}  # categories that act on a terminal, an editor or the line instead of showing


def twin(analysis: Analysis) -> dict[str, Any]:
    """The whole analysis as plain dictionaries."""
    return {
        "glaswerk": __version__,
        "schema": SCHEMA,
        "input": {
            "table": analysis.name,
            "target": analysis.target,
            "task": analysis.task,
            "settings": dict(analysis.settings),
        },
        "results": results(analysis.sections),
        "reproduction": {**asdict(analysis.reproduction), "versions": dict(analysis.reproduction.versions)},
        "times": dict(analysis.times),
        "cut": list(analysis.cut),
        "spending": None if analysis.spending is None else as_plain(analysis.spending),
    }


def results(sections: tuple[Section, ...]) -> dict[str, Any]:
    """The facts of every section, by section."""
    return {section.name: [as_plain(fact) for fact in section.facts] for section in sections}


def result_hash(sections: tuple[Section, ...]) -> str:
    """SHA-256 of the canonical results: equal for equal results, whatever the clock says."""
    return hashlib.sha256(canonical(results(sections)).encode()).hexdigest()


def canonical(tree: Any) -> str:
    """Compact JSON in the tree's own order, UTF-8 safe: what would not show itself is written as an escape."""
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text if text.isprintable() else "".join(map(_showing, text))


def _showing(character: str) -> str:
    if unicodedata.category(character) not in HIDDEN:
        return character
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def embeddable(json_text: str) -> str:
    """JSON that may stand in a <script> element: nothing in it can end the element or open another.

    >>> embeddable('"</script><!-- &"')
    '"\\\\u003c/script\\\\u003e\\\\u003c!-- \\\\u0026"'
    """
    return json_text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
