"""What a user waits for in a fresh process, beyond what importing scikit-learn's base takes by itself."""

import statistics
import tempfile

from benchmarks.fresh import fresh_process
from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.timing import Spread

SENTENCE = "the first fit in a fresh process comes 0.6 s after scikit-learn's base is imported, when the cache is warm"
BASE = "import sklearn.base"
HEAVY = ("numba", "polars", "pyarrow")
SIZES = ((1_000, 5), (100_000, 30))

# The rows come from multiplications alone: numpy.random would add its own import to the first fit.
FIRST_FIT = """
import json
from time import perf_counter
start = perf_counter()
from glaswerk import LinearRegression
imported = perf_counter()
import numpy as np
n, d = {n}, {d}
cells = np.modf(np.arange(1.0, n * (d + 1) + 1) ** 2 * 0.6180339887498949)[0].reshape(n, d + 1)
X, y = np.ascontiguousarray(cells[:, :d]), cells[:, d].copy()
made = perf_counter()
model = LinearRegression(n_jobs={threads}).fit(X, y)
print(json.dumps({{"import": imported - start, "data": made - imported, "fit": perf_counter() - made}}))
"""

# scikit-learn's base may itself load some of these: withheld, they show whether we can do without.
LOADED = """
import json, sys
import sklearn.base
before = set(sys.modules)
from glaswerk import LinearRegression
print(json.dumps({{"added": [name for name in {heavy} if name in set(sys.modules) - before],
                   "base": [name for name in {heavy} if name in before]}}))
"""
WITHHELD = """
import json, sys
sys.modules.update(dict.fromkeys({heavy}))
try:
    from glaswerk import LinearRegression
    print(json.dumps({{"error": ""}}))
except ImportError as error:
    print(json.dumps({{"error": str(error)}}))
"""


def cases(plan: Plan) -> list[Case]:
    sizes = SIZES[:1] if plan.quick else SIZES
    warm = [Case(f"{n} x {d}, warm", lambda n=n, d=d: first_fit(n, d, plan, cold=False)) for n, d in sizes]
    cold = Case("1000 x 5, cold", lambda: first_fit(1_000, 5, plan, cold=True))
    return [*warm, cold, Case("import alone", lambda: imports(plan))]


def first_fit(n: int, d: int, plan: Plan, *, cold: bool) -> Outcome:
    """Whole processes in turns; the making of the rows is taken out."""
    code = FIRST_FIT.format(n=n, d=d, threads=plan.threads)
    bare: list[float] = []
    fitted: list[float] = []
    parts: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="glaswerk-bench-") as cache:
        for _ in range(0 if cold else 2):  # the second finds machine code and files where every later one does
            fresh_process(code, plan.threads, GLASWERK_CACHE_DIR=cache)
        for _ in range((1 if cold else 3) if plan.quick else 7):
            bare.append(fresh_process(BASE, plan.threads)[0])
            seconds, found = timed_fit(code, plan, None if cold else cache)
            fitted.append(seconds - found["data"])
            parts.append(found)
    beyond = statistics.median(fitted) - statistics.median(bare)
    inside = ", ".join(f"{key} {statistics.median(p[key] for p in parts):.3f} s" for key in ("import", "fit"))
    lines = (timed_line(f"python -c '{BASE}'", "rival", bare), timed_line("import and first fit", "ours", fitted))
    return Outcome(beyond, "s beyond the base", lines, (), (f"inside: {inside} (the base's own import is part of it)",))


def timed_fit(code: str, plan: Plan, cache: str | None) -> tuple[float, dict[str, float]]:
    """With the warm cache, or with an empty one of its own."""
    if cache is not None:
        return fresh_process(code, plan.threads, GLASWERK_CACHE_DIR=cache)
    with tempfile.TemporaryDirectory(prefix="glaswerk-bench-") as empty:
        return fresh_process(code, plan.threads, GLASWERK_CACHE_DIR=empty)


def timed_line(name: str, kind: str, seconds: list[float]) -> Line:
    spread = Spread.of(seconds, 1)
    return Line(name, kind, spread.median, "s", spread)


def imports(plan: Plan) -> Outcome:
    """`from glaswerk import LinearRegression` loads none of the heavy libraries, and does without them."""
    _, loaded = fresh_process(LOADED.format(heavy=HEAVY), plan.threads)
    _, withheld = fresh_process(WITHHELD.format(heavy=HEAVY), plan.threads)
    checks = (
        Check(f"heavy libraries loaded ({', '.join(loaded['added']) or 'none'})", len(loaded["added"]), 0),
        Check(f"import fails without {', '.join(HEAVY)} {withheld['error']}".rstrip(), int(bool(withheld["error"])), 0),
    )
    note = f"scikit-learn's base itself loads: {', '.join(loaded['base']) or 'none of them'}"
    return Outcome(len(loaded["added"]), "libraries", (), checks, (note,))
