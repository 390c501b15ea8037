"""The line of script B a thousand times: unbiased, on the bound; ridge is neither."""

import numpy as np
import pytest

from glaswerk.labs.repeated_samples import NOISE, REPEATS, ROWS, SIZES, inputs


def bound():
    x = np.column_stack([np.ones(ROWS), inputs(ROWS)])
    return NOISE**2 * np.diagonal(np.linalg.inv(x.T @ x))


def test_least_squares_is_unbiased_and_reaches_the_bound(lab):
    rows = lab("repeated-samples").rows(f"{REPEATS} repetitions")
    for (_, row), least in zip(rows.items(), bound(), strict=True):
        _, _, bias, error, variance, spread, limit, _, _ = row
        assert limit == pytest.approx(least)
        assert abs(bias) < 4 * error
        assert abs(variance - limit) < 4 * spread
    assert "efficient" in lab("repeated-samples").words("The estimator against")


def test_ridge_is_biased_and_varies_less_than_the_bound(lab):
    rows = lab("repeated-samples").table("Ridge, λ = 3").rows
    _, _, _, bias, error, variance, _, limit, _, _ = rows[1]
    x = inputs(ROWS)[:, 0]
    assert bias == pytest.approx(-2 * 3 / (3 + x @ x), abs=5 * error)
    assert variance < limit


def test_the_printed_sample_is_one_of_many(lab):
    found = lab("repeated-samples").agreement("Printed and obtained")
    assert found["w0, one sample"] == (None, "not computable")
    assert found["w0, mean of 1000 samples"][0] == pytest.approx(1, abs=0.03)
    assert found["w1, mean of 1000 samples"][0] == pytest.approx(2, abs=0.03)


def test_twice_the_rows_half_the_variance(lab):
    rows = lab("repeated-samples").rows("More rows")
    assert list(rows) == list(SIZES)
    for _, _, variance, limit in rows.values():
        assert variance == pytest.approx(limit, rel=0.3)
    assert rows[80][3] / rows[160][3] == pytest.approx(2, rel=0.05)
