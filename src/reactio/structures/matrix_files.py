"""Matrices in files: NumPy, Matrix Market, Nastran OP4 text, CalculiX .sti/.mas, Abaqus .mtx, plain tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix.matrix_market import read_matrix_market
from reactio.errors import ModelError, ReactioError
from reactio.operating_system.files import read_text


def matrix(given: Any, what: str, where: tuple[str, ...]) -> Floats:
    """A dense matrix from rows of numbers, or from a file by its ending."""
    if isinstance(given, str):
        entries = sparse_matrix(given, what, where)
        return np.asarray(entries.toarray() if hasattr(entries, "toarray") else entries)
    try:
        rows = np.array([list(row) for row in given], dtype=float)
    except (TypeError, ValueError):
        rows = np.zeros(0)
    if rows.ndim != 2:
        raise ModelError(f"{what} is not a matrix: give rows of numbers, or a file.", where)
    return rows


def sparse_matrix(path: str, what: str, where: tuple[str, ...]) -> Any:
    """The matrix of a file, (n, n) CSC."""
    from scipy.sparse import csc_array

    file = Path(path)
    ending = "".join(file.suffixes[-2:]) if file.suffix == ".gz" else file.suffix.lower()
    try:
        if ending in (".npz", ".npy"):
            return csc_array(_numpy(file))
        text = read_text(file)
        if not text.strip():
            raise ReactioError("it is empty")
        if ending == ".mtx" and text.startswith("%%MatrixMarket"):
            return csc_array(read_matrix_market(file))
        if ending == ".op4":
            return csc_array(_op4(text))
        if ending in (".sti", ".mas", ".mtx"):
            return csc_array(_triplets(text))
        return csc_array(
            np.array([[float(x) for x in line.replace(",", " ").split()] for line in text.splitlines() if line.strip()])
        )
    except ModelError:
        raise
    except (ReactioError, ValueError, IndexError, OSError, KeyError) as error:
        raise ModelError(f"{what}: '{path}' cannot be read as a matrix: {str(error).rstrip('.')}.", where) from None


def _numpy(file: Path) -> Any:
    try:
        array = np.load(file, allow_pickle=False)
    except (ValueError, EOFError):
        raise ReactioError("it is not a NumPy file") from None
    if not hasattr(array, "files"):
        return array
    names = set(array.files)
    if {"data", "indices", "indptr", "shape"} <= names or "row" in names:
        from scipy.sparse import load_npz

        return load_npz(file)
    if len(array.files) != 1:
        raise ValueError(f"it holds {', '.join(sorted(names))}; keep one matrix in it")
    return array[array.files[0]]


def _triplets(text: str) -> Any:
    """Rows of ``row column value`` (CalculiX), or ``node, dof, node, dof, value`` (Abaqus); either triangle or both."""
    from scipy.sparse import coo_array

    entries = [
        line.replace(",", " ").split() for line in text.splitlines() if line.strip() and not line.startswith("*")
    ]
    table = np.array([[float(x) for x in row] for row in entries])
    if table.shape[1] == 5:
        nodes = np.unique(table[:, [0, 2]])
        width = int(table[:, [1, 3]].max())
        i, j = (np.searchsorted(nodes, table[:, a]) * width + table[:, b].astype(int) - 1 for a, b in ((0, 1), (2, 3)))
        size = len(nodes) * width
    else:
        if table.shape[1] != 3:
            raise ValueError(
                f"its lines have {table.shape[1]} numbers; row, column, value are read, or node, dof twice"
            )
        i, j = table[:, 0].astype(int) - 1, table[:, 1].astype(int) - 1
        size = int(max(i.max(), j.max())) + 1
    A = coo_array((table[:, -1], (i, j)), shape=(size, size)).tocsc()
    upper, lower = bool((i < j).any()), bool((i > j).any())
    if upper != lower:
        from scipy.sparse import diags_array

        A = A + A.T - diags_array(A.diagonal())
    return A


def _op4(text: str) -> Floats:
    """The first matrix of a Nastran OUTPUT4 text file: header, then columns of numbers, dense or in strings.

    Header: columns, rows (negative: long strings), form, type (1, 2 real, 3, 4 complex), name, format of numbers.  A
    string starts with its length in words, two for a number of double precision, and its first row.
    """
    lines = text.splitlines()
    columns, rows, kind = (int(lines[0][k : k + 8]) for k in (0, 8, 24))
    if kind not in (1, 2):
        raise ValueError(f"its matrix is of type {kind}; real ones (1, 2) are read")
    form = re.search(r"(\d+)[ED](\d+)", lines[0][40:].upper())
    per_line, width = (int(form[1]), int(form[2])) if form else (5, 16)
    A, at, long = np.zeros((abs(rows), columns)), 1, rows < 0
    while at < len(lines):
        column, first, words = (int(lines[at][k : k + 8]) for k in (0, 8, 16))
        at += 1
        if column > columns:
            break
        if first > 0:
            values, at = _numbers(lines, at, words, width, per_line)
            A[first - 1 : first - 1 + words, column - 1] = values
            continue
        while words > 0:
            if long:
                length, row = int(lines[at][:8]) - 1, int(lines[at][8:16])
            else:
                length, row = divmod(int(lines[at].split()[0]), 65536)
                length -= 1
            words -= length + (2 if long else 1)
            size = length // kind
            values, at = _numbers(lines, at + 1, size, width, per_line)
            A[row - 1 : row - 1 + size, column - 1] = values
    return A


def _numbers(lines: list[str], at: int, count: int, width: int, per_line: int) -> tuple[list[float], int]:
    numbers: list[float] = []
    while len(numbers) < count:
        line = lines[at]
        numbers += [
            float(line[k : k + width].replace("D", "E"))
            for k in range(0, min(len(line.rstrip()), width * per_line), width)
        ]
        at += 1
    return numbers[:count], at
