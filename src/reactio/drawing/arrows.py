"""Forces and moments as arrows: given loads and self-stresses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from reactio.arrays import Floats
from reactio.drawing.frames import axes, placed
from reactio.linear.precision import LOCATED
from reactio.system.constraints import wrench_map
from reactio.system.equations import Equations
from reactio.system.plan import WRENCH_IN_BODY
from reactio.uniqueness import SelfStress


class ArrowRole(StrEnum):
    """What an arrow shows."""

    LOAD = "load"
    STRESS = "self-stress"


@dataclass(frozen=True, slots=True)
class Arrow:
    """A force or moment at a frame, world axes [N, N m]."""

    frame: int
    vector: tuple[float, float, float]
    moment: bool
    role: ArrowRole
    name: str


def loads(eqs: Equations) -> tuple[Arrow, ...]:
    """The given forces and torques at a state; springs and actuators are drawn as such."""
    plan, arrows = eqs.system.plan, list[Arrow]()
    frames = placed(eqs) if plan.wrenches.table[:, WRENCH_IN_BODY].any() else np.zeros((0, 12))
    for row, (frame, in_body, _) in enumerate(plan.wrenches.table.tolist()):
        force, moment = _split(eqs.work.load[row])
        if in_body:
            force, moment = (x @ axes(frames[frame]) for x in (force, moment))
        arrows += _arrows(frame, force, moment, ArrowRole.LOAD, f"load {row + 1}")
    return tuple(arrows)


def stress_arrows(eqs: Equations, stress: SelfStress) -> tuple[Arrow, ...]:
    """A self-stress as the wrenches that the joints do on their second bodies, W λ; drives and couplings have none."""
    arrows: list[Arrow] = []
    for name in stress.groups:
        group = eqs.system.group(name)
        if group.frames is not None:
            wrench = wrench_map(eqs, group) @ stress.lam[group.start : group.stop]
            arrows += _arrows(group.frames[1], *_split(wrench), ArrowRole.STRESS, name)
    largest = {m: max((_length(a) for a in arrows if a.moment is m), default=0.0) for m in (False, True)}
    scale = max(largest[False], largest[True] / eqs.system.length)
    return tuple(a for a in arrows if _length(a) > LOCATED * scale * (eqs.system.length if a.moment else 1.0))


def _arrows(frame: int, force: Floats, moment: Floats, role: ArrowRole, name: str) -> list[Arrow]:
    both = ((force, False), (moment, True))
    return [Arrow(frame, (float(v[0]), float(v[1]), float(v[2])), m, role, name) for v, m in both if np.any(v)]


def _split(wrench: Floats) -> tuple[Floats, Floats]:
    """Force and moment as vectors of space; in the plane the moment is about z."""
    if len(wrench) == 3:
        return np.array([wrench[0], wrench[1], 0.0]), np.array([0.0, 0.0, wrench[2]])
    return wrench[:3], wrench[3:]


def _length(arrow: Arrow) -> float:
    return float(np.linalg.norm(arrow.vector))
