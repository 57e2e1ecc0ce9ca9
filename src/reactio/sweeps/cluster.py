"""A sweep on a Dask cluster: a batch is a task there; the scheduler computes those of a lost worker again."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from reactio.errors import ReactioError
from reactio.optional_libraries import optional_library
from reactio.sweeps.batches import Batches
from reactio.sweeps.task import CaseRow, NumberedCase, SweepTask, answered, packed

BATCHES_PER_THREAD = 3  # of the cluster: one is computed, the others wait there, so that no thread is idle
ANSWER_TIMEOUT = 10.0  # [s] in which a scheduler has to answer
NO_WORKER_TIMEOUT = 60.0  # [s] without any worker after which a sweep ends; finished cases are kept
LOCAL = "local"


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, or of a cluster of this machine for ``local`` or ``local:COUNT``."""
    distributed = _distributed()
    if address == LOCAL or address.startswith(f"{LOCAL}:"):
        count = address.partition(":")[2] or None
        if count is not None and not (count.isdigit() and 1 <= int(count) <= 1024):
            raise ReactioError(f"--dask {address}: write local, or local:2 for two workers.")
        with (
            distributed.LocalCluster(
                n_workers=int(count) if count else None, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = distributed.Client(address, timeout=ANSWER_TIMEOUT)
    except (OSError, TimeoutError, ValueError) as error:
        raise ReactioError(
            f"The Dask scheduler at '{address}' does not answer within {ANSWER_TIMEOUT:g} s "
            f"({type(error).__name__}: {error}). Is it running, and is the address right (tcp://HOST:8786)?"
        ) from None
    with client:
        yield client


def _distributed() -> Any:
    return optional_library("distributed", "A cluster needs Dask", "cluster")


def threads(client: Any) -> int:
    """Threads of the cluster."""
    return max(1, int(sum(client.nthreads().values())))


def on_cluster(client: Any, task: SweepTask, batches: Batches) -> Generator[list[CaseRow]]:
    """Lists of rows as the workers of a cluster finish them; an empty list each second while none has finished."""
    distributed = _distributed()
    content = packed(task)
    waiting: dict[Any, list[NumberedCase]] = {}
    last_seen = time.monotonic()
    try:
        while True:
            while len(waiting) < BATCHES_PER_THREAD * threads(client) and (batch := batches.take()):
                waiting[client.submit(answered, content, batch, pure=False)] = batch
            if not waiting:
                return
            try:
                done = distributed.wait(list(waiting), timeout=1.0, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                done = set()
            if done or client.nthreads():
                last_seen = time.monotonic()
            if time.monotonic() - last_seen > NO_WORKER_TIMEOUT:
                raise ReactioError(
                    f"The cluster has had no worker for {NO_WORKER_TIMEOUT:g} s; finished cases are kept."
                )
            for future in done:
                try:
                    ended = _result(future)
                except TimeoutError:  # its result was lost with a worker: it waits until it is computed again
                    continue
                yield list(_rows(ended, waiting.pop(future), batches))
            if not done:
                yield []
    finally:
        client.cancel(list(waiting))


def _result(future: Any) -> list[CaseRow] | BaseException:
    """The rows of a batch, or the error that ended it.

    A batch that was finished may be lost with its worker and be computed again: its status does not show that, but
    these two calls do.
    """
    error: BaseException | None = future.exception(timeout=ANSWER_TIMEOUT)
    rows: list[CaseRow] | BaseException = future.result(timeout=ANSWER_TIMEOUT) if error is None else error
    return rows


def _rows(ended: list[CaseRow] | BaseException, batch: list[NumberedCase], batches: Batches) -> Iterator[CaseRow]:
    """The rows of a batch that ended; one whose workers died is tried again in parts."""
    if not isinstance(ended, BaseException):
        for row in ended:
            batches.learn_duration(row.seconds)
            yield row
    elif (failed := batches.return_refused(batch, f"{type(ended).__name__}: {ended}")) is not None:
        yield failed
