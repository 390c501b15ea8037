"""ID3: a tree of questions, each to the column that tells most about the class; every value has its own branch.

    S = −Σ pᵢ log₂ pᵢ,   S_x = Σ_k |S_k| / |S| S_{x=k},   Δ_x S = S − S_x,   x̂ = argmax Δ_x S   [BG-ENTROPY] [BG-GAIN]

Greedy: it never looks ahead and never takes back. Columns of numbers are cut in two at their best midpoint, as C4.5
does; missing cells are a value of their own. Cost: rows × columns for each level of the tree, from counts alone. When
not to use it: columns with as many values as rows (each value gets a branch, and the gain is blind to it); numbers
only (`DecisionTreeClassifier`); a smooth target.
"""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Array, Classifier, integer, none, number, weights
from glaswerk.facts import Facts, MethodCard, Table
from glaswerk.learner.sampling import SampleFit
from glaswerk.scoring import accuracy_score
from glaswerk.trees.by_values import fits, grow_by_values
from glaswerk.trees.cells import Cells
from glaswerk.trees.describe import Words, way
from glaswerk.trees.gains import Gains, gain_table, gains_of
from glaswerk.trees.growth import grow
from glaswerk.trees.impurity import shares
from glaswerk.trees.labels import coded_labels
from glaswerk.trees.limits import LOOKED_FOR, NO_LIMIT, SMALL, Limits
from glaswerk.trees.model import TreeModel, target_names
from glaswerk.trees.parameters import CATEGORICAL
from glaswerk.trees.target import classes

NOTHING = np.zeros(0)


class ID3Classifier(SampleFit, Classifier, TreeModel):
    """The tree of ID3, with the gain of every column at every node, and all pruned trees at hand.

    Columns of words are categories, columns of numbers are cut; columns of numbers named in `categorical_features` are
    categories too. Of equal gains the lowest column is taken, and the tie is reported.

    Parameters
    ----------
    max_depth : questions on the longest way; None asks while a node is mixed and a column tells its rows apart.
    min_samples_split, min_samples_leaf : least rows of a node that asks, and of its branches.
    min_impurity_decrease : least gain in bits, times the share of all rows that the node holds.
    ccp_alpha : penalty per leaf beside the entropy of the leaves; 0 keeps the whole tree.
    categorical_features : columns of numbers to be read as categories, by name, number or mask.

    >>> sky = [["sunny", "high"], ["sunny", "normal"], ["rain", "high"], ["rain", "normal"]]
    >>> tree = ID3Classifier().fit(sky, ["no", "yes", "yes", "yes"])
    >>> tree.predict([["sunny", "high"], ["snow", "high"]]).tolist(), round(float(tree.gains_.weighted[0, 0]) / 4, 4)
    (['no', 'yes'], 0.3113)
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "max_depth": integer(1) | none(),
        "min_samples_split": integer(2),
        "min_samples_leaf": integer(1),
        "min_impurity_decrease": number(0),
        "ccp_alpha": number(0),
        "categorical_features": CATEGORICAL,
    }
    fitted: ClassVar[dict[str, type]] = {**TreeModel.fitted, "classes_": np.ndarray, "gains_": Gains}
    card: ClassVar[MethodCard] = MethodCard(
        name="ID3",
        formula="ask the column of the largest information gain S − Σ |S_k|/|S| S_k; a branch for each of its values",
        equations=("BG-ENTROPY", "BG-GAIN"),
        cost="rows × columns for each level of the tree",
        assumes=("columns of few values", "rows that agree in all columns mostly agree in their class"),
        restriction_bias="none: every function of the columns' values is some tree",
        preference_bias="the first tree met by the largest gain: short trees with informative columns near the root",
        not_for=("columns with about as many values as rows", "smooth borders between classes", "several targets"),
    )
    criterion = "entropy"

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        categorical_features: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree on rows in memory; `sample_weight` counts each row that many times."""
        self.check_parameters()
        owner = type(self).__name__
        cells = self.cells(X, fit=True)
        self.refuse_infinite(cells)
        weight = weights(sample_weight, len(cells), owner)
        self.target_names_ = target_names(y)
        codes, known = coded_labels(y, len(cells), weight, owner)
        if len(known) > 1:
            raise ValueError(f"{owner}: y must have one target, got {len(known)}; DecisionTreeClassifier takes several")
        self.n_outputs_, self.classes_, self.choice_ = 1, known[0], None
        levels = [0 if names is None else len(names) for names in self.levels_]
        total = float(weight.sum()) if weight.size else float(len(cells))
        self.full_, self.gains_ = self._learnt(cells, levels, codes, weight)
        self.__dict__.pop("_alphas", None)
        self.tree_ = self.full_ if self.ccp_alpha == 0 else self._pruned(float(self.ccp_alpha) * total)
        return self

    def _learnt(self, cells: NDArray, levels: list[int], codes: Array, weight: Array) -> tuple[Any, Gains]:
        """From counts where all columns are categories, else by the grower of all trees: the same tree."""
        limits = Limits(
            NO_LIMIT if self.max_depth is None else int(self.max_depth), int(self.min_samples_split),
            int(self.min_samples_leaf), 0.0, cells.shape[1], None, float(self.min_impurity_decrease), True,
            SMALL if len(cells) > LOOKED_FOR else 0,
        )  # fmt: skip
        kinds, many = codes[:, 0].astype(np.int64), len(self.classes_)
        if fits(levels, many) and not weight.size and limits.min_leaf == 1:
            return grow_by_values(cells, levels, kinds, many, limits)
        target = classes(codes, [many], weight, self.criterion)
        rows = np.flatnonzero(weight > 0).astype(np.uint32) if weight.size else np.arange(len(cells), dtype=np.uint32)
        used = rows.copy()  # growth puts them in the order of the leaves
        full = grow(Cells.of(cells, levels), target, weight, rows, limits, 0)
        own = weight[used] if weight.size else NOTHING
        return full, gains_of(full, np.asarray(cells, dtype=np.float64)[used], levels, kinds[used], own, many)

    def class_names(self) -> tuple[str, ...]:
        return tuple(map(str, self.classes_.tolist()))

    @property
    def n_classes_(self) -> int:
        self.check_fitted()
        return len(self.classes_)

    def predict_proba(self, X: Any) -> Array:
        """The shares of the classes in every row's leaf (n, K)."""
        leaf = self.walked(X)
        found: Array = shares(self.tree_)[leaf]
        return found

    def predict(self, X: Any) -> np.ndarray:
        """The most frequent class of every row's leaf; of equally frequent ones the first."""
        leaf = self.walked(X)
        return self.classes_[self.tree_.value.argmax(axis=1)][leaf]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def gain_table(self) -> Table:
        """[BG-GAIN] Entropy and the gain of every column in the nodes of the full tree."""
        self.check_fitted()
        words = Words(self.column_names(), self.levels_)
        where = {int(t): way(self.full_, words, int(t)) for t in self.gains_.node}
        return gain_table(self.gains_, self.full_, self.column_names(), where)

    def facts(self) -> Facts:
        """The tree, the gains node by node, what its columns gained in all, its pruning sequence, the method."""
        tree, *rest = super().facts()
        return Facts([tree, self.gain_table(), *rest])
