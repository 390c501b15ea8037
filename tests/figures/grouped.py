"""Facts of groups for the figures: of flowers, many groups, hostile names."""

import numpy as np

from glaswerk.facts import GroupPlane, Line, MarginPlane, Prototype, Prototypes


def portraits(columns, groups, names=None):
    rng = np.random.default_rng(0)
    rows = tuple(
        Prototype(names[k] if names else f"cluster {k}", 50.0, 1 / groups, 0.5, tuple(rng.normal(size=len(columns))))
        for k in range(groups)
    )
    return Prototypes("Prototypes", columns, rows, (0.0,) * len(columns), (1.0,) * len(columns), "Three groups.")


def plane(n, groups, names=None, x="petal length", y="petal width"):
    rng = np.random.default_rng(n)
    label = rng.integers(0, groups, n)
    points = tuple(
        (float(a), float(b), int(g))
        for a, b, g in zip(rng.normal(size=n) + label, rng.normal(size=n), label, strict=True)
    )
    centres = tuple((float(k), 0.0) for k in range(groups))
    ring = tuple(np.cos(np.linspace(0, 7, 49)).tolist())
    outlines = tuple(Line(f"ring {k}", ring, ring) for k in range(groups))
    borders = (Line("0 | 1", (0.5, 0.5), (-9.0, 9.0)),)
    paths = (Line("path of 0", (3.0, 1.0, 0.0), (1.0, 1.0, 0.0)),)
    named = tuple(names or (f"cluster {k}" for k in range(groups)))
    return GroupPlane("The groups", x, y, named, points, centres, 10 * n, outlines, borders, paths, "Groups overlap.")


def margins(n, classes, names=None, x="petal length", y="petal width"):
    rng = np.random.default_rng(n)
    points = tuple((float(a), float(b), k % classes, k % 3 == 0) for k, (a, b) in enumerate(rng.normal(size=(n, 2))))
    places = tuple(np.linspace(-3.0, 3.0, 61).tolist())
    regions = tuple(tuple(int(k) for k in row) for row in rng.integers(0, classes, (61, 61)))
    border = (Line("f = 0", places, tuple(np.sin(places).tolist())),)
    edges = (Line("f = 1", places, tuple((np.sin(places) + 1).tolist())),)
    named = tuple(names or (f"class {k}" for k in range(classes)))
    return MarginPlane("The border", x, y, named, points, 10 * n, places, places, regions, border, edges, "It bends.")


FLOWERS = ("sepal_length", "sepal_width", "petal_length", "petal_width")
GROUPED = {
    "portraits of flowers": portraits(FLOWERS, 3),
    "portraits of many": portraits(tuple(f"column {k}" for k in range(60)), 30),
    "a plane of three": plane(150, 3),
    "a plane of thirty": plane(5_000, 30),
    "margins of two": margins(400, 2),
    "margins of many": margins(400, 12),
}
NOTHING = {
    "no prototypes": Prototypes("Empty", FLOWERS, (), (0.0,) * 4, (1.0,) * 4),
    "no rows in the plane": GroupPlane("Empty", "x", "y", (), (), (), 0),
    "no regions": MarginPlane("Empty", "x", "y", (), (), 0, (), (), ()),
}


def hostile(names):
    return {
        "hostile portraits": portraits(tuple(names), len(names), names),
        "hostile margins": margins(30, len(names), names, names[0], names[1]),
        "hostile plane": plane(30, len(names), names, names[0], names[1]),
    }
