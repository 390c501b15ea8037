"""From columns to the design matrix: bases φ(x), scaling, and any function of the user's own."""

from glaswerk.design.function import FunctionBasis
from glaswerk.design.polynomial import PolynomialBasis
from glaswerk.design.scaling import StandardScaler

__all__ = ["FunctionBasis", "PolynomialBasis", "StandardScaler"]
