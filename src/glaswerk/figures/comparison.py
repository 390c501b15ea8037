"""A comparison: candidates on one axis with their intervals and folds, then their paired differences to the best."""

from glaswerk.facts import Candidate, Comparison
from glaswerk.figures.figure import Figure
from glaswerk.figures.intervals import Row, interval_plot
from glaswerk.figures.labels import counted, listed, short
from glaswerk.figures.parts import finite, out_of_scale
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import said
from glaswerk.figures.thinning import evenly

MOST, MOST_FOLDS = 40, 30


@figures_of.register
def draw_comparison(fact: Comparison) -> tuple[Figure, ...]:
    """Scores best first, the baseline as dashed rule; then what each loses to the best on the same folds."""
    known = [row for row in fact.rows if finite([row.score])]
    if not known:
        return ()
    differing = [row for row in known if row.difference is not None and finite([row.difference])]
    differing = [row for row in differing if row.difference_lower is not None or row.difference]
    return (_scores(fact, known), *((_differences(fact, differing),) if differing else ()))


def _scores(fact: Comparison, known: list[Candidate]) -> Figure:
    drawn, left = _on_one_scale(known, [abs(row.score - known[0].score) for row in known])
    baseline = next((row.score for row in drawn if row.name == fact.baseline), None)
    percent = f"{100 * fact.level:g} %"
    best = known[0]
    against = f", the baseline {short(fact.baseline)} {said(baseline)}" if baseline is not None else ""
    return Figure(
        name="comparison",
        title=f"{short(fact.metric)} of {counted(len(known), 'candidate')}, {fact.better} is better",
        alt=f"{counted(len(drawn), 'candidate')} by {short(fact.metric)}, {fact.better} is better: best is "
        f"{short(best.name)} with {_between(best.score, best.lower, best.upper)}{against}.",
        spec=interval_plot(
            [_scored(row) for row in drawn], f"{fact.metric}, {fact.better} is better", rule=baseline, written=True
        ),
        table=fact.table(),
        note=" ".join(
            [
                f"Dots are means over folds, bars their {percent} intervals, small ticks single folds.",
                *(["The dashed rule is the baseline."] if baseline is not None else []),
                *([_left_out(left)] if left else []),
            ]
        ),
    )


def _differences(fact: Comparison, differing: list[Candidate]) -> Figure:
    drawn, left = _on_one_scale(differing, [abs(row.difference or 0.0) for row in differing])
    percent = f"{100 * fact.level:g} %"
    unsure = [row for row in drawn if not _differs(row)]
    nearest = min(drawn, key=lambda row: abs(row.difference or 0.0))
    return Figure(
        name="comparison-differences",
        title=f"Difference in {short(fact.metric)} to the best, {short(fact.rows[0].name)}",
        alt=f"Paired differences in {short(fact.metric)} to {short(fact.rows[0].name)}: nearest is "
        f"{short(nearest.name)} with {_difference(nearest)}; {len(unsure)} of {len(drawn)} intervals contain zero.",
        spec=interval_plot(
            [_differing(row) for row in drawn], f"difference in {fact.metric} to the best", rule=0.0, written=True
        ),
        table=fact.table(),
        note=" ".join(
            [
                f"On the same folds, with {percent} intervals; a hollow dot's interval contains zero.",
                *([_left_out(left)] if left else []),
            ]
        ),
    )


def _on_one_scale(rows: list[Candidate], reaches: list[float]) -> tuple[list[Candidate], list[Candidate]]:
    beyond = out_of_scale(reaches)
    drawn = [row for row, far in zip(rows, beyond, strict=True) if not far][:MOST]
    return drawn, [row for row in rows if row not in drawn]


def _scored(row: Candidate) -> Row:
    folds = finite(row.fold_scores)
    tip = f"{short(row.name)}\n{_between(row.score, row.lower, row.upper)}\n{short(row.verdict, 120)}".strip()
    return Row(
        row.name, row.score, row.lower, row.upper, True, tip, tuple(folds[k] for k in evenly(len(folds), MOST_FOLDS))
    )


def _differing(row: Candidate) -> Row:
    tip = f"{short(row.name)}\n{_difference(row)}\n{short(row.verdict, 120)}".strip()
    return Row(row.name, row.difference or 0.0, row.difference_lower, row.difference_upper, _differs(row), tip)


def _differs(row: Candidate) -> bool:
    low, high = row.difference_lower, row.difference_upper
    return low is not None and high is not None and (low > 0 or high < 0)


def _difference(row: Candidate) -> str:
    return _between(row.difference, row.difference_lower, row.difference_upper)


def _between(value: float | None, low: float | None, high: float | None) -> str:
    return said(value) + (f" ({said(low)} to {said(high)})" if low is not None and high is not None else "")


def _left_out(left: list[Candidate]) -> str:
    return f"Not drawn, being out of scale or beyond {MOST}: {listed([f'{r.name} ({said(r.score)})' for r in left])}."
