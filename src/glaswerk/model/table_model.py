"""A learner bound to the columns of a table by their names: what was fitted to a table predicts for tables.

    ŷ = learner(design(columns))

Cost: that of the design and of the learner. When not to use it: rows that are numbers already (take the bare learner).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from glaswerk import archive
from glaswerk import table as tables
from glaswerk.base import Allowed, Array, Parametric, Pipeline, Target, clone, none, one_of
from glaswerk.design.encoding import Graded, Levels
from glaswerk.evaluate import Search
from glaswerk.evaluate.band import Band
from glaswerk.evaluate.extrapolation import Extent, Extrapolation
from glaswerk.evaluate.interpretation import interpret
from glaswerk.evaluate.problem import weight_name
from glaswerk.evaluate.sequence import fitted_path, path_parameter
from glaswerk.facts import Coefficients, Facts, Statement
from glaswerk.model.banded import WAYS, band_from, band_of, limits_of, sets_of, stored_band
from glaswerk.model.described import described, rebuilt
from glaswerk.model.reach import judge, reach_of
from glaswerk.model.rows_problem import RowsProblem
from glaswerk.model.sheet import Sheet
from glaswerk.model.table_design import TableDesign
from glaswerk.model.target_rows import TargetRows
from glaswerk.model.task import Task
from glaswerk.model.wording import tell_failed
from glaswerk.scoring import accuracy_score, r2_score
from glaswerk.table import TableError
from glaswerk.table.errors import shown

if TYPE_CHECKING:
    from glaswerk.table import TypedTable

Functions = Mapping[str, Callable[..., Any]]
estimator = Allowed("a learner with fit and predict", lambda v: hasattr(v, "fit") and hasattr(v, "predict"))
design_or_none = none() | Allowed("a TableDesign", lambda v: isinstance(v, TableDesign))


class Model(Parametric):
    """A learner of ours (or one that speaks scikit-learn's language) with a design, fitted to a table by column names.

    Tables are whatever `read_table` takes: a path, a dataframe, a dictionary of lists, a typed table. Rows whose target
    or weight is missing are left out of the fit, and counted in `dropped_`.

    Parameters
    ----------
    learner : what is fitted to the design matrix; itself left as it is, the fitted copy is `learner_`.
    design : how columns become numbers; None takes `TableDesign()`, and for a learner that takes categories and gaps as
        they are `TableDesign(categories="codes", missing="keep")`.
    intervals : None takes the learner's own theory of its errors, where it has one. "cv+" and "jackknife+" fit design
        and learner again without each of ten folds (without each row) and measure there how far off predictions are:
        intervals for any regressor, and for classifiers `predict_set`. "normalised" is CV+ whose intervals are wider
        where predictions of that size missed by more. The cost is so many more fits.

    >>> from glaswerk.learners import LinearRegression
    >>> homes = {"size": [50, 60, 80, 90, 100], "garden": ["no", "no", "yes", "no", "yes"], "price": [1, 2, 6, 5, 8]}
    >>> model = Model(LinearRegression()).fit(homes, target="price")
    >>> model.predict({"garden": ["yes"], "size": [120]}).round(6)
    array([10.])
    """

    parameters: ClassVar[dict[str, Allowed]] = {
        "learner": estimator, "design": design_or_none, "intervals": none() | one_of(*WAYS),
    }  # fmt: skip
    design_: TableDesign

    def __init__(self, learner: Any, design: TableDesign | None = None, intervals: str | None = None) -> None:
        self.learner = learner
        self.design = design
        self.intervals = intervals

    def fit(
        self, table: Any, *, target: str, weight: str | None = None, task: str | None = None,
        positive: str | None = None,
    ) -> Self:  # fmt: skip
        """Fit to the rows of a table; all columns but `target` and `weight` are inputs."""
        if isinstance(self.learner, type):
            raise TypeError(
                f"learner must be an instance: write {self.learner.__name__}(), not {self.learner.__name__}"
            )
        self.check_parameters()
        typed = tables.read_table(table)
        rows = TargetRows(typed, target, weight, task, positive)
        self.fit_rows(rows, np.arange(len(rows.truth)))
        self.reach_ = reach_of(rows.inputs, self.design_, rows.weight)
        return self

    def fit_rows(self, known: TargetRows, rows: NDArray[np.integer]) -> Self:
        """Fit to some of the rows whose target is known: what validation calls, again and again."""
        self.check_parameters()
        self._refuse_other_task(known.task)
        if isinstance(self.learner, Search):
            self._searched(known, rows)
            return self._banded(known, rows)
        asked = rows
        matrix, truth, weight = self._prepared(known, rows)
        learner = clone(self.learner)
        if getattr(learner, "takes_groups", False) and learner.groups is None:
            learner.set_params(groups=self.design_.together_)
        weighting = {weight_name(learner): weight} if weight.size else {}
        self.learner_ = learner.fit(matrix, truth, **weighting)
        return self._banded(known, asked)

    def _banded(self, known: TargetRows, rows: NDArray[np.integer]) -> Self:
        """Fit the models of the folds that intervals are measured by, where they are asked for."""
        self.__dict__.pop("band_", None)
        if self.intervals is not None:
            plain = clone(self).set_params(intervals=None)
            self.band_: Band = band_of(known, bound, plain, rows, self.intervals)
        return self

    def fit_rows_path(
        self, known: TargetRows, rows: NDArray[np.integer], name: str, values: Sequence[Any]
    ) -> list[Self] | None:
        """One fitted model per value of a parameter of the learner, from one walk; None where it has no such walk."""
        if not path_parameter(self, name):
            return None
        self.check_parameters()
        self._refuse_other_task(known.task)
        matrix, truth, weight = self._prepared(known, rows)
        path = fitted_path(
            clone(self.learner), matrix, truth, name.partition("__")[2], values, weight if weight.size else None
        )
        models = []
        for learner, value in zip(path or [], values, strict=True):
            model = clone(self).set_params(**{name: value})
            vars(model).update({key: part for key, part in vars(self).items() if key.endswith("_")}, learner_=learner)
            models.append(model)
        return models

    def as_search(self) -> Search:
        """Of a model whose learner is a search: the search over whole models, so that designs are refitted inside."""
        inner = self.learner
        space = {f"learner__{name}": values for name, values in inner.space.items()}
        return clone(inner).set_params(estimator=Model(inner.estimator, self.design), space=space)

    def _searched(self, known: TargetRows, rows: NDArray[np.integer]) -> Self:
        """Search, design and learner fitted anew in every inner fold; what was found becomes this model's own."""
        search = self.as_search().fit_within(RowsProblem(known, bound), rows.astype(np.int64))
        best = search.best_estimator_
        self.__dict__.update({key: part for key, part in vars(best).items() if key.endswith("_")})
        self.search_ = search.search_
        return self

    def _prepared(self, known: TargetRows, rows: NDArray[np.integer]) -> tuple[Any, Target, Array]:
        """Matrix, target and weights for the learner; the design is fitted on the way."""
        design = design_for(self.learner) if self.design is None else clone(self.design)
        sheet = known.inputs.take(rows)
        complete = design.complete_rows(sheet)
        self.dropped_ = known.dropped
        if len(complete) < len(rows):
            self.dropped_ = (*self.dropped_, ("an input is missing", len(rows) - len(complete)))
            sheet, rows = sheet.take(complete), rows[complete]
        if not len(rows):
            raise TableError(f"no row is left to learn {shown(known.task.target)} from: {self._told_dropped()}")
        weight = known.weight[rows] if known.weight.size else known.weight
        self.task_, self.weight_name_, self.reach_ = known.task, known.weight_name, None
        self.design_ = design.fit(sheet, weight)
        truth = Target.of(known.truth[rows], known.task.target)
        return self.design_.transform(sheet), truth, weight

    def predict(self, table: Any) -> NDArray[Any]:
        """A number, or the name of a class, for every row; rows outside the training rows are warned of."""
        if isinstance(table, Sheet):
            return np.asarray(self.learner_.predict(self._matrix(table)))
        self.check_fitted()
        sheet = Sheet(self.read(table))
        found = np.asarray(self.learner_.predict(self._matrix(sheet)))
        if self.reach_ is not None:
            judge(self.reach_, sheet).warn()
        return found

    def extrapolation(self, table: Any) -> Extrapolation:
        """Which rows lie outside the training rows, by the numeric columns: in no range, or in no combination, seen."""
        self.check_fitted()
        if self.reach_ is None:
            raise ValueError("the model has no numeric column by which rows could lie outside, or none was kept")
        return judge(self.reach_, Sheet(self.read(table)))

    def interpretation(self, units: Mapping[str, str] | None = None) -> Facts:
        """Each coefficient of a linear learner in a sentence, with its unit and interval, and what it does not say.

        units : the unit of a column or of the target, by name ("kg"). A scaled design counts in standard deviations.
        """
        known = [fact for fact in self._last.facts() if isinstance(fact, Coefficients)]
        if not known:
            raise TypeError(f"{type(self._last).__name__} has no coefficients to interpret")
        encoders = self.design_.encoders_
        references = {e.column: e.reference for e in encoders if isinstance(e, Levels) and e.reference is not None}
        references |= {e.column: e.grades[0] for e in encoders if isinstance(e, Graded) and len(e.grades) == 2}
        told = dict(units or {})
        if self.design_.scale:
            present = {row.name for row in known[0].rows}
            told |= {name: "standard deviation" for name in self.design_.scaled_names if name in present}
        return Facts([interpret(fact, told, references) for fact in known])

    def predict_interval(self, table: Any, level: float = 0.9) -> Array:
        """Lower and upper limits (n, 2) that hold a new value of the target with probability `level`."""
        self.check_fitted()
        if not self.gives_intervals:
            raise TypeError(
                f"{type(self.learner_).__name__} gives no intervals of its own: fit Model(…, intervals='cv+') "
                "(glaswerk fit --intervals cv+), or choose a learner with predict_interval"
            )
        if hasattr(self, "band_"):
            sheet = self._sheet(table)
            return np.asarray(limits_of(self.band_, self.predict(sheet), sheet, level))
        rows = self._matrix(table)
        if isinstance(self.learner_, Pipeline):
            rows = self.learner_[:-1].transform(rows)
        return np.asarray(self._last.predict_interval(rows, level))

    @property
    def gives_intervals(self) -> bool:
        """Whether `predict_interval` can be asked."""
        found = hasattr(self._last, "predict_interval") or hasattr(self, "band_")
        return found and self.task_.name == "regression"

    def predict_set(self, table: Any, level: float = 0.9) -> NDArray[np.bool_]:
        """(n, classes): which classes are in the set that holds the true one with probability `level`."""
        self.check_fitted()
        if self.task_.name == "regression" or not hasattr(self, "band_"):
            raise TypeError(
                "predict_set needs a classification fitted with Model(…, intervals='cv+'): glaswerk fit --intervals cv+"
            )
        return sets_of(self.band_, self._sheet(table), level)

    def predict_proba(self, table: Any) -> Array:
        """Probabilities (n, classes) in the order of `classes_`; 0 for a class that no training row had."""
        return self.shares_of(self._matrix(table))

    def shares_of(self, rows: Any) -> Array:
        """The same for rows of the design matrix."""
        if not hasattr(self.learner_, "predict_proba"):
            raise TypeError(
                f"{type(self.learner_).__name__} gives no probabilities: choose a learner with predict_proba"
            )
        found = np.asarray(self.learner_.predict_proba(rows))
        shares = np.zeros((len(found), len(self.classes_)))
        place = {name: k for k, name in enumerate(self.classes_)}
        shares[:, [place[str(name)] for name in self.learner_.classes_]] = found
        return shares

    def score(self, table: Any) -> float:
        """R² of a regression, the share of right classes of a classification, on the rows whose target is there."""
        typed = self.read(table)
        truth, missing = self.task_.truth(typed[self.task_.target])
        weight = typed[self.weight_name_].numbers() if self.weight_name_ in typed.names else None
        rows = np.flatnonzero(~missing if weight is None else ~missing & ~np.isnan(weight))
        if not len(rows):
            raise TableError(f"target {shown(self.task_.target)} has no value in any of {len(missing)} rows")
        found = np.asarray(self.learner_.predict(self.design_.transform(Sheet(typed).take(rows))))
        metric = r2_score if self.task_.name == "regression" else accuracy_score
        return float(metric(truth[rows], found, sample_weight=None if weight is None else weight[rows]))

    @property
    def classes_(self) -> tuple[str, ...]:
        self.check_fitted()
        return self.task_.classes

    def facts(self) -> Facts:
        """What the learner knows, in the table's own names; what became of each column; the question and its rows."""
        known = self._last.facts() if hasattr(self._last, "facts") else ()
        searched = [self.search_] if hasattr(self, "search_") else []
        asked = Statement("The question", tuple(s for s in (self.task_.reason, self._told_dropped()) if s))
        return Facts([*searched, *known, self.design_.facts(), asked])

    def save(self, path: str | os.PathLike[str], *, functions: Functions | None = None) -> None:
        """Store the fitted model: plain values and arrays, nothing that can run. `glaswerk.load` reads it."""
        archive.write(path, self.as_tree(dict(functions or {})), kind="model")

    def as_tree(self, functions: dict[str, Callable[..., Any]]) -> dict[str, Any]:
        """What a file holds of this model."""
        self.check_fitted()
        return {
            "model": described(self.learner_, functions),
            "design": self.design_.as_tree(functions),
            "task": self.task_,
            "weight": self.weight_name_,
            "dropped": self.dropped_,
            "reach": self.reach_,
            **({"band": stored_band(self.band_, str(self.intervals), functions)} if hasattr(self, "band_") else {}),
        }

    @classmethod
    def of_tree(cls, tree: dict[str, Any], functions: dict[str, Callable[..., Any]]) -> Self:
        """The model a file holds; a tree that is none is a ValueError."""
        tree = {"reach": None, **tree}  # a file of the first days has none
        if tree.keys() - {"band"} != {"model", "design", "task", "weight", "dropped", "reach"}:
            raise ValueError("a model of a table has a learner, a design, a task, a weight and a count of dropped rows")
        parts = (("task", Task), ("weight", str | None), ("dropped", tuple), ("reach", Extent | None))
        wrong = [name for name, kind in parts if not isinstance(tree[name], kind)]
        if wrong or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in tree["dropped"]):
            raise ValueError(f"{' and '.join(wrong) or 'dropped'} of the model is of another type")
        learner, design = rebuilt(tree["model"], functions, "learner"), TableDesign.of_tree(tree["design"], functions)
        if learner.n_features_in_ != len(design.names_):
            raise ValueError(
                f"the learner takes {learner.n_features_in_} columns, the design makes {len(design.names_)}"
            )
        model = cls(clone(learner), clone(design))
        model.learner_, model.design_ = learner, design
        model.task_, model.weight_name_, model.dropped_ = tree["task"], tree["weight"], tree["dropped"]
        model.reach_ = tree["reach"]
        if "band" in tree:
            model.intervals, model.band_ = band_from(tree["band"], lambda one: cls.of_tree(one, functions))
        return model

    def _matrix(self, table: Any) -> Any:
        self.check_fitted()
        return self.design_.transform(self._sheet(table))

    def _sheet(self, table: Any) -> Sheet:
        return table if isinstance(table, Sheet) else Sheet(self.read(table))

    def read(self, table: Any, **reading: Any) -> "TypedTable":
        """The table with the kinds of training, so that a column of digits that was a category stays one.

        `reading` are options of `read_table`; what it says of kinds and levels goes before what training knew.
        """
        self.check_fitted()
        typed = tables.read_table(table, **reading)
        if typed is table:
            return typed
        wanted = {
            name: kind
            for name, kind in self.design_.kinds_.items()
            if name in typed.names and str(typed[name].kind) != kind and name not in dict(self.design_.aside_)
        }
        if wanted:
            typed = tables.read_table(table, kinds=wanted, levels=self.design_.levels_of(wanted))
            tell_failed(typed, wanted)
        return typed

    @property
    def _last(self) -> Any:
        """The learner, or the last step of a pipeline."""
        self.check_fitted()
        return self.learner_[-1] if isinstance(self.learner_, Pipeline) else self.learner_

    def _refuse_other_task(self, task: Task) -> None:
        tags = getattr(self.learner, "__sklearn_tags__", None)
        kind = None if tags is None else tags().estimator_type
        if (kind, task.name) in (("regressor", "classification"), ("classifier", "regression")):
            fits = "numbers" if kind == "regressor" else "classes"
            raise ValueError(
                f"{type(self.learner).__name__} predicts {fits}, and this is a {task.name}: {task.reason}"
                f"{f' ({task.hint})' if task.hint else ''}"
            )

    def _told_dropped(self) -> str:
        return "; ".join(f"{count} row(s) left out: {why}" for why, count in self.dropped_)


def design_for(learner: Any) -> TableDesign:
    """The design a learner gets where none is asked for."""
    last = learner[-1] if isinstance(learner, Pipeline) else learner
    as_they_are = last is learner and getattr(last, "takes_categories", False)
    return TableDesign(categories="codes", missing="keep") if as_they_are else TableDesign()


def bound(candidate: Any) -> Model:
    """A fresh model: the candidate's copy, or a bare learner with the default design."""
    return clone(candidate) if isinstance(candidate, Model) else Model(clone(candidate))
