"""Out-of-fold predictions: observed against predicted, and what the residuals betray."""

import math
from dataclasses import dataclass

import numpy as np

from glaswerk.facts import Cell, OutOfFold, Table
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import short
from glaswerk.figures.parts import Rows, Spec, finite, frame, layer, level, numbers, rounded, span, upright
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import BLUE, RED, said
from glaswerk.figures.thinning import by_hash, evenly

HEIGHT, LOW = 320, 240
LINE = "The line is the running median:"
Points = list[tuple[float, float]]
DOT = {"filled": True, "size": 28, "opacity": 0.5, "color": BLUE, "clip": True}


@dataclass(frozen=True)
class Residuals:
    """The rows with finite numbers as arrays, and which of them are drawn."""

    fact: OutOfFold
    row: np.ndarray
    observed: np.ndarray
    predicted: np.ndarray
    drawn: list[int]

    @property
    def values(self) -> np.ndarray:
        found: np.ndarray = self.observed - self.predicted
        return found

    @property
    def deviation(self) -> float:
        return math.sqrt(float(np.mean(self.values**2)))

    @property
    def note(self) -> str:
        total, shown = self.fact.rows, len(self.drawn)
        return f"{shown} of {total} rows are drawn, chosen by a hash of the row's number." if shown < total else ""


@figures_of.register
def draw_out_of_fold(fact: OutOfFold) -> tuple[Figure, ...]:
    """Observed and predicted; residuals over predictions; quantiles; histogram; spread; coverage of the intervals."""
    cells = np.array([fact.observed, fact.predicted], dtype=np.float64)
    known = np.isfinite(cells).all(axis=0)
    figures: list[Figure] = []
    if known.any():
        row = np.asarray(fact.row)[known]
        rows = Residuals(fact, row, cells[0][known], cells[1][known], by_hash(row.tolist()))
        figures = [_observed(rows), _residuals(rows), _histogram(rows)]
        figures += [_spread(rows)] if rows.row.size >= 10 and rows.deviation > 0 else []
    figures[2:2] = [_quantiles(fact)] if len(fact.quantiles) > 1 else []
    return (*figures, *((_coverage(fact),) if fact.coverage else ()))


def _observed(rows: Residuals) -> Figure:
    target = short(rows.fact.target)
    both = span([*rows.observed.tolist(), *rows.predicted.tolist()])
    x = numbers("x", f"predicted {rows.fact.target}", both)
    y = numbers("y", f"observed {rows.fact.target}", both)
    dots: Rows = [
        {"x": rounded(p), "y": rounded(o), "tip": f"row {r}\nobserved {said(o)}\npredicted {said(p)}"}
        for r, o, p in _triples(rows)
    ]
    worst = int(np.argmax(np.abs(rows.values)))
    return Figure(
        name="observed-predicted",
        title=f"Observed {target} against its out-of-fold prediction",
        alt=f"Observed {target} against predictions by {short(rows.fact.candidate)} for {len(rows.row)} rows outside "
        f"the fit: root mean squared error {said(rows.deviation)}; farthest from the diagonal is row "
        f"{rows.row[worst]}, observed {said(float(rows.observed[worst]))}, predicted "
        f"{said(float(rows.predicted[worst]))}.",
        spec=frame([layer("point", dots, {"x": x, "y": y}, **DOT), _diagonal(both, x, y)], HEIGHT),
        table=Table(
            f"Out-of-fold predictions of {rows.fact.target}", ("row", "observed", "predicted"), tuple(_triples(rows))
        ),
        note=rows.note,
    )


def _residuals(rows: Residuals) -> Figure:
    target = short(rows.fact.target)
    x = numbers("x", f"predicted {rows.fact.target}", span(rows.predicted.tolist()), grid=False)
    y = numbers("y", "residual, observed − predicted", span([*rows.values.tolist(), 0.0]))
    dots: Rows = [{"x": rounded(p), "y": rounded(o - p), "tip": f"row {r}"} for r, o, p in _triples(rows)]
    middle = running_median(rows.predicted, rows.values)
    leaves = (
        f", and their running median leaves zero by at most {said(max(abs(m) for _, m in middle))}" if middle else ""
    )
    return Figure(
        name="residuals-predicted",
        title=f"Residuals of {target} over its prediction",
        alt=f"Residuals of {target} over predictions from {said(float(rows.predicted.min()))} to "
        f"{said(float(rows.predicted.max()))}: they lie between {said(float(rows.values.min()))} and "
        f"{said(float(rows.values.max()))}{leaves}.",
        spec=frame([level(0.0, y), layer("point", dots, {"x": x, "y": y}, **DOT), _smooth(middle, x, y)], LOW),
        table=_medians(middle, "residual", tuple((r, p, o - p) for r, o, p in _triples(rows))),
        note=_joined(rows.note, f"{LINE} where it leaves zero, something systematic is left." if middle else ""),
    )


