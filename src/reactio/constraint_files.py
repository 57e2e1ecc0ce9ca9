"""Constraint matrices and groups of rows from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reactio.errors import ReactioError, did_you_mean
from reactio.model.files.yaml_tree import read_nodes

MOST_BYTES = 8 * 2**31  # 2^31 numbers
MOST_GROUPS = 1_000_000  # groups, and rows in one of them
FORM = "groups of rows are a mapping such as `left: 0-4`"


def read_matrix(path: Path) -> Any:
    """A matrix from a NumPy (.npy), Matrix Market (.mtx) or comma-separated (.csv) file."""
    readers = {".npy": _npy, ".mtx": _mtx, ".csv": _csv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ReactioError(f"'{path}': a matrix is read from {', '.join(readers)}.{did_you_mean(path.suffix, readers)}")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ReactioError(f"'{path}' holds more than 2^31 entries; pass a sparse matrix (.mtx).")
        loaded = reader(path)
        if loaded.ndim != 2:
            raise ReactioError(f"'{path}' holds an array with {loaded.ndim} axes; a matrix has two.")
        return loaded
    except ReactioError:
        raise
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except (ValueError, EOFError, IndexError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise ReactioError(f"'{path}' is no {path.suffix} matrix: {str(error).splitlines()[0]}.") from None


def _npy(path: Path) -> Any:
    loaded = np.load(path, allow_pickle=False, mmap_mode="r")
    if not isinstance(loaded, np.ndarray):
        raise ReactioError(f"'{path}' holds several arrays; save the one matrix with numpy.save.")
    return np.array(loaded)


def _mtx(path: Path) -> Any:
    from scipy.io import mmread
    from scipy.sparse import csr_array, issparse

    loaded = mmread(path)
    return csr_array(loaded) if issparse(loaded) else np.asarray(loaded)


def _csv(path: Path) -> Any:
    if not path.read_text(encoding="utf-8").strip():
        raise ReactioError(f"'{path}' is empty.")
    return np.loadtxt(path, delimiter=",", ndmin=2, comments="#")


def read_groups(path: Path) -> dict[str, list[int]]:
    """Groups of rows from a YAML file: ``name: [0, 1, 2]``, ``name: 3`` or ``name: 0-4`` (both ends included)."""
    found = {}
    root = read_nodes(path, MOST_GROUPS, FORM)
    for name, node in root.mapping("the groups of rows").items():
        items = [node] if isinstance(node.value, str) else node.items(f"group '{name}'")
        rows: list[int] = []
        for item in items:
            text = item.text(f"group '{name}'")
            first, dash, last = text.partition("-")
            if not first.strip().isdigit() or (dash and not last.strip().isdigit()):
                raise item.fail(f"group '{name}': '{text}' is no row number; rows count from 0.")
            if int(last or first) - int(first) >= MOST_GROUPS:
                raise item.fail(f"group '{name}': '{text}' names more than {MOST_GROUPS:,} rows.")
            rows.extend(range(int(first), int(last or first) + 1))
        found[name] = rows
    if not found:
        raise root.fail(f"names no group; {FORM}.")
    return found
