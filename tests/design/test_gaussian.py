"""Gaussian bumps: the formula, centres and widths, curves they can draw, files, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from glaswerk import LinearRegression, load, save
from glaswerk.base import Matrix
from glaswerk.design import GaussianBasis
from glaswerk.design.gaussian import centres_along, spacings, spelled

ROWS = np.random.default_rng(0).normal(size=(50, 2))
KINDS = ["quantiles", "grid", "rows"]


def test_the_formula_with_the_square_that_script_c_drops_once():
    """[BG-RBF] exp(-‖x - c‖² / (2σ²)), computed here from its definition."""
    made = GaussianBasis([[0.0, 1.0], [2.0, 2.0]], width=1.5).fit_transform([[3.0, -1.0]])
    np.testing.assert_allclose(made, np.exp([[-13 / 4.5, -10 / 4.5]]), rtol=1e-15)


def test_points_equal_scikit_learns_kernel():
    ours = GaussianBasis(ROWS[:9], width=0.8).fit_transform(ROWS)
    np.testing.assert_allclose(ours, rbf_kernel(ROWS, ROWS[:9], gamma=0.5 / 0.64), rtol=1e-12)


@pytest.mark.parametrize("kind", ["quantiles", "grid"])
def test_along_columns_every_bump_looks_at_one_column(kind):
    basis = GaussianBasis(kind, n_centres=4).fit(ROWS)
    assert basis.columns_.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    direct = [
        np.exp(-0.5 * ((ROWS[:, j] - c) / s) ** 2)
        for j, c, s in zip(basis.columns_, basis.centres_, basis.widths_, strict=True)
    ]
    np.testing.assert_array_equal(basis.transform(ROWS), np.column_stack(direct))


def test_where_the_centres_are():
    x = np.array([0.0, 1.0, 2.0, 10.0])
    np.testing.assert_allclose(centres_along(x, "grid", 5), [0, 2.5, 5, 7.5, 10])
    np.testing.assert_allclose(centres_along(x, "quantiles", 4), x)
    np.testing.assert_allclose(centres_along(x, "quantiles", 1), [1.5])
    np.testing.assert_allclose(centres_along(x, "grid", 1), [5.0])
    np.testing.assert_array_equal(centres_along(np.array([3.0, 3.0, 3.0, 4.0]), "quantiles", 3), [3.0, 4.0])
    np.testing.assert_array_equal(centres_along(np.full(4, 0.1), "grid", 7), [0.1])
    np.testing.assert_allclose(spacings(np.array([0.0, 1.0, 4.0])), [1.0, 2.0, 3.0])


def test_widths():
    x = np.array([[0.0], [1.0], [4.0]])
    assert GaussianBasis("quantiles", n_centres=3).fit(x).widths_.tolist() == [1.0, 2.0, 3.0]
    assert GaussianBasis("quantiles", n_centres=3, width="median").fit(x).widths_.tolist() == [3.0, 3.0, 3.0]
    assert GaussianBasis("quantiles", n_centres=3, width=0.5).fit(x).widths_.tolist() == [0.5, 0.5, 0.5]
    assert GaussianBasis("rows").fit(x).widths_.tolist() == [4.0, 4.0, 4.0]
    assert GaussianBasis(x, width="median").fit(x).widths_.tolist() == [3.0, 3.0, 3.0]


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=20)
@given(scale=st.floats(1e-3, 1e3), offset=st.floats(-1e3, 1e3), cut=st.integers(1, 49))
def test_units_and_origin_do_not_matter_and_rows_are_alone(kind, scale, offset, cut):
    basis = GaussianBasis(kind, n_centres=5).fit(ROWS)
    whole = np.asarray(basis.transform(ROWS))
    moved = GaussianBasis(kind, n_centres=5).fit_transform(ROWS * scale + offset)
    np.testing.assert_allclose(moved, whole, atol=1e-8)
    np.testing.assert_array_equal(np.concatenate([basis.transform(ROWS[:cut]), basis.transform(ROWS[cut:])]), whole)


@pytest.mark.parametrize("kind", ["quantiles", "grid"])
def test_the_order_of_the_rows_does_not_matter(kind):
    order = np.random.default_rng(1).permutation(len(ROWS))
    a, b = (GaussianBasis(kind).fit(rows) for rows in (ROWS, ROWS[order]))
    np.testing.assert_array_equal(a.centres_, b.centres_)


def test_a_curve_is_drawn():
    x = np.linspace(0, 10, 200)[:, None]
    y = np.sin(x[:, 0]) + 0.3 * x[:, 0]
    for kind, width in (("quantiles", "spacing"), ("grid", "spacing"), ("rows", "median")):
        bumps = GaussianBasis(kind, n_centres=25, width=width, include_linear=True)
        model = make_pipeline(bumps, LinearRegression()).fit(x, y)
        assert np.abs(model.predict(x) - y).max() < 0.05


def test_names_and_files(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [20.0, 30.0, 40.0], "size": [1.0, 1.0, 2.0]})
    basis = GaussianBasis("grid", n_centres=2, include_linear=True).fit(frame)
    made = basis.transform(frame)
    assert isinstance(made, Matrix)
    assert made.names == ("age", "size", "age near 20", "age near 40", "size near 1", "size near 2")
    assert GaussianBasis("rows", n_centres=1).fit(frame).get_feature_names_out().tolist() == ["near centre 0"]
    assert spelled(np.array([1.0, 1.0 + 1e-12])) == ["1", "1.000000000001"]
    for kind in KINDS:
        basis = GaussianBasis(kind).fit(ROWS)
        save(basis, tmp_path / kind)
        again = load(tmp_path / kind)
        np.testing.assert_array_equal(again.transform(ROWS), basis.transform(ROWS))
        assert again.get_params() == basis.get_params()


@pytest.mark.parametrize("kind", KINDS)
def test_one_row_constant_columns_and_repeated_values(kind):
    np.testing.assert_array_equal(np.unique(GaussianBasis(kind).fit_transform([[3.0, 1.0]])), [1.0])
    basis = GaussianBasis(kind).fit([[7.0, 0.0], [7.0, 1.0], [7.0, 1.0], [7.0, 1.0]])
    assert np.isfinite(basis.transform([[7.0, 0.5]])).all()
    assert len(np.unique(basis.centres_[basis.columns_ == 0])) == (1 if kind != "rows" else 0)
    names = basis.get_feature_names_out()
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("basis", "message"),
    [
        (GaussianBasis(width=0), "width must be 'spacing' or 'median' or a number > 0, got 0"),
        (GaussianBasis("everywhere"), "centres must be 'quantiles' or 'grid' or 'rows' or a table of numbers"),
        (GaussianBasis(n_centres=0), "n_centres must be an integer >= 1, got 0"),
        (GaussianBasis([1.0, 2.0]), r"centres must be a table of finite numbers, .* 2 column\(s\)"),
    ],
)
def test_bad_parameters_are_refused(basis, message):
    with pytest.raises(ValueError, match=message):
        basis.fit([[1.0, 2.0], [3.0, 4.0]])


def test_gaps_are_refused():
    with pytest.raises(ValueError, match="X contains NaN: column 'x0', row 1"):
        GaussianBasis().fit([[1.0], [np.nan]])


@pytest.mark.parametrize("kind", ["grid", "rows"])
@pytest.mark.parametrize("change", [{"widths_": np.zeros(1)}, {"columns_": np.array([1, 0])}, {"centres_": np.ones(3)}])
def test_what_does_not_fit_together_is_not_restored(kind, change):
    basis = GaussianBasis(kind, n_centres=2).fit(ROWS)
    parts = {name: getattr(basis, name) for name in ("n_features_in_", "centres_", "widths_", "columns_")}
    with pytest.raises(ValueError, match=r"widths_|columns_|centres_"):
        GaussianBasis().restore({**parts, **change})
