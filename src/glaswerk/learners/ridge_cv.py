"""Ridge regression whose penalty is chosen by validation, for all penalties from the sums of one pass.

    α* minimises the error on rows not fitted to: each row left out, exactly; k folds, repeated; or GCV   [NAN-ALPHA]

Cost: one pass of n d² / 2 for each repeat's folds, then d³ for each fold; leave-one-out one more pass of n d (d + 2 m)
for m penalties. When not to use it: as `Ridge`; and rows that know of each other, unless `cv` keeps them together.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, flag, integer, none, one_of, only, thread_count
from glaswerk.facts import Curve, Facts, MethodCard, Statement
from glaswerk.learner import Again, Fitted, Learner
from glaswerk.learners.ridge import Penalised, amount, amounts
from glaswerk.passes import Block, one_blas_thread
from glaswerk.scoring.drawing import draw_folds, how_drawn, is_number, splitting
from glaswerk.stats.folded import Folded, Folds
from glaswerk.stats.ladder import ask_for_more
from glaswerk.stats.moments import Moments
from glaswerk.stats.penalty import Shrunk, better_shift, solve_penalised
from glaswerk.stats.penalty_choice import PenaltyChoice, Validation, choose
from glaswerk.stats.penalty_facts import choice_statement, effective_curve, errors_curve, path_curve, run_curves
from glaswerk.stats.ridge_facts import FACTORS
from glaswerk.stats.ridge_path import LeaveOneOut, fold_errors, generalised, penalty_range
from glaswerk.stats.rungs import Ask
from glaswerk.stats.spectrum import Spectrum, spectrum
from glaswerk.stats.triangle import Triangle

FEWEST_RUNS = 10  # for the mode of the runs, as script E asks
MOST_NUMBERS = 60_000_000  # in the sums of the folds of one pass: half a gigabyte


@storable("Tuned", version=1)
@dataclass(frozen=True, eq=False)
class Tuned:
    """The solution for the penalty taken, and what made it be taken."""

    shrunk: Shrunk
    choice: PenaltyChoice


@dataclass(frozen=True, eq=False)
class Quest:
    """Where the choice stands: `sums` of the rows, then `left out` row by row, then `last` steps of the solution.

    runs: the errors of the repeats summed so far; `at_once` of them are summed in one pass, as memory allows.
    """

    inner: Ask
    stage: str = "sums"
    folds: Folds | None = None
    n_folds: int = 0
    at_once: int = 0
    runs: tuple[Array, ...] = ()
    whole: Moments | Triangle | None = None
    seen: Spectrum | None = None
    penalties: Array | None = None
    choice: PenaltyChoice | None = None

    @property
    def passes(self) -> int:
        return self.inner.passes


class RidgeCV(Penalised):
    """Ridge regression with its penalty chosen by validation; the whole path, its errors and their noise are facts.

    Drop-in for scikit-learn's class of this name. With `cv=None` every row is left out once, exactly. Weights are
    repetitions there: of a row of weight 2 one of the two is left out (scikit-learn leaves out both).

    Parameters
    ----------
    alphas : penalties to try, or None: 25, from where 99 % of the parameters are free to where 5 % are left.
    cv : None for exact leave-one-out; "gcv" for generalised cross-validation, which needs the sums alone and so goes
        with `partial_fit` and `merge`; a number of folds; or a splitter, or list of splits,
        whose test sets part the rows.
    repeats : how often the folds are drawn anew (a number of folds only).
    random_state : seed of the folds; None takes consecutive stretches of rows, as scikit-learn does.
    selection : "min": least mean error. "1se": the strongest penalty within one standard error of it. "modal": the
        penalty that most of at least ten repeats choose, as script E asks.
    alpha_per_target : whether every target gets a penalty of its own.
    fit_intercept, penalty, penalise_intercept, n_jobs : as `Ridge`.
    scoring, gcv_mode, store_cv_results : for scikit-learn's sake: squared errors, one way, kept as facts.

    >>> import numpy as np
    >>> X = np.arange(24.0).reshape(12, 2) ** 2 % 7
    >>> model = RidgeCV(alphas=[0.1, 1.0, 10.0]).fit(X, X @ [1.0, 2.0])
    >>> model.alpha_
    0.1
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "alphas": none() | amount() | amounts("each tried"),
        "fit_intercept": flag(),
        "scoring": none() | one_of("neg_mean_squared_error"),
        "cv": none() | one_of("gcv") | splitting(),
        "gcv_mode": none() | one_of("auto", "svd", "eigen"),
        "store_cv_results": only(False, "errors of single rows are not kept; their sums are facts"),
        "alpha_per_target": flag(),
        "repeats": integer(1),
        "random_state": none() | integer(0),
        "selection": one_of("min", "1se", "modal"),
        "penalty": one_of("sse", "half_sse"),
        "penalise_intercept": flag(),
        "n_jobs": thread_count(),
    }
    fitted: ClassVar[dict[str, type]] = {**Learner.fitted, "solution_": Tuned, "statistic_": object}
    card: ClassVar[MethodCard] = MethodCard(
        name="ridge regression with a validated penalty",
        formula="ŷ = w₀ + Σ wⱼ xⱼ, w minimises Σ (y - ŷ)² + λ Σ wⱼ², λ minimises the error on rows left out",
        equations=("TRE-PLS", "TRE-MEFF", "NAN-ALPHA"),
        cost="n d² / 2 multiplications for each repeat, d³ for each fold, whatever the number of penalties",
        assumes=(
            "the mean of y is linear in the columns",
            "weights are of one size: the columns' units can be compared",
            "rows do not know of each other, or the splitter keeps those that do together",
        ),
        restriction_bias="only functions linear in the given columns can be found",
        preference_bias="small weights, as small as the rows left out ask for",
        not_for=("a category as target", "columns in units that cannot be compared", "weights read as effects"),
    )

    def __init__(
        self,
        alphas: Any = None,
        *,
        fit_intercept: bool = True,
        scoring: str | None = None,
        cv: Any = None,
        gcv_mode: str | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
        repeats: int = 1,
        random_state: int | None = 0,
        selection: str = "min",
        penalty: str = "sse",
        penalise_intercept: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.repeats = repeats
        self.random_state = random_state
        self.selection = selection
        self.penalty = penalty
        self.penalise_intercept = penalise_intercept
        self.n_jobs = n_jobs

    def check_parameters(self) -> None:
        super().check_parameters()
        numbered = is_number(self.cv)
        if self.repeats > 1 and (not numbered or self.random_state is None):
            raise ValueError("RidgeCV: repeats > 1 needs cv to be a number of folds, and random_state a seed")
        if self.selection == "modal" and (self.repeats < FEWEST_RUNS or self.alpha_per_target):
            raise ValueError(
                f"RidgeCV: selection='modal' needs repeats >= {FEWEST_RUNS} and one alpha for all targets, "
                f"got repeats={self.repeats}, alpha_per_target={self.alpha_per_target}"
            )
        if self.selection == "1se" and self._by_sums:
            raise ValueError("RidgeCV: selection='1se' needs errors of rows or folds, which cv='gcv' does not give")

    def begin(self, head: Block, n_rows: int | None) -> Quest:
        inner = self.first_look(self.with_ones(head), n_rows, self.centred, exact=self.alpha_per_target)
        if n_rows is not None and n_rows <= inner.n_features:
            # A Gram squares the rows: where they fit exactly, too few digits of what they leave would be left.
            inner = replace(inner, what="triangle", exact=False)
        if self.cv is None or self._by_sums:
            return Quest(inner)
        folds = draw_folds(self.cv, n_rows or 0, self.repeats, self.random_state)
        n_folds = int(folds.max()) + 1
        at_once = max(1, MOST_NUMBERS // (n_folds * (inner.shift.size + 1) ** 2))
        return Quest(inner, folds=folds, n_folds=n_folds, at_once=at_once)

    @property
    def partial_fit(self) -> Any:
        """Add rows to what is known; there only with cv="gcv", since rows that pass once cannot be left out."""
        if not self._by_sums:
            raise AttributeError("RidgeCV has partial_fit with cv='gcv' alone: other validations need all rows at once")
        return super().partial_fit

    @property
    def _by_sums(self) -> bool:
        return isinstance(self.cv, str)

    def observe(self, block: Block, ask: Quest) -> Any:
        rows = self.with_ones(self.checked(block, ask.inner))
        if ask.stage == "left out":
            assert ask.seen is not None and ask.penalties is not None
            rows_met = isinstance(ask.whole, Triangle) and ask.seen.meets(ask.whole.count)
            return LeaveOneOut.of(rows.X, rows.Y, rows.weight, ask.seen, ask.penalties, rows_met)
        found: Any = ask.inner.observe(rows.X, rows.Y, rows.weight, rows.X_low)
        self.refuse_unusable(found.sums, block)
        if ask.stage == "last" or ask.folds is None:
            return found
        here = ask.folds[len(ask.runs) :][: ask.at_once, block.first : block.first + len(block)]
        shift = ask.inner.shift
        return Folded.of(found, rows.X, rows.Y, rows.weight, shift=shift, folds=here, n_folds=ask.n_folds)

    def solve(self, statistic: Any, ask: Quest, *, more: bool) -> Fitted | Again:
        if ask.stage == "last":
            return self._finish(statistic, ask, more)
        if ask.stage == "left out":
            return self._finish(ask.whole, self._chosen(ask, self._validated(ask, statistic)), more)
        whole: Any = statistic.whole if isinstance(statistic, Folded) else statistic
        self.refuse_nothing(whole.weight)
        moved = better_shift(whole, ask.inner) if more else None
        if moved is not None:
            return Again(replace(ask, inner=moved))
        with one_blas_thread():
            return self._judge(whole, statistic, ask, more)

    def _judge(self, whole: Any, statistic: Any, ask: Quest, more: bool) -> Fitted | Again:
        seen = spectrum(whole, self.centred)
        tried = self._tried(seen)
        compared = np.concatenate([np.zeros(int(self._determined(seen))), tried])
        known = replace(ask, whole=whole, seen=seen, penalties=compared)
        if self.cv is None:
            return Again(replace(known, stage="left out", inner=ask.inner.next()), whole)
        if isinstance(statistic, Folded):
            known = self._run(known, statistic)
            if len(known.runs) < len(known.folds if known.folds is not None else ()):
                return Again(replace(known, inner=ask.inner.next()), whole)
        return self._finish(whole, self._chosen(known, self._validated(known, statistic)), more)

    def _run(self, ask: Quest, statistic: Folded) -> Quest:
        """The errors of these repeats' folds beside those known."""
        assert ask.penalties is not None
        self._refuse_empty(statistic)
        found = (fold_errors(repeat, ask.penalties, self.centred) for repeat in statistic.repeats)
        return replace(ask, runs=(*ask.runs, *found))

    def _tried(self, seen: Spectrum) -> Array:
        """The penalties λ to try."""
        if self.alphas is None:
            return penalty_range(seen)
        return FACTORS[self.penalty] * np.atleast_1d(np.asarray(self.alphas, dtype=np.float64))

    def _determined(self, seen: Spectrum) -> bool:
        """Whether least squares is there to compare with."""
        width = len(seen.mean)
        full = len(seen.values) == width and bool((seen.values > 1e-12 * seen.values.max(initial=0.0)).all())
        return full and seen.weight > width + 2

    def _validated(self, ask: Quest, statistic: Any) -> Validation:
        assert ask.seen is not None and ask.penalties is not None
        baseline = self._determined(ask.seen)
        if isinstance(statistic, LeaveOneOut):
            found = Validation.of_left_out(statistic, baseline)
        elif ask.runs:
            found = Validation.of_folds(np.stack(ask.runs), baseline)
        else:
            found = Validation(generalised(ask.seen, ask.penalties), None, baseline)
        return found if self.alpha_per_target else found.over_targets()

    def _refuse_empty(self, statistic: Folded) -> None:
        for repeat in statistic.repeats:
            if (repeat.gram[:, -1, -1] == 0).any():
                empty = int(np.argmin(repeat.gram[:, -1, -1]))
                raise ValueError(f"RidgeCV: sample_weight is zero for every row of fold {empty}: use fewer folds")

    def _chosen(self, ask: Quest, found: Validation) -> Quest:
        assert ask.seen is not None and ask.penalties is not None
        tried = ask.penalties[int(found.has_baseline) :]
        rule: Any = self.selection
        effective = ask.seen.shares(tried).sum(axis=1)
        choice = choose(found, tried, rule, effective, ask.seen.weights(tried))
        return replace(ask, stage="last", choice=choice)

    def _finish(self, statistic: Any, ask: Quest, more: bool) -> Fitted | Again:
        assert ask.choice is not None
        chosen = np.broadcast_to(ask.choice.penalties[ask.choice.chosen], (ask.inner.n_targets,))
        step = solve_penalised(statistic, ask.inner, np.array(chosen), more)
        kept = statistic if isinstance(statistic, Moments | Triangle) else None
        if isinstance(step, Ask):
            return Again(replace(ask, inner=step), kept)
        return Fitted(Tuned(step, ask.choice), kept)

    def ask_like(self, statistic: Any) -> Quest:
        if not self._by_sums:
            raise ValueError("RidgeCV: models can be added up with cv='gcv' alone: other validations need the rows")
        return Quest(ask_for_more(statistic, self.centred, None))

    @property
    def shrunk(self) -> Shrunk:
        return self._tuned.shrunk

    @property
    def _tuned(self) -> Tuned:
        self.check_fitted()
        found: Tuned = self.solution_
        return found

    @property
    def alpha_(self) -> Any:
        """The penalty taken, as `alphas` counts it; one for each target with `alpha_per_target`."""
        choice = self._tuned.choice
        alphas = choice.penalties[choice.chosen] / FACTORS[self.penalty]
        return alphas if self.alpha_per_target and not self.single_target_ else float(alphas[0])

    @property
    def best_score_(self) -> Any:
        """Minus the mean squared error of the penalty taken, on rows left out."""
        choice = self._tuned.choice
        scores = -choice.mean[choice.chosen, np.arange(len(choice.chosen))]
        return scores if self.alpha_per_target and not self.single_target_ else float(scores[0])

    def chosen(self) -> tuple[dict[str, float], float] | None:
        """The penalty taken and its mean squared error on rows left out; None where targets have penalties apart."""
        return None if np.ndim(self.alpha_) else ({"alpha": self.alpha_}, -float(self.best_score_))

    def facts(self, level: float = 0.95) -> Facts:
        """The choice in words and curves, then what `Ridge` knows."""
        choice, factor = self._tuned.choice, FACTORS[self.penalty]
        names = self.target_names_ if len(choice.chosen) > 1 else [" and ".join(self.target_names_)]
        statement = choice_statement(choice, factor, self._how(), self.alphas is None, names)
        curves = [errors_curve(choice, factor, self._how(), name, k) for k, name in enumerate(names)]
        curves += [*run_curves(choice, factor), effective_curve(choice, factor), *self._paths()]
        found: list[Statement | Curve] = [statement, *curves]
        return Facts([*found, *self.own_facts(level).all(), self.card])

    def _paths(self) -> list[Curve]:
        sums: Any = self.statistic_
        names = (*self.column_names(), "intercept") if self.own_ones else self.column_names()
        look = self._tuned.choice, FACTORS[self.penalty], names, spectrum(sums, self.centred).deviations()
        return [path_curve(*look, k, target) for k, target in enumerate(self.target_names_)]

    def _how(self) -> str:
        if self.cv is None:
            return "leaving out every row once"
        if self._by_sums:
            return "generalised cross-validation"
        return how_drawn(self.cv, self.repeats)
