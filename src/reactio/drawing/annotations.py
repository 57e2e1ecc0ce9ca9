"""Annotations of a figure: the direction of gravity, the axes of the world, and the scale of arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import in_units, unit_name
from reactio.drawing.arrows import Arrow, ArrowRole
from reactio.drawing.style import PALE

CORNER = 32.0  # from both edges to the origin of the axes [points]: arms of 24 and their letters fit around it
STRIP = 2 * CORNER  # on the left, which the mechanism leaves free [points]
LINE_HEIGHT = 10.0  # of words below the mechanism [points]
MARGIN = 0.06  # around the mechanism, as a part of its size


def draw_gravity(axes: Any, V: Floats, g: Floats) -> None:
    """The direction of gravity g (3,) in the upper left corner of a picture seen by V (3, 3)."""
    d = V[:2] @ (g / np.linalg.norm(g))
    above, at_side = np.array([0.5 * CORNER, -0.5 * CORNER]), np.array([0.5 * CORNER, -0.3 * CORNER])
    pen = {"arrowstyle": "-|>", "color": PALE, "shrinkA": 0, "shrinkB": 0}
    at = [_from_corner(axes, 1.0, x) for x in (above - 0.4 * CORNER * d, above + 0.4 * CORNER * d)]
    axes.annotate("", (0.0, 1.0), (0.0, 1.0), at[1], at[0], arrowprops=pen, annotation_clip=False)
    place = _from_corner(axes, 1.0, at_side + np.array([8.0, -0.4 * CORNER]))
    axes.text(0.0, 1.0, "g", transform=place, color=PALE, fontsize=9, style="italic")


def draw_triad(axes: Any, V: Floats) -> None:
    """The axes of the world in the lower left corner of a picture seen by V (3, 3)."""
    origin = np.array([CORNER, CORNER])
    for name, axis in zip("xyz", np.eye(3), strict=True):
        d = V[:2] @ axis
        pen = {"arrowstyle": "-", "color": PALE, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
        ends = [_from_corner(axes, 0.0, origin + arm * d) for arm in (0.0, 22.0)]
        axes.annotate("", (0.0, 0.0), (0.0, 0.0), ends[1], ends[0], arrowprops=pen, annotation_clip=False)
        place = _from_corner(axes, 0.0, origin + 29.0 * d)
        axes.text(0.0, 0.0, name, transform=place, fontsize=8, color=PALE, ha="center", va="center")


def write_scale(axes: Any, arrows: Sequence[Arrow]) -> int:
    """Write the sizes of the longest arrows into the lower right corner; the number of lines is returned."""
    words = []
    for role in ArrowRole:
        for moment, unit in ((False, "N"), (True, "N m")):
            sizes = [float(np.linalg.norm(a.vector)) for a in arrows if a.moment is moment and a.role == role]
            if sizes:
                size = f"{float(f'{in_units(max(sizes), unit):.3g}'):g}"  # 12000, not 1.2e+04
                words.append(f"longest {role} {'double ' if moment else ''}arrow {size} {unit_name(unit)}")
    if words:
        axes.text(
            1.0, 0.0, "\n".join(words), transform=axes.transAxes, ha="right", va="bottom", fontsize=7.5,
            color=PALE, zorder=30,
        )  # fmt: skip
    return len(words)


def make_room(axes: Any, strip: bool, lines: int) -> None:
    """Fit the mechanism into its axes at one scale, clear of the strip on the left and of lines of words below."""
    axes.set_aspect("auto")
    axes.set_axis_off()
    axes.figure.draw_without_rendering()
    slot, points = axes.get_window_extent(), axes.figure.dpi / 72
    low, high = axes.dataLim.min, axes.dataLim.max
    size = np.maximum((high - low) * (1 + 2 * MARGIN), 1e-12)
    slot_size = np.array([slot.width, slot.height])
    # At most this part of a small panel.
    kept = np.minimum(np.array([STRIP * strip, LINE_HEIGHT * lines]) * points, 0.4 * slot_size)
    per_metre = float(((slot_size - kept) / size).min())
    first = (low + high) / 2 - size / 2 - np.maximum((slot_size - per_metre * size) / 2, kept) / per_metre
    axes.set_xlim(first[0], first[0] + slot_size[0] / per_metre)
    axes.set_ylim(first[1], first[1] + slot_size[1] / per_metre)
    axes.set_aspect("equal")  # also where something is written next to the axes later on


def _from_corner(axes: Any, height: float, points: Floats) -> Any:
    """The transform that puts (0, height) of the axes so many points to the right and up."""
    from matplotlib.transforms import ScaledTranslation

    inches = ScaledTranslation(points[0] / 72, points[1] / 72, axes.figure.dpi_scale_trans)
    return axes.transAxes + inches
