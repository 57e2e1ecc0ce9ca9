"""Reactions of tree joints in MuJoCo by Newton and Euler, from poses alone: no Jacobian and no wrench of MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats

STEP = 1e-4  # [s] of central differences, with errors of some 1e-7 of accelerations


class PointForce(NamedTuple):
    """A force and a torque on a body at a point, in world axes."""

    body: int
    point: Floats
    force: Floats
    torque: Floats


def reactions(mujoco: Any, model: Any, data: Any) -> dict[str, Floats]:
    """Force and moment (6,) of each joint of the tree on its body about its anchor, without the part along its axis."""
    needed = _inertia_forces(mujoco, model, data)  # about the origin of the world
    for load in _loads(mujoco, model, data):
        needed[load.body] -= np.concatenate([load.force, load.torque + np.cross(load.point, load.force)])
    for b in range(model.nbody - 1, 0, -1):
        needed[model.body_parentid[b]] += needed[b]
    found = {}
    for j in range(model.njnt):
        kind, axis = int(model.jnt_type[j]), data.xaxis[j]
        force, moment = np.split(needed[model.jnt_bodyid[j]].copy(), 2)
        moment = moment - np.cross(data.xanchor[j], force)
        if kind == 1:
            moment = np.zeros(3)
        elif kind == 2:
            force = force - (force @ axis) * axis
        elif kind == 3:
            moment = moment - (moment @ axis) * axis
        if kind:
            found[model.joint(j).name] = np.concatenate([force, moment])
    return found


def _inertia_forces(mujoco: Any, model: Any, data: Any) -> Floats:
    """m (a − g) and the rate of spin (nbody, 6) about the origin, by differences of the poses that follow from qacc."""
    places, spins, other = [], [], mujoco.MjData(model)
    for t in (-STEP, 0.0, STEP):
        other.qpos[:] = data.qpos
        other.mocap_pos[:], other.mocap_quat[:] = data.mocap_pos, data.mocap_quat
        mujoco.mj_integratePos(model, other.qpos, data.qvel * t + data.qacc * t * t / 2, 1.0)
        other.qvel[:] = data.qvel + data.qacc * t
        mujoco.mj_fwdPosition(model, other)
        mujoco.mj_fwdVelocity(model, other)
        R = other.ximat.reshape(-1, 3, 3)
        J = R @ (model.body_inertia[:, :, None] * np.swapaxes(R, 1, 2))
        places.append(other.xipos.copy())
        spins.append(np.einsum("bij,bj->bi", J, other.cvel[:, :3]))
    a = (places[0] - 2 * places[1] + places[2]) / STEP**2
    off = bool(model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY))
    force = model.body_mass[:, None] * (a - (0.0 if off else 1.0) * model.opt.gravity)
    return np.hstack([force, (spins[2] - spins[0]) / (2 * STEP) + np.cross(places[1], force)])


def _loads(mujoco: Any, model: Any, data: Any) -> Iterator[PointForce]:
    nothing = np.zeros(3)
    for b in range(1, model.nbody):
        yield PointForce(b, data.xipos[b], data.xfrc_applied[b, :3], data.xfrc_applied[b, 3:])
        lifted = -model.body_gravcomp[b] * model.body_mass[b] * model.opt.gravity
        yield PointForce(b, data.xipos[b], lifted, nothing)
        if model.opt.density or model.opt.viscosity:
            yield _of_fluid(mujoco, model, data, b)
    for t in range(model.ntendon):
        yield from _of_path(model, data, t, _pull(mujoco, model, data, t))
    for u in np.flatnonzero(model.actuator_trntype == int(mujoco.mjtTrn.mjTRN_SITE)):
        yield from _at_site(model, data, u)
    for u in np.flatnonzero(model.actuator_trntype == int(mujoco.mjtTrn.mjTRN_SLIDERCRANK)):
        yield from _of_slider_crank(model, data, u)
    local = np.zeros(6)
    for c in range(data.ncon):
        mujoco.mj_contactForce(model, data, c, local)
        contact = data.contact[c]
        axes = contact.frame.reshape(3, 3)
        for geom, sign in ((contact.geom1, -1.0), (contact.geom2, 1.0)):
            force, torque = sign * local[:3] @ axes, sign * local[3:] @ axes
            yield PointForce(int(model.geom_bodyid[geom]), contact.pos, force, torque)
    for e in np.flatnonzero(model.eq_type == int(mujoco.mjtEq.mjEQ_CONNECT)):
        rows = (data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)) & (data.efc_id == e)
        one, two = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
        for b, sign, at in ((one, 1.0, model.eq_data[e][:3]), (two, -1.0, model.eq_data[e][3:6])):
            point = data.xpos[b] + data.xmat[b].reshape(3, 3) @ at
            yield PointForce(b, point, sign * data.efc_force[rows], nothing)


def _pull(mujoco: Any, model: Any, data: Any, t: int) -> float:
    """The tension of a tendon: spring, damper, actuators, friction, limits (of upper ones alone) and armature."""
    lengths, other = [], mujoco.MjData(model)
    for h in (-STEP, 0.0, STEP):
        other.qpos[:] = data.qpos
        mujoco.mj_integratePos(model, other.qpos, data.qvel * h + data.qacc * h * h / 2, 1.0)
        mujoco.mj_fwdPosition(model, other)
        lengths.append(float(other.ten_length[t]))
    inertia = float(model.tendon_armature[t]) * (lengths[0] - 2 * lengths[1] + lengths[2]) / STEP**2
    length, rate = float(data.ten_length[t]), float(data.ten_velocity[t])
    low, high = model.tendon_lengthspring[t]
    stretch = length - high if length > high else min(length - low, 0.0)
    pull = (
        float(np.ravel(model.tendon_stiffness[t])[0]) * stretch
        + float(np.ravel(model.tendon_damping[t])[0]) * rate
        + inertia
    )
    for u in range(model.nu):
        if model.actuator_trntype[u] == int(mujoco.mjtTrn.mjTRN_TENDON) and model.actuator_trnid[u, 0] == t:
            pull -= float(model.actuator_gear[u, 0] * data.actuator_force[u])
    kinds = mujoco.mjtConstraint
    for kind, sign in ((kinds.mjCNSTR_LIMIT_TENDON, 1.0), (kinds.mjCNSTR_FRICTION_TENDON, -1.0)):
        pull += sign * float(data.efc_force[(data.efc_type == int(kind)) & (data.efc_id == t)].sum())
    return float(pull)


def _of_path(model: Any, data: Any, t: int, pull: float) -> Iterator[PointForce]:
    """Each straight piece of a tendon pulls its two ends together."""
    first, count = int(data.ten_wrapadr[t]), int(data.ten_wrapnum[t])
    points, objects = data.wrap_xpos.reshape(-1, 3), data.wrap_obj.ravel()
    sites = [int(x) for x in model.wrap_objid[model.tendon_adr[t] : model.tendon_adr[t] + model.tendon_num[t]]]
    kinds = [int(x) for x in model.wrap_type[model.tendon_adr[t] : model.tendon_adr[t] + model.tendon_num[t]]]
    if 1 in kinds:  # joints of a fixed tendon
        return
    at_sites = iter([int(model.site_bodyid[s]) for s, kind in zip(sites, kinds, strict=True) if kind == 3])
    start = model.tendon_adr[t]
    divisors = iter([float(model.wrap_prm[start + i]) for i, kind in enumerate(kinds) if kind == 2])
    share, last = 1.0, None  # of the tension, behind pulleys
    for i in range(first, first + count):
        if objects[i] == -2:  # a pulley, behind which another branch begins
            share, last = 1 / next(divisors), None
            continue
        body, point = next(at_sites) if objects[i] < 0 else int(model.geom_bodyid[objects[i]]), points[i]
        if last and last[0] != body:
            along = (point - last[1]) / np.linalg.norm(point - last[1])
            yield PointForce(last[0], last[1], share * pull * along, np.zeros(3))
            yield PointForce(body, point, -share * pull * along, np.zeros(3))
        last = body, point


def _at_site(model: Any, data: Any, u: Any) -> Iterator[PointForce]:
    """The gear of an actuator as a wrench in the axes of its site, or of its reference site, which bears the opposite.

    What moves both sites alike does not feel it: the couple of the two forces is taken by the body that carries both.
    """
    site, reference = (int(x) for x in model.actuator_trnid[u])
    R = data.site_xmat[site if reference < 0 else reference].reshape(3, 3)
    force, torque = (R @ part * data.actuator_force[u] for part in np.split(model.actuator_gear[u], 2))
    body, point = int(model.site_bodyid[site]), data.site_xpos[site].copy()
    yield PointForce(body, point, force, torque)
    if reference >= 0:
        other, at = int(model.site_bodyid[reference]), data.site_xpos[reference].copy()
        above = _above(model, body)
        both = next(b for b in _above(model, other) if b in above)
        yield PointForce(other, at, -force, -torque)
        yield PointForce(both, at, np.zeros(3), -np.cross(point - at, force))


def _above(model: Any, body: int) -> list[int]:
    chain = [body]
    while chain[-1]:
        chain.append(int(model.body_parentid[chain[-1]]))
    return chain


def _of_slider_crank(model: Any, data: Any, u: Any) -> Iterator[PointForce]:
    """A pin on the axis a of the slider at s, which a massless rod of length l joins to the crank at c.

    Its place along the axis is L = a · (c − s) − √((a · (c − s))² + l² − |c − s|²); the forces are the slopes of L.
    """
    crank, slider = (int(x) for x in model.actuator_trnid[u])
    s, a = data.site_xpos[slider].copy(), data.site_xmat[slider].reshape(3, 3)[:, 2]
    v = data.site_xpos[crank] - s
    root = np.sqrt((a @ v) ** 2 + float(model.actuator_cranklength[u]) ** 2 - v @ v)
    pull = float(model.actuator_gear[u, 0] * data.actuator_force[u])
    force, turn = pull * (a - ((a @ v) * a - v) / root), pull * (1 - (a @ v) / root) * np.cross(a, v)
    yield PointForce(int(model.site_bodyid[crank]), data.site_xpos[crank].copy(), force, np.zeros(3))
    yield PointForce(int(model.site_bodyid[slider]), s, -force, turn)


def _of_fluid(mujoco: Any, model: Any, data: Any, b: int) -> PointForce:
    """The fluid on a body, from a model of MuJoCo that has this body alone, free."""
    spec = mujoco.MjSpec()
    spec.option.density, spec.option.viscosity = model.opt.density, model.opt.viscosity
    spec.option.wind = model.opt.wind
    body = spec.worldbody.add_body(pos=data.xpos[b], quat=data.xquat[b])
    body.add_freejoint()
    body.mass, body.inertia = max(float(model.body_mass[b]), 1e-9), np.maximum(model.body_inertia[b], 1e-9)
    body.ipos, body.iquat, body.explicitinertial = model.body_ipos[b], model.body_iquat[b], True
    geoms = np.flatnonzero(model.geom_bodyid == b)
    for g in geoms:
        body.add_geom(
            type=model.geom_type[g], size=model.geom_size[g], pos=model.geom_pos[g], quat=model.geom_quat[g],
            fluid_ellipsoid=int(model.geom_fluid[g, 0]), contype=0, conaffinity=0,
        )  # fmt: skip
    single = spec.compile()
    single.geom_fluid[:] = model.geom_fluid[geoms]
    other = mujoco.MjData(single)
    velocity = np.zeros(6)
    mujoco.mj_objectVelocity(model, data, int(mujoco.mjtObj.mjOBJ_XBODY), b, velocity, 0)
    other.qvel[:3], other.qvel[3:] = velocity[3:], data.xmat[b].reshape(3, 3).T @ velocity[:3]
    mujoco.mj_forward(single, other)
    return PointForce(b, data.xpos[b], other.qfrc_fluid[:3].copy(), data.xmat[b].reshape(3, 3) @ other.qfrc_fluid[3:])
