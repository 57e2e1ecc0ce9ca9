"""Gaps against CalculiX: who bears, by its springs and gap elements, for two cases.

    python benchmarks/peers/calculix_gaps.py --ccx /usr/bin/ccx

1. Two parallel bars, one with a gap (closed form as well).  2. A point on five cables with different slacks in the
plane.  CalculiX closes gaps by penalty springs of its own; forces agree to a part of what these give way.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import reactio

PENALTY = 1e12  # [N/m] of a closed gap in CalculiX: 1e-6 of the bars' compliance


class Cable:
    """A bar from the origin along an angle that pulls once the point has moved by its slack."""

    def __init__(self, angle: float, stiffness: float, slack: float) -> None:
        self.angle, self.stiffness, self.slack = angle, stiffness, slack

    @property
    def away(self) -> np.ndarray:
        """The direction in which the point moves when it pulls: away from the anchor."""
        return -np.array([math.cos(self.angle), math.sin(self.angle)])


CASES = {
    "two bars": ([Cable(math.pi, 1e5, 0.0), Cable(math.pi, 3e5, 2e-4)], (100.0, 0.0)),
    "five cables": (
        [
            Cable(math.radians(20), 2e6, 0.0),
            Cable(math.radians(65), 1e6, 2e-4),
            Cable(math.radians(110), 3e6, 1e-4),
            Cable(math.radians(150), 1e6, 4e-4),
            Cable(math.radians(200), 2e6, 3e-4),
        ],
        (-300.0, -900.0),
    ),
}


def ours(cables: list[Cable], load: tuple[float, float]) -> np.ndarray:
    """Tensions by the rule compliance."""
    lines = ["space: planar", "gravity: [0, 0]", "bodies: {point: {kind: point, mass: 1, position: [0, 0]}}", "joints:"]
    if len({round(math.sin(cable.angle), 9) for cable in cables}) == 1:
        lines.append("  hold: {type: revolute-translational, a: ground, b: point}")
    for k, cable in enumerate(cables):
        x, y = (-cable.away).tolist()
        lines.append(
            f"  c{k}: {{type: cable, a: {{body: ground, point: [{x!r}, {y!r}]}}, b: point, "
            f"stiffness: {cable.stiffness!r}, slack: {cable.slack!r}}}"
        )
    lines.append(f"forces: {{load: {{type: force, at: point, force: [{load[0]!r}, {load[1]!r}]}}}}")
    found = reactio.reactions(reactio.parse_model("\n".join(lines)), "compliance")
    return np.array([found[f"c{k}"].axial for k in range(len(cables))], dtype=float)


def deck(cables: list[Cable], load: tuple[float, float]) -> str:
    """The input of CalculiX: node 1 is the point; each cable has an anchor, an end, a spring and a gap."""
    lines = ["*NODE, NSET=ALL", "1, 0., 0., 0."]
    for k, cable in enumerate(cables):
        x, y = (-cable.away).tolist()
        lines += [f"{10 + k}, {x:.12e}, {y:.12e}, 0.", f"{30 + k}, 0., 0., 0."]
    for k, cable in enumerate(cables):
        x, y = cable.away.tolist()
        lines += [
            f"*ELEMENT, TYPE=SPRINGA, ELSET=S{k}",
            f"{100 + k}, {10 + k}, {30 + k}",
            f"*SPRING, ELSET=S{k}",
            "",
            f"{cable.stiffness:.12e}",
            f"*ELEMENT, TYPE=GAPUNI, ELSET=G{k}",
            f"{200 + k}, 1, {30 + k}",
            f"*GAP, ELSET=G{k}",
            f"{cable.slack:.12e}, {x:.12e}, {y:.12e}, 0., , {PENALTY:.12e}",
            f"*NSET, NSET=E{k}",
            f"{30 + k}",
            f"*TRANSFORM, NSET=E{k}, TYPE=R",
            f"{x:.12e}, {y:.12e}, 0., {-y:.12e}, {x:.12e}, 0.",
        ]
    lines += ["*BOUNDARY", "1, 3, 3, 0."]
    if len({round(math.sin(cable.angle), 9) for cable in cables}) == 1:
        lines.append("1, 2, 2, 0.")
    for k in range(len(cables)):
        lines += [f"{10 + k}, 1, 3, 0.", f"{30 + k}, 2, 3, 0."]
    lines += [
        "*STEP, NLGEOM, INC=1000",
        "*STATIC",
        "0.05, 1.",
        "*CLOAD",
        f"1, 1, {load[0]:.12e}",
        f"1, 2, {load[1]:.12e}",
    ]
    lines += ["*NODE PRINT, NSET=ALL, GLOBAL=YES, FREQUENCY=1000", "U", "*END STEP", ""]
    return "\n".join(lines)


def theirs(ccx: Path, cables: list[Cable], load: tuple[float, float]) -> np.ndarray:
    """Tensions from the displacements of the ends."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "case.inp").write_text(deck(cables, load))
        done = subprocess.run([str(ccx), "case"], cwd=folder, capture_output=True, text=True, check=False)
        results = Path(folder) / "case.dat"
        if not results.exists():
            raise SystemExit(f"ccx wrote no results:\n{done.stdout[-2000:]}")
        rows = [line.split() for line in results.read_text().splitlines()]
    moved = {int(row[0]): np.array([float(x) for x in row[1:3]]) for row in rows if len(row) == 4 and row[0].isdigit()}
    return np.array([cable.stiffness * float(moved[30 + k] @ cable.away) for k, cable in enumerate(cables)])


def main() -> None:
    """Print both sets of tensions for every case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ccx", type=Path, default=Path("/usr/bin/ccx"))
    ccx = parser.parse_args().ccx
    for name, (cables, load) in CASES.items():
        a, b = ours(cables, load), theirs(ccx, cables, load)
        print(f"{name}: ours {np.round(a, 4)} N, CalculiX {np.round(b, 4)} N, largest difference "
              f"{np.abs(a - b).max() / np.abs(a).max():.1e} of the largest")  # fmt: skip


if __name__ == "__main__":
    main()
