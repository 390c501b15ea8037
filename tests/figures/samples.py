"""Facts of every kind that is drawn, realistic, extreme and hostile ones: what the figures are tried on."""

import math

import numpy as np

from glaswerk.base import Matrix
from glaswerk.facts import (
    Candidate,
    Coefficient,
    Coefficients,
    ColumnCard,
    Comparison,
    Confusion,
    Curve,
    DataCard,
    Line,
    OutOfFold,
    Region,
    Regions,
    Slider,
    Steps,
    Surface,
    TreeNodes,
    VersionSpace,
)
from glaswerk.learners import DecisionTreeClassifier, DecisionTreeRegressor
from tests.figures import explained, grouped
from tests.figures.explained import EXPLAINED, NOTHING

HOSTILE = (
    "<script>alert(1)</script>",
    "datum.x + event.view",
    "a.b[0]['c'] \\ \"quoted\" 'single'",
    "{signal: 'width'}",
    "tab\tnewline\nnull\0bell\a",
    "\u202eright to left\u202c",
    "${location} {{7*7}} %s",
    "",
    "lone \ud800 surrogate",
    "long " * 2_000,
)


def coefficient(name, estimate, error):
    t = estimate / error
    low, high = estimate - 2 * error, estimate + 2 * error
    return Coefficient(name, estimate, error, t, math.erfc(abs(t) / math.sqrt(2)), low, high)


def car_coefficients():
    rows = [
        ("intercept", -17.2, 4.6), ("cylinders", -0.49, 0.32), ("displacement", 0.0199, 0.0075),
        ("horsepower", -0.017, 0.0138), ("weight", -0.00647, 0.00065), ("acceleration", 0.0806, 0.0988),
        ("model_year", 0.751, 0.051), ("origin = Europe", 2.63, 0.566), ("origin = Japan", 2.85, 0.553),
    ]  # fmt: skip
    return Coefficients("mpg", 0.95, tuple(coefficient(*row) for row in rows))


def many_coefficients(count, name="a rather long name of a measured quantity, number"):
    rng = np.random.default_rng(0)
    rows = [coefficient(f"{name} {k}", float(rng.normal()), float(rng.uniform(0.1, 0.5))) for k in range(count)]
    return Coefficients("yield of the third reactor", 0.9, tuple(rows))


def bare_coefficients():
    return Coefficients("y", 0.95, (Coefficient("x", 0.0), Coefficient("z", 2e9), Coefficient("nothing", math.nan)))


def hostile_coefficients():
    return Coefficients(HOSTILE[0], 0.95, tuple(coefficient(name, 1.0, 0.3) for name in HOSTILE))


def fitted_curve():
    x = np.linspace(1600, 5200, 80)
    y = 46.2 - 0.0076 * x
    rng = np.random.default_rng(1)
    at = rng.uniform(1613, 5140, 392)
    band = 8 + 0.3 * ((x - 3000) / 1000) ** 2
    lines = (
        Line("cars", tuple(at), tuple(46.2 - 0.0076 * at + rng.normal(0, 4.3, 392)), form="points"),
        Line("fitted, with 90 % prediction interval", tuple(x), tuple(y), tuple(y - band), tuple(y + band)),
    )
    return Curve("Fuel economy over weight", "weight (lb)", "mpg", lines, "Every 1000 lb cost 7.6 mpg.")


def learning_curve():
    sizes = (20.0, 40.0, 80.0, 160.0, 353.0)
    train, test = (1.9, 2.6, 3.0, 3.2, 3.3), (6.9, 4.2, 3.6, 3.45, 3.41)
    lines = (
        Line("on training rows", sizes, train, tuple(v - 0.2 for v in train), tuple(v + 0.2 for v in train)),
        Line("on rows left out", sizes, test, (3.0, 3.6, 3.3, 3.2, 3.2), (260.0, 4.9, 3.9, 3.7, 3.6)),
    )
    says = "More rows would help little: both curves have met."
    marks = ((353.0, "all rows"), (40.0, "twice the columns"))
    return Curve("Learning curve of mpg", "training rows", "RMSE (mpg)", lines, says, x_scale="log", marks=marks)


def ridge_path(count):
    alphas = tuple(float(a) for a in np.logspace(-4, 9, 60))
    rng = np.random.default_rng(2)
    lines = tuple(
        Line(f"column {k}", alphas, tuple(w / (1 + a / s) for a in alphas))
        for k, (w, s) in enumerate(zip(rng.normal(0, 2, count), 10 ** rng.uniform(-1, 5, count), strict=True))
    )
    return Curve("Ridge path", "alpha", "coefficient", lines, x_scale="log", marks=((3.2, "chosen by 10-fold CV"),))


