"""How steady a tree is: grown again without a row, on resampled rows, and after a turn of the plane.

Two partitions differ by the share of pairs of rows that lie together in one and apart in the other (one less the index
of Rand, JASA 66, 1971). A root that is a tie may change where nothing of importance has [SCH-GAIN].
Cost: one growth per table. When not to use it: to say how good a tree is; an unsteady tree may predict well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, Matrix
from glaswerk.explain.answering import few_of
from glaswerk.explain.shapes import Seen, regions_of
from glaswerk.facts import Cell, Curve, Facts, Line, Slider, Statement, Steps, Table, shown
from glaswerk.model import TableProblem
from glaswerk.scoring.inputs import check_whole_number
from glaswerk.trees.model import TreeModel

PAIRED = 400  # rows whose pairs are compared
LEFT_OUT = 200  # rows that are left out, one at a time
NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class Again:
    """A tree grown on other rows: its root, the columns it asks for, its partition and answers of some rows."""

    root: str
    cut: float
    tie: bool
    columns: frozenset[str]
    together: NDArray[np.bool_]
    answers: NDArray[Any]


def instability(
    candidate: Any, problem: TableProblem, *, resamples: int = 100, left_out: int = LEFT_OUT, seed: int = 0
) -> Facts:
    """How often root, columns and partition of a tree change: without single rows, and on rows drawn again.

    candidate : a model whose learner is a tree, or such a learner. left_out : rows tried, drawn by a hash where the
    table has more.
    """
    check_whole_number("resamples", resamples, at_least=2)
    check_whole_number("left_out", left_out, at_least=1)
    n, asked = problem.n_rows, few_of(problem.n_rows, PAIRED, seed)
    whole = _grown(candidate, problem, np.arange(n), asked)
    random = np.random.default_rng([seed, 71])
    drawn = [np.sort(random.integers(0, n, n)) for _ in range(resamples)]
    gone = few_of(n, left_out, seed)
    found = {
        "without one row": [_grown(candidate, problem, np.delete(np.arange(n), k), asked) for k in gone.tolist()],
        "resampled": [_grown(candidate, problem, rows, asked) for rows in drawn],
    }
    return Facts([_changes(whole, found, problem), _columns(whole, found), _curve(whole, found, problem.target)])


def _grown(candidate: Any, problem: TableProblem, rows: NDArray[np.int64], asked: NDArray[np.int64]) -> Again:
    model = problem.fit(candidate, rows)
    learner = model.learner_
    if not isinstance(learner, TreeModel):
        raise TypeError(f"instability needs a tree, and the candidate's learner is a {type(learner).__name__}")
    tree, sources = learner.tree_, model.design_.sources_
    leaf = learner.apply(problem.encoded(model, asked))
    inner = tree.feature[tree.feature >= 0].tolist()
    root = sources[int(tree.feature[0])] if inner else "nothing"
    return Again(
        root, float(tree.threshold[0]), bool(tree.ties[0]), frozenset(sources[j] for j in inner),
        leaf[:, None] == leaf[None, :], np.asarray(problem.predict(model, asked)),
    )  # fmt: skip


def parted_otherwise(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """The share of pairs of rows that are together in one partition and apart in the other."""
    n = len(one)
    return float((one != other).sum() / (n * (n - 1))) if n > 1 else 0.0


def _other_answers(one: NDArray[Any], other: NDArray[Any]) -> float:
    """The share of rows with another class, or the root mean square of the differences."""
    if one.dtype.kind == "f":
        return float(np.sqrt(np.mean((one - other) ** 2)))
    return float((one != other).mean())


def _changes(whole: Again, found: dict[str, list[Again]], problem: TableProblem) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, trees in found.items():
        m = len(trees)
        same = sum(t.root == whole.root for t in trees)
        cut = sum(t.root == whole.root and _near(t.cut, whole.cut) for t in trees)
        apart = [parted_otherwise(t.together, whole.together) for t in trees]
        answers = [_other_answers(t.answers, whole.answers) for t in trees]
        rows.append(
            (name, m, same / m, cut / m, sum(t.tie for t in trees) / m, float(np.mean(apart)), float(np.max(apart)),
             float(np.mean(answers)))
        )  # fmt: skip
    unit = "answers changed (share of rows)" if problem.task != "regression" else "answers changed (RMS)"
    heads = (
        "grown", "trees", "same column at the root", "same cut", "root is a tie", "pairs parted otherwise, mean",
        "worst", unit,
    )  # fmt: skip
    notes = (
        f"the tree of all rows asks for {whole.root}{'' if np.isnan(whole.cut) else f' ≤ {shown(whole.cut)}'} first",
        *(("its root is a tie: another cut gains just as much",) if whole.tie else ()),
    )
    return Table("How steady the tree is", heads, tuple(rows), notes)


def _near(one: float, other: float) -> bool:
    return bool(np.isnan(one) and np.isnan(other)) or abs(one - other) <= NEAR * max(1.0, abs(other))


def _columns(whole: Again, found: dict[str, list[Again]]) -> Table:
    """How often each column is asked at the root, and anywhere."""
    every = sorted(set(whole.columns).union(*(t.columns for trees in found.values() for t in trees)))
    rows: list[tuple[Cell, ...]] = []
    for name in every:
        shares = [
            part
            for trees in found.values()
            for part in (
                sum(t.root == name for t in trees) / len(trees),
                sum(name in t.columns for t in trees) / len(trees),
            )
        ]
        rows.append((name, name == whole.root, name in whole.columns, *shares))
    rows.sort(key=lambda row: (-float(row[-1] or 0.0), str(row[0])))
    heads = ["column", "root of the whole tree", "asked by it"]
    for name in found:
        heads += [f"root, {name}", f"asked, {name}"]
    return Table("Which columns the trees ask for", tuple(heads), tuple(rows))


def _curve(whole: Again, found: dict[str, list[Again]], target: str) -> Curve:
    lines = []
    for name, trees in found.items():
        apart = np.sort([parted_otherwise(t.together, whole.together) for t in trees])
        share = 100 * (np.arange(len(apart)) + 1) / len(apart)
        lines.append(Line(name, tuple(share.tolist()), tuple((100 * apart).tolist()), form="steps"))
    says = "A steady tree lies low over the whole width: its leaves hold the same rows together."
    return Curve(
        f"The partition for {target}, grown again", "of the trees (%)", "pairs of rows parted otherwise (%)",
        tuple(lines), says,
    )  # fmt: skip


def rotation(
    table: Any, target: str, columns: Sequence[str], *, degrees: float = 20.0, max_depth: int | None = 2
) -> Facts:
    """The same rows after turns of the plane: a tree cuts along the columns only, and needs other cuts.

    Four turns up to `degrees`; the columns are turned as they are, so measure them alike.
    """
    if len(columns) != 2:
        raise ValueError(f"rotation needs two columns, got {list(columns)}")
    if not np.isfinite(degrees):
        raise ValueError(f"degrees must be finite, got {degrees}")
    rows = Seen.of(table, target, columns)
    angles = [0.0, degrees / 4, degrees / 2, 3 * degrees / 4, degrees]
    turned = [rows.turned(angle) for angle in angles]
    models = [one.tree(max_depth=max_depth) for one in turned]
    cells = [
        (f"{angle:g}°", _cuts(model, columns), model.get_n_leaves(), _own_score(one, model))
        for angle, one, model in zip(angles, turned, models, strict=True)
    ]
    measure = "training accuracy" if rows.classes else "training RMSE"
    notes = (*rows.notes, "the tree of a turned plane is no turned tree: its sides still follow the axes")
    planes = tuple(
        (regions_of(one, model, f"{target} turned by {angle:g}°"),)
        for angle, one, model in zip(angles, turned, models, strict=True)
    )
    says = tuple(f"turned by {angle:g}°: {row[2]} rectangles, {measure} {shown(row[3])}" for angle, row in
                 zip(angles, cells, strict=True))  # fmt: skip
    slider = Slider("turned by", tuple(f"{angle:g}°" for angle in angles))
    return Facts([
        Table("A turn of the plane", ("turned by", "cuts", "leaves", measure), tuple(cells), notes),
        Steps(f"A tree for {target} while the plane turns", (slider,), planes, says, len(angles) - 1),
        Statement("What a turn changes", (_in_words(cells, measure),)),
    ])  # fmt: skip


def _cuts(model: Any, columns: Sequence[str]) -> str:
    tree = model.tree_
    inner = np.flatnonzero(tree.feature >= 0)[:12]
    return "; ".join(f"{columns[int(tree.feature[t])]} ≤ {tree.threshold[t]:.4g}" for t in inner)


def _own_score(rows: Seen, model: Any) -> float:
    found: Array = model.predict(Matrix.of(rows.X, rows.names))
    return float((found == rows.y).mean()) if rows.classes else float(np.sqrt(np.mean((found - rows.y) ** 2)))


def _in_words(cells: Sequence[tuple[str, str, int, float]], measure: str) -> str:
    first, last = cells[0], cells[-1]
    same = "the same cuts" if first[1] == last[1] else "other cuts"
    return (
        f"Turned by {last[0]} the tree has {same} and {last[2]} leaves for {first[2]}; {measure} goes from "
        f"{shown(first[3])} to {shown(last[3])}. The rows are the same: what changed is along what they are measured."
    )
