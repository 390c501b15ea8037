"""Partial dependence: a line for a line, steps at rows that exist, levels with their counts."""

import numpy as np
import pytest

from glaswerk import LinearRegression, load_iris
from glaswerk.explain import partial_dependence
from glaswerk.explain.dependence import STEPS
from glaswerk.learners import LogisticRegression
from glaswerk.model import Model
from glaswerk.table import read_table

RNG = np.random.default_rng(0)
TABLE = read_table({
    "size": RNG.uniform(20, 120, 200).round(1).tolist(),
    "place": RNG.choice(["town", "lake", "hill"], 200).tolist(),
    "price": RNG.normal(size=200).tolist(),
})  # fmt: skip
MODEL = Model(LinearRegression()).fit(TABLE, target="price")


def test_a_line_depends_along_its_slope_and_its_limits_are_parallel():
    found = partial_dependence(MODEL, TABLE, "size")
    slope = MODEL.learner_.coef_[list(MODEL.design_.names_).index("size")]
    np.testing.assert_allclose(np.diff(found.mean), slope * np.diff(found.values), rtol=1e-9)
    np.testing.assert_allclose(np.subtract(found.upper, found.lower), found.upper[0] - found.lower[0])
    assert len(found.values) == STEPS and set(found.values) <= set(TABLE["size"].numbers())
    assert sum(count for *_, count in found.histogram) == 200


def test_the_mean_is_that_of_the_rows_with_the_value_put_in():
    found = partial_dependence(MODEL, TABLE, "place")
    rows = {name: TABLE[name].series.to_list() for name in ("size", "place")}
    for (level, count), mean in zip(found.levels, found.mean, strict=True):
        assert count == rows["place"].count(level)
        assert mean == pytest.approx(MODEL.predict({**rows, "place": [level] * 200}).mean(), rel=1e-9)


def test_of_classes_the_positive_one_or_the_likeliest_is_followed():
    model = Model(LogisticRegression()).fit(load_iris(), target="species")
    found = partial_dependence(model, load_iris(), "petal_length", output="virginica")
    assert found.target == "probability of virginica"
    assert list(found.mean) == sorted(found.mean) and 0 <= min(found.lower) <= max(found.upper) <= 1


def test_a_column_the_model_does_not_look_at_is_refused():
    with pytest.raises(ValueError, match="column must be one the model looks at"):
        partial_dependence(MODEL, TABLE, "price")


def test_a_column_without_a_value_is_refused_by_name():
    table = read_table({"empty": [None] * 12, "size": list(range(12)), "price": [float(k % 5) for k in range(12)]})
    model = Model(LinearRegression()).fit(table, target="price")
    with pytest.raises(ValueError, match="column 'empty' holds no value"):
        partial_dependence(model, table, "empty")
