"""Size through the commands: processor time per joint of ``show``, ``check`` and ``reactions``.

Run: python benchmarks/size.py [N …]   (300 1000 3000 10000 33333 four-bar loops if left out: up to 100,000 joints)

Each command runs in this process on one thread, with compiled kernels at every size, so that growth is all that shows:
below some 2,500 loops a command would choose plain Python, which starts at once and takes longer for each joint (see
reactio.kernels).  What it costs once is measured apart: imports and the loading of kernels by a first run of N = 30
("first"), what every run costs whatever its size by a second one ("fixed"), which is taken off before dividing by the
joints.
The last line is the ratio of the largest to the smallest time per joint of each command.
"""

from __future__ import annotations

import io
import os
import sys
import time
from contextlib import redirect_stdout

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("REACTIO_KERNELS", "compiled")

from reactio.cli.app import app

COMMANDS = ("show", "check", "reactions")
SIZES = (300, 1000, 3000, 10_000, 33_333)
FEW = 30  # loops of the model that tells what a command costs whatever the size


def seconds(command: str, loops: int) -> float:
    """Processor time of one command on a chain of four-bar loops."""
    before = time.process_time()
    with redirect_stdout(io.StringIO()):
        app([command, "n-four-bar", "--set", f"N={loops}"], standalone_mode=False)
    return time.process_time() - before


def fixed(command: str) -> tuple[float, float]:
    """Processor time of the first run of a small model, and of one more."""
    return seconds(command, FEW), min(seconds(command, FEW) for _ in range(3))


def main(sizes: tuple[int, ...]) -> None:
    """The table."""
    per_joint: dict[str, list[float]] = {command: [] for command in COMMANDS}
    once: dict[str, float] = {}
    for command in COMMANDS:
        first, once[command] = fixed(command)
        print(f"{command}: first {first:.2f} s, fixed {once[command]:.3f} s")
    print("loops    joints  " + "".join(f"{command:>12} [s]  per joint [µs]" for command in COMMANDS))
    for loops in sizes:
        line = f"{loops:>6}  {3 * loops + 1:>7}  "
        for command in COMMANDS:
            repeats = 3 if loops <= 1000 else 1
            spent = min(seconds(command, loops) for _ in range(repeats))
            per_joint[command].append((spent - once[command]) / (3 * (loops - FEW)))
            line += f"{spent:>16.2f}  {1e6 * per_joint[command][-1]:>14.0f}"
        print(line, flush=True)
    ratios = ", ".join(f"{command} {max(times) / min(times):.2f}" for command, times in per_joint.items())
    print(f"largest over smallest time per joint: {ratios}")


if __name__ == "__main__":
    main(tuple(int(text) for text in sys.argv[1:]) or SIZES)
