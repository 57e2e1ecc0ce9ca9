"""Platform on five parallel legs in the plane, three of them too many."""

from __future__ import annotations

import math

from reactio.library import whole
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Joint

CITE = "Wojtyra 2009, Joint reactions in rigid body mechanisms with dependent constraints"
PARAMETERS = {"legs": 5.0, "theta": math.pi / 3, "length": 1.0}


def build(legs: float, theta: float, length: float) -> Model:
    """Equal legs turned by theta [rad], 0.5 m apart: p = legs − 2."""
    count = whole(legs, "legs", 2)
    x, y = length * math.cos(theta), length * math.sin(theta)
    span = 0.5 * (count - 1)
    top = Body("platform", 10.0, (10.0 * span**2 / 12,), (span / 2 + x, y), (0.0,))
    bodies, joints = [], list[Joint]()
    for k in range(count):
        leg = Body(f"leg{k + 1}", 1.0, (length**2 / 12,), (0.5 * k + x / 2, y / 2), (theta,))
        bodies.append(leg)
        joints.append(joint_at(f"A{k + 1}", "revolute", "ground", leg, (0.5 * k, 0.0)))
        joints.append(joint_at(f"B{k + 1}", "revolute", leg, top, (0.5 * k + x, y)))
    return Model(
        name="five-leg-parallelogram",
        space="planar",
        bodies=(*bodies, top),
        joints=tuple(joints),
        gravity=(0.0, -9.81),
        title=f"Platform on {count} parallel legs",
        cite=CITE,
        parameters={"legs": count, "theta": theta, "length": length},
    )
