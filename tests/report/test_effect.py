"""The fitted line of the strongest column: right where the model is known, honest where it is not."""

import numpy as np
import pytest

from glaswerk import LinearRegression, PolynomialBasis, learners
from glaswerk.model import Model, TableDesign
from glaswerk.report.effect import MOST_POINTS, STEPS, strongest_effect
from glaswerk.table import read_table

RNG = np.random.default_rng(1)
N = 120
STRONG, WEAK = RNG.uniform(0, 10, N), RNG.uniform(0, 1, N)
COLOUR = np.array(["red", "blue", "red"])[RNG.integers(0, 3, N)]
Y = 3.0 * STRONG - 1.0 * WEAK + 2.0 * (COLOUR == "blue") + 5
TABLE = read_table({"weak": WEAK, "strong": STRONG, "colour": COLOUR.tolist(), "y": Y})
NONE = np.zeros(N)


def fitted(design=None, table=TABLE, **options):
    return Model(LinearRegression(), design).fit(table, target="y", **options)


def test_the_line_of_a_linear_model_is_known():
    curve = strongest_effect(fitted(), TABLE, NONE, 0.95)
    line = curve.lines[0]
    assert curve.x_title == "strong" and len(line.x) == STEPS
    commonest = 2.0 if (COLOUR == "blue").sum() * 2 > N else 0.0
    np.testing.assert_allclose(line.y, 3 * np.array(line.x) - WEAK.mean() + commonest + 5, rtol=1e-9)
    assert line.x[0] == STRONG.min() and line.x[-1] == pytest.approx(STRONG.max())


def test_points_are_the_line_plus_the_residual():
    residuals = RNG.normal(0, 1, N)
    line, points = strongest_effect(fitted(), TABLE, residuals, 0.95).lines
    slope = (line.y[-1] - line.y[0]) / (line.x[-1] - line.x[0])
    expected = line.y[0] + slope * (STRONG - line.x[0]) + residuals
    assert points.form == "points" and len(points.x) == N
    np.testing.assert_allclose(points.y, expected, rtol=1e-9)


def test_the_band_is_the_interval_of_the_mean():
    noisy = read_table({"x": STRONG, "y": Y + RNG.normal(0, 2, N)})
    model = fitted(table=noisy)
    line = strongest_effect(model, noisy, NONE, 0.9).lines[0]
    grid = model.design_.transform(read_table({"x": list(line.x)}))
    limits = model.learner_.predict_interval(grid, 0.9, of="mean")
    np.testing.assert_allclose(np.column_stack([line.lower, line.upper]), limits, rtol=1e-9)


def test_curved_models_give_curved_lines():
    bent = read_table({"x": STRONG, "y": STRONG**2})
    line = strongest_effect(fitted(TableDesign(basis=PolynomialBasis(2)), bent), bent, NONE, 0.95).lines[0]
    np.testing.assert_allclose(line.y, np.array(line.x) ** 2, atol=1e-8)


def test_many_rows_are_thinned_and_it_is_said():
    many = read_table({"x": np.arange(2_000.0), "y": np.arange(2_000.0)})
    curve = strongest_effect(fitted(table=many), many, np.zeros(2_000), 0.95)
    assert len(curve.lines[1].x) == MOST_POINTS
    assert any("500 of 2,000 rows are shown" in note for note in curve.notes)


def test_missing_cells_and_dates_are_no_hindrance():
    cells = {"x": [None, *STRONG[1:].tolist()], "when": [f"2024-01-{1 + k % 28:02d}" for k in range(N)], "y": Y}
    table = read_table(cells, kinds={"when": "date"})
    curve = strongest_effect(fitted(table=table), table, NONE, 0.95)
    assert curve.x_title == "x" and len(curve.lines[1].x) == N - 1


def test_without_a_numeric_column_there_is_no_line():
    table = read_table({"colour": COLOUR.tolist(), "y": Y})
    assert strongest_effect(fitted(table=table), table, NONE, 0.95) is None


@pytest.mark.skipif(not hasattr(learners, "LogisticRegression"), reason="the learner is not there yet")
def test_classes_give_probabilities():
    table = read_table({"x": STRONG, "y": np.where(STRONG > 5, "high", "low").tolist()})
    model = Model(learners.LogisticRegression()).fit(table, target="y", positive="high")
    curve = strongest_effect(model, table, np.zeros(0), 0.95)
    (line,) = curve.lines
    assert line.name == "high" and line.y[0] < 0.1 < 0.9 < line.y[-1]
    assert list(line.y) == sorted(line.y)
