"""Bodies that bear whatever stands on them: what an end of { y : A y = b, y ≥ 0 } depends on, in a stack of bodies.

A body X is *supported* if some of its columns, those between it and the ground or bodies that are supported already,
balance its load and each of its other columns:

    A_X,below z = b_X,     A_X,below z = −a_j  for every other column j of X,     z ≥ 0

The columns below then balance any y ≥ 0 of the others, whatever these are, and the bodies below bear what comes from
them.  So the equations of supported bodies say nothing about columns further up, and an end over a small part of the
set is that over all of it: the bodies that stand on the asked one, directly or not, and all that is not supported and
has columns in common with these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints, distinct
from reactio.linear.precision import ROUNDOFF

NOBODY = -1
# What columns below leave of a load, as a part of it, where they bear it: rounding.
BORNE = ROUNDOFF
# A part of the set serves neighbouring bodies too, as long as it has at most so many times the bodies that each needs:
# a solver is begun once for all of them, and its steps take longer the more equations it has.
MOST_SHARED = 2.0


class Subsystem(NamedTuple):
    """Equations and columns of some bodies."""

    bodies: frozenset[int]
    rows: Ints
    columns: Ints


@dataclass(frozen=True, eq=False)
class Supports:
    """The supported bodies of { y : A y = b, y ≥ 0 }, A (n, m) CSC, with the ``body`` (n,) of each equation."""

    A: Any
    b: Floats
    body: Ints  # numbered from 0, without gaps

    @cached_property
    def _bodies_of(self) -> list[list[int]]:
        """The bodies of each column."""
        of_entry, ptr = self.body[self.A.indices].tolist(), self.A.indptr.tolist()
        return [list(dict.fromkeys(of_entry[i:k])) for i, k in pairwise(ptr)]

    @cached_property
    def _rows_of(self) -> list[Ints]:
        """The equations of each body."""
        order = np.argsort(self.body, kind="stable")
        return np.split(order, np.searchsorted(self.body[order], np.arange(1, int(self.body.max()) + 1)))

    @cached_property
    def _blocks(self) -> list[tuple[list[int], Floats]]:
        """Of each body its columns, and the entries of A in them (equations of the body, columns)."""
        place = np.zeros(len(self.body), dtype=np.int64)
        for rows in self._rows_of:
            place[rows] = np.arange(len(rows))
        column = np.repeat(np.arange(self.A.shape[1]), np.diff(self.A.indptr))
        of_entry = self.body[self.A.indices]
        order = np.argsort(of_entry, kind="stable")
        blocks = []
        for X, entries in enumerate(
            np.split(order, np.searchsorted(of_entry[order], np.arange(1, len(self._rows_of))))
        ):
            columns, at = np.unique(column[entries], return_inverse=True)
            block = np.zeros((len(self._rows_of[X]), len(columns)))
            block[place[self.A.indices[entries]], at] = self.A.data[entries]
            blocks.append((columns.tolist(), block))
        return blocks

    @cached_property
    def below(self) -> Ints:
        """(m,) the supported body that each column bears; NOBODY of a column between others."""
        below, supported = np.full(self.A.shape[1], NOBODY), np.zeros(len(self._blocks), dtype=bool)
        waiting = dict.fromkeys(range(len(self._blocks)))
        while waiting:
            X = next(iter(waiting))
            del waiting[X]
            columns, block = self._blocks[X]
            bears = np.array([all(Y == X or supported[Y] for Y in self._bodies_of[j]) for j in columns], dtype=bool)
            if not bears.any() or not _borne(block[:, bears], [self.b[self._rows_of[X]], *-block[:, ~bears].T]):
                continue
            supported[X] = True
            below[[j for j, own in zip(columns, bears, strict=True) if own]] = X
            waiting |= dict.fromkeys(Y for j in columns for Y in self._bodies_of[j] if not supported[Y])
        return below

    @cached_property
    def _supported(self) -> list[bool]:
        """Is each body supported?"""
        supported = np.zeros(len(self._blocks), dtype=bool)
        supported[self.below[self.below != NOBODY]] = True
        return supported.tolist()

    @cached_property
    def _needed(self) -> list[list[int]]:
        """Of each body the others whose balance has a say in its columns: that stand on it, or are not supported."""
        below, supported = self.below.tolist(), self._supported
        return [
            list(
                dict.fromkeys(
                    Y for j in columns for Y in self._bodies_of[j] if Y != X and (below[j] == Y or not supported[Y])
                )
            )
            for X, (columns, _) in enumerate(self._blocks)
        ]

    @property
    def rest(self) -> Subsystem | None:
        """The bodies that are not supported, and all whose balance has a say in theirs; None where there are none.

        The set is empty only if that over this part is.
        """
        bodies = self._closed([X for X, supported in enumerate(self._supported) if not supported], frozenset())
        return self._part(bodies) if bodies else None

    def part(self, columns: Sequence[int], before: Subsystem | None) -> Subsystem | None:
        """The equations and columns on which y of some columns depends, as those asked ``before`` where these serve.

        None where they are nearly all.
        """
        asked = self._asked(columns)
        least = self._closed(asked, frozenset())
        most = MOST_SHARED * len(least)
        if most > len(self._blocks):
            return None
        if before is not None and least <= before.bodies and len(before.bodies) <= most:
            return before
        bodies = least
        for X in range(max(asked) + 1, len(self._blocks)):
            more = self._closed([X], bodies)
            if len(more) > most:
                break
            bodies = more
        return self._part(bodies)

    def _part(self, bodies: frozenset[int]) -> Subsystem:
        rows = np.sort(np.concatenate([self._rows_of[X] for X in bodies]))
        own = distinct(np.array([j for X in bodies for j in self._blocks[X][0]], dtype=np.int64))
        return Subsystem(bodies, rows, own)

    def _asked(self, columns: Sequence[int]) -> list[int]:
        """The bodies that columns bear; of columns between others all that are not supported."""
        asked = dict[int, None]()
        for j in columns:
            X = int(self.below[j])
            asked |= dict.fromkeys([X] if X != NOBODY else [Y for Y in self._bodies_of[j] if not self._supported[Y]])
        return list(asked)

    def _closed(self, bodies: Iterable[int], known: frozenset[int]) -> frozenset[int]:
        """These bodies and all whose balance has a say in theirs, with those known already."""
        out, waiting = set(known), [X for X in bodies if X not in known]
        while waiting:
            X = waiting.pop()
            if X not in out:
                out.add(X)
                waiting += self._needed[X]
        return frozenset(out)


def _borne(below: Floats, loads: Sequence[Floats]) -> bool:
    """Is there z ≥ 0 with ``below`` z = load for each of the loads?"""
    from scipy.optimize import nnls

    for load in loads:
        size = float(np.linalg.norm(load))
        if size == 0.0:
            continue
        try:
            residual = nnls(below, load / size)[1]
        except RuntimeError:  # it did not come to an end
            return False
        if residual > BORNE:
            return False
    return True
