"""The kernel trick: rings in a plane are parted by a plane in three dimensions that nobody need compute.

φ(x) = (x₁², √2 x₁x₂, x₂²),   φ(a)ᵀφ(b) = (aᵀb)² = K(a, b)                                    [SCH-PHI] [SCH-KERNEL]
"""

import numpy as np

from glaswerk.base import Array, Pipeline
from glaswerk.design import Landmarks, PolynomialBasis, StandardScaler
from glaswerk.facts import Fact, GroupPlane, Slider, Statement, Steps, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import SVC

ROWS, FRESH = 120, 2000
TURNS = tuple(range(0, 360, 30))
TILT = 20.0  # degrees from above the horizon
AXES = ("x₁²", "√2 x₁x₂", "x₂²")


def rings(seed: int, n: int = ROWS) -> tuple[Array, np.ndarray]:
    """A disc and a ring around it."""
    rng = np.random.default_rng([seed, n, 3])
    y = np.arange(n) % 2
    radius = np.where(y == 1, 1.6, 0.6) + 0.18 * rng.normal(size=n)
    turn = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)]), y


def lifted(X: Array) -> Array:
    """[SCH-PHI] Three features, written out."""
    return np.column_stack([X[:, 0] ** 2, np.sqrt(2.0) * X[:, 0] * X[:, 1], X[:, 1] ** 2])


def run(seed: int) -> list[Fact]:
    """The machine in the plane, the same in three dimensions as it turns, the identity, and the alternatives."""
    X, y = rings(seed)
    kernel = SVC(kernel="poly", degree=2, gamma=1.0, coef0=0.0, C=10.0, tol=1e-9).fit(X, y)
    plane = SVC(kernel="linear", C=10.0).fit(lifted(X), y)
    return [
        words(X, kernel, plane),
        kernel.margins(X, y, "In the plane: a border of degree two"),
        turning(X, y, plane),
        identity(X),
        alternatives(seed, X, y),
        *kernel.facts()[:1],
    ]


def words(X: Array, kernel: SVC, plane: SVC) -> Statement:
    off = float(np.abs(kernel.decision_function(X) - plane.decision_function(lifted(X))).max())
    w = plane.coef_[0]
    return Statement(
        "Two ways to the same machine",
        (
            "No line parts the rings; in three dimensions a plane does.",
            f"A machine that only ever computes (aᵀb)², and one that is given the three features: decision values "
            f"differ by at most {off:.1e}.",
            f"The plane: {w[0]:.3g} x₁² {w[1]:+.3g} √2 x₁x₂ {w[2]:+.3g} x₂² {plane.intercept_[0]:+.3g} = 0, "
            "which is nearly a circle in the plane of the rows.",
        ),
    )


def turning(X: Array, y: np.ndarray, model: SVC) -> Steps:
    """The lifted rows and the plane between them, seen from one side after another."""
    says = tuple(f"Turned by {turn}°: the plane is seen {'nearly from its edge' if turn == edge(model) else 'aslant'}."
                 for turn in TURNS)  # fmt: skip
    views = tuple((seen(X, y, model, turn),) for turn in TURNS)
    slider = Slider("turned by", tuple(f"{turn}°" for turn in TURNS))
    return Steps("In three dimensions: turn it", (slider,), views, says, TURNS.index(edge(model)))


def edge(model: SVC) -> int:
    """The turn at which most of the plane hides behind itself."""
    normal = model.coef_[0] / np.linalg.norm(model.coef_[0])
    return min(TURNS, key=lambda turn: abs(float(looking(turn)[2] @ normal)))


def looking(turn: float) -> Array:
    """Directions on the screen, right and up, and the line of sight."""
    a, b = np.deg2rad(turn), np.deg2rad(TILT)
    right = np.array([np.cos(a), np.sin(a), 0.0])
    sight = np.array([-np.sin(a) * np.cos(b), np.cos(a) * np.cos(b), -np.sin(b)])
    return np.stack([right, np.cross(right, sight), sight])


