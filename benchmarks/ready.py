"""From an empty cache to the first answer: what a newcomer waits for, in wall and processor time.

    python benchmarks/ready.py            all four, cold, then the warm ones
    python benchmarks/ready.py --warm     only the warm ones

Each command is a process of its own; the cold ones begin with an empty cache.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

COLD = (
    ("check mobile-robot", 2.0),
    ("report spatial-parallelogram --until 1 --output {folder}/report.html", 8.0),
    ("simulate double-four-bar --until 10", 12.0),
    ("warmup", 60.0),
)
WARM = (("check mobile-robot", 0.8), ("simulate double-four-bar --until 10", 1.0))


def measured(command: str, cache: str) -> tuple[float, float]:
    """Wall and processor time [s] of a command and all its processes."""
    # An installed package keeps its bytecode, whatever the shell that measures says of it.
    free = {k: v for k, v in os.environ.items() if k not in ("REACTIO_KERNELS", "PYTHONDONTWRITEBYTECODE")}
    words = command.format(folder=cache).split()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "reactio", *words], env={**free, "REACTIO_CACHE": cache}, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wall = time.perf_counter() - begun
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def line(when: str, command: str, limit: float, cache: str) -> None:
    """One line of the table."""
    wall, processor = measured(command, cache)
    name = f"reactio {command}".replace(" --output {folder}/report.html", "")
    print(f"{when:5} {name:50} {wall:8.2f} s {processor:8.2f} s    {limit:5.1f} s", flush=True)


def main() -> None:
    """Print the table."""
    print(f"{'':56} {'wall':>10} {'processor':>10}    {'target':>7}")
    if "--warm" not in sys.argv:
        for command, limit in COLD:
            with tempfile.TemporaryDirectory() as cache:
                line("cold", command, limit, cache)
    with tempfile.TemporaryDirectory() as cache:
        for command, _ in WARM:
            measured(command, cache)
        for command, limit in WARM:
            line("warm", command, limit, cache)


if __name__ == "__main__":
    main()
