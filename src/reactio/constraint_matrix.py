"""C with labelled rows and columns: the only input of solvability, and the door for anybody's Jacobian."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from reactio.errors import ReactioError

Array = NDArray[np.float64]
Rows = Iterable[int] | slice | int
MAX_ENTRIES = 2**31
KINDS = ("joint", "drive", "coupling", "nonholonomic", "intrinsic", "contact", "group")


@dataclass(frozen=True, slots=True)
class Group:
    """Rows [start, stop) that belong together: a joint, a drive, a contact; ``intrinsic`` gets no verdict."""

    name: str
    kind: str
    type: str
    start: int
    stop: int

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.stop - self.start


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Named components of a group's reaction: P λ_X, with P (k, size) in joint axes."""

    labels: tuple[str, ...]
    units: tuple[str, ...]
    P: Array


@dataclass(frozen=True, slots=True, eq=False)
class RowTable:
    """What the rows mean.

    ``groups`` cover the rows in order.  ``labels``/``units`` per row (None: "row 7", no unit).
    ``components`` by group name; without them the components are the rows.  ``edges``: per group the bodies it
    couples, −1 for ground; a group that holds one body absolutely (knife edge, drive) is (body, −1).
    """

    groups: tuple[Group, ...]
    labels: Sequence[str] | None = None
    units: Sequence[str] | None = None
    components: Mapping[str, Components] = field(default_factory=dict)
    edges: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ColumnTable:
    """What the columns mean: columns body_ptr[b] … body_ptr[b+1] are of body b; units "m/s" or "rad/s"."""

    bodies: tuple[str, ...] = ()
    body_ptr: NDArray[np.int64] | None = None
    units: Sequence[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ConstraintMatrix:
    """The constraint matrix C (m, n) on velocities, C v = ν, with its labels.

    ``length`` [m]: characteristic length that makes rad/s comparable with m/s.
    ``order[i]``: the caller's number of row i (None: the same).
    """

    C: Any
    rows: RowTable
    columns: ColumnTable = field(default_factory=ColumnTable)
    origin: str = "user"
    length: float = 1.0
    order: NDArray[np.int64] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(m, n)."""
        return int(self.C.shape[0]), int(self.C.shape[1])


def row_label(matrix: ConstraintMatrix, row: int) -> str:
    """The label of internal row ``row``; "row 7" counts as the caller does, from 0."""
    if matrix.rows.labels is not None:
        return matrix.rows.labels[row]
    return f"row {row if matrix.order is None else int(matrix.order[row])}"


def row_unit(matrix: ConstraintMatrix, row: int) -> str:
    """The unit of the multiplier of internal row ``row``, empty when unknown."""
    return "" if matrix.rows.units is None else matrix.rows.units[row]


def components(matrix: ConstraintMatrix, group: Group) -> Components:
    """The named components of a group; without a table they are its rows."""
    known = matrix.rows.components.get(group.name)
    if known is not None:
        return known
    rows = range(group.start, group.stop)
    labels = tuple(row_label(matrix, i) for i in rows)
    return Components(labels, tuple(row_unit(matrix, i) for i in rows), np.eye(group.size))


def group_ptr(rows: RowTable) -> NDArray[np.int64]:
    """Offsets (groups + 1,) of the groups in the rows."""
    return np.array([0, *(g.stop for g in rows.groups)], dtype=np.int64)


def angular(columns: ColumnTable) -> NDArray[np.bool_] | None:
    """Which columns are in rad/s (n,), or None when units are unknown."""
    return None if columns.units is None else np.asarray(columns.units) == "rad/s"


def twists(columns: ColumnTable) -> NDArray[np.int64]:
    """Columns (b, w) of the bodies given by a twist, (v, ω) in the plane or in space; (0, 0) when none is."""
    turning, ptr = angular(columns), columns.body_ptr
    if turning is None or ptr is None or len(ptr) < 2:
        return np.zeros((0, 0), dtype=np.int64)
    for pattern in (np.array([0, 0, 1], bool), np.array([0, 0, 0, 1, 1, 1], bool)):
        starts = ptr[:-1][np.diff(ptr) == pattern.size]
        table = starts[:, None] + np.arange(pattern.size)
        table = table[(turning[table] == pattern).all(axis=1)]
        if len(table):
            return cast("NDArray[np.int64]", table)
    return np.zeros((0, 0), dtype=np.int64)


def from_array(
    C: Any,
    groups: Mapping[str, Rows] | None = None,
    *,
    rows: Sequence[str] | RowTable | None = None,
    columns: Sequence[str] | ColumnTable | None = None,
    origin: str = "user",
    length: float = 1.0,
) -> ConstraintMatrix:
    """Label a bare Jacobian (m, n), dense or scipy.sparse.

    groups: name → row numbers (list, range, slice, array; any order); the other rows become groups of one,
    "row 7".  rows: a label per row; columns: a unit per column ("m/s" or "rad/s").

    >>> from_array([[1.0, 0.0], [1.0, 1.0]], {"A": [1]}).rows.groups[1].name
    'row 0'
    """
    matrix = numbers(C)
    m, _n = matrix.shape
    table = ColumnTable(units=tuple(columns)) if isinstance(columns, Sequence) else columns or ColumnTable()
    if isinstance(rows, RowTable):
        if groups is not None:
            raise ReactioError("Give either groups= or a RowTable in rows=, not both: the table has its own groups.")
        result = ConstraintMatrix(matrix, rows, table, origin, length)
    else:
        names, order = partition(groups or {}, m)
        if rows is not None and len(rows) != m:
            raise ReactioError(f"rows= has {len(rows)} labels, but the matrix has {m} rows.")
        identity = bool(np.array_equal(order, np.arange(m)))
        labels = None if rows is None else tuple(rows[i] for i in order)
        result = ConstraintMatrix(
            matrix if identity else matrix[order],
            RowTable(names, labels),
            table,
            origin,
            length,
            None if identity else order,
        )
    check(result)
    return result


def numbers(C: Any) -> Any:
    """C as a float64 array or CSR array; the shape is looked at before anything is allocated."""
    sparse = hasattr(C, "tocsr")
    if not sparse:
        C = np.asarray(C)
    if getattr(C, "ndim", 2) != 2:
        raise ReactioError(f"The constraint matrix must have two axes (m, n); this one has {C.ndim}.")
    m, n = C.shape
    if m == 0 or n == 0:
        raise ReactioError(f"The constraint matrix is empty ({m} × {n}): there is nothing to judge.")
    if (C.nnz if sparse else m * n) > MAX_ENTRIES:
        raise ReactioError(
            f"The constraint matrix ({m} × {n}) has more than 2^31 stored entries; pass it as scipy.sparse."
        )
    if np.issubdtype(C.dtype, np.complexfloating):
        raise ReactioError("The constraint matrix is complex; reactions are real. Pass its real form.")
    try:
        if not sparse:
            return np.ascontiguousarray(C, dtype=np.float64)
        from scipy.sparse import csr_array

        return csr_array(C, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ReactioError(f"The constraint matrix must hold numbers; dtype {C.dtype} does not convert.") from error


def partition(groups: Mapping[str, Rows], m: int) -> tuple[tuple[Group, ...], NDArray[np.int64]]:
    """Groups made contiguous: the groups, and the caller's row number of each internal row."""
    owner: dict[int, str] = {}
    listed = {str(name): _row_numbers(str(name), rows, m) for name, rows in groups.items()}
    for name, members in listed.items():
        for i in members:
            if i in owner:
                other = owner[i]
                where = "twice in one group" if other == name else f"in groups '{other}' and '{name}'"
                raise ReactioError(f"Row {i} is {where}; every row belongs to one group.")
            owner[i] = name
    for i in range(m):
        if i not in owner:
            if f"row {i}" in listed:
                raise ReactioError(f"The group name 'row {i}' is kept for the ungrouped row {i}; rename the group.")
            listed[f"row {i}"] = [i]
    ordered = sorted(listed.items(), key=lambda item: min(item[1])) if not groups else list(listed.items())
    order = np.array([i for _, members in ordered for i in members], dtype=np.int64)
    stops = np.cumsum([len(members) for _, members in ordered])
    made = (Group(k, "group", "", int(stop) - len(v), int(stop)) for (k, v), stop in zip(ordered, stops, strict=True))
    return tuple(made), order


def _row_numbers(name: str, rows: Rows, m: int) -> list[int]:
    if isinstance(rows, slice):
        rows = range(*rows.indices(m))
    elif isinstance(rows, int | np.integer):
        rows = [int(rows)]
    numbers = np.asarray(list(rows))
    if numbers.size == 0:
        raise ReactioError(f"Group '{name}' has no rows.")
    if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
        raise ReactioError(f"Group '{name}' must list row numbers (integers from 0 to {m - 1}).")
    wrong = numbers[(numbers < 0) | (numbers >= m)]
    if wrong.size:
        raise ReactioError(f"Group '{name}' names row {wrong[0]}; the matrix has rows 0 to {m - 1}.")
    return [int(i) for i in numbers]


def check(matrix: ConstraintMatrix) -> None:
    """Refuse what has no answer: NaN or infinity, zero rows, tables that do not fit."""
    C, (m, n) = matrix.C, matrix.shape
    dense = isinstance(C, np.ndarray)
    finite = np.isfinite(C if dense else C.data)
    if not finite.all():
        i, j = np.argwhere(~finite)[0] if dense else _place(C, int(np.flatnonzero(~finite)[0]))
        value = C[i, j] if dense else C.data[np.flatnonzero(~finite)[0]]
        raise ReactioError(f"The constraint matrix holds {value} at {_where(matrix, int(i))}, column {j}.")
    empty = ~C.any(axis=1) if dense else (abs(C) @ np.ones(n)) == 0.0
    if empty.any():
        i = int(np.flatnonzero(empty)[0])
        raise ReactioError(f"R{_where(matrix, i)[1:]} is zero: it constrains nothing, so its multiplier means nothing.")
    groups = matrix.rows.groups
    ptr = group_ptr(matrix.rows)
    if ptr[-1] != m or any(g.start != ptr[k] or g.size < 1 for k, g in enumerate(groups)):
        raise ReactioError(f"The row table does not cover rows 0 to {m - 1} one group after the other.")
    units = matrix.columns.units
    if units is not None and (len(units) != n or not set(units) <= {"m/s", "rad/s", ""}):
        raise ReactioError(f"Column units must be 'm/s' or 'rad/s' (or ''), one for each of the {n} columns.")
    if not (np.isfinite(matrix.length) and matrix.length > 0.0):
        raise ReactioError(f"The characteristic length must be positive; got {matrix.length!r}.")


def _place(C: Any, entry: int) -> tuple[int, int]:
    return int(np.searchsorted(C.indptr, entry, side="right")) - 1, int(C.indices[entry])


def _where(matrix: ConstraintMatrix, row: int) -> str:
    """Row number of the caller with its group, for messages."""
    group = next((g for g in matrix.rows.groups if g.start <= row < g.stop), None)
    number = row if matrix.order is None else int(matrix.order[row])
    return f"row {number}" + (f" (group '{group.name}')" if group and group.name != f"row {number}" else "")
