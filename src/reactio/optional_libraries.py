"""Libraries that Reactio can do without: imported where they are needed, or named in an error with the way to install.

NumPy, SciPy and PyYAML are enough for ``import reactio`` and for what its functions compute.
"""

from __future__ import annotations

import contextlib
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, how_to_install


def optional_library(module: str, purpose: str, extra: str | None = None) -> Any:
    """The module of a library, or an error that names what needs it and how to install it.

    ``purpose`` begins the sentence ("Tables need pandas"); ``extra`` is the part of ``pip install 'reactio[extra]'``
    that brings the library, None for a library of the plain install.

    >>> optional_library("no_such_library", "Castles in the air need bricks", "plot")
    Traceback (most recent call last):
    reactio.errors.ReactioError: Castles in the air need bricks: pip install 'reactio[plot]' (in a checkout: ...
    """
    try:
        return import_module(module)
    except ImportError:
        raise missing(module, purpose, extra) from None


def missing(module: str, purpose: str, extra: str | None = None) -> ReactioError:
    """The error where a library is missing; see ``optional_library``."""
    command = f"pip install {module.partition('.')[0]}" if extra is None else how_to_install(extra)
    return ReactioError(f"{purpose}: {command}.")


@cache
def is_installed(module: str) -> bool:
    """Can this library be imported?  Searches for it without loading it."""
    return find_spec(module) is not None


def load_matplotlib() -> None:
    """Import the package without the settings of the current folder, some of which it would evaluate.

    ``matplotlibrc`` next to a downloaded model is not the user's; those of the user and of MATPLOTLIBRC count.
    """
    elsewhere = "matplotlib" not in sys.modules and Path("matplotlibrc").exists()
    with contextlib.chdir(Path(__file__).parent) if elsewhere else contextlib.nullcontext():
        import matplotlib  # noqa: F401
