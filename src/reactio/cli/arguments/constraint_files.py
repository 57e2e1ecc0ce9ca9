"""Constraint matrices and groups of rows from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from reactio.constraint_matrix.matrix_market import is_count, read_matrix_market
from reactio.errors import ReactioError, did_you_mean
from reactio.model.checks import LONGEST_NAME
from reactio.model.values.yaml_tree import Node, read_nodes
from reactio.operating_system.files import check_file

MOST_MATRIX_BYTES = 8 * 2**31  # 2^31 numbers
MOST_MATRIX_ROWS = 5_000_000  # in all groups; 100,000 joints have 600,000
MOST_MATRIX_GROUPS = 1_000_000
FORM = "groups of rows are a mapping such as `left: 0-4`"


def read_matrix(path: Path) -> Any:
    """A matrix from a NumPy (.npy), Matrix Market (.mtx) or comma-separated (.csv) file."""
    readers = {".npy": _npy, ".mtx": read_matrix_market, ".csv": _csv}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ReactioError(f"'{path}': a matrix is read from {', '.join(readers)}.{did_you_mean(path.suffix, readers)}")
    try:
        check_file(path, MOST_MATRIX_BYTES)
        loaded = reader(path)
        if loaded.ndim != 2:
            raise ReactioError(f"it holds an array with {loaded.ndim} axes; a matrix has two.")
        if loaded.dtype.kind not in "biufc":
            raise ReactioError(f"its entries are not numbers but {loaded.dtype}.")
        return loaded
    except ReactioError as error:
        raise ReactioError(f"'{path}': {error}") from None
    except OSError as error:
        raise ReactioError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    except MemoryError:
        raise
    except Exception as error:  # a damaged file fails in as many ways as its readers have
        why = str(error).splitlines()[0] if str(error) else "it is empty or cut off"
        raise ReactioError(f"'{path}' is not a {path.suffix} matrix: {why.rstrip('.')}.") from None


def _npy(path: Path) -> Any:
    loaded = np.load(path, allow_pickle=False, mmap_mode="r")
    if not isinstance(loaded, np.ndarray):
        raise ReactioError("it holds several arrays; save the one matrix with numpy.save.")
    return np.array(loaded)


def _csv(path: Path) -> Any:
    lines = path.read_text(encoding="utf-8-sig").splitlines()  # spreadsheets begin a file with a mark of its encoding
    widths = {k: line.count(",") + 1 for k, text in enumerate(lines, 1) if (line := text.split("#")[0].strip())}
    if not widths:
        raise ReactioError("it is empty.")
    first, width = next(iter(widths.items()))
    for k, wide in widths.items():
        if wide != width:
            raise ReactioError(
                f"line {first} has {width} entries and line {k} has {wide}; all rows must have the same number."
            )
    return np.loadtxt(lines, delimiter=",", ndmin=2, comments="#")


def read_groups(path: Path) -> dict[str, list[int]]:
    """Groups of rows from a YAML file: ``name: [0, 1, 2]``, ``name: 3`` or ``name: 0-4`` (both ends included)."""
    groups: dict[str, list[int]] = {}
    root, count = read_nodes(path, MOST_MATRIX_GROUPS, FORM), 0
    for name, node in root.mapping("the groups of rows").items():
        _check_name(name, node)
        items = [node] if isinstance(node.value, str) else node.items(f"group '{name}'")
        spans = [_span(item, name) for item in items]
        count += sum(map(len, spans))
        if count > MOST_MATRIX_ROWS:
            raise node.fail(f"group '{name}': with it the file names more than {MOST_MATRIX_ROWS:,} rows.")
        groups[name] = [row for span in spans for row in span]
    if not groups:
        raise root.fail(f"names no group; {FORM}.")
    return groups


def _check_name(name: str, node: Node) -> None:
    """Refuse names that a terminal takes for commands, or that fill it."""
    if not name.isprintable() or not name.strip() or len(name) > LONGEST_NAME:
        raise node.fail(f"{name[:40]!r} cannot be the name of a group: printable, at most {LONGEST_NAME} letters.")


def _span(item: Node, name: str) -> range:
    """The rows that one entry names."""
    text = item.text(f"group '{name}'")
    first, dash, last = (part.strip() for part in text.partition("-"))
    if not is_count(first) or (dash and not is_count(last)):
        raise item.fail(f"group '{name}': '{text[:60]}' is not a row number; rows count from 0.")
    return range(int(first), int(last or first) + 1)
