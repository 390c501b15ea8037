"""The learners: one algorithm per file; file name = test name = docs page. Loaded when first asked for."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glaswerk.learners.adaline import Adaline
    from glaswerk.learners.bayesian_least_squares import BayesianLinearRegression
    from glaswerk.learners.best_subset import BestSubsetRegression
    from glaswerk.learners.candidate_elimination import CandidateElimination
    from glaswerk.learners.cart import DecisionTreeClassifier, DecisionTreeRegressor
    from glaswerk.learners.categorical_nb import CategoricalNB
    from glaswerk.learners.descent import GradientDescentRegressor
    from glaswerk.learners.find_s import FindS
    from glaswerk.learners.fisher import FisherDiscriminant
    from glaswerk.learners.forest import RandomForestClassifier, RandomForestRegressor
    from glaswerk.learners.gaussian_classes import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from glaswerk.learners.gaussian_mixture import GaussianMixture
    from glaswerk.learners.gaussian_nb import GaussianNB
    from glaswerk.learners.hypotheses import BayesOptimalClassifier
    from glaswerk.learners.id3 import ID3Classifier
    from glaswerk.learners.kernel_svm import SVC
    from glaswerk.learners.kmeans import KMeans
    from glaswerk.learners.lbg import LBG
    from glaswerk.learners.least_squares import LinearRegression
    from glaswerk.learners.local_linear import LocallyWeightedRegression, UnifiedLocalModel
    from glaswerk.learners.logistic import LogisticRegression
    from glaswerk.learners.mlp import MLPClassifier, MLPRegressor
    from glaswerk.learners.nadaraya_watson import KernelRegression
    from glaswerk.learners.naive_bayes import NaiveBayes
    from glaswerk.learners.neighbours import KNeighborsClassifier, KNeighborsRegressor
    from glaswerk.learners.perceptron import Perceptron
    from glaswerk.learners.random_features import ExtremeLearningMachine
    from glaswerk.learners.rbf_net import RBFNetwork
    from glaswerk.learners.ridge import Ridge
    from glaswerk.learners.ridge_cv import RidgeCV
    from glaswerk.learners.vector_quantiser import VectorQuantizer

HOME = {
    "Adaline": "adaline",
    "BayesOptimalClassifier": "hypotheses",
    "BayesianLinearRegression": "bayesian_least_squares",
    "BestSubsetRegression": "best_subset",
    "CandidateElimination": "candidate_elimination",
    "CategoricalNB": "categorical_nb",
    "DecisionTreeClassifier": "cart",
    "DecisionTreeRegressor": "cart",
    "ExtremeLearningMachine": "random_features",
    "FindS": "find_s",
    "FisherDiscriminant": "fisher",
    "GaussianMixture": "gaussian_mixture",
    "GaussianNB": "gaussian_nb",
    "GradientDescentRegressor": "descent",
    "ID3Classifier": "id3",
    "KMeans": "kmeans",
    "KNeighborsClassifier": "neighbours",
    "KNeighborsRegressor": "neighbours",
    "KernelRegression": "nadaraya_watson",
    "LBG": "lbg",
    "LinearDiscriminantAnalysis": "gaussian_classes",
    "LinearRegression": "least_squares",
    "LocallyWeightedRegression": "local_linear",
    "LogisticRegression": "logistic",
    "MLPClassifier": "mlp",
    "MLPRegressor": "mlp",
    "NaiveBayes": "naive_bayes",
    "Perceptron": "perceptron",
    "QuadraticDiscriminantAnalysis": "gaussian_classes",
    "RBFNetwork": "rbf_net",
    "RandomForestClassifier": "forest",
    "RandomForestRegressor": "forest",
    "Ridge": "ridge",
    "RidgeCV": "ridge_cv",
    "SVC": "kernel_svm",
    "UnifiedLocalModel": "local_linear",
    "VectorQuantizer": "vector_quantiser",
}
__all__ = [
    "LBG",
    "SVC",
    "Adaline",
    "BayesOptimalClassifier",
    "BayesianLinearRegression",
    "BestSubsetRegression",
    "CandidateElimination",
    "CategoricalNB",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtremeLearningMachine",
    "FindS",
    "FisherDiscriminant",
    "GaussianMixture",
    "GaussianNB",
    "GradientDescentRegressor",
    "ID3Classifier",
    "KMeans",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KernelRegression",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LocallyWeightedRegression",
    "LogisticRegression",
    "MLPClassifier",
    "MLPRegressor",
    "NaiveBayes",
    "Perceptron",
    "QuadraticDiscriminantAnalysis",
    "RBFNetwork",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "Ridge",
    "RidgeCV",
    "UnifiedLocalModel",
    "VectorQuantizer",
]


def __getattr__(name: str) -> Any:
    """Load the file of a learner at its first use (PEP 562): the first fit waits for no other learner."""
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(importlib.import_module(f"{__name__}.{HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME])
