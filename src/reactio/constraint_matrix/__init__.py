"""C with labelled rows and columns: the only input of solvability, for models and for Jacobians of other programs."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from reactio.arrays import Bools, Floats, Ints, distinct
from reactio.errors import ReactioError, did_you_mean
from reactio.linear.rank import Tolerances
from reactio.linear.spans import Spans

Rows = Iterable[int] | slice | int
MAX_ENTRIES = 2**31  # stored: more do not fit the 32-bit indices of SciPy's sparse arrays
COLUMN_UNITS = {"m/s", "rad/s", ""}


class GroupKind(StrEnum):
    """What the rows of a group come from."""

    JOINT = "joint"  # a joint with rows at position level
    NONHOLONOMIC = "nonholonomic"  # a joint with rows at velocity level alone
    DRIVE = "drive"  # a coordinate that follows a function of time
    COUPLING = "coupling"  # an equation between joint coordinates
    INTRINSIC = "intrinsic"  # a body's own coordinates, which depend on each other: no verdict
    GROUP = "group"  # rows of a matrix without a model


def unknown_group(name: str, known: Collection[str]) -> ReactioError:
    """The error for a name that no joint, drive, contact or group of rows has; ``A.Fx`` is a component of A."""
    owner = str(name).rpartition(".")[0]
    hint = f" Did you mean '{owner}'?" if owner in known else did_you_mean(name, known)
    return ReactioError(f"There is no joint or group '{name}'.{hint}")


class Group(NamedTuple):
    """Rows [start, stop) that belong together: a joint, a drive, a contact; intrinsic ones get no verdict."""

    name: str
    kind: GroupKind
    type: str
    start: int
    stop: int

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.stop - self.start


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Named components of a group's reaction: P λ_X, with P (k, size)."""

    labels: tuple[str, ...]
    units: tuple[str, ...]
    P: Floats
    axes: str = ""  # that they are along: "joint", "world"; empty if they are not vectors


@dataclass(frozen=True, eq=False)
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
    unilateral: tuple[int, ...] = ()  # rows that can only push, λ ≥ 0

    @cached_property
    def spans(self) -> Spans:
        """The groups as spans of rows."""
        return Spans(np.array([0, *(g.stop for g in self.groups)], dtype=np.int64))

    @property
    def ptr(self) -> Ints:
        """Offsets (groups + 1,) of the groups in the rows."""
        return self.spans.ptr

    @cached_property
    def gapless(self) -> bool:
        """Does each group start where the one before it stops?"""
        starts = self.ptr[:-1].tolist()
        return all(g.start == start and g.size > 0 for g, start in zip(self.groups, starts, strict=True))

    @cached_property
    def unilateral_groups(self) -> tuple[Group, ...]:
        """The groups with rows that can only push, as closed contacts have them."""
        owners = distinct(np.searchsorted(self.ptr, self.unilateral, side="right") - 1)
        return tuple(self.groups[k] for k in owners)

    def with_components(self, components: Mapping[str, Components]) -> RowTable:
        """The same rows with other components; what follows from the groups alone is not worked out again."""
        table = object.__new__(RowTable)
        table.__dict__.update(self.__dict__, spans=self.spans, gapless=self.gapless, components=components)
        return table


