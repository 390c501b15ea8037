"""What a user waits for between the command and the report."""

import statistics
import tempfile
from pathlib import Path

from benchmarks.claims.first_fit import BASE
from benchmarks.fresh import fresh_process
from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.timing import Spread

SENTENCE = "the Auto MPG report is there after at most 40 times a bare import of scikit-learn's base"
LARGEST_PAGE = 2.5e6  # bytes

REPORT = """
import sys
from glaswerk.__main__ import main
sys.argv = ["glaswerk", "report", "auto_mpg", "--target", "mpg", "--output", {path!r}]
main()
"""
HELP = "import sys\nfrom glaswerk.__main__ import main\nsys.argv = ['glaswerk', '--help']\nmain()"


def cases(plan: Plan) -> list[Case]:
    return [
        Case("glaswerk report auto_mpg", lambda: whole_report(plan)),
        Case("glaswerk --help", lambda: multiple_of(HELP, "pass", "a bare interpreter", plan)),
    ]


def whole_report(plan: Plan) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="glaswerk-bench-") as folder:
        path = Path(folder) / "report.html"
        found = multiple_of(REPORT.format(path=str(path)), BASE, f"python -c '{BASE}'", plan)
        size = path.stat().st_size
    return Outcome(found.value, found.unit, found.lines, (Check("bytes of the page", size, LARGEST_PAGE),))


def multiple_of(code: str, bare: str, called: str, plan: Plan) -> Outcome:
    """Whole processes in turns; the figure is ours / bare. `code` prints nothing that is JSON."""
    seconds: dict[str, list[float]] = {"bare": [], "ours": []}
    quiet = "import sys, os\nsys.stdout = open(os.devnull, 'w')\n"
    fresh_process(quiet + code, plan.threads)
    for _ in range(2 if plan.quick else 7):
        seconds["bare"].append(fresh_process(bare, plan.threads)[0])
        seconds["ours"].append(fresh_process(quiet + code, plan.threads)[0])
    spreads = {side: Spread.of(found, 1) for side, found in seconds.items()}
    ratio = statistics.median(seconds["ours"]) / statistics.median(seconds["bare"])
    lines = (
        Line(called, "peer", spreads["bare"].median, "s", spreads["bare"]),
        Line("glaswerk", "ours", spreads["ours"].median, "s", spreads["ours"]),
    )
    return Outcome(ratio, f"x {called}", lines)
