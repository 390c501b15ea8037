"""Small problems that many tests of this room share."""

import numpy as np
import pytest

from glaswerk.evaluate import ArrayProblem


def line_with_noise(n=120, d=4, seed=0, noise=1.0):
    """Rows of a linear model with d columns of weights 1, 2, …, and their target."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ np.arange(1.0, d + 1) + noise * rng.normal(size=n)


def two_classes(n=150, seed=0):
    X, y = line_with_noise(n, 3, seed, noise=2.0)
    return X, np.where(y > 0.5, "yes", "no")


@pytest.fixture
def numbers():
    return ArrayProblem(*line_with_noise())


@pytest.fixture
def classes():
    return ArrayProblem(*two_classes())
