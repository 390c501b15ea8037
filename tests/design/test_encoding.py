"""Encoders on plain arrays: known columns, pandas and statsmodels as oracles, laws of levels, gaps and weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.archive import ArchiveError, dumps, loads
from glaswerk.design.encoding import Coded, DateParts, Graded, Kept, KeptDate, Labels, Levels, Numeric
from glaswerk.design.encoding.dates import calendar

pandas = pytest.importorskip("pandas")
WORDS = st.lists(
    st.sampled_from(["", "a", "b", "ä", "Z", "other levels", "is missing", "<b>"]), min_size=1, max_size=40
)


def labels(words, names=None):
    names = tuple(sorted({w for w in words if w is not None})) if names is None else names
    return Labels(np.array([-1 if w is None else names.index(w) for w in words], dtype=np.int64), names)


def days(*texts):
    return np.array([np.nan if t is None else np.datetime64(t, "m").astype(float) / 1440 for t in texts])


def filled(encoder, values, n):
    out = np.zeros((n, len(encoder.names)))
    return out, encoder.fill(values, out)


# Known columns


def test_a_number_stays_itself():
    x = np.array([1.5, -2.0, 7.0])
    encoder = Numeric.fit("x", x)
    out, unknown = filled(encoder, x, 3)
    assert encoder.names == ("x",)
    assert unknown == ()
    np.testing.assert_array_equal(out[:, 0], x)


def test_a_gap_gets_the_training_mean_and_a_column_that_says_so():
    x = np.array([1.0, np.nan, 5.0])
    encoder = Numeric.fit("x", x)
    assert encoder.names == ("x", "x is missing")
    np.testing.assert_array_equal(filled(encoder, x, 3)[0], [[1, 0], [3, 1], [5, 0]])
    later = Numeric.fit("x", np.array([1.0, 5.0]))
    out, unknown = filled(later, x, 3)
    np.testing.assert_array_equal(out, [[1], [3], [5]])
    assert unknown == ((None, 1),)


def test_a_number_that_does_not_vary_makes_no_column_but_its_gaps_do():
    assert Numeric.fit("x", np.array([4.0, 4.0])).names == ()
    assert Numeric.fit("x", np.array([np.nan, np.nan])).names == ("x is missing",)
    encoder = Numeric.fit("x", np.array([4.0, np.nan, 4.0]))
    np.testing.assert_array_equal(filled(encoder, np.array([np.nan, 9.0]), 2)[0], [[1], [0]])


def test_flags_and_ordered_levels_count_from_zero():
    size = labels(["L", "S", None, "M"], names=("S", "M", "L"))
    encoder = Graded.fit("size", size, grades=("S", "M", "L"))
    assert encoder.names == ("size", "size is missing")
    np.testing.assert_array_equal(filled(encoder, size, 4)[0], [[2, 0], [0, 0], [1, 1], [1, 0]])
    smoker = labels(["no", "yes", "yes"])
    encoder = Graded.fit("smoker", smoker, grades=("no", "yes"), title="smoker: yes")
    assert encoder.names == ("smoker: yes",)
    np.testing.assert_array_equal(filled(encoder, smoker, 3)[0][:, 0], [0, 1, 1])


def test_the_most_frequent_level_is_the_reference_and_ties_go_by_code_point():
    encoder = Levels.fit("origin", labels(["usa", "japan", "usa", "europe"]))
    assert encoder.reference == "usa"
    assert encoder.names == ("origin: europe", "origin: japan")
    assert Levels.fit("c", labels(["b", "a", "Z"])).reference == "Z"
    assert Levels.fit("c", labels(["one", "one"])).names == ()


def test_rare_levels_share_a_column():
    words = ["a"] * 5 + ["b"] * 4 + ["c"] * 3 + ["d"] * 2 + ["e"] + [None]
    seen = labels(words)
    encoder = Levels.fit("c", seen, most=3)
    assert encoder.names == ("c: b", "c: other levels", "c is missing")
    assert encoder.pooled == ("c", "d", "e")
    out = filled(encoder, seen, len(words))[0]
    np.testing.assert_array_equal(out.sum(axis=0), [4, 6, 1])
    assert len(Levels.fit("c", labels([f"l{k:03}" for k in range(400)])).names) == 50


def test_dates_become_years_month_weekday_and_hour():
    sold = np.tile(days("2024-01-01T00:00", "2024-03-05T14:30", None, "2025-01-01T00:00"), 10)
    encoder = DateParts.fit("sold", sold)
    assert encoder.names == (
        "sold: years since 2024-01-01", "sold is missing", "sold: month 3", "sold: weekday Tuesday",
        "sold: weekday Wednesday", "sold: hour 14",
    )  # fmt: skip
    out, unknown = filled(encoder, sold[:4], 4)
    assert unknown == ()
    np.testing.assert_allclose(out[3], [366 / 365.2425, 0, 0, 0, 1, 0])
    np.testing.assert_allclose(out[1, 1:], [0, 1, 1, 0, 1])
    np.testing.assert_allclose(out[2], [out[[0, 1, 3], 0].mean(), 1, 1 / 3, 1 / 3, 1 / 3, 1 / 3])


def test_a_part_of_the_date_needs_ten_rows_for_each_of_its_columns():
    daily = np.arange(100.0)
    encoder = DateParts.fit("sold", daily[:59])
    assert encoder.left_out == ("weekday",)
    assert encoder.names == ("sold: years since 1970-01-01", "sold: month 2")
    assert "(too few rows for weekday)" in encoder.story[0]
    assert DateParts.fit("sold", daily[:60]).left_out == ()
    assert DateParts.fit("sold", daily[:30], np.full(30, 2.0)).left_out == ()


def test_the_calendar_equals_pandas_over_four_centuries_and_before_1970():
    stamps = pandas.date_range("1899-12-31", "2300-01-01", periods=5003).round("min")
    parts = calendar(stamps.to_numpy().astype("datetime64[m]").astype(float) / 1440)
    np.testing.assert_array_equal(parts["month"].codes, stamps.month - 1)
    np.testing.assert_array_equal(parts["weekday"].codes, stamps.day_of_week)
    np.testing.assert_array_equal(parts["hour"].codes, stamps.hour)


# Oracles


@settings(deadline=None, max_examples=60)
@given(words=WORDS)
def test_levels_equal_dummies_of_pandas_without_the_reference(words):
    encoder = Levels.fit("c", labels(words))
    dummies = pandas.get_dummies(pandas.Series(words), dtype=float)
    expected = dummies[sorted(set(words) - {encoder.reference})].to_numpy()
    np.testing.assert_array_equal(filled(encoder, labels(words), len(words))[0], expected)
    counts = pandas.Series(words).value_counts()
    assert encoder.reference == min(counts[counts == counts.max()].index)


def test_coding_equals_statsmodels_treatment_coding():
    patsy = pytest.importorskip("patsy")
    words = ["b", "a", "c", "b", "a", "b"]
    theirs = patsy.dmatrix("C(c, Treatment('b'))", {"c": words}, return_type="dataframe").to_numpy()[:, 1:]
    np.testing.assert_array_equal(filled(Levels.fit("c", labels(words)), labels(words), 6)[0], theirs)


# Laws


@settings(deadline=None, max_examples=60)
@given(words=WORDS, data=st.data())
def test_order_of_rows_and_listing_of_levels_do_not_matter(words, data):
    names = tuple(data.draw(st.permutations(sorted({*words, "never"}))))
    shuffled = data.draw(st.permutations(words))
    one, other = Levels.fit("c", labels(words)), Levels.fit("c", labels(shuffled, names))
    assert (one.reference, set(one.own), one.pooled) == (other.reference, set(other.own), other.pooled)
    assert dict(zip(one.names, one.means, strict=True)) == dict(zip(other.names, other.means, strict=True))


@pytest.mark.parametrize("most", [2, 3, 50])
def test_an_unseen_level_counts_as_an_average_row(most):
    rng = np.random.default_rng(0)
    seen = labels([None if k > 6 else f"l{k}" for k in rng.integers(0, 9, 200)])
    encoder = Levels.fit("c", seen, most=most)
    average = filled(encoder, seen, 200)[0].mean(axis=0)
    out, unknown = filled(encoder, labels(["new", "l0", "other"]), 3)
    np.testing.assert_allclose(out[[0, 2]], [average, average])
    assert unknown == (("new", 1), ("other", 1))


def test_a_gap_that_training_did_not_have_counts_as_an_average_row():
    encoder = Levels.fit("c", labels(["a", "a", "b"]))
    out, unknown = filled(encoder, labels([None, "b"]), 2)
    np.testing.assert_allclose(out[:, 0], [1 / 3, 1])
    assert unknown == ((None, 1),)
    graded = Graded.fit("g", labels(["a", "b", "b"]), grades=("a", "b"))
    out, unknown = filled(graded, labels([None, "new"]), 2)
    np.testing.assert_allclose(out[:, 0], [2 / 3, 2 / 3])
    assert unknown == (("new", 1), (None, 1))


def test_a_weight_of_two_is_the_row_twice_and_of_zero_no_row():
    words, x = ["a", "b", "c", None, "b"], np.array([1.0, 2.0, np.nan, 4.0, 9.0])
    sold = days("2024-01-01", "2024-02-02", None, "2023-03-03", "2022-04-04")
    weight = np.array([20.0, 10.0, 0.0, 30.0, 0.0])
    rows = np.repeat(np.arange(5), weight.astype(int))
    again = labels(words)
    repeated = Labels(again.codes[rows], again.names)
    assert Levels.fit("c", again, weight) == Levels.fit("c", repeated)
    assert Numeric.fit("x", x, weight) == Numeric.fit("x", x[rows])
    weighted, again = DateParts.fit("d", sold, weight), DateParts.fit("d", sold[rows])
    assert (weighted.first, weighted.parts, weighted.left_out) == (again.first, again.parts, again.left_out)
    assert weighted.years.mean == pytest.approx(again.years.mean, rel=1e-14)


def test_a_number_without_gaps_learns_nothing_that_changes_its_columns():
    """What allows sums over folds in the place of a refit; levels, gaps and dates are fitted again."""
    x = np.random.default_rng(0).normal(size=50)
    whole, part = Numeric.fit("x", x), Numeric.fit("x", x[:20])
    np.testing.assert_array_equal(filled(whole, x[:20], 20)[0], filled(part, x[:20], 20)[0])
    assert Levels.fit("c", labels(["a", "b", "b"])).names != Levels.fit("c", labels(["a", "a", "b"])).names


# Edges and files


def test_one_row_and_nothing_at_all():
    assert Levels.fit("c", labels([None])).names == ("c is missing",)
    assert Levels.fit("c", labels([None]), own_gaps=False).names == ()
    assert DateParts.fit("d", days("2024-02-29")).names == ()
    assert DateParts.fit("d", days(None)).names == ("d is missing",)
    assert Graded.fit("g", labels(["a"]), grades=("a", "b")).names == ()


def stored():
    words = labels(["a", "b", None, "b"])
    return [
        Numeric.fit("x", np.array([1.0, np.nan])),
        Graded.fit("g", words, grades=("a", "b")),
        Levels.fit("$tuple", words),
        DateParts.fit("d", np.repeat(days("2024-01-01", "2024-02-02T05:00", None), 10)),
    ]


def test_encoders_come_back_from_files_equal():
    assert loads(dumps(stored(), kind="test"), kind="test") == stored()


@pytest.mark.parametrize(
    ("encoder", "change"),
    [
        (0, {"mean": np.inf}),
        (1, {"grades": ("a", "a")}),
        (2, {"own": ("b",)}),
        (2, {"means": ()}),
        (3, {"column": "e"}),
    ],
)
def test_a_forged_encoder_is_refused(encoder, change):
    forged = stored()[encoder]
    for name, value in change.items():
        object.__setattr__(forged, name, value)
    with pytest.raises(ArchiveError, match="not a valid"):
        loads(dumps(forged, kind="test"), kind="test")


def test_stories_tell_what_became_of_a_column():
    assert Numeric.fit("x", np.array([1.0, 2.0, np.nan])).story == (
        "a number",
        "1.5 (the mean), and a column says so",
        "",
    )
    assert Levels.fit("c", labels(list("aab"))).story == (
        "1 column of 0 and 1", "none seen; would count as an average row", "a",
    )  # fmt: skip
    assert Graded.fit("g", labels(["no", "yes"]), grades=("no", "yes")).story[0] == "a number: no = 0, yes = 1"
    story = DateParts.fit("d", np.repeat(days("2024-01-01", "2024-02-02"), 10)).story
    assert story == (
        "years since 2024-01-01, month, weekday",
        "none seen; would be the mean date",
        "month 1, weekday Friday",
    )


# Columns as they are


def test_columns_kept_as_they_are():
    x = np.array([1.0, np.nan, 3.0])
    np.testing.assert_array_equal(filled(Kept.fit("x", x), x, 3)[0][:, 0], x)
    assert Kept.fit("x", np.ones(3)).names == ()
    assert Kept.fit("x", np.array([1.0, np.nan])).names == ("x",)
    words = labels(["b", "a", None, "b"])
    coded = Coded.fit("sky", words)
    assert (coded.words, coded.levels) == (("a", "b"), (("a", "b"),))
    out, unknown = filled(coded, labels(["b", "new", None]), 3)
    np.testing.assert_array_equal(out[:, 0], [1, -1, np.nan])
    assert unknown == (("new", 1),)


def test_grades_kept_are_numbers_and_a_new_one_is_missing():
    coded = Coded.fit("size", labels(["S", "L"], ("S", "M", "L")), order=("S", "M", "L"), graded=True)
    assert (coded.words, coded.levels) == (("S", "L"), (None,))
    out, unknown = filled(coded, labels(["L", "M"], ("S", "M", "L")), 2)
    np.testing.assert_array_equal(out[:, 0], [1, np.nan])
    assert unknown == (("M", 1),)


def test_dates_kept_are_numbers_with_gaps():
    when = days("2020-01-01", None, "2022-03-01")
    kept = KeptDate.fit("sold", when)
    assert kept.names == ("sold: years since 2020-01-01", "sold: month", "sold: weekday")
    out, _ = filled(kept, when, 3)
    np.testing.assert_allclose(out[:, 0], [0, np.nan, 790 / 365.2425])
    np.testing.assert_array_equal(out[:, 1:], [[1, 3], [np.nan, np.nan], [3, 2]])


@pytest.mark.parametrize(
    "encoder",
    [Kept.fit("x", np.arange(3.0)), Coded.fit("x", labels(["a", "b"])), KeptDate.fit("x", days("2020-01-01", None))],
)
def test_kept_columns_travel_through_a_file(encoder):
    assert loads(dumps({"e": encoder}, kind="model"), kind="model")["e"] == encoder
