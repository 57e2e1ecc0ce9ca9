"""MuJoCo: a tree in joint coordinates, loops closed by soft equalities; live models are read for audits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.auditing.programs import Program, ProgramSource, register
from reactio.auditing.programs.closed_loops import ClosedLoops, least_on_points
from reactio.auditing.programs.mujoco_forces import forces_of_mujoco
from reactio.auditing.programs.reported import BodyAcceleration, ProgramWrench, Reported
from reactio.catalogue.places import GROUND
from reactio.errors import ReactioError, listed
from reactio.functions.constant import Constant
from reactio.importers import Options
from reactio.importers.conversion.convert import with_given_poses
from reactio.importers.formats.mjcf.joint_equalities import JOINT
from reactio.importers.formats.mjcf.reader import BALL, FREE, HINGE, MjcfReader
from reactio.importers.mechanism import Load, Mechanism, PartFrame
from reactio.importers.pipeline import from_mechanism
from reactio.importers.pose import Pose
from reactio.model.notes import NoteKind
from reactio.system.equations import Equations

MUJOCO_REASON = (
    "MuJoCo holds equalities by stiff, damped springs (solref, solimp) and shares their load by that stiffness, not by "
    "the rigid model: other settings, or another choice of which joint is a connect, give other numbers."
)
MUJOCO_REMEDY = "Call mj_forward before the audit, with more iterations of its solver, or let the state settle."
FORCES_ON_BODIES = (
    "Forces by {} act on bodies directly and are loads here. Where MuJoCo's wrenches between bodies (cfrc_int) leave "
    "them out, its numbers are not the reactions of joints."
)
# Gaps of loops, as part of the size of the mechanism: above the first, which MuJoCo's springs leave, a note reports
# them; above the second the state is not that of a rigid mechanism, and no forces are compared.
NOTED_GAP, LARGEST_GAP = 1e-6, 1e-2


def split(eqs: Equations) -> Floats:
    """λ of min Σ R_p |f_p|² over the points of cut loops, R_p ∝ the mean mobility of the two bodies' centres."""
    return least_on_points(eqs, _regularisation)


def _regularisation(known: ClosedLoops) -> list[Floats]:
    """MuJoCo's approximation to diag(A M⁻¹ Aᵀ): the translational ``invweight0`` of both bodies, added."""
    inverse = np.asarray(np.linalg.pinv(known.inertia, hermitian=True), dtype=np.float64)
    mobility = [_mean(known.centre_jacobian(b), inverse) for b in range(len(known.eqs.system.listed_bodies))]
    return [
        np.full(loop.points, sum(mobility[b] for b in loop.group.bodies if b >= 0))
        if loop.points
        else np.array([_mean(known.jacobian(loop), inverse)])
        for loop in known.loops
    ]


def _mean(J: Floats, inverse: Floats) -> float:
    """The mean diagonal entry of J M⁻¹ Jᵀ."""
    return float(np.einsum("ij,jk,ik->", J, inverse, J)) / len(J)


def accepts(given: Any) -> bool:
    """Is it an MjModel?"""
    return type(given).__module__.split(".")[0] == "mujoco" and type(given).__name__ == "MjModel"


def read(model: Any, data: Any) -> Reported:
    """The state of ``data``, as mj_forward left it."""
    import mujoco

    mujoco.mj_rnePostConstraint(model, data)
    _refuse_unknown_forces(mujoco, model)
    reader = MjcfReader(mujoco, model, data, Options(), "MuJoCo model", live=True)
    mechanism = reader.mechanism()
    forces = forces_of_mujoco(mujoco, model, data)
    loads = (*_efforts(model, forces.efforts, reader, mechanism), *_forces_on_bodies(model, forces.on_bodies, reader))
    # Fixed bodies stay joints: MuJoCo gives the wrench between any two bodies.
    mechanism = replace(mechanism, loads=loads, motions=())
    imported = from_mechanism(mechanism, Options(keep_fixed=False), Path("MuJoCo model"))
    index = {name: b for b, name in reader.body.items()}
    bodies, accelerations = [], {}
    for body in imported.model.bodies:
        if body.name not in index:  # massless, between several joints of one body: its accelerations do not matter
            bodies.append(body)
            accelerations[body.name] = BodyAcceleration(np.zeros(3), np.zeros(3))
            continue
        b = index[body.name]
        twist, change = np.zeros(6), np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, b, twist, 0)
        mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, b, change, 0)
        bodies.append(replace(body, velocity=tuple(twist[3:]), angular_velocity=tuple(twist[:3])))
        accelerations[body.name] = BodyAcceleration(change[3:] + reader.gravity, change[:3])
    wrenches = _wrenches(mujoco, model, data, reader)
    gap = _gap(mujoco, model, data, imported.report.length)
    notes = [str(note) for note in imported.report.notes if note.kind is NoteKind.WARNING]
    notes += [FORCES_ON_BODIES.format(listed(forces.sources, most=5))] if forces.sources else []
    if gap > NOTED_GAP:
        notes.append(f"its loops are open by {gap:.1g} of its size: components are compared only to that accuracy")
    moving = replace(imported.model, bodies=tuple(bodies))
    return Reported(
        "MuJoCo", moving, wrenches, accelerations, MUJOCO_REASON, float(data.time),
        tuple(notes),
        with_given_poses(moving, imported.as_given), gap, remedy=MUJOCO_REMEDY,
        unknown={reader.body[b]: cause for b, cause in forces.unknown.items()},
    )  # fmt: skip


