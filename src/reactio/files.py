"""Files: read with care, and written whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from reactio.errors import ModelError, ReactioError

LONGEST_PATH = 200  # letters of a path that are repeated in a message
MOST_MODEL_BYTES = 64 * 2**20  # a model of 100,000 bodies takes some 50 MB


def path_of(given: object) -> Path:
    """The path that was given; anything but a text or a path is refused."""
    if not isinstance(given, str | os.PathLike):
        raise ReactioError(f"The name of a file is needed, not {type(given).__name__}.")
    return Path(given)


def check_file(path: Path, most_bytes: int | None = None) -> None:
    """Refuse what is no ordinary file (a device or a pipe may never end), or larger than it may be, before it is read.

    What the system says against it is raised as it is (``OSError``).
    """
    if path.is_dir():
        raise ReactioError("this is a folder; give a file in it.")
    size = os.path.getsize(path)
    if not path.is_file():
        raise ReactioError("this is no ordinary file.")
    if most_bytes is not None and size > most_bytes:
        limit = f"at most {most_bytes // 2**20:,} MB are read"
        raise ReactioError(f"the file has {size / 2**20:,.0f} MB; {limit}. Is it the right file?")


def read_text(path: Path, most_bytes: int = MOST_MODEL_BYTES) -> str:
    """The text of a UTF-8 file; what is no file, no text or too large is refused before it can do harm."""
    name = str(path)
    try:
        check_file(path, most_bytes)
        raw = path.read_bytes()
    except ReactioError as error:
        raise ModelError(str(error), place=name) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"cannot be read: {reason}.", place=name) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ModelError("is not UTF-8 text; save it as UTF-8, or give another file.", place=f"{name}:{line}") from None


class CsvLine(NamedTuple):
    """A line of a CSV file: its number, from 1, and its cells without blanks around them."""

    number: int
    cells: list[str]


def read_csv(path: Path) -> list[CsvLine]:
    """The lines of a CSV file that are not empty, with line ends of any system."""
    reader = csv.reader(io.StringIO(read_text(path), newline=None))  # all line ends become "\n"
    try:
        lines = [CsvLine(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise ModelError(f"is not a CSV table: {error}.", place=f"{path}:{reader.line_num}") from None
    return [line for line in lines if any(line.cells)]


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ReactioError(f"'{path}' cannot be written: {error}.") from None
    write_bytes(path, content)


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file atomically: beside it first, then renamed over it; a link stays and its file changes."""
    with _writing(path) as (descriptor, name, target):
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)


def check_writable(path: str | Path) -> None:
    """Refuse a path at which no file can be written; asked before long work, not after it."""
    with _writing(path) as (descriptor, name, _):
        os.close(descriptor)
        os.unlink(name)


@contextmanager
def _writing(path: str | Path) -> Iterator[tuple[int, str, Path]]:
    """A new file beside a path: its descriptor, its name, and where it is to go; removed when the block fails."""
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise ReactioError(f"'{path}' cannot be written: it is a folder or a device, not a file.")
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".reactio-")
        try:
            yield descriptor, name, target
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        shown = str(path) if len(str(path)) <= LONGEST_PATH else f"{str(path)[:LONGEST_PATH]}…"
        reason = getattr(error, "strerror", None) or error
        raise ReactioError(f"'{shown}' cannot be written: {reason}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
