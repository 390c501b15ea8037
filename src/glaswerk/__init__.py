"""Glaswerk: see-through machine learning for tables.

Names load what they need when they are first used, so that importing the package costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glaswerk.design import FunctionBasis, PolynomialBasis, StandardScaler
    from glaswerk.learners import LinearRegression
    from glaswerk.model import load, save

__version__ = "0.1.0"

HOME = {
    "FunctionBasis": "design",
    "LinearRegression": "learners",
    "PolynomialBasis": "design",
    "StandardScaler": "design",
    "load": "model",
    "save": "model",
}
__all__ = ["FunctionBasis", "LinearRegression", "PolynomialBasis", "StandardScaler", "load", "save"]


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME])
