"""Closed form against descent: near in error soon, near in weights late."""

import numpy as np
import pytest

from glaswerk.labs.closed_form_or_descent import EPOCHS, parts


def test_descent_comes_down_to_the_closed_form(lab):
    rows = lab("closed-form-or-descent").rows("Closed form against descent")
    closed = rows["closed form"]
    walked = [rows[f"descent, {epochs} epochs"] for epochs in EPOCHS]
    errors = [row[0] for row in walked]
    assert errors == sorted(errors, reverse=True)
    assert all(error >= closed[0] - 1e-12 for error in errors)
    assert errors[-1] == pytest.approx(closed[0], rel=1e-9)
    away = [row[2] for row in walked]
    assert away == sorted(away, reverse=True)
    assert away[1] > 1 > 1e-6 > away[-1]


def test_the_closed_form_is_least_squares(lab):
    X, t, new_X, new_t = parts(0)
    w, *_ = np.linalg.lstsq(np.column_stack([X, np.ones(len(t))]), t, rcond=None)
    train = np.mean((t - X @ w[:-1] - w[-1]) ** 2)
    test = np.mean((new_t - new_X @ w[:-1] - w[-1]) ** 2)
    assert lab("closed-form-or-descent").rows("Closed form against")["closed form"][:2] == (
        pytest.approx(train), pytest.approx(test)
    )  # fmt: skip


def test_the_curve_of_errors_ends_at_the_closed_forms_on_both_kinds_of_rows(lab):
    lines = lab("closed-form-or-descent").curve("Error after every epoch")
    for kind in ("training", "test"):
        assert lines[f"{kind} rows"].y[-1] == pytest.approx(lines[f"closed form, {kind}"].y[0], rel=1e-6)
    assert (np.diff(lines["training rows"].y) <= 1e-12).all()
