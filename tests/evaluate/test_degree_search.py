"""The degree search: script A's algorithm 3 with the star it drops, the verdict in words, the split, edges."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from glaswerk import LinearRegression, PolynomialBasis, StandardScaler
from glaswerk.evaluate import search_degree
from glaswerk.scoring import root_mean_squared_error


def cubic(n=200, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, n)
    return x[:, None], x**3 - 2 * x + noise * rng.normal(size=n)


def test_the_best_weights_are_returned_and_not_the_last():
    """[BOE-DEGREE] The loop written out with numpy; printed is "return w", the fit of the highest degree."""
    x, y = cubic()
    found = search_degree(x, y, degrees=range(9))
    train, validation = found.train, found.validation
    errors = {}
    for d in range(9):
        fitted = np.polynomial.Polynomial.fit(x[train, 0], y[train], d)
        errors[d] = np.mean((y[validation] - fitted(x[validation, 0])) ** 2)
    best = min(errors, key=errors.get)
    assert found.degree == best < 8
    w = np.polynomial.Polynomial.fit(x[train, 0], y[train], best)
    np.testing.assert_allclose(found.model.predict(x), w(x[:, 0]), rtol=1e-9, atol=1e-10)
    validated, trained = found.curve.lines
    assert (validated.name, trained.name) == ("validation", "training")
    assert validated.x == tuple(map(float, range(9)))
    np.testing.assert_allclose(validated.y, np.sqrt(list(errors.values())), rtol=1e-9)
    assert (np.diff(trained.y) < 1e-12).all()


def test_the_true_degree_is_found_again_and_again():
    simplest = [search_degree(*cubic(seed=seed), degrees=range(1, 7)).simplest for seed in range(8)]
    assert simplest.count(3) >= 6
    assert min(simplest) == 3


def test_the_verdict_names_too_simple_and_too_rich():
    x, y = cubic(40, noise=1.0, seed=4)
    found = search_degree(x, y, degrees=range(1, 20), split=0.5)
    assert found.says.startswith(f"Degree {found.degree} has the least RMSE on the validation rows: ")
    assert "Degree 1 is too simple (underfitted)" in found.says or "Degree 2 is too simple" in found.says
    assert "Degree 19 has learnt the noise (overfitted)" in found.says
    assert found.curve.y_scale == "log"
    assert (float(found.degree), "best") in found.curve.marks
    assert "20 training rows, 20 validation rows, drawn with seed 0" in found.curve.notes
    assert found.facts().of_kind(type(found.curve)) == [found.curve]
    assert str(found.curve.table())


def test_words_at_the_ends_of_the_range():
    x, y = cubic(noise=0.0)
    assert "It is the highest tried: a higher one may be better." in search_degree(x, y, degrees=[1, 2, 3]).says
    noise = np.random.default_rng(5).normal(size=300)
    flat = search_degree(np.linspace(0, 1, 300)[:, None], noise, degrees=range(3), seed=1)
    assert flat.simplest == 0


def test_simplest_is_within_one_standard_error():
    x, y = cubic(120, noise=1.5, seed=2)
    found = search_degree(x, y)
    square = {
        d: (y - make(d, x, y, found.train).predict(x))[found.validation] ** 2
        for d in range(1, 13)
    }  # fmt: skip
    alike = []
    for d, one in square.items():
        more = one - square[found.degree]
        if d == found.degree or more.mean() <= more.std(ddof=1) / np.sqrt(len(more)):
            alike.append(d)
    assert found.simplest == min(alike)


def make(degree, x, y, rows):
    return make_pipeline(PolynomialBasis(degree), LinearRegression()).fit(x[rows], y[rows])


def test_the_split_is_drawn_by_seed_counted_or_named():
    x, y = cubic(40)
    one, same, other = (search_degree(x, y, degrees=[1, 2], seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.train, same.train)
    assert not np.array_equal(one.train, other.train)
    assert one.curve == same.curve
    assert sorted([*one.train, *one.validation]) == list(range(40))
    assert len(search_degree(x, y, degrees=[1], split=13).validation) == 13
    named = search_degree(x, y, degrees=[1, 2], split=(range(30), range(30, 40)))
    assert named.train.tolist() == list(range(30))
    assert "30 training rows, 10 validation rows, named by the caller" in named.curve.notes


def test_refit_takes_both_parts():
    x, y = cubic()
    found = search_degree(x, y, refit=True)
    np.testing.assert_allclose(
        found.model.predict(x), make(found.degree, x, y, slice(None)).predict(x), rtol=1e-9, atol=1e-9
    )


def test_learner_basis_and_weights_are_the_users():
    x, y = cubic(60)
    weight = np.random.default_rng(0).integers(0, 3, 60).astype(float)
    found = search_degree(x, y, weight, degrees=[3], basis=PolynomialBasis(interaction_only=False), split=20)
    rows = found.train
    known = make_pipeline(PolynomialBasis(3), LinearRegression())
    known.fit(x[rows], y[rows], linearregression__sample_weight=weight[rows])
    np.testing.assert_allclose(found.model.predict(x), known.predict(x), rtol=1e-10)
    v = found.validation
    expected = root_mean_squared_error(y[v], known.predict(x[v]), sample_weight=weight[v])
    assert found.curve.lines[0].y[0] == pytest.approx(expected, rel=1e-10)
    scaled = search_degree(x, y, degrees=[2, 3], learner=make_pipeline(StandardScaler(), LinearRegression()))
    assert scaled.degree == 3


def test_weight_two_is_the_row_twice():
    x, y = cubic(30)
    twice = np.repeat(np.arange(30), 2)
    parts, doubled = (range(20), range(20, 30)), (range(40), range(40, 60))
    weighted = search_degree(x, y, np.full(30, 2.0), split=parts)
    repeated = search_degree(x[twice], y[twice], split=doubled)
    assert (weighted.degree, weighted.simplest) == (repeated.degree, repeated.simplest)
    np.testing.assert_allclose(weighted.curve.lines[0].y, repeated.curve.lines[0].y, rtol=1e-7)


class Fussy(LinearRegression):
    def fit(self, X, y, sample_weight=None):
        if X.shape[1] > 2:
            raise ValueError("two columns at most")
        return super().fit(X, y, sample_weight)


def test_degrees_that_fail_are_left_blank_and_told():
    x, y = cubic(40)
    found = search_degree(x, y, degrees=[1, 2, 3], learner=Fussy())
    assert found.curve.lines[0].y[2] is None
    assert found.degree <= 2
    assert any("degree 3" in note and "two columns at most" in note for note in found.curve.notes)
    with pytest.raises(ValueError, match="no degree could be fitted; degree 3 failed"):
        search_degree(x, y, degrees=[3], learner=Fussy())


def test_few_distinct_values_are_told():
    x = (np.arange(30.0) % 4)[:, None]
    found = search_degree(x, x[:, 0] ** 2, degrees=range(6))
    assert any("bears degree 3 (4 distinct values)" in note for note in found.curve.notes)


def test_two_rows_are_enough():
    found = search_degree([[0.0], [1.0]], [1.0, 1.0], degrees=[0, 1], split=1)
    assert (found.degree, found.simplest) == (0, 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"degrees": [1, -1]}, "degrees must be .*; came -1"),
        ({"degrees": []}, "degrees must hold at least one"),
        ({"split": 0}, "test_size must be a fraction"),
        ({"split": ([0, 1], [1, 2])}, "both parts hold row 1"),
        ({"split": ([0, 1], [99])}, "split must name rows from 0 to 39"),
        ({"split": ([0, 1],)}, "training rows and validation rows"),
        ({"basis": StandardScaler()}, "basis must have a parameter degree; StandardScaler has none"),
    ],
)
def test_bad_parameters_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        search_degree(*cubic(40), **wrong)
