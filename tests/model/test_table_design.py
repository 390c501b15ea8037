"""Columns of a table to a design matrix by name: known matrices, statsmodels as oracle, laws of order and subsets."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from glaswerk.base import Matrix, Warned
from glaswerk.design import PolynomialBasis, StandardScaler
from glaswerk.model import TableDesign
from glaswerk.model.sheet import Sheet
from glaswerk.table import TableError, read_table

KINDS = {"name": "text", "id": "identifier", "make": "category", "owned": "flag", "since": "date"}
CELLS = {
    "id": ["a1", "a2", "a3", "a4", "a5", "a6"],
    "hp": [70.0, 90.0, None, 110.0, 150.0, 90.0],
    "make": ["ford", "fiat", "ford", "vw", "ford", None],
    "size": ["S", "L", "M", "M", "S", "S"],
    "owned": ["yes", "no", "no", "yes", "yes", "no"],
    "since": ["2020-01-01", "2020-01-01", "2021-01-01", "2022-01-01", "2020-01-01", "2020-01-01"],
    "doors": [4, 4, 4, 4, 4, 4],
    "name": ["one car", "two cars", "three cars", "one", "more", "much more"],
}


def table(rows=slice(None), kinds=KINDS, **changed):
    cells = {name: list(column[rows]) for name, column in {**CELLS, **changed}.items()}
    kinds = {name: kind for name, kind in kinds.items() if name in cells}
    return read_table(cells, kinds=kinds, levels={"size": ["S", "M", "L"]})


def numbers(n=60, seed=0):
    rng = np.random.default_rng(seed)
    cells = {"a": rng.normal(size=n), "b": rng.normal(10, 3, n), "g": rng.choice(["x", "y", "z"], n).tolist()}
    return read_table(cells, kinds={"g": "category"})


# Known matrices


def test_every_kind_of_column_finds_its_place():
    design = TableDesign().fit(table())
    matrix = design.transform(table())
    assert isinstance(matrix, Matrix)
    assert matrix.names == design.names_
    assert design.names_[:6] == ("hp", "hp is missing", "make: fiat", "make: vw", "make is missing", "size")
    assert design.names_[6] == "owned: yes"
    assert design.names_[7].startswith("since: years since 2020-01-01")
    np.testing.assert_array_equal(matrix[2, :7], [102, 1, 0, 0, 0, 1, 0])
    np.testing.assert_array_equal(matrix[5, :7], [90, 0, 0, 0, 1, 0, 0])


def test_what_says_nothing_is_set_aside_with_its_reason():
    aside = dict(TableDesign().fit(table()).aside_)
    assert set(aside) == {"id", "name", "doors"}
    assert aside["name"] == "free text"
    assert aside["id"].startswith("an identifier")
    assert aside["doors"] == "constant: '4' in every row"
    design = TableDesign(categories="aside").fit(table(hp=[None] * 6))
    assert dict(design.aside_)["make"] == "a category, and categories='aside'"


def test_a_column_that_is_always_missing_or_a_constant_date_is_set_aside():
    design = TableDesign().fit(table(since=["2020-01-01"] * 6, kinds={**KINDS, "hp": "number"}))
    assert dict(design.aside_)["since"] == "constant: '2020-01-01' in every row"
    empty = read_table({"a": [1.0, 2.0], "nothing": [None, None], "g": [None, None]}, kinds={"g": "category"})
    design = TableDesign().fit(empty)
    assert design.names_[0] == "a"


def test_ordered_columns_may_be_levels():
    names = TableDesign(ordered="levels").fit(table()).names_
    assert "size: M" in names
    assert "size" not in names


def test_rare_levels_share_a_column():
    cells = {"c": [f"l{k % 30}" for k in range(90)], "x": list(range(90))}
    design = TableDesign(most_levels=4).fit(read_table(cells, kinds={"c": "category"}))
    assert design.names_ == ("c: l1", "c: l10", "c: l11", "c: other levels", "x")


def test_scaling_and_basis_take_the_numbers_and_leave_the_levels():
    t = numbers()
    design = TableDesign(scale=True, basis=PolynomialBasis(2)).fit(t)
    matrix = design.transform(t)
    assert design.names_ == ("a", "b", "a^2", "a b", "b^2", *TableDesign().fit(t).names_[2:])
    plain = np.asarray(TableDesign().fit(t).transform(t))
    scaled = np.asarray(StandardScaler().fit_transform(plain[:, :2]))
    np.testing.assert_array_equal(matrix[:, :5], PolynomialBasis(2).fit_transform(scaled))
    np.testing.assert_array_equal(matrix[:, 5:], plain[:, 2:])
    assert matrix.low.shape == matrix.shape
    assert not matrix.low[:, 5:].any()


def test_a_basis_leaves_columns_of_two_values_alone():
    t = read_table({"x": [1.0, 2.0, 5.0, 3.0], "dummy": [0, 1, 1, 0]})
    assert TableDesign(basis=PolynomialBasis(2)).fit(t).names_ == ("x", "x^2", "dummy")
    two = read_table({"dummy": [0, 1, 1, 0]})
    assert TableDesign(basis=PolynomialBasis(2)).fit(two).names_ == ("dummy",)


def test_a_pipeline_or_any_transformer_may_be_the_basis():
    pipeline = make_pipeline(StandardScaler(), PolynomialBasis(2))
    assert TableDesign(basis=pipeline).fit(numbers()).names_[:5] == ("a", "b", "a^2", "a b", "b^2")
    basis = FunctionTransformer(np.exp, feature_names_out="one-to-one", check_inverse=False)
    t = numbers()
    np.testing.assert_array_equal(TableDesign(basis=basis).fit(t).transform(t)[:, 0], np.exp(t["a"].numbers()))


# Oracle


def test_the_matrix_equals_statsmodels_treatment_coding():
    patsy = pytest.importorskip("patsy")
    t = numbers()
    frame = t.to_polars().to_pandas()
    reference = frame["g"].value_counts().sort_index().idxmax()
    theirs = patsy.dmatrix(f"a + b + C(g, Treatment('{reference}'))", frame, return_type="dataframe")
    ours = TableDesign().fit(t).transform(t)
    np.testing.assert_array_equal(np.asarray(ours), theirs[["a", "b", *theirs.columns[1:-2]]].to_numpy())


# Laws


def test_columns_may_come_in_any_order_with_others_beside_them():
    design = TableDesign().fit(table())
    turned = table().select(list(CELLS)[::-1])
    np.testing.assert_array_equal(design.transform(turned), design.transform(table()))
    more = table(extra=[1, 2, 3, 4, 5, 6])
    np.testing.assert_array_equal(design.transform(more), design.transform(table()))


def test_rows_of_a_sheet_equal_a_table_of_those_rows():
    rows = np.array([4, 0, 1, 3])
    from_sheet = TableDesign().fit(Sheet(table()).take(np.arange(6)).take(rows))
    from_table = TableDesign().fit(table().take(rows))
    assert from_sheet.encoders_ == from_table.encoders_
    np.testing.assert_array_equal(
        from_sheet.transform(Sheet(table()).take(rows)), from_table.transform(table().take(rows))
    )


CELL = {
    "number": st.none() | st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0]),
    "category": st.none() | st.sampled_from(["a", "b", "ä", "<i>", "a: b", "other levels", "$x"]),
    "flag": st.none() | st.sampled_from(["yes", "no"]),
    "date": st.none() | st.sampled_from(["2024-02-29", "1969-12-31", "2023-07-01", "2024-03-01"]),
}


@settings(deadline=None, max_examples=40)
@given(
    data=st.data(), options=st.sampled_from([{}, {"scale": True}, {"basis": PolynomialBasis(2)}, {"most_levels": 2}])
)
def test_any_table_fitted_on_some_rows_gives_finite_numbers_for_all_of_them_in_any_order(data, options):
    n = data.draw(st.integers(2, 12))
    cells = {kind: data.draw(st.lists(cell, min_size=n, max_size=n)) for kind, cell in CELL.items()}
    sheet = Sheet(read_table({**cells, "k": list(range(n))}, kinds={kind: kind for kind in cells}))
    design = TableDesign(**options).fit(sheet.take(np.arange(data.draw(st.integers(2, n)))))
    order = np.array(data.draw(st.permutations(range(n))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Warned)
        made = design.transform(sheet)
        turned = design.transform(sheet.take(order))
    assert np.isfinite(made).all()
    assert made.shape == (n, len(set(design.names_)))
    np.testing.assert_array_equal(turned, made[order])


def test_an_unseen_level_is_an_average_row_and_told_once():
    design = TableDesign().fit(table())
    with pytest.warns(Warned, match=r"column 'make': 'lada' in 2 row\(s\)") as caught:
        made = design.transform(table(make=["lada", "fiat", "lada", "vw", "ford", None]))
    assert len(caught) == 1
    average = design.transform(table())[:, 2:5].mean(axis=0)
    np.testing.assert_allclose(made[[0, 2], 2:5], [average, average])


def test_weights_are_repetitions():
    weight = np.array([2.0, 1.0, 1.0, 3.0, 1.0, 1.0])
    repeated = table().take(np.repeat(np.arange(6), weight.astype(int)))
    weighted = TableDesign(scale=True).fit(table(), weight)
    again = TableDesign(scale=True).fit(repeated)
    assert weighted.encoders_ == again.encoders_
    np.testing.assert_allclose(weighted.transform(table()), again.transform(table()), rtol=1e-12)


def test_a_clone_is_equal_and_unfitted():
    design = TableDesign(missing="drop", basis=PolynomialBasis(3)).fit(numbers())
    copy = clone(design)
    assert repr(copy) == repr(design)
    with pytest.raises(ValueError, match="not fitted"):
        copy.transform(numbers())


# Missing cells


def test_dropping_leaves_rows_with_gaps_out_and_predicts_them_as_average():
    design = TableDesign(missing="drop").fit(table())
    assert design.complete_rows(Sheet(table())).tolist() == [0, 1, 3, 4]
    assert "hp is missing" not in design.names_
    with pytest.warns(Warned, match="column 'hp': a missing cell"):
        made = design.transform(table())
    assert made[2, 0] == 105.0
    with pytest.raises(TableError, match="no row is left"):
        TableDesign(missing="drop").fit(read_table({"a": [1.0, None], "b": [None, 2.0]}))


def test_gaps_may_be_refused_at_fit_and_afterwards():
    with pytest.raises(
        TableError, match=r"column 'hp' is missing in 1 row\(s\), the first is row 3 \(counted from 1\); .*'make'"
    ):
        TableDesign(missing="refuse").fit(table())
    complete = np.array([0, 1, 3, 4])
    design = TableDesign(missing="refuse").fit(table().take(complete))
    with pytest.raises(TableError, match="missing='refuse': fill or drop"):
        design.transform(table())


def test_columns_that_lack_the_same_rows_share_one_column_that_says_so():
    """Two of them would be one column twice, and no coefficient of either could be read."""
    gone = {1, 4}
    cells = {
        "a": [None if k in gone else float(k) for k in range(8)],
        "c": [None if k in gone else "xy"[k % 2] for k in range(8)],
        "b": [None if k in {2} else float(k * k) for k in range(8)],
        "d": [None if k in gone else f"2024-01-0{k + 1}" for k in range(8)],
    }
    t = read_table(cells, kinds={"c": "category", "d": "date"})
    design = TableDesign(scale=True, basis=PolynomialBasis(2)).fit(t)
    assert [name for name in design.names_ if "missing" in name] == ["a is missing", "b is missing"]
    assert design.repeats_ == (("c", "a"), ("d", "a"))
    made = design.transform(t)
    assert (
        np.linalg.matrix_rank(made[:, [design.names_.index(n) for n in ("a is missing", "b is missing", "c: y")]]) == 3
    )
    assert design.facts().rows[1][3] == "a level of its own (the same rows as 'a')"
    assert design.names_[:3] == ("a", "b", "d: years since 2024-01-01")


# Bad input


def test_a_column_that_is_not_there_is_named_with_its_neighbour():
    design = TableDesign().fit(table())
    with pytest.raises(TableError, match=r"was fitted with the column 'hp'.* no column 'hp'.*did you mean 'HP'"):
        design.transform(read_table({("HP" if name == "hp" else name): cells for name, cells in CELLS.items()}))


@pytest.mark.parametrize(
    ("changed", "kinds", "message"),
    [
        (
            {"hp": ["x", "y", "x", "y", "x", "y"]},
            {"hp": "category"},
            r"'hp' was a column of numbers.*category here \('x' in row 1\)",
        ),
        ({"make": [1, 2, 3, 1, 2, 3]}, {"make": "number"}, "'make' held levels .* kinds={'make': 'category'}"),
        ({"since": [1, 2, 3, 1, 2, 3]}, {"since": "number"}, "'since' was read as date .* number here"),
    ],
)
def test_a_column_of_another_kind_is_refused(changed, kinds, message):
    design = TableDesign().fit(table())
    with pytest.raises(TableError, match=message):
        design.transform(table(kinds={**KINDS, **kinds}, **changed))


def test_a_column_that_is_all_missing_may_be_of_any_kind():
    design = TableDesign().fit(table())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = design.transform(table(kinds={**KINDS, "hp": "category"}, hp=[None] * 6))
        design.transform(table(kinds={**KINDS, "make": "number"}, make=[None] * 6))
    np.testing.assert_array_equal(made[:, :2], [[102, 1]] * 6)


def test_flags_may_be_written_in_other_words():
    design = TableDesign().fit(table())
    booleans = table(owned=[True, False, False, True, True, False])
    np.testing.assert_array_equal(design.transform(booleans), design.transform(table()))


def test_bad_parameters_and_tables_without_columns_are_refused():
    with pytest.raises(ValueError, match="missing must be 'fill' or 'drop' or 'refuse' or 'keep', got 'mean'"):
        TableDesign(missing="mean").fit(table())
    with pytest.raises(ValueError, match="basis must be None or a transformer"):
        TableDesign(basis=3).fit(table())
    with pytest.raises(TableError, match=r"no column is left to learn from .'doors': constant"):
        TableDesign().fit(table().select(["doors", "name"]))


def test_hostile_and_equal_names_stay_apart():
    t = read_table(
        {"a": ["b: c", "d", "d"], "a: b": ["c", "e", "e"], "<script>": [1, 2, 4], "$kind": [3, 1, 2]},
        kinds={"a": "category", "a: b": "category"},
    )
    names = TableDesign().fit(t).names_
    assert names == ("a: b: c", "a: b: c (2)", "<script>", "$kind")


def test_facts_tell_what_became_of_each_column():
    told = TableDesign(scale=True).fit(table()).facts()
    rows = {row[0]: row[1:] for row in told.rows}
    assert list(rows) == list(CELLS)
    assert rows["hp"] == ("number", "a number", "102 (the mean), and a column says so", "")
    assert rows["make"] == ("category", "2 columns of 0 and 1", "a level of its own", "ford")
    assert rows["name"] == ("text", "set aside: free text", "", "")
    assert told.notes[0].startswith("scaled to mean 0 and deviation 1: hp, size, since")


# Columns as they are


def test_categories_and_gaps_stay_for_learners_that_take_them():
    design = TableDesign(categories="codes", missing="keep").fit(table())
    matrix = design.transform(table())
    assert design.names_[:4] == ("hp", "make", "size", "owned")
    assert matrix.levels[:4] == (None, ("fiat", "ford", "vw"), None, ("no", "yes"))
    np.testing.assert_array_equal(
        matrix[:, :4],
        [[70, 1, 0, 1], [90, 0, 2, 0], [np.nan, 1, 1, 0], [110, 2, 1, 1], [150, 1, 0, 1], [90, np.nan, 0, 0]],
    )
    with pytest.warns(Warned, match="column 'make': 'audi' in 1 row"):
        unseen = design.transform(table(rows=slice(0, 1), make=["audi"]))
    assert unseen[0, 1] == -1


def test_codes_may_stand_beside_filled_numbers():
    design = TableDesign(categories="codes").fit(table())
    matrix = design.transform(table())
    assert matrix.names[:3] == ("hp", "hp is missing", "make")
    assert matrix.levels[2] == ("fiat", "ford", "vw")
    assert not np.isnan(matrix[:, 0]).any()


def test_a_basis_keeps_the_levels_beside_it():
    design = TableDesign(categories="codes", basis=PolynomialBasis(2)).fit(numbers())
    matrix = design.transform(numbers())
    assert matrix.levels[-1] == ("x", "y", "z")
    assert not any(matrix.levels[:-1])


def test_gaps_kept_cannot_be_scaled():
    with pytest.raises(ValueError, match="missing='keep' leaves gaps"):
        TableDesign(missing="keep", scale=True).fit(table())
