"""What regression and classification trees share: fit, pruning, walking, facts."""

import copy
from collections.abc import Callable
from collections.abc import Sequence as Sequence_
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Array, Estimator, clone, weights
from glaswerk.facts import Fact, Facts, MethodCard, Steps, Table, Tree
from glaswerk.passes import available_threads
from glaswerk.scoring.folds import even_folds, row_order, stratified_folds
from glaswerk.trees.cells import Cells
from glaswerk.trees.choice import Choice, choose
from glaswerk.trees.describe import MOST_NODES, Words, tree_fact
from glaswerk.trees.grown import Grown
from glaswerk.trees.growth import grow
from glaswerk.trees.limits import Limits
from glaswerk.trees.pruning import Sequence, collapse_alphas, pruned, sequence
from glaswerk.trees.significance import significance_table, significant
from glaswerk.trees.steps import pruning_steps
from glaswerk.trees.target import Target

STEP_NODES = 63  # of each tree under a slider


class TreeModel(Estimator):
    """Interface: one tree, fitted to rows in memory, with its whole pruning sequence."""

    takes_categories: ClassVar[bool] = True
    path_parameters: ClassVar[tuple[str, ...]] = ("ccp_alpha",)
    fitted: ClassVar[dict[str, type]] = {
        **Estimator.fitted,
        "levels_": tuple,
        "target_names_": list,
        "n_outputs_": int,
        "full_": Grown,
        "tree_": Grown,
        "choice_": object,
    }
    card: ClassVar[MethodCard]
    criterion: str
    ccp_alpha: Any
    folds: int
    random_state: int | None
    n_jobs: int | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def target_of(self, y: Any, weight: Array, n_rows: int) -> tuple[Target, Array]:
        """What the tree sums, and the weights it sums with."""
        raise NotImplementedError

    def class_names(self) -> tuple[str, ...]:
        """The classes in words, or nothing for numbers."""
        return ()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree on rows in memory, then prune it where a penalty is asked for."""
        self.check_parameters()
        owner = type(self).__name__
        cells = self.cells(X, fit=True)
        self.refuse_infinite(cells)
        weight = weights(sample_weight, len(cells), owner)
        self.target_names_ = target_names(y)
        target, weight = self.target_of(y, weight, len(cells))
        rows = np.flatnonzero(weight > 0).astype(np.uint32) if weight.size else np.arange(len(cells), dtype=np.uint32)
        threads = available_threads(self.n_jobs)
        levels = [0 if names is None else len(names) for names in self.levels_]
        table = Cells.of(cells, levels)

        def grow_on(some: NDArray[np.uint32]) -> Grown:
            return self._grown(table, target, weight, some)

        self.full_ = self._grown(table, target, weight, rows, threads)
        self.__dict__.pop("_alphas", None)
        self._prune(lambda rule: self._choose(rule, cells, target, weight, grow_on, threads))
        return self

    def _grown(self, cells: Cells, target: Target, weight: Array, rows: NDArray[np.uint32], threads: int = 1) -> Grown:
        total = float(weight[rows].sum()) if weight.size else float(len(rows))
        limits = Limits.of(self, len(rows), total, len(cells.levels))
        return grow(cells, target, weight, rows, limits, int(self.random_state or 0), threads)

    def fit_path(self, X: Any, y: Any, name: str, values: Sequence_[Any], sample_weight: Any = None) -> list[Self]:
        """One fitted copy for each `ccp_alpha`: one full tree is grown, and pruned as far as each asks."""
        if name not in self.path_parameters:
            raise ValueError(f"{type(self).__name__} has no path of {name!r}, only of {list(self.path_parameters)}")
        copies = [clone(self).set_params(**{name: value}) for value in values]
        for one in copies:
            one.check_parameters()
        if any(isinstance(value, str) for value in values):
            return [one.fit(X, y, sample_weight) for one in copies]
        whole = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        whole.collapse_alphas()
        for one in copies:
            alpha = float(one.get_params()[name])
            vars(one).update({key: part for key, part in vars(whole).items() if key not in whole.get_params()})
            one.tree_ = one.full_ if alpha == 0 else one._pruned(alpha * float(one.full_.weight[0]))
        return copies

    def _prune(self, choose: Callable[[str], Choice]) -> None:
        """The tree asked for by `ccp_alpha`: a penalty, or a rule that chooses one."""
        asked = self.ccp_alpha
        self.choice_ = choose(asked) if isinstance(asked, str) else None
        if self.choice_ is not None:
            self.tree_ = self._pruned(float(self.choice_.alpha[self.choice_.chosen]))
        else:
            self.tree_ = self.full_ if asked == 0 else self._pruned(float(asked) * float(self.full_.weight[0]))

    def _choose(
        self, rule: str, cells: Array, target: Target, weight: Array, grow_on: Callable[[NDArray[np.uint32]], Grown],
        threads: int,
    ) -> Choice:  # fmt: skip
        """Folds are drawn by `random_state`, for classes with equal shares in each."""
        n = len(cells)
        folds = min(int(self.folds), n)
        if folds < 2:
            raise ValueError(f"{type(self).__name__}: ccp_alpha={rule!r} needs two rows at least, got {n}")
        order = row_order(n, int(self.random_state or 0))
        one_output = target.bounds.size and target.y.shape[1] == 1
        fold = stratified_folds(target.y[:, 0], order, folds) if one_output else even_folds(order, folds)
        cells = np.asarray(cells, dtype=np.float64)
        return choose(self.pruning_path, fold, grow_on, cells, target.y, weight, self.criterion, rule, threads)

    def refuse_infinite(self, cells: NDArray) -> None:
        """Missing cells are taken, infinite ones are not."""
        message = infinite_cell(cells, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")

    # Pruning

    def collapse_alphas(self) -> Array:
        """The penalty at which each node of the full tree becomes a leaf, in sums over rows."""
        self.check_fitted()
        if not hasattr(self, "_alphas"):
            self._alphas = collapse_alphas(self.full_, self.criterion)
        return self._alphas

    @property
    def pruning_path(self) -> Sequence:
        """The nested trees T¹ ⊃ T² ⊃ … ⊃ root, found without growing any of them again."""
        return sequence(self.full_, self.criterion, self.collapse_alphas())

    def _pruned(self, alpha: float) -> Grown:
        return pruned(self.full_, self.collapse_alphas(), alpha * (1 + 1e-12))

    def prune_to(
        self, *, alpha: float | None = None, leaves: int | None = None, significance: float | None = None,
        adjusted: bool = False,
    ) -> Self:  # fmt: skip
        """A smaller tree, at once: of the sequence, or without the cuts that may be chance.

        Parameters
        ----------
        alpha : the tree of the sequence at this penalty, in `ccp_alpha`'s unit.
        leaves : the largest tree of the sequence with at most so many leaves.
        significance : no branch stays of which every cut has a larger p (χ² for classes, F for numbers).
        adjusted : whether p counts all cuts that may have been tried at a node.
        """
        if sum(asked is not None for asked in (alpha, leaves, significance)) != 1:
            raise ValueError("prune_to takes one of alpha, leaves and significance")
        found = copy.copy(self)
        if significance is not None:
            if not 0 <= significance <= 1:
                raise ValueError(f"significance must be a probability between 0 and 1, got {significance}")
            self.check_fitted()
            found.tree_ = significant(self.full_, significance, adjusted=adjusted)
        else:
            found.tree_ = self._pruned(self._penalty(alpha, leaves))
        return found

    def _penalty(self, alpha: float | None, leaves: int | None) -> float:
        path = self.pruning_path
        if alpha is not None:
            if alpha < 0:
                raise ValueError(f"alpha must be >= 0, got {alpha}")
            return float(alpha * path.weight)
        if leaves is None or leaves < 1:
            raise ValueError(f"leaves must be >= 1, got {leaves}")
        return float(path.alpha[np.argmax(path.leaves <= leaves)])

    def chosen(self) -> tuple[dict[str, int], float | None] | None:
        """The leaves that cross-validation left, and the mean squared error it saw; None where nothing was chosen."""
        choice = self.choice_
        if choice is None:
            return None
        at = choice.chosen
        return {"leaves": int(choice.leaves[at])}, None if choice.classes else float(choice.error[at])

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, Array]:
        """scikit-learn's method: `ccp_alphas` and `impurities` of the sequence of a tree grown on these rows."""
        path = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight).pruning_path
        return {"ccp_alphas": path.ccp_alpha, "impurities": path.risk / path.weight}

    # Walking

    def walked(self, X: Any) -> NDArray[np.int64]:
        """The leaf of every row."""
        self.check_fitted()
        cells = self.cells(X, fit=False)
        leaf, finite = self.tree_.walk(cells, available_threads(self.n_jobs))
        if not finite:
            self.refuse_infinite(cells)
        return leaf

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of the leaf of every row; nodes are numbered in preorder."""
        return self.walked(X)

    def path_of(self, x: Any) -> list[int]:
        """The nodes that one row passes, from the root to its leaf."""
        node = int(self.walked([x] if np.ndim(x) == 1 else x)[0])
        path = [node]
        while path[-1]:
            path.append(int(self.tree_.parent[path[-1]]))
        return path[::-1]

    def get_depth(self) -> int:
        """Questions on the longest way to a leaf."""
        self.check_fitted()
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        self.check_fitted()
        return int(self.tree_.leaves[0])

    @property
    def feature_importances_(self) -> Array:
        """Share of each column in what all cuts gained."""
        self.check_fitted()
        return importances(self.tree_, self.n_features_in_)

    # Facts

    def check_restored(self) -> None:
        """Trees, columns and levels must speak of the same table."""
        for tree in (self.full_, self.tree_):
            if len(tree.levels) != self.n_features_in_ or len(self.levels_) != self.n_features_in_:
                raise ValueError(f"the tree does not belong to {self.n_features_in_} columns")
        if not isinstance(self.choice_, Choice | None):
            raise ValueError("choice_ is no choice among pruned trees")

    def tree_fact(self, most: int = MOST_NODES) -> Tree:
        """The tree as data, bounded to its upper nodes."""
        self.check_fitted()
        alpha = collapse_alphas(self.tree_, self.criterion) / self.tree_.weight[0]
        words = Words(self.column_names(), self.levels_)
        return tree_fact(
            self.tree_, words=words, criterion=self.criterion, target=", ".join(self.target_names_),
            classes=self.class_names(), alpha=alpha, most=most,
        )  # fmt: skip

    def facts(self) -> Facts:
        """The tree, what its columns gained, its pruning sequence, the test of every cut, the method."""
        found: list[Fact] = [self.tree_fact(), self._importance()]
        if self.choice_ is None:
            found.append(self.pruning_path.table("risk" if self.class_names() else "RSS"))
        else:
            found += [self.pruning_steps(), self.choice_.table()]
        if self.tree_.nodes > 1:
            found.append(significance_table(self.tree_, Words(self.column_names(), self.levels_)))
        return Facts([*found, self.card])

    def pruning_steps(self) -> Steps:
        """A slider over the pruning sequence; only where `ccp_alpha` was chosen on rows left out."""
        if self.choice_ is None:
            raise ValueError(f"{type(self).__name__}: ccp_alpha must be 'cv' or '1se', so that each tree has an error")
        scale = self.pruning_path.weight
        return pruning_steps(
            self.choice_,
            lambda alpha: self.prune_to(alpha=alpha / scale).tree_fact(STEP_NODES),
            ", ".join(self.target_names_),
        )

    def _importance(self) -> Table:
        share = self.feature_importances_
        order = np.argsort(-share, kind="stable")
        names = self.column_names()
        rows = tuple((names[j], float(share[j])) for j in order.tolist())
        note = "what the cuts of a column gained on the training rows; columns with many values are favoured"
        return Table("Importance of columns", ("column", "share of the gain"), rows, (note,))


def infinite_cell(cells: NDArray, names: tuple[str, ...]) -> str | None:
    """The sentence that names the first infinite cell, or None; a table without NaN or infinity is only summed."""
    if np.isfinite(cells.sum()):
        return None
    bad = np.argwhere(np.isinf(cells))
    if not len(bad):
        return None
    row, column = bad[0].tolist()
    where = f"column {names[column]!r}, row {row}"
    return f"X contains infinity: {where}. Missing cells (NaN) are taken; replace infinite ones"


def importances(tree: Grown, n_columns: int) -> Array:
    """Share of each column in the gains of a tree; zeros where nothing was gained."""
    inner = tree.feature >= 0
    gained = np.bincount(tree.feature[inner], weights=tree.gain[inner], minlength=n_columns)
    total = gained.sum()
    found: Array = gained / total if total > 0 else np.zeros(n_columns)
    return found


def target_names(y: Any) -> list[str]:
    """The target's own names where it has them, else y, or y0, y1, …"""
    columns = getattr(y, "columns", None)
    if columns is not None:
        return [str(name) for name in columns]
    name = getattr(y, "name", None)
    cells = np.asarray(y)
    width = cells.shape[1] if cells.ndim == 2 else 1
    return [name if isinstance(name, str) else "y"] if width == 1 else [f"y{k}" for k in range(width)]
