"""Fitted estimators as trees of plain values and arrays, and back: class, parameters, and what was fitted."""

from collections.abc import Callable
from typing import Any

import numpy as np

from glaswerk import design, learners
from glaswerk.archive import ArchiveError
from glaswerk.base import Estimator, Pipeline

KINDS: dict[str, type[Estimator]] = {
    name: getattr(room, name)
    for room in (design, learners)
    for name in room.__all__
    if issubclass(getattr(room, name), Estimator)
}


def described(model: Any, functions: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    """What a file holds of a fitted estimator of ours, or of a pipeline of them."""
    if isinstance(model, Pipeline):
        return {"pipeline": [[name, described(step, functions)] for name, step in model.steps]}
    kind = type(model).__name__
    if KINDS.get(kind) is not type(model):
        raise TypeError(f"a {kind} cannot be saved; these can: {', '.join(sorted(KINDS))}, and pipelines of them")
    model.check_fitted()
    names = {id(function): name for name, function in functions.items()}
    parameters = {
        name: _named_function(value, names, f"{kind}.{name}") if callable(value) else _plain(value)
        for name, value in model.get_params(deep=False).items()
    }
    fitted = {name: _plain(value) for name, value in vars(model).items() if name in type(model).fitted}
    return {"class": kind, "parameters": parameters, "fitted": fitted}


def _named_function(function: object, names: dict[int, str], where: str) -> dict[str, str]:
    if id(function) not in names:
        raise ValueError(
            f"{where} is a function, and a file holds none: name it, "
            "save(model, path, functions={'a name': function}), and hand it over again to load"
        )
    return {"function": names[id(function)]}


def _plain(value: Any) -> Any:
    """Names as plain strings: an array of Python objects has no place in a file."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [str(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def rebuilt(tree: Any, functions: dict[str, Callable[..., Any]], where: str) -> Any:
    """The fitted estimator that `described` took apart; anything else is an ArchiveError naming the place."""
    if isinstance(tree, dict) and tree.keys() == {"pipeline"} and isinstance(tree["pipeline"], list):
        steps = [
            (str(name), rebuilt(step, functions, f"{where}.{name}")) for name, step in _pairs(tree["pipeline"], where)
        ]
        return Pipeline(steps)
    if not isinstance(tree, dict) or tree.keys() != {"class", "parameters", "fitted"}:
        raise ArchiveError(f"{where} is no model: it lacks class, parameters or fitted; the file is damaged")
    kind = tree["class"]
    if kind not in KINDS:
        raise ArchiveError(f"{where} is a {kind!r:.80}, which this Glaswerk does not know: upgrade glaswerk")
    built = KINDS[kind]
    if not isinstance(tree["parameters"], dict) or not isinstance(tree["fitted"], dict):
        raise ArchiveError(f"{where}: parameters and fitted must be objects; the file is damaged")
    try:
        model = built(**{name: _function(value, functions) for name, value in tree["parameters"].items()})
        model.check_parameters()
        model.restore(tree["fitted"])
    except (TypeError, ValueError) as error:
        raise ArchiveError(f"{where} is not a valid {kind}: {error}") from error
    return model


def _pairs(steps: list[Any], where: str) -> list[tuple[Any, Any]]:
    if not steps or not all(isinstance(step, list) and len(step) == 2 for step in steps):
        raise ArchiveError(f"{where} is no pipeline of named steps; the file is damaged")
    return [(name, step) for name, step in steps]


def _function(value: Any, functions: dict[str, Callable[..., Any]]) -> Any:
    if not (isinstance(value, dict) and value.keys() == {"function"}):
        return value
    if value["function"] not in functions:
        raise ValueError(
            f"it was saved with a function named {value['function']!r}: pass it, "
            f"load(path, functions={{{value['function']!r}: …}})"
        )
    return functions[value["function"]]
