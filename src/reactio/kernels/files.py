"""Compiled kernels on disk: a folder that only the user can write, and files that are whole or compiled anew.

Loading a compiled kernel runs code, so the folder is used only where nobody else can put a file into it.  Each file
begins with the digest of the rest; one that was cut, flipped or left empty by a full disk or a power cut does not match
it and counts as absent.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: processes that start together compile the same kernels
    fcntl = None  # type: ignore[assignment]

DIGEST_BYTES = hashlib.sha256().digest_size  # at the beginning of a file: the digest of the rest
PRIVATE_ACCESS = 0o700  # mode of a folder that only its owner reads and writes: machine code is loaded from it


def private_folder(name: str) -> Path | None:
    """A folder for compiled kernels in which nobody but the user can write, or None where there is no such place."""
    candidates: list[tuple[str | None, str]] = [
        (os.environ.get("REACTIO_CACHE"), "reactio"),
        (os.environ.get("XDG_CACHE_HOME"), "reactio"),
        (_home_cache(), "reactio"),
        (tempfile.gettempdir(), f"reactio-{os.geteuid()}" if hasattr(os, "geteuid") else "reactio"),
    ]
    for root, top in candidates:
        if not root:
            continue
        try:
            base = Path(root)
            base.mkdir(parents=True, exist_ok=True)
            base = base.resolve()
            if _is_private(base / top) and _is_private(base / top / name):
                with tempfile.TemporaryFile(dir=base / top / name):
                    return base / top / name
        except OSError:
            continue
    return None


def _is_private(folder: Path) -> bool:
    """Make a folder that only the user can access; is it one, and can nobody else put another in its place?"""
    with suppress(FileExistsError):
        folder.mkdir(PRIVATE_ACCESS)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: folders of the user are private by their access lists
        return True
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    if stat.S_IMODE(found.st_mode) != PRIVATE_ACCESS:
        folder.chmod(PRIVATE_ACCESS)
    return all(_only_owner_renames(parent.stat()) for parent in folder.parents)


def _only_owner_renames(found: os.stat_result) -> bool:
    """Can only the user (or root) rename what lies in it?  In a sticky one everybody renames their own only."""
    if found.st_uid not in (0, os.geteuid()):
        return False
    others = found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and found.st_gid not in (0, os.getgid()))
    return not others or bool(found.st_mode & stat.S_ISVTX)


def _home_cache() -> str | None:
    try:
        return str(Path.home() / ".cache")
    except RuntimeError:
        return None


@contextmanager
def one_process_at_a_time(folder: Path | None, name: str) -> Iterator[None]:
    """Let one process at a time run a block of that name; without waiting where no lock can be made (a full disk)."""
    if folder is None or fcntl is None:
        yield
        return
    try:
        lock = (folder / f"{name[:40]}.lock").open("w")
    except OSError:
        yield
        return
    with lock:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class KernelFiles:
    """The files of machine code of one kernel.

    ``stamp`` stands for all source that the kernel is made of: another stamp is another file.  A file that cannot be
    read counts as absent; one that cannot be written (a full disk) is left out, and the kernel is compiled next time.
    """

    def __init__(self, folder: Path, name: str, stamp: str) -> None:
        self.folder = folder
        self.name = name
        self.stamp = stamp

    def path(self, key: object) -> Path:
        """The file of a signature on this machine."""
        about = f"{self.name} {self.stamp} {sys.version} {key}"
        return self.folder / f"{hashlib.sha256(about.encode()).hexdigest()[:40]}.kernel"

    def load(self, key: object) -> Any:
        """What was saved under a key, or None."""
        path = self.path(key)
        try:
            if not stat.S_ISREG(path.lstat().st_mode):  # a pipe would be waited for, a device read without end
                return None
            content = path.read_bytes()
            digest, data = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
            if hashlib.sha256(data).digest() != digest:
                return None
            saved_key, saved = pickle.loads(data)
        except Exception:  # whatever is wrong with it, it can be compiled anew
            return None
        return saved if saved_key == key else None

    def save(self, key: object, data: Any) -> None:
        """Keep a compiled version: a file of its own first, then renamed, so that no reader sees half of it."""
        content = pickle.dumps((key, data))
        with suppress(OSError):
            descriptor, name = tempfile.mkstemp(dir=self.folder, prefix=".part-")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(hashlib.sha256(content).digest() + content)
                os.replace(name, self.path(key))
            except BaseException:
                os.unlink(name)
                raise
