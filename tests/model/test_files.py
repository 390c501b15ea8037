"""Models in files: what comes back, what is refused. Damage to the container itself is tested in tests/archive."""

import copy

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from glaswerk import FunctionBasis, LinearRegression, PolynomialBasis, StandardScaler, archive, load, save
from glaswerk.archive import ArchiveError


def table(n=40, d=2):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, X @ np.arange(1.0, d + 1) + rng.normal(size=n)


def bend(X):
    return np.sin(X)


def models():
    X, y = table()
    near = table(9000)[0]
    near[:, 1] = near[:, 0] + 1e-8 * near[:, 1]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b"])
    return {
        "plain": LinearRegression().fit(X, y),
        "targets": LinearRegression(fit_intercept=False, weights="precisions").fit(X, np.column_stack([y, y])),
        "triangle": LinearRegression().fit(near, table(9000)[1]),
        "named": LinearRegression().fit(frame, y),
        "scaler": StandardScaler().fit(X),
        "pipeline": make_pipeline(StandardScaler(), PolynomialBasis(3), LinearRegression()).fit(X, y),
    }


@pytest.mark.parametrize("name", list(models()))
def test_a_model_comes_back_bit_for_bit(tmp_path, name):
    model, X = models()[name], table()[0]
    if name == "named":
        X = pytest.importorskip("pandas").DataFrame(X, columns=["a", "b"])
    save(model, tmp_path / "model.glaswerk")
    again = load(tmp_path / "model.glaswerk")
    assert type(again) is type(model)
    act = "transform" if name == "scaler" else "predict"
    assert np.array_equal(getattr(again, act)(X), getattr(model, act)(X))
    if name != "pipeline":
        assert again.get_params() == model.get_params()


def test_facts_come_back_whole(tmp_path):
    for name in ("plain", "targets", "triangle", "named"):
        model = models()[name]
        save(model, tmp_path / "m")
        assert str(load(tmp_path / "m").facts()) == str(model.facts())


def test_saving_twice_gives_the_same_bytes(tmp_path):
    model = models()["plain"]
    save(model, tmp_path / "one")
    save(copy.deepcopy(model), tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_learning_goes_on_after_loading(tmp_path):
    X, y = table(100)
    save(LinearRegression().fit(X[:60], y[:60]), tmp_path / "m")
    grown = load(tmp_path / "m").partial_fit(X[60:], y[60:])
    np.testing.assert_allclose(grown.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-14)


def test_a_users_function_is_named_not_stored(tmp_path):
    X, y = table()
    pipe = make_pipeline(FunctionBasis(bend), LinearRegression()).fit(X, y)
    with pytest.raises(ValueError, match=r"FunctionBasis\.function is a function, and a file holds none"):
        save(pipe, tmp_path / "m")
    assert not (tmp_path / "m").exists()
    save(pipe, tmp_path / "m", functions={"bend": bend})
    with pytest.raises(ArchiveError, match="saved with a function named 'bend': pass it"):
        load(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m", functions={"bend": bend}).predict(X), pipe.predict(X))


def test_what_cannot_be_saved_says_so(tmp_path):
    with pytest.raises(Exception, match="not fitted yet"):
        save(LinearRegression(), tmp_path / "m")
    with pytest.raises(TypeError, match=r"a dict cannot be saved; these can: .*LinearRegression"):
        save({"a": 1}, tmp_path / "m")


def tree(change):
    model = models()["plain"]
    described = {
        "class": "LinearRegression",
        "parameters": model.get_params(),
        "fitted": {name: value for name, value in vars(model).items() if name in LinearRegression.fitted},
    }
    return change(described) or described


FORGERIES = {
    "unknown class": (lambda t: t.update({"class": "Popen"}), "does not know: upgrade"),
    "no class": (lambda t: t.pop("class"), "lacks class"),
    "parameters no object": (lambda t: t.update(parameters=[1]), "must be objects"),
    "unknown parameter": (lambda t: t["parameters"].update(evil=1), "unexpected keyword"),
    "parameter out of range": (lambda t: t["parameters"].update(tol=-1.0), "tol must be"),
    "missing attribute": (lambda t: t["fitted"].pop("solution_"), "solution_ is missing"),
    "unknown attribute": (lambda t: t["fitted"].update(predict=1), "not part of a fitted"),
    "wrong type": (lambda t: t["fitted"].update(n_features_in_="two"), "n_features_in_ is a str"),
    "other width": (lambda t: t["fitted"].update(n_features_in_=3), "does not belong to 3 columns"),
    "other targets": (lambda t: t["fitted"].update(target_names_=["a", "b"]), "does not belong"),
    "names of other width": (lambda t: t["fitted"].update(feature_names_in_=["a"]), "one name per column"),
    "statistic of another kind": (lambda t: t["fitted"].update(statistic_=[1]), "not the sum of a least-squares fit"),
}


@pytest.mark.parametrize("name", list(FORGERIES))
def test_a_forged_but_well_packed_model_is_refused(tmp_path, name):
    change, message = FORGERIES[name]

    def forge(described):
        change(described)

    archive.write(tmp_path / "forged", tree(forge), kind="model")
    with pytest.raises(ArchiveError, match=message):
        load(tmp_path / "forged")


def test_a_file_of_another_kind_is_refused(tmp_path):
    archive.write(tmp_path / "sum", models()["plain"].statistic_, kind="statistic")
    with pytest.raises(ArchiveError, match="statistic"):
        load(tmp_path / "sum")
    (tmp_path / "text").write_text("not a model")
    with pytest.raises(ArchiveError, match="text: "):
        load(tmp_path / "text")
