"""Glaswerk: see-through machine learning for tables.

Names load what they need when they are first used, so that importing the package costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glaswerk.design import (
        PCA,
        FunctionBasis,
        GaussianBasis,
        Landmarks,
        OrthogonalPolynomialBasis,
        PolynomialBasis,
        SigmoidBasis,
        StandardScaler,
    )
    from glaswerk.evaluate import (
        ArrayProblem,
        cramer_rao,
        cross_validate,
        estimator_experiment,
        fisher_information,
        interpret,
        posterior_bundle,
        search_degree,
    )
    from glaswerk.figures import figures_of
    from glaswerk.labs import run_lab
    from glaswerk.learners import (
        LBG,
        SVC,
        Adaline,
        BayesianLinearRegression,
        BayesOptimalClassifier,
        BestSubsetRegression,
        CandidateElimination,
        CategoricalNB,
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        FindS,
        FisherDiscriminant,
        GaussianMixture,
        GaussianNB,
        GradientDescentRegressor,
        KMeans,
        KNeighborsClassifier,
        KNeighborsRegressor,
        LinearDiscriminantAnalysis,
        LinearRegression,
        LogisticRegression,
        MLPClassifier,
        MLPRegressor,
        NaiveBayes,
        Perceptron,
        QuadraticDiscriminantAnalysis,
        Ridge,
        RidgeCV,
        VectorQuantizer,
    )
    from glaswerk.model import Model, TableDesign, TableProblem, load, save
    from glaswerk.report import report
    from glaswerk.table import (
        describe_file,
        load_adult,
        load_auto_mpg,
        load_diamonds,
        load_enjoy_sport,
        load_hitters,
        load_ice_cream,
        load_iris,
        load_play_tennis,
        load_prostate,
        load_wine_quality,
        read_table,
    )

__version__ = "0.1.0"

ROOMS = {
    "design": (
        "FunctionBasis",
        "GaussianBasis",
        "Landmarks",
        "OrthogonalPolynomialBasis",
        "PCA",
        "PolynomialBasis",
        "SigmoidBasis",
        "StandardScaler",
    ),
    "evaluate": (
        "ArrayProblem",
        "cramer_rao",
        "cross_validate",
        "estimator_experiment",
        "fisher_information",
        "interpret",
        "posterior_bundle",
        "search_degree",
    ),
    "figures": ("figures_of",),
    "labs": ("run_lab",),
    "learners": (
        "Adaline",
        "BayesOptimalClassifier",
        "BayesianLinearRegression",
        "BestSubsetRegression",
        "CandidateElimination",
        "CategoricalNB",
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "FindS",
        "FisherDiscriminant",
        "GaussianMixture",
        "GaussianNB",
        "GradientDescentRegressor",
        "KMeans",
        "KNeighborsClassifier",
        "KNeighborsRegressor",
        "LBG",
        "LinearDiscriminantAnalysis",
        "MLPClassifier",
        "MLPRegressor",
        "LinearRegression",
        "LogisticRegression",
        "NaiveBayes",
        "Perceptron",
        "QuadraticDiscriminantAnalysis",
        "Ridge",
        "RidgeCV",
        "SVC",
        "VectorQuantizer",
    ),
    "model": ("Model", "TableDesign", "TableProblem", "load", "save"),
    "report": ("report",),
    "table": (
        "describe_file",
        "load_adult",
        "load_auto_mpg",
        "load_diamonds",
        "load_enjoy_sport",
        "load_hitters",
        "load_ice_cream",
        "load_iris",
        "load_play_tennis",
        "load_prostate",
        "load_wine_quality",
        "read_table",
    ),
}
HOME = {name: room for room, names in ROOMS.items() for name in names}
__all__ = [
    "LBG",
    "PCA",
    "SVC",
    "Adaline",
    "ArrayProblem",
    "BayesOptimalClassifier",
    "BayesianLinearRegression",
    "BestSubsetRegression",
    "CandidateElimination",
    "CategoricalNB",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "FindS",
    "FisherDiscriminant",
    "FunctionBasis",
    "GaussianBasis",
    "GaussianMixture",
    "GaussianNB",
    "GradientDescentRegressor",
    "KMeans",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "Landmarks",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LogisticRegression",
    "MLPClassifier",
    "MLPRegressor",
    "Model",
    "NaiveBayes",
    "OrthogonalPolynomialBasis",
    "Perceptron",
    "PolynomialBasis",
    "QuadraticDiscriminantAnalysis",
    "Ridge",
    "RidgeCV",
    "SigmoidBasis",
    "StandardScaler",
    "TableDesign",
    "TableProblem",
    "VectorQuantizer",
    "cramer_rao",
    "cross_validate",
    "describe_file",
    "estimator_experiment",
    "figures_of",
    "fisher_information",
    "interpret",
    "load",
    "load_adult",
    "load_auto_mpg",
    "load_diamonds",
    "load_enjoy_sport",
    "load_hitters",
    "load_ice_cream",
    "load_iris",
    "load_play_tennis",
    "load_prostate",
    "load_wine_quality",
    "posterior_bundle",
    "read_table",
    "report",
    "run_lab",
    "save",
    "search_degree",
]


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = importlib.import_module(f"{__name__}.{HOME[name]}")
    found = room if name == HOME[name] else getattr(room, name)  # `report` is its own room: a package one can call
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME])
