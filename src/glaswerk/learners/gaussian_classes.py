"""Gaussian classes: every class a normal distribution; one covariance for all gives planes, one for each quadrics.

    P(k | x) = softmax_k(a_k),   a_k = ln π_k + ln N(x | μ_k, Σ_k)                                 [BG-BAYES] [BG-GAUSS]
    one Σ:   a_k = w_kᵀx + w_k0,   w_k = Σ⁻¹ μ_k,   w_k0 = -½ μ_kᵀ Σ⁻¹ μ_k + ln π_k                          [BG-LDA]
    π_k = N_k / N,   μ_k the mean of its rows,   Σ = Σ_k N_k s_k / N                                     [BG-GAUSSML]

Cost: one pass of n d² / 2 multiplications, then K d². When not to use it: classes in several clumps, columns far from
normal, categories (naive Bayes counts them; trees and neighbours assume no form).
"""

import warnings
from typing import Any, ClassVar

import numpy as np

from glaswerk.base import Allowed, Array, Transformer, Warned, flag, integer, none, number, one_of, thread_count
from glaswerk.facts import Facts, MethodCard, Statement
from glaswerk.learner import Again, Fitted
from glaswerk.learner.by_class import ByClass, MomentClassifier
from glaswerk.learner.joint import JointClassifier, priors_of, some_priors
from glaswerk.stats.gaussian_classes import ClassSums, Steadied, determined, steadied
from glaswerk.stats.gaussian_solution import Named, OwnCovariances, SharedCovariance, shared_statement, told_of
from glaswerk.stats.moments import GroupedMoments

SOLVERS = ("svd", "lsqr", "eigen")
NO_ESTIMATOR = Allowed("None (the covariance comes from sums; give a share by shrinkage)", lambda v: v is None)
OAS = "oas"
shares = number(0, 1) | none()


