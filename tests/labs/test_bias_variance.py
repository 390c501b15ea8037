"""Bias falls, variance rises, and their sum is least in the middle."""

import pytest


def test_the_parts_add_up_and_run_against_each_other(lab):
    rows = lab("bias-variance").rows("The parts of the error")
    for error, noise, bias, _, variance, _ in rows.values():
        assert error == pytest.approx(noise + bias + variance)
    assert rows["degree 1"][2] > 10 * rows["degree 5"][2]
    assert rows["degree 10"][4] > 3 * rows["degree 1"][4]
    best = min(rows, key=lambda name: rows[name][0])
    assert best in {"degree 3", "degree 4", "degree 5"}


def test_a_table_alone_tells_variance_and_the_rest(lab):
    rows = lab("bias-variance").rows("The same from one table")
    assert rows["degree 1"][3] > rows["degree 3"][3]
    assert rows["degree 1"][2] is None
