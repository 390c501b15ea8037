"""python -m benchmarks: run claims, print what they found, and say with the exit code whether the figures hold."""

import argparse
import signal
import sys
import warnings
from types import FrameType

from benchmarks import claims
from benchmarks.harness import ClaimResult, Plan, run_claim
from benchmarks.machine import describe
from benchmarks.report import as_text, write_record
from benchmarks.targets import read_targets

DESCRIPTION = """Run claims. Exit code 0: every figure stands, also where it is short of its target.
1: a figure is void or a case failed (with --strict also: short of a target). 2: wrong arguments."""


def arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=DESCRIPTION)
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="names of claims, or: all (the default)")
    parser.add_argument("--list", action="store_true", help="name the claims and what they say")
    parser.add_argument("--threads", type=int, default=1, help="for both sides; 1 is the record (default)")
    parser.add_argument("--quick", action="store_true", help="small sizes, few repeats: shows that it runs, no record")
    parser.add_argument("--strict", action="store_true", help="a promised target missed or not run is an error")
    found = parser.parse_args(words)
    unknown = set(found.claims) - {"all", *claims.names()}
    if unknown:
        parser.error(f"no claim {', '.join(sorted(unknown))}; there are {', '.join(claims.names())}")
    if found.threads < 1:
        parser.error("--threads must be at least 1")
    return found


def main(words: list[str] | None = None) -> int:
    asked = arguments(words)
    if asked.list:
        for name in claims.names():
            print(f"{name:<16}{claims.load(name).SENTENCE}")
        return 0
    # A claim may hold gigabytes on disk: an ended run must still give them back.
    signal.signal(signal.SIGTERM, end_tidily)
    chosen = claims.names() if not asked.claims or "all" in asked.claims else list(dict.fromkeys(asked.claims))
    return max([run_and_print(name, asked) for name in chosen])


def end_tidily(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def run_and_print(name: str, asked: argparse.Namespace) -> int:
    plan = Plan(asked.threads, asked.quick)
    module = claims.load(name)
    machine = describe(plan.threads)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what rivals warn of is told by their digits
        result = run_claim(name, module, plan, read_targets().get(name, {}), tell)
    print(as_text(result, machine))
    path = write_record(result, machine)
    tell(f"written: {path.name}")
    print(flush=True)
    return exit_code(result, asked.strict)


def exit_code(result: ClaimResult, strict: bool) -> int:
    promised = [j for j in result.judged if j.target is not None and not j.target.goal]
    missed = any(j.verdict in ("short", "not run") for j in promised)
    return int(result.any("VOID", "FAILED") or (strict and missed))


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
