"""Learner: observe blocks of rows into a statistic, add, solve.   fit = solve ∘ sum ∘ observe"""

from glaswerk.learner.learner import Again, Fitted, Learner, RoundLearner
from glaswerk.learner.linear import LinearModel
from glaswerk.learner.opened import opened
from glaswerk.learner.tasks import FitTasks

__all__ = [
    "Again",
    "FitTasks",
    "Fitted",
    "Learner",
    "LinearModel",
    "RoundLearner",
    "opened",
]
