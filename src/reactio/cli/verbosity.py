"""The verbosity of commands: ``--quiet`` and ``--verbose`` on every verb."""

from __future__ import annotations

import functools
import inspect
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import Annotated, Any, get_type_hints

import typer

from reactio.cli.process import printable
from reactio.errors import ReactioError


class Level(IntEnum):
    """How much a command prints."""

    QUIET = 0
    NORMAL = 1
    VERBOSE = 2


VERBOSITY: ContextVar[Level] = ContextVar("VERBOSITY", default=Level.NORMAL)

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, without progress and remarks.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Report each step and its time.")]


def with_verbosity(command: Callable[..., None]) -> Callable[..., None]:
    """The command with ``--quiet`` and ``--verbose`` added to its options."""
    signature, hints = inspect.signature(command), get_type_hints(command, include_extras=True)

    @functools.wraps(command)
    def call(*args: Any, quiet: bool = False, verbose: bool = False, **options: Any) -> None:
        if quiet and verbose:
            raise ReactioError("Give either --quiet or --verbose.")
        VERBOSITY.set(Level.QUIET if quiet else Level.VERBOSE if verbose else Level.NORMAL)
        _print_log()
        command(*args, **options)

    parameters = [p.replace(annotation=hints[name]) for name, p in signature.parameters.items()]
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [
        inspect.Parameter("quiet", kind, default=False, annotation=Quiet),
        inspect.Parameter("verbose", kind, default=False, annotation=Verbose),
    ]
    call.__signature__ = signature.replace(parameters=[*parameters, *more])  # type: ignore[attr-defined]
    call.__annotations__ = {**hints, "quiet": Quiet, "verbose": Verbose}
    return call


def _print_log() -> None:
    """Print the messages of the package's logger as remarks of the command."""
    import logging

    class Remark(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(record.getMessage())

    log = logging.getLogger("reactio")
    if not log.handlers:
        log.setLevel(logging.INFO)
        log.addHandler(Remark())


def silent() -> bool:
    """Was ``--quiet`` given?"""
    return VERBOSITY.get() is Level.QUIET


def say(text: str) -> None:
    """Print a remark on standard error; not with ``--quiet``."""
    if not silent():
        print(printable(text), file=sys.stderr, flush=True)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """With ``--verbose``, print each step and its time."""
    start = time.perf_counter()
    yield
    if VERBOSITY.get() is Level.VERBOSE:
        say(f"{what}: {time.perf_counter() - start:.3f} s")
