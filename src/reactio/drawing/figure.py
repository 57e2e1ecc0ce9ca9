"""A scene as a Matplotlib figure, for papers: SVG, PDF or PNG."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.check import state_of
from reactio.drawing.annotations import draw_gravity, draw_triad, make_room, write_scale
from reactio.drawing.arrows import Arrow, loads, stress_arrows
from reactio.drawing.body_meshes import body_meshes
from reactio.drawing.camera import PITCH, YAW, view
from reactio.drawing.frames import placed, points
from reactio.drawing.letters import legible
from reactio.drawing.motions import admissible_motions
from reactio.drawing.painter import Painter, matplotlib
from reactio.drawing.parts import PartRole, ScenePart
from reactio.drawing.scene import Scene, scene
from reactio.errors import ReactioError
from reactio.kinematics.source import system_and_state
from reactio.model.model import Model
from reactio.operating_system.files import write_bytes
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import Solvability

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = ("svg", "pdf", "png")
GHOST_OPACITY = 0.16  # of displaced bodies
LAYERS = {
    PartRole.GROUND: 0,
    PartRole.SPRING: 1,
    PartRole.BODY: 2,
    PartRole.GHOST: 2,
    PartRole.JOINT: 3,
    PartRole.DRIVE: 4,
    PartRole.MASS: 5,
}


def draw(
    model: Model | System | Equations,
    state: State | None = None,
    *,
    t: float | None = None,
    verdicts: bool = True,
    self_stress: int | None = None,
    motion: int | None = None,
    labels: bool = True,
    yaw: float = YAW,
    pitch: float = PITCH,
) -> Figure:
    """A figure of a mechanism: links, joints by type and verdict, ground, loads.

    ``self_stress`` k and ``motion`` k (from 1) add a self-stress as arrows, or an admissible motion as ghosts;
    ``yaw`` and ``pitch`` [rad] turn a spatial one.

    >>> import reactio
    >>> figure = reactio.draw(reactio.load("four-bar-planar"))
    >>> figure.savefig("four-bar.svg")  # doctest: +SKIP
    """
    system, state = system_and_state(model, state)
    if not system.model.bodies:
        raise ReactioError(f"'{system.model.name}' has no bodies: there is nothing to draw.")
    eqs = equations(system, state or state_of(system, t))
    answer = eqs.solvability if system.m and (verdicts or self_stress or motion) else None
    return picture(eqs, answer if verdicts else None, *_wanted(eqs, answer, self_stress, motion), labels, yaw, pitch)


def remarks_on(system: System, t: float | None = None) -> tuple[str, ...]:
    """The shapes named in the model that a picture does not show, and why."""
    if not any(body.shapes for body in (*system.model.bodies, system.model.ground)):
        return ()
    eqs = equations(system, state_of(system, t))
    return body_meshes(eqs, placed(eqs), None)[1]


def _wanted(
    eqs: Equations, answer: Solvability | None, self_stress: int | None, motion: int | None
) -> tuple[tuple[Arrow, ...], Floats | None]:
    """The arrows of a self-stress and the frames of a motion, by number."""
    arrows: tuple[Arrow, ...] = ()
    ghosts = None
    name = eqs.system.model.name
    if self_stress is not None:
        known = answer.self_stress if answer else ()
        _in_range("self-stress", self_stress, len(known), name)
        arrows = stress_arrows(eqs, known[self_stress - 1])
    if motion is not None:
        ways = admissible_motions(eqs, answer, most=motion) if answer else []
        _in_range("admissible motion", motion, answer.mobility if answer else 0, name)
        ghosts = ways[motion - 1].frames
    return arrows, ghosts


def _in_range(word: str, k: int, count: int, name: str) -> None:
    if not 1 <= k <= count:
        have = f"it has {count}, numbered from 1" if count else "it has none"
        raise ReactioError(f"'{name}' has no {word} {k}: {have}.")


def picture(
    eqs: Equations,
    answer: Solvability | None,
    stress: tuple[Arrow, ...] = (),
    ghosts: Floats | None = None,
    labels: bool = True,
    yaw: float = YAW,
    pitch: float = PITCH,
) -> Figure:
    """The figure of a state: verdicts, the arrows of a self-stress, and ghosts of a motion (steps, k, 12)."""
    frames = placed(eqs)
    figure, axes = blank()
    verdicts = {g.name: str(g.verdict) for g in answer.groups} if answer else {}
    sheet = Sheet(scene(eqs), frames, tuple(eqs.system.model.body_index), loads(eqs), verdicts)
    paint(axes, sheet, eqs.system.model.gravity, stress, ghosts, labels, yaw, pitch)
    return figure


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The content of every drawing: the scene at a pose, its loads and verdicts."""

    scene: Scene
    frames: Floats  # (k, 12)
    bodies: tuple[str, ...]
    loads: tuple[Arrow, ...] = ()
    verdicts: Mapping[str, str] = field(default_factory=dict)  # by joint
    colours: Mapping[str, str] = field(default_factory=dict)  # of bodies and joints, in place of the usual ones


