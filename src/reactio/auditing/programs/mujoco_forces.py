"""All forces of a state of MuJoCo, on bodies and along joints, from virtual work along other joint axes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.importers.formats.mjcf.joint_equalities import TENDON
from reactio.linear.precision import ROUNDOFF

LEAST_WRENCH = ROUNDOFF  # part of the largest wrench below which one is rounding


class MujocoForces(NamedTuple):
    """Everything that acts besides weight, inertia and equalities."""

    efforts: Floats  # (nv,) along the coordinates of joints; armature included
    on_bodies: Floats  # (nbody, 6) torque about the body's origin, then force, in world axes
    sources: list[str]  # what acts on bodies directly
    unknown: dict[int, str]  # bodies with forces whose points of action are not known → the cause


def forces_of_mujoco(mujoco: Any, model: Any, data: Any) -> MujocoForces:
    """The forces of a state that mj_forward left.

    MuJoCo projects forces on bodies onto coordinates by its joint axes s_i (cdof), Q_i = e_i + s_i · W_i, where W_i is
    the wrench on all bodies that coordinate i moves and e_i the effort along it.  Axes that are zero give e, the six
    unit screws give W, and differences along the tree the wrench on each body.
    """
    twin, in_tendons = copy.copy(data), _constraint_forces_in_tendons(mujoco, model, data)
    projected = []
    for screw in np.vstack([np.zeros(6), np.eye(6)]):
        twin.cdof[:] = screw
        for update in (mujoco.mj_tendon, mujoco.mj_transmission, mujoco.mj_passive):
            update(model, twin)
        actuators = _moment(mujoco, model, twin).T @ data.actuator_force
        projected.append(twin.qfrc_passive + actuators + _ten_J(mujoco, model, twin).T @ in_tendons)
    efforts, W = projected[0], np.array(projected[1:]).T - projected[0][:, None]
    W[np.abs(W).max(axis=1) <= LEAST_WRENCH * np.abs(W).max(initial=0.0)] = 0.0
    # What MuJoCo adds to actuators joint by joint: limits of their force, and gravity compensation by motors.
    joint_by_joint = data.qfrc_actuator - _moment(mujoco, model, data).T @ data.actuator_force
    joint_by_joint[np.abs(joint_by_joint) <= LEAST_WRENCH * np.abs(data.qfrc_actuator).max(initial=0.0)] = 0.0
    efforts = efforts + joint_by_joint + data.qfrc_applied - model.dof_armature * data.qacc
    along_joints = np.isin(data.efc_type, _row_types(mujoco, "FRICTION_DOF", "LIMIT_JOINT"))
    efforts = efforts + constraint_jacobian(mujoco, model, data)[along_joints].T @ data.efc_force[along_joints]
    on_bodies = _on_bodies(model, data, W) + _of_contacts(mujoco, model, data)
    on_bodies += _about_origins(data, data.xfrc_applied[:, [3, 4, 5, 0, 1, 2]], data.xipos)
    return MujocoForces(
        efforts, on_bodies, list(_sources(mujoco, model, data, in_tendons)), _unknown(model, data, W, joint_by_joint)
    )


def _unknown(model: Any, data: Any, W: Floats, joint_by_joint: Floats) -> dict[int, str]:
    """Bodies with forces that MuJoCo clips or applies along some of the coordinates that move them, not along all."""
    limited = "the force limits of joints (actuatorfrcrange) clip forces of actuators on sites or tendons"
    shared = "some of the joints that carry it compensate its weight by their actuators, others do not"
    by_motor = model.jnt_actgravcomp[model.dof_jntid].astype(bool) if model.ngravcomp else np.zeros(model.nv, bool)
    unknown = {int(model.dof_bodyid[i]): limited for i in np.flatnonzero(joint_by_joint * ~by_motor) if np.any(W[i])}
    for b in np.flatnonzero(model.body_gravcomp):
        kinds = by_motor[model.dof_treeid == model.body_treeid[b]]
        if np.any(kinds) and not np.all(kinds):
            unknown[int(b)] = shared
    return unknown


def _about_origins(data: Any, wrenches: Floats, points: Floats) -> Floats:
    """Wrenches (nbody, 6) about the origins of bodies instead of these points (nbody, 3)."""
    moved = wrenches.copy()
    moved[:, :3] += np.cross(points - data.xpos, wrenches[:, 3:])
    return moved


def _on_bodies(model: Any, data: Any, W: Floats) -> Floats:
    """The wrench on each body (nbody, 6), from those on all bodies that each coordinate moves."""
    forces = np.zeros((model.nbody, 6))
    for b in np.flatnonzero(model.body_dofnum):
        below = W[model.body_dofadr[b]]
        forces[b] += below
        forces[model.body_weldid[model.body_parentid[b]]] -= below
    forces[0] = 0.0  # the world
    return _about_origins(data, forces, data.subtree_com[model.body_rootid])


def _of_contacts(mujoco: Any, model: Any, data: Any) -> Floats:
    """The wrenches of contacts (nbody, 6), which push geom 2 away from geom 1."""
    forces, local = np.zeros((model.nbody, 6)), np.zeros(6)
    for c in range(data.ncon):
        mujoco.mj_contactForce(model, data, c, local)
        contact = data.contact[c]
        force, torque = local.reshape(2, 3) @ contact.frame.reshape(3, 3)
        for geom, sign in ((contact.geom1, -1.0), (contact.geom2, 1.0)):
            b = int(model.geom_bodyid[geom])
            if model.body_weldid[b]:
                about = torque + np.cross(contact.pos - data.xpos[b], force)
                forces[b] += sign * np.concatenate([about, force])
    return forces


def _constraint_forces_in_tendons(mujoco: Any, model: Any, data: Any) -> Floats:
    """Forces that lengthen tendons (ntendon,): of limits, friction, equalities of spatial tendons, and armature."""
    ten_J, forces = _ten_J(mujoco, model, data), np.zeros(model.ntendon)
    J, spatial = constraint_jacobian(mujoco, model, data), _spatial(mujoco, model)
    equality, *along_tendons = _row_types(mujoco, "EQUALITY", "LIMIT_TENDON", "FRICTION_TENDON")
    for i in range(data.nefc):
        tendons = [int(data.efc_id[i])]
        if int(data.efc_type[i]) == equality:
            e = tendons[0]
            if int(model.eq_type[e]) != TENDON:
                continue
            tendons = [int(t) for t in (model.eq_obj1id[e], model.eq_obj2id[e]) if t >= 0]
            if not any(spatial[t] for t in tendons):
                continue  # a coupling, whose force is a multiplier of the model
        elif int(data.efc_type[i]) not in along_tendons:
            continue
        forces[tendons] += data.efc_force[i] * np.linalg.lstsq(ten_J[tendons].T, J[i], rcond=None)[0]
    return np.asarray(forces + _of_armature(mujoco, model, data, ten_J))


def _of_armature(mujoco: Any, model: Any, data: Any, ten_J: Floats) -> Floats:
    """The forces −a l̈ (ntendon,) of tendons with armature a, where l̈ = J v̇ + J̇ v; MuJoCo has Jᵀ a J̇ v in its bias."""
    armature = np.array(getattr(model, "tendon_armature", np.zeros(model.ntendon)))  # since MuJoCo 3.2.7
    forces: Floats = -armature * (ten_J @ data.qacc)
    plain = np.zeros(model.nv)
    if np.any(armature):
        changed, twin = copy.copy(model), copy.copy(data)
        mujoco.mj_rne(model, twin, 0, plain)
        for t in np.flatnonzero(armature):
            changed.tendon_armature[:] = np.where(np.arange(model.ntendon) == t, armature, 0.0)
            mujoco.mj_fwdVelocity(changed, twin)
            forces[t] -= np.linalg.lstsq(ten_J[t, :, None], twin.qfrc_bias - plain, rcond=None)[0][0]
    return forces


def _spatial(mujoco: Any, model: Any) -> list[bool]:
    """Does a tendon pass sites and geoms, rather than sum joint coordinates?"""
    return [int(model.wrap_type[first]) != int(mujoco.mjtWrap.mjWRAP_JOINT) for first in model.tendon_adr]


def _sources(mujoco: Any, model: Any, data: Any, in_tendons: Floats) -> Iterator[str]:
    """What acts on bodies directly, by name."""
    tendon, *on_bodies = (int(getattr(mujoco.mjtTrn, f"mjTRN_{x}")) for x in ("TENDON", "SITE", "BODY", "SLIDERCRANK"))
    driven = np.flatnonzero(data.actuator_force)
    pulling = {int(model.actuator_trnid[u, 0]) for u in driven if int(model.actuator_trntype[u]) == tendon}
    for t in np.flatnonzero(_spatial(mujoco, model)):
        passive = np.any(model.tendon_stiffness[t]) or np.any(model.tendon_damping[t])
        if int(t) in pulling or in_tendons[t] or passive:
            yield f"the spatial tendon '{model.tendon(t).name or t}'"
    for u in driven:
        if int(model.actuator_trntype[u]) in on_bodies:
            yield f"the actuator '{model.actuator(u).name or u}'"
    if model.opt.density or model.opt.viscosity:
        yield "the fluid"
    if np.any(model.body_gravcomp):
        yield "gravity compensation"
    of_contacts = _row_types(mujoco, "CONTACT_FRICTIONLESS", "CONTACT_PYRAMIDAL", "CONTACT_ELLIPTIC")
    if np.any(data.efc_force[np.isin(data.efc_type, of_contacts)]):
        yield "contacts"


def _row_types(mujoco: Any, *names: str) -> list[int]:
    """The numbers of types of constraint rows."""
    return [int(getattr(mujoco.mjtConstraint, f"mjCNSTR_{name}")) for name in names]


def constraint_jacobian(mujoco: Any, model: Any, data: Any) -> Floats:
    """The rows of all active constraints (nefc, nv)."""
    if mujoco.mj_isSparse(model):
        return _dense(mujoco, (data.nefc, model.nv), data, data, "efc_J", "efc_J")
    # Rows that MuJoCo drops because nothing moves them leave its array longer than it says.
    return np.array(data.efc_J)[: data.nefc * model.nv].reshape(data.nefc, model.nv)


def _moment(mujoco: Any, model: Any, data: Any) -> Floats:
    """Rates of actuator lengths by velocities (nu, nv)."""
    return _dense(mujoco, (model.nu, model.nv), data, data, "actuator_moment", "moment")


def _ten_J(mujoco: Any, model: Any, data: Any) -> Floats:
    """Rates of tendon lengths by velocities (ntendon, nv)."""
    where = model if hasattr(model, "ten_J_rownnz") else data  # since MuJoCo 3.6, and before
    return _dense(mujoco, (model.ntendon, model.nv), data, where, "ten_J", "ten_J")


def _dense(mujoco: Any, shape: tuple[int, int], data: Any, where: Any, name: str, rows: str) -> Floats:
    """A matrix of this shape from MuJoCo's sparse rows, whose counts, addresses and columns are kept elsewhere."""
    values = getattr(data, name)
    if values.ndim == 2 or not np.prod(shape):  # dense in older versions
        return np.array(values, dtype=float).reshape(shape)
    full = np.zeros(shape)
    mujoco.mju_sparse2dense(full, values, *(getattr(where, f"{rows}_{key}") for key in ("rownnz", "rowadr", "colind")))
    return full