class LinearDiscriminantAnalysis(MomentClassifier, JointClassifier, Transformer):
    """Gaussian classes with one covariance: linear boundaries, with every number behind them.

    Drop-in for scikit-learn's class of this name, `transform` to the axes that part the classes most included. Learns
    from files (`fit_source`), from more rows (`partial_fit`), from other machines (`merge`).

    Parameters
    ----------
    solver : "svd", "lsqr", "eigen": accepted for scikit-learn's sake; there is one way here, by a Cholesky factor.
    shrinkage : None, a share from 0 to 1 towards equal variances without correlation, or "oas" for the best share for
        Gaussian rows. With None a covariance that the rows do not determine is shrunk by "oas", and this is told.
    priors : of the classes; None takes their shares of the rows.
    tol : a direction narrower than this many deviations of its columns counts as not determined.
    store_covariance : accepted; `covariance_` is always there.
    n_components : axes that `transform` gives; None for all, one fewer than classes at most.
    covariance_estimator : None.
    n_jobs : threads; the result does not depend on it.

    >>> model = LinearDiscriminantAnalysis().fit([[0.0], [2.0], [5.0], [7.0]], ["a", "a", "b", "b"])
    >>> model.coef_.round(3).tolist(), model.predict([[3.0], [4.0]]).tolist()
    ([[5.0]], ['a', 'b'])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "solver": one_of(*SOLVERS),
        "shrinkage": shares
        | Allowed("'oas' ('auto' needs fourth moments: not in these sums)", lambda v: isinstance(v, str) and v == OAS),
        "priors": some_priors(),
        "n_components": integer(1) | none(),
        "store_covariance": flag(),
        "tol": number(0),
        "covariance_estimator": NO_ESTIMATOR,
        "n_jobs": thread_count(),
    }  # fmt: skip
    fitted: ClassVar[dict[str, type]] = {**MomentClassifier.fitted, "solution_": SharedCovariance}
    card: ClassVar[MethodCard] = MethodCard(
        name="linear discriminant analysis",
        formula="P(k | x) = softmax_k(w_kᵀx + w_k0), w_k = Σ⁻¹ μ_k, w_k0 = -½ μ_kᵀ Σ⁻¹ μ_k + ln π_k",
        equations=("BG-BAYES", "BG-GAUSS", "BG-LDA", "BG-GAUSSML", "BG-HYPER"),
        cost="one pass of n d² / 2 multiplications",
        assumes=(
            "the rows of each class are normally distributed",
            "all classes have the same covariance",
            "the shares of the classes among these rows are those of the rows to come",
        ),
        restriction_bias="only classes parted by planes; probabilities that are logistic across them",
        preference_bias="maximum likelihood of rows and classes together: every row pulls the boundary, far ones too",
        not_for=("classes in several clumps", "columns with heavy tails or categories", "classes of unlike spread"),
    )

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: float | str | None = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: None = None,
        *,
        n_jobs: int | None = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.n_jobs = n_jobs

    def solve(self, statistic: GroupedMoments, ask: ByClass, *, more: bool) -> Fitted | Again:
        moved = self.farther(statistic, ask) if more else None
        if moved is not None:
            return Again(moved)
        most = min(len(self.classes_) - 1, self.n_features_in_)
        if self.n_components is not None and self.n_components > most:
            raise ValueError(
                f"{type(self).__name__}: n_components must be at most {most}, one fewer than classes and no more than "
                f"columns, got {self.n_components}"
            )
        sums = ClassSums.of(statistic)
        steady = steadied(sums.within / sums.total, sums.spare_scale, sums.spare, self.tol, self.shrinkage)
        prior = priors_of(self.priors, sums.weight, type(self).__name__)
        solution = SharedCovariance.of(sums, prior, steady)
        if steady.share > 0 and self.shrinkage is None:
            warnings.warn(
                f"{type(self).__name__}: the covariance of the classes is singular "
                f"({sums.why_singular(self.column_names())}); it was shrunk by {steady.share:.3g} towards columns "
                "without correlation",
                Warned,
                stacklevel=6,
            )
        return Fitted(solution, statistic)

    def joint(self, rows: Array) -> Array:
        return self.usable(self.solution_.joint(rows), rows)

    def decision_function(self, X: Any) -> Array:
        """The log-odds of the second of two classes (n,), or the scores of all classes (n, K)."""
        return self.two_or_all(self.predict_joint_log_proba(X))

    def transform(self, X: Any) -> Array:
        """Every row on the axes that part the classes most, in deviations within the classes: (n, n_components)."""
        self.check_fitted()
        found: Array = self.solution_.along(self.numbers(X, fit=False))[:, : self.n_components]
        return found

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """lineardiscriminantanalysis0, 1, …"""
        self.input_names(input_features)
        return np.array([f"{type(self).__name__.lower()}{k}" for k in range(self.scalings_.shape[1])], dtype=object)

    @property
    def scalings_(self) -> Array:
        """The axes (d, n_components)."""
        self.check_fitted()
        found: Array = self.solution_.axes[:, : self.n_components]
        return found

    @property
    def explained_variance_ratio_(self) -> Array:
        """Share of each axis in how far the class means lie apart."""
        self.check_fitted()
        found: Array = self.solution_.explained[: self.n_components]
        return found

    @property
    def coef_(self) -> Array:
        """w: (1, d) for two classes, else (K, d), seen from the mean of all classes."""
        self.check_fitted()
        found: Array = self.solution_.planes()[0]
        return found

    @property
    def intercept_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.planes()[1]
        return found

    @property
    def means_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.mean
        return found

    @property
    def priors_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.prior
        return found

    @property
    def covariance_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.covariance
        return found

    def facts(self) -> Facts:
        """The planes, priors, means, the pooled covariance, what was shrunk, the method."""
        self.check_fitted()
        s, named = self.solution_, Named(self.target_names_[0], self.column_names(), self.class_names())
        means = named.means(s.mean, np.sqrt(np.diagonal(s.covariance)))
        pooled = named.covariance("Pooled covariance Σ", s.covariance)
        return Facts([*named.planes(s), named.priors(s), means, pooled, shared_statement(s), self.card])


class QuadraticDiscriminantAnalysis(MomentClassifier, JointClassifier):
    """Gaussian classes with a covariance each: boundaries are quadrics.

    Drop-in for scikit-learn's class of this name. A class whose rows do not determine its covariance (one row alone,
    fewer rows than columns) takes it as if d + 1 further rows had been seen with the pooled covariance, and says so.

    Parameters
    ----------
    solver : "svd". shrinkage, covariance_estimator : None.
    priors : of the classes; None takes their shares of the rows.
    reg_param : r from 0 to 1; Σ_k becomes (1 - r) Σ_k + r I.
    store_covariance : accepted; `covariance_` is always there.
    tol : a direction narrower than this many deviations of its columns counts as not determined.
    n_jobs : threads; the result does not depend on it.

    >>> model = QuadraticDiscriminantAnalysis().fit([[-1.0], [1.0], [-9.0], [9.0]], ["in", "in", "out", "out"])
    >>> model.predict([[0.5], [6.0], [-6.0]]).tolist()
    ['in', 'out', 'out']
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "solver": Allowed("'svd' (for a share use reg_param)", lambda v: isinstance(v, str) and v == "svd"),
        "shrinkage": Allowed("None (use reg_param)", lambda v: v is None),
        "priors": some_priors(),
        "reg_param": number(0, 1),
        "store_covariance": flag(),
        "tol": number(0),
        "covariance_estimator": NO_ESTIMATOR,
        "n_jobs": thread_count(),
    }  # fmt: skip
    fitted: ClassVar[dict[str, type]] = {**MomentClassifier.fitted, "solution_": OwnCovariances}
    card: ClassVar[MethodCard] = MethodCard(
        name="quadratic discriminant analysis",
        formula="P(k | x) = softmax_k(ln π_k - ½ ln det Σ_k - ½ (x - μ_k)ᵀ Σ_k⁻¹ (x - μ_k))",
        equations=("BG-BAYES", "BG-GAUSS", "BG-GAUSSML"),
        cost="one pass of n d² / 2 multiplications; K d² / 2 for a prediction",
        assumes=(
            "the rows of each class are normally distributed",
            "every class has many more rows than columns, or its covariance leans on the others'",
        ),
        restriction_bias="only classes parted by quadrics: planes, ellipsoids, hyperboloids",
        preference_bias="maximum likelihood of each class by itself; one of few rows leans on the pooled covariance",
        not_for=("many columns and few rows", "classes in several clumps", "columns with heavy tails or categories"),
    )

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: None = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator
        self.n_jobs = n_jobs

    def solve(self, statistic: GroupedMoments, ask: ByClass, *, more: bool) -> Fitted | Again:
        moved = self.farther(statistic, ask) if more else None
        if moved is not None:
            return Again(moved)
        sums = ClassSums.of(statistic)
        pooled = steadied(sums.within / sums.total, sums.spare_scale, sums.spare, self.tol, None).covariance
        found = [self._one(scatter, w, pooled) for scatter, w in zip(sums.scatter, sums.weight, strict=True)]
        shares = np.array([one.share for one in found])
        solution = OwnCovariances(
            sums.count, sums.weight, priors_of(self.priors, sums.weight, type(self).__name__), sums.shift, sums.offset,
            np.stack([one.covariance for one in found]), np.stack([one.whitener for one in found]),
            np.array([one.log_determinant for one in found]), shares, np.array([one.condition for one in found]),
            sums.lost,
        )  # fmt: skip
        if shares.any() and self.reg_param == 0:
            few = [name for name, share in zip(self.class_names(), shares, strict=True) if share > 0]
            warnings.warn(
                f"{type(self).__name__}: the rows of class {', '.join(few[:5])}{'' if len(few) <= 5 else ', …'} do not "
                "determine its covariance; it was taken as if d + 1 more rows had been seen with the pooled covariance",
                Warned,
                stacklevel=6,
            )
        return Fitted(solution, statistic)

    def _one(self, scatter: Array, weight: float, pooled: Array) -> Steadied:
        """The covariance of one class; where its rows do not determine it, after d + 1 more of the pooled one."""
        d = len(scatter)
        covariance = (1.0 - self.reg_param) * scatter / max(weight, 1.0) + self.reg_param * np.eye(d)
        factor = determined(covariance, self.tol) if weight > 1 else None
        if factor is not None:
            return Steadied(covariance, factor, 0.0, "")
        share = (d + 1.0) / (weight + d + 1.0)
        covariance = scatter / (weight + d + 1.0) + share * pooled
        factor = determined(covariance, 0.0)
        if factor is None:
            raise ArithmeticError("a covariance that leans on a definite one is not definite")
        return Steadied(covariance, factor, share, "its rows do not determine it")

    def joint(self, rows: Array) -> Array:
        return self.usable(self.solution_.joint(rows), rows)

    def decision_function(self, X: Any) -> Array:
        """The log-odds of the second of two classes (n,), or the scores of all classes (n, K)."""
        return self.two_or_all(self.predict_joint_log_proba(X))

    @property
    def means_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.mean
        return found

    @property
    def priors_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.prior
        return found

    @property
    def covariance_(self) -> list[Array]:
        """Σ_k of every class."""
        self.check_fitted()
        return list(self.solution_.covariance)

    def facts(self) -> Facts:
        """Priors, means and deviations, the covariance of every class, what leans on the pooled one, the method."""
        self.check_fitted()
        s, named = self.solution_, Named(self.target_names_[0], self.column_names(), self.class_names())
        deviations = np.sqrt(np.einsum("kjj->kj", s.covariance))
        several = [
            named.covariance(f"Covariance Σ of {name}", s.covariance[k]) for k, name in enumerate(named.classes[:6])
        ]
        told = [
            f"{name}: its rows do not determine the covariance; {share:.3g} of it is the pooled one."
            for name, share in zip(named.classes, s.share, strict=True)
            if share > 0
        ]
        told += told_of(0.0, "", float(s.condition.max()), s.lost)
        return Facts(
            [
                named.priors(s),
                named.means(s.mean, deviations),
                *several,
                Statement("The covariances", tuple(told)),
                self.card,
            ]
        )
