"""From columns to the design matrix: bases φ(x), scaling, and any function of the user's own."""

from glaswerk.design.function import FunctionBasis
from glaswerk.design.gaussian import GaussianBasis
from glaswerk.design.landmarks import Landmarks
from glaswerk.design.orthogonal import OrthogonalPolynomialBasis
from glaswerk.design.polynomial import PolynomialBasis
from glaswerk.design.principal_components import PCA
from glaswerk.design.scaling import StandardScaler
from glaswerk.design.sigmoid import SigmoidBasis

__all__ = [
    "PCA",
    "FunctionBasis",
    "GaussianBasis",
    "Landmarks",
    "OrthogonalPolynomialBasis",
    "PolynomialBasis",
    "SigmoidBasis",
    "StandardScaler",
]
