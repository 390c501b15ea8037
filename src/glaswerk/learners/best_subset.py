"""Best subset regression: of all subsets of the columns those that fit best, and of their sizes one.

    ŷ = w₀ + Σ_{j ∈ S} wⱼ xⱼ,   S and w minimise Σ (y - ŷ)² over all S of one size               [TRE-SUBSET] [TRE-LS]

Cost: one pass of n d² / 2 multiplications, then a search that is exponential at worst: 40 columns take a moment; 60
that resemble each other may not end, and then it is said how far from the best the answer can be.
When not to use it: many columns of little use each (ridge), or when errors of the coefficients are wanted.
"""

import warnings
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, DataConversionWarning, flag, integer, none, one_of, thread_count
from glaswerk.facts import Coefficient, Coefficients, Facts, Goodness, MethodCard, Numerics
from glaswerk.learner import Again, Fitted, Learner, LinearModel
from glaswerk.passes import Block, one_blas_thread
from glaswerk.scoring.drawing import draw_folds, how_drawn, splitting
from glaswerk.stats.folded import Folded, Folds
from glaswerk.stats.inference import Inference
from glaswerk.stats.ladder import ask_for_more, climb
from glaswerk.stats.moments import Moments
from glaswerk.stats.penalty import better_shift
from glaswerk.stats.rungs import Ask, Solution
from glaswerk.stats.subset import best_subsets, moments_of, subset_errors
from glaswerk.stats.subset_choice import SubsetChoice, choice_statement, sizes_curve, sizes_table, take


@storable("Chosen", version=1)
@dataclass(frozen=True, eq=False)
class Chosen:
    """Least squares on the columns taken, and what made them be taken."""

    solution: Solution
    choice: SubsetChoice


@dataclass(frozen=True, eq=False)
class Quest:
    """Where the fit stands: sums of all columns first, then of those chosen."""

    inner: Ask
    folds: Folds | None = None
    choice: SubsetChoice | None = None

    @property
    def passes(self) -> int:
        return self.inner.passes

    @property
    def taken(self) -> NDArray[np.int64]:
        assert self.choice is not None
        return np.flatnonzero(self.choice.columns[self.choice.taken])


