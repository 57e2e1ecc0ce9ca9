"""Levels of flexibility on top of each other: joint forces of a run that vibrates, and the split by compliance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reactio.catalogue.units import in_units, unit_name
from reactio.drawing.plots.panels import Curve, Panel, draw
from reactio.errors import ReactioError, did_you_mean
from reactio.model.model import Model
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory
from reactio.system.compile.build import build

MOST_LEVEL_PANELS = 4  # panels, the largest forces first, where no joints are chosen
LEVEL_INSTANTS = 100  # instants of level 1, at most


def draw_levels(model: Model, run: Trajectory, path: str | Path, select: Sequence[str] = ()) -> Path:
    """Forces of joints in a run with modes or split rods, and on top those of level 1 along the rigid motion.

    One panel for each joint: its force along the direction in which it is largest.
    """
    rigid = build(model, vibration=False)
    times = run.t[:: max(1, -(-len(run.t) // LEVEL_INSTANTS))]
    until = float(times[-1])
    level_1 = simulate(rigid, until, rule="compliance", output=times)
    joints = [joint.name for joint in model.joints]
    for name in select:
        if name not in joints:
            raise ReactioError(f"There is no joint '{name}' to draw.{did_you_mean(name, joints)}")
    sizes = {name: float(np.abs(level_1[name].force).max()) for name in joints}
    chosen = list(select) or sorted(joints, key=lambda name: -sizes[name])[:MOST_LEVEL_PANELS]
    panels = []
    for name in chosen:
        still = level_1[name].force
        largest = still[int(np.linalg.norm(still, axis=1).argmax())]
        axis = largest / (np.linalg.norm(largest) or 1.0)
        words = ", ".join(f"{x:.2g}" for x in axis.round(3) + 0.0)
        curves = [
            Curve("vibrating", run.t, in_units(run[name].force @ axis, "N")),
            Curve("level 1 (compliance)", level_1.t, in_units(still @ axis, "N")),
        ]
        panels.append(Panel(f"{name}, along [{words}]", f"force [{unit_name('N')}]", curves))
    return draw(Path(path), panels, columns=min(2, len(panels)))
