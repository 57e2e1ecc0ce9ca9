"""The data of the viewer in the page: the scene, its frames, and the numbers of every slider."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.catalogue.units import in_units, unit_name, writing_in
from reactio.drawing.body_meshes import BodyMesh
from reactio.drawing.camera import PITCH, YAW, horizon
from reactio.drawing.frames import ORIGIN_X_Y
from reactio.drawing.parts import PartRole
from reactio.drawing.scene import Scene
from reactio.drawing.style import STYLES
from reactio.joint_reactions.free_body import FreeBody
from reactio.linear.precision import DISPLAY
from reactio.reporting.data import HistoryLine, JointLine, ReportData, RunLine, StressLine
from reactio.reporting.self_stress import spatial_wrench
from reactio.reporting.words import partners_words
from reactio.results.as_data import picked, plain
from reactio.system.constraints import LABELS

VERDICTS = tuple(STYLES)


def drawing_data(report: ReportData) -> dict[str, Any]:
    """The scene, frames and numbers of a report; tables as base64 of little-endian single precision."""
    place = {joint.name: k for k, joint in enumerate(report.joints)}
    body = {name: k for k, name in enumerate(report.body_names)}
    return {
        **scene_data(report.scene, report.frames, report.body_names, report.gravity, place),
        "axes": report.axes,
        "t": report.t,
        "units": _units(report),
        "loads": [{"f": a.frame, "v": list(a.vector), "m": a.moment} for a in report.loads],
        "free": [_free_body(diagram, body[diagram.body], place) for diagram in report.free_bodies],
        "joints": [_joint(joint, place) for joint in report.joints],
        "stresses": [_stress(stress, place) for stress in report.stresses],
        "motions": [
            {"real": m.real, "steps": len(m.frames), "frames": packed(m.frames[:, :, ORIGIN_X_Y])}
            for m in report.motions
        ],
        "rank": {
            **picked(report.decision, "sigma gap"),
            "rank": report.rank,
            **picked(report.tolerances, "decide sure zero"),
        },
        "rule": report.rule,
        "asked": report.asked,
        "loads_known": report.loads_known,
        "scales": force_scales(report),
        "run": _run(report.run, place, report) if report.run else None,
    }


def _units(report: ReportData) -> dict[str, Any]:
    """Names of the units of forces and moments, and what one in SI is in them: the picture has SI."""
    with writing_in(report.units):
        return {
            key: {"name": unit_name(unit), "per_si": in_units(1.0, unit)}
            for key, unit in (("force", "N"), ("moment", "N m"))
        }


def scene_data(
    drawn: Scene, frames: Floats, body_names: Sequence[str], gravity: Sequence[float], place: Mapping[str, int]
) -> dict[str, Any]:
    """The picture alone: shapes, frames (k, 12), and the places of verdicts; joints by their numbers ``place``."""
    body = {name: k for k, name in enumerate(body_names)}
    g = np.array([*gravity, 0.0, 0.0, 0.0])[:3]
    return {
        "space": drawn.space,
        "size": drawn.size,
        "bodies": list(body_names),
        "gravity": (g / np.linalg.norm(g)).tolist() if np.any(g) else None,
        "view": {"yaw": float(YAW), "pitch": float(PITCH), "basis": [x.tolist() for x in horizon(np.array(drawn.up))]},
        "parts": [
            {
                "p": [[p.frame, round(p.x, 7), round(p.y, 7), round(p.z, 7)] for p in part.points],
                "r": part.radius,
                "f": int(part.filled),
                "role": part.role,
                "i": (body if part.role in (PartRole.BODY, PartRole.GHOST, PartRole.MASS) else place).get(part.name, 0),
            }
            for part in drawn.parts
        ],
        "skins": [_mesh(mesh, body.get(mesh.name, len(body))) for mesh in drawn.meshes],
        "badges": [
            {"j": place[b.name], "p": [list(p) for p in b.points], "aside": b.aside, "w": list(b.weights)}
            for b in drawn.badges
        ],
        "frames": packed(frames[:, ORIGIN_X_Y]),
    }


def _free_body(diagram: FreeBody, body: int, place: Mapping[str, int]) -> dict[str, Any]:
    """The forces on a body about its origin, world axes: reactions by joint, loads, and inertia M v̇."""
    return {
        "i": body,
        "at": [*(float(x) for x in diagram.point), 0.0][:3],
        "reactions": [
            {
                "j": place[reaction.name],
                "w": plain(spatial_wrench(reaction.wrench)),
                "known": all(reaction.determined),
            }
            for reaction in diagram.reactions
            if reaction.name in place
        ],
        "loads": plain(spatial_wrench(diagram.loads)),
        "inertia": plain(spatial_wrench(diagram.inertia)),
    }


def packed(numbers: Floats) -> str:
    """Numbers in single precision as base64."""
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode()


def bits(flags: Bools) -> str:
    """Truth values as bytes 0 and 1 in base64."""
    return base64.b64encode(flags.astype(np.uint8).tobytes()).decode()


def _mesh(mesh: BodyMesh, body: int) -> dict[str, Any]:
    """A surface, with its outermost points, which the view must contain."""
    return {
        "f": mesh.frame,
        "i": body,
        "p": packed(mesh.points),
        "t": base64.b64encode(np.ascontiguousarray(mesh.faces, dtype="<u4").tobytes()).decode(),
        "box": [[mesh.frame, *(round(float(x), 7) for x in corner)] for corner in mesh.outermost],
    }


def _joint(joint: JointLine, place: dict[str, int]) -> dict[str, Any]:
    return {
        **picked(joint, "name type bodies known why remedies sensitive frame wrench axes_words"),
        "components": [picked(c, "name unit unique stiff=by_stiffness value low high") for c in joint.components],
        "v": VERDICTS.index(joint.state),
        "shares": [place[name] for name in joint.shares_with if name in place],
        "partners": partners_words(joint.shares_with),
    }


def _stress(stress: StressLine, place: dict[str, int]) -> dict[str, Any]:
    return {
        "joints": [place[name] for name in stress.joints],
        "unit": stress.unit,
        "components": {place[name]: change.tolist() for name, change in stress.components.items()},
        "wrenches": {place[name]: change.tolist() for name, change in stress.wrenches.items()},
    }


def _run(run: RunLine, place: dict[str, int], report: ReportData) -> dict[str, Any]:
    return {
        "t": [float(f"{t:.9g}") for t in run.t],
        "frames": packed(run.frames[:, :, ORIGIN_X_Y]),
        "times": [float(t) for t in run.times],
        "wrenches": packed(run.wrenches),
        "ranks": list(run.ranks),
        "labels": list(LABELS[report.space]),
        "stresses": [
            {
                "joints": [place[name] for name in part.joints],
                "components": packed(part.components),
                "wrenches": packed(part.wrenches),
            }
            for part in run.stresses
        ],
        "sums": [
            {
                "unit": part.unit,
                "values": packed(history.values),
                "unique": bits(history.unique),
                "stiff": bits(history.by_stiffness),
            }
            for part, history in zip(report.sums, run.sums, strict=True)
        ],
        "loads": [{"f": part.frame, "m": part.moment, "v": packed(part.vectors)} for part in run.loads],
        "events": [{"t": event.t, "words": event.words} for event in run.events],
        "histories": [
            {
                "j": place[h.name],
                "labels": list(h.labels),
                "units": list(h.units),
                "values": packed(h.values),
                "unique": bits(h.unique),
                "stiff": bits(h.by_stiffness),
                "axes": None if h.axes is None else packed(h.axes),
                **_states(h, place),
            }
            for h in run.histories
        ],
    }


def _states(history: HistoryLine, place: Mapping[str, int]) -> dict[str, Any]:
    """The different verdicts on a joint along a run, and the number of that at every instant."""
    different = list(dict.fromkeys(history.states))
    return {
        "states": [
            {
                "v": VERDICTS.index(state.state),
                "known": state.known,
                "shares": [place[name] for name in state.shares_with if name in place],
                "partners": partners_words(state.shares_with),
            }
            for state in different
        ],
        "state": [different.index(state) for state in history.states],
    }


def force_scales(report: ReportData) -> dict[str, float]:
    """The force and the moment that are drawn at full length: the largest in the report, 0 where that is rounding."""
    tables = [np.array([joint.wrench for joint in report.joints]).reshape(-1, 6)]
    tables += [report.run.wrenches.reshape(-1, 6)] if report.run else []
    tables += [stress.reach * np.array(list(stress.wrenches.values())).reshape(-1, 6) for stress in report.stresses]
    every = np.vstack(tables)
    scales = {"force": _largest(every[:, :3]), "moment": _largest(every[:, 3:])}
    for load in report.loads:
        key = "moment" if load.moment else "force"
        scales[key] = max(scales[key], float(np.linalg.norm(load.vector)))
    for history in report.run.loads if report.run else ():
        key = "moment" if history.moment else "force"
        scales[key] = max(scales[key], _largest(history.vectors))
    arm = report.scene.size
    force, moment = scales["force"], scales["moment"]
    return {
        "force": force if force * arm > DISPLAY * moment else 0.0,
        "moment": moment if moment > DISPLAY * force * arm else 0.0,
    }


def _largest(vectors: Floats) -> float:
    return float(np.nanmax(np.linalg.norm(vectors, axis=1), initial=0.0))
