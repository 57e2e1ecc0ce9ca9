"""Constraint matrices and groups of rows from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reactio.errors import ReactioError, did_you_mean
from reactio.files import check_file
from reactio.model.checks import LONGEST
from reactio.model.files.yaml_tree import Node, read_nodes

MOST_BYTES = 8 * 2**31  # 2^31 numbers
MOST_SIDE = 5_000_000  # rows or columns of a sparse matrix, and rows in all groups; 100,000 joints have 600,000
MOST_COMMENT = 2**20  # bytes before the size of a Matrix Market file
MOST_GROUPS = 1_000_000
FORM = "groups of rows are a mapping such as `left: 0-4`"


def read_matrix(path: Path) -> Any:
    """A matrix from a NumPy (.npy), Matrix Market (.mtx) or comma-separated (.csv) file."""
    readers = {".npy": _npy, ".mtx": _mtx, ".csv": _csv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ReactioError(f"'{path}': a matrix is read from {', '.join(readers)}.{did_you_mean(path.suffix, readers)}")
    try:
        check_file(path, MOST_BYTES)
        loaded = reader(path)
        if loaded.ndim != 2:
            raise ReactioError(f"it holds an array with {loaded.ndim} axes; a matrix has two.")
        if loaded.dtype.kind not in "biufc":
            raise ReactioError(f"its entries are no numbers but {loaded.dtype}.")
        return loaded
    except ReactioError as error:
        raise ReactioError(f"'{path}': {error}") from None
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except MemoryError:
        raise
    except Exception as error:  # a damaged file fails in as many ways as its readers have
        why = str(error).splitlines()[0] if str(error) else "it is empty or cut off"
        raise ReactioError(f"'{path}' is no {path.suffix} matrix: {why.rstrip('.')}.") from None


def _npy(path: Path) -> Any:
    loaded = np.load(path, allow_pickle=False, mmap_mode="r")
    if not isinstance(loaded, np.ndarray):
        raise ReactioError("it holds several arrays; save the one matrix with numpy.save.")
    return np.array(loaded)


def _mtx(path: Path) -> Any:
    from scipy.io import mmread
    from scipy.sparse import csr_array, issparse

    _check_size(path)
    loaded = mmread(path)
    return csr_array(loaded) if issparse(loaded) else np.asarray(loaded)


def _check_size(path: Path) -> None:
    """Refuse a Matrix Market file whose line of sizes promises more than the file can hold, or nothing at all.

    The size line is ``rows columns`` of a dense matrix, ``rows columns entries`` of a sparse one.  The reader believes
    it, and makes room (or divides by it) before it has seen an entry.
    """
    with path.open("rb") as file:
        head = file.read(MOST_COMMENT).decode("latin-1").splitlines()
    words = head[0].lower().split() if head else []
    if len(words) < 3 or words[0] != "%%matrixmarket" or words[1] != "matrix":
        raise ReactioError("its first line is not '%%MatrixMarket matrix …'.")
    sparse = words[2] == "coordinate"
    size = next((line.split() for line in head[1:] if line.strip() and not line.startswith("%")), [])
    if len(size) != (3 if sparse else 2) or not all(_is_count(word) for word in size):
        wanted = "rows columns entries" if sparse else "rows columns"
        raise ReactioError(f"its line of sizes is '{' '.join(size)[:60]}', not '{wanted}'.")
    rows, columns, *rest = (int(word) for word in size)
    if not rows or not columns:
        raise ReactioError(f"it is empty ({rows} × {columns}).")
    if sparse and max(rows, columns) > MOST_SIDE:
        raise ReactioError(f"{rows:,} × {columns:,} are too many rows or columns; at most {MOST_SIDE:,} are read.")
    entries = rest[0] if sparse else rows * columns // (2 if len(words) > 4 and words[4] != "general" else 1)
    if 2 * entries > path.stat().st_size:  # each takes two letters at least
        raise ReactioError(f"it promises {entries:,} entries, more than its {path.stat().st_size:,} bytes can hold.")


def _is_count(text: str) -> bool:
    """A whole number in the digits 0 to 9, small enough to be a row or a number of entries."""
    return text.isascii() and text.isdigit() and len(text) <= 15


def _csv(path: Path) -> Any:
    if not path.read_text(encoding="utf-8").strip():
        raise ReactioError("it is empty.")
    return np.loadtxt(path, delimiter=",", ndmin=2, comments="#")


def read_groups(path: Path) -> dict[str, list[int]]:
    """Groups of rows from a YAML file: ``name: [0, 1, 2]``, ``name: 3`` or ``name: 0-4`` (both ends included)."""
    found: dict[str, list[int]] = {}
    root, count = read_nodes(path, MOST_GROUPS, FORM), 0
    for name, node in root.mapping("the groups of rows").items():
        _check_name(name, node)
        items = [node] if isinstance(node.value, str) else node.items(f"group '{name}'")
        spans = [_span(item, name) for item in items]
        count += sum(map(len, spans))
        if count > MOST_SIDE:
            raise node.fail(f"group '{name}': with it the file names more than {MOST_SIDE:,} rows.")
        found[name] = [row for span in spans for row in span]
    if not found:
        raise root.fail(f"names no group; {FORM}.")
    return found


def _check_name(name: str, node: Node) -> None:
    """Refuse names that a terminal takes for commands, or that fill it."""
    if not name.isprintable() or not name.strip() or len(name) > LONGEST:
        raise node.fail(f"{name[:40]!r} cannot be the name of a group: printable, at most {LONGEST} letters.")


def _span(item: Node, name: str) -> range:
    """The rows that one entry names."""
    text = item.text(f"group '{name}'")
    first, dash, last = (part.strip() for part in text.partition("-"))
    if not _is_count(first) or (dash and not _is_count(last)):
        raise item.fail(f"group '{name}': '{text[:60]}' is no row number; rows count from 0.")
    return range(int(first), int(last or first) + 1)
