"""Facts of explanations for the figures: of cars, extreme and hostile ones."""

from glaswerk.facts import (
    Contributions,
    Dependence,
    Importance,
    Important,
    Influence,
    Part,
    Pull,
    Segment,
    Segments,
)


def contributions(columns, scale="mpg", count=1):
    names = columns * count
    parts = tuple(Part(name, f"{k} {name}", (-1.0) ** k * (9.0 - k), 0.1 * (k % 2)) for k, name in enumerate(names))
    return Contributions("mpg", scale, 7, 23.5, 23.5 + sum(p.adds for p in parts), parts, "exact")


def importance(columns):
    rows = tuple(Important((name,), 3.0 - k, 2.5 - k, 3.5 - k) for k, name in enumerate(columns))
    groups = (Important(tuple(columns[:3]), 4.0, 3.5, 4.5),)
    return Importance(columns[0], "ridge", "RMSE", 2.9, 0.95, rows, groups)


def along_numbers(column="weight", target="mpg"):
    values = tuple(1600.0 + 100 * k for k in range(30))
    mean = tuple(46 - 0.0077 * v for v in values)
    bars = tuple((1600.0 + 100 * k, 1700.0 + 100 * k, k % 7) for k in range(30))
    return Dependence(
        column, target, "ridge", mean, tuple(m - 4 for m in mean), tuple(m + 4 for m in mean), values, (), bars
    )  # fmt: skip


def along_levels(names=("usa", "japan", "europe")):
    mean = tuple(20.0 + k for k in range(len(names)))
    lower, upper = tuple(m - 1 for m in mean), tuple(m + 2 for m in mean)
    return Dependence("origin", "mpg", "ridge", mean, lower, upper, levels=tuple((n, 10) for n in names))


def segments(names):
    verdicts = ("worse", "better", "as elsewhere")
    rows = tuple(
        Segment(name, f"{k} to below {k + 1}", 20 + k, 3.0 + k, 2.0 + k, None if k == 2 else 4.0 + k, verdicts[k % 3])
        for k, name in enumerate(names)
    )
    return Segments("mpg", names[0], "RMSE", 2.9, 0.95, 26, rows)


def influence(count, target="mpg"):
    pulls = tuple(
        Pull(k + 1, 20.0 + k % 9, 21.0, k % 9 - 1.0, 0.9 * (k + 1) / count, (k % 9 - 4) / 2, 0.01 * (k % 9))
        for k in range(count)
    )
    return Influence(target, "ridge", 8, 53_940, pulls[:10], pulls[:1_500])


CARS = ("weight", "model_year", "displacement", "origin", "horsepower")
EXPLAINED = {
    "contributions of a car": contributions(CARS),
    "sixty contributions": contributions(CARS, "log-odds of >50K", 12),
    "importance of cars": importance(CARS),
    "dependence on a number": along_numbers(),
    "dependence on levels": along_levels(),
    "segments of cars": segments(CARS),
    "influence of cars": influence(392),
    "influence of many": influence(4_000),
    "influence of one": influence(1),
}
NOTHING = {
    "no parts": Contributions("y", "y", 1, 0.0, 0.0, (), "exact"),
    "no importance": Importance("y", "ridge", "RMSE", 1.0, 0.95, ()),
    "no values": Dependence("x", "y", "ridge", (), (), ()),
    "no segments": Segments("y", "ridge", "RMSE", 1.0, 0.95, 0, ()),
    "no pulls": Influence("y", "ridge", 1, 0, ()),
}


def hostile(names):
    """The same with every name an attack."""
    return {
        "hostile contributions": contributions(names, names[1]),
        "hostile importance": importance(names),
        "hostile dependence": along_numbers(names[0], names[2]),
        "hostile levels": along_levels(names),
        "hostile segments": segments(names),
        "hostile influence": influence(30, names[0]),
    }
