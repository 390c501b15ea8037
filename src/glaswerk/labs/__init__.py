"""The experiments of the scripts, one small file each: every figure and table they show, rebuilt.

A lab is a module here with a `LAB` (what it rebuilds, from where) and a function `run(seed)` that gives facts. The
folder is the list: a new file is a new lab.
"""

import importlib
import os
import pkgutil
from collections.abc import Iterator, Mapping

from glaswerk.facts import Facts, Table
from glaswerk.labs.lab import Lab


class _Labs(Mapping[str, Lab]):
    """Labs by name, loaded when asked for."""

    def __getitem__(self, name: str) -> Lab:
        if name not in set(self):
            raise KeyError(name)
        found: Lab = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").LAB
        return found

    def __iter__(self) -> Iterator[str]:
        return (module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__) if module.name != "lab")

    def __len__(self) -> int:
        return sum(1 for _ in self)


LABS = _Labs()


def list_of_labs() -> Table:
    """Every lab with the rows of the mission it answers and its place in the script."""
    rows = tuple((name, ", ".join(lab.rows), lab.script, lab.says) for name, lab in LABS.items())
    return Table("Experiments", ("lab", "rows", "script", "what it shows"), rows)


def run_lab(name: str, *, seed: int = 0, data: str | os.PathLike[str] | None = None) -> Facts:
    """Run the lab of this name; the same seed gives the same facts.

    data : a file of your own, for the labs that use one which cannot come along (`Lab.data` says which).

    >>> facts = run_lab("collinear")
    >>> print(facts[0].table().title)
    Printed and obtained
    """
    if name not in LABS:
        raise ValueError(f"lab must be one of {', '.join(LABS)}, got {name!r}")
    lab = LABS[name]
    if lab.data:
        return Facts(lab.run(seed, data))
    if data is not None:
        raise ValueError(f"lab {name} has its data with it: it takes no file, got {os.fspath(data)!r}")
    return Facts(lab.run(seed))


__all__ = ["LABS", "Lab", "list_of_labs", "run_lab"]
