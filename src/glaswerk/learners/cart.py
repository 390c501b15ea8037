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

from glaswerk.base import Allowed, Array, Classifier, Regressor, find_unusable, none, one_of, targets
from glaswerk.facts import MethodCard
from glaswerk.scoring import accuracy_score, r2_score
from glaswerk.trees.impurity import shares
from glaswerk.trees.labels import coded_labels, with_class_weight
from glaswerk.trees.model import TreeModel
from glaswerk.trees.parameters import GROWTH
from glaswerk.trees.target import Target, classes, numbers

NOT_FOR = (
    "smooth or additive relations: a straight line takes many steps",
    "targets beyond those seen: a leaf predicts an average",
    "a stable picture: a few other rows may give another tree",
)


class DecisionTreeRegressor(Regressor, TreeModel):
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

    def target_of(self, y: Any, weight: Array, n_rows: int) -> tuple[Target, Array]:
        owner = type(self).__name__
        Y, self.single_target_ = targets(y, n_rows, owner)
        message = find_unusable(Y, self.target_names_, "the target y")
        if message:
            raise ValueError(f"{owner}: {message}")
        self.n_outputs_ = Y.shape[1]
        return numbers(Y, weight), weight

    def predict(self, X: Any) -> Array:
        """The mean of every row's leaf."""
        leaf = self.walked(X)
        found: Array = self.tree_.value[leaf]
        return found[:, 0] if self.single_target_ else found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))


class DecisionTreeClassifier(Classifier, TreeModel):
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

    def target_of(self, y: Any, weight: Array, n_rows: int) -> tuple[Target, Array]:
        owner = type(self).__name__
        codes, known = coded_labels(y, n_rows, weight, owner)
        self.n_outputs_ = len(known)
        self.classes_: Any = known[0] if len(known) == 1 else known
        weight = with_class_weight(self.class_weight, codes, known, weight, owner)
        return classes(codes, [len(names) for names in known], weight, self.criterion), weight

    def class_names(self) -> tuple[str, ...]:
        if self.n_outputs_ == 1:
            return tuple(map(str, self.classes_.tolist()))
        pairs = zip(self.target_names_, self.classes_, strict=True)
        return tuple(f"{target}: {label}" for target, labels in pairs for label in labels.tolist())

    @property
    def n_classes_(self) -> Any:
        self.check_fitted()
        return len(self.classes_) if self.n_outputs_ == 1 else [len(labels) for labels in self.classes_]

    def predict_proba(self, X: Any) -> Any:
        """The shares of the classes in every row's leaf (n, K); a list of such arrays for several outputs."""
        leaf = self.walked(X)
        parts = np.split(shares(self.tree_)[leaf], self.tree_.bounds[1:], axis=1)
        return parts[0] if self.n_outputs_ == 1 else parts

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the shares; -inf for a class that the leaf has not."""
        found = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(found) if self.n_outputs_ == 1 else [np.log(p) for p in found]

    def predict(self, X: Any) -> np.ndarray:
        """The most frequent class of every row's leaf; of equally frequent ones the first."""
        leaf = self.walked(X)
        parts = np.split(self.tree_.value, self.tree_.bounds[1:], axis=1)
        known = [self.classes_] if self.n_outputs_ == 1 else self.classes_
        found = [labels[part.argmax(axis=1)][leaf] for part, labels in zip(parts, known, strict=True)]
        return found[0] if self.n_outputs_ == 1 else np.stack(found, axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))
