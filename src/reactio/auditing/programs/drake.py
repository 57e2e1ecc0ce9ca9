"""Drake: a tree in joint coordinates, loops closed by compliant point constraints; live plants are read for audits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.auditing.programs import Program, ProgramSource, register
from reactio.auditing.programs.closed_loops import ClosedLoops, least_on_points
from reactio.auditing.programs.reported import BodyAcceleration, ProgramWrench, Reported
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.functions.constant import Constant
from reactio.importers import Options
from reactio.importers.mechanism import ImportedJoint, Inertia, Load, Mechanism, Part, PartFrame, steiner
from reactio.importers.pipeline import from_mechanism
from reactio.importers.pose import Pose, frame_along
from reactio.importers.reading.names import Names, readable_name
from reactio.system.equations import Equations

DRAKE_REASON = (
    "Drake's solver SAP holds loops by constraints that give way in proportion to how easily their points move: the "
    "load is shared by that regularisation, and another tree of joints gives other numbers for the same motion."
)
DRAKE_REMEDY = "Give the plant continuous time, MultibodyPlant(0.0), or the context of a settled state."
JOINT_TYPES = {"revolute": "revolute", "prismatic": "prismatic", "ball_rpy": "spherical", "weld": "fixed"}


def split(eqs: Equations) -> Floats:
    """λ of min Σ R_p |f_p|² over the points of cut loops, R_p ∝ |J_p diag(M)⁻¹ J_pᵀ| in joint coordinates."""
    return least_on_points(eqs, _regularisation)


def _regularisation(known: ClosedLoops) -> list[Floats]:
    """The size of the diagonal block of each point in the Delassus matrix, M by its diagonal (measured on Drake 1.51).

    Castro et al. 2022, An unconstrained convex formulation of compliant contact, Sect. V.A.
    """
    diagonal, squares = np.diag(known.inertia), []
    inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0.0)
    for loop in known.loops:
        J = known.jacobian(loop)
        blocks = [J[k : k + loop.size] for k in range(0, len(J), loop.size)]
        squares.append(np.array([float(np.linalg.norm((j * inverse) @ j.T)) for j in blocks]))
    return squares


def accepts(given: Any) -> bool:
    """Is it a MultibodyPlant?"""
    return type(given).__module__.startswith("pydrake") and type(given).__name__.startswith("MultibodyPlant")


def read(plant: Any, context: Any, balls: Sequence[tuple[Any, Any, Any, Any]] = ()) -> Reported:
    """The state of a context; ``balls``: the ball constraints (body A, point in A, body B, point in B).

    Drake has no function that lists its constraints, so that the caller has to give them again.
    """
    _refuse_unnamed_constraints(plant, balls)
    body = {int(plant.world_body().index()): GROUND}
    names, joint_names = Names(), Names()
    moving = _bodies(plant)
    for moving_body in moving:
        body[int(moving_body.index())] = names.new(readable_name(moving_body.name()))
    parts = tuple(_part(plant, context, moving_body, body[int(moving_body.index())]) for moving_body in moving)
    joints = [plant.get_joint(k) for k in plant.GetJointIndices()]
    label = {int(j.index()): joint_names.new(readable_name(j.name())) for j in joints}
    imported = [moving_body for j in joints if (moving_body := _joint(j, label[int(j.index())], body)) is not None]
    loops = [joint_names.new(f"ball {k + 1}") for k in range(len(balls))]
    imported += [
        ImportedJoint(name, "spherical", body[int(a.index())], body[int(b.index())], _at(p), _at(q), closes_loop=True)
        for name, (a, p, b, q) in zip(loops, balls, strict=True)
    ]
    forces_on_bodies, efforts = _forces(plant, context, moving)
    loads = [
        load for moving_body, wrench in zip(moving, forces_on_bodies, strict=True)
        for load in _on_body(body[int(moving_body.index())], wrench)
    ]  # fmt: skip
    loads += [load for j in joints for load in _along(j, label[int(j.index())], efforts)]
    mechanism = Mechanism("Drake plant", "drake", parts, tuple(imported), loads=tuple(loads), gravity=(0.0, 0.0, 0.0))
    model = from_mechanism(mechanism, Options(keep_fixed=True), Path("Drake plant")).model
    number = {name: k for k, name in body.items()}
    change = plant.get_body_spatial_accelerations_output_port().Eval(context)
    twists = plant.get_body_spatial_velocities_output_port().Eval(context)
    bodies, accelerations = [], {}
    for moving_body in model.bodies:
        v, a = twists[number[moving_body.name]], change[number[moving_body.name]]
        bodies.append(replace(moving_body, velocity=tuple(v.translational()), angular_velocity=tuple(v.rotational())))
        accelerations[moving_body.name] = BodyAcceleration(np.array(a.translational()), np.array(a.rotational()))
    forces = plant.get_reaction_forces_output_port().Eval(context)
    wrenches = {
        label[int(j.index())]: _wrench(j, context, forces[k]) for k, j in enumerate(joints) if _kind(j) in JOINT_TYPES
    }
    notes = ("Drake does not report the forces of its ball constraints.",) if balls else ()
    state = replace(model, bodies=tuple(bodies))
    return Reported(
        "Drake", state, wrenches, accelerations, DRAKE_REASON, float(context.get_time()), notes,
        unknown={body[k]: cause for k, cause in _unknown(plant, context, joints, efforts).items() if body[k] != GROUND},
        remedy=DRAKE_REMEDY,
    )  # fmt: skip


def _refuse_unnamed_constraints(plant: Any, balls: Sequence[Any]) -> None:
    count = len(plant.GetConstraintIds())
    if count != len(balls):
        raise ReactioError(
            f"The plant has {count} constraints, and {len(balls)} are named. Drake cannot list them: give "
            "balls=[(body_A, p_A, body_B, p_B), …] for each ball constraint; others have no counterpart here."
        )


def _forces(plant: Any, context: Any, moving: list[Any]) -> tuple[Floats, Floats]:
    """Wrenches on bodies (bodies, 6), torque about the origin first, in world axes, and efforts (nv,) along joints.

    Force elements with weight and damping, forces and efforts at the input ports, and actuators.
    """
    from pydrake.multibody.tree import MultibodyForces

    elements = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, elements)
    wrenches = {int(body.index()): _coefficients(body.GetForceInWorld(context, elements)) for body in moving}
    efforts = np.array(elements.generalized_forces())
    applied, efforts_applied = (
        plant.get_applied_spatial_force_input_port(),
        plant.get_applied_generalized_force_input_port(),
    )
    if efforts_applied.HasValue(context):
        efforts = efforts + efforts_applied.Eval(context)
    if plant.num_actuators():
        efforts = efforts + plant.MakeActuationMatrix() @ plant.get_net_actuation_output_port().Eval(context)
        efforts = efforts - _reflected_inertia(plant, context) * plant.get_generalized_acceleration_output_port().Eval(
            context
        )
    for load in applied.Eval(context) if applied.HasValue(context) else ():
        if int(load.body_index) in wrenches:
            arm = _pose(plant.EvalBodyPoseInWorld(context, plant.get_body(load.body_index))).R @ load.p_BoBq_B
            wrench = _coefficients(load.F_Bq_W)
            wrench[:3] += np.cross(arm, wrench[3:])
            wrenches[int(load.body_index)] += wrench
    return np.array([wrenches[int(body.index())] for body in moving]).reshape(-1, 6), efforts


def _coefficients(force: Any) -> Floats:
    """Torque and force (6,)."""
    return np.concatenate([force.rotational(), force.translational()])


def _on_body(name: str, wrench: Floats) -> Iterator[Load]:
    """Loads on a body by its wrench (6,), torque first, about its origin in world axes."""
    for word, value in (("torque", wrench[:3]), ("force", wrench[3:])):
        if np.any(value):
            law = tuple(Constant(float(x)) for x in value)
            yield Load(f"{word} on {name}", word, {word: law}, {"at": PartFrame(name, Pose())})


def _reflected_inertia(plant: Any, context: Any) -> Floats:
    """The inertia (nv,) of rotors along the coordinates of the joints that they drive."""
    inertia = np.zeros(plant.num_velocities())
    for index in plant.GetJointActuatorIndices():
        actuator = plant.get_joint_actuator(index)
        inertia[actuator.joint().velocity_start()] += actuator.calc_reflected_inertia(context)
    return inertia


def _along(joint: Any, name: str, efforts: Floats) -> Iterator[Load]:
    """The effort along a hinge or slide."""
    if joint.num_velocities() == 1 and (effort := float(efforts[joint.velocity_start()])):
        word = "rotation" if _kind(joint) == "revolute" else "translation"
        along = {"joint": f"{name}.{word}"}
        yield Load(f"effort {name}", "actuator", {"effort": Constant(effort)}, along=along)


def _unknown(plant: Any, context: Any, joints: list[Any], efforts: Floats) -> dict[int, str]:
    """Bodies with forces that are not read: efforts along joints of several freedoms, and contacts."""
    unknown = {
        int(end.body().index()): f"efforts along joint '{joint.name()}', of several freedoms, are not read"
        for joint in joints
        if joint.num_velocities() > 1
        and np.any(efforts[joint.velocity_start() : joint.velocity_start() + joint.num_velocities()])
        for end in (joint.frame_on_parent(), joint.frame_on_child())
    }
    if plant.get_geometry_query_input_port().HasValue(context):
        contacts = plant.get_contact_results_output_port().Eval(context)
        pairs = [contacts.point_pair_contact_info(k) for k in range(contacts.num_point_pair_contacts())]
        unknown |= {int(k): "contacts are not read" for pair in pairs for k in (pair.bodyA_index(), pair.bodyB_index())}
        if contacts.num_hydroelastic_contacts():
            unknown |= dict.fromkeys(range(plant.num_bodies()), "hydroelastic contacts are not read")
    return unknown


def _bodies(plant: Any) -> list[Any]:
    """All but the world, which is the first."""
    from pydrake.multibody.tree import BodyIndex

    return [plant.get_body(BodyIndex(k)) for k in range(1, plant.num_bodies())]


def _at(point: Any) -> Pose:
    return Pose(np.array(point, dtype=float).ravel(), np.eye(3))


def _pose(transform: Any) -> Pose:
    return Pose(np.array(transform.translation()), np.array(transform.rotation().matrix()))


def _part(plant: Any, context: Any, body: Any, name: str) -> Part:
    pose = _pose(plant.EvalBodyPoseInWorld(context, body))
    inertia = body.CalcSpatialInertiaInBodyFrame(context)
    mass, center = float(inertia.get_mass()), np.array(inertia.get_com())
    about = np.array(inertia.CalcRotationalInertia().CopyToFullMatrix3())
    return Part(name, pose, Inertia(mass, center, about - steiner(mass, center)))


def _kind(joint: Any) -> str:
    return str(joint.type_name())


def _joint(joint: Any, name: str, body: dict[int, str]) -> ImportedJoint | None:
    """A joint between the frames that Drake gives it; floating bodies have none."""
    kind = _kind(joint)
    if kind in ("quaternion_floating", "rpy_floating"):
        return None
    if kind not in JOINT_TYPES:
        raise ReactioError(f"joint '{name}' ({kind}) has no counterpart here.")
    axes = np.eye(3)
    if kind == "revolute":
        axes = frame_along(np.array(joint.revolute_axis()), name)
    elif kind == "prismatic":
        axes = frame_along(np.array(joint.translation_axis()), name)
    turn = Pose(np.zeros(3), axes)
    a, b = joint.frame_on_parent(), joint.frame_on_child()
    at_a, at_b = (_pose(frame.GetFixedPoseInBodyFrame()) @ turn for frame in (a, b))
    return ImportedJoint(name, JOINT_TYPES[kind], body[int(a.body().index())], body[int(b.body().index())], at_a, at_b)


def _wrench(joint: Any, context: Any, force: Any) -> ProgramWrench:
    """The wrench on the child body at the origin of the joint's frame there, which Drake gives in that frame's axes."""
    at = joint.frame_on_child().CalcPoseInWorld(context)
    R: Floats = np.array(at.rotation().matrix())
    force_there, torque_there = np.array(force.translational()), np.array(force.rotational())
    return ProgramWrench(np.array(at.translation()), R @ force_there, R @ torque_there)


DRAKE = register(
    Program(
        name="drake",
        title="Drake",
        rule="regularised minimum norm over cut loops, R ∝ |J M⁻¹ Jᵀ|",
        explanation="Drake keeps a tree of joints, taken here in the order of the joints, and holds each loop by point "
        "constraints (a hinge in space by two of them, a characteristic length apart); its convex solver SAP lets each "
        "constraint give way in proportion to how easily its point moves, |J M⁻¹ Jᵀ| with M by its diagonal, so "
        "that points that move easily carry less load; the joints of the tree carry the rest, by equilibrium.",
        split=split,
        source=ProgramSource(accepts, read, "pydrake MultibodyPlant with context and ball constraints, balls=[…]."),
    )
)
