"""How every figure looks: colours, dashes, shapes, type, and how a number is written. The only place that knows.

The colours are Okabe and Ito's, which people with any colour vision tell apart, the light ones darkened until each
has contrast 3 to white. Colour is never the only code: lines also differ in dash, points in shape.
"""

import math
from collections.abc import Iterable
from typing import Any

WIDE = 720
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
INK, FAINT, GRID, RULE = "#1f2328", "#59636e", "#e6e8eb", "#59636e"
BLUE, RED, GREEN, PURPLE, OCHRE, BLACK, CYAN, ROSE = COLOURS = (
    "#0072b2", "#d55e00", "#00805d", "#a8548a", "#9a6a00", "#30363d", "#2a8fbd", "#c0396b",
)  # fmt: skip
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 1], [10, 4], [1, 3], [6, 2, 1, 2, 1, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
HEAT = ("#f4f8fb", "#0b3c5d")

CONFIG: dict[str, Any] = {
    "font": FONT,
    "view": {"stroke": None},
    "mark": {"aria": False},  # the descriptions Vega-Lite would add hold axis titles inside expressions
    "title": {
        "anchor": "start", "fontSize": 14, "fontWeight": 600, "color": INK, "subtitleColor": FAINT,
        "subtitleFontSize": 12, "offset": 12, "frame": "bounds",
    },
    "axis": {
        "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal", "labelColor": INK, "titleColor": FAINT,
        "gridColor": GRID, "domainColor": "#c5cad1", "tickColor": "#c5cad1", "tickSize": 4, "labelPadding": 4,
        "titlePadding": 8, "labelLimit": 130, "titleLimit": 330, "labelOverlap": True,
    },
    "legend": {
        "orient": "top", "labelFontSize": 12, "labelColor": INK, "title": None, "labelLimit": 260, "symbolSize": 90,
        "symbolStrokeWidth": 2, "offset": 8, "rowPadding": 3, "columnPadding": 14,
    },
}  # fmt: skip


def said(number: float | None) -> str:
    """A number for labels and sentences: four significant digits, no grouping, a point, a true minus.

    >>> said(-0.0123456), said(12345.6), said(2.0), said(6.02214e23), said(None)
    ('−0.01235', '12346', '2', '6.022e23', 'none')
    """
    if number is None or math.isnan(number):
        return "none"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    size = math.floor(math.log10(abs(number))) if number else 0
    if -5 <= size < 7:
        text = f"{number:.{max(0, 3 - size)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        digits, power = f"{number:.3e}".split("e")
        text = f"{digits.rstrip('0').rstrip('.')}e{int(power)}"
    return "0" if text in ("-0", "") else text.replace("-", "−")


def tick_format(values: Iterable[float]) -> str:
    """How d3 is to write the numbers of an axis: decimals as far as they are readable, powers of ten beyond."""
    largest = max((abs(v) for v in values), default=0.0)
    return "~f" if largest == 0 or 1e-3 <= largest < 1e6 else "~e"
