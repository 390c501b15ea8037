"""Logistic regression: the probability of a class as a squeezed linear function.

    P(y = 1 | x) = σ(w₀ + wᵀx),   P(y = k | x) = softmax_k(w₀ₖ + wₖᵀx)                          [BG-SIGMA] [BG-SOFTMAX]
    w minimises Σ -ln P(yᵢ | xᵢ) + |w|² / 2C                                                                  [BG-CE]

Cost: three to eight passes of n d² / 2 multiplications (many weights: one such pass and some twenty of 2 n d K).
When not to use it: classes that no plane tells apart (trees, kernels); a number as target (least squares).
"""

import warnings
from typing import Any, ClassVar

import numpy as np
from scipy import special

from glaswerk.base import (
    Allowed,
    Array,
    Classifier,
    Self,
    Warned,
    check_weights,
    find_unusable,
    flag,
    integer,
    none,
    number,
    one_of,
    only,
    thread_count,
)
from glaswerk.facts import Facts, MethodCard, Statement
from glaswerk.learner import Again, Fitted, RoundLearner
from glaswerk.learners.descent import rate_words
from glaswerk.losses import sigmoid, softmax
from glaswerk.optim.class_epochs import Batches
from glaswerk.optim.descent import Stop
from glaswerk.optim.first_rounds import first_ask
from glaswerk.optim.gradient_rounds import steps_of
from glaswerk.optim.likelihood import Ask, Outcome, Setting, follow
from glaswerk.passes import ArraySource, Block, Source, one_blas_thread
from glaswerk.scoring import accuracy_score
from glaswerk.stats.curvature import Curvature, free_parameters
from glaswerk.stats.inference import repeated_columns
from glaswerk.stats.log_odds import LogisticSolution, LogOdds
from glaswerk.stats.moments import common_shift
from glaswerk.stats.separation import Sides, Verdict

SHIFT_ROWS = 64
FEW = 3  # sentences shown in a message before "and n more"
SOLVERS = ("newton", "lbfgs", "newton-cg", "newton-cholesky", "sag", "saga", "descent")


def _just(value: Any, because: str) -> Allowed:
    return Allowed(f"{value!r} ({because})", lambda v: not isinstance(v, bool | complex) and bool(v == value))