def steps_and_gaps():
    lines = (
        Line("steps", (0.0, 1.0, 2.0, 3.0), (1.0, 3.0, 2.0, 4.0), form="steps"),
        Line("with a gap", (0.0, 1.0, 2.0, 3.0, 4.0), (-1.0, -2.0, None, 2.0, math.inf)),
    )
    return Curve("Steps and gaps", "t", "value", lines)


def log_log():
    x = tuple(float(v) for v in np.logspace(-8, 8, 50))
    loss = Line("loss", x, tuple(v**-0.5 for v in x))
    return Curve("Loss", "step", "loss", (loss, Line("zero", (0.0, 1.0), (0.0, -1.0))), x_scale="log", y_scale="log")


def long_trace():
    x = np.arange(200_000.0)
    noise = np.random.default_rng(3).normal(0, 0.05, x.size)
    loss = tuple(np.exp(-x / 5e4) + noise)
    lines = (Line("loss", tuple(x), loss, tuple(v - 0.1 for v in loss), tuple(v + 0.1 for v in loss)),)
    return Curve("Trace", "step", "loss", lines)


def one_point():
    return Curve("One point", "x", "y", (Line("single", (3.0,), (5.0,)),))


def hostile_curve():
    lines = tuple(Line(name, (0.0, 1.0), (float(k), k + 1.0)) for k, name in enumerate(HOSTILE))
    return Curve(HOSTILE[1], HOSTILE[2], HOSTILE[3], lines, HOSTILE[0], marks=((0.5, HOSTILE[0]),))


def candidate(name, score, half, folds, difference=None, half_difference=None, verdict=""):
    low, high = (
        (None, None) if half_difference is None else (difference - half_difference, difference + half_difference)
    )
    return Candidate(
        name, score, score - half, score + half, score * 0.9, difference, low, high, verdict, len(folds), tuple(folds)
    )


def car_comparison():
    rng = np.random.default_rng(4)
    rows = (
        candidate("squares and products", 2.91, 0.19, rng.normal(2.91, 0.35, 30), 0.0, None, "best"),
        candidate("ridge, alpha by CV", 2.95, 0.2, rng.normal(2.95, 0.35, 30), 0.04, 0.09, "practically equal"),
        candidate("linear", 3.38, 0.22, rng.normal(3.38, 0.35, 30), 0.47, 0.14, "worse"),
        candidate("baseline", 7.81, 0.3, rng.normal(7.81, 0.5, 30), 4.9, 0.35, "worse"),
    )
    return Comparison("RMSE (mpg)", "lower", "10 folds, 3 times", 0.95, rows, "baseline")


def wild_comparison():
    rng = np.random.default_rng(5)
    rows = [
        candidate(
            f"candidate with a long name and settings, number {k}",
            0.9 - 0.01 * k,
            0.02,
            rng.normal(0.9, 0.02, 200),
            -0.01 * k,
            0.02,
        )
        for k in range(60)
    ]
    wild = Candidate("degree 9", -1e6, None, None, None, -1e6, None, None, "worse", 5, (math.nan, -1e6))
    return Comparison("R²", "higher", "5 folds", 0.9, (*rows, wild), "mean")


def hostile_comparison():
    rows = tuple(candidate(name, 1.0 + k, 0.1, [1.0], float(k), 0.2, HOSTILE[0]) for k, name in enumerate(HOSTILE))
    return Comparison(HOSTILE[3], "lower", HOSTILE[0], 0.95, rows, HOSTILE[1])


def out_of_fold(count, rows=None, target="mpg", scale=1.0):
    rng = np.random.default_rng(6)
    predicted = rng.uniform(8, 40, count) * scale
    observed = predicted + rng.normal(0, 1, count) * (1 + predicted / scale / 12) * scale
    z = np.sort((observed - predicted) / (observed - predicted).std()) if count > 1 else np.zeros(count)
    normal = np.sort(rng.normal(size=count))
    return OutOfFold(
        target, "linear", rows or count, tuple(range(0, 7 * count, 7)), tuple(observed), tuple(predicted),
        tuple(zip(normal.tolist(), z.tolist(), strict=True)), ((0.5, 0.53), (0.8, 0.81), (0.9, 0.88), (0.95, 0.93)),
    )  # fmt: skip


def confusion(count, target="species"):
    rng = np.random.default_rng(7)
    counts = np.diag(rng.integers(30, 200, count)) + rng.poisson(3, (count, count))
    names = ("setosa", "versicolor", "virginica") if count == 3 else tuple(f"class {k}" for k in range(count))
    return Confusion(target, "logistic", names, tuple(tuple(float(v) for v in row) for row in counts))


