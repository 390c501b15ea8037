"""A claim is a module: SENTENCE, what it says; `cases(plan)`, the cases that prove it.

A case gives an outcome: one figure held against the target, the lines behind it, the checks without which it is void.
"""

import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from time import perf_counter
from types import ModuleType
from typing import Any, Literal

from threadpoolctl import threadpool_limits

from benchmarks.targets import Target
from benchmarks.timing import Absent, Side, Spread, fastest_rival, interleaved, ours_of, ratio_of_medians

CLAIM_SECONDS = 300.0
Verdict = Literal["met", "short", "no target", "VOID", "FAILED", "not run"]


@dataclass(frozen=True)
class Plan:
    """How a run is made. `quick` is for seeing that everything works: small, few, and no record."""

    threads: int = 1
    quick: bool = False
    held: ExitStack = field(default_factory=ExitStack, compare=False)  # what cases share; released when the claim ends

    @property
    def rounds(self) -> int:
        return 3 if self.quick else 9

    @property
    def case_seconds(self) -> float:
        return 2.0 if self.quick else 20.0


@dataclass(frozen=True)
class Check:
    """Something that must hold for the figure to mean anything: found <= allowed."""

    what: str
    found: float
    allowed: float

    @property
    def held(self) -> bool:
        return self.found <= self.allowed  # NaN is not held


@dataclass(frozen=True)
class Line:
    """One row behind the figure: who, how much, and for times the spread and the ratio to ours."""

    name: str
    kind: str
    value: float
    unit: str
    spread: Spread | None = None
    ratio: float | None = None


@dataclass(frozen=True)
class Outcome:
    """The figure of a case, in `unit`, with everything it rests on."""

    value: float
    unit: str
    lines: tuple[Line, ...] = ()
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()

    def noting(self, *notes: str) -> "Outcome":
        return replace(self, notes=self.notes + notes)


@dataclass(frozen=True)
class Case:
    name: str
    run: Callable[[], Outcome]


class NotRun(Exception):
    """A case that this machine cannot run, with the reason."""


@dataclass(frozen=True)
class Judged:
    """A case as it ended."""

    case: str
    verdict: Verdict
    outcome: Outcome | None
    target: Target | None
    seconds: float
    reason: str = ""


@dataclass
class ClaimResult:
    claim: str
    sentence: str
    plan: Plan
    judged: list[Judged] = field(default_factory=list)
    seconds: float = 0.0

    def any(self, *verdicts: Verdict) -> bool:
        return any(j.verdict in verdicts for j in self.judged)


def compare(
    sides: Sequence[Side | Absent],
    plan: Plan,
    checks: Callable[[dict[str, Any]], Sequence[Check]],
    notes: Sequence[str] = (),
) -> Outcome:
    """Time the sides in turns; the figure is the ratio of medians, fastest rival setting to ours."""
    present = [side for side in sides if isinstance(side, Side)]
    absent = tuple(side.package for side in sides if isinstance(side, Absent))
    timed = interleaved(present, plan.rounds, plan.case_seconds)
    ours = ours_of(timed).spread.median
    lines = [Line(t.side.name, t.side.kind, t.spread.median, "s", t.spread, t.spread.median / ours) for t in timed]
    against = f"against {fastest_rival(timed).side.name}"
    answers = {t.side.name: t.answer for t in timed}
    return Outcome(ratio_of_medians(timed), "x", tuple(lines), tuple(checks(answers)), (against, *notes), absent)


def run_claim(
    name: str,
    module: ModuleType,
    plan: Plan,
    targets: dict[str, Target],
    tell: Callable[[str], None] = lambda _: None,
    claim_seconds: float = CLAIM_SECONDS,
) -> ClaimResult:
    """Run all cases with every library at the same number of threads; what time does not allow is named as not run."""
    result = ClaimResult(name, module.SENTENCE, plan)
    cases = module.cases(plan)
    start, longest = perf_counter(), 0.0
    with plan.held:
        for k, case in enumerate(cases, start=1):
            used = perf_counter() - start
            target = target_of(case, plan, targets)
            if used + longest > claim_seconds:
                reason = f"{used:.0f} of {claim_seconds:.0f} seconds are used up"
                result.judged.append(Judged(case.name, "not run", None, target, 0.0, reason))
                continue
            tell(f"{name} {k}/{len(cases)}: {case.name} ({used:.0f} s so far)")
            with threadpool_limits(limits=plan.threads):
                result.judged.append(judge(case, target))
            longest = max(longest, result.judged[-1].seconds)
    result.seconds = perf_counter() - start
    return result


def target_of(case: Case, plan: Plan, targets: dict[str, Target]) -> Target | None:
    """A quick run is held against nothing, and a target only against the numbers of threads it is meant for."""
    target = targets.get(case.name)
    return target if target is not None and not plan.quick and plan.threads in target.threads else None


def judge(case: Case, target: Target | None) -> Judged:
    """Run one case and hold it against its target; a figure whose checks fail is void, whatever it is."""
    start = perf_counter()
    try:
        outcome = case.run()
    except NotRun as why:
        return Judged(case.name, "not run", None, target, perf_counter() - start, str(why))
    except Exception as error:
        traceback.print_exc()
        return Judged(case.name, "FAILED", None, target, perf_counter() - start, f"{type(error).__name__}: {error}")
    verdict: Verdict
    if not all(check.held for check in outcome.checks):
        verdict = "VOID"
    elif target is None:
        verdict = "no target"
    else:
        verdict = "met" if target.met_by(outcome.value) else "short"
    return Judged(case.name, verdict, outcome, target, perf_counter() - start)
