"""Multilayer perceptron: layers of units, each a bent weighted sum of the layer before it.

    s⁽ᵛ⁺¹⁾ᵢ = g(Σⱼ wᵢⱼ s⁽ᵛ⁾ⱼ + bᵢ),   g = tanh, logistic, relu or identity                                 [BG-MLP]
    minimises the mean of ½ |y - t|² (numbers) or -ln P(class) (classes), + α |w|² / 2n        [BG-BACKPROP] [BG-DECAY]

Cost: six multiplications for every weight, row and epoch. Columns of like size are assumed (scale them), and targets
near 1. When not to use it: few rows; where a weight must mean something; a straight line does as well (linear models).
"""

from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.base import Array, Classifier, Regressor, targets
from glaswerk.facts import Facts, MethodCard
from glaswerk.learner.network import NetworkLearner
from glaswerk.optim.network import answers
from glaswerk.scoring import accuracy_score, r2_score
from glaswerk.stats.labels import classes_of, codes_of, labels_of

PARAMETERS = """
    Parameters
    ----------
    hidden_layer_sizes : units of every hidden layer.
    activation : "relu", "tanh", "logistic", "identity".
    solver : "adam", "sgd" (slices of rows), "rprop", "lbfgs" (all rows at a time; lbfgs suits few rows).
    alpha : α, the penalty on the weights (not on b).
    batch_size, learning_rate, learning_rate_init, power_t, momentum, nesterovs_momentum, beta_1, beta_2, epsilon : of
        the small steps, as in scikit-learn; the same random_state gives the same start, slices and steps as there.
    max_iter, tol, n_iter_no_change : epochs at most; it ends when the loss has not fallen by tol in so many epochs.
    early_stopping, validation_fraction : rows kept back decide when to end, and which epoch's weights are kept.
    track_validation : rows are kept back to be watched only: the loss curve then shows overfitting.
    warm_start : fit goes on from where it ended, in every digit as if it had not.
    precision : "single" is twice as fast and has seven digits.
"""
BIAS = {
    "restriction_bias": "almost none with units enough: what is smooth can be approached as closely as wanted",
    "preference_bias": "functions near those of small weights, smooth ones first: training begins there and α holds it",
}


class MLPRegressor(Regressor, NetworkLearner):
    __doc__ = f"""A network for one number or several, trained by backpropagation that can be looked into (`inspect`).

    Drop-in for scikit-learn's class of this name.
{PARAMETERS}
    >>> X = np.linspace(-1, 1, 60)[:, None]
    >>> model = MLPRegressor((8,), "tanh", solver="lbfgs", max_iter=500).fit(X, np.sin(3 * X[:, 0]))
    >>> bool(abs(model.predict([[0.5]])[0] - np.sin(1.5)) < 0.05)
    True
    """

    fitted: ClassVar[dict[str, type]] = {**NetworkLearner.fitted, "single_target_": bool}
    card: ClassVar[MethodCard] = MethodCard(
        name="multilayer perceptron",
        formula="ŷ = W₂ᵀ g(W₁ᵀ x + b₁) + b₂, with more layers alike; minimises Σ ½ (ŷ - y)² / n + α |W|² / 2n",
        equations=("BG-MLP", "BG-BACKPROP", "BG-DECAY"),
        cost="six multiplications for every weight, row and epoch",
        assumes=("columns and targets of like size", "rows enough for the weights", "a smooth relation"),
        not_for=("few rows", "weights that must mean something", "relations that are straight anyway"),
        **BIAS,
    )

    def _encoded(self, y: Any, weight: Array, n_rows: int, *, first: bool) -> tuple[Array, str]:
        Y, single = targets(y, n_rows, type(self).__name__)
        bad = np.argwhere(~np.isfinite(Y))
        if len(bad):
            row = int(bad[0, 0])
            raise ValueError(f"{type(self).__name__}: the target y contains NaN or infinity: row {row}. Drop such rows")
        if first:
            self.single_target_ = single
        elif Y.shape[1] != self.n_outputs_:
            raise ValueError(f"{type(self).__name__}: y has {Y.shape[1]} target(s), the network {self.n_outputs_}")
        return Y, "squared"

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """One epoch more, on these rows."""
        return self.one_epoch(X, y, sample_weight)

    def predict(self, X: Any) -> Array:
        """ŷ for every row."""
        found = self._scores(X).astype(np.float64)
        return found[:, 0] if self.single_target_ else found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² = 1 - RSS/TSS of these rows."""
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def facts(self) -> Facts:
        """The layers, the loss by epoch, the card."""
        self.check_fitted()
        return Facts([*self._known_facts(), self.card])


class MLPClassifier(Classifier, NetworkLearner):
    __doc__ = f"""A network for two or more classes, trained by backpropagation that can be looked into (`inspect`).

    Drop-in for scikit-learn's class of this name (one label per row).
{PARAMETERS}
    >>> X = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    >>> model = MLPClassifier((6,), "tanh", solver="lbfgs", max_iter=500).fit(X, ["same", "same", "other", "other"])
    >>> model.predict(X).tolist()
    ['same', 'same', 'other', 'other']
    """

    fitted: ClassVar[dict[str, type]] = {**NetworkLearner.fitted, **Classifier.fitted}
    card: ClassVar[MethodCard] = MethodCard(
        name="multilayer perceptron for classes",
        formula="P(k | x) = softmax_k(W₂ᵀ g(W₁ᵀ x + b₁) + b₂); minimises -Σ ln P(yᵢ | xᵢ) / n + α |W|² / 2n",
        equations=("BG-MLP", "BG-BACKPROP", "BG-DECAY", "BG-SOFTMAX"),
        cost="six multiplications for every weight, row and epoch",
        assumes=("columns of like size", "rows enough for the weights", "classes with smooth borders"),
        not_for=("few rows", "weights that must mean something", "classes parted by planes anyway"),
        **BIAS,
    )

    def _encoded(self, y: Any, weight: Array, n_rows: int, *, first: bool) -> tuple[Array, str]:
        owner = type(self).__name__
        labels = labels_of(y, n_rows, owner)
        if first:
            awaited = self.__dict__.pop("_awaited", None)
            self.classes_ = classes_of(labels, weight, owner) if awaited is None else awaited
        codes = codes_of(labels, self.classes_, weight, owner)
        if len(self.classes_) == 2:
            return codes[:, None].astype(np.float64), "binary"
        return (codes[:, None] == np.arange(len(self.classes_))).astype(np.float64), "softmax"

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One epoch more, on these rows; `classes` names those that later rows may bring, at the first call."""
        if not hasattr(self, "solution_") and classes is not None:
            self._awaited = np.unique(np.asarray(classes))
        return self.one_epoch(X, y, sample_weight)

    def predict_proba(self, X: Any) -> Array:
        """P(k | x) in the order of `classes_`."""
        scores = self._scores(X)
        found = answers(self.solution_.shape, scores).astype(np.float64)
        return np.column_stack([1.0 - found, found]) if found.shape[1] == 1 else found

    def predict(self, X: Any) -> np.ndarray:
        """The likeliest class of every row."""
        scores = self._scores(X)
        best = (scores[:, 0] > 0).astype(np.intp) if scores.shape[1] == 1 else np.argmax(scores, axis=1)
        return self.classes_[best]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows predicted right."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def facts(self) -> Facts:
        """The layers, the loss by epoch, the card."""
        self.check_fitted()
        return Facts([*self._known_facts(), self.card])
