"""A model by its file, ours or another program's, or by its name in the library."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model

MODEL_SUFFIXES = (".yaml", ".yml")


def load(source: str | Path, /, **parameters: Any) -> Model:
    """The model in a file, or the mechanism of that name in the library; parameters as keywords.

    Files are our own YAML, or those of other programs: MJCF, URDF, SDF, FreeCAD, Ondsel, Adams.  For these, keywords
    are options of the import: ``load("arm.urdf", loops="loops.yaml")``; ``import_file`` also gives its report.

    >>> import reactio
    >>> len(reactio.load("n-four-bar", N=40).bodies)
    81
    """
    from reactio import library
    from reactio.model.files.read import read_model

    if not isinstance(source, str | os.PathLike):
        raise ReactioError(
            f"The name of a file or of a mechanism of the library is needed, not {type(source).__name__}."
        )
    name = str(source)
    if name in library.names() and not os.path.isfile(name):
        return library.load(name, **parameters)
    path = Path(source)
    if path.suffix.lower() not in MODEL_SUFFIXES and os.path.exists(path):
        from reactio.importers.options import options_from
        from reactio.importers.pipeline import import_file
        from reactio.importers.recognise import is_foreign

        if is_foreign(path):
            return import_file(path, options_from(parameters)).model
    if path.suffix.lower() in MODEL_SUFFIXES or os.path.exists(path):
        return read_model(path, **parameters)
    raise ReactioError(
        f"'{name[:200]}' is neither a file nor a mechanism of the library.{did_you_mean(name[:200], library.names())}"
    )
