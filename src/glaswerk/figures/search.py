"""A search: the score of every setting over each parameter, the best and the chosen one marked."""

from dataclasses import replace

from glaswerk.facts import Curve, Line, Search
from glaswerk.figures.curves import draw_curve
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import slug
from glaswerk.figures.registry import figures_of

MOST = 6
FAR = 5.0  # ratio of largest to least score, from which a logarithmic axis shows more


@figures_of.register
def draw_search(fact: Search) -> tuple[Figure, ...]:
    """One figure for each parameter with numbers, at most six; of a single parameter a line with its band."""
    numeric = [k for k in range(len(fact.parameters)) if _is_numeric(fact, k)][:MOST]
    found: list[Figure] = []
    for k in numeric:
        curve = _line(fact) if len(fact.parameters) == 1 else _cloud(fact, k)
        found += [
            replace(figure, name=f"search-{slug(fact.parameters[k])}", table=fact.table())
            for figure in draw_curve(curve)
        ]
    return tuple(found)


def _is_numeric(fact: Search, k: int) -> bool:
    values = [row.values[k] for row in fact.rows]
    numbers = all(isinstance(v, float | int) and not isinstance(v, bool) for v in values)
    return numbers and len(set(values)) > 1


def _at(fact: Search, row: int, k: int) -> float:
    value = fact.rows[row].values[k]
    assert isinstance(value, float | int)
    return float(value)


def _line(fact: Search) -> Curve:
    """One parameter: both scores along it."""
    order = sorted((r for r in range(len(fact.rows)) if fact.rows[r].score is not None), key=lambda r: _at(fact, r, 0))
    rows = [fact.rows[r] for r in order]
    x = tuple(_at(fact, r, 0) for r in order)
    new = Line(
        "on rows left out, ± one standard error", x, tuple(r.score for r in rows), tuple(r.lower for r in rows),
        tuple(r.upper for r in rows),
    )  # fmt: skip
    known = Line("on training rows", x, tuple(r.train_score for r in rows))
    return _curve(fact, 0, (new, known), x)


def _cloud(fact: Search, k: int) -> Curve:
    """Several parameters: a point per setting, whatever the others were."""
    rows = [r for r in range(len(fact.rows)) if fact.rows[r].score is not None]
    x = tuple(_at(fact, r, k) for r in rows)
    cloud = Line("settings, the other parameters vary", x, tuple(fact.rows[r].score for r in rows), form="points")
    return _curve(fact, k, (cloud,), x)


def _curve(fact: Search, k: int, lines: tuple[Line, ...], x: tuple[float, ...]) -> Curve:
    name = fact.parameters[k].rpartition("__")[2]
    marks = [(_at(fact, fact.chosen, k), "chosen")]
    if fact.best != fact.chosen:
        marks.append((_at(fact, fact.best, k), "best"))
    spread = min(x) > 0 and max(x) / min(x) >= 50 and fact.scales[k] != "linear"
    scores = [v for line in lines for v in line.y if v is not None]
    steep = fact.better == "lower" and min(scores) > 0 and max(scores) > FAR * min(scores)
    edge = [text for text in fact.edges if text.startswith(f"{fact.parameters[k]} ")]
    says = " ".join([f"{fact.rule.capitalize()}.", *(f"{text}." for text in edge)])
    return Curve(
        f"Search of {fact.candidate}: {name}", name, fact.metric, lines, says, "log" if spread else "linear",
        "log" if steep else "linear", tuple(marks),
    )  # fmt: skip
