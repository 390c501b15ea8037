"""One answer as a sum: from the base, column by column, to the answer."""

from glaswerk.facts import Contributions, Part
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, listed, short, told_apart
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer, numbers, on_halo, span, upright
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, FAINT, INK, RED, said

MOST = 12
REST = "all other columns"


@figures_of.register
def draw_contributions(fact: Contributions) -> tuple[Figure, ...]:
    """Bars that begin where the one above ends, the largest part first."""
    known = [part for part in fact.parts if finite([part.adds])]
    if not known or len(finite([fact.base, fact.answer])) < 2:
        return ()
    drawn = [*known[:MOST], *_rest(known[MOST:])]
    first = known[0]
    return (
        Figure(
            name="contributions",
            title=f"Row {fact.row}: what makes its {short(fact.scale)}",
            alt=f"From a base of {said(fact.base)} to the answer {said(fact.answer)} for row {fact.row} in "
            f"{counted(len(known), 'part')}: most comes from {short(first.column)} = {short(first.value, 30)}, "
            f"{_signed(first.adds)}.",
            spec=_steps(fact, drawn),
            table=fact.table(),
            note=" ".join(
                [
                    "Blue adds, red takes away; the dashed rule is the base, the mean of the rows compared with.",
                    *([f"Taken together: {listed([part.column for part in known[MOST:]])}."] if known[MOST:] else []),
                    *([] if fact.additive else ["The parts are no sum."]),
                ]
            ),
        ),
    )


def _rest(parts: list[Part]) -> list[Part]:
    return [Part(REST, "", sum(part.adds for part in parts))] if parts else []


def _steps(fact: Contributions, drawn: list[Part]) -> Spec:
    names = [f"{part.column} = {short(part.value, 24)}" if part.value else part.column for part in drawn]
    labels = told_apart([*names, f"the answer, {said(fact.answer)}"], 52)
    at, bars, texts = fact.base, Rows(), Rows()
    for label, part in zip(labels, drawn, strict=False):
        tip = f"{label}\n{_signed(part.adds)}" + (f" ± {said(part.error)} by sampling" if part.error else "")
        bars.append({"row": label, "x": at, "x2": at + part.adds, "group": _way(part.adds), "tip": tip})
        texts.append({"row": label, "x": max(at, at + part.adds), "text": _signed(part.adds)})
        at += part.adds
    bars.append({"row": labels[-1], "x": fact.base, "x2": fact.answer, "group": "answer", "tip": said(fact.answer)})
    low, high = span([fact.base, fact.answer, *(bar["x2"] for bar in bars)])
    x = numbers("x", fact.scale, (low, high + 0.14 * (high - low)), grid=True)
    y: Spec = {
        "field": "row",
        "type": "ordinal",
        "scale": {"type": "band", "padding": 0.55, "domain": labels},
        "axis": None,
    }
    colour = {
        "field": "group",
        "type": "nominal",
        "scale": {"domain": ["adds", "takes away", "answer"], "range": [BLUE, RED, INK]},
        "legend": None,
    }
    text = {"field": "text", "type": "nominal"}
    named = [{"row": label, "text": label} for label in labels]
    look = {"align": "left", "baseline": "bottom", "dy": -9, "fontSize": 11, "color": FAINT}
    layers = [
        upright(fact.base, x, strokeDash=[4, 3], tooltip=None),
        layer("bar", bars, {"x": x, "x2": {"field": "x2"}, "y": y, "color": colour}, height={"band": 1}),
        layer("text", texts, {"x": x, "y": y, "text": text}, align="left", dx=5, fontSize=11, color=INK),
        *on_halo(named, {"x": {"value": 0}, "y": y, "text": text}, look),
    ]
    return frame(layers, 36 * len(labels) + 24)


def _way(adds: float) -> str:
    return "adds" if adds >= 0 else "takes away"


def _signed(value: float) -> str:
    return f"+{said(value)}" if value > 0 else said(value)
