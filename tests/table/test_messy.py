"""Files as people send them: what is in them is found, and what is lost is said."""

import bz2
import datetime as dt
import gzip
import io
import lzma

import polars as pl
import pyarrow as pa
import pytest

from glaswerk.table import TableError, read_table


@pytest.fixture
def read(tmp_path):
    """Read what is written, as bytes or text."""

    def reading(content, name="messy.csv", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_table(path, **options)

    return reading


def kinds(table):
    return [str(column.kind) for column in table]


def cells(table, name):
    return table[name].series.to_list()


def notes(table, name):
    return "; ".join(table[name].notes)


def said(table):
    return dict(table.reading)


GERMAN = (
    "\ufeffPLZ;Preis;Menge;Datum;Neu\n"
    "01067;1.234,50;1.000;31.12.2021;ja\n"
    "20095;2,5;3;1.2.2022;nein\n"
    "80331;;2.500;3.2.2022;ja\n"
)


def test_a_german_file(read):
    table = read(GERMAN)
    assert kinds(table) == ["category", "number", "number", "date", "flag"]
    assert cells(table, "PLZ") == ["01067", "20095", "80331"]
    assert cells(table, "Preis") == [1234.5, 2.5, None]
    assert cells(table, "Menge") == [1000, 3, 2500], "the other columns say that a dot groups thousands"
    assert cells(table, "Datum") == [dt.datetime(2021, 12, 31), dt.datetime(2022, 2, 1), dt.datetime(2022, 2, 3)]
    assert table["Neu"].levels == ("nein", "ja")
    assert "leading zeros" in notes(table, "PLZ") and "decimal comma" in notes(table, "Menge")
    assert said(table)["encoding"] == "utf-8 with byte-order mark"


def test_thousands_grouped_by_comma_apostrophe_and_space(read):
    table = read("a;b;c\n1,234.5;1'234'567.5;1 234\n2,000,000;2;5\n")
    assert [cells(table, name) for name in "abc"] == [[1234.5, 2e6], [1234567.5, 2.0], [1234, 5]]


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("a;b\n1,234;2\n5,678;3\n", {}, [1.234, 5.678]),  # nothing else in a file of semicolons: a decimal comma
        ('a,b\n"1,234",2\n"5,678",3\n', {}, [1234, 5678]),  # in a file of commas: thousands
        ("a;b\n1.234;2\n5.678;3\n", {}, [1.234, 5.678]),
        ("a;b\n1.234;2\n5.678;3\n", {"decimal": ","}, [1234, 5678]),
        ("a;b\n1,234;2\n5,678;3\n", {"decimal": "."}, [1234, 5678]),
        ("a;b\n1,234;0,5\n5,678;1,5\n", {}, [1.234, 5.678]),
    ],
)
def test_one_mark_and_three_digits(read, text, options, expected):
    assert cells(read(text, **options), "a") == expected


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_encodings(read, encoding):
    table = read("Straße;Größe\nGänseweg;3\nHauptstraße;4\n".encode(encoding))
    assert table.names == ("Straße", "Größe")
    assert cells(table, "Straße") == ["Gänseweg", "Hauptstraße"]


def test_an_encoding_can_be_given_and_can_be_wrong(read):
    assert cells(read("a,b\nя,1\n".encode("koi8-r"), encoding="koi8-r"), "a") == ["я"]
    with pytest.raises(TableError, match=r"is not in utf-8: byte 4 is 0xd1.*encoding="):
        read("a,b\nя,1\n".encode("koi8-r"), encoding="utf-8")
    with pytest.raises(TableError, match="encoding must be one that Python knows"):
        read("a,b\n1,2\n", encoding="klingon")


def test_question_marks_are_missing_and_counted(read):
    table = read("mpg,hp\n" + "18,130\n15,?\n" * 6 + "20,\n")
    assert kinds(table) == ["number", "number"]
    assert table["hp"].missing_tokens == (("?", 6), ("", 1))
    assert table["hp"].missing().sum() == 7 and table["hp"].failed == 0