def paint(
    axes: Any,
    sheet: Sheet,
    gravity: tuple[float, ...] = (),
    stress: tuple[Arrow, ...] = (),
    ghosts: Floats | None = None,
    labels: bool = True,
    yaw: float = YAW,
    pitch: float = PITCH,
) -> None:
    """Draw a sheet on Matplotlib axes."""
    drawn, frames = sheet.scene, sheet.frames
    V = view(drawn.space, drawn.up, yaw, pitch)
    painter = Painter(
        axes, V, drawn.size, sheet.verdicts, {name: k for k, name in enumerate(sheet.bodies)}, sheet.colours
    )
    if ghosts is not None:
        still = replace(
            drawn,
            parts=tuple(p for p in drawn.parts if p.role in (PartRole.BODY, PartRole.GHOST)),
            badges=(),
            meshes=(),
        )
        for ghost in (*ghosts[: len(ghosts) // 2], *ghosts[len(ghosts) // 2 + 1 :]):
            _paint(painter, still, ghost, GHOST_OPACITY)
    painter.meshes(drawn.meshes, frames)
    _paint(painter, replace(drawn, parts=tuple(p for p in drawn.parts if p.role is not PartRole.GHOST)), frames, 1.0)
    for badge in drawn.badges:
        painter.badge(badge.name, badge.at(frames), badge.aside)
    painter.arrows(sheet.loads, frames)
    painter.arrows(stress, frames)
    lines = write_scale(axes, (*sheet.loads, *stress))
    falls, spatial = bool(np.any(gravity)), drawn.space == "spatial"
    if falls:
        draw_gravity(axes, V, np.array([*gravity, 0.0])[:3])
    if spatial:
        draw_triad(axes, V)
    if sheet.verdicts:
        painter.legend()
    make_room(axes, falls or spatial, lines)
    if labels:
        painter.labels()


def _paint(painter: Painter, drawn: Scene, frames: Floats, alpha: float) -> None:
    """All parts in layers, each layer from far to near."""
    placed_parts = [(part, points(frames, np.array(part.points))) for part in drawn.parts]

    def depth(placed: tuple[ScenePart, Floats]) -> tuple[int, float]:
        return LAYERS[placed[0].role], float((placed[1] @ painter.V[2]).mean())

    for part, x in sorted(placed_parts, key=depth):
        painter.part(part, x, alpha)


def blank() -> tuple[Figure, Any]:
    """An empty figure that belongs to no window."""
    matplotlib()  # refuses where it is missing
    figure: Figure = _figure_class()(figsize=(7.2, 5.2), layout="constrained")
    axes = figure.add_subplot()
    return figure, axes


def suffix_of(path: str | Path) -> str:
    """The kind of a picture by its suffix, or an error that lists them."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in PICTURES:
        raise ReactioError(f"'{path}': a picture is written as .{', .'.join(PICTURES)}.")
    return suffix


def save_figure(figure: Figure, path: str | Path, dpi: int = 200) -> None:
    """Write a figure, whole or not at all; the same model gives the same file."""
    kind, out = suffix_of(path), io.BytesIO()
    about: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with matplotlib().rc_context({"svg.hashsalt": "reactio", "svg.fonttype": "none"}), legible(figure, kind != "svg"):
        figure.savefig(out, format=kind, dpi=dpi, metadata=about)
    write_bytes(path, out.getvalue())


@cache
def _figure_class() -> Any:
    """Figures that notebooks show by themselves, whatever backend they have chosen."""

    class Drawing(matplotlib().figure.Figure):  # type: ignore[misc]
        def _repr_html_(self) -> str:
            out = io.BytesIO()
            with matplotlib().rc_context({"svg.hashsalt": "reactio"}), legible(self, False):
                self.savefig(out, format="svg", metadata={"Date": None})
            return out.getvalue().decode()

    return Drawing
