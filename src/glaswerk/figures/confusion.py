"""A confusion matrix as a heat map: shares of each true class in colour, counts and shares as text where they fit."""

from dataclasses import dataclass

from glaswerk.facts import Confusion
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import counted, short, told_apart
from glaswerk.figures.parts import Rows, Spec, frame, layer
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import HEAT, said

MOST, WITH_SHARES, WITH_COUNTS, LABEL = 30, 5, 10, 16
REST = "all others"


@dataclass(frozen=True)
class Cells:
    """Class labels and counts, small classes beyond the first thirty joined into one."""

    labels: list[str]
    counts: list[list[float]]
    joined: int

    @property
    def right(self) -> float:
        return sum(self.counts[k][k] for k in range(len(self.labels) - bool(self.joined)))

    @property
    def total(self) -> float:
        return sum(map(sum, self.counts))


@figures_of.register
def draw_confusion(fact: Confusion) -> tuple[Figure, ...]:
    """One heat map, rows the true classes, columns the predicted ones; none without rows."""
    if not any(map(sum, fact.counts)):
        return ()
    cells = _cells(fact)
    right = sum(row[k] for k, row in enumerate(fact.counts))
    total = sum(map(sum, fact.counts))
    return (
        Figure(
            name="confusion",
            title=f"Classes of {short(fact.target)}: true and predicted",
            alt=f"Heat map of {len(fact.classes)} classes of {short(fact.target)} predicted by "
            f"{short(fact.candidate)}: {said(right)} of {said(total)} rows are recognised{_most_confused(fact)}.",
            spec=_spec(cells),
            table=fact.table(),
            note=f"The {cells.joined} smallest of {len(fact.classes)} classes are joined as “{REST}”."
            if cells.joined
            else "",
        ),
    )


def _most_confused(fact: Confusion) -> str:
    wrong = [(count, i, j) for i, row in enumerate(fact.counts) for j, count in enumerate(row) if i != j and count > 0]
    if not wrong:
        return ", none is confused"
    count, i, j = max(wrong, key=lambda cell: (cell[0], -cell[1], -cell[2]))
    return f"; most often {short(fact.classes[i])} is taken for {short(fact.classes[j])} ({counted(count, 'row')})"


def _cells(fact: Confusion) -> Cells:
    n = len(fact.classes)
    if n <= MOST:
        return Cells(told_apart(fact.classes, LABEL), [list(map(float, row)) for row in fact.counts], 0)
    by_size = sorted(range(n), key=lambda k: (-sum(fact.counts[k]), k))
    kept, rest = sorted(by_size[: MOST - 1]), by_size[MOST - 1 :]
    groups = [*([k] for k in kept), rest]
    counts = [[float(sum(fact.counts[i][j] for i in rows for j in columns)) for columns in groups] for rows in groups]
    return Cells(told_apart([*(fact.classes[k] for k in kept), REST], LABEL), counts, len(rest))


def _spec(cells: Cells) -> Spec:
    n = len(cells.labels)
    step = 54 if n <= WITH_SHARES else 34 if n <= WITH_COUNTS else 16
    rects = _rects(cells)
    scale = {"domain": cells.labels, "type": "band", "padding": 0.04}
    slanted = n > 3 or max(map(len, cells.labels)) > 9
    bottom = {
        "title": "predicted class", "labelLimit": 90, "domain": False, "ticks": False, "grid": False,
        "labelOverlap": n > WITH_COUNTS, "labelAngle": -90 if n > WITH_COUNTS else -40 if slanted else 0,
        "labelAlign": "right" if slanted else "center", "labelBaseline": "middle" if slanted else "top",
    }  # fmt: skip
    side = {
        "title": "true class",
        "labelLimit": 90,
        "domain": False,
        "ticks": False,
        "grid": False,
        "labelOverlap": False,
    }
    place = {
        "x": {"field": "x", "type": "ordinal", "scale": scale, "axis": bottom},
        "y": {"field": "y", "type": "ordinal", "scale": scale, "axis": side},
    }
    colour = {
        "field": "share", "type": "quantitative", "scale": {"domain": [0, 1], "range": list(HEAT)},
        "legend": {
            "title": "share of the true class", "format": ".0%", "gradientLength": 140, "gradientThickness": 8,
            "tickCount": 3, "titleFontSize": 11, "titleFontWeight": "normal", "orient": "top",
        },
    }  # fmt: skip
    layers = [layer("rect", rects, {**place, "color": colour})]
    if n <= WITH_COUNTS:
        layers += _texts(rects, place, n <= WITH_SHARES)
    return frame(layers, step * n)


def _rects(cells: Cells) -> Rows:
    rows: Rows = []
    for label, counts in zip(cells.labels, cells.counts, strict=True):
        whole = sum(counts)
        for other, count in zip(cells.labels, counts, strict=True):
            share = count / whole if whole else 0.0
            tip = f"true {label}\npredicted {other}\n{counted(count, 'row')}, {100 * share:.1f} % of the class"
            rows.append(
                {
                    "y": label,
                    "x": other,
                    "share": share,
                    "count": said(count),
                    "part": f"{100 * share:.0f} %",
                    "tip": tip,
                }
            )
    return rows


def _texts(rects: Rows, place: Spec, with_shares: bool) -> list[Spec]:
    """Dark on light, white on dark."""
    layers = []
    for dark, colour in ((False, "#1f2328"), (True, "white")):
        rows = [row for row in rects if (row["share"] > 0.45) is dark]
        look = {"color": colour, "fontSize": 12 if with_shares else 11, "tooltip": None}
        layers.append(layer("text", rows, {**place, "text": {"field": "count"}}, **look, dy=-8 if with_shares else 0))
        if with_shares:
            parts = [row for row in rows if row["share"] > 0]
            layers.append(layer("text", parts, {**place, "text": {"field": "part"}}, **{**look, "fontSize": 11}, dy=9))
    return layers
