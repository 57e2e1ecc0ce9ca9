"""The parts of a scene drawn by Matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.arrows import Arrow, ArrowRole
from reactio.drawing.body_meshes import BodyMesh
from reactio.drawing.frames import axes, origins
from reactio.drawing.parts import PartRole, ScenePart
from reactio.drawing.style import (
    BODY_COLOURS,
    INK,
    LOAD,
    PALE,
    STRESS,
    STYLES,
    UNKNOWN_VERDICT,
    VerdictStyle,
    mixed,
    rgb,
)
from reactio.errors import ReactioError, how_to_install
from reactio.optional_libraries import load_matplotlib

BADGE_RADIUS = 0.62  # of the disc of a verdict in sizes of a glyph
ROUND_ENDS = {"solid_capstyle": "round", "solid_joinstyle": "round"}
LIGHT = np.array([-0.35, 0.5, 0.79])  # direction towards the light: right, up, to the viewer
LEAST_BRIGHTNESS = 0.55  # of a face that is parallel to the light
FONT_SIZE = 8.5  # of names [points]
COIL_TURNS = 7  # of springs
LONGEST_ARROW = 5.0  # length of the longest arrow in sizes of a glyph
ARROW_COLOURS = {ArrowRole.LOAD: LOAD, ArrowRole.STRESS: STRESS}


def matplotlib() -> Any:
    """The package, or an error that says how to get it."""
    try:
        load_matplotlib()
        import matplotlib
        import matplotlib.collections
        import matplotlib.figure
        import matplotlib.patches
    except ImportError:
        raise ReactioError(f"Drawings need Matplotlib: {how_to_install('plot')}. The HTML report does not.") from None
    return matplotlib


class Painter:
    """Draws on axes, seen by V (3, 3); sizes in metres are true, pens are in points."""

    def __init__(
        self,
        axes: Any,
        V: Floats,
        size: float,
        verdicts: Mapping[str, str],
        bodies: Mapping[str, int],
        colours: Mapping[str, str],
    ) -> None:
        self.axes, self.V, self.size = axes, V, size
        self.verdicts, self.bodies, self.colours = verdicts, bodies, colours
        self.layer = 0.0
        self.named: list[tuple[str, Floats]] = []  # joints and where their verdicts are drawn
        self.patches = matplotlib().patches
        self.roles = {
            PartRole.BODY: self._body,
            PartRole.GHOST: self._body,
            PartRole.MASS: self._mass,
            PartRole.JOINT: self._joint,
            PartRole.GROUND: self._ground,
            PartRole.SPRING: self._spring,
            PartRole.DRIVE: self._drive,
        }

    def part(self, part: ScenePart, x: Floats, alpha: float) -> None:
        """One mark at world points x (k, 3)."""
        self.layer += 1e-4
        self.roles[part.role](part, x @ self.V[:2].T, x, alpha)

    def _swept(self, p: Floats, radius: float, filled: bool, face: str, edge: str, alpha: float) -> None:
        """A ball swept along a path (k, 2) or over its polygon."""
        path = swept(p, radius, filled)
        self.axes.add_patch(
            self.patches.PathPatch(
                path, facecolor=face, edgecolor=edge, linewidth=0.8, alpha=alpha, zorder=1 + self.layer
            )
        )

    def _line(self, p: Floats, colour: str, width: float, alpha: float) -> None:
        self.axes.plot(*p.T, "-", color=colour, linewidth=width, alpha=alpha, zorder=1 + self.layer, **ROUND_ENDS)

    def _body(self, part: ScenePart, p: Floats, x: Floats, alpha: float) -> None:
        face = self.colours.get(part.name) or BODY_COLOURS[self.bodies[part.name] % len(BODY_COLOURS)]
        self._swept(p, part.radius, part.filled, face, INK if alpha == 1.0 else PALE, 0.88 * alpha)

    def meshes(self, meshes: Sequence[BodyMesh], frames: Floats) -> None:
        """The surfaces of bodies: all faces from far to near, lit from over the viewer's left shoulder."""
        if not meshes:
            return
        corners: list[Floats] = []
        faces: list[Floats] = []
        for mesh in meshes:
            frame = frames[mesh.frame]
            seen = (origins(frame) + mesh.points @ axes(frame)) @ self.V.T
            corners.append(seen[mesh.faces])
            face = self.colours.get(mesh.name) or BODY_COLOURS[self.bodies.get(mesh.name, -1) % len(BODY_COLOURS)]
            faces.append(np.tile(np.array(rgb(face)) / 255, (len(mesh.faces), 1)))
        p = np.concatenate(corners)
        normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 1])
        size = np.linalg.norm(normal, axis=1)
        bright = LEAST_BRIGHTNESS + (1 - LEAST_BRIGHTNESS) * np.abs(normal @ LIGHT) / np.where(size > 0, size, 1.0)
        colours = np.concatenate(faces) * bright[:, None]
        order = np.argsort(p[:, :, 2].mean(axis=1))
        collection = matplotlib().collections.PolyCollection(
            p[order, :, :2], facecolors=colours[order], edgecolors=colours[order], linewidths=0.3, zorder=0.9
        )
        collection.set_rasterized(True)  # thousands of faces as a picture inside SVG and PDF
        self.axes.add_collection(collection)

    def _mass(self, part: ScenePart, p: Floats, x: Floats, alpha: float) -> None:
        """The mass centre: a disc in quarters."""
        style = {"zorder": 1 + self.layer, "linewidth": 0.6}
        self.axes.add_patch(self.patches.Circle(p[0], part.radius, facecolor="white", edgecolor=INK, **style))
        for start in (0, 180):
            self.axes.add_patch(
                self.patches.Wedge(p[0], part.radius, start, start + 90, facecolor=INK, edgecolor="none", **style)
            )

    def _joint(self, part: ScenePart, p: Floats, x: Floats, alpha: float) -> None:
        style = self._style(part.name)
        if not part.radius and not part.filled:
            self._line(p, style.colour, 1.1, alpha)
            return
        pale = 0.72 - 0.22 * _light(x, self.V) if not part.radius else 0.72
        tint = self.colours.get(part.name) or mixed(style.colour, "#FFFFFF", pale)
        self._swept(p, part.radius, part.filled, tint, style.colour, alpha)

    def _ground(self, part: ScenePart, p: Floats, x: Floats, alpha: float) -> None:
        if part.filled:
            self._swept(p, 0.0, True, "#EDF0F3", PALE, alpha)
        else:
            self._line(p, PALE, 0.8, alpha)

    def _spring(self, part: ScenePart, p: Floats, x: Floats, alpha: float) -> None:
        self._line(coil(p, 0.8 * self.size), LOAD, 1.2, alpha)

    def _drive(self, part: ScenePart, p: Floats, x: Floats, alpha: float) -> None:
        if part.radius:
            self._swept(p, part.radius, False, LOAD, LOAD, alpha)
        else:
            self._line(p, LOAD, 1.3, alpha)

    def _style(self, name: str) -> VerdictStyle:
        return STYLES[self.verdicts[name]] if name in self.verdicts else UNKNOWN_VERDICT

    def badge(self, name: str, x: Floats, aside: float) -> None:
        """The verdict on a joint, where one was asked for: a disc full, half full, empty, or with a question mark."""
        p = self.V[:2] @ x + np.array([aside * self.size, 0.0])
        if name in self.verdicts:
            self._disc(p, BADGE_RADIUS * self.size, self._style(name))
        self.named.append((name, p))

    def labels(self) -> None:
        """The names of the joints, each on the side where it covers least of joints and other names.

        Called when everything else is drawn: only then is the size of a letter known in metres.
        """
        figure = self.axes.figure
        figure.draw_without_rendering()
        place = self.axes.transData.transform
        points = figure.dpi / 72
        radius = float(np.ptp(place([[0.0, 0.0], [BADGE_RADIUS * self.size, 0.0]])[:, 0])) + 2 * points
        discs = place(np.array([p for _, p in self.named]).reshape(-1, 2))
        taken = [(x - radius, y - radius, x + radius, y + radius) for x, y in discs]
        for (name, p), (x, y) in zip(self.named, discs, strict=True):
            width, height = (0.62 * FONT_SIZE * len(name) + 2) * points, 1.35 * FONT_SIZE * points
            left, right, up, down = x - radius - width, x + radius, y + 0.4 * radius, y - 0.4 * radius - height
            above, below, middle = y + radius, y - radius - height, x - width / 2
            sides = [(right, up), (right, down), (left, up), (left, down), (middle, above), (middle, below),
                     (right, y - height / 2), (left, y - height / 2), (right, above), (right, below),
                     (left, above), (left, below)]  # fmt: skip
            boxes = [(u, v, u + width, v + height) for u, v in sides]
            at = min(boxes, key=lambda box: sum(_common_area(box, box_of_name) for box_of_name in taken))
            taken.append(at)
            offset = ((at[0] - x) / points + 1, (at[1] - y) / points + 0.3 * FONT_SIZE)
            self.axes.annotate(
                name, p, offset, textcoords="offset points", fontsize=FONT_SIZE, color=INK, zorder=30, parse_math=False,
                bbox={"boxstyle": "round,pad=0.08", "facecolor": "white", "edgecolor": "none", "alpha": 0.65},
            )  # fmt: skip

    def _disc(self, p: Floats, radius: float, style: VerdictStyle) -> None:
        """A disc that is filled as far as the verdict goes."""
        self.axes.add_patch(
            self.patches.Circle(p, radius, facecolor="white", edgecolor=style.colour, linewidth=1.8, zorder=20)
        )
        if style.filled:
            self.axes.add_patch(
                self.patches.Wedge(p, radius, 90, 90 + 360 * style.filled, facecolor=style.colour, zorder=21)
            )
        if style.sign:
            self.axes.text(
                *p, style.sign, ha="center", va="center", fontsize=8, fontweight="bold", color=INK, zorder=22
            )

    def arrows(self, drawn: Sequence[Arrow], frames: Floats) -> None:
        """Forces as arrows, moments as double arrows (as arcs where they point at the viewer)."""
        for moment in (False, True):
            chosen = [a for a in drawn if a.moment is moment]
            longest = max((float(np.linalg.norm(a.vector)) for a in chosen), default=0.0)
            for arrow in chosen:
                tail = self.V @ origins(frames[arrow.frame])
                d = LONGEST_ARROW * self.size / longest * (self.V @ np.array(arrow.vector))
                self._arrow(tail[:2], d, ARROW_COLOURS[arrow.role], moment)

    def _arrow(self, tail: Floats, d: Floats, colour: str, moment: bool) -> None:
        pen = {"color": colour, "linewidth": 1.6, "mutation_scale": 10, "zorder": 26, "shrinkA": 0, "shrinkB": 0}
        flat = float(np.linalg.norm(d[:2]))
        if flat > 0.3 * self.size:
            self.axes.add_patch(self.patches.FancyArrowPatch(tail, tail + d[:2], arrowstyle="-|>", **pen))
            if moment:
                self.axes.add_patch(self.patches.FancyArrowPatch(tail, tail + 0.86 * d[:2], arrowstyle="-|>", **pen))
        elif moment:
            radius, turn = 1.9 * self.size, np.sign(d[2])
            angles = np.radians(np.linspace(-30, 240, 40))[:: int(turn) or 1]
            arc = tail + radius * np.column_stack([np.cos(angles), np.sin(angles)])
            self.axes.plot(*arc[:-2].T, color=colour, linewidth=1.6, zorder=26)
            self.axes.add_patch(self.patches.FancyArrowPatch(arc[-4], arc[-1], arrowstyle="-|>", **pen))

    def legend(self) -> None:
        """The verdicts that occur, below the picture."""
        from matplotlib.lines import Line2D

        present = [word for word in STYLES if word in self.verdicts.values()]
        handles = [_key(Line2D, word) for word in present]
        self.axes.legend(
            handles, present, loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=4, frameon=False, fontsize=8.5
        )