def car_card():
    rng = np.random.default_rng(8)
    counts, edges = np.histogram(rng.gamma(6, 4, 398), 20)
    bins = tuple((float(a), float(b), int(n)) for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True))
    days = tuple((13_000.0 + 365 * k, 13_000.0 + 365 * (k + 1), 10 + 3 * k) for k in range(12))
    names = (("ford pinto", 6), ("toyota corolla and more", 5), ("amc", 5), ("vw", 4))
    columns = (
        ColumnCard("mpg", "number", "target", distinct=129, median=23.0, histogram=bins),
        ColumnCard("horsepower", "number", missing=6, missing_tokens=(("?", 6),), distinct=93, histogram=bins),
        ColumnCard("origin", "category", distinct=3, levels=(("USA", 249), ("Japan", 79), ("Europe", 70))),
        ColumnCard("name", "text", missing=120, distinct=200, levels=names),
        ColumnCard("turbo", "flag", levels=(("no", 398),), distinct=1),
        ColumnCard("sold", "date", histogram=days, median=15_000.0),
        ColumnCard("constant", "number", histogram=((5.0, 5.0, 398),), distinct=1),
        ColumnCard("tiny", "number", histogram=((-1e-9, 0.0, 5), (0.0, 3e-9, 393))),
        ColumnCard("empty", "number", missing=398),
    )  # fmt: skip
    return DataCard("cars.csv", 398, columns)


def hostile_card():
    columns = tuple(
        ColumnCard(name, "category", missing=k + 1, levels=tuple((other, 3) for other in HOSTILE))
        for k, name in enumerate(HOSTILE)
    )
    return DataCard(HOSTILE[0], 100, columns)


def wide_card():
    bins = tuple((float(k), k + 1.0, k) for k in range(500))
    columns = tuple(ColumnCard(f"column {k}", "number", missing=k, histogram=bins) for k in range(60))
    return DataCard("wide.csv", 5_000, columns)


def bowl(size, paths=2, steps=30, names=("good", "too large")):
    places = tuple(np.linspace(-2.0, 2.0, size).tolist())
    heights = tuple(tuple(x * x + 10 * y * y for x in places) for y in places)
    factors = (0.8, -0.95)
    walks = tuple(
        Line(
            names[k % len(names)],
            tuple(1.5 * factors[k % 2] ** s for s in range(steps)),
            tuple((-1) ** k * 0.2 * k + 0.5 * 0.9**s for s in range(steps)),
        )
        for k in range(paths)
    )
    return Surface("Loss over two weights", "w0", "w1", "loss", places, places, heights, walks, "A valley.")


def surface_with_gaps():
    flat = ((1.0, math.nan), (math.inf, 1.0))
    walk = (Line("nothing", (0.0,), (None,)), Line("a gap", (0.0, 0.5, 1.0), (0.0, None, 1.0)))
    return Surface("Gaps", "x", "y", "z", (0.0, 1.0), (0.0, 1.0), flat, walk)


def hostile_surface():
    walks = tuple(Line(name, (0.0, 1.0), (0.0, float(k))) for k, name in enumerate(HOSTILE))
    return Surface(HOSTILE[0], *HOSTILE[1:4], (0.0, 1.0), (0.0, 1.0), ((0.0, 1.0), (2.0, 3.0)), walks, HOSTILE[0])


def version_space():
    low, sunny, warm = ("Sunny", "Warm"), ("Sunny", "?"), ("?", "Warm")
    names, edges = ("sky", "air"), ((0, 1), (0, 2))
    return VersionSpace("sport = yes", names, (low,), (sunny, warm), 2, 3, (low, sunny, warm), edges)


def grown_tree(classes):
    """A tree over two columns with hostile names."""
    rng = np.random.default_rng(0)
    X = Matrix.of(rng.normal(size=(80, 2)), HOSTILE[:2])
    if classes:
        labels = np.array(["a", "b", "c"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0)]
        return DecisionTreeClassifier(max_depth=4).fit(X, labels).tree_fact()
    return DecisionTreeRegressor(max_depth=4).fit(X, np.asarray(X[:, 0] * X[:, 1])).tree_fact()


