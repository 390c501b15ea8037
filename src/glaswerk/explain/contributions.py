"""One answer as a sum over columns: what each column of a row adds to the mean answer of a background.

    answer(x) = base + Σ_j φ_j,   base = mean of answer(b) over the rows b of the background

    linear models    φ_j = w_j (x_j - mean b_j), on the scale on which the model is a sum (log-odds for logistic)
    all others       φ_j = Σ_S |S|! (d - |S| - 1)! / d! (v(S ∪ j) - v(S)),   v(S) = mean of answer(x_S, b_rest)

The second are Shapley values (Contributions to the Theory of Games II, 1953; Štrumbelj and Kononenko, KAIS 41, 2014):
all 2^d sets where they are few, else orders of the columns drawn in pairs, one the reverse of the other, one pair for
each row of the background. Along an order the differences telescope, so the parts sum to the answer by
construction; sampling moves weight between parts only, and its standard error stands beside each.
Cost: 2^d, or 2 d, answers for each row of the background. When not to use it: to say what would happen if a column were
changed; columns that move together share their weight, and mixed rows may never occur.
"""

from typing import Any

import numpy as np

from glaswerk.base import Array, Matrix, Pipeline
from glaswerk.explain.answering import Answering, few_of, like
from glaswerk.facts import Contributions, Part
from glaswerk.model import Model
from glaswerk.scoring.folds import derived_seeds, shuffled_order
from glaswerk.table import Kind, TypedTable

MOST_SETS = 256  # of columns, up to which all of them are asked for
BACKGROUND = 64
SUM = "base + Σ parts = answer"


def explain_row(
    model: Model,
    table: Any,
    row: int,
    *,
    background: Any = None,
    output: str | None = None,
    seed: int = 0,
    number: int | None = None,
) -> Contributions:
    """What each column adds to the answer for one row (counted from 1) of a table.

    background : rows to compare with, of which 64 are drawn; None takes those of `table`. output : the class whose
    probability (log-odds, where the model is a sum on that scale) is explained; None takes the positive one, or with
    more than two the one that the row most probably is. number : what to call the row, where `table` is part of
    another.
    """
    typed = model.read(table)
    if not 1 <= row <= typed.n_rows:
        raise ValueError(f"row must be between 1 and {typed.n_rows}; came {row}")
    behind = typed if background is None else model.read(background)
    answering = Answering.of(model)
    rows = behind.take(few_of(behind.n_rows, BACKGROUND, seed))
    one, against = answering.encode(typed.take(np.array([row - 1]))), answering.encode(rows)
    place = answering.output(output, answering(one))
    notes = (f"compared with {len(against)} of {behind.n_rows:,} rows, drawn by a fixed hash of the row number",)
    found = of_sum(answering, one, against, place) or of_game(answering, one, against, place, seed)
    base, answer, adds, errors, scale, how = found
    values = told_values(typed, row - 1, answering.columns)
    parts = [
        Part(name, values[name], float(a), float(e)) for name, a, e in zip(answering.columns, adds, errors, strict=True)
    ]
    parts.sort(key=lambda part: (-abs(part.adds), part.column))
    called = row if number is None else number
    return Contributions(model.task_.target, scale, called, float(base), float(answer), tuple(parts), how, True, notes)


Found = tuple[float, float, Array, Array, str, str]


def of_sum(answering: Answering, one: Matrix, against: Matrix, place: int) -> Found | None:
    """The parts of a model that is a sum over its columns; None where it is none."""
    model = answering.model
    learner = model.learner_
    if isinstance(learner, Pipeline) or model.design_.measured_.basis is not None or not hasattr(learner, "coef_"):
        return None
    weights = np.atleast_2d(np.asarray(learner.coef_, dtype=np.float64))
    intercept = np.atleast_1d(np.asarray(learner.intercept_, dtype=np.float64))
    rows = model.design_.finish(like(np.array(one), one))
    here, there = np.asarray(rows), np.asarray(model.design_.finish(like(np.array(against), against)))
    if len(weights) != 1 or weights.shape[1] != here.shape[1] or len(intercept) != 1:
        return None
    regression = model.task_.name == "regression"
    if not regression and not hasattr(learner, "decision_function"):
        return None
    sign = 1.0 if regression or str(learner.classes_[1]) == answering.outputs[place] else -1.0
    away = sign * weights[0] * (here[0] - there.mean(axis=0))
    base = sign * (float(intercept[0]) + float(weights[0] @ there.mean(axis=0)))
    adds = np.array([away[cells].sum() for cells in answering.places.values()])
    answer = base + float(adds.sum())
    if not np.isclose(answer, sign * _asked(learner, rows, regression), rtol=1e-9, atol=1e-9):
        return None  # a learner with coefficients whose answer is not this sum
    what = f"log-odds of {answering.outputs[place]}"
    scale = model.task_.target if regression else what
    return base, answer, adds, np.zeros(len(adds)), scale, f"exact: the model is a sum over its columns; {SUM}"


