"""Files: read with care, written whole or not at all, and by commands never over files that are not theirs.

A command overwrites no file that it reads.  It overwrites a file that Reactio wrote and nobody changed since, which the
digests of all written files tell (in a folder of the user); any other file only with ``--force``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from reactio.errors import ModelError, ReactioError
from reactio.operating_system.private_folder import private_folder

LONGEST_PATH = 200  # letters of a path that are repeated in a message
MOST_RECORD_BYTES = 2**20  # of the record of written files, 16,000 of them; as many older ones are kept
MOST_MODEL_BYTES = 64 * 2**20  # a model of 100,000 bodies takes some 50 MB


def path_of(given: object) -> Path:
    """The path that was given; anything but a text or a path is refused."""
    if not isinstance(given, str | os.PathLike):
        raise ReactioError(f"The name of a file is needed, not {type(given).__name__}.")
    return Path(given)


def check_file(path: Path, most_bytes: int | None = None) -> None:
    """Refuse devices and pipes, which may never end, and files that are too large, before they are read.

    Errors of the system are raised as they are (``OSError``).
    """
    if path.is_dir():
        raise ReactioError("this is a folder; give a file in it.")
    size = os.path.getsize(path)
    if not path.is_file():
        raise ReactioError("this is not an ordinary file.")
    if most_bytes is not None and size > most_bytes:
        limit = f"at most {most_bytes // 2**20:,} MB are read"
        raise ReactioError(f"the file has {size / 2**20:,.0f} MB; {limit}. Is it the right file?")
    _note_reading(path)


def read_text(path: Path, most_bytes: int = MOST_MODEL_BYTES) -> str:
    """The text of a UTF-8 file; anything else, and files that are too large, are refused before they can do harm."""
    name = str(path)
    if name in (texts := _UNSAVED.get()):
        return texts[name]
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


_NOTHING_UNSAVED: Mapping[str, str] = MappingProxyType({})
_UNSAVED = ContextVar("_UNSAVED", default=_NOTHING_UNSAVED)  # texts that stand in place of files


@contextmanager
def unsaved(path: str | Path, text: str) -> Iterator[None]:
    """Read a text where a file of this path would be read, as an editor has it that has not saved it."""
    token = _UNSAVED.set({**_UNSAVED.get(), str(path): text})
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def is_unsaved(path: str | Path) -> bool:
    """Does a text stand in place of the file of this path?"""
    return str(path) in _UNSAVED.get()


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


def write_text(path: str | Path, text: str, *, side: bool = False) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ReactioError(f"'{path}' cannot be written: {error}.") from None
    write_bytes(path, content, side=side)


def write_csv(path: str | Path, columns: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    """Write a table, whole or not at all: the names of its columns, then its lines, numbers with all their digits."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows(lines)
    write_text(path, text.getvalue())


def write_bytes(path: str | Path, content: bytes, *, side: bool = False) -> None:
    """Write a file atomically: a temporary file next to it, then renamed over it; a link stays and its file changes."""
    write_by(path, lambda name: Path(name).write_bytes(content), side=side)


def write_by(path: str | Path, write: Callable[[str], object], *, side: bool = False) -> None:
    """Write a file atomically by a function that writes the file of a given name.

    ``side``: the user named another file, next to which this one is written.
    """
    with _writing(path, side) as (name, target):
        write(name)
        os.chmod(name, 0o666 & ~_umask())
        _record(_digest(Path(name)))
        os.replace(name, target)


def check_writable(path: str | Path, *, side: bool = False) -> None:
    """Refuse a path at which no file can or may be written; asked before long work, not after it."""
    with _writing(path, side) as (name, target):
        os.unlink(name)
        if (guard := _GUARD.get()) is not None and target.exists():
            guard.to_be_written.add(_identity(target))


@contextmanager
def _writing(path: str | Path, side: bool) -> Iterator[tuple[str, Path]]:
    """The names of a new file next to a path and of the file itself; the new one is removed when the block fails."""
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise ReactioError(f"'{path}' cannot be written: it is a folder or a device, not a file.")
        _refuse_overwriting(path, target, side)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".reactio-", suffix=target.suffix)
        os.close(descriptor)
        try:
            yield name, target
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        shown = str(path) if len(str(path)) <= LONGEST_PATH else f"{str(path)[:LONGEST_PATH]}…"
        reason = getattr(error, "strerror", None) or error
        raise ReactioError(f"'{shown}' cannot be written: {reason}.") from None


@dataclass(frozen=True, slots=True)
class WriteGuard:
    """Files that a command must not overwrite: those it reads, and those that Reactio has not written.

    A file is known by its device and number, so that links and other spellings of its path lead to the same one.
    """

    force: bool  # may a file that the user named be overwritten, whoever wrote it?
    were_read: set[tuple[int, int]] = field(default_factory=set)
    to_be_written: set[tuple[int, int]] = field(default_factory=set)


_GUARD: ContextVar[WriteGuard | None] = ContextVar("_GUARD", default=None)


@contextmanager
def guarded(force: bool) -> Iterator[None]:
    """Protect files during a command; functions called from Python write to the path they are given."""
    token = _GUARD.set(WriteGuard(force))
    try:
        yield
    finally:
        _GUARD.reset(token)


def _note_reading(path: Path) -> None:
    """Remember a file that is read; refuse one that the command is going to overwrite."""
    if (guard := _GUARD.get()) is None:
        return
    identity = _identity(path)
    if identity in guard.to_be_written:
        raise ReactioError(f"the input '{path.name}' would be overwritten; choose another output.")
    guard.were_read.add(identity)


def _refuse_overwriting(path: str | Path, target: Path, side: bool) -> None:
    guard = _GUARD.get()
    if guard is None or not target.exists():
        return
    if _identity(target) in guard.were_read:
        raise ReactioError(f"the input '{path}' would be overwritten; choose another output.")
    if (guard.force and not side) or _digest(target) in _recorded():
        return
    known = "exists, and Reactio did not write it on this machine, or it has changed since"
    remedy = "remove or rename it, or choose another output" if side else "--force overwrites it"
    raise ReactioError(f"'{path}' {known}; {remedy}.")


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _record(digest: str) -> None:
    """Remember the content of a file that is written: a file that matches it later is ours and unedited."""
    with suppress(OSError):
        if (folder := private_folder("written")) is None:
            return
        record = folder / "sha256"
        if record.exists() and record.stat().st_size > MOST_RECORD_BYTES:
            record.replace(folder / "sha256-older")
        with record.open("a", encoding="ascii") as file:
            file.write(f"{digest}\n")


def _recorded() -> set[str]:
    folder = private_folder("written")
    if folder is None:
        return set()
    digests: set[str] = set()
    for name in ("sha256", "sha256-older"):
        with suppress(OSError):
            digests.update((folder / name).read_text(encoding="ascii").split())
    return digests


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
