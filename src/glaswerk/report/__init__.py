"""The report: one HTML page from facts and figures, with its JSON twin. The door to Jinja2.

`report(table, target=…)` is the way in; `analyse` stops at the facts, `Report` shows them. The package itself can be
called like the function, so that `glaswerk.report` is the same thing whichever was imported first.
"""

import importlib
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glaswerk.report.analysis import analyse
    from glaswerk.report.clusters import ClusterReport, cluster_report
    from glaswerk.report.contents import Analysis, Section
    from glaswerk.report.lab_page import LabReport, lab_report
    from glaswerk.report.page import Report

INSTALL = "pip install 'glaswerk[report]'"
HOME = {
    "Analysis": "contents", "LabReport": "lab_page", "Report": "page", "Section": "contents", "analyse": "analysis",
    "ClusterReport": "clusters", "cluster_report": "clusters", "lab_report": "lab_page",
}  # fmt: skip
__all__ = [
    "Analysis", "ClusterReport", "LabReport", "Report", "Section", "analyse", "cluster_report", "lab_report", "report",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        found = getattr(importlib.import_module(f"{__name__}.{HOME[name]}"), name)
    except ModuleNotFoundError as error:
        raise ImportError(f"a report needs {error.name}: {INSTALL}") from error
    globals()[name] = found
    return found


def report(
    table: Any,
    target: str,
    *,
    task: str | None = None,
    positive: str | None = None,
    weight: str | None = None,
    groups: str | None = None,
    time: str | None = None,
    seed: int = 0,
    folds: int | None = None,
    repeats: int | None = None,
    level: float = 0.95,
    budget: str | float | None = "120s",
    ignore: Sequence[str] = (),
    candidates: Mapping[str, Any] | None = None,
    progress: Any = None,
) -> "Report":
    """A table with a target as a page: which model predicts it best, how well, how sure that is, what it looks like.

    Parameters
    ----------
    table : a path, a dataframe, a dictionary of lists, or what `read_table` gave.
    target : the column to predict; every other column but `weight` is an input.
    task, positive : "regression" or "classification", and the class that "positive" means, where they should not be
        decided by looking at the column.
    weight : column of repetitions.
    groups : column whose rows of one value stay in one fold (persons, machines). time : column by whose order the past
        is trained on and what follows is tested. Neither is an input.
    seed, folds, repeats, level : of the cross-validation and its intervals; folds and repeats go by the number of rows
        where they are None.
    budget : how long the whole may take, such as "60s"; families that would take longer get a sample. None: no limit.
    ignore : codes of findings that are not looked for, such as ("GW012",).
    candidates : models or learners by name; None compares every family that makes sense for the target.
    progress : called with (step, done, planned).

    The result has `.html`, `.json`, `.data` and `.save(path)`, and shows itself in a notebook. The same call gives the
    same results, byte for byte.
    """
    module = sys.modules[__name__]
    found = module.analyse(
        table, target, task=task, positive=positive, weight=weight, groups=groups, time=time, seed=seed,
        folds=folds, repeats=repeats, level=level, budget=budget, ignore=ignore, candidates=candidates,
        progress=progress,
    )  # fmt: skip
    made: Report = module.Report(found)
    return made


class _CallableRoom(ModuleType):
    """A package that is also its main function: importing it would otherwise hide the function of the same name."""

    def __call__(self, *args: Any, **options: Any) -> "Report":
        return report(*args, **options)


sys.modules[__name__].__class__ = _CallableRoom
