"""Noise and error: σ sqrt(1 ± p/n)."""

import pytest

from glaswerk.labs.noise_level import NOISES


def test_the_errors_are_the_noise_and_what_the_weights_cost(lab):
    rows = lab("noise-level").rows("Noise and RMSE")
    assert list(rows) == list(NOISES)
    for noise, (train, low, fresh, high) in rows.items():
        if noise:
            assert train == pytest.approx(low, rel=0.06)
            assert fresh == pytest.approx(high, rel=0.06)
            assert train < noise < fresh
        else:
            assert max(train, fresh) < 1e-3


def test_the_error_grows_in_proportion(lab):
    rows = lab("noise-level").rows("Noise and RMSE")
    assert rows[1.6][2] == pytest.approx(8 * rows[0.2][2], rel=1e-3)