@dataclass(frozen=True, eq=False)
class ColumnTable:
    """What the columns mean: columns body_ptr[b] … body_ptr[b+1] are of body b; units "m/s" or "rad/s"."""

    bodies: tuple[str, ...] = ()
    body_ptr: Ints | None = None
    units: Sequence[str] | None = None
    element_size: tuple[int, ...] = ()  # columns of an element of each body: 2 or 3 of natural ones, 0 of others

    @cached_property
    def angular(self) -> Bools | None:
        """Which columns are in rad/s (n,), or None when units are unknown."""
        return None if self.units is None else np.asarray(self.units) == "rad/s"

    @cached_property
    def body(self) -> Ints | None:
        """The body that each column belongs to (n,), or None when bodies are unknown."""
        return None if self.body_ptr is None else np.repeat(np.arange(len(self.body_ptr) - 1), np.diff(self.body_ptr))

    @cached_property
    def body_part(self) -> Ints | None:
        """Numbers (n,) that the linear velocities of a body have in common, and its angular ones; None as above."""
        if self.body is None:
            return None
        key = 2 * self.body if self.angular is None else 2 * self.body + self.angular
        return (np.cumsum(np.bincount(key) > 0) - 1)[key]

    @cached_property
    def twists(self) -> Ints:
        """Columns (b, w) of the bodies given by a twist, (v, ω) in the plane or in space; (0, 0) when none is."""
        turning, ptr = self.angular, self.body_ptr
        if turning is None or ptr is None or len(ptr) < 2:
            return np.zeros((0, 0), dtype=np.int64)
        for pattern in (np.array([0, 0, 1], bool), np.array([0, 0, 0, 1, 1, 1], bool)):
            starts = ptr[:-1][np.diff(ptr) == pattern.size]
            table = starts[:, None] + np.arange(pattern.size)
            table = table[(turning[table] == pattern).all(axis=1)]
            if len(table):
                return cast("Ints", table)
        return np.zeros((0, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class ConstraintMatrix:
    """The constraint matrix C (m, n) on velocities, C v = ν, with its labels.

    ``length`` [m]: characteristic length that makes rad/s comparable with m/s.
    ``order[i]``: the caller's number of row i (None: the same).
    ``tolerances``: what the accuracy of its geometry makes of singular values (None: rounding alone).
    ``cancelled`` (m,): how much of the terms that a row is the sum of is left in it, 1 where nothing cancels, 0 where
    all does and the row constrains nothing (None: not known, and rows of zeros are refused).
    ``rounding``: the error of its entries as a part of them, where units of columns are divided out (None: unknown).
    """

    C: Any
    rows: RowTable
    columns: ColumnTable = field(default_factory=ColumnTable)
    origin: str = "user"
    length: float = 1.0
    order: Ints | None = None
    tolerances: Tolerances | None = None
    cancelled: Floats | None = None
    rounding: float | None = None

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


def from_array(
    C: Any,
    groups: Mapping[str, Rows] | None = None,
    *,
    rows: Sequence[str] | RowTable | None = None,
    columns: Sequence[str] | ColumnTable | None = None,
    origin: str = "user",
    length: float | None = None,
) -> ConstraintMatrix:
    """Label a bare Jacobian (m, n), dense or scipy.sparse.

    groups: name → row numbers (list, range, slice, array; any order); the other rows become groups of one,
    "row 7".  rows: a label per row; columns: a unit per column ("m/s" or "rad/s").  length [m]: the characteristic
    length; where units are known it follows from the matrix when it is left out.

    >>> from_array([[1.0, 0.0], [1.0, 1.0]], {"A": [1]}).rows.groups[1].name
    'row 0'
    """
    matrix = numbers(C)
    m = matrix.shape[0]
    table = ColumnTable(units=tuple(columns)) if isinstance(columns, Sequence) else columns or ColumnTable()
    length = characteristic_length(matrix, table) if length is None else length
    if isinstance(rows, RowTable):
        if groups is not None:
            raise ReactioError("Give either groups= or a RowTable in rows=, not both: the table has its own groups.")
        result = ConstraintMatrix(matrix, rows, table, origin, length)
    else:
        names, order = partition({} if groups is None else groups, m)
        if rows is not None and (not isinstance(rows, Sequence) or len(rows) != m):
            raise ReactioError(f"rows= must list a label for each of the {m} rows of the matrix; got {rows!r}.")
        labels = None if rows is None else tuple(rows[i] for i in order)
        moved = None if order == list(range(m)) else np.array(order, dtype=np.int64)
        result = ConstraintMatrix(
            matrix if moved is None else matrix[moved], RowTable(names, labels), table, origin, length, moved
        )
    check(result)
    return result


def characteristic_length(C: Any, columns: ColumnTable) -> float:
    """How far its constraints act from the points whose velocities a matrix C (m, n) is written in [m].

    L = median over rows of |C_ω| / |C_v|, among the rows that see linear and angular velocities; 1 where none does, and
    then no length matters.
    """
    angular = columns.angular
    if angular is None or len(angular) != C.shape[1] or angular.all() or not angular.any():
        return 1.0
    size = np.abs(C) if isinstance(C, np.ndarray) else abs(C)
    with np.errstate(over="ignore", invalid="ignore"):  # sums beyond the range of numbers have no length
        force, moment = size @ np.where(angular, 0.0, 1.0), size @ np.where(angular, 1.0, 0.0)
    both = (force > 0.0) & (moment > 0.0)
    arm = np.log(moment[both]) - np.log(force[both])
    arm = arm[np.isfinite(arm)]
    return float(np.exp(np.clip(np.median(arm), -300.0, 300.0))) if arm.size else 1.0


def restricted(matrix: ConstraintMatrix, rows: Ints) -> ConstraintMatrix:
    """Some rows alone, as one group, with the same bodies and lengths."""
    cancelled = None if matrix.cancelled is None else matrix.cancelled[rows]
    table = RowTable((Group("rows", GroupKind.GROUP, "", 0, len(rows)),))
    return replace(matrix, C=matrix.C[rows], rows=table, order=None, cancelled=cancelled)


def numbers(C: Any) -> Any:
    """C as a float64 array or CSR array; the shape is looked at before anything is allocated."""
    sparse = hasattr(C, "tocsr")
    try:
        C = C if sparse else np.asarray(C)
    except ValueError as error:
        raise ReactioError("The rows of the constraint matrix must all have the same number of entries.") from error
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


def partition(groups: Mapping[str, Rows], m: int) -> tuple[tuple[Group, ...], list[int]]:
    """Groups made contiguous: the groups, and the caller's row number of each internal row."""
    if not isinstance(groups, Mapping):
        raise ReactioError(f"groups= maps names to rows, for example {{'A': [0, 1]}}; got {type(groups).__name__}.")
    listed = {str(name): _row_numbers(str(name), rows, m) for name, rows in groups.items()}
    order = [i for members in listed.values() for i in members]
    owned = set(order)
    if len(owned) < len(order):
        _refuse_overlap(listed)
    for i in range(m) if len(owned) < m else ():
        if i not in owned:
            if f"row {i}" in groups:
                raise ReactioError(f"The group name 'row {i}' is kept for the ungrouped row {i}; rename the group.")
            listed[f"row {i}"] = [i]
            order.append(i)
    stops = itertools.accumulate(map(len, listed.values()))
    grouped = (
        Group(k, GroupKind.GROUP, "", stop - len(v), stop) for (k, v), stop in zip(listed.items(), stops, strict=True)
    )
    return tuple(grouped), order


def _refuse_overlap(listed: Mapping[str, Sequence[int]]) -> None:
    owner: dict[int, str] = {}
    for name, members in listed.items():
        for i in members:
            if i in owner:
                where = "twice in one group" if owner[i] == name else f"in groups '{owner[i]}' and '{name}'"
                raise ReactioError(f"Row {i} is {where}; every row belongs to one group.")
            owner[i] = name


def _row_numbers(name: str, rows: Rows, m: int) -> list[int]:
    if isinstance(rows, slice):
        rows = range(*rows.indices(m))
    listed = list(rows) if isinstance(rows, Iterable) else [rows]
    if not listed:
        raise ReactioError(f"Group '{name}' has no rows.")
    try:
        numbers = [operator.index(i) for i in listed]
    except TypeError:
        numbers = []
    if not numbers or any(isinstance(i, bool | np.bool_) for i in listed):
        raise ReactioError(f"Group '{name}' must list row numbers (integers from 0 to {m - 1}).")
    if wrong := [i for i in numbers if not 0 <= i < m]:
        raise ReactioError(f"Group '{name}' names row {wrong[0]}; the matrix has rows 0 to {m - 1}.")
    return numbers


def check(matrix: ConstraintMatrix) -> None:
    """Refuse what has no answer: NaN or infinity, zero rows, tables that do not fit."""
    C, (m, n) = matrix.C, matrix.shape
    dense = isinstance(C, np.ndarray)
    if not (finite := np.isfinite(C if dense else C.data)).all():
        i, j = np.argwhere(~finite)[0] if dense else _place(C, int(np.flatnonzero(~finite)[0]))
        value = C[i, j] if dense else C.data[np.flatnonzero(~finite)[0]]
        raise ReactioError(f"The constraint matrix holds {value} at {_where(matrix, int(i))}, column {j}.")
    empty = ~C.any(axis=1) if dense else (abs(C) @ np.ones(n)) == 0.0
    if empty.any() and matrix.cancelled is None:
        where = _where(matrix, int(np.flatnonzero(empty)[0]))
        raise ReactioError(f"R{where[1:]} is zero: it constrains nothing, and its multiplier has no meaning.")
    if matrix.rows.ptr[-1] != m or not matrix.rows.gapless:
        raise ReactioError(f"The row table does not cover rows 0 to {m - 1} one group after the other.")
    units = matrix.columns.units
    if units is not None and (len(units) != n or not COLUMN_UNITS.issuperset(units)):
        raise ReactioError(f"Column units must be 'm/s' or 'rad/s' (or ''), one for each of the {n} columns.")
    ptr = matrix.columns.body_ptr
    if ptr is not None and (ptr[0] != 0 or ptr[-1] != n):
        raise ReactioError(
            f"The offsets of bodies must run from 0 to {n}, the number of columns; got {ptr[0]} to {ptr[-1]}."
        )
    if not (np.isfinite(matrix.length) and matrix.length > 0.0):
        raise ReactioError(f"The characteristic length must be positive; got {matrix.length!r}.")


def _place(C: Any, entry: int) -> tuple[int, int]:
    return int(np.searchsorted(C.indptr, entry, side="right")) - 1, int(C.indices[entry])


def _where(matrix: ConstraintMatrix, row: int) -> str:
    """``row 7 (group 'A')`` by the numbers of the caller, for messages."""
    group = next((g for g in matrix.rows.groups if g.start <= row < g.stop), None)
    number = row if matrix.order is None else int(matrix.order[row])
    return f"row {number}" + (f" (group '{group.name}')" if group and group.name != f"row {number}" else "")
