"""Learner: observe blocks of rows into a statistic, add, solve.   fit = solve ∘ sum ∘ observe"""

from glaswerk.learner.concepts import ConceptLearner
from glaswerk.learner.learner import Again, Fitted, Learner, RoundLearner
from glaswerk.learner.linear import LinearModel
from glaswerk.learner.tasks import FitTasks
from glaswerk.learner.unsupervised import Unsupervised, Walk

__all__ = [
    "Again",
    "ConceptLearner",
    "FitTasks",
    "Fitted",
    "Learner",
    "LinearModel",
    "RoundLearner",
    "Unsupervised",
    "Walk",
]
