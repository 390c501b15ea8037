"""CART: a tree of questions, each the one that lowers the impurity most.

    regression:     min over column j and cut c of Σ_{x_j ≤ c} (y - ȳ_l)² + Σ_{x_j > c} (y - ȳ_r)²  [NAN-RSS] [SCH-COST]
    classification: Gini 1 - Σ p², entropy -Σ p log₂ p, misclassification 1 - max p       [SCH-GINI] [SCH-ENTROPY]

Candidates for c are the midpoints of consecutive distinct values [NAN-CUTS]; a leaf predicts its mean [SCH-LEAF] or the
shares of its classes. Pruning: C_α(T) = R(T) + α |T| [NAN-10], the whole sequence of trees from one growth [NAN-G].

Cost: one sort per column, then n d per level, about n d log n in all. When not to use it: smooth or additive relations
(linear models), extrapolation, a single tree where forests may be used.
"""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, none, one_of
from glaswerk.facts import MethodCard
from glaswerk.trees.from_source import SourceTree
from glaswerk.trees.impurity import shares
from glaswerk.trees.model import TreeModel
from glaswerk.trees.parameters import GROWTH
from glaswerk.trees.tasks import ClassesTask, NumbersTask

NOT_FOR = (
    "smooth or additive relations: a straight line takes many steps",
    "targets beyond those seen: a leaf predicts an average",
    "a stable picture: a few other rows may give another tree",
)


class DecisionTreeRegressor(NumbersTask, SourceTree):
    """Regression tree (CART), exact, with categories and missing cells as they are, and all pruned trees at hand.

    Drop-in for scikit-learn's class of this name. Of equal gains the lowest column, then the lowest threshold is
    taken, and the tie is reported. Rows of weight zero are absent; weights mean repetitions.

    Parameters
    ----------
    criterion : "squared_error", or "rss", its sum, which gives the same tree.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, max_features : limits.
    min_impurity_decrease : least decrease of the impurity, weighted by the share of rows, for which a node is cut.
    ccp_alpha : penalty per leaf beside the mean squared error (RSS / n); "cv" takes the pruned tree of least error on
        rows left out, "1se" the smallest within one standard error of that.
    folds : of that choice.
    categorical_features : columns of numbers to be read as categories; columns of words always are.
    categorical_splits : "sets" cuts levels into two sets, "levels" gives every level its own child.
    random_state : seed of the columns drawn with `max_features`; None is 0.
    splitter, monotonic_cst : for scikit-learn's sake.
    n_jobs : threads; the tree does not depend on it.

    >>> X, y = [[10.0], [12.0], [13.0], [44.0], [50.0]], [1.0, 1.0, 1.0, 5.0, 5.0]
    >>> tree = DecisionTreeRegressor(max_depth=1).fit(X, y)
    >>> float(tree.tree_.threshold[0]), tree.predict([[28.0], [29.0]]).tolist()
    (28.5, [1.0, 5.0])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "criterion": Allowed(
            "'squared_error' or 'rss' (absolute, Friedman, Poisson errors are not implemented: scikit-learn has them)",
            lambda v: isinstance(v, str) and v in ("squared_error", "rss"),
        ),
        **GROWTH,
    }
    fitted: ClassVar[dict[str, type]] = {**TreeModel.fitted, "single_target_": bool}
    card: ClassVar[MethodCard] = MethodCard(
        name="regression tree (CART)",
        formula="cut where RSS(left) + RSS(right) is least; a leaf predicts its mean; prune by RSS + α · leaves",
        equations=("NAN-RSS", "SCH-COST", "NAN-CUTS", "SCH-LEAF", "NAN-10", "NAN-G"),
        cost="one sort per column, then n d per level",
        assumes=("the target is nearly constant in boxes along the columns",),
        restriction_bias="functions constant on boxes whose sides follow the columns",
        preference_bias="the cut that gains most now, small trees where a penalty is set",
        not_for=NOT_FOR,
    )

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = None,
        random_state: int | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float | str = 0.0,
        monotonic_cst: None = None,
        categorical_features: Any = None,
        categorical_splits: str = "sets",
        folds: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.categorical_splits = categorical_splits
        self.folds = folds
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> Array:
        """The mean of every row's leaf."""
        leaf = self.walked(X)
        return self.shaped(self.tree_.value[leaf])


class DecisionTreeClassifier(ClassesTask, SourceTree):
    """Classification tree (CART), exact, with categories and missing cells as they are, and all pruned trees at hand.

    Drop-in for scikit-learn's class of this name; see `DecisionTreeRegressor` for the parameters both share.

    Parameters
    ----------
    criterion : "gini", "entropy" (or "log_loss", the same), "misclassification".
    class_weight : weight of each class as a dict, "balanced" for equal total weights, or None.

    >>> tree = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "no"])
    >>> tree.predict([[2.9], [9.0]]).tolist(), tree.get_n_leaves()
    (['yes', 'no'], 3)
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "criterion": one_of("gini", "entropy", "log_loss", "misclassification"),
        **GROWTH,
        "class_weight": Allowed("a dict of class to weight", lambda v: isinstance(v, dict))
        | one_of("balanced")
        | none(),
    }
    fitted: ClassVar[dict[str, type]] = {**TreeModel.fitted, "classes_": object}
    card: ClassVar[MethodCard] = MethodCard(
        name="classification tree (CART)",
        formula="cut where the weighted mean impurity of the parts is least; a leaf predicts the shares of its classes",
        equations=("SCH-GINI", "SCH-ENTROPY", "SCH-GAIN", "NAN-10", "NAN-G"),
        cost="one sort per column, then n d per level",
        assumes=("one class prevails in boxes along the columns",),
        restriction_bias="classes parted by boxes whose sides follow the columns",
        preference_bias="the cut that gains most now, small trees where a penalty is set",
        not_for=("borders oblique to the columns", *NOT_FOR[2:]),
    )

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = None,
        random_state: int | None = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: dict[Any, float] | str | None = None,
        ccp_alpha: float | str = 0.0,
        monotonic_cst: None = None,
        categorical_features: Any = None,
        categorical_splits: str = "sets",
        folds: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.categorical_splits = categorical_splits
        self.folds = folds
        self.n_jobs = n_jobs

    def split_shares(self, X: Any) -> list[Array]:
        leaf = self.walked(X)
        return np.split(shares(self.tree_)[leaf], self.tree_.bounds[1:], axis=1)