class BestSubsetRegression(LinearModel):
    """Least squares on the best subset of the columns, every size searched to the end, or the gap stated.

    One target. The search sees the moments alone; inside cross-validation it is made anew for every fold.

    Parameters
    ----------
    max_features : most columns to consider; None: all, or as many as the rows can bear.
    selection : how many columns to take. "bic": least BIC. "cv": least error on folds left out. "1se": fewest columns
        within one standard error of that. A number: so many.
    cv : folds for "cv" and "1se": a number, a splitter or a list of splits whose test sets part the rows.
    groups : columns that are taken or left together: None, or a list with one lot of names, of column numbers, or a
        prefix that names share ("colour=") for each group. Columns in no group stand for themselves. In a `Model` None
        means: the columns that one column of the table became, such as the levels of a category; [] leaves them apart.
    node_limit : nodes after which a search ends unproved.
    random_state : seed of the folds; None takes consecutive stretches of rows.
    fit_intercept, n_jobs : as `LinearRegression`.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 6))
    >>> model = BestSubsetRegression().fit(X, 2 * X[:, 1] - X[:, 4])
    >>> model.get_support(indices=True)
    array([1, 4])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "max_features": none() | integer(1),
        "selection": one_of("bic", "cv", "1se") | integer(0),
        "cv": splitting(),
        "groups": none()
        | Allowed("a list of prefixes, or lots of names or numbers", lambda v: isinstance(v, list | tuple)),
        "node_limit": integer(1),
        "random_state": none() | integer(0),
        "fit_intercept": flag(),
        "n_jobs": thread_count(),
    }
    takes_groups: ClassVar[bool] = True
    fitted: ClassVar[dict[str, type]] = {**Learner.fitted, "solution_": Chosen, "statistic_": Moments}
    card: ClassVar[MethodCard] = MethodCard(
        name="best subset regression",
        formula="ŷ = w₀ + Σ wⱼ xⱼ over the columns chosen, which minimise Σ (y - ŷ)² for their number",
        equations=("TRE-SUBSET", "TRE-LS"),
        cost="n d² / 2 multiplications in one pass, then a search that is exponential in the columns at worst",
        assumes=(
            "the mean of y is linear in some of the columns",
            "the other columns are of no use at all rather than of little",
        ),
        restriction_bias="only functions linear in the given columns can be found",
        preference_bias="few columns; of as many the smallest sum of squares",
        not_for=("a category as target", "errors and p values of coefficients", "hundreds of columns"),
    )

    def __init__(
        self,
        max_features: int | None = None,
        *,
        selection: Any = "bic",
        cv: Any = 10,
        groups: Any = None,
        node_limit: int = 1_000_000,
        random_state: int | None = 0,
        fit_intercept: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.max_features = max_features
        self.selection = selection
        self.cv = cv
        self.groups = groups
        self.node_limit = node_limit
        self.random_state = random_state
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.target_tags.single_output = True
        return tags

    @property
    def _validates(self) -> bool:
        return isinstance(self.selection, str) and self.selection in ("cv", "1se")

    @property
    def partial_fit(self) -> Any:
        """Add rows to what is known; there unless the size is cross-validated, which needs all rows at once."""
        if self._validates:
            raise AttributeError("BestSubsetRegression has partial_fit with selection='bic' or a number alone")
        return super().partial_fit

    def begin(self, head: Block, n_rows: int | None) -> Quest:
        if head.Y.shape[1] != 1:
            raise ValueError(f"BestSubsetRegression: y has {head.Y.shape[1]} targets; it searches for one at a time")
        if not self.single_target_:
            text = "A column-vector y was passed when a 1d array was expected: it is taken as one"
            warnings.warn(text, DataConversionWarning, stacklevel=6)
            self.single_target_ = True
        inner = replace(self.first_look(head, n_rows, bool(self.fit_intercept)), what="moments")
        return Quest(inner, draw_folds(self.cv, n_rows or 0, 1, self.random_state) if self._validates else None)

    def observe(self, block: Block, ask: Quest) -> Any:
        self.checked(block, ask.inner)
        X, low = block.X, block.X_low
        if ask.choice is not None:
            X, low = X[:, ask.taken], None if low is None else low[:, ask.taken]
        found: Any = ask.inner.observe(X, block.Y, block.weight, low)
        self.refuse_unusable(found.sums, block)
        if ask.folds is None or ask.choice is not None:
            return found
        here, shift = ask.folds[:, block.first : block.first + len(block)], ask.inner.shift
        n_folds = int(ask.folds.max()) + 1
        return Folded.of(found, X, block.Y, block.weight, shift=shift, folds=here, n_folds=n_folds)

    def solve(self, statistic: Any, ask: Quest, *, more: bool) -> Fitted | Again:
        if ask.choice is not None:
            return self._finish(statistic, ask, None, more)
        whole: Any = statistic.whole if isinstance(statistic, Folded) else statistic
        self.refuse_nothing(whole.weight)
        moved = better_shift(whole, ask.inner) if more else None
        if moved is not None:
            return Again(replace(ask, inner=moved))
        with one_blas_thread():
            choice = self._choose(whole, statistic.repeats[0] if isinstance(statistic, Folded) else None)
        columns = np.flatnonzero(choice.columns[choice.taken])
        shift = np.append(ask.inner.shift[columns], ask.inner.shift[-1:])
        chosen = Quest(replace(ask.inner, shift=shift), choice=choice)
        return self._finish(moments_of(whole, columns), chosen, whole, more)

    def _finish(self, statistic: Any, ask: Quest, whole: Moments | None, more: bool) -> Fitted | Again:
        step = climb(statistic, ask.inner, more)
        if isinstance(step, Ask):
            return Again(replace(ask, inner=step), whole)
        assert ask.choice is not None
        return Fitted(Chosen(step, ask.choice), whole)

    def _choose(self, whole: Moments, folds: Any) -> SubsetChoice:
        centred, groups = bool(self.fit_intercept), self._group_numbers()
        most = self._most(whole.weight)
        found = best_subsets(whole, centred, groups, most, self.node_limit)
        errors = np.zeros((0, 0))
        if folds is not None:
            errors = subset_errors(folds, centred, groups, most, self.node_limit)
        d = len(groups)
        left = whole.weight - d - centred
        all_columns = found if most == d else best_subsets(whole, centred, np.zeros(d, np.int64), d)
        rest = float(np.minimum.accumulate(all_columns.rss)[-1])
        choice = SubsetChoice(
            found.rss, found.columns, found.gap, found.nodes, errors, 0, whole.weight,
            rest / left if left > 0 else float("nan"), centred,
        )  # fmt: skip
        return replace(choice, taken=self._taken(choice))

    def _most(self, weight: float) -> int:
        d = self.n_features_in_
        most = d if self.max_features is None else self.max_features
        if most > d:
            raise ValueError(f"BestSubsetRegression: max_features must be at most the {d} columns, got {most}")
        wanted = self.selection if not isinstance(self.selection, str) else 0
        if wanted > most:
            raise ValueError(f"BestSubsetRegression: selection must be at most {most} columns, got {wanted}")
        # Beyond it the rows are fitted exactly, and no criterion has a meaning.
        return int(max(1, wanted, min(most, np.ceil(weight) - bool(self.fit_intercept) - 1)))

    def _taken(self, choice: SubsetChoice) -> int:
        if isinstance(self.selection, str):
            return take(choice, self.selection)  # type: ignore[arg-type]
        size = int(self.selection)
        if not choice.exist[size]:
            raise ValueError(
                f"BestSubsetRegression: no subset of {size} columns fits better than a smaller one; "
                f"choose one of {', '.join(map(str, np.flatnonzero(choice.exist)))}"
            )
        return size

    def _group_numbers(self) -> NDArray[np.int64]:
        """For every column the number of its group."""
        names, d = self.column_names(), self.n_features_in_
        numbers = np.arange(d)
        for lot in self.groups or ():
            members = _members(lot, names)
            if (numbers[members] != members).any() or len(set(members)) != len(members):
                raise ValueError(f"BestSubsetRegression: groups must not share columns, got {lot!r}")
            numbers[members] = d + members[0]
        return numbers.astype(np.int64)

    def ask_like(self, statistic: Any) -> Quest:
        if self._validates:
            raise ValueError("BestSubsetRegression: models can be added up with selection='bic' or a number alone")
        return Quest(ask_for_more(statistic, bool(self.fit_intercept), None))

    def chosen(self) -> tuple[dict[str, int], None]:
        """How many columns were taken; their BIC is no error on rows left out."""
        choice = self._chosen.choice
        return {"columns": int(np.count_nonzero(choice.columns[choice.taken]))}, None

    @property
    def _chosen(self) -> Chosen:
        self.check_fitted()
        found: Chosen = self.solution_
        return found

    def plane(self) -> tuple[Array, Array]:
        found = self._chosen
        w = np.zeros((1, self.n_features_in_))
        w[:, self.get_support()] = found.solution.coefficients
        return w, found.solution.intercept

    def get_support(self, indices: bool = False) -> NDArray:
        """Which columns were taken, as a mask or as numbers."""
        mask = self._chosen.choice.columns[self._chosen.choice.taken]
        return np.flatnonzero(mask) if indices else mask

    def predict(self, X: Any) -> Any:
        """ŷ for every row."""
        return self.usable_rows(X)[1]

    def facts(self) -> Facts:
        """The choice in words, every size with its criteria, the error over the sizes, the coefficients, the method."""
        s, choice, names = self._chosen.solution, self._chosen.choice, self.column_names()
        target = self.target_names_[0]
        taken = tuple(names[j] for j in self.get_support(indices=True))
        inference = Inference(s, taken, s.weight - s.factor.rank - choice.centred, s.weight, choice.centred)
        fit: Goodness = inference.goodness(0, target, likely=True)
        note = "degrees of freedom do not count the search: σ is too small by what choosing has gained"
        numerics: Numerics = inference.numerics()
        return Facts([
            choice_statement(choice, names, self._how(), self._group_numbers()), sizes_table(choice, names, target),
            sizes_curve(choice, target), self._coefficients(taken, target),
            replace(fit, notes=(*fit.notes, note)), numerics, self.card,
        ])  # fmt: skip

    def _coefficients(self, taken: tuple[str, ...], target: str) -> Coefficients:
        s = self._chosen.solution
        rows = [Coefficient(name, float(w)) for name, w in zip(taken, s.coefficients[0], strict=True)]
        if self._chosen.choice.centred:
            rows.insert(0, Coefficient("intercept", float(s.intercept[0])))
        return Coefficients(target, 0.95, tuple(rows), ("no errors: these columns were chosen because they fit",))

    def _how(self) -> str:
        if not isinstance(self.selection, str):
            return "request"
        if self.selection == "bic":
            return "least BIC"
        rule = "least error" if self.selection == "cv" else "fewest columns within one standard error of the least"
        return f"{rule} in {how_drawn(self.cv)}"

    def check_restored(self) -> None:
        """Solution, choice and sum must speak of the same columns."""
        sums: Any = self.statistic_
        d, chosen = self.n_features_in_, self._chosen
        taken = int(chosen.choice.columns[chosen.choice.taken].sum())
        if chosen.choice.columns.shape[1] != d or sums.shift.size != d + 1:
            raise ValueError(f"solution_ or statistic_ does not belong to {d} columns and one target")
        if chosen.solution.coefficients.shape != (1, taken):
            raise ValueError(f"a solution of {taken} columns has another number of coefficients")


def _members(lot: Any, names: tuple[str, ...]) -> NDArray[np.int64]:
    """The columns of one group: by prefix, by name or by number."""
    if isinstance(lot, str):
        found = [j for j, name in enumerate(names) if name.startswith(lot)]
    else:
        found = [names.index(item) if item in names else item for item in lot]
    bad = [item for item in found if not isinstance(item, int | np.integer) or not 0 <= item < len(names)]
    if not found or bad:
        what = f"unknown {bad[0]!r}" if bad else f"no column for {lot!r}"
        raise ValueError(f"BestSubsetRegression: groups must name columns of the table; {what} in {lot!r}")
    return np.array(found, dtype=np.int64)
