"""The data sets: those that come along are what their records say, and the shared copies are those to be fetched.

`python -m tests.table.test_datasets --write` renews the records' fingerprints where what a fingerprint is has changed.
"""

import csv
import re
import sys
from collections import Counter
from importlib import resources
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from glaswerk import LinearRegression
from glaswerk.facts import Table
from glaswerk.table import DATASETS, Kind, TableError, datasets
from glaswerk.table.published import column_mark
from tests.conftest import SHARED
from tests.table.toy import serving

BUNDLED = [name for name, entry in DATASETS.items() if entry.file]
FETCHED = [name for name, entry in DATASETS.items() if entry.urls]

# What comes along


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_set_is_what_its_record_says(name):
    entry, table = DATASETS[name], DATASETS[name].load()
    assert (table.name, table.n_rows, table.names) == (name, entry.rows, entry.columns)
    assert table.fingerprint == entry.fingerprint
    assert {c.name: c.kind for c in table if c.kind != Kind.NUMBER} == dict(entry.kinds)
    assert {c.name: c.levels for c in table if c.name in entry.levels} == dict(entry.levels)
    assert all(c.failed == 0 for c in table)


@pytest.mark.parametrize("name", DATASETS)
def test_every_set_has_a_target_a_source_a_licence_and_a_loader(name):
    entry = DATASETS[name]
    assert entry.target in entry.columns
    assert all([entry.about, entry.source, entry.licence, len(entry.fingerprint) == 64])
    assert set(entry.kinds) | set(entry.levels) <= set(entry.columns)
    assert bool(entry.file) != bool(entry.urls)
    assert len(entry.marks) == (len(entry.columns) if entry.urls else 0)
    assert hasattr(datasets, f"load_{name.removesuffix('_red').removesuffix('_white')}")


def test_the_loaders_give_their_set():
    for name in BUNDLED:
        assert getattr(datasets, f"load_{name}")().fingerprint == DATASETS[name].fingerprint


def test_bundled_files_are_small_and_part_of_the_package():
    folder = resources.files("glaswerk.table").joinpath("data")
    sizes = {entry.name: len(entry.read_bytes()) for entry in folder.iterdir() if not entry.name.endswith(".md")}
    assert set(sizes) == {DATASETS[name].file for name in BUNDLED}
    assert max(sizes.values()) < 500_000


def test_iris_has_fifty_of_each_and_fishers_means():
    table = datasets.load_iris()
    assert Counter(table["species"].series) == {"setosa": 50, "versicolor": 50, "virginica": 50}
    means = [table[name].numbers().mean() for name in table.names[:4]]
    np.testing.assert_allclose(means, [5.8433333, 3.0573333, 3.758, 1.1993333], rtol=1e-6)


def test_auto_mpg_and_hitters_miss_what_they_are_known_to_miss():
    cars, players = datasets.load_auto_mpg(), datasets.load_hitters()
    assert {c.name: int(c.missing().sum()) for c in cars if c.missing().any()} == {"horsepower": 6}
    assert cars["horsepower"].missing_tokens == (("", 6),)
    assert Counter(cars["model_year"].numbers()) == Counter(
        dict(zip(range(70, 83), [29, 28, 28, 40, 27, 30, 34, 28, 36, 29, 29, 29, 31], strict=True))
    )
    assert {c.name: int(c.missing().sum()) for c in players if c.missing().any()} == {"Salary": 59}
    assert round(float(np.nanmean(players["Salary"].numbers())), 4) == 535.9259


SCRIPT_A = [("-296", "37.8"), ("237", "-15.3", "1.24"), ("-1853", "307", "-14.6", "0.247")]


