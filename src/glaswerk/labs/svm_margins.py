"""Hard and soft margins: the widest street between two classes, what proves it, and what C pays for a row inside.

½ ‖w‖² + C Σ max(0, 1 - yᵢ f(xᵢ)),   f(x) = wᵀx + b,   w = Σ αᵢ yᵢ xᵢ         [SCH-HARD] [SCH-SOFT] [SCH-W] [SCH-DUAL]
"""

import numpy as np

from glaswerk.base import Array
from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import SVC

ROWS = 40
COSTS = np.array([0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0, 1000.0])
MEETING = 1.1  # half the distance of the centres where the clouds overlap; and apart:
APART = 2.4


def clouds(seed: int, half: float) -> tuple[Array, np.ndarray]:
    """Two round clouds around (±half, 0)."""
    rng = np.random.default_rng([seed, 7])
    y = np.repeat([-1, 1], ROWS // 2)
    return np.column_stack([half * y, np.zeros(ROWS)]) + 0.8 * rng.normal(size=(ROWS, 2)), y


def run(seed: int) -> list[Fact]:
    """A hard margin with its certificate, soft margins on clouds that meet, w and b from α, and the street over C."""
    X, y = clouds(seed, APART)
    hard = SVC(C=np.inf, kernel="linear").fit(X, y)
    Z, t = clouds(seed, MEETING)
    soft = {C: SVC(C=C, kernel="linear").fit(Z, t) for C in (0.01, 100.0)}
    return [
        certificates(hard, Z, t),
        hard.margins(X, y, "A hard margin: the widest street between two classes"),
        recovered(hard, X, y),
        *(model.margins(Z, t, f"A soft margin, C = {C:g}") for C, model in soft.items()),
        *street(Z, t),
        proofs(Z, t),
    ]


def certificates(hard: SVC, Z: Array, t: np.ndarray) -> Statement:
    """[SCH-HARD] Both ends a hard margin can have."""
    try:
        SVC(C=np.inf, kernel="linear").fit(Z, t)
        refused = "The clouds that meet are separable after all."
    except ValueError as error:
        refused = f"On the clouds that meet a hard margin is refused: {error}."
    return Statement(
        "Is there a plane between them?",
        (f"The clouds apart are {hard.solution_.machines[0].certificate}.", refused),
    )


def recovered(model: SVC, X: Array, y: np.ndarray) -> Table:
    """[SCH-W] w and b from the weights of the supporting rows, beside what the fitted machine says."""
    beta, rows = model.dual_coef_[0], model.support_
    w = beta @ X[rows]
    b = float(np.mean(y[rows] - X[rows] @ w))
    cells = (
        ("w₁", float(w[0]), float(model.coef_[0, 0])),
        ("w₂", float(w[1]), float(model.coef_[0, 1])),
        ("b", b, float(model.intercept_[0])),
        ("Σ αᵢ yᵢ, which the slide leaves out", float(beta.sum()), 0.0),
        ("width of the street, 2 / ‖w‖", 2.0 / float(np.hypot(*w)), model.solution_.machines[0].width),
        ("least yᵢ f(xᵢ)", float((y * model.decision_function(X)).min()), 1.0),
    )
    note = f"{len(rows)} of {len(y)} rows support the plane; all others could be left out."
    return Table("w and b from the supporting rows", ("", "Σ αᵢ yᵢ xᵢ", "the machine"), cells, (note,))


def street(Z: Array, t: np.ndarray) -> list[Curve]:
    """The width of the street over C, and who stands in it."""
    models = [SVC(C=C, kernel="linear").fit(Z, t) for C in COSTS]
    width = line("width", COSTS, [model.solution_.machines[0].width for model in models])
    says = "The dearer a row inside, the narrower the street, until it cannot be bought narrower."
    share = line("support the border", COSTS, [len(model.support_) / len(t) for model in models])
    wrong = line("on the wrong side", COSTS, [1.0 - model.score(Z, t) for model in models])
    fewer = "The narrower the street, the fewer rows support it."
    return [
        Curve("The street over C", "C", "width of the street", (width,), says, x_scale="log", y_scale="log"),
        Curve("Who stands in the street", "C", "share of the rows", (share, wrong), fewer, x_scale="log"),
    ]


def proofs(Z: Array, t: np.ndarray) -> Table:
    """[SCH-SOFT] [SCH-DUAL] Primal and dual objective of every C: the optimum lies between them."""
    rows = []
    for C in COSTS:
        m = SVC(C=C, kernel="linear").fit(Z, t).solution_.machines[0]
        rows.append((float(C), m.primal, m.dual, m.gap, m.violation, m.width, len(m.rows), m.bounded))
    heads = (
        "C",
        "primal",
        "dual",
        "relative gap",
        "worst KKT violation",
        "width",
        "supporting rows",
        "inside the street",
    )
    return Table("What proves every answer", heads, tuple(rows), ("Whatever the optimum is, it lies between the two.",))


LAB = Lab(
    rows=("R73", "R74", "R75", "R80", "R79"),
    script="D, SVM: hard margin, soft margin, dual problem",
    says="a hard margin with its certificate, soft margins over C, w and b from α, the duality gap",
    run=run,
)
