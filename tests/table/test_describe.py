"""A file of any size is described as the table that it holds, block by block."""

import gzip

import numpy as np
import polars as pl
import pytest

from glaswerk.table import TableError, batches, delimited, describe_file, read_table, running


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(batches, "BATCH_BYTES", 64)
    monkeypatch.setattr(batches, "BATCH_ROWS", 3)


def text_of(rows):
    lines = ["id;Größe;preis;tag;neu;wort;leer;n"]
    for k in range(rows):
        price = "?" if k % 7 == 3 else f"{k * 1.25:.2f}".replace(".", ",")
        word = '"zwei\nZeilen"' if k % 5 == 0 else f" Wort {k % 3}"
        lines.append(
            f"{k};{'SML'[k % 3]};{price};{k % 28 + 1}.2.2024;{'ja' if k % 2 else 'nein'};{word};;{k if k != 9 else 'x'}"
        )
    return "\n".join(lines) + "\n"


FILES = {
    "utf-8": lambda: text_of(40).encode(),
    "cp1252": lambda: text_of(40).encode("cp1252"),
    "utf-16": lambda: text_of(40).encode("utf-16"),
    "byte-order mark": lambda: text_of(40).encode("utf-8-sig"),
    "compressed": lambda: gzip.compress(text_of(40).encode()),
    "line ends of Windows": lambda: text_of(40).replace("\n", "\r\n").encode(),
    "short rows": lambda: b"a,b,c\n1,2,3\n" + b"4,5\n" * 20,
    "separators at the ends": lambda: b"a,b,\n" + b"1,2,\n" * 30,
    "no header": lambda: b"1.5 2 x\n" * 30,
    "words after numbers": lambda: b"a,b\n" + b"1,007\n" * 20 + b"2,x\n" * 20 + b"y,z\n" * 20,
    "codes after numbers": lambda: b"a,b\n" + b"1,7\n" * 20 + b"2,08\n",
    "no rows": lambda: b"a,b\n",
    "empty lines": lambda: b"a,b\n\n1,2\n\n\n3,4\n" * 1,
    "returns only": lambda: b"a,b\r1,2\r3,4\r" + b"5,6\r" * 20,
}


@pytest.mark.parametrize("name", list(FILES))
def test_the_card_is_that_of_the_table_in_memory(tmp_path, small_batches, name):
    path = tmp_path / "file.csv"
    path.write_bytes(FILES[name]())
    assert describe_file(path) == read_table(path).card()


def test_wishes_and_roles(tmp_path, small_batches):
    path = tmp_path / "file.csv"
    path.write_text(text_of(40))
    wishes = {
        "kinds": {"id": "category", "n": "text"},
        "levels": {"Größe": ["S", "M", "L"]},
        "missing": {"neu": ["ja"]},
    }
    expected = read_table(path, **wishes, name="Hemden").card("preis", "n")
    assert describe_file(path, **wishes, name="Hemden", target="preis", weight="n") == expected


@pytest.mark.parametrize("group", [1, 4, 100])
def test_parquet(tmp_path, small_batches, group):
    frame = pl.DataFrame(
        {
            "id": range(10),
            "nr": [1, 1, *range(8)],
            "x": [None, *np.linspace(0, 1, 9)],
            "word": ["a", "b", None, "a", *"cdefgh"],
            "yes": [True, None] * 5,
            "flag": ["ja", "nein"] * 5,
            "void": pl.Series([None] * 10, dtype=pl.Float64),
        }
    )
    path = tmp_path / "file.parquet"
    frame.write_parquet(path, row_group_size=group)
    assert describe_file(path) == read_table(path).card()
    assert describe_file(path, kinds={"nr": "category"}) == read_table(path, kinds={"nr": "category"}).card()


@pytest.fixture
def large(tmp_path, monkeypatch):
    """More rows than a sample, in many batches."""
    monkeypatch.setattr(batches, "BATCH_BYTES", 50_000)
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({"x": generator.normal(10, 3, 30_000).round(6), "k": generator.integers(0, 40, 30_000)})
    frame = frame.with_columns(pl.format("w{}", "k").alias("word"))
    frame.write_csv(tmp_path / "large.csv")
    return tmp_path / "large.csv"


def test_what_a_sample_cannot_know_is_exact_and_the_rest_says_so(large):
    found, exact = describe_file(large), read_table(large).card()
    assert (found.rows, found.fingerprint) == (exact.rows, exact.fingerprint)
    for one, other in zip(found.columns, exact.columns, strict=True):
        assert (one.kind, one.missing, one.minimum, one.maximum) == (
            other.kind,
            other.missing,
            other.minimum,
            other.maximum,
        )
        assert (one.distinct, one.levels) == (other.distinct, other.levels)
    x, exact_x = found.columns[0], exact.columns[0]
    assert x.mean == pytest.approx(exact_x.mean, rel=1e-13) and x.deviation == pytest.approx(
        exact_x.deviation, rel=1e-13
    )
    assert "sample of 10,000 of the 30,000 rows" in x.notes[-1]
    assert sum(rows for *_, rows in x.histogram) == 10_000
    standard_error = exact_x.deviation / np.sqrt(10_000)
    assert abs(x.median - exact_x.median) < 5 * standard_error


def test_the_sample_does_not_depend_on_the_batches(large, monkeypatch):
    found = describe_file(large)
    monkeypatch.setattr(batches, "BATCH_BYTES", 7_777)
    other = describe_file(large)
    assert other.columns[0].histogram == found.columns[0].histogram
    assert other.columns[0].median == found.columns[0].median


def test_memory_stays_bounded(large):
    seen = []
    original = running.RunningColumn.__add__

    def watched(self, other):
        total = original(self, other)
        seen.append((len(total.sample), len(total.distinct.kept)))
        return total

    running.RunningColumn.__add__ = watched
    try:
        describe_file(large)
    finally:
        running.RunningColumn.__add__ = original
    assert max(rows for rows, _ in seen) <= running.SAMPLE_ROWS


def test_a_stray_quotation_mark_is_found_without_reading_everything(tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "BATCH_BYTES", 1000)
    monkeypatch.setattr(delimited, "LARGEST_RECORD", 5000)
    path = tmp_path / "file.csv"
    path.write_text('a,b\n1,"x\n' + "2,y\n" * 10_000)
    with pytest.raises(TableError, match="opened and never closed"):
        describe_file(path)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"a,b\n1,2\n3,4,5\n", {}, "row 2 has more cells than the 2 of the header: read_table keeps them"),
        (b"a,b\n1,2\n", {"target": "c"}, "no column 'c'"),
        (b"a,b\n1,2\n", {"kinds": {"c": "text"}}, "no column 'c'"),
        (b"", {}, "is empty"),
        (b"%PDF", {}, "a PDF"),
        (gzip.compress(b"a,b\n" + bytes(range(48, 58)) * 3000, mtime=0)[:-9], {}, "breaks off or is damaged"),
        (b"PAR1....", {}, "not a whole Parquet file"),
    ],
)
def test_what_cannot_be_described(tmp_path, content, options, message):
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    with pytest.raises(TableError, match=message):
        describe_file(path, **options)
