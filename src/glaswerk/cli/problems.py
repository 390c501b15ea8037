"""What went wrong, in one message and one exit code: 3 for the data, 4 for the model."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from glaswerk.archive import ArchiveError
from glaswerk.base import NotFittedError, Warned
from glaswerk.passes import ClusterError
from glaswerk.report.cells import visible
from glaswerk.table import TableError


class Problem(click.ClickException):
    """A message for a person, with the exit code of its kind."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(visible(line) for line in message.splitlines()))


class FailedCheck(Problem):
    """Everything ran, and what it found is not good enough."""

    exit_code = 1


class DataProblem(Problem):
    """The table cannot be read, used or written."""

    exit_code = 3


class ModelProblem(Problem):
    """The model cannot be fitted, read or applied."""

    exit_code = 4


class Stopped(Problem):
    """Somebody pressed Ctrl-C before anything was finished."""

    exit_code = 130


def answering(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command whose errors are told as problems, and whose warnings are lines on standard error."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        with _problems(), _warnings():
            return command(*arguments, **options)

    return run


@contextmanager
def _problems() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        raise Stopped("stopped by hand before anything was finished; nothing was written") from error
    except ArchiveError as error:
        raise ModelProblem(str(error)) from error
    except TableError as error:
        raise DataProblem(str(error)) from error
    except OSError as error:
        told = error.strerror or str(error)
        named = not error.filename or str(error.filename) in told
        raise DataProblem(told if named else f"{error.filename}: {told}") from error
    except (ValueError, NotFittedError, ClusterError) as error:
        raise ModelProblem(str(error)) from error


@contextmanager
def _warnings() -> Iterator[None]:
    """Each warning of ours once, when the command has ended."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            told = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, Warned))
            for message in told:
                click.echo(f"Note: {visible(message)}", err=True)
