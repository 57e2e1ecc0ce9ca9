"""Cases that are still to be done, handed out in batches of about half a second."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from reactio.sweeps.axes import Cases
from reactio.sweeps.task import CaseRow, Numbered

SECONDS = 0.5  # of work in a batch: much longer than handing it over takes, short enough to be lost
LARGEST_BATCH = 256  # cases of a batch
DEATHS = 2  # a case during which so many workers died is not tried again


class Batches:
    """Every case that is not done yet, once; several threads may ask."""

    def __init__(self, cases: Cases, done: Collection[int], workers: int, wants: int) -> None:
        self._cases, self._wants = cases, wants
        self._fresh: Iterator[int] = (k for k in range(cases.count) if k not in done)
        self._again: deque[list[int]] = deque()
        self._deaths: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._left = cases.count - len(done)
        self._workers = workers
        self._seconds = SECONDS  # of a case; the first batches are of one, which says how long they take

    def took(self, seconds: float) -> None:
        """Learn from a case how long they take."""
        self._seconds += 0.2 * (seconds - self._seconds)

    def take(self) -> list[Numbered]:
        """The next batch; empty when none is left."""
        with self._lock:
            if self._again:
                numbers = self._again.popleft()
            else:
                even = self._left // (2 * self._workers) + 1  # towards the end all workers have something to do
                size = max(1, min(LARGEST_BATCH, even, int(SECONDS / max(self._seconds, 1e-9))))
                numbers = list(islice(self._fresh, size))
                self._left -= len(numbers)
        return [(number, self._cases[number]) for number in numbers]

    def lost(self, batch: Sequence[Numbered], how: str) -> CaseRow | None:
        """Take back a batch whose worker died during its first case; that case failed where it killed another before.

        The first case is tried alone, the others together.
        """
        first, *others = [number for number, _ in batch]
        with self._lock:
            if others:
                self._again.append(others)
            self._deaths[first] += 1
            if self._deaths[first] < DEATHS:
                self._again.append([first])
                return None
        return self._failed(first, f"its process ended, {DEATHS} times: {how}")

    def given_up(self, batch: Sequence[Numbered], how: str) -> CaseRow | None:
        """Take back a batch that a cluster has given up; its cases are tried one by one, a single one has failed."""
        if len(batch) == 1:
            return self._failed(batch[0][0], how)
        with self._lock:
            self._again.extend([number] for number, _ in batch)
        return None

    def _failed(self, number: int, reason: str) -> CaseRow:
        return CaseRow(number, (None,) * self._wants, reason, 0.0)
