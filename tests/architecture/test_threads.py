"""Threads that share a system, or make machine code at the same time, get the numbers that one thread gets alone."""

from __future__ import annotations

import os
import subprocess
import sys

SHARED = """
import sys, threading

import reactio

sys.setswitchinterval(1e-5)  # threads take turns often, so that one asks while another is half way
NAMES = ("double-four-bar", "four-bar-planar", "modified-double-four-bar", "slider-crank", "sarrus", "bennett")
begin, errors = threading.Barrier(8), []


def end(system):
    run = reactio.simulate(system, 0.1)
    return run.steps, run.checkpoint.q.tobytes(), reactio.check(system).rank


def share(systems, found):
    try:
        for system in systems:
            begin.wait()
            found.append(end(system))
    except Exception as error:
        errors.append(repr(error))
        begin.abort()


systems = [reactio.build(reactio.load(name)) for name in NAMES]
found = [[] for _ in range(8)]
threads = [threading.Thread(target=share, args=(systems, one)) for one in found]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
alone = [end(system) for system in systems]
print(errors, [one == alone for one in found].count(False))
"""


def test_threads_of_a_fresh_process_share_systems_and_compiled_kernels() -> None:
    environment = os.environ | {"REACTIO_KERNELS": "compiled"}
    done = subprocess.run([sys.executable, "-c", SHARED], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "[] 0", "")
