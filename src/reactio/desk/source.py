"""The file that a desk follows: its text, where it may be saved, and how it is watched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reactio.errors import ModelError, ReactioError
from reactio.library import MODEL_SUFFIXES, load, names, yaml_text
from reactio.model.files.write import to_yaml
from reactio.operating_system.files import read_text


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model file, a file of another program, or a text without a file."""

    name: str  # of the model
    path: Path | None  # None for a mechanism of the library and for a model made in Python
    writable: bool  # is it a model file of ours, which edits are saved to?
    options: Mapping[str, Any] = field(default_factory=dict)  # of the import of other formats
    initial_text: str = ""  # of a model without a file

    @property
    def folder(self) -> Path:
        """The only folder in which files are read and written."""
        return self.path.parent if self.path is not None else Path.cwd()

    @property
    def file(self) -> str:
        """The name of the file for people."""
        return self.path.name if self.path is not None else self.name

    def stamp(self) -> tuple[int, int, int] | None:
        """What changes when the file is saved; None while there is no such file."""
        if self.path is None:
            return (0, 0, 0)
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def text(self) -> str:
        """The text of the model; files of other programs are imported."""
        if self.path is None:
            return self.initial_text
        return read_text(self.path) if self.writable else to_yaml(load(self.path, **self.options))


def source_of(given: str, options: Mapping[str, Any] | None = None) -> ModelSource:
    """The source that a user names, with options of its import; one that does not exist is refused with a hint."""
    if given in names() and not os.path.isfile(given):
        return ModelSource(given, None, False, initial_text=yaml_text(given))
    path = Path(os.path.realpath(given))
    if not path.is_file():
        load(given)  # says what is wrong with it
        raise ReactioError(f"'{given}' is not a file.")
    return ModelSource(path.stem, path, path.suffix.lower() in MODEL_SUFFIXES, options or {})


def file_to_write(source: ModelSource, name: str) -> Path:
    """The path of a new model file in the folder of the source; any other place is refused."""
    plain = name.strip()
    if not plain or plain != os.path.basename(plain) or "\\" in plain or plain.startswith(".") or "\0" in plain:
        raise ReactioError("Give the plain name of a file in the folder of the model, without folders in it.")
    if not plain.lower().endswith(MODEL_SUFFIXES):
        raise ReactioError("A model file ends with .yaml.")
    path = source.folder / plain
    if os.path.realpath(path) != str(path.parent.resolve() / plain):
        raise ReactioError(f"'{plain}' is a link to another place; choose another name.")
    return path


def missing(source: ModelSource) -> ModelError:
    """The error while the watched file is gone."""
    return ModelError(
        f"{source.file} is gone: deleted, renamed, or being written. The last picture stays; the file is read again "
        "when it is back, and 'Save as' writes a new one.",
        place=source.file,
    )
