"""A learner bound to a table by names: known coefficients, scikit-learn as oracle, files, refusals."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression as Rival
from sklearn.naive_bayes import GaussianNB as RivalClassifier
from sklearn.pipeline import make_pipeline

from glaswerk import FunctionBasis, LinearRegression, PolynomialBasis, StandardScaler, archive, load, save
from glaswerk.archive import ArchiveError
from glaswerk.base import Warned
from glaswerk.facts import Coefficients, Statement, Table
from glaswerk.model import Model, TableDesign
from glaswerk.table import TableError, read_table

pandas = pytest.importorskip("pandas")


def cars(n=80, seed=0):
    """A table in the manner of Auto MPG: gaps, an origin, a name per row, a target that some rows lack."""
    rng = np.random.default_rng(seed)
    weight, year = np.round(rng.normal(3000, 500, n)), rng.integers(70, 83, n)
    origin = rng.choice(["usa", "europe", "japan"], n, p=[0.6, 0.2, 0.2])
    mpg = 60 - 0.007 * weight + 0.5 * (year - 70) + 3.0 * (origin == "japan") + rng.normal(0, 1, n)
    horsepower = np.where(rng.random(n) < 0.1, np.nan, np.round(weight / 30))
    return pandas.DataFrame(
        {
            "mpg": np.where(np.arange(n) % 40 == 7, np.nan, np.round(mpg, 1)),
            "weight": weight,
            "horsepower": horsepower,
            "year": year,
            "origin": origin,
            "economical": np.where(mpg > 42, "yes", "no"),
            "name": [f"car of line {k}" for k in range(n)],
        }
    )


def inputs(frame):
    """The matrix a careful person would make by hand."""
    horsepower = frame["horsepower"]
    columns = {
        "weight": frame["weight"],
        "horsepower": horsepower.fillna(horsepower.mean()),
        "horsepower is missing": horsepower.isna().astype(float),
        "year": frame["year"],
        **{f"origin: {level}": (frame["origin"] == level).astype(float) for level in ("europe", "japan")},
    }
    return pandas.DataFrame(columns)


def fitted(**options):
    frame = cars()
    return frame, Model(LinearRegression(), **options).fit(frame.drop(columns="economical"), target="mpg")


# Known numbers and oracle


def test_coefficients_equal_those_of_the_matrix_made_by_hand():
    frame, model = fitted()
    known = frame[frame["mpg"].notna()]
    rival = Rival(tol=0).fit(inputs(known), known["mpg"])
    assert model.design_.names_ == tuple(inputs(known).columns)
    np.testing.assert_allclose(model.learner_.coef_, rival.coef_, rtol=1e-9, atol=1e-9)
    assert model.learner_.intercept_ == pytest.approx(rival.intercept_, rel=1e-10)
    np.testing.assert_allclose(model.predict(known), rival.predict(inputs(known)), rtol=1e-12)
    assert model.score(frame) == pytest.approx(rival.score(inputs(known), known["mpg"]), rel=1e-12)


def test_facts_speak_the_tables_names_and_tell_what_was_left_out():
    model = fitted()[1]
    facts = model.facts()
    coefficients = facts.of_kind(Coefficients)[0]
    assert coefficients.target == "mpg"
    assert [row.name for row in coefficients.rows][:3] == ["intercept", "weight", "horsepower"]
    assert facts.of_kind(Table)[0].title == "What became of each column"
    assert facts.of_kind(Statement)[0].sentences[1] == "2 row(s) left out: the target is missing"
    assert model.dropped_ == (("the target is missing", 2),)
    assert "car of line" not in str(facts)


def test_weights_are_repetitions_and_rows_without_one_are_left_out():
    frame = cars().drop(columns="economical")
    frame["times"] = [2.0, 1.0, 3.0, 1.0] * 20
    repeated = frame.loc[frame.index.repeat(frame["times"].astype(int))].drop(columns="times")
    weighted = Model(LinearRegression()).fit(frame, target="mpg", weight="times")
    again = Model(LinearRegression()).fit(read_table(repeated, kinds={"name": "text"}), target="mpg")
    np.testing.assert_allclose(weighted.learner_.coef_, again.learner_.coef_, rtol=1e-9)
    assert weighted.score(frame) == pytest.approx(again.score(repeated), rel=1e-12)
    frame.loc[3, "times"] = np.nan
    assert weighted.score(frame) == pytest.approx(weighted.score(frame.drop(index=3)), rel=1e-14)
    dropped = Model(LinearRegression()).fit(frame, target="mpg", weight="times").dropped_
    assert dropped == (("the target is missing", 2), ("the weight is missing", 1))


def test_intervals_are_those_of_the_learner():
    frame, model = fitted()
    limits = model.predict_interval(frame, level=0.8)
    expected = model.learner_.predict_interval(model.design_.transform(read_table(frame)), 0.8)
    np.testing.assert_array_equal(limits, expected)
    assert ((limits[:, 0] < model.predict(frame)) & (model.predict(frame) < limits[:, 1])).all()


def test_classes_keep_the_tables_words_in_the_tasks_order():
    frame = cars()[["weight", "year", "origin"]]
    model = Model(RivalClassifier()).fit(frame.assign(k=[10, 9, 2, 9] * 20), target="k", task="classification")
    assert model.classes_ == ("2", "9", "10")
    shares = model.predict_proba(frame)
    assert shares.shape == (80, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    rival = [np.argmax(row) for row in shares]
    assert model.predict(frame).tolist() == [model.classes_[k] for k in rival]
    assert 0 <= model.score(frame.assign(k=[10, 9, 2, 9] * 20)) <= 1


def test_a_pipeline_may_be_the_learner():
    frame = cars().drop(columns=["economical", "name"])
    model = Model(make_pipeline(StandardScaler(), LinearRegression())).fit(frame, target="mpg", weight="year")
    plain = Model(LinearRegression()).fit(frame, target="mpg", weight="year")
    np.testing.assert_allclose(model.predict(frame), plain.predict(frame), rtol=1e-9)
    np.testing.assert_allclose(model.predict_interval(frame), plain.predict_interval(frame), rtol=1e-9)
    assert [row.name for row in model.facts()[0].rows] == [row.name for row in plain.facts()[0].rows]


# Tables of every form


def test_a_column_of_digits_that_was_a_category_stays_one(tmp_path):
    frame = cars().drop(columns="economical").assign(plant=[1, 2, 3, 4] * 20)
    model = Model(LinearRegression()).fit(read_table(frame, kinds={"plant": "category"}), target="mpg")
    expected = model.predict(read_table(frame, kinds={"plant": "category"}))
    frame.to_csv(tmp_path / "new.csv", index=False)
    np.testing.assert_array_equal(model.predict(frame), expected)
    np.testing.assert_array_equal(model.predict(tmp_path / "new.csv"), expected)
    np.testing.assert_allclose(model.predict(frame.head(1)), expected[:1], rtol=1e-14)


def test_one_row_of_a_flag_or_an_ordered_column_keeps_its_meaning():
    frame = cars().drop(columns="economical").assign(size=["S", "L", "M", "S"] * 20, new=["no", "yes"] * 40)
    t = read_table(frame, levels={"size": ["S", "M", "L"]})
    model = Model(LinearRegression()).fit(t, target="mpg")
    assert {"size", "new: yes"} <= set(model.design_.names_)
    expected = model.predict(t)
    for k in range(3):
        np.testing.assert_allclose(model.predict(frame.iloc[[k]]), expected[[k]], rtol=1e-14)
    booleans = frame.assign(new=frame["new"] == "yes")
    np.testing.assert_array_equal(model.predict(booleans), expected)


def test_few_rows_are_read_as_training_read_them():
    frame, model = fitted()
    whole = model.predict(frame)
    for k in range(5):
        np.testing.assert_allclose(model.predict(frame.iloc[[k]].drop(columns="mpg")), whole[[k]], rtol=1e-14)


def test_cells_that_do_not_read_as_before_are_told():
    frame, model = fitted()
    new = frame.head(3).assign(weight=["heavy", "light", "3000"])
    with (
        pytest.warns(Warned, match="'weight': a missing cell in 2 row"),
        pytest.warns(Warned, match=r"'weight': 2 cell\(s\) do not read as number, such as 'heavy' in row 1"),
    ):
        model.predict(new)


# The contract


def test_a_model_is_cloned_without_what_it_learnt():
    model = fitted(design=TableDesign(basis=PolynomialBasis(2)))[1]
    copy = clone(model)
    assert repr(copy) == repr(model)
    assert copy.get_params()["design__basis__degree"] == 2
    with pytest.raises(ValueError, match="not fitted"):
        copy.predict(cars())
    assert not hasattr(model.learner, "solution_")


def test_a_design_that_drops_tells_how_many_rows():
    frame, model = fitted(design=TableDesign(missing="drop"))
    gaps = int((frame["horsepower"].isna() & frame["mpg"].notna()).sum())
    assert ("an input is missing", gaps) in model.dropped_
    assert len(frame) - 2 - gaps == model.facts()[1].rows


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (Model(LinearRegression()), {"target": "mgp"}, "no column 'mgp': did you mean 'mpg'"),
        (Model(LinearRegression()), {"target": "economical"}, "LinearRegression predicts numbers, .* classification"),
        (Model(RivalClassifier()), {"target": "weight"}, "GaussianNB predicts classes, .* regression"),
        (Model(LinearRegression()), {"target": "mpg", "weight": "mpg"}, "must be different columns"),
        (Model(LinearRegression()), {"target": "mpg", "weight": "origin"}, "'origin'.*no numbers"),
        (
            Model(LinearRegression()),
            {"target": "mpg", "weight": "debt"},
            r"weight 'debt' must be finite and >= 0: row 1 \(counted from 1\) holds -1.0",
        ),
        (Model(3), {"target": "mpg"}, "Model: learner must be a learner with fit and predict, got 3"),
        (Model(LinearRegression(), 3), {"target": "mpg"}, "design must be None or a TableDesign"),
    ],
)
def test_bad_input_is_refused_with_its_reason(model, options, message):
    with pytest.raises(ValueError, match=message):
        model.fit(cars().assign(debt=-1.0), **options)


def test_what_a_learner_does_not_give_is_said():
    model = Model(Rival()).fit(cars().drop(columns="economical"), target="mpg")
    with pytest.raises(TypeError, match="LinearRegression gives no intervals"):
        model.predict_interval(cars())
    with pytest.raises(TypeError, match="LinearRegression gives no probabilities"):
        model.predict_proba(cars())
    with pytest.raises(TableError, match="target 'mpg' has no value in any of 1 rows"):
        model.score(cars().iloc[[7]])


# Files


def hostile():
    frame = cars().drop(columns=["economical", "name"])
    return frame.rename(
        columns={"weight": "$array", "origin": "<script>alert(1)</script>", "year": "a\u202e\x1b[31m\n"}
    )


DESIGNS = {
    "plain": lambda: Model(LinearRegression()),
    "scaled polynomial": lambda: Model(LinearRegression(), TableDesign(scale=True, basis=PolynomialBasis(2))),
    "basis of two steps": lambda: Model(
        LinearRegression(), TableDesign(basis=make_pipeline(StandardScaler(), PolynomialBasis(2)))
    ),
    "levels": lambda: Model(LinearRegression(weights="precisions"), TableDesign(missing="drop", most_levels=2)),
    "pipeline": lambda: Model(make_pipeline(StandardScaler(), LinearRegression())),
}


@pytest.mark.parametrize("name", list(DESIGNS))
@pytest.mark.parametrize("make", [lambda: cars().drop(columns="economical"), hostile], ids=["cars", "hostile"])
def test_a_model_comes_back_from_its_file_bit_for_bit(tmp_path, name, make):
    frame = make().assign(when=pandas.date_range("2024-01-01", periods=80, freq="7D"), ready=[True, False] * 40)
    model = DESIGNS[name]().fit(frame, target="mpg")
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
        assert again.score(frame) == model.score(frame)
    assert str(again.facts()) == str(model.facts())
    assert repr(again.learner) == repr(model.learner)
    assert repr(again.design) == repr(model.design or TableDesign())
    save(again, tmp_path / "twice")
    assert (tmp_path / "twice").read_bytes() == (tmp_path / "m").read_bytes()


def test_functions_are_named_and_foreign_learners_are_not_stored(tmp_path):
    frame = cars().drop(columns="economical")
    model = Model(LinearRegression(), TableDesign(basis=FunctionBasis(np.sqrt))).fit(frame, target="mpg")
    with pytest.raises(ValueError, match="a file holds none: name it"):
        model.save(tmp_path / "m")
    model.save(tmp_path / "m", functions={"root": np.sqrt})
    again = load(tmp_path / "m", functions={"root": np.sqrt})
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    with pytest.raises(TypeError, match="LinearRegression cannot be saved"):
        Model(Rival()).fit(frame, target="mpg").save(tmp_path / "rival")
    with pytest.raises(ValueError, match="not fitted"):
        Model(LinearRegression()).save(tmp_path / "empty")


FORGERIES = {
    "no task": (lambda t: t.pop("task"), "a learner, a design, a task"),
    "task of another type": (lambda t: t.update(task="regression"), "of another type"),
    "no encoders": (lambda t: t["design"].pop("encoders"), "lacks parameters, encoders"),
    "encoders of another type": (lambda t: t["design"].update(encoders=(1,)), "encoders are of another type"),
    "fewer encoders": (lambda t: t["design"].update(encoders=t["design"]["encoders"][:1]), "the learner takes 6"),
    "kinds without columns": (lambda t: t["design"].update(kinds={}), "belongs to no column"),
    "places beyond": (lambda t: t["design"]["measured"].update(scaled=(99,)), "numbered wrongly"),
    "places without a scaler": (lambda t: t["design"]["measured"].update(scaled=(0,)), "does not belong"),
    "unknown parameter": (lambda t: t["design"]["parameters"].update(evil=1), "unexpected keyword"),
    "parameter not allowed": (lambda t: t["design"]["parameters"].update(missing="x"), "missing must be"),
    "count of rows": (lambda t: t.update(dropped=(1,)), "of another type"),
    "aside": (lambda t: t["design"].update(aside=3), "aside of the design is of another type"),
    "repeats": (lambda t: t["design"].update(repeats=((1,),)), "repeats of the design is of another type"),
    "no learner": (lambda t: t.update(model=3), "lacks class"),
}


@pytest.mark.parametrize("name", list(FORGERIES))
def test_a_forged_model_is_refused(tmp_path, name):
    change, message = FORGERIES[name]
    tree = fitted()[1].as_tree({})
    change(tree)
    archive.write(tmp_path / "forged", tree, kind="model")
    with pytest.raises(ArchiveError, match=message):
        load(tmp_path / "forged")
