"""Targets: what each case is held against, from targets.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parent / "targets.toml"


@dataclass(frozen=True)
class Target:
    """A floor or a ceiling; it holds for runs at these numbers of threads. A `goal` is wished for, not promised."""

    bound: float
    ceiling: bool
    threads: tuple[int, ...] = (1,)
    goal: bool = False

    def met_by(self, value: float) -> bool:
        return value <= self.bound if self.ceiling else value >= self.bound

    def short_by(self, value: float) -> float:
        """How far the value lies on the wrong side, in its own unit."""
        return value - self.bound if self.ceiling else self.bound - value

    def __str__(self) -> str:
        return f"{'goal: ' if self.goal else ''}at {'most' if self.ceiling else 'least'} {self.bound:g}"


def read_targets(path: Path = PATH) -> dict[str, dict[str, Target]]:
    """claim -> case -> target."""
    with path.open("rb") as file:
        tables = tomllib.load(file)
    return {
        claim: {case: parse(claim, case, entry) for case, entry in cases.items()} for claim, cases in tables.items()
    }


def parse(claim: str, case: str, entry: dict) -> Target:
    bounds = [key for key in ("at_least", "at_most") if key in entry]
    unknown = set(entry) - {"at_least", "at_most", "threads", "goal"}
    if len(bounds) != 1 or unknown:
        raise ValueError(f"targets.toml: [{claim}] {case!r} needs one of at_least, at_most; got {sorted(entry)}")
    ceiling = bounds == ["at_most"]
    threads = tuple(entry.get("threads", [1]))
    return Target(float(entry[bounds[0]]), ceiling, threads, bool(entry.get("goal", False)))
