"""The clock of a report: what each step took, told to who watches; seconds never enter the results."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

Progress = Callable[[str, int, int], None]


def silent(step: str, done: int, planned: int) -> None:
    """Tell nobody."""


class Clock:
    """Seconds by step."""

    def __init__(self, told: Progress) -> None:
        self.told, self.seconds = told, dict[str, float]()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.told(name, 0, 1)
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start

    def times(self) -> tuple[tuple[str, float], ...]:
        return tuple((name, round(seconds, 3)) for name, seconds in self.seconds.items())
