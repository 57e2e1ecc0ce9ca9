"""Files that commands write: ``--force`` on every verb that writes some, and no file over one that it reads."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from typer.models import ArgumentInfo

from reactio.operating_system.files import check_file, guarded

# Parameters of a verb that name files to write.
WRITTEN_PARAMETERS = frozenset({"output", "out", "plot", "plots", "write_baseline"})
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files, even those not written by Reactio.")]


def with_overwriting(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the files protected that it must not overwrite, and with ``--force`` if it writes any."""
    signature, hints = inspect.signature(command), get_type_hints(command, include_extras=True)
    inputs = [name for name in signature.parameters if _is_argument(hints[name])]

    @functools.wraps(command)
    def call(*args: Any, force: bool = False, **options: Any) -> None:
        with guarded(force):
            _note_inputs(options.get(name) for name in inputs)
            command(*args, **options)

    if WRITTEN_PARAMETERS.isdisjoint(signature.parameters):
        return call
    parameters = [p.replace(annotation=hints[name]) for name, p in signature.parameters.items()]
    option = inspect.Parameter("force", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Force)
    call.__signature__ = signature.replace(parameters=[*parameters, option])  # type: ignore[attr-defined]
    call.__annotations__ = {**hints, "force": Force}
    return call


def _is_argument(hint: Any) -> bool:
    """Is it a word of the command line without an option before it, which is always an input?"""
    return any(isinstance(item, ArgumentInfo) for item in getattr(hint, "__metadata__", ()))


def _note_inputs(values: Iterable[Any]) -> None:
    """Note the files that are given as inputs: an output over one of them is refused before anything is read."""
    for value in values:
        for path in value if isinstance(value, list | tuple) else [value]:
            if isinstance(path, str | Path) and _is_file(path):
                check_file(Path(path))


def _is_file(value: str | Path) -> bool:
    try:
        return Path(value).is_file()
    except (OSError, ValueError):  # a name that no file can have; reading it says so
        return False
