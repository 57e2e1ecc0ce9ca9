"""Mode shapes of flexible bodies with their frequencies, as Fig. 10 of Wojtyra & Frączek 2012 shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.camera import view
from reactio.drawing.plots.style import canvas, save
from reactio.errors import ReactioError
from reactio.linear.precision import LOCATED
from reactio.operating_system.files import write_csv
from reactio.structures.modes import ModeShapes

DRAWN_AMPLITUDE = 0.12  # of the largest displacement, as a part of the size of the body
SHEET_THICKNESS = 0.15  # ratio of the least extent of a body to the next one below which it is drawn as a sheet
COLOUR_MAP = "viridis"


def plot_modes(shapes: Sequence[tuple[ModeShapes, int]], path: str | Path, space: str = "spatial") -> Any:
    """One picture for each (modes of a body, number of the mode from 1): deformed, coloured by displacement."""
    columns = min(3, len(shapes))
    figure, grid = canvas(-(-len(shapes) // columns), columns, 4.2, 3.4)
    for place, (modes, number) in enumerate(shapes):
        if not 1 <= number <= len(modes.hertz):
            raise ReactioError(
                f"'{modes.name}' has {len(modes.hertz)} modes in this model; there is no number {number}."
            )
        axes = figure.add_subplot(grid[place // columns, place % columns])
        _paint(axes, modes, number - 1, view(space, (0.0, 0.0, 1.0)))
        axes.set_title(f"{modes.name}, mode {number}: {modes.hertz[number - 1]:.4g} Hz", fontsize=9)
    save(figure, Path(path))
    return figure


def write_modes(shapes: Sequence[tuple[ModeShapes, int]], path: Path) -> None:
    """Write the same modes as a table (.csv): the frequency of each, and the displacement of each node in it."""
    columns = ("body", "mode", "frequency [Hz]", "node", "x [m]", "y [m]", "z [m]", "u_x", "u_y", "u_z")
    lines = (
        (modes.name, number, float(modes.hertz[number - 1]), node, *place, *modes.shapes[node, :, number - 1].tolist())
        for modes, number in shapes
        for node, place in enumerate(modes.nodes.tolist())
    )
    write_csv(path, columns, lines)


def _paint(axes: Any, modes: ModeShapes, k: int, V: Floats) -> None:
    """The body at rest in grey and deformed: a line, a sheet of triangles, or the points of a solid."""
    size = float(np.linalg.norm(np.ptp(modes.nodes, axis=0))) or 1.0
    middle = modes.nodes.mean(axis=0)
    _, extent, axes_of_body = np.linalg.svd(modes.nodes - middle, full_matrices=False)
    in_body = (modes.nodes - middle) @ axes_of_body.T
    dimensions = int((extent > LOCATED * extent[0]).sum())
    shown = np.ones(len(in_body), dtype=bool)
    if dimensions == 3 and extent[2] < SHEET_THICKNESS * extent[1]:  # a plate: its upper face
        shown, dimensions = in_body[:, 2] > in_body[:, 2].max() - LOCATED * size, 2
    u, flat = modes.shapes[shown][:, :, k], in_body[shown, :2]
    rest = (modes.nodes[shown] - middle) @ V[:2].T
    moved = (modes.nodes[shown] - middle + DRAWN_AMPLITUDE * size * u) @ V[:2].T
    far = np.linalg.norm(u, axis=1)
    if dimensions == 1:
        order = np.argsort(flat[:, 0])
        axes.plot(*rest[order].T, color="0.75", linewidth=1.2)
        axes.plot(*moved[order].T, color="0.4", linewidth=1.2)
        axes.scatter(*moved.T, c=far, cmap=COLOUR_MAP, s=14, zorder=3)
    elif dimensions == 2:
        from matplotlib.tri import Triangulation

        sheet = Triangulation(*flat.T).triangles
        depth = (modes.nodes[shown] - middle + DRAWN_AMPLITUDE * size * u) @ V[2]
        sheet = sheet[np.argsort(depth[sheet].mean(axis=1))]  # the farthest first
        axes.triplot(*rest.T, sheet, color="0.85", linewidth=0.5)
        axes.tripcolor(*moved.T, sheet, far, cmap=COLOUR_MAP, shading="gouraud")
    else:
        axes.scatter(*rest.T, color="0.85", s=3)
        axes.scatter(*moved.T, c=far, cmap=COLOUR_MAP, s=6)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
