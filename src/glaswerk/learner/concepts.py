"""Concept learners: columns of words become attributes, rows become places in them, one class is the concept."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from glaswerk.base import Allowed, Classifier, find_unusable, none
from glaswerk.base.mixed import level_name
from glaswerk.facts import Table
from glaswerk.learner.learner import target_names
from glaswerk.scoring import accuracy_score
from glaswerk.stats.concepts.attributes import Attribute, Ranges, nominal, ordered, tree
from glaswerk.stats.concepts.language import Language
from glaswerk.stats.labels import classes_of, labels_of

Flags = NDArray[np.bool_]
SHOWN = 8


def _named_lists(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(v, Sequence) and not isinstance(v, str) for v in value.values()
    )


def _lists(value: Any) -> bool:
    plain = isinstance(value, list | tuple)
    return plain and all(isinstance(v, Sequence) and not isinstance(v, str) for v in value)


def _names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


DOMAINS = none() | Allowed("a dictionary of column: values, or one list of values per column", lambda v: (
    _named_lists(v) or _lists(v)
))  # fmt: skip
ORDERED = none() | Allowed("a dictionary of column: values in order, or a list of columns", lambda v: (
    _named_lists(v) or _names(v)
))  # fmt: skip
TREES = none() | Allowed("a dictionary of column: tree", lambda v: isinstance(v, Mapping))
POSITIVE = none() | Allowed("the label of the concept", lambda v: isinstance(v, str | int | bool | np.integer))


class ConceptLearner(Classifier):
    """Interface: rows of discrete values, a target of two classes of which one is the concept.

    Columns of words are taken as they are; numbers count as names of values. Without `domains` the values are those
    seen, and others may come: only `?` accepts them.
    """

    takes_categories: ClassVar[bool] = True
    parameters: ClassVar[dict[str, Allowed]] = {
        "domains": DOMAINS, "ordered": ORDERED, "trees": TREES, "positive": POSITIVE,
    }  # fmt: skip
    fitted: ClassVar[dict[str, type]] = {
        **Classifier.fitted, "levels_": tuple, "language_": Language, "target_names_": list,
    }  # fmt: skip

    domains: Any
    ordered: Any
    trees: Any
    positive: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True  # numbers that are all different are names that never come again
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def read(self, X: Any, y: Any) -> tuple[Ranges, Flags]:
        """Learn the language from X and the declarations; rows as places (n, d, 2), and which are positive."""
        self.check_parameters()
        cells = self._cells(X, fit=True)
        labels = labels_of(y, len(cells), type(self).__name__)
        self.target_names_ = target_names(y, 1)
        self.classes_ = classes_of(labels, owner=type(self).__name__)
        if len(self.classes_) > 2:
            raise ValueError(
                f"{type(self).__name__}: Only binary classification is supported: a concept has two classes, in it or "
                f"not; y has {len(self.classes_)}. Fit one model for each class against the rest"
            )
        positive = labels == self.concept
        self._declared_columns()
        attributes, levels, places = [], list(self.levels_), np.empty(cells.shape, dtype=np.int64)
        for j, name in enumerate(self.column_names()):
            attribute, levels[j], places[:, j] = self._attribute(j, name, cells[:, j])
            attributes.append(attribute)
        self.levels_, self.language_ = tuple(levels), Language(tuple(attributes))
        return np.stack([places, places], axis=2), positive

    @property
    def concept(self) -> Any:
        """The label of the concept: `positive`, or the second class."""
        if self.positive is None:
            return self.classes_[1]
        if self.positive not in self.classes_.tolist():
            raise ValueError(
                f"{type(self).__name__}: positive must be one of {self.classes_.tolist()}, got {self.positive!r}"
            )
        return self.positive

    def labels(self, accepted: Flags) -> np.ndarray:
        """The class of rows that are accepted, and of those that are not."""
        places = accepted.astype(np.intp)
        return self.classes_[places if self.concept == self.classes_[1] else 1 - places]

    def chances(self, accepted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Columns in the order of `classes_` from the chance of the concept."""
        pair = (1 - accepted, accepted) if self.concept == self.classes_[1] else (accepted, 1 - accepted)
        return np.column_stack(pair)

    def places(self, X: Any) -> Ranges:
        """Rows as places of the language (n, d, 2): a value it does not know is a hull that only `?` holds."""
        cells = self._cells(X, fit=False)
        found = np.empty((*cells.shape, 2), dtype=np.int64)
        for j, attribute in enumerate(self.language_.attributes):
            found[:, j] = _placed(attribute, cells[:, j])
        return found

    def values(self, places: NDArray[np.int64]) -> tuple[str, ...]:
        """The words of a row of places."""
        return tuple(a.values[k] for a, k in zip(self.language_.attributes, places.tolist(), strict=True))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of rows whose class is predicted."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def check_restored(self) -> None:
        """Language, levels and classes must speak of the same columns."""
        if len(self.language_.attributes) != self.n_features_in_ or len(self.levels_) != self.n_features_in_:
            raise ValueError(f"language_ does not belong to {self.n_features_in_} columns")
        if self.classes_.ndim != 1 or len(self.classes_) != 2:
            raise ValueError("classes_ must hold two labels")

    def counting(self) -> Table:
        """[BG-CONCEPTS] How many rows, concepts and hypotheses there are."""
        language = self.language_
        rows: tuple[tuple[str, str], ...] = (
            ("rows that can be told apart, |X|", f"{language.instances:,}"),
            ("concepts, 2^|X|", language.concepts),
            ("hypotheses as written, ∅ and ? counted for every column", f"{language.written:,}"),
            ("hypotheses that differ in what they accept", f"{language.meant:,}"),
        )
        if language.told_apart != language.meant:
            rows += (("of these, that differ on rows of the values seen", f"{language.told_apart:,}"),)
        seen = [a.name for a in language.attributes if a.open]
        note = (
            f"of {', '.join(seen[:SHOWN])}{' …' if len(seen) > SHOWN else ''} the values are those seen; others may "
            "come, and only ? accepts them. domains= declares all values" if seen else "all values are declared"
        )  # fmt: skip
        return Table("How much the language can say", ("what", "how many"), rows, (note,))

    # Reading

    def _cells(self, X: Any, *, fit: bool) -> NDArray[np.float64]:
        cells = np.asarray(self.mixed_table(X, fit=fit), dtype=np.float64)
        message = find_unusable(cells, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return cells

    def _declared_columns(self) -> None:
        names = self.column_names()
        if isinstance(self.domains, list | tuple) and len(self.domains) != len(names):
            raise ValueError(
                f"{type(self).__name__}: domains must have one list of values for each of {len(names)} columns, got "
                f"{len(self.domains)}"
            )
        for parameter in ("domains", "ordered", "trees"):
            given = getattr(self, parameter)
            keyed = isinstance(given, Mapping) or parameter == "ordered"
            strange = [name for name in given or () if keyed and name not in names]
            if strange:
                raise ValueError(
                    f"{type(self).__name__}: {parameter} must name columns among {list(names)}, got {strange[0]!r}"
                )

    def _attribute(
        self, j: int, name: str, cells: NDArray[np.float64]
    ) -> tuple[Attribute, tuple[str, ...] | None, NDArray[np.int64]]:
        """The attribute of a column, its levels from now on, and the places of its cells."""
        words = self.levels_[j]
        kinds, back = np.unique(cells, return_inverse=True)
        seen = [level_name(k) for k in kinds.tolist()] if words is None else [words[int(k)] for k in kinds]
        attribute = self._declared(j, name, seen)
        if words is None and not attribute.open:
            attribute = _with_numbers(attribute)
        elif words is None:
            attribute = nominal(name, attribute.values, open_=True, numbers=kinds)
        order = {value: k for k, value in enumerate(attribute.values)}
        for value in seen:
            if value not in order:
                k = seen.index(value)
                raise ValueError(
                    f"{type(self).__name__}: column {name!r} holds {value!r} in row {int((back == k).argmax())}, which "
                    f"is not among its declared values {list(attribute.values[:SHOWN])}"
                )
        return attribute, words and attribute.values, np.array([order[value] for value in seen])[back.reshape(-1)]

    def _declared(self, j: int, name: str, seen: list[str]) -> Attribute:
        if self.trees is not None and name in self.trees:
            return tree(name, self.trees[name])
        if self.ordered is not None and name in self.ordered:
            own = self.ordered[name] if isinstance(self.ordered, Mapping) else self._domain(j, name) or seen
            return _checked(ordered(name, [level_name(v) for v in own]))
        domain = self._domain(j, name)
        if domain is None:
            return nominal(name, seen, open_=True)
        return _checked(nominal(name, [level_name(v) for v in domain], open_=False))

    def _domain(self, j: int, name: str) -> Any:
        if isinstance(self.domains, Mapping):
            return self.domains.get(name)
        return None if self.domains is None else self.domains[j]


def _checked(attribute: Attribute) -> Attribute:
    attribute.check()
    return attribute


def _with_numbers(attribute: Attribute) -> Attribute:
    """The attribute of a column of numbers whose values are declared."""
    try:
        numbers = np.array([float(value) for value in attribute.values])
    except ValueError as error:
        raise ValueError(
            f"column {attribute.name!r} holds numbers; its declared values are {list(attribute.values[:SHOWN])}"
        ) from error
    if attribute.ordered:
        if (np.diff(numbers) <= 0).any():
            raise ValueError(f"the ordered values of column {attribute.name!r} must increase")
        return ordered(attribute.name, attribute.values, numbers)
    return Attribute(
        attribute.name, attribute.values, False, False, attribute.nodes, attribute.names, numbers
    )  # fmt: skip


def _placed(attribute: Attribute, cells: NDArray[np.float64]) -> Ranges:
    """The place of each cell; what is no value lies in the hull of its neighbours, or beyond all of them."""
    count = len(attribute.values)
    beyond = (count, count) if attribute.open else attribute.everything
    if not attribute.numbers.size:
        places = cells.astype(np.int64)
        found = np.stack([places, places], axis=1)
        found[places < 0] = beyond
        return found
    order = np.argsort(attribute.numbers, kind="stable")
    sorted_numbers = attribute.numbers[order]
    after = np.searchsorted(sorted_numbers, cells)
    at = np.minimum(after, count - 1)
    exact = sorted_numbers[at] == cells
    found = np.stack([order[at], order[at]], axis=1).astype(np.int64)
    found[~exact] = beyond
    if attribute.ordered:
        between = ~exact & (after > 0) & (after < count)
        found[between] = np.stack([after[between] - 1, after[between]], axis=1)
    return found
