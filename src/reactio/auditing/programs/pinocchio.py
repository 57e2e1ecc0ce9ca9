"""Pinocchio: a tree in joint coordinates, loops closed by equations of smallest multipliers; live models are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.auditing.programs import Program, ProgramSource, register
from reactio.auditing.programs.closed_loops import least_on_points
from reactio.auditing.programs.reported import BodyAcceleration, ProgramWrench, Reported
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.functions.constant import Constant
from reactio.importers import Options
from reactio.importers.mechanism import ImportedJoint, Inertia, Load, Mechanism, Part
from reactio.importers.pipeline import from_mechanism
from reactio.importers.pose import Pose, frame_along
from reactio.importers.reading.names import Names, readable_name
from reactio.system.equations import Equations

PINOCCHIO_REASON = (
    "Pinocchio solves the constraints by a proximal iteration, which ends at the multipliers nearest to where it "
    "began: from zero those of least norm. Joints of the tree then carry the rest. Another tree, or another list "
    "of loops, gives other numbers for the same motion."
)


def split(eqs: Equations) -> Floats:
    """λ with the smallest forces at the points that close loops, the tree by equilibrium."""
    return least_on_points(eqs)


def accepts(given: Any) -> bool:
    """Is it a pinocchio Model?"""
    return type(given).__module__.split(".")[0] == "pinocchio" and type(given).__name__ == "Model"


def read(
    model: Any,
    constraints: Sequence[Any],
    data: Any,
    constraint_data: Sequence[Any],
    q: Floats,
    v: Floats,
    tau: Floats | None = None,
) -> Reported:
    """The state (q, v) with the accelerations ``data.ddq`` that constraintDynamics found."""
    import pinocchio as pin

    fresh = model.createData()
    a = np.array(data.ddq)
    pin.forwardKinematics(model, fresh, q, v, a)
    pin.updateFramePlacements(model, fresh)
    names = Names()
    body = {0: GROUND}
    for i in range(1, model.njoints):
        body[i] = names.new(f"after {readable_name(model.names[i])}")
    joint_names = Names()
    label = {i: joint_names.new(readable_name(model.names[i])) for i in range(1, model.njoints)}
    joints = [joint for i in range(1, model.njoints) for joint in _tree_joint(pin, model, fresh, i, body, label)]
    loops = {
        k: joint_names.new(readable_name(c.name) if c.name else f"loop {k + 1}") for k, c in enumerate(constraints)
    }
    joints += [_closure(pin, c, loops[k], body) for k, c in enumerate(constraints)]
    effort = np.zeros(model.nv) if tau is None else np.array(tau)
    g = model.gravity.linear
    mechanism = Mechanism(
        readable_name(model.name) or "Pinocchio model", "pinocchio",
        tuple(_part(model, fresh, i, body[i]) for i in range(1, model.njoints)), tuple(joints),
        loads=tuple(_efforts(model, joints, label, effort)), gravity=(float(g[0]), float(g[1]), float(g[2])),
    )  # fmt: skip
    imported = from_mechanism(mechanism, Options(), Path("Pinocchio model")).model
    number = {name: i for i, name in body.items()}
    bodies, accelerations = [], {}
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for one in imported.bodies:
        i = number[one.name]
        twist = pin.getVelocity(model, fresh, i, world)
        change = pin.getClassicalAcceleration(model, fresh, i, world)
        bodies.append(replace(one, velocity=tuple(twist.linear), angular_velocity=tuple(twist.angular)))
        accelerations[one.name] = BodyAcceleration(np.array(change.linear), np.array(change.angular))
    wrenches = _wrenches(pin, model, constraints, constraint_data, q, v, a, label, loops)
    return Reported("Pinocchio", replace(imported, bodies=tuple(bodies)), wrenches, accelerations, PINOCCHIO_REASON)


def _pose(placement: Any) -> Pose:
    return Pose(np.array(placement.translation), np.array(placement.rotation))


def _part(model: Any, data: Any, i: int, name: str) -> Part:
    inertia = model.inertias[i]
    return Part(
        name, _pose(data.oMi[i]), Inertia(float(inertia.mass), np.array(inertia.lever), np.array(inertia.inertia))
    )


def _tree_joint(
    pin: Any, model: Any, data: Any, i: int, body: dict[int, str], label: dict[int, str]
) -> list[ImportedJoint]:
    size = int(model.joints[i].nv)
    if size == 6:
        return []
    S = np.array(data.joints[i].S, dtype=float).reshape(6, -1)
    parent, child = _pose(data.oMi[int(model.parents[i])]), _pose(data.oMi[i])
    if size == 1 and np.any(S[3:]) and not np.any(S[:3]):
        kind, axes = "revolute", frame_along(S[3:, 0], label[i])
    elif size == 1 and np.any(S[:3]) and not np.any(S[3:]):
        kind, axes = "prismatic", frame_along(S[:3, 0], label[i])
    elif size == 3 and not np.any(S[:3]):
        kind, axes = "spherical", np.eye(3)
    else:
        raise ReactioError(f"joint '{label[i]}' ({model.joints[i].shortname()}) has no counterpart here.")
    frame = Pose(np.zeros(3), axes)
    return [ImportedJoint(label[i], kind, body[int(model.parents[i])], body[i], parent.inverse @ child @ frame, frame)]


def _closure(pin: Any, constraint: Any, name: str, body: dict[int, str]) -> ImportedJoint:
    kind = "fixed" if constraint.type == pin.ContactType.CONTACT_6D else "spherical"
    a, b = int(constraint.joint1_id), int(constraint.joint2_id)
    return ImportedJoint(
        name,
        kind,
        body[a],
        body[b],
        _pose(constraint.joint1_placement),
        _pose(constraint.joint2_placement),
        closes_loop=True,
    )


def _efforts(model: Any, joints: list[ImportedJoint], label: dict[int, str], tau: Floats) -> Iterator[Load]:
    """Loads along joint coordinates by the given efforts τ (nv,)."""
    types = {joint.name: joint.type for joint in joints}
    for i, name in label.items():
        value = float(tau[model.joints[i].idx_v]) if int(model.joints[i].nv) == 1 else 0.0
        if value:
            along = f"{name}.{'rotation' if types[name] == 'revolute' else 'translation'}"
            yield Load(f"effort {name}", "actuator", {"effort": Constant(value)}, along={"joint": along})


def _wrenches(
    pin: Any, model: Any, constraints: Sequence[Any], constraint_data: Sequence[Any], q: Floats, v: Floats, a: Floats,
    label: dict[int, str], loops: dict[int, str],
) -> dict[str, ProgramWrench]:  # fmt: skip
    """Constraint forces as they are; joint forces by inverse dynamics with them applied."""
    data = model.createData()
    pin.forwardKinematics(model, data, q, v, a)
    external = [pin.Force.Zero() for _ in range(model.njoints)]
    wrenches = {}
    for k, (constraint, known) in enumerate(zip(constraints, constraint_data, strict=True)):
        f = known.contact_force
        on_first = constraint.joint1_placement.act(f)
        on_second = constraint.joint2_placement.act(known.c1Mc2.actInv(f))
        external[int(constraint.joint1_id)] += on_first
        external[int(constraint.joint2_id)] -= on_second
        at = data.oMi[int(constraint.joint2_id)] * constraint.joint2_placement
        world = at.rotation @ np.column_stack([known.c1Mc2.actInv(f).linear, known.c1Mc2.actInv(f).angular])
        wrenches[loops[k]] = ProgramWrench(np.array(at.translation), -world[:, 0], -world[:, 1])
    pin.rnea(model, data, q, v, a, external)
    for i, name in label.items():
        pose, f = data.oMi[i], data.f[i]
        wrenches[name] = ProgramWrench(np.array(pose.translation), pose.rotation @ f.linear, pose.rotation @ f.angular)
    return wrenches


PINOCCHIO = register(
    Program(
        name="pinocchio",
        title="Pinocchio",
        rule="minimum norm over cut loops",
        explanation="Pinocchio keeps a tree of joints, taken here in the order of the joints, and closes each loop by "
        "point constraints (a hinge in space by two of them, a characteristic length apart); among all multipliers of "
        "these its proximal solver comes to those of smallest norm, and the joints of the tree carry the rest, by "
        "equilibrium.",
        split=split,
        source=ProgramSource(
            accepts,
            read,
            "pinocchio.Model, constraint models, data after constraintDynamics, constraint data, q, v and tau.",
        ),
    )
)
