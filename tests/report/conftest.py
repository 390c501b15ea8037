"""Analyses made by hand, one of them hostile: page and twin are tested without fitting anything."""

import dataclasses
import math

import numpy as np
import pytest

from glaswerk import DecisionTreeRegressor
from glaswerk.facts import (
    Candidate,
    Coefficient,
    Coefficients,
    ColumnCard,
    Comparison,
    Curve,
    DataCard,
    Finding,
    Goodness,
    Line,
    MethodCard,
    Numerics,
    OutOfFold,
    Statement,
    Table,
)
from glaswerk.facts import Confusion as ConfusionFact
from glaswerk.report.contents import Analysis, Reproduction, Section
from glaswerk.report.twin import result_hash
from tests.figures.explained import EXPLAINED, contributions, segments
from tests.figures.samples import steps

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "<svg/onload=alert(3)>",
    '=HYPERLINK("http://evil.invalid","x")',
    "\x1b[31mred\x1b]0;title\x07",
    "a\u202eb\u2066c",
    "{{ 7 * 7 }}{% include 'x' %}",
    "'\"&amp;<!--",
    "\u2028\u2029\x00\x85",
    "x" * 10_000,
)


def hand_made(names=("weight", "horsepower", "origin"), target="mpg", table="cars.csv", text="usa"):
    """A small regression report with every kind of fact, whose words from the table can be replaced."""
    first, second, third = names
    rng = np.random.default_rng(0)
    observed = rng.normal(23, 7, 120)
    predicted = observed + rng.normal(0, 3, 120)
    card = DataCard(
        table,
        120,
        (
            ColumnCard(
                first, "number", missing=2, missing_tokens=((text, 2),), distinct=60, minimum=1600.0, median=2800.0,
                maximum=5100.0, mean=2970.4, deviation=840.0,
                histogram=tuple((1600.0 + 350 * k, 1950.0 + 350 * k, 20 - k) for k in range(10)), notes=(text,),
            ),
            ColumnCard(
                second, "number", failed=1, failed_examples=((7, text),), distinct=40, minimum=46.0, maximum=230.0,
                median=93.0, mean=104.0, histogram=((46.0, 138.0, 80), (138.0, 230.0, 40)),
            ),
            ColumnCard(third, "category", role="set aside", distinct=2, levels=((text, 70), ("japan", 50))),
            ColumnCard(
                target, "number", role="target", distinct=100, minimum=9.0, maximum=46.6, mean=23.5, median=23.0
            ),
        ),
        reading=(("separator", text),),
        fingerprint="f" * 64,
        notes=(text,),
    )  # fmt: skip
    comparison = Comparison(
        "RMSE", "lower", "shuffled 10-fold cross-validation, repeated 3 times (seed 0)", 0.95,
        (
            Candidate("linear regression", 3.32, 2.9, 3.7, 3.25, 0.0, None, None, "best", 30,
                      tuple(rng.normal(3.3, 0.2, 30)),
                      ("better than the baseline by 4.5 (95 % interval 4.1 to 4.9)", text), 4.5, 4.1, 4.9),
            Candidate("quadratic regression", 3.4, 3.0, 3.8, 2.9, 0.08, -0.1, 0.3, "cannot tell", 30, (3.4, 3.5)),
            Candidate("broken", math.nan, None, None, None, None, None, None, "failed", 1, (), (text,)),
            Candidate("baseline", 7.82, 7.0, 8.5, 7.8, 4.5, 4.1, 4.9, "worse", 30, (7.8, 7.9)),
        ),
        "baseline",
        ("differences are paired",),
    )  # fmt: skip
    x = tuple(np.linspace(1600, 5100, 20).tolist())
    y = tuple((46 - 0.0077 * np.array(x)).tolist())
    inside = (
        Coefficients(
            target, 0.95,
            (
                Coefficient("intercept", 45.6, 1.2, 38.0, 0.0, 43.2, 48.0),
                Coefficient(first, -0.0064721, 0.0006, -10.8, 1e-16, -0.0077, -0.0053),
                Coefficient(f"{third}: {text}", 2.1, None, None, None, None, None),
            ),
            (text,),
        ),
        Goodness(target, 120, 120.0, 116.0, 1200.0, 7000.0, 0.83, 3.3, 0.09, -300.0),
        Numerics("Gram and Cholesky", 1, 4, 4, 12.0, 15.2, 14.1),
        Curve(
            f"{target} over {first}", first, target,
            (Line("fitted", x, y, tuple(v - 1 for v in y), tuple(v + 1 for v in y)),
             Line("rows", x, tuple(v + 2 for v in y), form="points")),
            f"{target} falls with {first}.",
        ),
        *EXPLAINED.values(),
        contributions((*names, text), target),
        segments((*names, text)),
        steps((*names, text), f"Under other penalties for {target}"),
        tree((*names, text), target),
        MethodCard("least squares", "ŷ = w₀ + Σ wⱼ xⱼ", ("BOE-E",), "n d²", ("linear",), "linear", "least", ("x",)),
    )  # fmt: skip
    grid = [-2, -1, 0, 1, 2]
    residuals = OutOfFold(
        target, "linear regression", 120, tuple(range(120)), tuple(observed.tolist()), tuple(predicted.tolist()),
        tuple((float(q), float(q) * 1.1) for q in grid), ((0.5, 0.52), (0.9, 0.893)), (text,),
    )  # fmt: skip
    confusion = ConfusionFact(target, "logistic", (text, "b"), ((50.0, 3.0), (2.0, 45.0)))
    sections = (
        Section("verdict", "Verdict", (
            Statement("", (f"Linear regression predicts {target} best.", f"The rows hold {text}.")),
            Finding("GW003", "warning", f"Duplicate columns: {first}", f"{first} equals {second}", f"drop {second}"),
            Finding("GW007", "note", "Few rows", "120 rows", "collect more"),
        )),
        Section("data", "Data", (card,)),
        Section("comparison", "Comparison", (comparison,)),
        Section("diagnosis", "Diagnosis", (Statement("Under- or overfitting?", ("Neither.",)),)),
        Section("inside", "Inside the best model", inside),
        Section("residuals", "Residuals", (residuals, confusion)),
        Section("method", "Method and reproduction", (
            Statement("What was not checked", ("Whether the rows are independent.",)),
            Table("What became of each column", ("column", "becomes"), ((first, "as it is"), (third, text))),
        )),
    )  # fmt: skip
    how = Reproduction(
        f"glaswerk report {table} --target {target} --seed 0", f"gw.report({table!r})", 0, (("glaswerk", "0.1.0"),),
        "f" * 64, result_hash(sections),
    )  # fmt: skip
    return Analysis(table, target, "regression", (("seed", 0), ("folds", 10)), sections, how, (("validation", 0.5),))


def tree(names, target):
    """A grown tree whose columns bear these names."""
    cells = np.random.default_rng(0).normal(size=(90, len(names)))
    grown = DecisionTreeRegressor(max_depth=5).fit(cells, cells[:, 0] + cells[:, 1] ** 2).tree_fact()
    return dataclasses.replace(grown, columns=tuple(names), target=target, title=f"Regression tree for {target}")


@pytest.fixture(scope="session")
def analysis():
    return hand_made()


@pytest.fixture(scope="session")
def hostile():
    """Every name and cell is an attack, all of them at once in the texts."""
    return hand_made(HOSTILE[:3], HOSTILE[3] + HOSTILE[5], HOSTILE[1], "".join(HOSTILE))
