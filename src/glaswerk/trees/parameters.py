"""The parameters that trees share with scikit-learn's, and the two of our own: what each may be, in words."""

from typing import Any

import numpy as np

from glaswerk.base import Allowed, integer, none, number, one_of, thread_count


def share(above: float, words: str, top: bool) -> Allowed:
    """A float that is a share of the rows; `top` allows the whole."""

    def test(v: Any) -> bool:
        return isinstance(v, float | np.floating) and bool(above < v and (v <= 1.0 if top else v < 1.0))

    return Allowed(words, test)


CATEGORICAL = Allowed(
    "None, or the numbers, names or mask of columns that hold categories",
    lambda v: v is None or isinstance(v, list | tuple | np.ndarray),
)
GROWTH: dict[str, Allowed] = {
    "splitter": Allowed("'best' ('random' is not implemented: draw columns by max_features)",
                        lambda v: isinstance(v, str) and v == "best"),
    "max_depth": integer(1) | none(),
    "min_samples_split": integer(2) | share(0.0, "a float in (0, 1], a share of the rows", True),
    "min_samples_leaf": integer(1) | share(0.0, "a float in (0, 1), a share of the rows", False),
    "min_weight_fraction_leaf": number(0, 0.5),
    "max_features": integer(1) | share(0.0, "a float in (0, 1], a share of the columns", True)
    | one_of("sqrt", "log2") | none(),
    "random_state": integer() | none(),
    "max_leaf_nodes": integer(2) | none(),
    "min_impurity_decrease": number(0),
    "ccp_alpha": number(0) | one_of("cv", "1se"),
    "monotonic_cst": Allowed("None (monotonic constraints are not implemented: scikit-learn has them)",
                             lambda v: v is None),
    "categorical_features": CATEGORICAL,
    "categorical_splits": one_of("sets", "levels"),
    "folds": integer(2),
    "n_jobs": thread_count(),
}  # fmt: skip