def _medians(middle: Points, what: str, points: tuple[tuple[Cell, ...], ...]) -> Table:
    """The line's numbers, or the points' where they are too few for a line."""
    if middle:
        return Table(f"Running median of the {what}", ("predicted", f"median {what}"), tuple(middle))
    return Table(f"The {what} of every row", ("row", "predicted", what), points)


def running_median(x: np.ndarray, y: np.ndarray, most: int = 40) -> Points:
    """Medians of y in windows of a fifth of the rows, at least fifteen, along x; no two at the same x."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    half = max(7, x.size // 10)
    if x.size < 2 * half + 1:
        return []
    centres = np.linspace(half, x.size - half - 1, min(most, x.size - 2 * half)).round().astype(int)
    windows = [slice(k - half, k + half + 1) for k in centres]
    found = {float(np.median(x[w])): float(np.median(y[w])) for w in windows}
    return sorted(found.items())


def _quantiles(fact: OutOfFold) -> Figure:
    pairs = [(a, b) for a, b in fact.quantiles if len(finite((a, b))) == 2]
    kept = [pairs[k] for k in evenly(len(pairs), 400)]
    x = numbers("x", "quantile of the normal distribution", span([a for a, _ in kept]), grid=False)
    y = numbers("y", "standardised residual", span([b for _, b in kept]))
    dots: Rows = [{"x": a, "y": b, "tip": f"normal {said(a)}\nresidual {said(b)}"} for a, b in kept]
    ends = span([a for a, _ in kept])
    (low, at_low), (high, at_high) = kept[0], kept[-1]
    return Figure(
        name="quantiles",
        title=f"Are the residuals of {short(fact.target)} normal?",
        alt=f"Standardised residuals of {short(fact.target)} against normal quantiles: the lowest is {said(at_low)} "
        f"where a normal one would be {said(low)}, the highest {said(at_high)} where it would be {said(high)}.",
        spec=frame([_diagonal(ends, x, y), layer("point", dots, {"x": x, "y": y}, **{**DOT, "opacity": 0.8})], LOW),
        table=Table("Quantiles of the residuals", ("normal quantile", "standardised residual"), tuple(kept)),
        note="On the dashed line, residuals are as normal noise would leave them.",
    )


def _histogram(rows: Residuals) -> Figure:
    """Bins by Freedman and Diaconis' rule, five to forty; the dashed curve is normal noise of the same spread."""
    values, target = rows.values, short(rows.fact.target)
    edges = _edges(values)
    counts, _ = np.histogram(values, bins=edges)
    x = numbers("x", "residual, observed − predicted", (float(edges[0]), float(edges[-1])), grid=False)
    curve = _normal_curve(values, edges)
    y = numbers("y", "rows", (0.0, 1.06 * max([float(counts.max()), *(v for _, v in curve)])))
    bars: Rows = [
        {"x": float(a), "x2": float(b), "y": int(n), "zero": 0, "tip": f"{said(float(a))} to {said(float(b))}: {n}"}
        for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    ends = {"x2": {"field": "x2"}, "y2": {"field": "zero"}}
    normal = layer("line", [{"x": a, "y": b} for a, b in curve], {"x": x, "y": y}, color=RED, strokeDash=[6, 3])
    most = int(np.argmax(counts))
    return Figure(
        name="residuals-histogram",
        title=f"Distribution of the residuals of {target}",
        alt=f"Histogram of {values.size} residuals of {target}: median {said(float(np.median(values)))}, half of them "
        f"between {said(float(np.quantile(values, 0.25)))} and {said(float(np.quantile(values, 0.75)))}; the fullest "
        f"bin holds {counts[most]} between {said(float(edges[most]))} and {said(float(edges[most + 1]))}.",
        spec=frame(
            [
                layer(
                    "rect", bars, {"x": x, "y": y, **ends}, color=BLUE, opacity=0.75, stroke="white", strokeWidth=0.5
                ),
                normal,
                upright(0.0, x),
            ],
            LOW,
        ),
        table=Table(
            "Distribution of the residuals",
            ("from", "to", "rows"),
            tuple((float(a), float(b), int(n)) for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)),
        ),
        note=_of_all(rows, "The dashed curve is normal noise of the same spread.") if curve else _of_all(rows, ""),
    )