def _key(line: Any, word: str) -> Any:
    style = STYLES[word]
    return line(
        [], [], linestyle="", marker="$?$" if style.sign else "o", color=style.colour, markersize=8,
        fillstyle={1.0: "full", 0.5: "left"}.get(style.filled, "none"), markerfacecoloralt="white",
    )  # fmt: skip


def coil(p: Floats, across: float) -> Floats:
    """A zigzag (k, 2) between two points (2, 2) of the picture, as wide as ``across`` to both sides."""
    d = p[1] - p[0]
    size = float(np.linalg.norm(d))
    if size < 1e-12:
        return p
    normal = np.array([-d[1], d[0]]) / size
    k = np.arange(1, 2 * COIL_TURNS)
    inner = (
        p[0] + np.outer(0.15 + 0.7 * k / (2 * COIL_TURNS), d) + np.outer(np.where(k % 2, 1.0, -1.0) * across, normal)
    )
    return np.vstack([p[0], p[0] + 0.15 * d, inner, p[0] + 0.85 * d, p[1]])


def swept(p: Floats, radius: float, filled: bool) -> Any:
    """The outline of a disc swept along points (k, 2), or over their polygon, as a Matplotlib path.

    It is the convex hull of a disc at every point of a bar; a bent path is swept piece by piece.
    """
    from matplotlib.path import Path

    if not radius:
        return Path(p, closed=False) if not filled else Path(np.vstack([p, p[:1]]), closed=True)
    if filled or len(p) < 3:
        return Path(_rounded(p, radius), closed=True)
    pieces = [Path(_rounded(p[k : k + 2], radius), closed=True) for k in range(len(p) - 1)]
    return Path.make_compound_path(*pieces)


def _rounded(p: Floats, radius: float) -> Floats:
    from reactio.drawing.bodies import hull

    angles = np.linspace(0, 2 * np.pi, 33)[:-1]
    disc = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    cloud = (p[:, None] + disc).reshape(-1, 2)
    around = cloud[hull(cloud)]
    return np.vstack([around, around[:1]])


def _common_area(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Of two boxes (left, low, right, high)."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _light(x: Floats, V: Floats) -> float:
    """How much a face (k, 3) looks away from the light, which comes over the viewer's left shoulder."""
    normal = np.cross(x[1] - x[0], x[2] - x[1])
    size = float(np.linalg.norm(normal))
    return 1.0 - abs(float((V @ normal) @ LIGHT)) / size if size else 0.0
