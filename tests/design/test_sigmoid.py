"""Smooth steps: the formula with the right sign, centres and widths, files, bad input."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline

from glaswerk import LinearRegression, load, save
from glaswerk.base import Matrix
from glaswerk.design import GaussianBasis, SigmoidBasis

ROWS = np.random.default_rng(0).normal(size=(50, 2))


def test_steps_rise_as_the_sign_that_script_c_drops_says():
    """[BG-STEP] σ(a) = 1/(1 + e⁻ᵃ) with 50 digits; printed is 1/(1 + eᵃ), which falls."""
    x = np.array([-700.0, -3.0, 0.0, 0.25, 40.0])
    made = np.asarray(SigmoidBasis([0.25], width=2.0).fit_transform(x[:, None]))[:, 0]
    with mpmath.workdps(50):
        exact = [float(1 / (1 + mpmath.exp(-(mpmath.mpf(v) - mpmath.mpf(0.25)) / 2))) for v in x]
    np.testing.assert_allclose(made, exact, rtol=4e-16)
    assert (np.diff(made) > 0).all()


def test_a_step_and_its_mirror_add_up_to_one():
    basis = SigmoidBasis("grid", n_centres=3, width=0.7).fit(ROWS)
    mirrored = SigmoidBasis("grid", n_centres=3, width=0.7).fit(-ROWS)
    for j in (0, 1):
        here = np.asarray(basis.transform(ROWS))[:, basis.columns_ == j]
        there = np.asarray(mirrored.transform(-ROWS))[:, mirrored.columns_ == j][:, ::-1]
        np.testing.assert_allclose(here + there, 1.0, rtol=1e-13)


@pytest.mark.parametrize("kind", ["quantiles", "grid"])
def test_centres_and_widths_are_those_of_the_bumps(kind):
    steps, bumps = SigmoidBasis(kind, n_centres=6).fit(ROWS), GaussianBasis(kind, n_centres=6).fit(ROWS)
    for name in ("columns_", "centres_", "widths_"):
        np.testing.assert_array_equal(getattr(steps, name), getattr(bumps, name))


def test_given_centres_stand_column_by_column_in_order():
    basis = SigmoidBasis([[3.0, 1.0], [1.0, 1.0]]).fit(ROWS)
    assert basis.columns_.tolist() == [0, 0, 1]
    assert basis.centres_.tolist() == [1.0, 3.0, 1.0]
    assert basis.widths_.tolist() == [2.0, 2.0, 1.0]


@settings(deadline=None, max_examples=20)
@given(scale=st.floats(1e-3, 1e3), offset=st.floats(-1e3, 1e3), cut=st.integers(1, 49))
def test_units_and_origin_do_not_matter_and_rows_are_alone(scale, offset, cut):
    basis = SigmoidBasis(n_centres=5).fit(ROWS)
    whole = np.asarray(basis.transform(ROWS))
    np.testing.assert_allclose(SigmoidBasis(n_centres=5).fit_transform(ROWS * scale + offset), whole, atol=1e-8)
    np.testing.assert_array_equal(np.concatenate([basis.transform(ROWS[:cut]), basis.transform(ROWS[cut:])]), whole)


def test_a_staircase_is_found():
    x = np.linspace(0, 10, 300)[:, None]
    y = (x[:, 0] > 3) * 2.0 + (x[:, 0] > 7)
    model = make_pipeline(SigmoidBasis([3.0, 7.0], width=0.01), LinearRegression()).fit(x, y)
    np.testing.assert_allclose(model[-1].coef_, [2.0, 1.0], atol=0.02)


def test_names_and_files(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [20.0, 30.0, 40.0]})
    made = SigmoidBasis("grid", n_centres=2, include_linear=True).fit_transform(frame)
    assert isinstance(made, Matrix)
    assert made.names == ("age", "age above 20", "age above 40")
    basis = SigmoidBasis().fit(ROWS)
    save(basis, tmp_path / "b")
    np.testing.assert_array_equal(load(tmp_path / "b").transform(ROWS), basis.transform(ROWS))


def test_one_row_and_constant_columns():
    np.testing.assert_array_equal(SigmoidBasis().fit_transform([[3.0, 1.0]]), [[0.5, 0.5]])
    basis = SigmoidBasis().fit([[7.0, 0.0], [7.0, 1.0], [7.0, 1.0]])
    np.testing.assert_array_equal(basis.transform([[7.0, 0.0]])[:, 0], [0.5])


@pytest.mark.parametrize(
    ("basis", "message"),
    [
        (SigmoidBasis(width=0), "width must be 'spacing' or a number > 0, got 0"),
        (SigmoidBasis("rows"), "centres must be 'quantiles' or 'grid' or a table of numbers, got 'rows'"),
        (SigmoidBasis([[1.0]]), r"centres must be a table of finite numbers, .* 2 column\(s\)"),
    ],
)
def test_bad_parameters_are_refused(basis, message):
    with pytest.raises(ValueError, match=message):
        basis.fit([[1.0, 2.0], [3.0, 4.0]])


def test_gaps_are_refused_and_so_is_what_does_not_fit_together():
    with pytest.raises(ValueError, match="X contains infinity: column 'x0', row 1"):
        SigmoidBasis().fit([[1.0], [np.inf]])
    basis = SigmoidBasis().fit(ROWS)
    parts = {name: getattr(basis, name) for name in ("n_features_in_", "centres_", "widths_", "columns_")}
    with pytest.raises(ValueError, match="do not belong together"):
        SigmoidBasis().restore({**parts, "widths_": -basis.widths_})