def _edges(values: np.ndarray) -> np.ndarray:
    low, high = float(values.min()), float(values.max())
    if not high > low:
        return np.array([low - 0.5, low + 0.5])
    quarter, three = np.quantile(values, [0.25, 0.75])
    width = 2.0 * float(three - quarter) / values.size ** (1 / 3)
    bins = min(40, max(5, math.ceil((high - low) / width))) if width > 0 else 10
    return np.linspace(low, high, bins + 1)


def _normal_curve(values: np.ndarray, edges: np.ndarray) -> list[tuple[float, float]]:
    spread = float(values.std())
    if values.size < 10 or spread == 0:
        return []
    at = np.linspace(edges[0], edges[-1], 60)
    z = (at - values.mean()) / spread
    height = values.size * (edges[1] - edges[0]) / (spread * math.sqrt(2 * math.pi)) * np.exp(-0.5 * z * z)
    return list(zip(at.tolist(), height.tolist(), strict=True))


def _spread(rows: Residuals) -> Figure:
    """Scale and location: does the size of the error grow with the prediction?"""
    target = short(rows.fact.target)
    size = np.sqrt(np.abs(rows.values) / rows.deviation)
    middle = running_median(rows.predicted, size)
    x = numbers("x", f"predicted {rows.fact.target}", span(rows.predicted.tolist()), grid=False)
    y = numbers("y", "√ of |residual| over its deviation", (0.0, float(size.max()) * 1.04))
    dots: Rows = [
        {"x": rounded(p), "y": rounded(float(size[k])), "tip": f"row {r}"}
        for k, (r, _, p) in zip(rows.drawn, _triples(rows), strict=True)
    ]
    points = tuple((row["tip"], row["x"], row["y"]) for row in dots)
    goes = f" and its running median goes from {_at(middle[0])} to {_at(middle[-1])}" if middle else ""
    return Figure(
        name="residuals-spread",
        title=f"Size of the residuals of {target} over its prediction",
        alt=f"Root of the standardised size of {size.size} residuals over the prediction of {target}: it is "
        f"{said(float(np.median(size)))} in the median{goes}.",
        spec=frame([layer("point", dots, {"x": x, "y": y}, **DOT), _smooth(middle, x, y)], LOW),
        table=_medians(middle, "root of the size", points),
        note=_joined(rows.note, f"{LINE} where it is level, the noise is the same everywhere." if middle else ""),
    )


def _at(point: tuple[float, float]) -> str:
    return f"{said(point[1])} at {said(point[0])}"


def _coverage(fact: OutOfFold) -> Figure:
    whole = (0.0, 1.0)
    x = numbers("x", "level promised", whole, grid=False)
    y = numbers("y", "share of rows held", whole)
    dots: Rows = [{"x": a, "y": b, "tip": f"promised {said(a)}\nheld {said(b)}"} for a, b in fact.coverage]
    parts = ", ".join(f"{said(100 * b)} % at {said(100 * a)} %" for a, b in fact.coverage[:4])
    return Figure(
        name="coverage",
        title=f"Do prediction intervals of {short(fact.target)} hold what they promise?",
        alt=f"Share of rows inside their prediction intervals: {parts}.",
        spec=frame(
            [_diagonal(whole, x, y), layer("point", dots, {"x": x, "y": y}, **{**DOT, "size": 80, "opacity": 1})], LOW
        ),
        table=Table("Coverage of the prediction intervals", ("promised", "held"), fact.coverage),
        note="Below the dashed line intervals are too narrow.",
    )


def _triples(rows: Residuals) -> list[tuple[int, float, float]]:
    return [(int(rows.row[k]), float(rows.observed[k]), float(rows.predicted[k])) for k in rows.drawn]


def _diagonal(ends: tuple[float, float], x: Spec, y: Spec) -> Spec:
    line: Rows = [{"x": v, "y": v} for v in ends]
    return layer("line", line, {"x": x, "y": y}, color=RED, strokeDash=[6, 3], strokeWidth=1.5, clip=True)


def _smooth(points: Points, x: Spec, y: Spec) -> Spec:
    rows: Rows = [{"x": a, "y": b} for a, b in points]
    return layer("line", rows, {"x": x, "y": y}, color=RED, strokeWidth=2.5, clip=True)


def _of_all(rows: Residuals, rest: str) -> str:
    kept, total = rows.row.size, rows.fact.rows
    return _joined(f"Of {kept} rows kept from {total}." if kept < total else "", rest)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
