"""Columns that lie a million deviations from zero."""

from benchmarks.claims.digits import CLAIM_SLACK, answers
from benchmarks.exact import correct_digits, relative_error, solve_exactly
from benchmarks.harness import Case, Check, Line, Outcome, Plan
from benchmarks.rivals import OURS, with_intercept
from benchmarks.tables import far_from_zero

SENTENCE = "columns a million deviations from zero cost LinearRegression no digit: every coefficient within 1e-12"
SIZES = ((1_000, 5), (100_000, 10), (100_000, 20))
QUICK_SIZES = ((1_000, 5), (10_000, 10))
OFFSETS = {1e6: 26, 1e8: 20}  # bits behind the point that 53 leave beside the offset


def cases(plan: Plan) -> list[Case]:
    sizes = QUICK_SIZES if plan.quick else SIZES
    return [
        Case(f"{n} x {d}, offset {offset:.0e}", lambda n=n, d=d, o=offset: offset_error(n, d, o, plan))
        for offset in OFFSETS
        for n, d in sizes
    ]


def offset_error(n: int, d: int, offset: float, plan: Plan) -> Outcome:
    """The worst relative error of a coefficient, the intercept among them, against the exact solution."""
    X, y = far_from_zero(n, d, offset, OFFSETS[offset])
    exact = solve_exactly(X, y)
    found = answers(X, y, plan)
    errors = {
        name: max(relative_error(float(c), e) for c, e in zip(with_intercept(answer), exact.all, strict=True))
        for name, answer in found.items()
    }
    lines = [Line(name, "ours" if name == OURS else "rival", error, "relative error") for name, error in errors.items()]
    solution = found[OURS].solution_
    reached = correct_digits(with_intercept(found[OURS]), exact.all)
    check = Check(f"digits claimed beyond the {reached:.1f} reached", solution.digits - reached, CLAIM_SLACK)
    told = f"our rung: {solution.rung}; claims {solution.digits:.1f} digits of the stored numbers"
    return Outcome(errors[OURS], "relative error", tuple(lines), (check,), (told,))
