"""Rows that several statistics are tried on."""

import numpy as np
import pytest


@pytest.fixture
def rows():
    """X (60, 2), Y (60, 2), weight with zeros, and a shift near the means."""
    rng = np.random.default_rng(7)
    X, Y = 20 + rng.normal(size=(60, 2)) * [1.0, 30.0], rng.normal(size=(60, 2)) - 3
    return X, Y, rng.integers(0, 4, 60) * 0.37, np.array([20.25, 19.0, -3.0, -2.5])