def regions(count, classes=(), solid=False, title="Salary over years and hits", names=("years", "hits", "salary")):
    """Stripes of rectangles, two deep."""
    found = tuple(
        Region(float(k // 2), float(k // 2 + 1), float(1 - k % 2), float(2 - k % 2), float(k % (len(classes) or 7)), k)
        for k in range(count)
    )
    points = tuple((k / 50, (k * 7 % 100) / 50, float(k % (len(classes) or 3))) for k in range(100))
    return Regions(title, *names, tuple(classes), found, points, 5_000, solid, "Stripes.")


def steps(names=("C = 0.1", "C = 1", "C = 10"), title="Under other penalties"):
    """Two sliders over a surface and a curve; at one place there is nothing to draw of the curve."""
    nothing = Curve("Loss", "step", "loss", ())
    facts = tuple(
        (bowl(5 + k, 1), nothing if k == 1 else Curve("Loss", "step", "loss", (Line("loss", (0.0, 1.0), (1.0, k)),)))
        for k in range(6)
    )
    sliders = (Slider("penalty", tuple(names[:3])), Slider("width", ("narrow", "wide")))
    return Steps(title, sliders, facts, tuple(f"place {k}: {names[k % 3]}" for k in range(6)), 2, ("a note",))


FACTS = {
    "steps of two sliders": steps(),
    "hostile steps": steps(HOSTILE, HOSTILE[0]),
    "version space": version_space(),
    "coefficients of cars": car_coefficients(),
    "forty coefficients": many_coefficients(40),
    "two hundred coefficients": many_coefficients(200, "x"),
    "bare coefficients": bare_coefficients(),
    "one coefficient": many_coefficients(1),
    "hostile coefficients": hostile_coefficients(),
    "fitted curve": fitted_curve(),
    "learning curve": learning_curve(),
    "ridge path": ridge_path(7),
    "ridge path of 200": ridge_path(200),
    "steps and gaps": steps_and_gaps(),
    "log log": log_log(),
    "long trace": long_trace(),
    "one point": one_point(),
    "hostile curve": hostile_curve(),
    "a valley with paths": bowl(41),
    "a large grid with long paths": bowl(200, 9, 400, HOSTILE[:4]),
    "a surface alone": bowl(5, 0),
    "a surface with gaps": surface_with_gaps(),
    "hostile surface": hostile_surface(),
    "nodes of a tree": TreeNodes(grown_tree(HOSTILE[:3])),
    "leaves of numbers": TreeNodes(grown_tree(()), leaves=True),
    "rectangles": regions(8),
    "rectangles of classes": regions(60, ("setosa", "versicolor", "virginica")),
    "a surface of steps": regions(20, solid=True),
    "hostile rectangles": regions(6, HOSTILE, False, HOSTILE[0], HOSTILE[1:4]),
    "a hostile surface of steps": regions(6, (), True, HOSTILE[0], HOSTILE[1:4]),
    "comparison of cars": car_comparison(),
    "wild comparison": wild_comparison(),
    "hostile comparison": hostile_comparison(),
    "out of fold": out_of_fold(398),
    "many out of fold": out_of_fold(2_000, 53_940, "price", 1e4),
    "small out of fold": out_of_fold(3),
    "hostile out of fold": out_of_fold(30, target=HOSTILE[2]),
    "confusion of 3": confusion(3),
    "confusion of 2": Confusion("flag", "logistic", ("no", "yes"), ((90.0, 10.0), (0.0, 0.0))),
    "confusion of 10": confusion(10),
    "confusion of 26": confusion(26),
    "confusion of 200": confusion(200),
    "hostile confusion": Confusion(HOSTILE[0], HOSTILE[1], HOSTILE, tuple((1.0,) * 10 for _ in HOSTILE)),
    "card of cars": car_card(),
    "hostile card": hostile_card(),
    "wide card": wide_card(),
    **EXPLAINED,
    **grouped.GROUPED,
    **grouped.hostile(HOSTILE),
    **explained.hostile(HOSTILE),
}
EMPTY = {
    "no coefficients": Coefficients("y", 0.95, ()),
    "no lines": Curve("Empty", "x", "y", ()),
    "no points": Curve("Empty", "x", "y", (Line("nothing", (1.0,), (None,)),)),
    "no heights": Surface("Empty", "x", "y", "z", (0.0, 1.0), (0.0,), ((math.nan, math.nan),)),
    "no rectangles": regions(0),
    "too many steps": regions(500, solid=True),
    "no candidates": Comparison("RMSE", "lower", "10 folds", 0.95, (), "mean"),
    "no rows": OutOfFold("y", "linear", 0, (), (), ()),
    "no classes": Confusion("y", "logistic", (), ()),
    "no counts": Confusion("y", "logistic", ("a", "b"), ((0.0, 0.0), (0.0, 0.0))),
    "no steps": Steps("Empty", (Slider("x", ()),), (), ()),
    "steps without pictures": Steps("Empty", (Slider("x", ("a",)),), ((Curve("Empty", "x", "y", ()),),), ("nothing",)),
    "no columns": DataCard("empty.csv", 0, ()),
    **NOTHING,
    **grouped.NOTHING,
}
