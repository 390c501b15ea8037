"""Any function φ of the user's own as a basis: y = wᵀφ(x) stays linear in w whatever φ is           [NAN-2] [BG-LIN]

Cost: that of φ. When not to use it: a φ that looks at other rows (their mean, say) would leak across folds; such a
step must be an estimator of its own.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Matrix, Transformer, find_unusable, none

callable_or_none = Allowed("a function of an array (n, d)", callable) | none()
names_or_none = none() | Allowed(
    "a list of strings", lambda v: isinstance(v, list | tuple) and all(isinstance(n, str) for n in v)
)


class FunctionBasis(Transformer):
    """φ(x) for every row, by a function that takes the rows (n, d) and gives their images (n, k).

    Parameters
    ----------
    function : φ; None leaves the rows as they are.
    names : names of the k images; None calls them phi0, phi1, …

    >>> FunctionBasis(np.log, names=["log size"]).fit_transform([[1.0], [np.e]]).ravel().tolist()
    [0.0, 1.0]
    """

    parameters: ClassVar[dict[str, Allowed]] = {"function": callable_or_none, "names": names_or_none}
    fitted: ClassVar[dict[str, type]] = {**Transformer.fitted, "n_images_": int}

    def __init__(
        self, function: Callable[[NDArray], NDArray] | None = None, *, names: Sequence[str] | None = None
    ) -> None:
        self.function = function
        self.names = names

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the columns, and from a first image how many φ gives."""
        self.check_parameters()
        self.n_images_ = self._images(self.table(X, fit=True)).shape[1]
        if self.names is not None and len(self.names) != self.n_images_:
            raise ValueError(
                f"FunctionBasis: names has {len(self.names)} entries, the function gives {self.n_images_} columns"
            )
        return self

    def transform(self, X: Any) -> Matrix:
        """φ(x) for every row."""
        self.check_fitted()
        images = self._images(self.table(X, fit=False))
        if images.shape[1] != self.n_images_:
            raise ValueError(
                f"FunctionBasis: the function gave {images.shape[1]} columns, {self.n_images_} when fitted"
            )
        return Matrix.of(images, self.get_feature_names_out())

    def _images(self, rows: NDArray) -> NDArray:
        rows = np.asarray(rows, dtype=np.float64)
        message = find_unusable(rows, [str(j) for j in range(rows.shape[1])])
        if message:
            raise ValueError(f"FunctionBasis: {message}")
        # A copy, so that a function that writes into its argument cannot change the user's table.
        images = np.asarray(rows.copy() if self.function is None else self.function(rows.copy()), dtype=np.float64)
        images = images[:, None] if images.ndim == 1 else images
        if images.ndim != 2 or len(images) != len(rows):
            raise ValueError(
                f"FunctionBasis: the function must give one image per row ({len(rows)}), got {images.shape}"
            )
        return images

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """The names given, or phi0, phi1, …"""
        self.check_fitted()
        return np.array(self.names or [f"phi{k}" for k in range(self.n_images_)], dtype=object)
