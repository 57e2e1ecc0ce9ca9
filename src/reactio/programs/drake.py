"""Drake: a tree in joint coordinates, loops closed by compliant point constraints; live plants are read for audits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError
from reactio.importers import Options
from reactio.importers.mechanism import ImportedJoint, Inertia, Mechanism, Part, steiner
from reactio.importers.pipeline import from_mechanism
from reactio.importers.pose import Pose, frame_along
from reactio.importers.reading.names import Names, readable_name
from reactio.programs import Program, ProgramSource, register
from reactio.programs.closed_loops import ClosedLoops, least_on_points
from reactio.programs.reported import BodyAcceleration, ProgramWrench, Reported
from reactio.system.equations import Equations

DRAKE_REASON = (
    "Drake's solver SAP holds loops by constraints that give way in proportion to how easily their points move: the "
    "load is shared by that regularisation, and another tree of joints gives other numbers for the same motion."
)
JOINT_TYPES = {"revolute": "revolute", "prismatic": "prismatic", "ball_rpy": "spherical", "weld": "fixed"}


def split(eqs: Equations) -> Floats:
    """λ of min Σ R_p |f_p|² over the points of cut loops, R_p ∝ |J_p diag(M)⁻¹ J_pᵀ| in joint coordinates."""
    return least_on_points(eqs, _regularisation)


def _regularisation(known: ClosedLoops) -> list[Floats]:
    """The size of the diagonal block of each point in the Delassus matrix, M by its diagonal (measured on Drake 1.51).

    Castro et al. 2022, An unconstrained convex formulation of compliant contact, Sect. V.A.
    """
    diagonal, found = np.diag(known.inertia), []
    inverse = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0.0)
    for loop in known.loops:
        J = known.jacobian(loop)
        blocks = [J[k : k + loop.size] for k in range(0, len(J), loop.size)]
        found.append(np.array([float(np.linalg.norm((j * inverse) @ j.T)) for j in blocks]))
    return found


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
    for one in moving:
        body[int(one.index())] = names.new(readable_name(one.name()))
    parts = tuple(_part(plant, context, one, body[int(one.index())]) for one in moving)
    joints = [plant.get_joint(k) for k in plant.GetJointIndices()]
    label = {int(j.index()): joint_names.new(readable_name(j.name())) for j in joints}
    made = [one for j in joints if (one := _joint(j, label[int(j.index())], body)) is not None]
    loops = [joint_names.new(f"ball {k + 1}") for k in range(len(balls))]
    made += [
        ImportedJoint(name, "spherical", body[int(a.index())], body[int(b.index())], _at(p), _at(q), closes_loop=True)
        for name, (a, p, b, q) in zip(loops, balls, strict=True)
    ]
    g = plant.gravity_field().gravity_vector()
    mechanism = Mechanism("Drake plant", "drake", parts, tuple(made), gravity=(float(g[0]), float(g[1]), float(g[2])))
    found = from_mechanism(mechanism, Options(keep_fixed=True), Path("Drake plant")).model
    number = {name: k for k, name in body.items()}
    change = plant.get_body_spatial_accelerations_output_port().Eval(context)
    twists = plant.get_body_spatial_velocities_output_port().Eval(context)
    bodies, accelerations = [], {}
    for one in found.bodies:
        v, a = twists[number[one.name]], change[number[one.name]]
        bodies.append(replace(one, velocity=tuple(v.translational()), angular_velocity=tuple(v.rotational())))
        accelerations[one.name] = BodyAcceleration(np.array(a.translational()), np.array(a.rotational()))
    forces = plant.get_reaction_forces_output_port().Eval(context)
    wrenches = {
        label[int(j.index())]: _wrench(j, context, forces[k]) for k, j in enumerate(joints) if _kind(j) in JOINT_TYPES
    }
    notes = ("Drake does not report the forces of its ball constraints.",) if balls else ()
    state = replace(found, bodies=tuple(bodies))
    return Reported("Drake", state, wrenches, accelerations, DRAKE_REASON, float(context.get_time()), notes)


def _refuse_unnamed_constraints(plant: Any, balls: Sequence[Any]) -> None:
    count = len(plant.GetConstraintIds())
    if count != len(balls):
        raise ReactioError(
            f"The plant has {count} constraints, and {len(balls)} are named. Drake cannot list them: give "
            "balls=[(body_A, p_A, body_B, p_B), …] for each ball constraint; others have no counterpart here."
        )
    if plant.num_actuators():
        raise ReactioError("The plant has actuators, whose efforts are not read: remove them, or audit without effort.")


def _bodies(plant: Any) -> list[Any]:
    """All but the world, which is the first."""
    from pydrake.multibody.tree import BodyIndex

    return [plant.get_body(BodyIndex(k)) for k in range(1, plant.num_bodies())]


def _at(point: Any) -> Pose:
    return Pose(np.array(point, dtype=float).ravel(), np.eye(3))


def _pose(transform: Any) -> Pose:
    return Pose(np.array(transform.translation()), np.array(transform.rotation().matrix()))


def _part(plant: Any, context: Any, one: Any, name: str) -> Part:
    pose = _pose(plant.EvalBodyPoseInWorld(context, one))
    inertia = one.CalcSpatialInertiaInBodyFrame(context)
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
        "constraint give way in proportion to how easily its point moves, |J M⁻¹ Jᵀ| with M by its diagonal, so that "
        "points that move easily bear less, and the joints of the tree bear what equilibrium leaves.",
        split=split,
        source=ProgramSource(accepts, read, "pydrake MultibodyPlant with context and ball constraints, balls=[…]."),
    )
)
