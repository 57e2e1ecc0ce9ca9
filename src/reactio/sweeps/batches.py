"""Cases that are not answered yet, handed out in batches of about half a second."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from reactio.sweeps.axes import Cases
from reactio.sweeps.task import CaseRow, NumberedCase

BATCH_SECONDS = 0.5  # of work in a batch: long compared with handing it over, short to lose with its worker
LARGEST_BATCH = 256  # cases of a batch
MOST_DEATHS = 2  # of workers during one case, after which it counts as failed


class Batches:
    """Hands out every case that is not done yet, once; several threads may take batches."""

    def __init__(self, cases: Cases, done: Collection[int], workers: int, wants: int) -> None:
        self._cases, self._wants = cases, wants
        self._new: Iterator[int] = (k for k in range(cases.count) if k not in done)
        self._returned: deque[list[int]] = deque()
        self._deaths: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._left = cases.count - len(done)
        self._workers = workers
        self._seconds = BATCH_SECONDS  # mean duration of a case [s]; at first so long that batches have one case

    def learn_duration(self, seconds: float) -> None:
        """Take the duration of a case [s] into the mean, which sets the size of batches."""
        self._seconds += 0.2 * (seconds - self._seconds)

    def take(self) -> list[NumberedCase]:
        """The next batch; empty when none is left."""
        with self._lock:
            if self._returned:
                numbers = self._returned.popleft()
            else:
                even = self._left // (2 * self._workers) + 1  # towards the end all workers have something to do
                size = max(1, min(LARGEST_BATCH, even, int(BATCH_SECONDS / max(self._seconds, 1e-9))))
                numbers = list(islice(self._new, size))
                self._left -= len(numbers)
        return [NumberedCase(number, self._cases[number]) for number in numbers]

    def return_unfinished(self, batch: Sequence[NumberedCase], how: str) -> CaseRow | None:
        """Take back the rest of a batch whose worker died during the first case of it; a row where that case failed.

        The first case is tried alone, the others together.
        """
        first, *others = [number for number, _ in batch]
        with self._lock:
            if others:
                self._returned.append(others)
            self._deaths[first] += 1
            if self._deaths[first] < MOST_DEATHS:
                self._returned.append([first])
                return None
        return self._failed(first, f"its process ended, {MOST_DEATHS} times: {how}")

    def return_refused(self, batch: Sequence[NumberedCase], how: str) -> CaseRow | None:
        """Take back a batch that a cluster could not compute, to try its cases one by one; a single one has failed."""
        if len(batch) == 1:
            return self._failed(batch[0].number, how)
        with self._lock:
            self._returned.extend([number] for number, _ in batch)
        return None

    def _failed(self, number: int, reason: str) -> CaseRow:
        return CaseRow(number, (None,) * self._wants, reason, 0.0)
