"""A sweep on this machine: worker processes, each with a thread here that sends it batches and receives its rows."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Generator
from contextlib import suppress
from typing import IO, TypeAlias

from reactio.errors import ReactioError
from reactio.operating_system.child_process import one_thread, python_command
from reactio.sweeps.batches import Batches
from reactio.sweeps.task import CaseRow, NumberedCase, SweepTask, packed, unpacked
from reactio.sweeps.worker import receive, send

Queue: TypeAlias = "queue.SimpleQueue[CaseRow | Exception | None]"
MOST_SILENT_PROCESSES = 3  # one after the other, after which the cause is not a single case
POLL_INTERVAL = 0.2  # [s] after which the progress is reported also where no row has come


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_this_process(task: SweepTask, batches: Batches) -> Generator[list[CaseRow]]:
    """Rows one after the other, without other processes."""
    while batch := batches.take():
        for row in task.answers(batch):
            batches.learn_duration(row.seconds)
            yield [row]


def in_processes(task: SweepTask, batches: Batches, count: int) -> Generator[list[CaseRow]]:
    """Lists of rows as processes finish them, empty ones between them; a process that dies is replaced."""
    content = packed(task)
    unpacked(content)  # a task that cannot be read again is an error here
    rows: Queue = queue.SimpleQueue()
    workers = [_Worker(content, batches, rows) for _ in range(count)]
    try:
        for worker in workers:
            worker.start()
        at_work = count
        while at_work:
            received = _received(rows)
            yield [row for row in received if isinstance(row, CaseRow)]
            for error in received:
                if isinstance(error, Exception):
                    raise error
            at_work -= received.count(None)
    finally:
        for worker in workers:
            worker.end()


def _received(rows: Queue) -> list[CaseRow | Exception | None]:
    """All rows in the queue; waits a moment for the first."""
    received = []
    try:
        received.append(rows.get(timeout=POLL_INTERVAL))
        while True:
            received.append(rows.get_nowait())
    except queue.Empty:
        return received


class _Worker(threading.Thread):
    """A thread with a worker process: rows go to a queue, then None at the end, or the error that ended it."""

    def __init__(self, content: bytes, batches: Batches, rows: Queue) -> None:
        super().__init__(daemon=True)
        self.content, self.batches, self.rows = content, batches, rows
        self.process: subprocess.Popen[bytes] | None = None
        self.ended = False
        self.starting = threading.Lock()

    def run(self) -> None:
        """Hand out batches until none is left."""
        try:
            silent = 0  # processes one after the other that ended without a row
            while batch := self.batches.take():
                silent = 0 if self._answered(batch) else silent + 1
                if silent > MOST_SILENT_PROCESSES and not self.ended:
                    raise ReactioError(f"Worker processes end before they answer anything: {self._ending()}.")
            self.rows.put(None)
        except Exception as error:
            self.rows.put(error)
        finally:
            self.end()

    def _answered(self, batch: list[NumberedCase]) -> int:
        """The number of rows that came of a batch; where the process died, the other cases are returned."""
        count = 0
        try:
            to, back, fresh = self._streams()
            if fresh and (problem := receive(back)) is not None:
                raise ReactioError(
                    f"Another process cannot read the functions of this sweep: {problem}. Put them into a module that "
                    "can be imported, or work in this process (processes=0)."
                )
            send(to, batch)
            for _ in batch:
                row = receive(back)
                self.batches.learn_duration(row.seconds)
                self.rows.put(row)
                count += 1
        except (EOFError, OSError):
            if not self.ended and (failed := self.batches.return_unfinished(batch[count:], self._ending())) is not None:
                self.rows.put(failed)
                count += 1
        return count

    def _streams(self) -> tuple[IO[bytes], IO[bytes], bool]:
        """To the process and back; and whether it is new, and has only got its task."""
        with self.starting:
            if self.ended:
                raise EOFError
            fresh = self.process is None or self.process.poll() is not None
            if fresh:
                self._close_streams()
                command = python_command("reactio.sweeps.worker")
                env = {**os.environ, **one_thread(os.environ)}  # every core has a process already
                self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
            assert self.process is not None
            to, back = self.process.stdin, self.process.stdout
        assert to is not None
        assert back is not None
        if fresh:
            send(to, self.content)
        return to, back, fresh

    def _ending(self) -> str:
        """How the process ended, in words."""
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
            self._close_streams()

    def _close_streams(self) -> None:
        """Close the streams of a process that has ended."""
        streams = (self.process.stdin, self.process.stdout) if self.process is not None else ()
        for stream in streams:
            if stream is not None:
                with suppress(OSError):
                    stream.close()
