"""The parts every figure is put together from: layers with their own rows, axes of numbers, the frame.

Fields have fixed names of ours (x, y, group, row, tip); what the user wrote is only ever a value or a literal title.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from glaswerk.figures.labels import short
from glaswerk.figures.theme import RULE, tick_format

Spec = dict[str, Any]
Rows = list[dict[str, Any]]
TIP = {"field": "tip", "type": "nominal"}


def layer(mark: str, rows: Rows, encoding: Spec, **look: Any) -> Spec:
    """One kind of mark over rows of its own; a tooltip where the rows have a `tip`."""
    told = {"tooltip": TIP} if rows and "tip" in rows[0] else {}
    return {"data": {"values": rows}, "mark": {"type": mark, **look}, "encoding": {**encoding, **told}}


def on_halo(rows: Rows, encoding: Spec, look: Spec) -> list[Spec]:
    """Text readable over rules: white behind it, in the shape of its letters."""
    halo = {"stroke": "white", "strokeWidth": 3, "strokeJoin": "round"}
    return [layer("text", rows, encoding, **look, **halo), layer("text", rows, encoding, **look)]


def frame(layers: Sequence[Spec], height: int) -> Spec:
    """A picture as wide as the element it is drawn in."""
    return {
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding", "resize": True},
        "layer": [part for part in layers if part["data"]["values"]],
    }


def finite(values: Iterable[float | None]) -> list[float]:
    return [float(v) for v in values if v is not None and math.isfinite(v)]


def cell(value: float | None) -> float | None:
    """A number as JSON knows it."""
    return float(value) if value is not None and math.isfinite(value) else None


def rounded(value: float) -> float:
    """A place finer than any screen, in fewer letters: clouds of points are most of a page."""
    return float(f"{value:.7g}")


def span(values: Iterable[float | None], margin: float = 0.04) -> tuple[float, float]:
    """The interval an axis has to show, never empty."""
    known = finite(values) or [0.0, 1.0]
    low, high = min(known), max(known)
    pad = margin * (high - low) or abs(low) / 2 or 1.0
    return low - pad, high + pad


def log_span(values: Iterable[float | None]) -> tuple[float, float]:
    known = [v for v in finite(values) if v > 0] or [1.0, 10.0]
    low, high = min(known), max(known)
    factor = (high / low) ** 0.04 if high > low else 2.0
    return low / factor, high * factor


def numbers(channel: str, title: str, domain: tuple[float, float], scale: str = "linear", **axis: Any) -> Spec:
    """An encoding of numbers on an axis over `domain`."""
    scaled: Spec = {"type": scale, "domain": list(domain), "nice": False}
    if scale == "log":
        plain = domain[0] >= 1e-4 and domain[1] <= 1e6
        ticks: Spec = {"values": log_ticks(*domain), "format": "~g" if plain else "~e"}
    else:
        scaled["zero"] = False
        ticks = {"format": tick_format(domain), "tickCount": 6}
    look = {"title": short(title, 80), **ticks, **axis}
    return {"field": channel, "type": "quantitative", "scale": scaled, "axis": look}


def ticks_within(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two others, for an axis that reaches farther than its numbers mean anything.

    >>> ticks_within(-0.01, 1.04)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten, at most eight; one, two and five times them where there would be few, round numbers where none.

    >>> log_ticks(0.05, 5.0), log_ticks(0.24, 0.85)
    ([0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0], [0.4, 0.6, 0.8])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    digits = (1, 2, 5) if last - first <= 3 else (1,)
    every = max(1, math.ceil((last - first) / 8))
    ticks = [digit * 10.0**power for power in range(first, last + 1, every) for digit in digits]
    found = [float(f"{t:.1g}") for t in ticks if low <= t <= high]
    return found if len(found) > 2 or high <= 1.01 * low else ticks_within(low, high)


def second(channel: str) -> Spec:
    """The other end of an interval, on the axis of the first."""
    return {"field": channel}


def upright(x: float, encoding: Spec, **look: Any) -> Spec:
    """A rule over the whole height at `x`."""
    return layer("rule", [{"x": x}], {"x": encoding}, **{"color": RULE, "strokeWidth": 1, **look})


def level(y: float, encoding: Spec, **look: Any) -> Spec:
    """A rule over the whole width at `y`."""
    return layer("rule", [{"y": y}], {"y": encoding}, **{"color": RULE, "strokeWidth": 1, **look})


def out_of_scale(reaches: Sequence[float], factor: float = 30.0) -> list[bool]:
    """Which of these extents would flatten the others if drawn on one axis."""
    known = [r for r in reaches if r > 0]
    typical = float(np.median(known)) if known else 0.0
    return [typical > 0 and reach > factor * typical for reach in reaches]
