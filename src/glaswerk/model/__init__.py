"""A learner bound to the columns of a table, by their names; and models in files."""

from glaswerk.model.files import load, save

__all__ = ["load", "save"]
