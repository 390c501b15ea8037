"""Generated tables. Their numbers lie on a binary grid, so that the exact solution of what is stored can be had."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
GRID_BITS = 32


def on_grid(values: Array, bits: int = GRID_BITS) -> Array:
    """The nearest multiples of 2^-bits."""
    return np.ldexp(np.rint(np.ldexp(values, bits)), -bits)


def plain(n: int, d: int, seed: int = 7) -> tuple[Array, Array]:
    """Independent normal columns, a target with as much noise as half a column."""
    rng = np.random.default_rng([seed, n, d])
    X = on_grid(rng.normal(size=(n, d)))
    return X, target_for(X, rng)


def nearly_equal_columns(n: int, d: int, condition: float, seed: int = 11) -> tuple[Array, Array]:
    """As `plain`, but the second column is the first and a little noise, for about this condition number."""
    rng = np.random.default_rng([seed, n, d])
    X = on_grid(rng.normal(size=(n, d)))
    X[:, 1] = X[:, 0] + on_grid(2 / condition * rng.normal(size=n))
    return X, target_for(X, rng)


def far_from_zero(n: int, d: int, offset: float, bits: int, seed: int = 13) -> tuple[Array, Array]:
    """Columns of deviation 1 whose mean is `offset`: all but the last digits of every number say nothing."""
    rng = np.random.default_rng([seed, n, d])
    X = on_grid(rng.normal(size=(n, d)), bits)
    y = on_grid(target_for(X, rng), bits)
    return X + offset * np.linspace(0.5, 1.0, d).round(1), y


def decaying(n: int, d: int, condition: float, seed: int = 17, bits: int | None = None) -> tuple[Array, Array]:
    """Columns whose singular values fall geometrically from 1 to 1/condition, in directions of no column."""
    rng = np.random.default_rng([seed, n, d, int(np.log10(condition))])
    left, _ = np.linalg.qr(rng.normal(size=(n, d)))
    right, _ = np.linalg.qr(rng.normal(size=(d, d)))
    X = np.sqrt(n) * (left * np.geomspace(1.0, 1 / condition, d)) @ right.T
    X = X if bits is None else on_grid(X, bits)
    y = target_for(X, rng, noise=1e-3)
    return X, y if bits is None else on_grid(y, bits)


def target_for(X: Array, rng: np.random.Generator, noise: float = 0.5) -> Array:
    weights = rng.uniform(0.5, 1.5, size=X.shape[1]) * rng.choice([-1.0, 1.0], size=X.shape[1])
    return on_grid(X @ weights + 1.0 + noise * rng.normal(size=len(X)))
