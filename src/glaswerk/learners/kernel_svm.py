"""Support vector machines: the plane that leaves the widest margin, in the space of features of a kernel.

    minimise ½ ‖w‖² + Σ Cᵢ max(0, 1 - yᵢ (wᵀφ(xᵢ) + b));   w = Σ αᵢ yᵢ φ(xᵢ)                         [SCH-SOFT] [SCH-W]
    the dual: maximise Σ αᵢ - ½ Σ αᵢ αⱼ yᵢ yⱼ K(xᵢ, xⱼ), Σ αᵢ yᵢ = 0, 0 ≤ α ≤ C               [SCH-DUAL] [SCH-KERNEL]

Cost: between n and n² steps of 2 n d multiplications for kernels, some twenty passes of n d² / 2 for planes. Columns of
like size are assumed (scale them). When not to use it: probabilities are wanted (logistic regression; or
`calibration=5`); beyond some 50,000 rows with a kernel (`Landmarks` and a plane instead).
"""

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.base import (
    Allowed,
    Array,
    Warned,
    clone,
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
from glaswerk.facts import MethodCard
from glaswerk.learner.machines import Machines
from glaswerk.learner.sampling import SampleFit
from glaswerk.optim.dual import Dual
from glaswerk.optim.machine import NO_LIMIT, Effort, Machine, described, find_machine
from glaswerk.optim.support import SupportSolution
from glaswerk.passes import available_threads, one_blas_thread
from glaswerk.scoring import StratifiedKFold, accuracy_score
from glaswerk.stats.calibration import Calibration, fit_sigmoid
from glaswerk.stats.kernel_functions import KINDS, KernelFunction, blocks_of_rows
from glaswerk.stats.labels import classes_of, codes_of, labels_of

CELLS = 1 << 28  # of a kernel matrix that a function of the user's is asked for at most
WEIGHTS_OF_CLASSES = "class_weight must give a number > 0 to classes among"


class SVC(SampleFit, Machines):
    """Support vector classification with hard or soft margin; what proves the optimum is among its facts.

    Drop-in for scikit-learn's class of this name. Several classes are told apart in pairs. `C=inf` asks for a hard
    margin: the fit ends with a plane verified on every row, or with an error: weights prove that there is none.
    Decision values are no probabilities: `calibration=5` learns some from the values of rows that five folds held out.

    Parameters
    ----------
    C : what a row inside the margin costs, above 0; inf for a hard margin. Row and class weights multiply it.
    kernel : "linear", "poly", "rbf", "sigmoid", "precomputed", or a function of rows (n, d) and (m, d) to (n, m).
    degree, gamma, coef0 : of the kernel; gamma "scale" is 1 / (columns · variance of X), "auto" 1 / columns.
    tol : lead of the gradient at which the steps end.
    cache_size : megabytes for rows of the kernel matrix.
    class_weight : weight of each class as a dict, "balanced", or None.
    max_iter : steps at most, -1 for no limit; the fit says so where they did not suffice.
    decision_function_shape : "ovr" for one column per class, "ovo" for one per pair.
    break_ties : equal votes are decided by the decision values (they always are here: no option is needed).
    calibration : folds whose out-of-fold values make `predict_proba`; None for no probabilities.
    n_jobs : threads for pairs of classes; the result does not depend on it.
    shrinking, probability, verbose, random_state : for scikit-learn's sake.

    >>> X = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    >>> model = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=10.0).fit(X, ["same", "same", "other", "other"])
    >>> model.predict(X).tolist()
    ['same', 'same', 'other', 'other']
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "C": number(0, above=True),
        "kernel": one_of(*KINDS, "precomputed") | Allowed("a function of two tables of rows", callable),
        "degree": integer(0),
        "gamma": one_of("scale", "auto") | number(0, above=True),
        "coef0": number(),
        "shrinking": flag(),
        "probability": only(False, "decision values are no probabilities: calibration=5 learns some"),
        "tol": number(0, above=True),
        "cache_size": number(0, above=True),
        "class_weight": Allowed("a dict of class to weight", lambda v: isinstance(v, dict))
        | one_of("balanced") | none(),
        "verbose": flag(),
        "max_iter": integer(-1),
        "decision_function_shape": one_of("ovr", "ovo"),
        "break_ties": flag(),
        "random_state": integer() | none() | Allowed("a RandomState", lambda v: isinstance(v, np.random.RandomState)),
        "calibration": integer(2) | none(),
        "n_jobs": thread_count(),
    }  # fmt: skip
    card: ClassVar[MethodCard] = MethodCard(
        name="support vector machine",
        formula="f(x) = Σ βᵢ K(xᵢ, x) + b, the widest margin; a row inside it costs C times how far",
        equations=("SCH-SOFT", "SCH-W", "SCH-DUAL", "SCH-KERNEL", "SCH-POLY", "SCH-HARD"),
        cost="kernels: between n and n² steps of 2 n d; planes: some twenty passes of n d² / 2",
        assumes=(
            "a plane in the kernel's features tells the classes apart, but for some rows",
            "columns of like size: distances and products mix them",
        ),
        restriction_bias="planes in the kernel's features; with the Gaussian kernel any boundary, given rows enough",
        preference_bias="wide margins: of the planes that err little the one furthest from the rows; C weighs the two",
        not_for=("probabilities without calibration", "columns in units of their own", "very many rows with a kernel"),
    )

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Callable[[Array, Array], Array] = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool = False,
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: dict[Any, float] | str | None = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
        calibration: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.calibration = calibration
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows in memory; `sample_weight` counts each row that many times."""
        self.check_parameters()
        owner = type(self).__name__
        rows = self._rows(X, fit=True)
        weight = weights(sample_weight, len(rows), owner)
        labels = labels_of(y, len(rows), owner)
        self.classes_ = classes_of(labels, weight, owner)
        codes = codes_of(labels, self.classes_, weight, owner).astype(np.intp)
        upper = self.C * self._weighted(codes, weight)
        used = np.flatnonzero(upper > 0)
        given = self.kernel == "precomputed"
        if given and rows.shape[0] != rows.shape[1]:
            raise ValueError(f"{owner}: a precomputed kernel is a square matrix, got shape {rows.shape}")
        kernel = None if given or callable(self.kernel) else self._kernel(rows[used])
        about = kernel is not None and kernel.kind in ("rbf", "linear")
        origin = rows[used].mean(axis=0) if about else np.zeros(rows.shape[1])
        with one_blas_thread():
            machines = self._machines(rows - origin if about else rows, codes, upper, used, kernel)
        support = np.unique(np.concatenate([machine.rows for machine in machines])).astype(np.int64)
        counts = np.bincount(codes[support], minlength=len(self.classes_))
        # Scikit-learn orders supporting rows by class.
        support = support[np.argsort(codes[support], kind="stable")]
        self.solution_ = SupportSolution(machines, support, rows[support] - origin, kernel, origin, counts)
        self._tell(machines)
        self.calibration_: Any = None if self.calibration is None else self._calibrated(rows, labels, codes, weight)
        return self

    def _calibrated(self, rows: Array, labels: np.ndarray, codes: np.ndarray, weight: Array) -> Calibration:
        """Sigmoids fitted to the decision values of rows that were held out."""
        folds = min(int(self.calibration or 0), int(np.bincount(codes).min()))
        if folds < 2:
            raise ValueError(f"{type(self).__name__}: calibration needs two rows of every class; one class has but one")
        width = 1 if len(self.classes_) == 2 else len(self.classes_)
        values, each = np.zeros((len(rows), width)), weight if weight.size else np.ones(len(rows))
        for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(rows, codes):
            part = clone(self).set_params(calibration=None, decision_function_shape="ovr")
            cells = rows[np.ix_(train, train)] if self.kernel == "precomputed" else rows[train]
            seen = rows[np.ix_(test, train)] if self.kernel == "precomputed" else rows[test]
            values[test] = part.fit(cells, labels[train], each[train]).decision_function(seen).reshape(-1, width)
        positive = [codes == 1] if width == 1 else [codes == k for k in range(width)]
        lines = [fit_sigmoid(values[:, k], positive[k], each) for k in range(width)]
        return Calibration(np.array(lines), folds)

    @property
    def predict_proba(self) -> Callable[[Any], Array]:
        """Probabilities (rows, classes); there with `calibration` only."""
        if self.calibration is None:
            raise AttributeError("SVC has decision values, which are no probabilities: calibration=5 learns some")
        return self._probabilities

    def check_restored(self) -> None:
        """A calibration, where there is one, with a sigmoid for every class."""
        known = self.calibration_
        if known is not None and not isinstance(known, Calibration):
            raise ValueError("calibration_ is no calibration")

    def _probabilities(self, X: Any) -> Array:
        values = self.pair_values(X)
        values = values if len(self.classes_) == 2 else self.votes(values)
        found: Calibration = self.calibration_
        return found.probabilities(values)

    def _rows(self, X: Any, *, fit: bool) -> Array:
        rows = np.asarray(self.table(X, fit=fit), dtype=np.float64)
        message = find_unusable(rows, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return rows

    def _kernel(self, rows: Array) -> KernelFunction:
        gamma = self.gamma
        if isinstance(gamma, str):
            spread = float(rows.var()) if gamma == "scale" else 1.0
            gamma = 1.0 / (rows.shape[1] * spread) if spread > 0 else 1.0
        kernel = KernelFunction(str(self.kernel), float(gamma), float(self.coef0), int(self.degree))
        largest = kernel.diagonal(rows - rows.mean(axis=0) if kernel.kind in ("rbf", "linear") else rows)
        if not np.abs(largest).max() < np.finfo(np.float32).max ** 0.9:
            raise ValueError(
                f"{type(self).__name__}: the kernel {kernel.formula} grows beyond all numbers on these rows: scale the "
                "columns"
            )
        return kernel

    def _weighted(self, codes: np.ndarray, weight: Array) -> Array:
        """Row weight times class weight."""
        each = weight if weight.size else np.ones(len(codes))
        if self.class_weight is None:
            return each
        totals = np.bincount(codes, weights=each, minlength=len(self.classes_))
        if not isinstance(self.class_weight, dict):
            return each * (totals.sum() / (len(totals) * totals))[codes]
        known = self.classes_.tolist()
        for name, value in self.class_weight.items():
            if name not in known or not number(0, above=True).test(value):
                raise ValueError(f"{type(self).__name__}: {WEIGHTS_OF_CLASSES} {known}, got {name!r}: {value!r}")
        return each * np.array([float(self.class_weight.get(name, 1.0)) for name in known])[codes]

    def _machines(
        self, rows: Array, codes: np.ndarray, upper: Array, used: np.ndarray, kernel: KernelFunction | None
    ) -> tuple[Machine, ...]:
        """A machine for every pair of classes; each is found by one thread, so threads change nothing."""
        cells = self._cells(rows, rows) if kernel is None else None
        effort = Effort(self.tol, NO_LIMIT if self.max_iter < 0 else self.max_iter, self.cache_size)

        def one(pair: tuple[int, int]) -> Machine:
            places = used[np.isin(codes[used], pair)]
            side = np.where(codes[places] == pair[1], 1.0, -1.0)
            known = None if cells is None else np.ascontiguousarray(cells[np.ix_(places, places)], dtype=np.float32)
            dual = Dual(rows[places], side, upper[places], kernel or KernelFunction("linear"), known, side)
            return described(dual, find_machine(dual, effort), places, pair)

        pairs = list(combinations(range(len(self.classes_)), 2))
        threads = min(available_threads(self.n_jobs), len(pairs))
        if threads == 1:
            return tuple(map(one, pairs))
        with ThreadPoolExecutor(threads, thread_name_prefix="glaswerk") as pool:
            return tuple(pool.map(one, pairs))

    def _cells(self, A: Array, B: Array) -> Array:
        """The kernel matrix that the user gives: whole, or by a function."""
        if not callable(self.kernel):
            return A
        if len(A) * len(B) > CELLS:
            raise ValueError(
                f"{type(self).__name__}: a kernel of your own is asked for all {len(A)} x {len(B)} cells at once: "
                "too many; use Landmarks(similarity=…) with kernel='linear'"
            )
        found = np.asarray(self.kernel(A.copy(), B.copy()), dtype=np.float64)
        if found.shape != (len(A), len(B)) or not np.isfinite(found).all():
            raise ValueError(
                f"{type(self).__name__}: kernel must give one finite number per pair of rows {(len(A), len(B))}, got "
                f"shape {found.shape}"
            )
        return found

    def _tell(self, machines: tuple[Machine, ...]) -> None:
        late = [machine for machine in machines if not machine.settled]
        if late:
            worst = max(late, key=lambda machine: machine.gap)
            warnings.warn(
                f"{type(self).__name__} has not converged after {worst.steps} steps: primal and dual differ by "
                f"{worst.gap:.2g} of their size; raise max_iter or tol, or scale the columns",
                Warned,
                stacklevel=3,
            )

    def pair_values(self, X: Any) -> Array:
        """f of every machine for every row (n, machines)."""
        self.check_fitted()
        rows = self._rows(X, fit=False)
        known = self.solution_
        beta, out = known.weights.T, np.empty((len(rows), len(known.machines)))
        with one_blas_thread():
            if known.plane:
                return (rows - known.origin) @ known.planes().T + known.intercepts
            cells = self._against_support()
            for part in blocks_of_rows(len(rows), len(known.support)):
                out[part] = cells(rows[part]) @ beta
        out += known.intercepts
        return out

    def _against_support(self) -> Callable[[Array], Array]:
        """K of rows and supporting rows, as a function of rows."""
        known = self.solution_
        if known.kernel is not None:
            against = known.kernel.against(known.points)
            return lambda rows: against(rows - known.origin)
        return (
            (lambda rows: self._cells(rows, known.points)) if callable(self.kernel) else lambda r: r[:, known.support]
        )

    def decision_function(self, X: Any) -> Array:
        """f(x): above 0 for the second of two classes; of several one column per class ("ovr") or per pair ("ovo")."""
        values = self.pair_values(X)
        if len(self.classes_) == 2:
            return values[:, 0]
        return -values if self.decision_function_shape == "ovo" else self.votes(values)

    def predict(self, X: Any) -> np.ndarray:
        """The class of every row."""
        values = self.pair_values(X)
        if len(self.classes_) == 2:
            return self.classes_[(values[:, 0] > 0).astype(np.intp)]
        return self.classes_[np.argmax(self.votes(values), axis=1)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows predicted right."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))
