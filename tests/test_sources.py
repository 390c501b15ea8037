"""Every learner on a file: the numbers of memory, whoever walks the rows; or a stated sample where sums do not add."""

import inspect
from contextlib import nullcontext

import numpy as np
import polars as pl
import pytest

import glaswerk as gw
from glaswerk.base import Classifier
from glaswerk.learner.sampling import Sampled, SampleFit
from glaswerk.learner.unsupervised import Unsupervised
from glaswerk.optim import tiles
from glaswerk.passes import BLOCK_ROWS

N = BLOCK_ROWS + 9_000
INPUTS = ["a", "b", "c"]
ALL = [kind for name in gw.__all__ if inspect.isclass(kind := getattr(gw, name)) and hasattr(kind, "fit_source")]
SAMPLED = [kind for kind in ALL if issubclass(kind, SampleFit)]
LEVELS = ("CategoricalNB",)
ROWS_KEPT = ("KNeighborsRegressor", "KNeighborsClassifier")
TREES = ("DecisionTreeRegressor", "DecisionTreeClassifier", "RandomForestRegressor", "RandomForestClassifier")
ADDS = [kind for kind in ALL if kind not in SAMPLED and kind.__name__ not in (*TREES, *ROWS_KEPT)]
SMALL = {
    "BestSubsetRegression": {"cv": 2},
    "ExtremeLearningMachine": {"n_hidden": 8},
    "GaussianMixture": {"n_components": 3, "max_iter": 4},
    "GradientDescentRegressor": {"n_epochs": 5},
    "KMeans": {"n_clusters": 4, "max_iter": 4},
    "LBG": {"n_prototypes": 4, "max_iter": 4},
    "MLPClassifier": {"max_iter": 2, "hidden_layer_sizes": (3,)},
    "MLPRegressor": {"max_iter": 2, "hidden_layer_sizes": (3,)},
    "RBFNetwork": {"n_centres": 4},
    "VectorQuantizer": {"n_prototypes": 3, "max_iter": 2},
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Three groups of rows, of which no two begin where a block does."""
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(N, 3)), 3) + rng.integers(0, 3, (N, 1)) * 4
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=N)
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y, "k": (y > y.mean()).astype(int)})
    frame = frame.with_columns(level=pl.Series(rng.integers(0, 4, N).astype(float)))
    path = tmp_path_factory.mktemp("every") / "rows.parquet"
    frame.write_parquet(path, row_group_size=30_000)
    return path


def made(kind):
    return kind(**SMALL.get(kind.__name__, {}))


def roles(kind):
    """The columns of the file that this learner is given."""
    inputs = {"columns": ["level"] if kind.__name__ in LEVELS else INPUTS}
    if issubclass(kind, Unsupervised):
        return inputs
    return inputs | {"target": "k" if issubclass(kind, Classifier) else "y"}


def in_memory(kind, file):
    frame = pl.read_parquet(file)
    asked = roles(kind)
    given = [frame[asked["target"]]] if "target" in asked else []
    return made(kind).fit(frame.select(asked["columns"]), *given)


def answers(model, file):
    """What the model says of some rows, to the last bit."""
    asked = model.column_names()
    rows = pl.read_parquet(file).select(asked)[:500]
    said = model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
    return (
        np.asarray(said).tobytes() + np.asarray(model.transform(rows) if hasattr(model, "transform") else 0).tobytes()
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ADDS, ids=lambda kind: kind.__name__)
def test_a_file_gives_the_bits_of_memory_serially_by_threads_and_on_workers(kind, file, dask_client, tmp_path):
    wanted = answers(in_memory(kind, file), file)
    for engine in ("serial", "threads", dask_client):
        path = tmp_path / "run.ckpt"
        found = made(kind).fit_source(file, **roles(kind), engine=engine, checkpoint=path)
        assert answers(found, file) == wanted, engine
        assert not path.exists()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [k for k in ADDS if issubclass(k, Unsupervised)], ids=lambda kind: kind.__name__)
def test_rows_too_many_to_hold_are_walked_to_the_same_bits_by_whoever(kind, file, dask_client, tmp_path, monkeypatch):
    monkeypatch.setattr(tiles, "HELD_BYTES", 1000)
    found = [
        answers(made(kind).fit_source(file, **roles(kind), engine=engine, checkpoint=checkpoint), file)
        for engine in ("serial", "threads", dask_client)
        for checkpoint in (None, tmp_path / "run.ckpt")
    ]
    assert len(set(found)) == 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", SAMPLED, ids=lambda kind: kind.__name__)
def test_a_learner_whose_sums_do_not_add_says_so_and_takes_a_sample(kind, file, dask_client):
    with pytest.raises(ValueError, match=rf"{kind.__name__}: its statistic does not add over rows: .*sample=100_000"):
        made(kind).fit_source(file, **roles(kind))
    first, second = (
        made(kind).fit_source(file, **roles(kind), sample=300, seed=4, engine=engine)
        for engine in ("serial", dask_client)
    )
    assert first.sampled_ == Sampled(300, N, 4)
    assert str(first.sampled_) == f"300 of {N} rows, those of smallest hash (seed 4)"
    assert answers(first, file) == answers(second, file)
    assert first.column_names() == tuple(INPUTS)


def test_a_sample_of_more_rows_than_there_are_is_the_table(tmp_path):
    frame = pl.DataFrame({"a": [0.0, 1.0, 3.0, 4.0], "k": [0, 0, 1, 1]})
    whole = gw.SVC().fit(frame.select("a"), frame["k"])
    found = gw.SVC().fit_source(frame, "k", sample=10)
    assert found.sampled_ == Sampled(4, 4, 0)
    assert found.predict(frame.select("a")).tolist() == whole.predict(frame.select("a")).tolist()


@pytest.mark.parametrize("sample", [0, -1, 2.5, True, "all"])
def test_what_is_no_number_of_rows_is_refused(sample, file):
    with pytest.raises(ValueError, match="SVC: sample must be a number of rows, at least 1, got "):
        gw.SVC().fit_source(file, "k", columns=INPUTS, sample=sample)


@pytest.mark.parametrize("memory", ["1GB", "2MB"])
def test_predictions_stream_into_a_file_in_the_order_of_the_table(file, tmp_path, memory):
    model = gw.LinearRegression().fit_source(file, "y", columns=INPUTS)
    rows = pl.read_parquet(file)
    with pytest.warns(UserWarning) if memory == "2MB" else nullcontext():
        written = model.predict_source(file, tmp_path / "out.parquet", interval=0.9, keep=["level", "a"], memory=memory)
    found = pl.read_parquet(tmp_path / "out.parquet")
    assert (written, found.columns) == (N, ["level", "a", "prediction", "lower", "upper"])
    assert found["a"].equals(rows["a"])
    assert found["level"].equals(rows["level"])
    np.testing.assert_allclose(found["prediction"], model.predict(rows.select(INPUTS)), atol=1e-13)
    np.testing.assert_allclose(found["lower"], model.predict_interval(rows.select(INPUTS), level=0.9)[:, 0], atol=1e-12)


def test_predicted_classes_keep_their_type_and_have_probabilities(file, tmp_path):
    model = gw.GaussianNB().fit_source(file, "k", columns=INPUTS)
    gw.predict_source(model, pl.scan_parquet(file), tmp_path / "out.parquet", probabilities=True)
    found = pl.read_parquet(tmp_path / "out.parquet")
    assert found.schema == {"prediction": pl.Int64, "probability of 0": pl.Float64, "probability of 1": pl.Float64}
    assert found["prediction"].to_list() == model.predict(pl.read_parquet(file).select(INPUTS)).tolist()


def test_a_bad_cell_is_named_and_no_half_of_a_file_is_left(tmp_path):
    x = np.zeros(BLOCK_ROWS + 10)
    x[BLOCK_ROWS + 3] = np.nan
    model = gw.LinearRegression().fit(pl.DataFrame({"x": [0.0, 1.0]}), [1.0, 2.0])
    with pytest.raises(
        ValueError, match=f"LinearRegression: the table contains NaN: column 'x', row {BLOCK_ROWS + 3} "
    ):
        model.predict_source(pl.DataFrame({"x": x}), tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_predicted_from_a_file_is_told(tmp_path):
    plain = gw.LinearRegression().fit([[0.0], [1.0]], [1.0, 2.0])
    frame = pl.DataFrame({"x": [0.0, 1.0]})
    with pytest.raises(ValueError, match="finds columns by name, and this model was fitted without names"):
        plain.predict_source(frame, tmp_path / "out.parquet")
    named = gw.LinearRegression().fit(frame, [1.0, 2.0])
    with pytest.raises(ValueError, match="LinearRegression has no predict_proba"):
        named.predict_source(frame, tmp_path / "out.parquet", probabilities=True)
    with pytest.raises(ValueError, match="the table has no column 'x'; it has 'z'"):
        named.predict_source(pl.DataFrame({"z": [1.0]}), tmp_path / "out.parquet")
    with pytest.raises(ValueError, match="cannot be written"):
        named.predict_source(frame, tmp_path / "none" / "out.parquet")
