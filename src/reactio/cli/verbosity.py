"""How much a command says beside its result: ``--quiet`` and ``--verbose`` on every verb."""

from __future__ import annotations

import functools
import inspect
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any, get_type_hints

import typer

from reactio.cli.process import INTERRUPTED, begun, printable
from reactio.errors import ReactioError

SILENT, USUAL, TALKATIVE = range(3)
LEVEL: ContextVar[int] = ContextVar("LEVEL", default=USUAL)

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the result: no progress, no remarks.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done, and how long it took.")]


def spoken(command: Callable[..., None]) -> Callable[..., None]:
    """The command with ``--quiet`` and ``--verbose`` added to its options."""
    signature, hints = inspect.signature(command), get_type_hints(command, include_extras=True)

    @functools.wraps(command)
    def call(*args: Any, quiet: bool = False, verbose: bool = False, **options: Any) -> None:
        if quiet and verbose:
            raise ReactioError("Give either --quiet or --verbose.")
        LEVEL.set(SILENT if quiet else TALKATIVE if verbose else USUAL)
        _listen()
        begun()
        try:
            command(*args, **options)
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr, flush=True)
            raise typer.Exit(INTERRUPTED) from None

    own = [p.replace(annotation=hints[name]) for name, p in signature.parameters.items()]
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [
        inspect.Parameter("quiet", kind, default=False, annotation=Quiet),
        inspect.Parameter("verbose", kind, default=False, annotation=Verbose),
    ]
    call.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    call.__annotations__ = {**hints, "quiet": Quiet, "verbose": Verbose}
    return call


def _listen() -> None:
    """Let what the package says on the way, through its logger, be remarks of the command."""
    import logging

    class Remark(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(record.getMessage())

    log = logging.getLogger("reactio")
    if not log.handlers:
        log.setLevel(logging.INFO)
        log.addHandler(Remark())


def silent() -> bool:
    """Is nothing but the result wanted?"""
    return LEVEL.get() == SILENT


def say(text: str) -> None:
    """A remark beside the result, on standard error; not with ``--quiet``."""
    if not silent():
        print(printable(text), file=sys.stderr, flush=True)


@contextmanager
def telling(what: str) -> Iterator[None]:
    """With ``--verbose`` says what is done and how long it took."""
    begun = time.perf_counter()
    yield
    if LEVEL.get() == TALKATIVE:
        say(f"{what}: {time.perf_counter() - begun:.3f} s")
