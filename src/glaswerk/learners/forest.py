"""Random forest: the mean of many trees, each grown on a bootstrap sample, each node looking at some of the columns.

    f(x) = 1/B Σ_b T_b(x),   T_b grown on n rows drawn with replacement                                    [BG-FOREST]

Rows that a tree was not grown on judge it: the out-of-bag error needs no rows held back.

Cost: one sort of every column for all trees, then about n m log n per tree with m columns drawn. When not to use it:
where the model must be read, or extrapolate.
"""

from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, flag, integer, none, number, one_of, only
from glaswerk.facts import MethodCard
from glaswerk.trees.ensemble import ForestModel
from glaswerk.trees.from_source import SourceForest
from glaswerk.trees.parameters import GROWTH, share
from glaswerk.trees.tasks import ClassesTask, NumbersTask

FOREST: dict[str, Allowed] = {
    "n_estimators": integer(1),
    **{name: allowed for name, allowed in GROWTH.items() if name not in ("splitter", "folds")},
    "ccp_alpha": number(0),
    "bootstrap": flag(),
    "oob_score": flag(),
    "max_samples": integer(1) | share(0.0, "a float in (0, 1], a share of the rows", True) | none(),
    "verbose": Allowed("0 (nothing is written)", lambda v: not isinstance(v, complex) and v == 0),
    "warm_start": only(False, "more trees leave the first ones as they are: ask for more from the start"),
}
CARD: dict[str, Any] = {
    "equations": ("BG-FOREST",),
    "cost": "one sort of every column for all trees, then about n m log n per tree with m columns drawn",
    "assumes": ("rows are independent, so that a bootstrap sample is like another table",),
    "restriction_bias": "means of functions constant on boxes along the columns",
    "preference_bias": "what many trees on slightly other rows and columns agree on",
    "not_for": ("a model that must be read", "targets beyond those seen"),
}


class RandomForestRegressor(NumbersTask, SourceForest):
    """Random forest for numbers: the mean of its trees, with error and importance from rows the trees left out.

    Drop-in for scikit-learn's class of this name; the parameters of the trees are those of `DecisionTreeRegressor`. A
    row drawn twice counts twice everywhere, also in `min_samples_leaf`. Threads do not change the result.

    Parameters
    ----------
    n_estimators : number of trees; more trees leave the first ones as they are.
    bootstrap, max_samples : whether each tree has rows drawn with replacement, and how many.
    oob_score : whether trees are judged on the rows they left out.

    >>> X, y = [[float(k)] for k in range(20)], [float(k // 10) for k in range(20)]
    >>> RandomForestRegressor(n_estimators=10).fit(X, y).predict([[2.0], [17.0]]).tolist()
    [0.0, 1.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {"criterion": one_of("squared_error", "rss"), **FOREST}
    fitted: ClassVar[dict[str, type]] = {**ForestModel.fitted, "single_target_": bool}
    card: ClassVar[MethodCard] = MethodCard(
        name="random forest", formula="f(x) = 1/B Σ T_b(x), trees on bootstrap samples and drawn columns", **CARD
    )

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: None = None,
        categorical_features: Any = None,
        categorical_splits: str = "sets",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.categorical_splits = categorical_splits

    def predict(self, X: Any) -> Array:
        """The mean of the trees' answers."""
        mean = self.mean_answer(X)
        return self.shaped(mean)


class RandomForestClassifier(ClassesTask, SourceForest):
    """Random forest for classes: the mean of its trees' shares, with error and importance from rows the trees left out.

    Drop-in for scikit-learn's class of this name; see `RandomForestRegressor`. `criterion` and `class_weight` are those
    of `DecisionTreeClassifier`; the weights of "balanced" are those of the whole table.

    >>> X, y = [[float(k)] for k in range(20)], ["low"] * 10 + ["high"] * 10
    >>> RandomForestClassifier(n_estimators=10).fit(X, y).predict([[2.0], [17.0]]).tolist()
    ['low', 'high']
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "criterion": one_of("gini", "entropy", "log_loss", "misclassification"),
        **FOREST,
        "class_weight": Allowed("a dict of class to weight", lambda v: isinstance(v, dict))
        | one_of("balanced")
        | none(),
    }
    fitted: ClassVar[dict[str, type]] = {**ForestModel.fitted, "classes_": object}
    card: ClassVar[MethodCard] = MethodCard(
        name="random forest", formula="P(k | x) = 1/B Σ share of k in the leaf of tree b", **CARD
    )

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | None = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: dict[Any, float] | str | None = None,
        ccp_alpha: float = 0.0,
        max_samples: float | None = None,
        monotonic_cst: None = None,
        categorical_features: Any = None,
        categorical_splits: str = "sets",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.categorical_splits = categorical_splits

    def split_shares(self, X: Any) -> list[Array]:
        mean = self.mean_answer(X)
        return np.split(mean, self.trees_[0].bounds[1:], axis=1)
