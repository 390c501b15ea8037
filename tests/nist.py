"""The certified regression sets of NIST, as they stand in tests/data/nist."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "data" / "nist"
DEGREE = {"Norris": 1, "Pontius": 2, "Longley": 1, "Wampler1": 5}


@dataclass(frozen=True)
class Certified:
    name: str
    X: NDArray[np.float64]
    y: NDArray[np.float64]
    estimates: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    sigma: float
    r2: float
    degree: int


def certified(name: str) -> Certified:
    """The data and the certified values, intercept first."""
    lines = (FOLDER / f"{name}.dat").read_text().splitlines()
    values = np.array([[float(cell) for cell in line.split()] for line in lines[60:] if line.strip()])
    head = "\n".join(lines[30:60])
    pairs = re.findall(r"^\s+B\d+\s+(\S+)\s+(\S+)", head, re.M)
    estimates, errors = np.array(pairs, dtype=float).T
    sigma = float(re.search(r"Standard Deviation\s+(\S+)\s*$", head, re.M).group(1))
    r2 = float(re.search(r"R-Squared\s+(\S+)", head).group(1))
    return Certified(name, values[:, 1:], values[:, 0], estimates, errors, sigma, r2, DEGREE[name])


def correct_digits(found: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """Log relative error of the worst number, at most 15.9."""
    error = np.abs((found - true) / true).max()
    return float(-np.log10(max(error, 10**-15.9)))
