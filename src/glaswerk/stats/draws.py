"""Draws: how many are wanted, and from which stream of random numbers."""

from typing import Any

import numpy as np

from glaswerk.base import integer


def generator(n: Any, random_state: Any, owner: str) -> np.random.Generator:
    """The stream for n draws; the same seed gives the same draws on every machine."""
    for name, value, allowed in (("n", n, integer(1)), ("random_state", random_state, integer(0))):
        if not allowed.test(value):
            raise ValueError(f"{owner}: {name} must be {allowed.words}, got {value!r}")
    return np.random.default_rng(int(random_state))
