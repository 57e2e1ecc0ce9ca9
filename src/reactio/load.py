"""A model by its file or by its name in the library."""

from __future__ import annotations

import os
from pathlib import Path

from reactio.errors import ReactioError, did_you_mean
from reactio.model.specs import Model

SUFFIXES = (".yaml", ".yml")


def load(source: str | Path, /, **parameters: float | str) -> Model:
    """The model in a YAML file, or the mechanism of that name in the library; parameters as keywords.

    >>> import reactio
    >>> len(reactio.load("n-four-bar", N=40).bodies)
    81
    """
    from reactio import library
    from reactio.model.files.read import read_model

    name = str(source)
    if name in library.names() and not os.path.isfile(name):
        return library.load(name, **parameters)
    path = Path(source)
    if path.suffix.lower() in SUFFIXES or os.path.exists(path):
        return read_model(path, **parameters)
    raise ReactioError(
        f"'{name[:200]}' is neither a file nor a mechanism of the library.{did_you_mean(name[:200], library.names())}"
    )
