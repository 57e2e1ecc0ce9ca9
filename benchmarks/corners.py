"""Corners where a command may take long: a robot whose loops cannot close, a bonded wall on contacts, a large lattice.

    OPENBLAS_NUM_THREADS=1 python benchmarks/corners.py [robot] [leg] [wall] [lattice]   (all if left out)

``robot`` is a leg of six hinges with eleven rods on cranks in loops that share its hinges, one rod too short to close:
processor time until the first sentence names it, and until the refusal.  ``leg`` is the same with all rods long enough,
open in the file.  ``wall``: the intervals of a wall of bricks with ``--rows`` contacts.  ``lattice``: the first step of
scissor-lattice with 35 × 40 cells, of which most is the symbolic phase.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import reactio
from reactio.integrate.integrator import integrate
from reactio.kernels import compiled_throughout

LINKS, LENGTH = 6, 0.3  # of the leg; of each link [m]
LOOPS = 11
SHORT = 0.3  # length of the rod that cannot close its loop, as part of the one that does
BRICK, HEIGHT = 1.0, 0.5  # [m]
CORNERS = (-0.45, -0.05, 0.05, 0.45)  # of a brick on the two below it [m]
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def robot(path: Path, *, closes: bool) -> None:
    """Write a URDF leg with rods on cranks, each from a link to the next but one; the rods miss their ends by 2 %."""
    rng = np.random.default_rng(3)
    lines = ['<robot name="leg"><link name="l0"/>']

    def link(name: str, kind: str, parent: str, at: tuple[float, ...], axis: str = "0 1 0") -> None:
        xyz = " ".join(f"{x:.6g}" for x in at)
        lines.append(
            f'<link name="{name}">{INERTIAL}</link><joint name="j_{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{name}"/><origin xyz="{xyz}"/><axis xyz="{axis}"/></joint>'
        )

    for k in range(1, LINKS + 1):
        link(f"l{k}", "continuous", f"l{k - 1}", (0.0, 0.0, -LENGTH), ("1 0 0", "0 1 0")[k % 2])
    for k in range(LOOPS):
        first = k % (LINKS - 1)
        crank = np.array([0.05, 0.03 * (k - 5), -0.05])
        end = np.array([0.08, 0.03 * (k - 5) + 0.01, -0.1])  # on the other link
        apart = end - [0.0, 0.0, 2 * LENGTH] - crank - [0.04, 0.0, 0.0]
        rod = apart * (SHORT if k == 7 and not closes else 1.0 + 0.02 * rng.uniform(-1, 1))
        link(f"c{k}", "continuous", f"l{first}", tuple(crank))
        link(f"r{k}", "ball", f"c{k}", (0.04, 0.0, 0.0))
        link(f"e{k}", "fixed", f"r{k}", tuple(rod))
        link(f"t{k}", "fixed", f"l{first + 2}", tuple(end)) if first + 2 <= LINKS else None
    Path(path.with_name("loops.yaml")).write_text(
        "closed_loop: [" + ", ".join(f"[e{k}, t{k}]" for k in range(LOOPS)) + "]\n"
        "type: [" + ", ".join(["3d"] * LOOPS) + "]\n",
        encoding="utf-8",
    )
    path.write_text("\n".join([*lines, "</robot>"]), encoding="utf-8")


class Import(NamedTuple):
    """How an import ended, and its processor time [s] up to its first sentence on a loop, and in all."""

    code: int
    words: str
    first: float
    total: float


def imported(*, closes: bool) -> Import:
    """The import of the robot as a command."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "leg.urdf"
        robot(path, closes=closes)
        words = [
            "import",
            str(path),
            "--loops",
            str(path.with_name("loops.yaml")),
            "-o",
            str(Path(folder) / "leg.yaml"),
        ]
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "reactio", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        )
        assert process.stderr is not None
        first, said = 0.0, []
        for line in process.stderr:
            if not said:
                first = _spent(process.pid)
            said.append(line.strip())
        _, status, used = os.wait4(process.pid, 0)
        total = used.ru_utime + used.ru_stime
        return Import(os.waitstatus_to_exitcode(status), " ".join(said), first or total, total)


def _spent(process: int) -> float:
    """Processor time of a running process [s]; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wall(courses: int, bricks: int) -> reactio.Model:
    """Bricks in bond, each on four corners, the lowest course on the ground."""
    bodies, contacts = list[str](), list[str]()
    for r in range(courses):
        for c in range(bricks - r % 2):
            x, y = (c + 0.5 * (r % 2)) * BRICK, (r + 0.5) * HEIGHT
            bodies.append(f"  b{r}_{c}: {{mass: 1, inertia: 0.1, position: [{x}, {y}]}}")
            for dx in CORNERS:
                below = round((x + dx) / BRICK - 0.5 * ((r + 1) % 2))
                if r and not 0 <= below < bricks - (r - 1) % 2:
                    continue  # half a brick stands out at the ends
                under, top = (f"b{r - 1}_{below}", HEIGHT / 2) if r else ("ground", 0.0)
                contacts.append(
                    f"  c{r}_{c}_{CORNERS.index(dx)}: {{type: point-on-line, line: {{body: {under}, point: [0, {top}], "
                    f"normal: [0, 1]}}, point: {{body: b{r}_{c}, point: [{dx}, {-HEIGHT / 2}]}}}}"
                )
    head = ["space: planar", "gravity: [0, -9.81]", "bodies:"]
    return reactio.parse_model("\n".join([*head, *bodies, "contacts:", *contacts]))


class Wall(NamedTuple):
    """The contact rows of a wall, and the processor time of their intervals [s]."""

    rows: int
    seconds: float


def bounded_wall(rows: int) -> Wall:
    """The intervals of a wall twice as wide as high with about so many rows.

    Of an odd number of courses the last would end in bricks that stand half out, with nothing on them, and tip.
    """
    courses = 2 * max(1, round((rows / 64) ** 0.5))
    system = reactio.build(wall(courses, 4 * courses))
    before = time.process_time()
    reactio.bounds(system)
    return Wall(system.m, time.process_time() - before)


def lattice_step(rows: int = 35, columns: int = 40) -> float:
    """Processor time of the first step of a lattice [s], from a built system."""
    system = reactio.build(reactio.load("scissor-lattice", rows=rows, columns=columns))
    state = reactio.assemble(system)
    before = time.process_time()
    integrate(system, state, 1e-3, step=1e-3, tol=1e-6)
    return time.process_time() - before


def main() -> None:
    """Print a line for each corner."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("corners", nargs="*", choices=[[], "robot", "leg", "wall", "lattice"])
    options.add_argument("--rows", type=int, default=10_800, help="contact rows of the wall")
    given = options.parse_args()
    asked = given.corners or ["robot", "leg", "wall", "lattice"]
    if "robot" in asked:
        done = imported(closes=False)
        print(f"robot: first sentence after {done.first:.1f} s, refused after {done.total:.1f} s: {done.words[:200]}")
    if "leg" in asked:
        done = imported(closes=True)
        print(f"leg: closed after {done.total:.1f} s, exit code {done.code}: {done.words[:200]}")
    with compiled_throughout():
        if "wall" in asked:
            measured = bounded_wall(given.rows)
            print(f"wall: {measured.rows:,} rows, {measured.seconds:.1f} s")
        if "lattice" in asked:
            print(f"lattice: first step {lattice_step():.1f} s")


if __name__ == "__main__":
    main()
