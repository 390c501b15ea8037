"""The reference data sets of NIST/ITL (public domain): data and certified coefficients, as exact decimals."""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.harness import NotRun
from benchmarks.machine import ROOT
from benchmarks.tables import Array

FOLDERS = (ROOT.parent / "shared" / "data" / "nist", ROOT / "tests" / "data" / "nist")
CERTIFIED_DIGITS = 15.0  # the certificates print no more
CERTIFIED = re.compile(r"^\s+B\d+\s+(\S+)\s+\S+\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Certified:
    """x (n, d) and y (n,) as read, and the certified coefficients, intercept first."""

    name: str
    x: Array
    y: Array
    coefficients: tuple[Fraction, ...]


def load_certified(name: str) -> Certified:
    path = find(name)
    text = path.read_text(encoding="ascii")
    head, _, body = text.rpartition("Data:")
    certified = tuple(Fraction(value) for value in CERTIFIED.findall(head))
    values = np.array([[float(word) for word in line.split()] for line in body.splitlines()[1:] if line.strip()])
    return Certified(name, np.ascontiguousarray(values[:, 1:]), values[:, 0].copy(), certified)


def find(name: str) -> Path:
    for folder in FOLDERS:
        if (folder / f"{name}.dat").exists():
            return folder / f"{name}.dat"
    raise NotRun(f"{name}.dat is neither in tests/data/nist nor beside the checkout")