AUTO = (
    '18.0   8   307.0      130.0      3504.      12.0   70  1\t"chevrolet chevelle malibu"\n'
    '15.0   8   350.0      165.0      3693.      11.5   70  1\t"buick skylark 320"\n'
    '25.0   4   98.00      ?          2046.      19.0   71  1\t"ford pinto"\n'
)


def test_columns_of_fixed_width_without_a_header(read):
    table = read(AUTO, "auto-mpg.data")
    assert len(table.columns) == 9 and len(table) == 3
    assert said(table)["separator"] == "blanks" and said(table)["header"] == "none"
    assert cells(table, "column 4") == [130, 165, None]
    assert cells(table, "column 9")[2] == "ford pinto"


def test_row_names_as_r_writes_them(read):
    table = read("mpg cyl\nMazda 21 6\nFord 22 4\n")
    assert table.names == ("column 1", "mpg", "cyl")
    assert kinds(table) == ["identifier", "number", "number"]


def test_quotes_with_line_ends_separators_and_quotes(read):
    table = read('id,text\r\n1,"two\r\nlines, and ""quotes"""\r\n2,plain\r\n')
    assert cells(table, "text") == ['two\r\nlines, and "quotes"', "plain"]


def test_blanks_before_quotes(read):
    assert cells(read('a, b\n1, "x, y"\n2, "z"\n'), "b") == ["x, y", "z"]


def test_single_quotes(read):
    assert cells(read("a,b\n'x, y',1\n'z, w',2\n"), "a") == ["x, y", "z, w"]


def test_a_quotation_mark_that_is_never_closed(read):
    table = read('a,b\n1,"x\n2,y\n3,z\n')
    assert cells(table, "b") == ['"x', "y", "z"]
    assert "not all are closed" in said(table)["quotation marks"]
    with pytest.raises(TableError, match="opened and never closed"):
        read('a,b\n1,"x\n2,y,z\n3\n')


def test_ragged_rows_lose_nothing_and_are_counted(read):
    table = read("a,b,c\n1,2\n1,2,3\n1,2,3,4\n4,5,6\n")
    assert cells(table, "c") == [None, 3, 3, 6] and cells(table, "column 4") == [None, None, 4, None]
    assert said(table)["rows with too few cells"] == "1 (rows 1)"
    assert said(table)["rows with too many cells"] == "1 (rows 3)"
    with pytest.raises(TableError, match="row 1 has fewer cells than the 3 of the header"):
        read("a,b,c\n1,2\n1,2,3\n", strict=True)


def test_a_row_too_short_behind_a_comma_in_quotes(read):
    table = read('a,b,c\n"1,5",2\n1,2,3\n4,5,\n')
    assert said(table)["rows with too few cells"] == "1 (rows 1)"


def test_separators_at_the_end_of_every_line(read):
    for text in ("a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n"):
        table = read(text)
        assert table.names == ("a", "b") and "rows with too many cells" not in said(table)


def test_headers_that_repeat_or_nearly_do(read):
    table = read("x,x,y,x ,\n1,2,3,4,5\n5,6,7,8,9\n")
    assert table.names == ("x", "x (2)", "y", "x ", "column 5")
    assert "more than once" in notes(table, "x (2)")
    assert "differs from 'x ' by spaces or case only" in notes(table, "x")
    assert "no name" in notes(table, "column 5")
    with pytest.raises(TableError, match="did you mean 'x', 'x '"):
        table["X"]


def test_no_header(read):
    table = read("5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,3.0,virginica\n")
    assert table.names == ("column 1", "column 2", "column 3") and len(table) == 3
    assert len(read("5.1,setosa\n4.9,setosa\n", header=True)) == 1
    assert len(read("a,b\n1,2\n", header=False)) == 2


def test_words_without_a_header_recur_in_their_columns(read):
    rows = "Sunny,Weak,No\nSunny,Strong,No\nRain,Weak,Yes\nRain,Weak,No\n"
    assert len(read(rows)) == 4
    assert len(read("Outlook,Wind,Play\n" + rows)) == 4


def test_years_as_names(read):
    assert read("country,2019,2020\nDE,1,2\nFR,3,4\n").names == ("country", "2019", "2020")