@pytest.mark.parametrize("printed", SCRIPT_A, ids=["degree 1", "degree 2", "degree 3"])
def test_ice_cream_has_the_weights_that_script_a_prints(printed):
    table = datasets.load_ice_cream()
    x, y = table["temperature_c"].numbers(), table["scoops"].numbers()
    model = LinearRegression().fit(x[:, None] ** np.arange(1, len(printed)), y)
    decimals = [len(word.partition(".")[2]) for word in printed]
    assert tuple(f"{w:.{k}f}" for w, k in zip([model.intercept_, *model.coef_], decimals, strict=True)) == printed


def test_diamonds_are_graded_from_worst_to_best():
    table = datasets.load_diamonds()
    assert [c.name for c in table if c.kind == Kind.ORDERED] == ["cut", "color", "clarity"]
    assert table["cut"].levels == ("Fair", "Good", "Very Good", "Premium", "Ideal")
    assert Counter(table["cut"].numbers()) == {4: 21551, 3: 13791, 2: 12082, 1: 4906, 0: 1610}
    assert table["price"].numbers().max() == 18_823
    assert int((table["x"].numbers() == 0).sum()) == 8


def test_mitchells_tables_are_flags_over_whole_domains():
    tennis, sport = datasets.load_play_tennis(), datasets.load_enjoy_sport()
    assert tennis["play_tennis"].numbers().sum() == 9
    assert tennis["play_tennis"].levels == ("No", "Yes")
    assert sport["enjoy_sport"].numbers().tolist() == [1, 1, 0, 1]
    assert np.prod([len(column.levels) for column in sport.columns[:6]]) == 96  # the book's count of days


def test_the_list_of_data_sets_says_what_each_is():
    table = datasets.describe_datasets()
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == list(DATASETS)
    assert {row[4] for row in table.rows} == {"bundled", "fetched"}
    assert "CONSTRUCTED" in str(table)
    assert all(cell != "" for row in table.rows for cell in row)


def test_a_bundled_set_takes_no_path():
    with pytest.raises(TableError, match="iris comes with Glaswerk: it takes neither path nor url"):
        DATASETS["iris"].load("iris.csv")


