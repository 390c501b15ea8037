"""A learner bound to the columns of a table by their names: `Model`; the question a target asks; models in files."""

from glaswerk.model.files import load, save
from glaswerk.model.table_design import TableDesign
from glaswerk.model.table_model import Model
from glaswerk.model.table_problem import TableProblem
from glaswerk.model.task import Task, decide_task

__all__ = ["Model", "TableDesign", "TableProblem", "Task", "decide_task", "load", "save"]
