"""The files that an SDF file names: in its folder or in given packages, elsewhere only where that is allowed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reactio.errors import ReactioError
from reactio.importers import Options
from reactio.importers.formats.sdf.version import KNOWN_VERSION, version_of
from reactio.importers.reading.meshes import PACKAGE
from reactio.importers.reading.xml import parse_xml
from reactio.operating_system.files import read_text

MODEL_SCHEME = "model://"


@dataclass(slots=True)
class SdfFiles:
    """The folders in which files may be opened: that of the model, and those of packages."""

    path: Path  # of the file that was given
    options: Options
    known: dict[tuple[Path, str], Path] = field(default_factory=dict)  # what was found, by folder and address

    @property
    def folder(self) -> Path:
        """The folder of the model."""
        return self.path.resolve().parent

    def shown(self, file: Path) -> str:
        """A path for messages, from the folder of the model where it lies below it."""
        return str(file.relative_to(self.folder)) if file.is_relative_to(self.folder) else str(file)

    def included(self, uri: str, by: Path) -> Path:
        """The SDF file of an address, which may be that of its folder."""
        key = (by.parent, uri)
        if key not in self.known:
            path = next((candidate for candidate in self._candidates(uri, by) if os.path.exists(candidate)), None)
            if path is None:
                raise ReactioError(self._missing(uri, by))
            self.known[key] = self._sdf_of(path) if path.is_dir() else path
        return self.known[key]

    def mesh(self, uri: str, by: Path) -> str:
        """The address of a mesh as the file that was given would write it."""
        if "://" in uri and not uri.startswith(MODEL_SCHEME):
            return uri
        try:
            path = next((candidate for candidate in self._candidates(uri, by) if os.path.isfile(candidate)), None)
        except ReactioError:
            path = None
        if path is None:
            beside = self.shown((by.parent / uri).resolve()) if by.parent != self.folder else uri
            return uri.replace(MODEL_SCHEME, PACKAGE) if uri.startswith(MODEL_SCHEME) else beside
        for name, folder in self.options.packages.items():
            if path.is_relative_to(folder.resolve()):
                return f"{PACKAGE}{name}/{path.relative_to(folder.resolve()).as_posix()}"
        return self.shown(path)

    def _candidates(self, uri: str, by: Path) -> Iterator[Path]:
        """Paths that an address can mean, the nearest first; only those that may be opened."""
        scheme, mark, rest = uri.partition("://")
        if not mark or scheme == "file":
            yield self._open(by.parent / (rest if mark else uri))
            return
        if scheme not in ("model", "package"):
            raise ReactioError("network addresses are not read; download the model and give its path.")
        name, _, inner = rest.partition("/")
        if name in self.options.packages:
            yield self._open(self.options.packages[name] / inner)
            return
        for folder in by.parents:
            trial = _resolved(folder / rest)
            if self._allowed(trial):
                yield trial

    def _sdf_of(self, folder: Path) -> Path:
        """The SDF file of a folder: the newest known one of its ``model.config``, else ``model.sdf``."""
        config, name = self._open(folder / "model.config"), "model.sdf"
        if config.is_file():
            root = parse_xml(read_text(config), str(config))
            named = {version_of(element): element.text.strip() for element in root.all("sdf")}
            if not named:
                raise ReactioError(f"'{config}' names no <sdf> file.")
            name = named[max([version for version in named if version <= KNOWN_VERSION] or named)]
        if not os.path.isfile(folder / name):
            raise ReactioError(f"there is no file '{folder / name}'.")
        return self._open(folder / name)

    def _missing(self, uri: str, by: Path) -> str:
        scheme, mark, rest = uri.partition("://")
        if mark and scheme != "file":
            name = rest.partition("/")[0]
            if name in self.options.packages:
                return f"there is no '{self.options.packages[name] / rest.partition('/')[2]}'."
            return f"there is no '{rest}' in the folder of the model; give --package {name}=DIR."
        return f"there is no file '{by.parent / (rest if mark else uri)}'."

    def _open(self, path: Path) -> Path:
        resolved = _resolved(path)
        if not self._allowed(resolved):
            raise ReactioError(f"'{resolved}' lies outside the folder of the model; --anywhere allows it.")
        return resolved

    def _allowed(self, path: Path) -> bool:
        folders = (self.folder, *(folder.resolve() for folder in self.options.packages.values()))
        return self.options.anywhere or any(path.is_relative_to(folder) for folder in folders)


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        raise ReactioError("this cannot be the name of a file.") from None
