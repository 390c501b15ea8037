"""No free lunch: several learners on several tables, and none is best on all of them, as script A says."""

from collections.abc import Sequence

import numpy as np

from glaswerk.base import Pipeline
from glaswerk.design import OrthogonalPolynomialBasis
from glaswerk.evaluate import ArrayProblem, compare_on_tables
from glaswerk.facts import Curve, Fact
from glaswerk.labs.lab import Lab, line
from glaswerk.learners import KNeighborsRegressor, LinearRegression, Ridge

ROWS, COLUMNS = 80, 20


def run(seed: int) -> Sequence[Fact]:
    """Five learners on four tables, each made so that another assumption is right."""
    random = np.random.default_rng([seed, 150])
    x, wide = random.uniform(-1.0, 1.0, (ROWS, 1)), random.normal(size=(ROWS, COLUMNS))
    noise = random.standard_normal((4, ROWS))
    steps = np.where(np.floor(8 * x[:, 0]) % 2 == 0, 1.0, -1.0)
    problems = {
        "straight": ArrayProblem(x, 2 * x[:, 0] + 0.8 * noise[0]),
        "a wave": ArrayProblem(x, np.sin(np.pi * x[:, 0]) + 0.3 * noise[1]),
        "steps": ArrayProblem(x, steps + 0.2 * noise[2]),
        "many weak columns": ArrayProblem(wide, wide @ np.full(COLUMNS, 0.3) + 2.5 * noise[3]),
    }
    candidates = {
        "line": LinearRegression(),
        "ridge": Ridge(alpha=50.0),
        "cubic": Pipeline([("basis", OrthogonalPolynomialBasis(degree=3)), ("line", LinearRegression())]),
        "3 neighbours": KNeighborsRegressor(3),
        "30 neighbours": KNeighborsRegressor(30),
    }
    table, statement = compare_on_tables(candidates, problems, folds=5, repeats=2, seed=seed)
    numbered = ", ".join(f"{k} {name}" for k, name in enumerate(problems, start=1))
    lines = tuple(line(str(row[0]), np.arange(1, len(problems) + 1), row[1:-1]) for row in table.table().rows)
    curve = Curve(
        "Error by table", f"table: {numbered}", "error as a part of the baseline's", lines, "The lines cross."
    )
    return [table, curve, statement]


LAB = Lab(
    rows=("R150",),
    script="A, no free lunch theorem",
    says="five learners on four tables: each table has another winner, since each learner assumes another thing",
    run=run,
)
