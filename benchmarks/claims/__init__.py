"""One module per claim; the file's name is the claim's name."""

import importlib
import pkgutil
from types import ModuleType


def names() -> list[str]:
    return sorted(found.name for found in pkgutil.iter_modules(__path__))


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")
