"""The learners: one algorithm per file; file name = test name = docs page."""

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
