"""R² and R² in words: known numbers, scikit-learn as oracle, laws, edges."""

import doctest
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import glaswerk.scoring as scoring
from glaswerk.scoring import determination

quick = settings(deadline=None, max_examples=60)
numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
rows = st.lists(st.tuples(numbers, numbers, st.integers(0, 4)), min_size=2, max_size=30)


# ---- known numbers, by hand


def test_r2_is_one_minus_rss_over_tss():
    """[BOE-R2], its two forms: (TSS - RSS) / TSS and 1 - RSS / TSS."""
    truth, predicted = [3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0]
    rss, tss = scoring.residual_sum_of_squares(truth, predicted), scoring.total_sum_of_squares(truth)
    assert (rss, tss) == (1.5, 29.1875)
    assert scoring.r2_score(truth, predicted) == pytest.approx(1 - 1.5 / 29.1875, rel=1e-15)
    assert scoring.r2_score(truth, predicted) == pytest.approx((tss - rss) / tss, rel=1e-15)


# ---- the oracle: scikit-learn, relative tolerance 1e-12


@pytest.mark.parametrize("predicted", [[2.0, 2.0, 2.0], [2.0, 2.0, 2.5]])
@pytest.mark.parametrize("force_finite", [True, False])
def test_r2_of_constant_target_as_scikit_learn(predicted, force_finite):
    truth = [2.0, 2.0, 2.0]
    ours = scoring.r2_score(truth, predicted, force_finite=force_finite)
    with np.errstate(all="ignore"):
        np.testing.assert_equal(ours, sk.r2_score(truth, predicted, force_finite=force_finite))


def test_variance_weighted_with_all_targets_constant_as_scikit_learn():
    truth, predicted = [[1.0, 5.0], [1.0, 5.0]], [[1.0, 5.0], [1.0, 6.0]]
    ours = scoring.r2_score(truth, predicted, multioutput="variance_weighted")
    assert ours == sk.r2_score(truth, predicted, multioutput="variance_weighted") == 0.5


# ---- laws


@quick
@given(rows=rows, exponent=st.integers(-600, 450))
def test_r2_does_not_know_the_units(rows, exponent):
    """Powers of two change no digit, even where the squares themselves would overflow or vanish."""
    truth, predicted, _ = (np.array(column) for column in zip(*rows, strict=True))
    unit = 2.0**exponent
    assert scoring.r2_score(truth * unit, predicted * unit) == scoring.r2_score(truth, predicted)
    rmse = scoring.root_mean_squared_error(truth * unit, predicted * unit)
    assert rmse == scoring.root_mean_squared_error(truth, predicted) * unit


# ---- numerical care


@pytest.mark.parametrize("unit", [5e-324, 2.0**1020])
def test_smallest_and_largest_floats(unit):
    assert scoring.r2_score(np.array([0, 1, 2]) * unit, np.array([0, 1, 1]) * unit) == 0.5


def test_boundless_errors_are_not_mistaken_for_a_constant_target():
    """Only TSS = 0 is answered with 1 or 0; an error too large for a float stays visibly bad."""
    assert scoring.r2_score([1e-200, 2e-200], [1e200, 0]) == -np.inf


# ---- R² in words


@pytest.mark.parametrize(
    ("predicted", "said"),
    [
        ([1, 2, 3], "R² = 1, near 1: the model explains 100.0% of the variance"),
        ([1, 2, 4], "R² = 0.5: the model explains 50.0% of the variance"),
        ([2, 2, 2], "R² = 0, near 0: about as good as predicting the mean of y"),
        ([3, 2, 1], "negative: worse than predicting the mean of y; the model's squared error is 4 times that of the"),
    ],
)
def test_explain_r2(predicted, said):
    assert said in scoring.explain_r2([1, 2, 3], predicted)


def test_explain_r2_where_it_is_undefined():
    """The words name the value that `r2_score` returns."""
    assert "constant" in scoring.explain_r2([5, 5], [5, 5]) and "1.0" in scoring.explain_r2([5, 5], [5, 5])
    assert "0.0" in scoring.explain_r2([5, 5], [5, 6])
    assert scoring.r2_score([5, 5], [5, 5]) == 1 and scoring.r2_score([5, 5], [5, 6]) == 0
    assert "at least two rows" in scoring.explain_r2([5], [5])


def test_explain_r2_counts_weights():
    """Rows 0, 0, 0, 4: TSS 12, RSS 4."""
    assert "R² = 0.667" in scoring.explain_r2([0, 4], [0, 2], sample_weight=[3, 1])
    assert "0.333 times" in scoring.explain_r2([0, 4], [0, 2], sample_weight=[3, 1])


def test_explain_r2_takes_one_target():
    with pytest.raises(ValueError, match="one target at a time; y_true came with 2"):
        scoring.explain_r2([[1, 2], [3, 4]], [[1, 2], [3, 4]])


# ---- edges


@pytest.mark.parametrize("multioutput", ["uniform_average", "variance_weighted", "raw_values"])
def test_r2_of_one_row_is_nan_with_a_warning(multioutput):
    with pytest.warns(scoring.UndefinedMetricWarning, match="at least two rows"):
        assert np.isnan(scoring.r2_score([3], [1], multioutput=multioutput)).all()


def test_r2_of_one_row_that_stands_for_two():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert scoring.r2_score([3], [1], sample_weight=[2]) == scoring.r2_score([3, 3], [1, 1]) == 0


# ---- documentation


def test_examples_in_docstrings():
    result = doctest.testmod(determination)
    assert result.attempted > 0 and result.failed == 0
