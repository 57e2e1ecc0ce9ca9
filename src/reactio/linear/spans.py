"""Rows cut into spans, one after the other, and the same spans side by side as stacks of small matrices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats, Ints, distinct
from reactio.linear.rank import Count

MOST_PADDING = 1.5  # rows a stack of unequal spans may hold for each real one: fewer calls against more arithmetic


class Stack(NamedTuple):
    """Spans ``at`` (g,) with their ``rows`` (g, k); ``real`` (g, k, 1) is False where a short span is filled up."""

    at: Ints
    rows: Ints
    real: Bools
    full: bool

    def pick(self, taken: Floats) -> Floats:
        """Rows (…, g, k, n) that were taken at ``rows``, zero where a span has none."""
        return taken if self.full else taken * self.real


@dataclass(frozen=True, eq=False)
class Spans:
    """Span k is rows ptr[k] … ptr[k+1] − 1; ptr (g + 1,)."""

    ptr: Ints

    @cached_property
    def sizes(self) -> Ints:
        """Rows of each span (g,)."""
        return np.diff(self.ptr)

    @cached_property
    def owner(self) -> Ints:
        """The span of each row (m,)."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """All spans in one stack where they are of about one size, else a stack for each size."""
        sizes = self.sizes
        if sizes.size * int(sizes.max()) <= MOST_PADDING * int(self.ptr[-1]):
            return (self._stack(np.arange(sizes.size)),)
        return tuple(self._stack(np.flatnonzero(sizes == k)) for k in distinct(sizes))

    @cached_property
    def place(self) -> Ints:
        """Where each span is when the stacks are written one after the other (g,)."""
        return np.argsort(np.concatenate([stack.at for stack in self.stacks]))

    def _stack(self, at: Ints) -> Stack:
        inside = np.arange(self.sizes[at].max())
        real = inside < self.sizes[at][:, None]
        rows = np.where(real, self.ptr[at][:, None] + inside, 0)
        return Stack(at, rows, real[..., None], bool(real.all()))

    def gather(self, parts: list[Any]) -> Any:
        """Numbers (…, g) of all spans from those of the stacks."""
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)[..., self.place]

    def gather_counts(self, parts: list[Count]) -> Count:
        """The same for counts."""
        return parts[0] if len(parts) == 1 else Count(*(self.gather(list(part)) for part in zip(*parts, strict=True)))
