"""Workers of a Dask cluster: batches are tasks there; the scheduler runs those of a lost worker anew."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from reactio.errors import ReactioError, how_to_install
from reactio.sweeps.batches import Batches
from reactio.sweeps.task import CaseRow, Numbered, SweepTask, answered, packed

AHEAD = 3  # batches for each thread of the cluster that are handed over: one is done, the others wait there
ANSWER = 10.0  # [s] in which a scheduler answers
DESERTED = 60.0  # [s] without any worker after which a sweep is given up; what is done is kept
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
        client = distributed.Client(address, timeout=ANSWER)
    except (OSError, TimeoutError, ValueError) as error:
        raise ReactioError(
            f"The Dask scheduler at '{address}' does not answer within {ANSWER:g} s ({type(error).__name__}: {error}). "
            "Is it running, and is the address right (tcp://HOST:8786)?"
        ) from None
    with client:
        yield client


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise ReactioError(f"A cluster needs Dask: {how_to_install('cluster')}.") from None
    return distributed


def threads(client: Any) -> int:
    """Threads of the cluster."""
    return max(1, int(sum(client.nthreads().values())))


def on_cluster(client: Any, task: SweepTask, batches: Batches) -> Generator[list[CaseRow]]:
    """Rows as the workers of a cluster find them; none now and then while they work."""
    distributed = _distributed()
    content = packed(task)
    waiting: dict[Any, list[Numbered]] = {}
    seen = time.monotonic()
    try:
        while True:
            while len(waiting) < AHEAD * threads(client) and (batch := batches.take()):
                waiting[client.submit(answered, content, batch, pure=False)] = batch
            if not waiting:
                return
            try:
                done = distributed.wait(list(waiting), timeout=1.0, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                done = set()
            if done or client.nthreads():
                seen = time.monotonic()
            if time.monotonic() - seen > DESERTED:
                raise ReactioError(f"The cluster has had no worker for {DESERTED:g} s; what is done is kept.")
            for future in done:
                try:
                    ended = _ended(future)
                except TimeoutError:  # its result was lost with a worker: it waits until it is computed again
                    continue
                yield list(_rows(ended, waiting.pop(future), batches))
            if not done:
                yield []
    finally:
        client.cancel(list(waiting))


def _ended(future: Any) -> list[CaseRow] | BaseException:
    """The rows of a batch, or the error that ended it.

    What was done a moment ago may be lost with its worker; its status is then not that of the end, and only the answer
    to these calls tells how it ended.
    """
    error: BaseException | None = future.exception(timeout=ANSWER)
    rows: list[CaseRow] | BaseException = future.result(timeout=ANSWER) if error is None else error
    return rows


def _rows(ended: list[CaseRow] | BaseException, batch: list[Numbered], batches: Batches) -> Iterator[CaseRow]:
    """The rows of a batch that ended; one whose workers died is tried again in parts."""
    if not isinstance(ended, BaseException):
        for row in ended:
            batches.took(row.seconds)
            yield row
    elif (failed := batches.given_up(batch, f"{type(ended).__name__}: {ended}")) is not None:
        yield failed
