"""What a parameter may be, declared in a table and checked once, before anything else happens."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted


@dataclass(frozen=True)
class Allowed:
    """What a parameter may be: a test, and the words for it."""

    words: str
    test: Callable[[Any], bool]

    def __or__(self, other: "Allowed") -> "Allowed":
        return Allowed(f"{self.words} or {other.words}", lambda value: self.test(value) or other.test(value))


def flag() -> Allowed:
    return Allowed("True or False", lambda v: isinstance(v, bool | np.bool_))


def none() -> Allowed:
    return Allowed("None", lambda v: v is None)


def one_of(*options: str) -> Allowed:
    return Allowed(" or ".join(map(repr, options)), lambda v: isinstance(v, str) and v in options)


def number(low: float = -np.inf, high: float = np.inf, *, above: bool = False) -> Allowed:
    """A real number in [low, high], or in (low, high] with `above`."""
    words = f"a number {'>' if above else '>='} {low:g}" if np.isfinite(low) else "a number"
    words += f" and <= {high:g}" if np.isfinite(high) else ""

    def test(v: Any) -> bool:
        real = isinstance(v, Real) and not isinstance(v, bool | np.bool_)
        return real and bool((low < v if above else low <= v) and v <= high)

    return Allowed(words, test)


def integer(low: int | None = None, high: int | None = None) -> Allowed:
    words = "an integer" + ("" if low is None else f" >= {low}") + ("" if high is None else f" and <= {high}")

    def test(v: Any) -> bool:
        whole = isinstance(v, Integral) and not isinstance(v, bool | np.bool_)
        return whole and (low is None or v >= low) and (high is None or v <= high)

    return Allowed(words, test)


def thread_count() -> Allowed:
    nonzero = Allowed("an integer other than 0", lambda v: integer().test(v) and v != 0)
    return nonzero | none()


def only(value: Any, because: str) -> Allowed:
    """A parameter of scikit-learn's class of which one value is implemented: the others are refused with a way out."""
    return Allowed(f"{value!r} ({because})", lambda v: isinstance(v, bool | np.bool_) and bool(v) == value)


class Parametric(BaseEstimator):
    """Parameters declared in one table, checked once, before anything else happens."""

    parameters: ClassVar[dict[str, Allowed]] = {}

    def check_parameters(self) -> None:
        """Raise ValueError naming the parameter, what is allowed and what came."""
        for name, allowed in self.parameters.items():
            value = getattr(self, name)
            if not allowed.test(value):
                came = f"{value!r} ({type(value).__name__})"
                raise ValueError(f"{type(self).__name__}: {name} must be {allowed.words}, got {came}")

    def check_fitted(self) -> None:
        check_is_fitted(self)