@pytest.mark.parametrize("rows", [20_000, 300_000])
def test_a_float_after_very_many_integers(read, rows):
    table = read("x\n" + "".join(f"{i}\n" for i in range(rows)) + "0.5\n")
    assert table["x"].series.dtype == pl.Float64 and cells(table, "x")[-1] == 0.5


def test_a_word_after_very_many_numbers_is_counted_and_refusable(read):
    text = "x,y\n" + "1,2\n" * 20_000 + "abc,3\n"
    table = read(text)
    assert table["x"].failed == 1 and table["x"].failed_examples == ((20_001, "abc"),)
    with pytest.raises(TableError, match="column 'x', row 20001: 'abc' does not read as number"):
        read(text, strict=True)


def test_a_tenth_of_the_cells_may_fail_and_no_more(read):
    assert kinds(read("x\n" + "1\n" * 9 + "a\n")) == ["number"]
    table = read("x\n" + "1\n" * 8 + "a\nb\n")
    assert kinds(table) == ["category"] and "8 of 10 cells are numbers" in notes(table, "x")


def test_leading_zeros_are_codes(read):
    table = read("code,n\n007,1\n012,2\n")
    assert cells(table, "code") == ["007", "012"] and table["code"].levels == ("007", "012")
    assert cells(read("code,n\n007,1\n012,2\n", kinds={"code": "number"}), "code") == [7, 12]
    assert cells(read("x\n0\n0.5\n00.5\n"), "x") == [0.0, 0.5, 0.5]
    assert kinds(read("plz\n" + "".join(f"{k:05}\n" for k in range(100)))) == ["identifier"]


def test_dates_in_every_order(read):
    table = read("d,e,f,g\n12/31/2020,1/2/2020,2020-01-02,3.4.21\n1/2/2021,3/4/2020,2020-01-03T10:00,13.4.99\n")
    assert kinds(table) == ["date"] * 4
    assert cells(table, "d")[1] == dt.datetime(2021, 1, 2)
    assert cells(table, "e")[1] == dt.datetime(2020, 3, 4), "the other column has the month first"
    assert cells(table, "f")[1] == dt.datetime(2020, 1, 3, 10)
    assert cells(table, "g") == [dt.datetime(2021, 4, 3), dt.datetime(1999, 4, 13)]
    assert "two digits" in notes(table, "g") and "as in the other columns" in notes(table, "e")


def test_ambiguous_dates_are_noted_and_can_be_turned(read):
    text = "d\n1/2/2020\n3/4/2020\n"
    assert cells(read(text), "d")[0] == dt.datetime(2020, 2, 1)
    assert "ambiguous dates: 2 cells" in notes(read(text), "d")
    assert cells(read(text, kinds={"d": "date m/d/y"}), "d")[0] == dt.datetime(2020, 1, 2)


def test_dates_that_do_not_exist_fail(read):
    table = read("d\n" + "2020-02-28\n" * 20 + "2020-02-30\n")
    assert kinds(table) == ["date"] and table["d"].failed_examples == ((21, "2020-02-30"),)


COUNTRIES = "code,n\nDE,1\nNA,2\nFR,3\nUS,NA\nGB,5\nIT,6\nNA,3\n"


def test_namibia_stays_among_country_codes_and_is_shown(read):
    table = read(COUNTRIES)
    assert cells(table, "code").count("NA") == 2 and "'NA' is kept as a word (2 cells)" in notes(table, "code")
    assert table["n"].missing_tokens == (("NA", 1),)
    assert read(COUNTRIES, missing={"code": ["NA"]})["code"].missing_tokens == (("NA", 2),)


def test_na_elsewhere_is_missing_shown_and_undone(read):
    text = "grade,n\ngood,1\nNA,2\nbad,3\n"
    assert read(text)["grade"].missing_tokens == (("NA", 1),)
    assert cells(read(text, missing=()), "grade") == ["good", "NA", "bad"]
    assert cells(read(text, missing={"grade": ["bad"]}), "grade") == ["good", "NA", None]


def test_weak_words_for_missing_are_words_among_words(read):
    table = read("alley,area\nGravel,none\nNone,5\nPaved,-\nNone,7\n")
    assert cells(table, "alley") == ["Gravel", "None", "Paved", "None"] and "'None' is kept" in notes(table, "alley")
    assert cells(table, "area") == [None, 5, None, 7]


