"""Workers on this machine: a process for each, and a thread here that feeds it."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import suppress
from typing import IO, TypeAlias

from reactio.blas_threads import one_thread
from reactio.errors import ReactioError
from reactio.sweeps.batches import Batches
from reactio.sweeps.task import CaseRow, Numbered, SweepTask, packed, unpacked
from reactio.sweeps.worker import receive, send

Queue: TypeAlias = "queue.SimpleQueue[CaseRow | Exception | None]"
PATIENCE = 0.2  # [s] between looks at the clock while no row comes


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_this_process(task: SweepTask, batches: Batches) -> Generator[list[CaseRow]]:
    """Rows one after the other, without other processes."""
    while batch := batches.take():
        for row in task.answers(batch):
            batches.took(row.seconds)
            yield [row]


def in_processes(task: SweepTask, batches: Batches, count: int) -> Generator[list[CaseRow]]:
    """Rows as processes find them; none now and then while they work.  A process that dies is replaced."""
    content = packed(task)
    unpacked(content)  # what cannot be read again is an error here
    rows: Queue = queue.SimpleQueue()
    workers = [_Worker(content, batches, rows) for _ in range(count)]
    try:
        for worker in workers:
            worker.start()
        at_work = count
        while at_work:
            news = _news(rows)
            yield [row for row in news if isinstance(row, CaseRow)]
            for error in news:
                if isinstance(error, Exception):
                    raise error
            at_work -= news.count(None)
    finally:
        for worker in workers:
            worker.end()


def _news(rows: Queue) -> list[CaseRow | Exception | None]:
    """Everything that has come; waits a moment for the first."""
    found = []
    try:
        found.append(rows.get(timeout=PATIENCE))
        while True:
            found.append(rows.get_nowait())
    except queue.Empty:
        return found


class _Worker(threading.Thread):
    """A process with the thread that feeds it: rows go to a queue, then None, or the error that ended it."""

    def __init__(self, content: bytes, batches: Batches, rows: Queue) -> None:
        super().__init__(daemon=True)
        self.content, self.batches, self.rows = content, batches, rows
        self.process: subprocess.Popen[bytes] | None = None
        self.ended = False
        self.starting = threading.Lock()

    def run(self) -> None:
        """Hand out batches until none is left."""
        try:
            idle = 0  # processes in a row that ended without an answer
            while batch := self.batches.take():
                idle = 0 if self._answered(batch) else idle + 1
                if idle > 3 and not self.ended:
                    raise ReactioError(f"Worker processes end before they answer anything: {self._how()}.")
            self.rows.put(None)
        except Exception as error:
            self.rows.put(error)
        finally:
            self.end()

    def _answered(self, batch: list[Numbered]) -> int:
        """How many rows of a batch came; the rest goes back where the process died."""
        count = 0
        try:
            to, back = self._streams()
            send(to, batch)
            for _ in batch:
                row = receive(back)
                self.batches.took(row.seconds)
                self.rows.put(row)
                count += 1
        except (EOFError, OSError):
            if not self.ended and (failed := self.batches.lost(batch[count:], self._how())) is not None:
                self.rows.put(failed)
                count += 1
        return count

    def _streams(self) -> tuple[IO[bytes], IO[bytes]]:
        with self.starting:
            if self.ended:
                raise EOFError
            fresh = self.process is None or self.process.poll() is not None
            if fresh:
                self._closed()
                command = [sys.executable, "-m", "reactio.sweeps.worker"]
                env = {**os.environ, **one_thread(os.environ)}  # every core has a process already
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
            assert self.process is not None
            to, back = self.process.stdin, self.process.stdout
        assert to is not None
        assert back is not None
        if fresh:
            send(to, (sys.path, self.content))
        return to, back

    def _how(self) -> str:
        """How the process ended."""
        code = self.process.wait() if self.process is not None else 0
        if code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name
        return f"{name}, as the system does when memory is short" if name == "SIGKILL" else name

    def end(self) -> None:
        """End the process, whatever it is doing."""
        with self.starting:
            self.ended = True
            if self.process is not None and self.process.poll() is None:
                self.process.kill()
        if self.process is not None:
            self.process.wait()
        if threading.current_thread() is self:  # another thread may be reading
            self._closed()

    def _closed(self) -> None:
        """Close what is left of a process."""
        streams = (self.process.stdin, self.process.stdout) if self.process is not None else ()
        for stream in streams:
            if stream is not None:
                with suppress(OSError):
                    stream.close()
