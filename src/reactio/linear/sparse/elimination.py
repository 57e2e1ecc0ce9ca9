"""Dense elimination front by front: each takes its rows and its children's, and passes on the rest.

Duff & Reid 1983, ACM Trans. Math. Softw. 9, 302–325.
"""

from __future__ import annotations

import logging
import time
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints
from reactio.kernels import kernel
from reactio.linear.sparse.fronts import EliminationTree, FrontRows
from reactio.linear.sparse.reflectors import (
    PANEL_REFLECTORS,
    PANEL_ROWS,
    PANEL_SLOT,
    PANEL_VALUE,
    border_panel,
    compact,
    move,
    own_panel,
    reflect,
)

log = logging.getLogger("reactio")
ANNOUNCED_SECONDS = 10.0  # expected time from which on a factorisation is announced: shorter ones need no word
PROGRESS_SECONDS = 5.0  # between two lines about its progress
MULTIPLICATION_RATE = 1e9  # multiplications per second, compiled on one core
PANEL = 16  # reflectors applied together; their vectors stay in the cache


class Store(NamedTuple):
    """What the factorisation writes: the factor Q, and the contributions that wait for their parents."""

    used: Ints  # (6,) how much is used of each array: VALUES …
    evidence: Floats  # (2,) SMALLEST_KEPT, LARGEST_DROPPED: norms of columns
    pivot: Bools
    slots: Ints
    panels: Ints  # (panels, 4) PANEL_SLOT …
    stack: Ints  # (depth, 4) STACK_FRONT …: the contributions that wait
    stack_slot: Ints
    stack_lead: Ints  # column of the child's border in which a stacked row begins
    stack_value: Floats  # border columns × rows of each contribution


# Entries of ``used``: numbers of Q, panels, slots, stacked contributions, and the rows and numbers of these.
VALUES, PANELS, SLOTS, DEPTH, STACK_ROWS, STACK_VALUES = range(6)
# Columns of ``stack``: the front that a contribution comes from, its rows, its first stacked row and number.
STACK_FRONT, STACK_COUNT, STACK_FIRST_ROW, STACK_FIRST_VALUE = range(4)