def test_a_number_can_mean_missing(read):
    table = read("x\n1\n-999\n2.5\n-999\n", missing=["-999"])
    assert cells(table, "x") == [1.0, None, 2.5, None] and table["x"].missing_tokens == (("-999", 2),)


def test_numbers_too_large_fail_and_infinity_is_one(read):
    table = read("x\n1e400\n2.5\n" + "4\n" * 20)
    assert table["x"].failed_examples == ((1, "1e400"),)
    assert cells(read("x\n1\ninf\nnan\n-inf\n2.5\n"), "x") == [1.0, float("inf"), None, float("-inf"), 2.5]


def test_one_column_no_rows_and_empty_lines(read):
    assert cells(read("x\n1\n\n3\n"), "x") == [1, None, 3]
    assert cells(read("name\nJohn Smith\nAda Lovelace\n"), "name") == ["John Smith", "Ada Lovelace"]
    assert len(read("a,b\n")) == 0 and read("a,b\n").names == ("a", "b")
    assert cells(read("a,b\n\n1,2\n \n\n3,4\n\n"), "b") == [2, 4]
    assert cells(read("a,b\r1,2\r3,4\r"), "a") == [1, 3]
    assert len(read("a,b\n1,2")) == 1


@pytest.mark.parametrize("content", ["", "\n\n", "  \r\n", "\ufeff"])
def test_nothing_at_all(read, content):
    with pytest.raises(TableError, match=r"'.*messy.csv' is empty"):
        read(content)


def test_lines_above_the_header(read):
    table = read("# made by a logger\n# 2024\na;b\n1,5;2\n")
    assert cells(table, "a") == [1.5] and said(table)["lines left out above the header"] == "2"
    assert read("sep=|\na|b\n1|2\n").names == ("a", "b")


def gzipped(data):
    return gzip.compress(data)


def zstandard(data):
    return pa.compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize("compress", [gzipped, bz2.compress, lzma.compress, zstandard])
def test_compressed_files_are_known_by_their_bytes(read, compress):
    text = ("a,b\n" + "".join(f"{i},word {i * i}\n" for i in range(3000))).encode()
    assert read(compress(text), "no_hint.csv").fingerprint == read(text).fingerprint
    with pytest.raises(TableError, match=r"breaks off or is damaged|cannot be read to its end"):
        read(compress(text)[:-20])


def workbook():
    openpyxl = pytest.importorskip("openpyxl")
    stream = io.BytesIO()
    openpyxl.Workbook().save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('[{"a": 1}, {"a": 2}]', "JSON"),
        ('{"a": [1, 2]}\n{"a": 3}\n', "JSON"),
        ("<!DOCTYPE html>\n<html><body>404</body></html>", "a web page"),
        ("<?xml version='1.0'?><a/>", "XML"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"\x80\x04\x95abc", "a Python pickle"),
        (b"SQLite format 3\x00rest", "SQLite"),
        (bytes(range(256)) * 20, "byte 0 is NUL"),
        ("a,b\n1,\x002\n", "byte 6 is NUL"),
        (b"PAR1 and no more", "not a whole Parquet file"),
    ],
)
def test_what_is_no_table_is_named(read, content, what):
    with pytest.raises(TableError, match=what):
        read(content)


def test_a_workbook_is_named(read):
    with pytest.raises(TableError, match="Excel"):
        read(workbook())


def test_hostile_cells_are_data_and_harmless_in_messages(read):
    evil = "<script>alert(1)</script>\x1b[31m\u202e" + "x" * 10_000
    table = read(f"{evil},n\n" + f"{evil},1\n" * 2)
    assert table.names[0] == evil and cells(table, evil) == [evil, evil]
    with pytest.raises(TableError) as raised:
        table[evil + "!"]
    message = str(raised.value)
    assert "\x1b" not in message and "\u202e" not in message and len(message) < 400


def test_too_wide_rows_ask_for_the_separator(read):
    with pytest.raises(TableError, match=r"row 1 has 103 cells, the header 2"):
        read("a,b\n" + ",".join(map(str, range(103))) + "\n1,2\n", separator=",", header=True)
