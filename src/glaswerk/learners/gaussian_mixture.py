"""GaussianMixture: the density of the rows as a sum of normal densities, and how much of each row belongs to each.

    p(x) = Σ π_k N(x | μ_k, Σ_k),   γ_k(x) = π_k N(x | μ_k, Σ_k) / p(x),   found by EM                  [BG-GMM] [BG-EM]

Cost: n k d² multiplications a round, n k d with diagonal covariances. When not to use it: columns of counts or
categories, groups that are not elliptic, fewer rows than free numbers.
"""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import (
    Allowed,
    Array,
    Density,
    Warned,
    find_unusable,
    flag,
    integer,
    none,
    number,
    one_of,
    only,
    thread_count,
    weights,
)
from glaswerk.facts import Facts, MethodCard, Statement
from glaswerk.learner.quantiser import RANDOM
from glaswerk.learner.unsupervised import Unsupervised, Walk
from glaswerk.learners.lbg import grown
from glaswerk.optim.em import Mixed, Rounds
from glaswerk.optim.lloyd import lloyd
from glaswerk.optim.mixture import Mixture
from glaswerk.optim.mixture_fit import MixtureFit, covariances_of, fit_of
from glaswerk.optim.seeding import plus_plus, random_rows, random_state, sampled
from glaswerk.optim.tiles import TiledRows, tiled

ARRAY = none() | Allowed("an array", lambda v: not isinstance(v, str) and np.ndim(v) >= 1)
EPS = float(np.finfo(np.float64).eps)


