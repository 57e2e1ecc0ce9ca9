"""A sweep of checks against a bare loop over the same cases, in one run, by processor time.

    python benchmarks/sweep.py [--cases 10000] [--processes 2] [--dask] [--bare-every 1]
    python benchmarks/sweep.py --workers 1,8 [--cases 400]
    python benchmarks/sweep.py --verdicts [--cases 1000] [--processes 2]

The loop runs in a process of its own, at the same time as the sweep, so that both see the same machine.  Prints
processor seconds per case of each, with everything (start of workers, database, tables), and their ratio: 90 % means
that the sweep does in the time of its processes nine tenths of what the loop would.  With ``--dask`` the workers are
those of a LocalCluster, and one of them is killed half way: the sweep must be complete, each case once.  With
``--workers`` prints, for clusters of so many, the processor time of a case in its workers and the memory of each.
With ``--verdicts`` each case is a batch of a thousand poses for ``check_many``, and the unit is a pose.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import reactio
from reactio.kernels import CodeUse, running
from reactio.sweeps.cluster import connected
from reactio.sweeps.sweep import load_sweep

SOURCE, PARAMETER = "double-four-bar", "theta"
LOOP = "loop"
POSES = 1000  # of a batch
IDLE = 4.0  # [s] in which the cost of an idle cluster is measured


def values(count: int) -> list[float]:
    """The cases: angles of the crank [rad]."""
    return np.linspace(0.6, 1.5, count).tolist()


def bare(cases: list[float]) -> float:
    """Processor seconds per case of a loop over ``check``, once kernels are there."""
    with running(CodeUse.COMPILED):
        reactio.check(reactio.load(SOURCE, **{PARAMETER: cases[0]}))
        begun = time.process_time()
        for value in cases:
            reactio.check(reactio.load(SOURCE, **{PARAMETER: value}))
        return (time.process_time() - begun) / len(cases)


def spent() -> float:
    """Processor seconds of this process and of its children that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def killing_half_way(folder: Path, count: int, victim: int) -> threading.Thread:
    """Kill a worker when half of the cases are answered."""

    def kill() -> None:
        while True:
            time.sleep(0.5)
            try:
                done = len(load_sweep(folder).rows)
            except (reactio.ReactioError, KeyError):
                continue
            if done >= count // 2:
                os.kill(victim, signal.SIGKILL)
                print(f"killed worker {victim} after {done} cases")
                return

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


class ClusterCost(NamedTuple):
    """What a case costs the workers of a cluster, once they have begun."""

    seconds: float  # of processor time for each case, without that of an idle cluster
    idle: float  # part of a processor that the workers take when they have nothing to do
    megabytes: float  # of the largest worker


def of_cluster(workers: int, count: int) -> ClusterCost:
    """The cost of so many cases in so many workers of this machine, all of which have answered some before."""
    with connected(f"local:{workers}") as client, tempfile.TemporaryDirectory() as name:

        def swept(part: str, cases: list[float]) -> None:
            folder = Path(name) / part
            found = reactio.sweep(SOURCE, {PARAMETER: cases}, "redundancy, mobility", client=client, folder=folder)
            assert len(found.rows) == len(cases)
            assert not found.failed

        client.run(begin)
        swept("first", values(40 * workers))

        def cost(action: Callable[[], object]) -> tuple[float, float]:
            """Processor seconds of all workers during an action, and its seconds by the clock."""
            before, begun = sum(client.run(time.process_time).values()), time.perf_counter()
            action()
            return sum(client.run(time.process_time).values()) - before, time.perf_counter() - begun

        rest, pause = cost(lambda: time.sleep(IDLE))
        took, wall = cost(lambda: swept("counted", values(count)))
        kilobytes = max(client.run(_largest_memory).values())
    idle = rest / pause
    return ClusterCost((took - idle * wall) / count, idle, kilobytes / 1024)


def begin() -> None:
    """Load in a worker what the cases need; it gets this function alone."""
    import reactio

    for _ in range(20):
        reactio.check(reactio.load("double-four-bar"))


def _largest_memory() -> int:
    """The largest memory of this process [kB]; ``getrusage`` may give that of the process which started it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def batch_of(model: reactio.Model) -> int:
    """The number of poses, from the angle θ of a model on, whose verdict is clear.

    Cranks turn by θ, and the bars between them keep their direction.  Other processes get this function alone.
    """
    import numpy as np

    import reactio

    angle = model.parameters["theta"] + np.linspace(0.0, 1e-3, 1000)
    along = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    turn = np.stack([0 * angle, 0 * angle, angle], axis=1)
    x = np.array([1.0, 0.0, 0.0])
    cranks = [k * x + 0.5 * along + turn for k in range(3)]
    poses = np.hstack([cranks[0], 0.5 * x + along, cranks[1], 1.5 * x + along, cranks[2]])
    return int(reactio.check_many(model, poses).confident.sum())


def of_verdicts(cases: int, processes: int) -> float:
    """Processor seconds for each of a thousand poses in every case of a sweep, with everything around them."""
    before = spent()
    with tempfile.TemporaryDirectory() as name:
        given = {PARAMETER: values(cases)}
        found = reactio.sweep(SOURCE, given, batch_of, processes=processes, folder=Path(name) / "out")
    assert not found.failed
    assert all(row.values == (POSES,) for row in found.rows), "a verdict is missing, or in doubt"
    return (spent() - before) / (cases * POSES)


def main() -> None:
    """Run both, and compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--bare-every", type=int, default=1, help="the loop takes every k-th case")
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--workers", help="numbers of workers, as 1,8")
    parser.add_argument("--verdicts", action="store_true", help="batches of a thousand poses in place of checks")
    parser.add_argument("--loop", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.verdicts:
        each = 1e6 * of_verdicts(given.cases, given.processes)
        print(f"{given.cases * POSES:,} verdicts in {given.processes} processes: {each:.1f} µs of processor time each")
        return
    if given.workers:
        for workers in map(int, given.workers.split(",")):
            cost = of_cluster(workers, given.cases)
            print(
                f"{workers} workers: {1e3 * cost.seconds:.2f} ms of processor time a case, {cost.idle:.2f} of a "
                f"processor when idle, {cost.megabytes:.0f} MB each"
            )
        return
    cases = values(given.cases)
    if given.loop:
        print(LOOP, bare(cases[:: given.bare_every]))
        return
    loop = None
    if not given.dask:
        command = [
            sys.executable,
            __file__,
            "--loop",
            "--cases",
            str(given.cases),
            "--bare-every",
            str(given.bare_every),
        ]
        loop = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    before, begun = spent(), time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "out"
        if given.dask:
            with connected(f"local:{given.processes}") as client:
                victim = next(iter(client.run(os.getpid).values()))
                killer = killing_half_way(folder, given.cases, victim)
                found = reactio.sweep(SOURCE, {PARAMETER: cases}, "redundancy, mobility", client=client, folder=folder)
                killer.join()
        else:
            found = reactio.sweep(
                SOURCE, {PARAMETER: cases}, "redundancy, mobility", processes=given.processes, folder=folder
            )
    took, wall = spent() - before, time.perf_counter() - begun
    once = [row.number for row in found.rows] == list(range(given.cases))
    print(f"{found}: each case once: {once}; {wall:.0f} s by the clock")
    assert once
    assert not found.failed
    if loop is None:
        return
    alone = float(loop.communicate()[0].split()[1])
    each = took / given.cases
    print(f"bare loop {1e3 * alone:.2f} ms, sweep {1e3 * each:.2f} ms of processor time per case: {alone / each:.0%}")


if __name__ == "__main__":
    main()