def _gap(mujoco: Any, model: Any, data: Any, length: float) -> float:
    """The largest violation of equalities: lengths over the characteristic length [m], angles in radians.

    Loops of MuJoCo, which springs hold, are open by some 1e-4; a state far from closed has no reactions of a rigid
    model.
    """
    largest = 0.0
    for e in range(model.neq):
        rows = data.efc_pos[(data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY) & (data.efc_id == e)]
        turns = int(model.eq_type[e]) == JOINT and int(model.jnt_type[model.eq_obj1id[e]]) == HINGE
        units = np.full(len(rows), 1.0 if turns else 1.0 / length)
        units[3:] = 1.0  # the rows of a weld that hold its axes
        largest = max(largest, float(np.abs(units * rows).max(initial=0.0)))
    if largest > LARGEST_GAP:
        raise ReactioError(
            f"equalities are violated by {largest:.2g} of the size: no rigid mechanism has such a pose. Let it settle, "
            "or start from a state that closes them."
        )
    return largest


def _refuse_unknown_forces(mujoco: Any, model: Any) -> None:
    """Refuse forces that MuJoCo knows along coordinates alone, not where they act: of callbacks and flexible bodies."""
    what = ["flexes"] if model.nflex else []
    what += ["the callback mjcb_passive"] if mujoco.get_mjcb_passive() is not None else []
    if what:
        raise ReactioError(f"Forces by {listed(what)} have no known points of action: no reaction can be judged.")


def _efforts(model: Any, efforts: Floats, reader: MjcfReader, mechanism: Mechanism) -> Iterator[Load]:
    """Loads along joint coordinates by their efforts (nv,)."""
    for j, along in reader.joint.items():
        value = float(efforts[model.jnt_dofadr[j]])
        if value:
            yield Load(
                f"effort {along.replace('.', ' ')}", "actuator", {"effort": Constant(value)}, along={"joint": along}
            )
    parent_of = {joint.name: joint.a for joint in mechanism.joints}
    for j in range(model.njnt):
        if int(model.jnt_type[j]) in (FREE, BALL):
            of_joint = efforts[int(model.jnt_dofadr[j]) :]
            parent = parent_of[reader.joint_label[j]] if j in reader.joint_label else GROUND
            yield from _on_bodies(model, reader, j, of_joint, parent)


def _on_bodies(model: Any, reader: MjcfReader, j: int, of_joint: Floats, parent: str) -> Iterator[Load]:
    """Efforts of a ball or free joint: torques are in the axes of its body, forces of a free one in the world's."""
    b = int(model.jnt_bodyid[j])
    ball = int(model.jnt_type[j]) == BALL
    body, torque = reader.body[b], reader.pose(b).R @ (of_joint[:3] if ball else of_joint[3:6])
    pairs = [("torque", body, torque), ("torque", parent, -torque), ("force", body, of_joint[:3] * (not ball))]
    for word, name, value in pairs:
        if np.any(value) and name != GROUND:
            law = tuple(Constant(float(x)) for x in value)
            yield Load(f"{word} of joint {j} on {name}", word, {word: law}, {"at": PartFrame(name, Pose())})


def _forces_on_bodies(model: Any, wrenches: Floats, reader: MjcfReader) -> Iterator[Load]:
    """Loads on bodies by their wrenches (bodies, 6), torque first, about their origins in world axes."""
    for b in map(int, np.flatnonzero(np.any(wrenches, axis=1))):
        at = {"at": PartFrame(reader.body[b], Pose())}
        for word, value in (("torque", wrenches[b, :3]), ("force", wrenches[b, 3:])):
            if np.any(value):
                yield Load(f"{word} on {reader.body[b]}", word, {word: tuple(Constant(float(x)) for x in value)}, at)


def _wrenches(mujoco: Any, model: Any, data: Any, reader: MjcfReader) -> dict[str, ProgramWrench]:
    """On body b of each joint: the wrench between a body and its parent, and the force of each equality."""
    wrenches = {}
    for j, name in reader.joint_label.items():  # all joints of one body carry the same, nothing between them has mass
        b = int(model.jnt_bodyid[j])
        about = data.subtree_com[model.body_rootid[b]]
        wrenches[name] = ProgramWrench(about.copy(), data.cfrc_int[b][3:].copy(), data.cfrc_int[b][:3].copy())
    for name, e in reader.equality.items():
        rows = np.flatnonzero((data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY) & (data.efc_id == e))
        if len(rows) == 3:  # a connect: the force on body 1 is +f, that on body 2, our body b, is −f
            wrenches[name] = ProgramWrench(reader.anchor(e), -data.efc_force[rows], np.zeros(3))
        elif len(rows) == 6:  # the torque of a weld is scaled by its quaternion and not known; its force is
            wrenches[name] = ProgramWrench(reader.anchor(e), -data.efc_force[rows[:3]], None)
    return wrenches


MUJOCO = register(
    Program(
        name="mujoco",
        title="MuJoCo",
        rule="soft equalities over cut loops, R ∝ diag(A M⁻¹ Aᵀ)",
        explanation="MuJoCo keeps a tree of joints, taken here in the order of the joints, and holds each loop by "
        "equalities connect (a hinge in space by two of them, a characteristic length apart) that are springs and "
        "dampers of softness R = (1 − d)/d times an estimate of diag(A M⁻¹ Aᵀ) from the inertia of the two bodies. "
        "These are the numbers of stiff equalities, solimp near 1; with the default solimp of 0.9 the loops give way "
        "and every number is off by some percent.",
        split=split,
        source=ProgramSource(accepts, read, "mujoco.MjModel with its MjData, after mj_forward."),
    )
)
