"""The bytes of a file, or of a member of a zip archive, read with a limit."""

from __future__ import annotations

import zipfile
from pathlib import Path

from reactio.errors import ReactioError
from reactio.operating_system.files import check_file

MOST_SHAPE_BYTES = 256 * 2**20  # of one shape: a scan of some five million triangles


def content(path: Path) -> bytes:
    """The bytes of a file; of ``archive.FCStd/member.brp`` those of the member."""
    try:
        if path.parent.is_file():
            return _member(path.parent, path.name)
        check_file(path, MOST_SHAPE_BYTES)
        return path.read_bytes()
    except FileNotFoundError:
        raise ReactioError(f"'{path.name}' is missing.") from None
    except (OSError, ValueError) as error:
        raise ReactioError(f"'{path.name}' cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    except ReactioError as error:
        raise ReactioError(f"'{path.name}': {error}") from None


def is_there(path: Path) -> bool:
    """Is there a file of this name, or an archive that may have such a member?"""
    return path.is_file() or path.parent.is_file()


def _member(archive: Path, name: str) -> bytes:
    try:
        with zipfile.ZipFile(archive) as packed, packed.open(name) as file:
            data = file.read(MOST_SHAPE_BYTES + 1)
    except KeyError:
        raise ReactioError(f"'{archive.name}' has no such member.") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ReactioError(f"'{archive.name}' is not a readable archive: {error}.") from None
    if len(data) > MOST_SHAPE_BYTES:
        raise ReactioError(f"it unpacks to more than {MOST_SHAPE_BYTES // 2**20} MB.")
    return data
