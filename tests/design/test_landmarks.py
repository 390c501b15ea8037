"""Landmarks: the formula, how landmarks and γ are chosen, any similarity, files, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from glaswerk import LinearRegression, StandardScaler, load, save
from glaswerk.base import Matrix
from glaswerk.design import Landmarks
from glaswerk.design.landmarks import drawn_rows, first_of_each, squared_distances, typical_distance, typical_spacing

ROWS = np.random.default_rng(0).normal(size=(60, 3))


def test_the_formula_of_script_d():
    """[SCH-RBF] φ_γ(x, l) = exp(-γ ‖x - l‖²)."""
    landmark, x = np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 4.0, 2.0]])
    np.testing.assert_allclose(Landmarks(landmark, gamma=0.3).fit(ROWS).transform(x), [[np.exp(-0.3 * 5)]], rtol=1e-15)
    np.testing.assert_array_equal(Landmarks(landmark, gamma=0.3).fit(ROWS).transform(landmark), [[1.0]])


@pytest.mark.parametrize("gamma", [0.01, 0.7, 30.0])
def test_similarities_equal_scikit_learns(gamma):
    ours = Landmarks(ROWS[:7], gamma=gamma).fit(ROWS).transform(ROWS)
    np.testing.assert_allclose(ours, rbf_kernel(ROWS, ROWS[:7], gamma=gamma), rtol=1e-12)
    np.testing.assert_allclose(ours, RBF(np.sqrt(0.5 / gamma))(ROWS, ROWS[:7]), rtol=1e-12)


def test_distances_keep_their_digits_far_from_zero():
    near = squared_distances(1e8 + ROWS[:5], 1e8 + ROWS[:5])
    expected = (((1e8 + ROWS[:5])[:, None] - (1e8 + ROWS[:5])[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(near, expected, rtol=1e-15)
    assert (np.diag(near) == 0).all()


@settings(deadline=None, max_examples=30)
@given(cut=st.integers(1, 59), offset=st.integers(-1000, 1000))
def test_rows_do_not_depend_on_each_other_and_distances_not_on_the_origin(cut, offset):
    basis = Landmarks(n_landmarks=8).fit(ROWS)
    whole = np.asarray(basis.transform(ROWS))
    np.testing.assert_array_equal(np.concatenate([basis.transform(ROWS[:cut]), basis.transform(ROWS[cut:])]), whole)
    np.testing.assert_allclose(Landmarks(n_landmarks=8).fit_transform(ROWS + offset), whole, atol=1e-11)


def test_the_chosen_gamma_follows_the_unit():
    whole = Landmarks(n_landmarks=8).fit(ROWS)
    scaled = Landmarks(n_landmarks=8).fit(ROWS * 7.0)
    assert scaled.gamma_ == pytest.approx(whole.gamma_ / 49, rel=1e-14)
    np.testing.assert_allclose(scaled.transform(ROWS * 7.0), whole.transform(ROWS), rtol=1e-12)
    points = np.array([[0.0], [1.0], [3.0]])
    assert (typical_distance(points), typical_spacing(points)) == (2.0, 3.0)
    square = np.array([[i, j] for i in range(9) for j in range(9)])
    assert typical_spacing(square * 0.5) == 0.5
    assert Landmarks(points).fit(points).gamma_ == 0.5 / 4


def test_landmarks_are_distinct_rows_in_the_order_of_the_table():
    repeated = np.repeat([[0.0], [1.0], [2.0]], [500, 3, 1], axis=0)
    np.testing.assert_array_equal(drawn_rows(repeated, 3, 0), [[0.0], [1.0], [2.0]])
    np.testing.assert_array_equal(drawn_rows(repeated, None, 0), [[0.0], [1.0], [2.0]])
    found = Landmarks(n_landmarks=10, random_state=4).fit(ROWS).landmarks_
    places = [np.flatnonzero((row == ROWS).all(axis=1)).item() for row in found]
    assert places == sorted(set(places))
    assert len(places) == 10
    np.testing.assert_array_equal(found, Landmarks(n_landmarks=10, random_state=4).fit(ROWS).landmarks_)
    assert not np.array_equal(found, Landmarks(n_landmarks=10, random_state=5).fit(ROWS).landmarks_)
    assert first_of_each(np.array([[2.0], [1.0], [2.0]])).tolist() == [0, 1]


def test_every_row_is_drawn_about_equally_often():
    X = np.arange(20.0)[:, None]
    counts = np.zeros(20)
    for seed in range(400):
        counts[drawn_rows(X, 5, seed)[:, 0].astype(int)] += 1
    assert abs(counts - 100).max() < 40


def test_a_linear_model_on_landmarks_separates_a_disc():
    X = np.random.default_rng(1).uniform(-1, 1, size=(400, 2))
    inside = (X**2).sum(axis=1) < 0.4
    model = make_pipeline(StandardScaler(), Landmarks(n_landmarks=30), LinearRegression()).fit(X[:300], inside[:300])
    assert np.mean((model.predict(X[300:]) > 0.5) == inside[300:]) > 0.9
    assert np.mean((LinearRegression().fit(X[:300], inside[:300]).predict(X[300:]) > 0.5) == inside[300:]) < 0.8


def dot(rows, landmarks):
    return rows @ landmarks.T


def test_any_similarity(tmp_path):
    basis = Landmarks(ROWS[:2], similarity=dot).fit(ROWS)
    np.testing.assert_array_equal(basis.transform(ROWS), ROWS @ ROWS[:2].T)
    with pytest.raises(ValueError, match=r"Landmarks\.similarity is a function"):
        save(basis, tmp_path / "b")
    save(basis, tmp_path / "b", functions={"dot": dot})
    again = load(tmp_path / "b", functions={"dot": dot})
    np.testing.assert_array_equal(again.transform(ROWS), basis.transform(ROWS))


def test_a_similarity_cannot_change_the_landmarks():
    def spoil(rows, landmarks):
        landmarks[:] = 0.0
        return np.ones((len(rows), len(landmarks)))

    basis = Landmarks(ROWS[:2], similarity=spoil).fit(ROWS)
    basis.transform(ROWS)
    np.testing.assert_array_equal(basis.landmarks_, ROWS[:2])


def test_names_and_files(tmp_path):
    basis = Landmarks(n_landmarks=3).fit(ROWS)
    made = basis.transform(ROWS)
    assert isinstance(made, Matrix)
    assert made.names == ("like 0", "like 1", "like 2")
    save(basis, tmp_path / "b")
    np.testing.assert_array_equal(load(tmp_path / "b").transform(ROWS), made)


@pytest.mark.parametrize("rows", [[[3.0, 1.0]], [[3.0, 1.0]] * 4], ids=["one row", "equal rows"])
def test_a_table_without_distances(rows):
    np.testing.assert_array_equal(Landmarks().fit_transform(rows), np.ones((len(rows), 1)))


@pytest.mark.parametrize(
    ("basis", "message"),
    [
        (Landmarks("columns"), "landmarks must be 'rows' or a table of numbers, got 'columns'"),
        (Landmarks(gamma=0), "gamma must be 'median' or a number > 0, got 0"),
        (Landmarks([[1.0]]), r"landmarks must be a table of finite numbers, .* 2 column\(s\) .* \(1, 1\)"),
        (Landmarks([["a", "b"]]), "landmarks must hold numbers"),
        (Landmarks([[1.0, np.nan]]), "landmarks must be a table of finite numbers"),
        (Landmarks(np.zeros((0, 2))), "landmarks must be a table of finite numbers"),
        (Landmarks(similarity=lambda a, b: np.ones(3)), r"per row and landmark \(2, 2\), got \(3,\)"),
    ],
)
def test_bad_parameters_are_refused(basis, message):
    with pytest.raises(ValueError, match=message):
        basis.fit_transform([[1.0, 2.0], [3.0, 4.0]])


def test_gaps_are_refused():
    with pytest.raises(ValueError, match="X contains NaN: column 'x1', row 0"):
        Landmarks().fit([[1.0, np.nan]])


@pytest.mark.parametrize(("name", "value"), [("gamma_", 0.0), ("landmarks_", np.zeros((2, 5)))])
def test_what_does_not_fit_together_is_not_restored(name, value):
    basis = Landmarks(n_landmarks=2).fit(ROWS)
    parts = {"n_features_in_": 3, "landmarks_": basis.landmarks_, "gamma_": basis.gamma_, name: value}
    with pytest.raises(ValueError, match=name):
        Landmarks().restore(parts)
