"""From a table with a target to everything a report says: read, judge, diagnose, look inside, and write down how.

Nothing here draws: what comes out are facts and strings.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from glaswerk.facts import Cell
from glaswerk.model import TableProblem
from glaswerk.passes import one_blas_thread
from glaswerk.report.clock import Clock, Progress, silent
from glaswerk.report.contents import Analysis
from glaswerk.report.purse import Purse, parsed
from glaswerk.report.reproduction import Origin, reproduction
from glaswerk.report.study import Study
from glaswerk.table import read_table

BUDGET = "120s"
DEFAULTS: dict[str, Cell] = {
    "task": None, "positive": None, "weight": None, "groups": None, "time": None, "seed": 0, "folds": None,
    "repeats": None, "level": 0.95, "budget": BUDGET, "ignore": None,
}  # fmt: skip


def analyse(
    source: Any,
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
    budget: str | float | None = BUDGET,
    ignore: Sequence[str] = (),
    candidates: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    origin: tuple[str, Mapping[str, Any]] | None = None,
) -> Analysis:
    """Everything a report on `target` says, as facts.

    source : a path, a dataframe, a dictionary of lists, or a typed table. folds, repeats : None takes ten and three for
    up to 5,000 rows, ten and one up to 20,000, five and one beyond. budget : seconds the whole may take, such as
    "60s" or "2min"; None or "none" is no limit. ignore : codes of findings that are not looked for, such as
    ("GW012",). groups : the column whose rows of one value stay in one fold; time : the column by whose order the past
    is trained on and what follows is tested; neither is an input. candidates : models or learners by name; None takes
    every family that fits the target. progress : called with (step, done, planned). origin : the path a typed table
    was read from and the options of `read_table`, for the block that tells how to do it again. Ctrl-C ends the
    comparison and reports on what is finished. The other parameters are those of `cross_validate` and `decide_task`.
    """
    settings: dict[str, Cell] = {
        "task": task, "positive": positive, "weight": weight, "groups": groups, "time": time, "seed": seed,
        "folds": folds, "repeats": repeats, "level": level, "budget": "none" if budget is None else budget,
        "ignore": ",".join(ignore) or None,
    }  # fmt: skip
    purse, clock = Purse(parsed(budget)), Clock(progress or silent)
    with clock.step("reading"):
        table = read_table(source)
        problem = TableProblem(table, target, weight=weight, groups=groups, time=time, task=task, positive=positive)
    study = Study(table, problem, settings, clock, purse)
    with one_blas_thread():  # two pools that share two cores are slower than either alone
        study.judge(candidates)
        sections = study.sections()
    came = Origin.of(source) if origin is None else Origin(*origin)
    names = () if candidates is None else tuple(candidates)
    how = reproduction(came, target, settings, DEFAULTS, names, table.fingerprint, sections)
    return Analysis(
        table.name, target, problem.task, tuple(settings.items()), sections, how, clock.times(), tuple(study.cut),
        study.spending(),
    )  # fmt: skip
