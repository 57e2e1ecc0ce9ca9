"""Matrix Market files, read so that a damaged one is refused by its sizes and lines, and never ends the process.

    %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|skew-symmetric|hermitian
    % comments
    rows columns [entries]
    row column [value], or one value of an array in each line, column after column

[Boisvert, Pozo & Remington 1996, NISTIR 5935]
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError

MOST_SIDE = 5_000_000  # rows or columns of a sparse matrix; 100,000 joints have 600,000
MOST_COMMENT = 2**20  # letters before the line of sizes
LAYOUTS = ("coordinate", "array")
MATRIX_FIELDS = ("real", "double", "integer", "pattern")
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")  # of real numbers hermitian is symmetric


class Header(NamedTuple):
    """What the first line and the line of sizes say."""

    sparse: bool
    pattern: bool
    symmetry: str
    rows: int
    columns: int
    entries: int


def read_matrix_market(path: Path) -> Any:
    """The matrix of a file: CSR (m, n) where it lists single entries, else an array (m, n)."""
    with path.open(encoding="latin-1") as file:  # any byte is a letter; entries that are not numbers are refused below
        header = _header(file, path.stat().st_size)
        values = _values(file, header)
    return _sparse(header, values) if header.sparse else _dense(header, values[:, 0])


def _header(file: TextIO, size: int) -> Header:
    words = file.readline(MOST_COMMENT).lower().split()
    if len(words) < 3 or words[0] != "%%matrixmarket" or words[1] != "matrix":
        raise ReactioError("its first line is not '%%MatrixMarket matrix …'.")
    kind, field, symmetry = (*words[2:5], *("coordinate", "real", "general")[len(words) - 2 :])
    for word, known in ((kind, LAYOUTS), (field, MATRIX_FIELDS), (symmetry, SYMMETRIES)):
        if word not in known:
            raise ReactioError(f"its first line says '{word[:40]}'; {', '.join(known)} are read.")
    sparse = kind == "coordinate"
    if field == "pattern" and not sparse:
        raise ReactioError("its first line says 'array' and 'pattern'; an array has values.")
    counts = _sizes(file, 3 if sparse else 2)
    rows, columns = counts[:2]
    if not rows or not columns:
        raise ReactioError(f"it is empty ({rows} × {columns}).")
    if sparse and max(rows, columns) > MOST_SIDE:
        raise ReactioError(f"{rows:,} × {columns:,} are too many rows or columns; at most {MOST_SIDE:,} are read.")
    if symmetry != "general" and rows != columns:
        raise ReactioError(f"it is {rows:,} × {columns:,}; a {symmetry} matrix has as many rows as columns.")
    entries = counts[2] if sparse else _stored(rows, columns, symmetry)
    if 2 * entries > size:  # each takes two letters at least
        raise ReactioError(f"it promises {entries:,} entries, more than its {size:,} bytes can hold.")
    return Header(sparse, field == "pattern", symmetry, rows, columns, entries)


def _stored(rows: int, columns: int, symmetry: str) -> int:
    """Values of an array: all, or those on and below the diagonal, or below it."""
    below = rows * (rows - 1) // 2
    return {"general": rows * columns, "skew-symmetric": below}.get(symmetry, below + rows)


def _sizes(file: TextIO, count: int) -> list[int]:
    """The first line that is not a comment."""
    read, line = 0, "%"
    while line and read < MOST_COMMENT and (line.startswith("%") or not line.strip()):
        line = file.readline(MOST_COMMENT)
        read += len(line)
    words = line.split()
    if len(words) != count or not all(map(is_count, words)):
        wanted = " ".join(("rows", "columns", "entries")[:count])
        raise ReactioError(f"its line of sizes is '{' '.join(words)[:60]}', not '{wanted}'.")
    return [int(word) for word in words]


def is_count(text: str) -> bool:
    """A whole number in the digits 0 to 9, small enough to be a row or a number of entries."""
    return text.isascii() and text.isdigit() and len(text) <= 15


def _values(file: TextIO, header: Header) -> Floats:
    """The numbers of all entries (entries, 1 … 3), each line as long as the first line of the file asks for."""
    width = 1 if not header.sparse else 2 if header.pattern else 3
    if not header.entries:
        return np.zeros((0, width))
    first = next((line for line in file if line.partition("%")[0].strip()), None)
    if first is None:
        raise ReactioError(f"it promises {header.entries:,} entries and holds 0.")
    values = np.loadtxt(chain([first], file), dtype=np.float64, comments="%", ndmin=2)
    if not header.sparse:
        values = values.reshape(-1, 1)  # several values in a line are still values
    if values.shape[0] and values.shape[1] != width:
        raise ReactioError(f"its entries have {values.shape[1]} numbers each, not {width}.")
    if len(values) != header.entries:
        raise ReactioError(f"it promises {header.entries:,} entries and holds {len(values):,}.")
    return np.asarray(values)


def _sparse(header: Header, values: Floats) -> Any:
    from scipy.sparse import csr_array, diags_array

    for name, at, count in (("row", values[:, 0], header.rows), ("column", values[:, 1], header.columns)):
        wrong = ~((at >= 1) & (at <= count) & (at == np.floor(at)))
        if wrong.any():
            raise ReactioError(f"an entry stands in {name} {at[wrong][0]:g}; there are {name}s 1 to {count:,}.")
    i, j = (values[:, k].astype(np.int64) - 1 for k in (0, 1))
    entries = np.ones(len(values)) if header.pattern else values[:, 2]
    A = csr_array((entries, (i, j)), shape=(header.rows, header.columns))
    if header.symmetry == "general":
        return A
    if header.symmetry == "skew-symmetric":
        return csr_array(A - A.T)
    return csr_array(A + A.T - diags_array(A.diagonal()))


def _dense(header: Header, values: Floats) -> Floats:
    if header.symmetry == "general":
        return np.ascontiguousarray(values.reshape(header.columns, header.rows).T)
    skew = header.symmetry == "skew-symmetric"
    A = np.zeros((header.rows, header.columns))
    j, i = np.triu_indices(header.rows, 1 if skew else 0)  # column after column, from the diagonal down
    A[j, i] = -values if skew else values
    A[i, j] = values
    return A
