"""Calibration: pooling by definition, the parts of the Brier score add up, the band holds calibrated models."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression

from glaswerk.evaluate.calibration import calibration, rising
from glaswerk.figures import figures_of
from glaswerk.scoring import brier_score_loss


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 5)), min_size=1, max_size=40))
def test_pooling_is_isotonic_regression(pairs):
    values, weight = np.array(pairs).T
    assert np.allclose(rising(values, weight), isotonic_regression(values, sample_weight=weight), atol=1e-9)


def drawn(n=2000, seed=0, bend=1.0):
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.02, 0.98, n)
    q = p**bend / (p**bend + (1 - p) ** bend)
    return (rng.random(n) < q).astype(float), p


@pytest.mark.parametrize("weighted", [False, True])
def test_the_parts_add_up_to_the_brier_score(weighted):
    y, p = drawn(500)
    weight = np.random.default_rng(1).integers(1, 4, 500).astype(float) if weighted else np.ones(500)
    found = calibration(y, p, weight)
    assert found.brier == pytest.approx(brier_score_loss(y, p, sample_weight=weight), rel=1e-12)
    share = weight @ y / weight.sum()
    assert found.uncertainty == pytest.approx(share * (1 - share))
    assert found.miscalibration >= 0
    assert found.discrimination >= 0


def test_a_calibrated_model_lies_within_the_band_and_a_bent_one_does_not():
    outside = [calibration(*drawn(1000, seed), np.ones(1000)).outside for seed in range(10)]
    assert np.mean(outside) < 0.2
    bent = calibration(*drawn(2000, 0, bend=3.0), np.ones(2000))
    assert bent.outside > 0.5
    assert bent.miscalibration > 5 * calibration(*drawn(), np.ones(2000)).miscalibration
    assert "should not be taken at their word" in bent.curve("m", "yes").says
    (figure,) = figures_of(bent.curve("m", "yes"))
    assert "Calibration of m: yes" in figure.title
    assert bent.table("m", "yes").rows[0][1] == bent.brier


def test_one_probability_for_all_is_one_group():
    found = calibration(np.array([0.0, 1.0, 1.0, 1.0]), np.full(4, 0.75), np.ones(4))
    assert found.share.tolist() == [0.75]
    assert found.discrimination == pytest.approx(0)
    assert found.miscalibration == pytest.approx(0)
