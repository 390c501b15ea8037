"""Files written by this release must be read by every later one, with the same predictions.

Run as a script to write the files of a new release: `python -m tests.golden.test_golden_models --write`.
Nothing that exists is ever overwritten: a release's files are history.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import glaswerk
from glaswerk import (
    Adaline,
    BayesianLinearRegression,
    BestSubsetRegression,
    GradientDescentRegressor,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    PolynomialBasis,
    Ridge,
    RidgeCV,
    StandardScaler,
    load,
    save,
)
from glaswerk.model import Model, TableDesign
from glaswerk.table import read_table

FOLDER = Path(__file__).parent / "models"
X = np.round(np.linspace(-3, 3, 36).reshape(12, 3) ** 3 + np.arange(12)[:, None] % 5, 3)
Y = np.column_stack([X[:, 0] - 2 * X[:, 1] % 3, np.cos(X[:, 2])])
LABELS = np.array(["low", "high"])[(X[:, 0] + np.arange(12) % 3 * 9 > 8).astype(int)]
K = np.arange(360)
CELLS = {
    "y": np.round(np.cos(K) + K % 7 + K / 100, 3).tolist(),
    "x": [None if k % 50 == 3 else float(k * k % 97) for k in K],
    "colour": [("red", "blue", "green", None)[k * k * k % 11 % 4] for k in K],
    "size": [("S", "M", "L")[k % 13 % 3] for k in K],
    "new": [("yes", "no")[k % 17 % 2] for k in K],
    "sold": [str(np.datetime64("2023-01-01") + int(2 * k)) for k in K],
    "name": [f"item number {k}" for k in K],
}


def table():
    kinds = {"colour": "category", "sold": "date", "name": "text"}
    return read_table(CELLS, kinds=kinds, levels={"size": ["S", "M", "L"]})


def golden_models():
    near = np.column_stack([X[:, 0], X[:, 0] + 1e-9 * np.arange(12)])
    return {
        "line": LinearRegression().fit(X, Y[:, 0]),
        "targets-without-intercept": LinearRegression(fit_intercept=False).fit(X, Y),
        "nearly-dependent": LinearRegression().fit(near, Y[:, 0]),
        "pipeline": make_pipeline(StandardScaler(), PolynomialBasis(2), LinearRegression(tol=1e-12)).fit(
            X[:, :2], Y[:, 1]
        ),
        "table": Model(LinearRegression(), TableDesign(scale=True, basis=PolynomialBasis(2), most_levels=3)).fit(
            table(), target="y"
        ),
        "ridge": Ridge(2.5, penalty="half_sse", penalise_intercept=True).fit(X, Y),
        "ridge-cv": RidgeCV(np.geomspace(0.1, 100, 9), cv=4, repeats=10, selection="modal").fit(X, Y[:, 0]),
        "best-subset": BestSubsetRegression(selection=2).fit(X, Y[:, 0]),
        "descent": GradientDescentRegressor(standardize=True, n_epochs=30, tol=None).fit(X, Y[:, 0]),
        "adaline": Adaline(0.05, standardize=True, n_epochs=5).fit(X, LABELS),
        "perceptron": Perceptron(max_iter=5).fit(X, LABELS),
        "logistic": LogisticRegression(C=0.5).fit(X, LABELS),
        "bayes": BayesianLinearRegression().fit(X, Y),
        "table-of-classes": Model(LogisticRegression(), TableDesign(scale=True)).fit(table(), target="new"),
    }


def predictions(model):
    if isinstance(model, Model):
        classes = model.task_.name == "classification"
        return (model.predict_proba(table()) if classes else model.predict(table())).tolist()
    width = model.n_features_in_
    if hasattr(model, "decision_function"):
        return model.decision_function(X[:, :width]).tolist()
    return model.predict(X[:, :width]).tolist()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.glaswerk")), ids=lambda path: path.name)
def test_a_stored_model_is_read_and_predicts_what_it_did(path):
    stored = json.loads(path.with_suffix(".json").read_text())
    np.testing.assert_allclose(predictions(load(path)), stored, rtol=1e-12, atol=1e-12)


def test_every_model_of_this_release_is_stored():
    stored = {path.name for path in FOLDER.glob(f"{glaswerk.__version__}-*.glaswerk")}
    assert stored == {f"{glaswerk.__version__}-{name}.glaswerk" for name in golden_models()}


def write_missing():
    """The one way to add files: what a release has stored stays."""
    FOLDER.mkdir(exist_ok=True)
    for name, model in golden_models().items():
        path = FOLDER / f"{glaswerk.__version__}-{name}.glaswerk"
        if not path.exists():
            save(model, path)
            path.with_suffix(".json").write_text(json.dumps(predictions(model)))
            sys.stdout.write(f"wrote {path.name}\n")


if __name__ == "__main__" and "--write" in sys.argv:
    write_missing()