@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name in BUNDLED if name != "diamonds"])
def test_a_bundled_set_equals_the_shared_file_value_by_value(shared_data, name):
    file = "ice_cream_reconstructed12" if name == "ice_cream" else name
    with open(shared_data / f"{file}.csv", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for column in DATASETS[name].load():
        cells, words = [row[column.name] for row in rows], column.kind not in {Kind.NUMBER, Kind.FLAG}
        wanted = cells if words else [float({"Yes": "1", "No": "0", "": "nan"}.get(cell, cell)) for cell in cells]
        np.testing.assert_array_equal(column.series.to_list() if words else column.numbers(), wanted)


# The sets that are fetched, against the shared copies


def shared_file(folder, name):
    (found,) = folder.glob(f"{name}.*")
    return found


@pytest.mark.proof
@pytest.mark.parametrize("name", FETCHED)
def test_the_shared_copy_is_the_data_set_by_path_and_from_a_server(shared_data, cache, name):
    entry, path = DATASETS[name], shared_file(shared_data, name)
    by_path = entry.load(path)
    assert (by_path.n_rows, by_path.names) == (entry.rows, entry.columns)
    with serving(mirror=path.read_bytes()) as (home, asked):
        assert entry.load(url=f"{home}/mirror").fingerprint == by_path.fingerprint == entry.fingerprint
        assert entry.load().fingerprint == entry.fingerprint
        assert asked == ["/mirror"]


@pytest.mark.proof
def test_wine_as_uci_writes_it_is_recognised_and_both_colours_are_joined(shared_data, tmp_path):
    for colour in ("red", "white"):
        lines = shared_file(shared_data, f"wine_quality_{colour}").read_text().splitlines()
        header = ";".join(f'"{name}"' for name in lines[0].replace("_", " ").split(","))
        rows = [line.replace(".0,", ",").replace(",", ";") for line in lines[1:]]
        (tmp_path / f"winequality-{colour}.csv").write_text("\n".join([header, *rows]) + "\n")
    both = datasets.load_wine_quality("both", tmp_path)
    assert Counter(both["colour"].series) == {"red": 1599, "white": 4898}
    assert both.names == (*DATASETS["wine_quality_red"].columns, "colour")
    pair = [tmp_path / "winequality-red.csv", tmp_path / "winequality-white.csv"]
    assert datasets.load_wine_quality("both", pair).fingerprint == both.fingerprint
    white = Counter(datasets.load_wine_quality("white", pair[1])["quality"].numbers())
    assert white == {3: 20, 4: 163, 5: 1457, 6: 2198, 7: 880, 8: 175, 9: 5}
    with pytest.raises(TableError, match="not the data set 'wine_quality_red': it has 4898 rows, expected 1599"):
        datasets.load_wine_quality("red", pair[1])


def test_a_colour_that_does_not_exist_is_refused():
    with pytest.raises(TableError, match="colour must be 'red', 'white' or 'both', got 'rosé'"):
        datasets.load_wine_quality("rosé")
    with pytest.raises(TableError, match="path must name two files, the red and the white wines"):
        datasets.load_wine_quality("both", ["one.csv"])


@pytest.mark.proof
def test_adult_as_uci_writes_it_is_recognised(shared_data, tmp_path):
    frame = pl.read_parquet(shared_file(shared_data, "adult")).fill_null("?")
    for part, name, dot in (("train", "adult.data", ""), ("test", "adult.test", ".")):
        rows = frame.filter(pl.col("split") == part).drop("split").rows()
        lines = [", ".join(map(str, row)) + dot for row in rows]
        (tmp_path / name).write_text("\n".join((["|1x3 Cross validator"] if dot else []) + lines) + "\n\n")
    table = datasets.load_adult(tmp_path)
    assert table.n_rows == 48_842
    assert Counter(table["income"].series) == {"<=50K": 37155, ">50K": 11687}
    assert table["workclass"].missing_tokens == (("?", 2799),)
    assert Counter(table["split"].series) == {"train": 32561, "test": 16281}


@pytest.mark.proof
def test_prostate_as_the_book_writes_it_is_recognised_in_either_edition(shared_data, tmp_path):
    with open(shared_file(shared_data, "prostate"), encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    names = DATASETS["prostate"].columns
    original = ["\t".join(["", *names]), *("\t".join([str(k), *(r[n] for n in names)]) for k, r in enumerate(rows, 1))]
    (tmp_path / "prostate.data").write_text("\n".join(original))
    table = datasets.load_prostate(tmp_path / "prostate.data")
    first = datasets.load_prostate(tmp_path, first_edition=True)
    np.testing.assert_array_equal(table["lweight"].numbers(), [float(row["lweight"]) for row in rows])
    np.testing.assert_array_equal(first["lweight"].numbers(), [float(row["lweight_1st_edition"]) for row in rows])
    assert Counter(table["train"].numbers()) == {1: 67, 0: 30}
    assert first.drop(["lweight"]).fingerprint == table.drop(["lweight"]).fingerprint


def write_fingerprints(folder: Path) -> None:
    """Put the fingerprints of the bundled files and of the shared ones in `folder` in place of those in the records."""
    known: dict[str, str] = {}
    for entry in DATASETS.values():
        table = entry.load() if entry.file else entry.read([shared_file(folder, entry.name).read_bytes()])
        known |= {entry.fingerprint: table.fingerprint}
        known |= {old: column_mark(table, name) for old, name in zip(entry.marks, entry.columns, strict=False)}
    source = Path(datasets.__file__)
    text = source.read_text(encoding="utf-8")
    source.write_text(re.sub(r"\b[0-9a-f]{8,64}\b", lambda m: known.get(m[0], m[0]), text), encoding="utf-8")


if __name__ == "__main__" and "--write" in sys.argv:
    write_fingerprints(SHARED)
