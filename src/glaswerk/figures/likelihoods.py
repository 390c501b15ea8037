"""Likelihood ratios: what every attribute of one row says for its class, as bars to both sides of even odds."""

from glaswerk.facts import LikelihoodRatios
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import short, told_apart
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer, numbers, span, upright
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, INK, RED, said

MOST = 20
ROW = 24
FURTHEST = 60.0  # powers of e: beyond, a bar ends at the edge


@figures_of.register
def draw_likelihoods(fact: LikelihoodRatios) -> tuple[Figure, ...]:
    """One figure, the prior first, then the attributes that say most."""
    parts = sorted(fact.rows, key=lambda row: -abs(row.log_ratio))[:MOST]
    names = told_apart(["prior", *(f"{short(r.attribute, 28)} = {short(r.value, 28)}" for r in parts)])
    logs = [fact.prior_log_ratio, *(row.log_ratio for row in parts)]
    bars: Rows = [
        {
            "row": name,
            "x": max(-FURTHEST, min(FURTHEST, value)),
            "x2": 0.0,
            "tip": f"{name}\nfactor of the odds {said(_factor(value))}",
        }
        for name, value in zip(names, logs, strict=True)
    ]
    more = len(fact.rows) - len(parts)
    return (
        Figure(
            name="likelihood-ratios",
            title=f"What speaks for {short(fact.favoured)} and not {short(fact.other)}",
            alt=_alt(fact, names, logs),
            spec=_spec(fact, bars),
            table=fact.table(),
            note=f"{more} attributes that say less are in the table only." if more else "",
        ),
    )


def _spec(fact: LikelihoodRatios, bars: Rows) -> Spec:
    domain = span([0.0, *finite(bar["x"] for bar in bars)], 0.08)
    x = numbers("x", f"ln of the ratio: left for {short(fact.other, 24)}, right for {short(fact.favoured, 24)}", domain)
    order = [bar["row"] for bar in bars]
    y: Spec = {
        "field": "row", "type": "nominal", "scale": {"domain": order},
        "axis": {"title": None, "grid": False, "labelLimit": 260, "labelColor": INK},
    }  # fmt: skip
    for_it = [bar for bar in bars if bar["x"] >= 0]
    against = [bar for bar in bars if bar["x"] < 0]
    look = {"height": {"band": 0.62}}
    layers = [
        layer("bar", for_it, {"x": x, "x2": {"field": "x2"}, "y": y}, color=BLUE, **look),
        layer("bar", against, {"x": x, "x2": {"field": "x2"}, "y": y}, color=RED, **look),
        upright(0.0, x),
    ]
    return frame(layers, ROW * len(bars) + 12)


def _factor(logarithm: float) -> float:
    return 2.718281828459045 ** min(logarithm, 700.0)


def _alt(fact: LikelihoodRatios, names: list[str], logs: list[float]) -> str:
    parts = [f"{name} times {said(_factor(value))}" for name, value in zip(names[:6], logs, strict=False)]
    at = fact.classes.index(fact.favoured)
    return f"Odds of {short(fact.favoured)}: {'; '.join(parts)}; probability {said(fact.posterior[at])}."
