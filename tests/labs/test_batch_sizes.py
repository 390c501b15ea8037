"""Batch sizes: small ones fall sooner and end further off; a falling rate lets single rows settle."""

import numpy as np
import pytest

from glaswerk.labs.batch_sizes import RATE, ROWS, parts


def test_the_smaller_the_slices_the_further_the_end_from_the_closed_form(lab):
    rows = lab("batch-sizes").rows("Batch sizes")
    names = ("M = 1, shuffled (SGD)", "M = 4", "M = 16", "M = 60", "all rows")
    above = [rows[name][3] for name in names]
    assert above == sorted(above, reverse=True)
    assert above[-1] < 1e-5
    assert [rows[name][0] for name in names] == [60 * ROWS // m for m in (1, 4, 16, 60, 240)]


def test_slices_come_to_rest_and_shuffled_rows_do_not(lab):
    rows = lab("batch-sizes").rows("Batch sizes")
    assert rows["M = 4"][4] < 1e-9
    assert rows["M = 1, shuffled (SGD)"][4] > 100 * rows["M = 1, rate falling (decay 0.2)"][4]


def test_small_batches_fall_in_fewer_epochs(lab):
    lines = lab("batch-sizes").curve("Error after every epoch by batch size")
    assert lines["M = 4"].y[1] < lines["M = 16"].y[1] < lines["M = 60"].y[1] < lines["all rows"].y[1]


def test_a_step_is_the_mean_gradient_of_its_slice(lab):
    """Formula 7 by hand for the first epoch of M = 60."""
    X, t, _, _ = parts(0)
    ones, w = np.column_stack([X, np.ones(ROWS)]), np.zeros(X.shape[1] + 1)
    for k in range(0, ROWS, 60):
        phi = ones[k : k + 60]
        w = w - RATE * phi.T @ (phi @ w - t[k : k + 60]) / 60
    line = lab("batch-sizes").curve("Error after every epoch by batch size")["M = 60"]
    assert line.y[1] == pytest.approx(np.mean((t - ones @ w) ** 2), rel=1e-9)
