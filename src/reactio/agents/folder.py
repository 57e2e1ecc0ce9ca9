"""The folder to which a server of tools is confined: it reads models there and writes nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reactio.errors import ReactioError
from reactio.library import names


@dataclass(frozen=True)
class Folder:
    """A folder, all links in its path followed."""

    path: Path

    @staticmethod
    def at(path: Path) -> Folder:
        """The folder at a path, which has to exist."""
        if not path.is_dir():
            raise ReactioError(f"'{path}' is not a folder.")
        return Folder(path.resolve())

    def source(self, text: str) -> str:
        """A model: the name of a mechanism of the library, or the path of a file in this folder."""
        inside = self.inside(text)
        if text in names() and not inside.is_file():
            return text
        if not inside.is_file():
            raise ReactioError(
                f"There is no file '{text}' in {self.path}, and no mechanism of the library has that name."
            )
        return str(inside)

    def inside(self, text: str) -> Path:
        """A path relative to this folder; one that leads out of it, also by a link, is refused."""
        path = (self.path / text).resolve()
        if not path.is_relative_to(self.path):
            raise ReactioError(f"'{text}' lies outside {self.path}, to which this server is confined.")
        return path
