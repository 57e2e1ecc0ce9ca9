"""The data of the viewer in the page: the scene, its frames, and the numbers of every slider."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.drawing.camera import PITCH, YAW, basis
from reactio.drawing.frames import ORIGIN_X_Y
from reactio.drawing.parts import PartRole
from reactio.drawing.skins import Skin
from reactio.drawing.style import STYLES
from reactio.reporting.as_json import number
from reactio.reporting.data import JointLine, ReportData, RunLine, StressLine
from reactio.system.constraints import LABELS

VERDICTS = tuple(STYLES)


def drawing_data(report: ReportData) -> dict[str, Any]:
    """The scene, frames and numbers of a report; tables as base64 of little-endian single precision."""
    place = {joint.name: k for k, joint in enumerate(report.joints)}
    body = {name: k for k, name in enumerate(report.body_names)}
    drawn = report.scene
    d, tol = report.decision, report.tolerances
    g = np.array([*report.gravity, 0.0, 0.0, 0.0])[:3]
    return {
        "space": report.space,
        "axes": report.axes,
        "t": report.t,
        "size": drawn.size,
        "bodies": list(report.body_names),
        "gravity": (g / np.linalg.norm(g)).tolist() if np.any(g) else None,
        "view": {"yaw": float(YAW), "pitch": float(PITCH), "basis": [x.tolist() for x in basis(drawn.up)]},
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
        "skins": [_skin(skin, body.get(skin.name, len(body))) for skin in drawn.skins],
        "badges": [
            {"j": place[b.name], "p": [list(p) for p in b.points], "aside": b.aside, "w": list(b.weights)}
            for b in drawn.badges
        ],
        "frames": packed(report.frames[:, ORIGIN_X_Y]),
        "loads": [{"f": a.frame, "v": list(a.vector), "m": a.moment} for a in report.loads],
        "joints": [_joint(joint, place) for joint in report.joints],
        "stresses": [_stress(stress, place) for stress in report.stresses],
        "motions": [
            {"real": m.real, "steps": len(m.frames), "frames": packed(m.frames[:, :, ORIGIN_X_Y])}
            for m in report.motions
        ],
        "rank": {
            "sigma": [number(s) for s in d.sigma],
            "rank": report.rank,
            "decide": tol.decide,
            "sure": tol.sure,
            "zero": tol.zero,
            "gap": number(d.gap),
        },
        "rule": report.rule,
        "asked": report.asked,
        "scales": _scales(report),
        "run": _run(report.run, place, report) if report.run else None,
    }


def packed(numbers: Floats) -> str:
    """Numbers in single precision as base64."""
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode()


def bits(flags: Bools) -> str:
    """Truth values as bytes 0 and 1 in base64."""
    return base64.b64encode(flags.astype(np.uint8).tobytes()).decode()


def _skin(skin: Skin, body: int) -> dict[str, Any]:
    """A surface, with its outermost points, which the view must contain."""
    return {
        "f": skin.frame,
        "i": body,
        "p": packed(skin.points),
        "t": base64.b64encode(np.ascontiguousarray(skin.faces, dtype="<u4").tobytes()).decode(),
        "box": [[skin.frame, *(round(float(x), 7) for x in corner)] for corner in skin.outermost],
    }


def _joint(joint: JointLine, place: dict[str, int]) -> dict[str, Any]:
    return {
        "name": joint.name,
        "type": joint.type,
        "v": VERDICTS.index(joint.state),
        "bodies": list(joint.bodies),
        "known": joint.known,
        "components": [
            {
                "name": c.name,
                "unit": c.unit,
                "unique": c.unique,
                "stiff": c.by_stiffness,
                "value": number(c.value),
                "low": number(c.low),
                "high": number(c.high),
            }
            for c in joint.components
        ],
        "shares": [place[name] for name in joint.shares_with if name in place],
        "why": list(joint.why),
        "remedies": list(joint.remedies),
        "sensitive": joint.sensitive,
        "frame": joint.frame,
        "wrench": [number(x) for x in joint.wrench],
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
                "joints": [place[name] for name in one.joints],
                "components": packed(one.components),
                "wrenches": packed(one.wrenches),
            }
            for one in run.stresses
        ],
        "sums": [
            {
                "unit": one.unit,
                "values": packed(history.values),
                "unique": bits(history.unique),
                "stiff": bits(history.by_stiffness),
            }
            for one, history in zip(report.sums, run.sums, strict=True)
        ],
        "loads": [{"f": one.frame, "m": one.moment, "v": packed(one.vectors)} for one in run.loads],
        "events": [{"t": event.t, "words": event.words} for event in run.events],
        "histories": [
            {
                "j": place[h.name],
                "labels": list(h.labels),
                "units": list(h.units),
                "values": packed(h.values),
                "unique": bits(h.unique),
                "stiff": bits(h.by_stiffness),
            }
            for h in run.histories
        ],
    }


def _scales(report: ReportData) -> dict[str, float]:
    """The force and the moment that are drawn at full length: the largest in the report."""
    tables = [np.array([joint.wrench for joint in report.joints]).reshape(-1, 6)]
    tables += [report.run.wrenches.reshape(-1, 6)] if report.run else []
    tables += [stress.reach * np.array(list(stress.wrenches.values())).reshape(-1, 6) for stress in report.stresses]
    every = np.vstack(tables)
    found = {"force": _largest(every[:, :3]), "moment": _largest(every[:, 3:])}
    for load in report.loads:
        key = "moment" if load.moment else "force"
        found[key] = max(found[key], float(np.linalg.norm(load.vector)))
    for history in report.run.loads if report.run else ():
        key = "moment" if history.moment else "force"
        found[key] = max(found[key], _largest(history.vectors))
    return found


def _largest(vectors: Floats) -> float:
    return float(np.nanmax(np.linalg.norm(vectors, axis=1), initial=0.0))
