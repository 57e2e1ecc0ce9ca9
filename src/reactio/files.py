"""Writing files so that nothing is lost: a file appears whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from reactio.errors import ReactioError


def write_text(path: str | Path, text: str) -> None:
    """Write a text file atomically: beside it first, then renamed over it."""
    path = Path(path)
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be written: {error.strerror or error}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
