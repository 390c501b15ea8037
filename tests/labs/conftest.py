"""Every lab runs once for all its tests; its tables and curves are found by their titles."""

from functools import cache

import pytest

from glaswerk.facts import Curve
from glaswerk.labs import run_lab


class Found:
    """The facts of one lab."""

    def __init__(self, facts):
        self.facts = facts

    def table(self, title):
        """The table whose title begins so, as rows."""
        (one,) = [fact for fact in self.facts if fact.table().title.startswith(title)]
        return one.table()

    def rows(self, title):
        """The same by the first cell of each row."""
        return {row[0]: row[1:] for row in self.table(title).rows}

    def agreement(self, title):
        """Of a table of printed and obtained numbers: what each row says of it."""
        return {name: (obtained, agrees) for name, (_, obtained, agrees, _) in self.rows(title).items()}

    def curve(self, title):
        (one,) = [fact for fact in self.facts if isinstance(fact, Curve) and fact.title.startswith(title)]
        return {line.name: line for line in one.lines}

    def words(self, heading):
        return " ".join(row[0] for row in self.table(heading).rows)


@cache
def run(name, seed, data):
    return Found(run_lab(name, seed=seed, data=data))


@pytest.fixture
def lab():
    """`lab("collinear")`: what the lab found with seed 0."""
    return lambda name, seed=0, data=None: run(name, seed, data)