def factorise(m: int, tree: EliminationTree, rows: FrontRows, tol: float) -> tuple[Store, Floats]:
    """Factor all fronts, giving them more room for Q as they ask for it, and saying how long that will take."""
    top, told = room(tree, np.diff(rows.of_front)), Announced(tree, np.diff(rows.of_front))
    store = Store(
        used=np.zeros(6, np.int64),
        evidence=np.array([np.inf, 0.0]),
        pivot=np.zeros(m, np.bool_),
        slots=np.empty(top[SLOTS], np.int64),
        panels=np.empty((top[PANELS], 4), np.int64),
        stack=np.empty((top[DEPTH], 4), np.int64),
        stack_slot=np.empty(top[STACK_ROWS], np.int64),
        stack_lead=np.empty(top[STACK_ROWS], np.int64),
        stack_value=np.empty(top[STACK_VALUES]),
    )
    values = np.empty(top[VALUES] + 8 * rows.value.size)
    front = factor(0, tree, rows, store, values, tol)
    while front < tree.children.size:
        # In place, so that old and new never exist together.
        told.reached(front)
        values.resize(values.size * 5 // 4 + top[VALUES], refcheck=False)
        front = factor(front, tree, rows, store, values, tol)
    values.resize(store.used[VALUES], refcheck=False)
    return store, values


class Announced:
    """Messages of a long factorisation, through the logger ``reactio``: time and memory, then its progress."""

    def __init__(self, tree: EliminationTree, own_rows: Ints) -> None:
        self.operations, values = effort(tree, own_rows)
        self.begun = self.last = time.monotonic()
        total = float(self.operations[-1]) if self.operations.size else 0.0
        if total > ANNOUNCED_SECONDS * MULTIPLICATION_RATE:
            log.info(
                f"A block of {own_rows.sum():,} rows fills in as it is factored: up to "
                f"{duration(total / MULTIPLICATION_RATE)} and {8e-9 * values:.1f} GB."
            )

    def reached(self, front: int) -> None:
        """Say how much is done, now and then."""
        now = time.monotonic()
        done = float(self.operations[front - 1] / self.operations[-1]) if front else 0.0
        if now - self.last > PROGRESS_SECONDS and done > 0.0:
            self.last = now
            spent = now - self.begun
            log.info(f"{done:.0%} after {duration(spent)}, up to {duration(spent / done * (1.0 - done))} to go.")


def duration(seconds: float) -> str:
    """Seconds, or minutes, in words.

    >>> duration(45.2), duration(300)
    ('45 s', '5 min')
    """
    return f"{max(seconds, 1.0):.0f} s" if seconds < 120.0 else f"{seconds / 60.0:.0f} min"


@kernel
def effort(tree: EliminationTree, own_rows: Ints) -> tuple[Floats, float]:
    """Multiplications (fronts,) up to and with each front, and numbers of Q in all: both at most."""
    done = np.zeros(tree.children.size)
    passed = np.empty(tree.children.size + 1, np.int64)
    depth, operations, values = 0, 0.0, 0.0
    for f in range(tree.children.size):
        height = own_rows[f]
        for _ in range(tree.children[f]):
            depth -= 1
            height += passed[depth]
        border = tree.border_ptr[f + 1] - tree.border_ptr[f]
        width = tree.start[f + 1] - tree.start[f] + border
        reflectors = min(height, width)
        operations += 1.0 * reflectors * height * width
        values += 1.0 * reflectors * (height + PANEL)
        done[f] = operations
        if border > 0:
            passed[depth] = min(height, border)
            depth += 1
    return done, values


@kernel
def factor(front: int, tree: EliminationTree, rows: FrontRows, store: Store, values: Floats, tol: float) -> int:
    """Factor the fronts from ``front`` on; returns the first one for which ``values`` has no room."""
    used = store.used
    where = np.empty(tree.start[-1], np.int64)
    work = np.empty(0)
    while front < tree.children.size:
        columns = tree.start[front + 1] - tree.start[front]
        border = tree.border[tree.border_ptr[front] : tree.border_ptr[front + 1]]
        width = columns + border.size
        height = front_height(front, tree, rows, store)
        reflectors = min(width, height)
        if used[VALUES] + reflectors * (height + PANEL) > values.size:
            break
        if work.size < width * height:
            work = np.empty(2 * width * height)
        F = work[: width * height].reshape(width, height)
        for i in range(border.size):
            where[border[i]] = columns + i
        slots = store.slots[used[SLOTS] : used[SLOTS] + height]
        end = assemble(front, tree, rows, store, where, F, slots)
        pivots, lead = reduce_front(F, end, columns, tol, store, values)
        for slot in slots[:pivots]:
            store.pivot[slot] = True
        push(front, F[columns:], slots[pivots:], lead, pivots, store)
        used[SLOTS] += height
        front += 1
    return front


@kernel
def front_height(front: int, tree: EliminationTree, rows: FrontRows, store: Store) -> int:
    """Own rows and the rows passed on by the children."""
    height: int = rows.of_front[front + 1] - rows.of_front[front]
    for d in range(tree.children[front]):
        height += store.stack[store.used[DEPTH] - 1 - d, STACK_COUNT]
    return height


@kernel
def assemble(
    front: int, tree: EliminationTree, rows: FrontRows, store: Store, where: Ints, F: Floats, slots: Ints
) -> Ints:
    """Gather own rows and the children's into F (columns, rows), sorted by leading column; pops the children.

    Returns end (columns,): rows from end[j] on are zero in columns 0…j; no reflector of these reaches them.
    """
    a, b = tree.start[front], tree.start[front + 1]
    first, last = rows.of_front[front], rows.of_front[front + 1]
    base = store.used[DEPTH] - tree.children[front]
    top = store.used[DEPTH]
    end = np.zeros(F.shape[0] + 1, np.int64)
    for i in range(first, last):
        end[rows.lead[i] - a + 1] += 1
    for d in range(base, top):
        child, count = store.stack[d, STACK_FRONT], store.stack[d, STACK_COUNT]
        row = store.stack[d, STACK_FIRST_ROW]
        for column in store.stack_lead[row : row + count]:
            end[local(tree.border[tree.border_ptr[child] + column], a, b, where) + 1] += 1
    for j in range(F.shape[0]):
        end[j + 1] += end[j]
    F[:] = 0.0
    for i in range(first, last):
        at = end[rows.lead[i] - a]
        end[rows.lead[i] - a] += 1
        slots[at] = rows.slot[i]
        for e in range(rows.ptr[i], rows.ptr[i + 1]):
            F[local(rows.column[e], a, b, where), at] += rows.value[e]
    for d in range(base, top):
        take_child(d, tree, store, a, b, where, end, F, slots)
    if base < top:
        store.used[STACK_ROWS] = store.stack[base, STACK_FIRST_ROW]
        store.used[STACK_VALUES] = store.stack[base, STACK_FIRST_VALUE]
    store.used[DEPTH] = base
    return end


@kernel
def take_child(
    d: int, tree: EliminationTree, store: Store, a: int, b: int, where: Ints, end: Ints, F: Floats, slots: Ints
) -> None:
    """Put the rows of one waiting contribution at their places in F."""
    child, count = store.stack[d, STACK_FRONT], store.stack[d, STACK_COUNT]
    row, value = store.stack[d, STACK_FIRST_ROW], store.stack[d, STACK_FIRST_VALUE]
    border = tree.border[tree.border_ptr[child] : tree.border_ptr[child + 1]]
    at = np.empty(count, np.int64)
    for i in range(count):
        j = local(border[store.stack_lead[row + i]], a, b, where)
        at[i] = end[j]
        end[j] += 1
        slots[at[i]] = store.stack_slot[row + i]
    begun = 0
    for c in range(border.size):
        while begun < count and store.stack_lead[row + begun] <= c:
            begun += 1
        target = F[local(border[c], a, b, where)]
        source = store.stack_value[value + c * count : value + (c + 1) * count]
        for i in range(begun):
            target[at[i]] = source[i]


@kernel
def local(column: int, a: int, b: int, where: Ints) -> int:
    """Column of the front [a, b) that holds a column of C."""
    return column - a if column < b else where[column]


@kernel
def reduce_front(F: Floats, end: Ints, columns: int, tol: float, store: Store, values: Floats) -> tuple[int, Ints]:
    """Triangularise F panel by panel: own columns with rank decision, then the border columns.

    Returns the pivots of the own columns and, for each row after them, the border column in which it begins.
    """
    width, height = F.shape
    used = store.used
    lead = np.empty(min(height, width), np.int64)
    done, pivots, j = 0, 0, 0
    while j < width:
        stop = min(j + PANEL, columns if j < columns else width)
        length = end[stop - 1] - done
        if length > 0:
            at = used[VALUES]
            size = min(stop - j, length)
            V = values[at : at + size * length].reshape(size, length)
            if j < columns:
                count = own_panel(F[j:stop], done, V, tol, store.evidence)
            else:
                count = border_panel(F[j:stop], done, V, j - columns, lead[done:])
            if count > 0:
                at += count * length
                T = values[at : at + count * count].reshape(count, count)
                compact(V[:count], T)
                reflect(F[stop:], done, V[:count], T, True)
                panel = store.panels[used[PANELS]]
                panel[PANEL_SLOT], panel[PANEL_ROWS] = used[SLOTS] + done, length
                panel[PANEL_REFLECTORS], panel[PANEL_VALUE] = count, used[VALUES]
                used[PANELS] += 1
                used[VALUES] = at + count * count
                done += count
        j = stop
        if j == columns:
            pivots = done
    return pivots, lead[pivots:done]


@kernel
def push(front: int, F: Floats, slots: Ints, lead: Ints, pivots: int, store: Store) -> None:
    """Leave the rows on the border of a front for its parent; a root has no border."""
    if F.shape[0] == 0:
        return
    used = store.used
    row, value, count = used[STACK_ROWS], used[STACK_VALUES], lead.size
    entry = store.stack[used[DEPTH]]
    entry[STACK_FRONT], entry[STACK_COUNT] = front, count
    entry[STACK_FIRST_ROW], entry[STACK_FIRST_VALUE] = row, value
    for i in range(count):
        store.stack_slot[row + i] = slots[i]
        store.stack_lead[row + i] = lead[i]
    for c in range(F.shape[0]):
        move(F[c, pivots : pivots + count], store.stack_value[value : value + count])
        value += count
    used[DEPTH] += 1
    used[STACK_ROWS] += count
    used[STACK_VALUES] = value


@kernel
def room(tree: EliminationTree, own_rows: Ints) -> Ints:
    """(6,) the room that each array of ``Store`` needs at most, in the order of ``used``; VALUES: of one front."""
    top = np.zeros(6, np.int64)
    depth, rows, values = 0, 0, 0
    passed_rows = np.empty(tree.children.size + 1, np.int64)
    passed_values = np.empty(tree.children.size + 1, np.int64)
    for f in range(tree.children.size):
        height = own_rows[f]
        for _ in range(tree.children[f]):
            depth -= 1
            height += passed_rows[depth]
            rows -= passed_rows[depth]
            values -= passed_values[depth]
        columns = tree.start[f + 1] - tree.start[f]
        border = tree.border_ptr[f + 1] - tree.border_ptr[f]
        top[VALUES] = max(top[VALUES], min(height, columns + border) * (height + PANEL))
        top[PANELS] += (columns + PANEL - 1) // PANEL + (border + PANEL - 1) // PANEL
        top[SLOTS] += height
        if border > 0:
            passed_rows[depth] = min(height, border)
            passed_values[depth] = min(height, border) * border
            rows += passed_rows[depth]
            values += passed_values[depth]
            depth += 1
        top[DEPTH] = max(top[DEPTH], depth)
        top[STACK_ROWS] = max(top[STACK_ROWS], rows)
        top[STACK_VALUES] = max(top[STACK_VALUES], values)
    return top
