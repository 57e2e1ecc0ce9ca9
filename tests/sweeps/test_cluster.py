"""Sweeps on a Dask cluster: complete, each case once, also where a worker is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, cast

import pytest

from reactio.errors import ReactioError
from reactio.model.model import Model
from reactio.sweeps.axes import table
from reactio.sweeps.batches import Batches
from reactio.sweeps.cluster import connected
from reactio.sweeps.sweep import load_sweep, sweep
from reactio.sweeps.task import CaseRow, SweepTask

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # Dask warns of its own when a worker dies


def slow(model: Model) -> float:
    """A result that takes a while."""
    time.sleep(0.05)
    assert model.bodies[0].mass is not None
    return model.bodies[0].mass


def test_a_worker_that_is_killed_costs_no_case(tmp_path: Path) -> None:
    masses = [float(k) for k in range(1, 31)]
    folder = tmp_path / "out"
    with connected("local:2") as client:
        victim = next(iter(client.run(os.getpid).values()))

        def kill() -> None:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                try:
                    if len(load_sweep(folder).rows) >= 4:
                        break
                except (ReactioError, KeyError):
                    pass
                time.sleep(0.02)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        found = sweep("door", {"mass": masses}, slow, client=client, folder=folder)
        killer.join()
        assert victim not in client.run(os.getpid).values()
    assert found.complete
    assert not found.failed
    assert found["slow"].tolist() == masses
    assert [row.number for row in found.rows] == list(range(30))


class LostOnce:
    """A future whose result is lost with its worker after it was reported as done, and computed again."""

    def __init__(self, rows: list[CaseRow]) -> None:
        self.rows, self.status = rows, "pending"

    def exception(self, timeout: float) -> None:
        if self.status == "pending":
            self.status = "finished"
            raise TimeoutError

    def result(self, timeout: float) -> list[CaseRow]:
        return self.rows


def test_a_result_that_is_lost_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from reactio.sweeps import cluster

    class Client:
        def submit(self, _: object, __: object, batch: list[Any], **___: object) -> LostOnce:
            return LostOnce([CaseRow(number, (1.0,), "", 0.1) for number, _ in batch])

        def nthreads(self) -> dict[str, int]:
            return {"worker": 1}

        def cancel(self, futures: list[object]) -> None:
            assert not futures

    class Distributed:
        @staticmethod
        def wait(futures: list[LostOnce], **_: object) -> Any:
            return type("Done", (), {"done": set(futures)})

    monkeypatch.setattr(cluster, "_distributed", lambda: Distributed)
    monkeypatch.setattr(cluster, "packed", lambda task: b"")
    batches = Batches(table({"mass": [1.0, 2.0]}), (), workers=1, wants=1)
    rows = [row for found in cluster.on_cluster(Client(), cast(SweepTask, None), batches) for row in found]
    assert sorted(row.number for row in rows) == [0, 1]
    assert not any(row.reason for row in rows)


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from reactio.sweeps import cluster

    monkeypatch.setattr(cluster, "ANSWER_TIMEOUT", 0.5)
    with pytest.raises(ReactioError, match=r"tcp://127\.0\.0\.1:9' does not answer"), connected("tcp://127.0.0.1:9"):
        pass
    with pytest.raises(ReactioError, match="local:2"), connected("local:many"):
        pass
