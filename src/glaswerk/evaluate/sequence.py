"""Sequences: many values of one parameter from one walk over the rows, with the same numbers as fits one by one.

A learner that can names the parameter in `path_parameters` and has

    fit_path(X, y, name, values, sample_weight=None) -> one fitted copy per value

Ridge solves its sums for every penalty, a tree is pruned further, the neighbours of the largest k hold those of the
smaller ones. The degree of a polynomial before least squares is such a parameter too: its terms come by degree, so that
the sums of a lower degree are a corner of those of the highest (`fit_widths`).
When not to use it: a parameter that changes what is observed; such a search fits again and again.
"""

from collections.abc import Sequence
from typing import Any

from glaswerk.base import Pipeline, clone
from glaswerk.design import OrthogonalPolynomialBasis, PolynomialBasis

POLYNOMIALS = (PolynomialBasis, OrthogonalPolynomialBasis)
Step = tuple[str, Any]


def path_parameter(candidate: Any, name: str) -> bool:
    """Whether values of this parameter (`step__name` in a pipeline or a model) come from one fit."""
    head, _, rest = name.partition("__")
    if not rest:
        return name in getattr(candidate, "path_parameters", ()) and hasattr(candidate, "fit_path")
    if isinstance(candidate, Pipeline):
        own = head == candidate.steps[-1][0] and path_parameter(candidate[-1], rest)
        return own or is_degree(candidate, head, rest)
    return head == "learner" and path_parameter(getattr(candidate, head, None), rest)


def fitted_path(fresh: Any, X: Any, y: Any, name: str, values: Sequence[Any], weight: Any) -> list[Any] | None:
    """One fitted copy per value; what a pipeline does before its last step is fitted once and shared."""
    if not path_parameter(fresh, name):
        return None
    if not isinstance(fresh, Pipeline):
        found: list[Any] = fresh.fit_path(X, y, name, values, sample_weight=weight)
        return found
    head, _, rest = name.partition("__")
    degree = is_degree(fresh, head, rest)
    steps, cells = fitted_steps(fresh.steps[: -2 if degree else -1], X, y)
    label, last = fresh.steps[-1]
    if degree:
        return by_degree(steps, fresh.steps[-2], (label, last), cells, y, values, weight)
    path = last.fit_path(cells, y, rest, values, sample_weight=weight)
    return [Pipeline([*steps, (label, one)]) for one in path]


def fitted_steps(unfitted: Sequence[Step], X: Any, y: Any) -> tuple[list[Step], Any]:
    """What stands before the last steps, fitted once and shared, and the cells that come out."""
    steps, cells = list(unfitted), X
    for k, (label, step) in enumerate(steps):
        if step is None or step == "passthrough":
            continue
        fitted = clone(step).fit(cells, y)
        steps[k], cells = (label, fitted), fitted.transform(cells)
    return steps, cells


def is_degree(pipeline: Pipeline, head: str, rest: str) -> bool:
    """Whether `head__rest` is the degree of polynomials that a learner of corners takes."""
    if len(pipeline.steps) < 2 or (head, rest) != (pipeline.steps[-2][0], "degree"):
        return False
    own = vars(type(pipeline[-1])).get("corner_of_sums", False)  # a subclass may fit otherwise
    return isinstance(pipeline.steps[-2][1], POLYNOMIALS) and bool(own)


def by_degree(
    steps: list[Step], basis: Step, learner: Step, cells: Any, y: Any, degrees: Sequence[int], weight: Any
) -> list[Any] | None:
    """A pipeline for each degree, from the sums of the highest; None where lower degrees do not begin like it."""
    bases = [clone(basis[1]).set_params(degree=degree).fit(cells, y) for degree in degrees]
    names = [tuple(one.get_feature_names_out()) for one in bases]
    widest = max(range(len(names)), key=lambda k: len(names[k]))
    if any(known != names[widest][: len(known)] for known in names):
        return None
    images = bases[widest].transform(cells)
    fitted = learner[1].fit_widths(images, y, [len(known) for known in names], sample_weight=weight)
    ends = zip(bases, fitted, strict=True)
    return [Pipeline([*steps, (basis[0], images_of), (learner[0], one)]) for images_of, one in ends]