def seen(X: Array, y: np.ndarray, model: SVC, turn: float) -> GroupPlane:
    """Lifted rows, a piece of the plane, and the three axes, as they appear from one side."""
    eye = looking(turn)[:2]
    at = lifted(X) @ eye.T
    corners = square(model) @ eye.T
    points = tuple((float(a), float(b), int(k)) for (a, b), k in zip(at, y, strict=True))
    centres = tuple((float(a), float(b)) for a, b in (at[y == k].mean(axis=0) for k in (0, 1)))
    axes = tuple(line(name, [0.0, 3.5 * eye[0, k]], [0.0, 3.5 * eye[1, k]]) for k, name in enumerate(AXES))
    return GroupPlane(
        f"The lifted rows, turned by {turn}°", "to the right", "up", ("class 0", "class 1"), points, centres, len(X),
        (line("the plane", corners[:, 0], corners[:, 1]), *axes),
        says=f"Lines from 0 are the axes {', '.join(AXES)}; the square is a piece of the plane.",
    )  # fmt: skip


def square(model: SVC) -> Array:
    """A square piece of the plane around the point nearest to the middle of the rows, closed."""
    w, b = model.coef_[0], float(model.intercept_[0])
    middle = np.array([1.0, 0.0, 1.0])
    centre = middle - w * (w @ middle + b) / (w @ w)
    first = np.cross(w, [0.0, 1.0, 0.0])
    first /= np.linalg.norm(first)
    other = np.cross(w, first) / np.linalg.norm(w)
    return np.array([centre + 1.2 * (a * first + c * other) for a, c in ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 1))])


def identity(X: Array) -> Table:
    """[SCH-PHI] Both sides of the identity for some pairs of rows."""
    pairs = [(0, 1), (2, 5), (7, 7), (10, 31), (4, 90)]
    cells = tuple(
        (f"rows {a} and {b}", float(lifted(X[[a]])[0] @ lifted(X[[b]])[0]), float(X[a] @ X[b]) ** 2) for a, b in pairs
    )
    gap = float(np.abs(lifted(X) @ lifted(X).T - (X @ X.T) ** 2).max())
    note = f"Over all {len(X)} x {len(X)} pairs the two differ by at most {gap:.1e}."
    return Table("φ(a)ᵀφ(b) and K(a, b)", ("pair", "φ(a)ᵀφ(b)", "(aᵀb)²"), cells, (note,))


def alternatives(seed: int, X: Array, y: np.ndarray) -> Table:
    """[SCH-RBF] The polynomial trick, similarity to landmarks, and kernels, judged on fresh rows."""
    fresh, truth = rings(seed + 1, FRESH)
    known: dict[str, SVC | Pipeline] = {
        "linear, the columns as they are": SVC(kernel="linear"),
        "polynomial trick: degree 2 and a plane": Pipeline(
            [("powers", PolynomialBasis(2)), ("plane", SVC(kernel="linear"))]
        ),
        "six landmarks and a plane": Pipeline(
            [("scale", StandardScaler()), ("near", Landmarks(n_landmarks=6)), ("plane", SVC(kernel="linear", C=10.0))]
        ),
        "polynomial kernel of degree 2": SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0),
        "Gaussian kernel": SVC(),
    }
    rows = []
    for name, model in known.items():
        model.fit(X, y)
        machine = model[-1] if isinstance(model, Pipeline) else model
        wide = X[:1] if isinstance(model, SVC) else model[:-1].transform(X[:1])
        rows.append((name, wide.shape[1], len(machine.support_), 1.0 - float(np.mean(model.predict(fresh) == truth))))
    heads = ("machine", "columns it sees", "supporting rows", f"wrong, of {FRESH} fresh rows")
    return Table("Other ways to a bent border", heads, tuple(rows))


LAB = Lab(
    rows=("R76", "R77", "R78", "R48"),
    script="D, SVM: kernel trick, polynomial trick, similarity features",
    says="rings that a plane parts in three dimensions, the kernel's identity, polynomial trick and landmarks",
    run=run,
)
