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
        """The value saved under a key, or None."""
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
