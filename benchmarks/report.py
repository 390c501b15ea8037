"""What a run found: a plain table for people, and a JSON record for programs."""

import json
import math
from dataclasses import asdict
from pathlib import Path

from benchmarks.harness import Check, ClaimResult, Judged, Line
from benchmarks.machine import Machine
from benchmarks.timing import Spread

RESULTS = Path(__file__).parent / "results"
QUICK = "quick: not a record"
BUSY = "          BUSY: other programs are at work here, take the times with caution"
NAME_WIDTH, VALUE_WIDTH = 54, 22


def as_text(result: ClaimResult, machine: Machine) -> str:
    found = [line for judged in result.judged for line in case_text(judged)]
    return "\n".join([*header(result, machine), "", *found, summary(result)])


def header(result: ClaimResult, machine: Machine) -> list[str]:
    blas = "; ".join(f"{b.library} {b.version}, kernels {b.architecture}, {b.file}" for b in machine.blas) or "none"
    return [
        f"{result.claim}: {result.sentence}",
        *([QUICK] if result.plan.quick else []),
        f"threads   {result.plan.threads} (our n_jobs and every BLAS and OpenMP pool)",
        f"machine   {machine.processor}, {machine.cores} cores, {machine.system}, load {machine.load:.1f} at the start",
        *([BUSY] if machine.load > result.plan.threads + 0.5 else []),
        f"blas      {blas}",
        f"python    {machine.python}; " + ", ".join(f"{name} {version}" for name, version in machine.versions.items()),
        f"date      {machine.date}, commit {machine.commit}",
    ]


def case_text(judged: Judged) -> list[str]:
    """The figure and its verdict, then what it rests on."""
    outcome = judged.outcome
    if outcome is None:
        return [f"{judged.case:<{NAME_WIDTH + 2}}{judged.verdict}: {judged.reason}", ""]
    return [
        f"{judged.case:<{NAME_WIDTH + 2}}{figure(outcome.value, outcome.unit)}   {verdict(judged)}",
        *(line_text(line) for line in outcome.lines),
        *(f"    not run: {package} is not installed" for package in outcome.absent),
        *(check_text(check) for check in outcome.checks),
        *(f"    {note}" for note in outcome.notes),
        "",
    ]


def verdict(judged: Judged) -> str:
    if judged.verdict == "VOID":
        return "VOID: a check was not held, the figure means nothing"
    if judged.target is None or judged.outcome is None:
        return judged.verdict
    if judged.verdict == "met":
        return f"met ({judged.target})"
    return f"SHORT by {judged.target.short_by(judged.outcome.value):.3g} ({judged.target})"


def check_text(check: Check) -> str:
    held = "held" if check.held else "NOT HELD"
    return f"    check {held}: {check.what}: {check.found:.2g}, allowed {check.allowed:g}"


def line_text(line: Line) -> str:
    ratio = "" if line.ratio is None else f"{line.ratio:7.2f} x"
    value = seconds(line.value) if line.unit == "s" else figure(line.value, line.unit)
    who = f"    {line.kind:<6}{line.name:<{NAME_WIDTH - 4}}"
    return f"{who}{value:>{VALUE_WIDTH}}{ratio:>10}{spread_text(line.spread)}".rstrip()


def spread_text(spread: Spread | None) -> str:
    if spread is None:
        return ""
    calls = f" of {spread.calls} calls" if spread.calls > 1 else ""
    return f"   {seconds(spread.low)} to {seconds(spread.high)}, {spread.samples} samples{calls}"


def seconds(value: float) -> str:
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def figure(value: float, unit: str) -> str:
    if unit in ("digits", "MB", "MB above imports"):
        return f"{value:.1f} {unit}"
    return f"{value:.3g} {unit}"


def summary(result: ClaimResult) -> str:
    verdicts = [j.verdict for j in result.judged]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in dict.fromkeys(verdicts))
    return f"{result.claim}: {counts}; {result.seconds:.0f} s used" + (f"; {QUICK}" if result.plan.quick else "")


def as_record(result: ClaimResult, machine: Machine) -> dict:
    """Everything the table says, as plain data."""
    return {
        "claim": result.claim,
        "sentence": result.sentence,
        "record": not result.plan.quick,
        "threads": result.plan.threads,
        "machine": machine.as_dict(),
        "seconds": result.seconds,
        "cases": [case_record(judged) for judged in result.judged],
    }


def case_record(judged: Judged) -> dict:
    record = asdict(judged)
    if judged.outcome is not None:
        checks = [{**asdict(c), "held": c.held} for c in judged.outcome.checks]
        record["outcome"]["checks"] = checks
    return record


def write_record(result: ClaimResult, machine: Machine, folder: Path = RESULTS) -> Path:
    """A quick run has a file of its own: it must never replace a record."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{result.claim}-{result.plan.threads}{'-quick' if result.plan.quick else ''}.json"
    text = json.dumps(without_infinities(as_record(result, machine)), indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def without_infinities(value: object) -> object:
    """JSON has no infinity and no NaN: they become words."""
    if isinstance(value, dict):
        return {key: without_infinities(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [without_infinities(v) for v in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
