"""Object held by n fingers that press on it from all sides: friction bears its weight."""

from __future__ import annotations

import math

from reactio.catalogue.places import End
from reactio.library import whole
from reactio.model.model import Model
from reactio.model.placing import joint_at, orientation_from
from reactio.model.specs import Body, Contact, Force

CITE = "Callejo et al. 2017, Unique minimum norm solution to redundant reaction forces (introduction)"
# The object is a prism with a face for every finger, this far from its axis; grip: force on each finger [N].
PARAMETERS = {"fingers": 3.0, "radius": 0.05, "grip": 20.0, "mass": 0.5, "friction": 0.6}
FINGER_MASS, FINGER_LENGTH = 0.1, 0.08  # [kg], [m]


def build(fingers: float, radius: float, grip: float, mass: float, friction: float) -> Model:
    """Fingers evenly around, the first along x, each guided along its normal; their tips are points on the faces."""
    count = whole(fingers, "fingers", 2)
    turn = mass * radius**2 / 2
    bodies = [Body("object", mass, (turn, turn, turn), (0.0, 0.0, 0.0))]
    joints, forces, contacts = [], [], []
    for k in range(1, count + 1):
        angle = 2 * math.pi * (k - 1) / count
        u = (math.cos(angle), math.sin(angle), 0.0)
        middle = tuple((radius + FINGER_LENGTH / 2) * x for x in u)
        spin = FINGER_MASS * FINGER_LENGTH**2 / 12
        finger = Body(f"finger{k}", FINGER_MASS, (spin, spin, spin), middle)
        tip = tuple(-FINGER_LENGTH / 2 * x for x in u)
        face = End("object", tuple(radius * x for x in u), orientation_from("spatial", u))
        bodies.append(finger)
        joints.append(joint_at(f"guide{k}", "prismatic", "ground", finger, middle, axis=u))
        forces.append(Force(f"grip{k}", "force", {"at": End(finger.name), "force": tuple(-grip * x for x in u)}))
        contacts.append(
            Contact(f"tip{k}", "point-on-plane", face, (End(finger.name, tip),), {"friction": friction}, True)
        )
    return Model(
        name="gripper",
        space="spatial",
        bodies=tuple(bodies),
        joints=tuple(joints),
        forces=tuple(forces),
        contacts=tuple(contacts),
        gravity=(0.0, 0.0, -9.81),
        title=f"Object held by {count} fingers with friction",
        cite=CITE,
        parameters={"fingers": count, "radius": radius, "grip": grip, "mass": mass, "friction": friction},
    )