class GaussianMixture(Density, Unsupervised):
    """A mixture of normal densities by EM, with its log-likelihood in every round, and what had to be mended told.

    Drop-in for scikit-learn's class of this name, with row weights and tables larger than memory (`fit_source`).
    Responsibilities are never stored whole. The result does not depend on the number of threads.

    Parameters
    ----------
    n_components : k. covariance_type : "full", "tied" (one for all), "diag", "spherical".
    tol : end where the mean ln p changes by less. max_iter : rounds at most. n_init : starts; the best is kept.
    reg_covar : added to every variance: as a part of the variance of the column, or with reg_scale="absolute" as it is.
    init_params : "kmeans"; "lbg"; "k-means++" and "random": seeds as means, components as wide as all rows.
    weights_init, means_init, precisions_init : given beginnings. random_state : seed.
    trace : whether means and covariances of every round are kept. n_jobs : threads.
    warm_start, verbose, verbose_interval : for scikit-learn's sake.

    >>> model = GaussianMixture(2).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> sorted(model.means_.ravel().round(6).tolist()), model.predict_proba([[0.5]]).max().round(6)
    ([0.5, 9.5], np.float64(1.0))
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "n_components": integer(1),
        "covariance_type": one_of("full", "tied", "diag", "spherical"),
        "tol": number(0),
        "reg_covar": number(0),
        "max_iter": integer(1),
        "n_init": integer(1),
        "init_params": one_of("kmeans", "lbg", "k-means++", "random"),
        "weights_init": ARRAY,
        "means_init": ARRAY,
        "precisions_init": ARRAY,
        "random_state": RANDOM,
        "warm_start": only(False, "give weights_init, means_init and precisions_init instead"),
        "verbose": integer(0) | flag(),
        "verbose_interval": integer(1),
        "reg_scale": one_of("relative", "absolute"),
        "trace": flag(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**Unsupervised.fitted, "solution_": MixtureFit}
    card: ClassVar[MethodCard] = MethodCard(
        name="Gaussian mixture",
        formula="p(x) = Σ π_k N(x | μ_k, Σ_k), maximum of Σ ln p by EM",
        equations=("BG-GMM", "BG-EM", "BG-LOGLIKGMM"),
        cost="n k d² multiplications a round; n k d for diagonal and spherical covariances",
        assumes=("rows are independent draws", "every group is normally distributed"),
        restriction_bias="only densities that are sums of n_components normal ones, of the given kind of covariance",
        preference_bias="the local maximum of the likelihood nearest to the start; covariances kept from zero",
        not_for=("categories and counts", "groups that are not elliptic", "fewer rows than free numbers"),
    )

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = 0,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        reg_scale: str = "relative",
        trace: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.reg_scale = reg_scale
        self.trace = trace
        self.n_jobs = n_jobs

    def learn(self, walk: Walk) -> None:
        if walk.n_rows < self.n_components:
            raise ValueError(f"GaussianMixture: n_samples={walk.n_rows} should be >= n_components={self.n_components}")
        rows, random = tiled(walk), random_state(self.random_state)
        rounds = Rounds(walk, rows, self._extra(rows.reach.variance, rows.shift))
        best: Mixed | None = None
        for _ in range(self.n_init):
            start = self._given(self._start(walk, rows, rounds, random), rows)
            found = rounds.run(start, max_iter=self.max_iter, tol=self.tol, trace=self.trace)
            best = found if best is None or found.bound > best.bound else best
        assert best is not None
        self.solution_ = fit_of(best, rows)
        if self._added() > 0.5:
            warnings.warn(f"GaussianMixture: {self._told_added()}", Warned, stacklevel=7)
        if not best.converged:
            told = f"EM did not converge in max_iter={self.max_iter} rounds: raise it, or tol"
            warnings.warn(f"GaussianMixture: {told}", Warned, stacklevel=7)

    def _extra(self, variance: Array, shift: Array) -> Array:
        """What is added to the variance of every column; a constant one has the mean of the others as its scale."""
        if self.reg_scale == "absolute":
            return np.full(len(variance), float(self.reg_covar))
        usual = float(variance[variance > 0].mean()) if (variance > 0).any() else max(float((shift**2).max()), 1.0)
        return max(float(self.reg_covar), 64 * EPS) * np.where(variance > 0, variance, usual)

    def _added(self) -> float:
        """The largest part of a component's variance that regularising made, in a column that varies."""
        found = self.fit_
        varies = found.scale > 0
        if not varies.any():
            return 0.0
        extra = self._extra(found.scale**2, found.shift)
        if found.mixture.kind == "spherical":
            return float((extra.mean() / found.mixture.covariances).max())
        widths = np.diagonal(found.mixture.matrices(), axis1=1, axis2=2)
        return float((extra / widths)[:, varies].max())

    def _told_added(self) -> str:
        part = f"{100 * self._added():.3g} % of the variance of a component is what regularising added"
        return f"{part}: it is narrow for its distance from others; lower reg_covar, or it stands on repeated rows"

    def _start(self, walk: Walk, rows: TiledRows, rounds: Rounds, random: np.random.RandomState) -> Mixture:
        """The mixture to begin with."""
        k, kind = int(self.n_components), self.covariance_type
        if self.means_init is not None and self.weights_init is not None and self.precisions_init is not None:
            return Mixture(kind, np.zeros(k), np.zeros((k, len(rows.shift))), np.zeros(0))
        if self.init_params in ("k-means++", "random"):
            return rounds.around(kind, self._seeds(walk, rows, random))
        flat = 1e-4 * float(rows.reach.variance.mean())
        if self.init_params == "lbg":
            found = grown(
                walk, rows, k, error=0.0, worst=None, length=0.01, max_iter=300, tol=flat, random=random, trace=False
            )[0][-1]
        else:
            found = lloyd(walk, rows, self._seeds(walk, rows, random), max_iter=300, tol=flat)
        if len(found.centres) < k:
            return rounds.around(kind, self._seeds(walk, rows, random))
        return rounds.from_partition(kind, found.centres, found.direct)

    def _seeds(self, walk: Walk, rows: TiledRows, random: np.random.RandomState) -> Array:
        draw = random_rows if self.init_params == "random" else plus_plus
        if rows.held is not None:
            return draw(walk, rows, self.n_components, random)
        few = walk.over(sampled(walk, rows, int(random.randint(1 << 31))))
        part = tiled(few)
        return draw(few, part, self.n_components, random) + part.shift

    def _given(self, start: Mixture, rows: TiledRows) -> Mixture:
        """The start, with the parts that were given in place of its own."""
        k, d, kind = int(self.n_components), len(rows.shift), self.covariance_type
        shapes = {"full": (k, d, d), "tied": (d, d), "diag": (k, d), "spherical": (k,)}
        weight, means, covariances = start.weights, start.means, start.covariances
        if self.weights_init is not None:
            weight = self._checked("weights_init", self.weights_init, (k,))
            if (weight < 0).any() or abs(weight.sum() - 1) > 1e-6:
                raise ValueError("GaussianMixture: weights_init must be >= 0 with sum 1")
        if self.means_init is not None:
            means = self._checked("means_init", self.means_init, (k, d)) - rows.shift
        if self.precisions_init is not None:
            covariances = covariances_of(kind, self._checked("precisions_init", self.precisions_init, shapes[kind]))
        return Mixture(kind, weight, means, covariances)

    def _checked(self, name: str, given: Any, shape: tuple[int, ...]) -> Array:
        found = np.array(given, dtype=np.float64)
        if found.shape != shape or not np.isfinite(found).all():
            raise ValueError(f"GaussianMixture: {name} must be finite numbers of shape {shape}, got {found.shape}")
        return found

    @property
    def fit_(self) -> MixtureFit:
        self.check_fitted()
        found: MixtureFit = self.solution_
        return found

    @property
    def weights_(self) -> Array:
        """π (k,)."""
        return self.fit_.mixture.weights

    @property
    def means_(self) -> Array:
        """μ (k, d)."""
        return self.fit_.means

    @property
    def covariances_(self) -> Array:
        """Σ: (k, d, d), (d, d) tied, (k, d) diag, (k,) spherical."""
        return self.fit_.mixture.covariances

    @property
    def precisions_cholesky_(self) -> Array:
        """L⁻ᵀ with Σ = L Lᵀ, in the shape of the kind."""
        return self.fit_.precision_roots()

    @property
    def precisions_(self) -> Array:
        """Σ⁻¹, in the shape of the kind."""
        roots = self.precisions_cholesky_
        if self.fit_.mixture.kind in ("diag", "spherical"):
            return roots**2
        return roots @ np.swapaxes(roots, -1, -2)

    @property
    def converged_(self) -> bool:
        return self.fit_.converged

    @property
    def n_iter_(self) -> int:
        """Rounds."""
        return len(self.fit_.trace.log_likelihood)

    @property
    def lower_bounds_(self) -> list[float]:
        """Mean ln p of the rows in every round."""
        return [float(v) for v in self.fit_.trace.log_likelihood]

    @property
    def lower_bound_(self) -> float:
        return self.lower_bounds_[-1]

    def _rows(self, X: Any) -> Array:
        self.check_fitted()
        rows = np.ascontiguousarray(self.table(X, fit=False), dtype=np.float64)
        message = find_unusable(rows, self.column_names())
        if message:
            raise ValueError(f"GaussianMixture: {message}")
        return rows

    def score_samples(self, X: Any) -> Array:
        """ln p(x) of every row."""
        return self.fit_.densities(self._rows(X))[0]

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The mean of ln p(x)."""
        found = self.score_samples(X)
        weight = weights(sample_weight, len(found), "GaussianMixture")
        return float(np.average(found, weights=weight if weight.size else None))

    def predict_proba(self, X: Any) -> Array:
        """γ: how much of every row belongs to each component (n, k)."""
        return self.fit_.densities(self._rows(X))[1]

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The component most responsible for every row."""
        found: NDArray[np.int64] = self.predict_proba(X).argmax(axis=1)
        return found

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.int64]:
        """`predict` of the rows that were fitted."""
        return self.fit(X, sample_weight=sample_weight).predict(X)

    def sample(self, n_samples: int = 1) -> tuple[Array, Array]:
        """Draws from the mixture (n, d) by `random_state`, and the component of each."""
        self.check_fitted()
        if not integer(1).test(n_samples):
            raise ValueError(f"GaussianMixture: n_samples must be an integer >= 1, got {n_samples!r}")
        return self.fit_.sample(int(n_samples), random_state(self.random_state))

    def bic(self, X: Any) -> float:
        """-2 Σ ln p + parameters · ln n: the smaller the better."""
        found = self.score_samples(X)
        return float(-2 * found.sum() + self.fit_.mixture.n_parameters * np.log(len(found)))

    def aic(self, X: Any) -> float:
        """-2 Σ ln p + 2 · parameters."""
        return float(-2 * self.score_samples(X).sum() + 2 * self.fit_.mixture.n_parameters)

    def icl(self, X: Any) -> float:
        """BIC and twice the entropy of the responsibilities: small where components do not overlap."""
        shares = self.predict_proba(X)
        return self.bic(X) - 2 * float((shares * np.log(np.where(shares > 0, shares, 1.0))).sum())

    def check_restored(self) -> None:
        if len(self.fit_.shift) != self.n_features_in_:
            raise ValueError(f"solution_ does not belong to {self.n_features_in_} columns")

    def facts(self) -> Facts:
        """Components, how EM went, what must be known of it, the method."""
        found = self.fit_
        says = f"Mean ln p(x) {self.lower_bound_:.6g}; {found.mixture.n_parameters} free numbers."
        told = [
            f"Started from {self.init_params}, {self.covariance_type} covariances; the best of {self.n_init} start(s)."
        ]
        if found.trace.whitened:
            told.append(
                "Densities were taken from whitened rows: full covariances of many columns, or narrow components."
            )
        if self._added() > 0.01:
            told.append(f"{self._told_added()}.")
        if len(found.trace.restarted):
            told.append(f"{len(found.trace.restarted)} time(s) a collapsed component was begun anew.")
        return Facts(
            [
                found.prototypes("Components of the Gaussian mixture", self.column_names(), says),
                Statement("How it was found", tuple(told)),
                found.curve(),
                self.card,
            ]
        )
