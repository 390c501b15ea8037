"""Progress on standard error: a bar where somebody watches, nothing where the output is piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

Told = Callable[[str, int, int], None]


@contextmanager
def watched() -> Iterator[Told | None]:
    """What to tell of (step, done, planned); None where nobody watches."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("reading", total=None)

        def tell(step: str, done: int, planned: int) -> None:
            progress.update(bar, description=step, completed=done, total=planned)

        yield tell