class LogisticRegression(Classifier, RoundLearner):
    """Logistic regression for two or more classes, with errors, odds, and a proof where a plane separates the classes.

    Drop-in for scikit-learn's class of this name, with the L2 penalty or none. Any labels, row weights, tables larger
    than memory (`fit_source`). The optimum is the same for every solver's name, so scikit-learn's names decide nothing.

    Parameters
    ----------
    penalty : "l2", or None for none (as is C=inf). The intercept is never penalised.
    C : the penalty is |w|² / 2C beside the sum of losses.
    tol : the last round is the one whose step promises to lower the objective by less than tol² of it.
    fit_intercept : whether w₀ is fitted, or 0.
    class_weight : weight of each class as a dict, "balanced" for equal total weights, or None.
    standard_errors : whether the whole curvature is computed for errors; None: where that costs little.
    max_iter : rounds after which the fit stops and says that it has not converged.
    n_jobs : threads; the result does not depend on it.
    solver : "descent" goes down the gradient of all rows, a step a pass over the rows from zero weights, traced, and
        ends where it is after `max_iter` steps. Else accepted for scikit-learn's sake; "liblinear" penalises w₀.
    learning_rate : of descent: η > 0; "lipschitz": 1/L, L a bound on the curvature everywhere; or "backtracking".
    batch_size : of descent: rows a step, a round being an epoch over all rows (in memory); None takes all rows.
    shuffle : whether every epoch takes the rows in a new order, by `random_state`; else batches are consecutive slices.
    decay : the rate of epoch k is η / (1 + decay k).
    l1_ratio, dual, intercept_scaling, verbose, warm_start : for scikit-learn's sake.

    >>> model = LogisticRegression(C=10.0).fit([[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"])
    >>> model.predict([[0.2], [2.9]]).tolist(), model.predict_proba([[1.5]]).round(3).tolist()
    (['no', 'yes'], [[0.5, 0.5]])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "penalty": Allowed("'l2' or None ('l1' and 'elasticnet' are not implemented: scikit-learn has them)",
                           lambda v: v is None or (isinstance(v, str) and v == "l2")),
        "C": number(0, above=True),
        "l1_ratio": _just(0, "only the L2 penalty is implemented: scikit-learn has L1 and elastic net") | none(),
        "dual": only(False, "the primal problem is solved"),
        "tol": number(0),
        "fit_intercept": flag(),
        "intercept_scaling": _just(1, "the intercept is not penalised, so nothing needs scaling"),
        "class_weight": Allowed("a dict of class to weight", lambda v: isinstance(v, dict))
        | one_of("balanced") | none(),
        "random_state": integer() | none(),
        "solver": Allowed(" or ".join(map(repr, SOLVERS)) + " ('liblinear' penalises the intercept: not implemented)",
                          lambda v: isinstance(v, str) and v in SOLVERS),
        "max_iter": integer(1),
        "verbose": _just(0, "long fits show their progress by themselves"),
        "warm_start": only(False, "fits begin at the answer for a sample of the rows"),
        "n_jobs": thread_count(),
        "standard_errors": flag() | none(),
        "learning_rate": rate_words("lipschitz", "backtracking"),
        "batch_size": integer(1) | none(),
        "shuffle": flag(),
        "decay": number(0),
    }  # fmt: skip
    never_draws: ClassVar[bool] = True  # random_state is there for the sake of a name
    fitted: ClassVar[dict[str, type]] = {
        **RoundLearner.fitted,
        **Classifier.fitted,
        "solution_": LogisticSolution,
        "statistic_": Curvature,
    }
    card: ClassVar[MethodCard] = MethodCard(
        name="logistic regression by maximum likelihood",
        formula="P(k | x) = softmax_k(w₀ₖ + Σ wₖⱼ xⱼ), w minimises Σ -ln P(yᵢ | xᵢ) + |w|² / 2C",
        equations=("BG-SIGMA", "BG-SOFTMAX", "BG-CE", "NAN-NEWTON", "BG-GD", "NAN-7", "NAN-SGD"),
        cost="three to eight passes of n d² / 2 multiplications; with many weights some twenty of 2 n d K",
        assumes=(
            "the log-odds of the classes are linear in the columns",
            "rows are independent given their columns",
            "columns of like size where a penalty is used, for it treats all alike",
        ),
        restriction_bias="only classes parted by planes, with probabilities that rise steadily across them",
        preference_bias="the largest likelihood; with a penalty short weights, that is probabilities nearer to equal",
        not_for=("a number as target", "classes within classes", "more columns than rows without a penalty"),
    )

    def __init__(
        self,
        *,
        penalty: str | None = "l2",
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: dict[Any, float] | str | None = None,
        random_state: int | None = None,
        solver: str = "newton",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        standard_errors: bool | None = None,
        learning_rate: float | str = "lipschitz",
        batch_size: int | None = None,
        shuffle: bool = True,
        decay: float = 0.0,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.standard_errors = standard_errors
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.decay = decay

    def _learn(self, source: Source, engine: Any, n_jobs: int | None = None) -> Self:
        if self.batch_size is not None:
            self._check_batches(source)
        return super()._learn(source, engine, n_jobs)

    def _check_batches(self, source: Source) -> None:
        owner, given = type(self).__name__, f"batch_size={self.batch_size}"
        if self.solver != "descent":
            raise ValueError(f"{owner}: {given} is for solver='descent'; solver={self.solver!r} takes all rows at once")
        if self.learning_rate == "backtracking":
            raise ValueError(
                f"{owner}: learning_rate='backtracking' needs the objective of all rows at every step: use "
                f"batch_size=None, or a number or 'lipschitz' with {given}"
            )
        if not isinstance(source, ArraySource):
            raise ValueError(f"{owner}: {given} needs the rows in memory, fit(X, y): batches walk the rows themselves")

    def between(self, ask: Ask, source: Any) -> Ask:
        """In batches: where one more epoch over the rows leads, there the next pass looks at all of them."""
        if self.batch_size is None:
            return ask
        seed = abs(int(self.random_state or 0))
        return Batches(int(self.batch_size), bool(self.shuffle), seed, float(self.decay)).after_epoch(ask, source)

    def begin(self, head: Block, n_rows: int | None) -> Ask:
        d = head.X.shape[1]
        sample = head.X[:: -(-len(head) // SHIFT_ROWS)]
        descends = self.solver == "descent"  # in the user's own coordinates, for its steps depend on them
        shift = common_shift(sample) if self.fit_intercept and not descends else np.zeros(d)
        strength = 0.0 if self.penalty is None else 1.0 / self.C
        setting = Setting(
            len(self.classes_), d, strength, bool(self.fit_intercept), self.tol, self.max_iter, self.standard_errors,
            self.learning_rate if descends else None, self.batch_size is not None,
        )  # fmt: skip
        rows = head.X, head.Y[:, 0], head.weight
        with one_blas_thread():
            return first_ask(setting, shift, self._class_weights(), *rows, len(head) if n_rows is None else n_rows)

    def observe(self, block: Block, ask: Ask) -> Curvature | Sides:
        if block.weight.size and ask.passes == 1:
            check_weights(block.weight, type(self).__name__, block.first)
        found = ask.observe(block.X, block.Y[:, 0], block.weight)
        if isinstance(found, Curvature) and not np.isfinite(found.sums).all():
            message = find_unusable(block.X, self.column_names(), "X", block.first)
            raise ValueError(f"{type(self).__name__}: {message or 'sums of X overflow: rescale columns beyond 1e150'}")
        return found

    def solve(self, statistic: Curvature | Sides, ask: Ask, *, more: bool) -> Fitted | Again:
        with one_blas_thread():  # also between passes: the bits may not depend on the machine's threads
            step = follow(statistic, ask)
        if isinstance(step, Ask):
            return Again(step)
        solution = self._described(step)
        self._tell(solution)
        return Fitted(solution, step.statistic)

    def _class_weights(self) -> Any:
        """One weight per class, in the order of `classes_`."""
        if not isinstance(self.class_weight, dict):
            return self.class_weight
        classes = self.classes_.tolist()
        unknown = [key for key in self.class_weight if key not in classes]
        wrong = [key for key, value in self.class_weight.items() if not number(0, above=True).test(value)]
        if unknown or wrong:
            what = f"names {unknown[0]!r}" if unknown else f"gives {wrong[0]!r} {self.class_weight[wrong[0]]!r}"
            raise ValueError(
                f"{type(self).__name__}: class_weight {what}; it must give a number > 0 to classes among {classes}"
            )
        return np.array([float(self.class_weight.get(label, 1.0)) for label in classes])

    def _described(self, end: Outcome) -> LogisticSolution:
        ended, factor = end.ended, end.factor
        alone = factor.full or factor.scale.size != self.n_features_in_
        repeated = () if alone else repeated_columns(factor.dependencies(), self.column_names())
        telling: tuple[str, ...] = ()
        if end.sides is not None and not end.verdict.finite:
            telling = end.sides.telling(self.column_names(), self._class_names(), bool(self.fit_intercept))
        trace = [(step.round, step.value, step.gradient, step.length) for step in end.trace]
        return LogisticSolution(
            end.weights, end.point.shift, end.setting.intercept, end.setting.penalty, end.objective,
            float(np.abs(ended.gradient).max()), ended.decrement, end.settled, end.why, end.verdict.value,
            end.verdict.finite, ended.walk.rounds + (end.slide is None), end.passes, factor.rank, factor.condition,
            telling, repeated, np.array(trace),
        )  # fmt: skip

    def _tell(self, solution: LogisticSolution) -> None:
        if solution.why == Stop.DIVERGED.value:
            rate = f"the learning rate {solution.trace[-1, 3]:.4g} is too large"
            text = f"descent diverged within {solution.rounds} rounds: {rate}"
            cure = "The weights of the lowest objective were kept; use learning_rate='lipschitz' or scale the columns"
            warnings.warn(f"{type(self).__name__}: {text}. {cure}", Warned, stacklevel=6)
        elif not solution.finite:
            shown = "; ".join(solution.telling[:FEW]) + ("; …" if len(solution.telling) > FEW else "")
            undecided = solution.verdict == Verdict.OPEN.value
            meaning = "coefficients may be without bound" if undecided else "coefficients grow without bound"
            text = f"{solution.verdict}{': ' + shown if shown else ''}. Without a penalty {meaning}; use C=1.0"
            warnings.warn(f"{type(self).__name__}: {text}", Warned, stacklevel=6)
        elif not solution.settled:
            warnings.warn(
                f"{type(self).__name__} has not converged after {solution.rounds} rounds ({solution.why}): the "
                f"objective {solution.objective:.6g} could fall by {solution.decrement / 2:.2g}; raise max_iter or tol"
                + _further(self),
                Warned,
                stacklevel=6,
            )
        if solution.repeated:
            shown = "; ".join(solution.repeated[:FEW]) + ("; …" if len(solution.repeated) > FEW else "")
            warnings.warn(
                f"the rows determine only {solution.rank} of {self.n_features_in_} coefficients: {shown}. Of all "
                "equally good solutions the shortest was taken; do not read its coefficients one by one",
                Warned,
                stacklevel=6,
            )

    def check_restored(self) -> None:
        """Classes, weights and sums must speak of the same columns."""
        scores = 1 if len(self.classes_) == 2 else len(self.classes_)
        if self.classes_.ndim != 1 or len(self.classes_) < 2:
            raise ValueError("classes_ must hold at least two labels")
        if self.solution_.weights.shape != (scores, self.n_features_in_ + 1):
            raise ValueError(
                f"solution_ does not belong to {self.n_features_in_} columns and {len(self.classes_)} classes"
            )
        if not isinstance(self.statistic_, Curvature) or self.statistic_.gradient.shape != self.solution_.weights.shape:
            raise ValueError("statistic_ does not belong to solution_")

    def _class_names(self) -> list[str]:
        return [str(label) for label in self.classes_.tolist()]

    @property
    def coef_(self) -> Array:
        """(1, d) for two classes, else (K, d) with rows that add up to zero."""
        self.check_fitted()
        found: Array = self.solution_.coefficients
        return found

    @property
    def intercept_(self) -> Array:
        self.check_fitted()
        found: Array = self.solution_.intercepts
        return found

    @property
    def n_iter_(self) -> np.ndarray:
        self.check_fitted()
        return np.array([self.solution_.rounds])

    def decision_function(self, X: Any) -> Array:
        """The log-odds of the second of two classes (n,), or the scores of all classes (n, K)."""
        self.check_fitted()
        rows = np.asarray(self.table(X, fit=False), dtype=np.float64)
        scores = rows @ self.coef_.T + self.intercept_
        if not np.isfinite(scores).all():
            message = find_unusable(rows, self.column_names())
            if message:
                raise ValueError(f"{type(self).__name__}: {message}")
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of every row."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """P(k | x) for every class (n, K)."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([sigmoid(-scores), sigmoid(scores)])
        return np.ascontiguousarray(softmax(scores.T).T)

    def predict_log_proba(self, X: Any) -> Array:
        """ln P(k | x), exact where the probability itself is too small for a double."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([special.log_expit(-scores), special.log_expit(scores)])
        found: Array = special.log_softmax(scores, axis=1)
        return found

    def complexity(self) -> float:
        """Free parameters: what the penalty leaves of them; all of them where no curvature is kept."""
        q, size = self.solution_.weights.shape
        sums: Any = self.statistic_
        if sums.hessian.shape == (q * size, q * size):
            return free_parameters(sums.hessian, size, self.solution_.penalty)
        return float((len(self.classes_) - 1) * (self.solution_.rank + bool(self.fit_intercept)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def facts(self, level: float = 0.95) -> Facts:
        """Coefficients as log-odds, what they mean, the fit, the proof about separation, the numerics, the rounds."""
        self.check_fitted()
        sums: Any = self.statistic_
        known = LogOdds(self.solution_, sums, self.target_names_[0], self.column_names(), tuple(self._class_names()))
        with one_blas_thread():
            odds = known.odds(level)
            steps = [self._steps(sums)] if self.solver == "descent" else []
        told = [odds] if odds.sentences else []
        return Facts(
            [*known.coefficients(level), *told, known.goodness(), known.separation(), known.numerics(), known.trace(),
             *steps, self.card]
        )  # fmt: skip

    def _steps(self, sums: Curvature) -> Statement:
        """What the steps of descent did and why."""
        s, names = self.solution_, (*self.column_names(), "intercept")
        if len(s.weights) > 1:
            names = tuple(f"{label}: {name}" for label in self._class_names() for name in names)
        pays = np.tile(np.append(np.ones(self.n_features_in_), 0.0), len(s.weights))
        lost = s.why == Stop.DIVERGED.value
        return steps_of(s.trace, sums.hessian + np.diag(s.penalty * pays), s.weights, names,
                        self.learning_rate != "backtracking", lost, int(self.batch_size or 0))  # fmt: skip


def _further(model: LogisticRegression) -> str:
    """What else helps a descent that has not arrived."""
    if model.solver != "descent":
        return ""
    return ", scale the columns" + (", lower learning_rate or set decay" if model.batch_size else "")