def _asked(learner: Any, rows: Matrix, regression: bool) -> float:
    found = learner.predict(rows) if regression else learner.decision_function(rows)
    return float(np.asarray(found).ravel()[0])


def of_game(answering: Answering, one: Matrix, against: Matrix, place: int, seed: int) -> Found:
    """Shapley values of one output."""
    d = len(answering.columns)
    outputs = answering.outputs
    scale = outputs[0] if answering.model.task_.name == "regression" else f"probability of {outputs[place]}"
    if 2**d <= MOST_SETS:
        adds, how = all_sets(answering, one, against, place), f"exact Shapley values over all {2**d} sets of columns"
        errors = np.zeros(d)
    else:
        drawn = drawn_orders(answering, one, against, place, seed)
        adds = drawn.mean(axis=0)
        errors = drawn.std(axis=0, ddof=1) / np.sqrt(len(drawn)) if len(drawn) > 1 else np.zeros(d)
        how = f"Shapley values from {2 * len(drawn)} orders of the columns, in pairs of opposite ones"
    base, answer = float(answering(against)[:, place].mean()), float(answering(one)[0, place])
    return base, answer, adds, errors, scale, f"{how}; {SUM}"


def all_sets(answering: Answering, one: Matrix, against: Matrix, place: int) -> Array:
    """v(S) for every set of columns, then the weighted differences."""
    d = len(answering.columns)
    member = (np.arange(2**d)[:, None] >> np.arange(d)) & 1
    worth = np.array([answering(mixed(answering, one, against, held > 0))[:, place].mean() for held in member])
    size = member.sum(axis=1)
    factorial = np.cumprod([1.0, *range(1, d + 1)])
    weight = factorial[size] * factorial[np.maximum(d - size - 1, 0)] / factorial[d]
    found = np.empty(d)
    for j in range(d):
        without = np.flatnonzero(member[:, j] == 0)
        found[j] = weight[without] @ (worth[without | (1 << j)] - worth[without])
    return found


def drawn_orders(answering: Answering, one: Matrix, against: Matrix, place: int, seed: int) -> Array:
    """(background, columns): for each row one order and its reverse, along which its cells become the row's own."""
    d, B = len(answering.columns), len(against)
    found = np.zeros((B, d))
    orders = np.array([shuffled_order(d, one_seed) for one_seed in derived_seeds(seed, B)])
    groups = list(answering.places.values())
    for turned in (orders, orders[:, ::-1]):
        cells = np.array(against)
        before = answering(against)[:, place]
        for step in range(d):
            for b in range(B):
                taken = groups[turned[b, step]]
                cells[b, taken] = one[0, taken]
            after = answering(like(cells, against))[:, place]
            found[np.arange(B), turned[:, step]] += (after - before) / 2
            before = after
    return found


def mixed(answering: Answering, one: Matrix, against: Matrix, held: Any) -> Matrix:
    """The background with some columns as in the row."""
    cells = np.array(against)
    for taken, hold in zip(answering.places.values(), held, strict=True):
        if hold:
            cells[:, taken] = one[0, taken]
    return like(cells, against)


def told_values(table: TypedTable, row: int, columns: tuple[str, ...]) -> dict[str, str]:
    """The cells of a row as words."""
    found = {}
    for name in columns:
        column = table[name]
        if column.missing()[row]:
            found[name] = "missing"
        elif column.kind == Kind.NUMBER:
            found[name] = f"{column.numbers()[row]:.6g}"
        elif column.kind == Kind.DATE:
            found[name] = str(np.datetime64(round(column.numbers()[row]), "D"))
        else:
            found[name] = column.distinct_levels()[column.codes()[row]]
    return found
