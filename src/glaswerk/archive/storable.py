"""The dataclasses that a file may hold. Reading builds these and no others, and imports nothing to find them."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from glaswerk.archive.errors import ArchiveError, shown

_Class = TypeVar("_Class", bound=type[Any])


@dataclass(frozen=True)
class Storable:
    """A registered dataclass, the name and version it is stored under, and its fields in order."""

    built: type[Any]
    name: str
    version: int
    fields: tuple[str, ...]

    def build(self, values: dict[str, Any], path: str) -> object:
        """An instance with exactly these fields, accepted by the class's own `check` where it has one."""
        if values.keys() != set(self.fields):
            raise ArchiveError(self._field_mismatch(values, path))
        try:
            instance = self.built(**values)
            if hasattr(instance, "check"):
                instance.check()
        except Exception as error:  # the class meets values it never expected: whatever it raises, the file is wrong
            reason = f"{type(error).__name__}: {shown(str(error))}"
            raise ArchiveError(f"{path} is not a valid {self.name} ({reason}): the file is damaged") from error
        return instance

    def _field_mismatch(self, values: dict[str, Any], path: str) -> str:
        missing = [name for name in self.fields if name not in values]
        unknown = [shown(name) for name in values if name not in self.fields]
        return (
            f"{path}, a {self.name}, must have exactly the fields {', '.join(self.fields)}; "
            f"missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown[:5]) or 'none'}: the file is damaged"
        )


_by_name: dict[str, Storable] = {}
_by_class: dict[type[Any], Storable] = {}


def storable(name: str, version: int = 1) -> Callable[[_Class], _Class]:
    """Allow a dataclass in files, under a name that stays the same when the class is renamed or moved.

    The version grows whenever the fields or their meaning change. A method `check(self) -> None`, where there is one,
    is called on every instance built from a file and raises `ValueError` when dtypes, shapes or values do not fit.
    """

    def register(built: _Class) -> _Class:
        entry = Storable(built, name, version, _field_names(built))
        earlier = _by_name.get(name)
        if earlier is not None and _origin(earlier.built) != _origin(built):
            raise ValueError(f"the name {name!r} is taken by {'.'.join(_origin(earlier.built))}: choose another")
        _by_name[name] = _by_class[built] = entry
        return built

    return register


def storable_of(instance: object) -> Storable | None:
    """How an instance is stored, or None if its class is not registered."""
    return _by_class.get(type(instance))


def storable_named(name: object, version: object, path: str) -> Storable:
    """The class registered under this name and version."""
    entry = _by_name.get(name) if isinstance(name, str) else None
    if entry is None:
        raise ArchiveError(
            f"{path} is a {shown(name)}, which this Glaswerk does not know: upgrade glaswerk, or import the module "
            "that defines it before reading"
        )
    if type(version) is not int or version != entry.version:
        raise ArchiveError(
            f"{path} is a {name} of version {shown(version)}, but this Glaswerk reads version {entry.version}: "
            "read it with the glaswerk version that the manifest names"
        )
    return entry


def _field_names(built: type[Any]) -> tuple[str, ...]:
    if not dataclasses.is_dataclass(built):
        raise ValueError(f"{built.__name__} is not a dataclass: put @storable above @dataclass")
    fields = dataclasses.fields(built)
    if not all(field.init for field in fields):
        raise ValueError(f"{built.__name__} has fields outside its constructor (init=False): it could not be rebuilt")
    return tuple(field.name for field in fields)


def _origin(built: type[Any]) -> tuple[str, str]:
    """Where a class was defined: a reloaded module may register its classes again."""
    return built.__module__, built.__qualname__
