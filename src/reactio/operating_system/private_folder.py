"""A folder of the user that nobody else can write: for compiled kernels and for the record of written files."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

PRIVATE_ACCESS = 0o700  # mode of a folder that only its owner reads and writes: machine code is loaded from it


def private_folder(name: str) -> Path | None:
    """A folder of this name in which nobody but the user can write, or None where there is no such place."""
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
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows: folders of the user are private by their access lists
        return True
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    if stat.S_IMODE(status.st_mode) != PRIVATE_ACCESS:
        folder.chmod(PRIVATE_ACCESS)
    return all(_only_owner_renames(parent.stat()) for parent in folder.parents)


def _only_owner_renames(status: os.stat_result) -> bool:
    """Can only the user (or root) rename what lies in it?  In a sticky one everybody renames their own only."""
    if status.st_uid not in (0, os.geteuid()):
        return False
    others = status.st_mode & stat.S_IWOTH or (status.st_mode & stat.S_IWGRP and status.st_gid not in (0, os.getgid()))
    return not others or bool(status.st_mode & stat.S_ISVTX)


def _home_cache() -> str | None:
    try:
        return str(Path.home() / ".cache")
    except RuntimeError:
        return None
