"""States in the terms of a model: the pose and velocity of each body by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from reactio import joints as joint_registry
from reactio.arrays import Floats
from reactio.bodies import BODIES, BodyState, Port
from reactio.errors import ReactioError
from reactio.joints import Row
from reactio.linear.precision import LOCATED, SOLUTION
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model
from reactio.model.specs import Body, Coupling, Joint
from reactio.space.rotations import axes_of, turn
from reactio.system.plan import MEASURE_MEMORY
from reactio.system.types import State, System


def body_states(system: System, state: State) -> dict[str, dict[str, Any]]:
    """Position, orientation, velocity and angular velocity of each body, and how it is bent where it can be.

    ``elastic`` and ``elastic_velocity`` hold the elastic coordinates and their rates by name.
    """
    states = {}
    for b, body in enumerate(system.model.bodies):
        if BODIES.get(body.kind).internal:
            continue
        q, v = np.asarray(state.q), np.asarray(state.v)
        rigid = body_state(system, b, q, v)
        states[body.name] = {key: value.tolist() for key, value in rigid._asdict().items()}
        if names := elastic_coordinates(system, b):
            bent = elastic_state(system, b, q, v)
            parts = {"elastic": bent.coordinates, "elastic_velocity": bent.rates}
            states[body.name] |= {key: dict(zip(names, part.tolist(), strict=True)) for key, part in parts.items()}
    return states


def elastic_coordinates(system: System, b: int) -> dict[str, str]:
    """Names and units of the elastic coordinates of body number b; none of a rigid one."""
    body = system.model.bodies[b]
    return BODIES.get(body.kind).elastic(system.space, body)


class ElasticState(NamedTuple):
    """How a body is bent."""

    coordinates: Floats  # (…, k)
    rates: Floats  # (…, k)


def elastic_state(system: System, b: int, q: Floats, v: Floats) -> ElasticState:
    """The elastic coordinates of body number b in states q (…, nq), v (…, n), and their rates."""
    count, last_q, last_v = len(elastic_coordinates(system, b)), system.body_q[b + 1], system.body_v[b + 1]
    return ElasticState(q[..., last_q - count : last_q], v[..., last_v - count : last_v])


def body_state(system: System, b: int, q: Floats, v: Floats) -> BodyState:
    """Body number b in states q (…, nq), v (…, n): position, orientation, velocity, angular velocity."""
    body = system.model.bodies[b]
    own_q = q[..., system.body_q[b] : system.body_q[b + 1]]
    own_v = v[..., system.body_v[b] : system.body_v[b + 1]]
    return system.port(body).body_state(body, own_q, own_v)


def centre(system: System, b: int, q: Floats) -> Floats:
    """The centre of mass of body number b in the world at q (…, nq) [m]."""
    return centre_of(system, b, body_state(system, b, q, np.broadcast_to(0.0, system.n)))


def centre_of(system: System, b: int, state: BodyState) -> Floats:
    """The centre of mass of body number b in the world [m], from its position and orientation."""
    c = system.model.bodies[b].center
    if not state.orientation.size or not any(c):
        return state.position
    if len(c) == 2:
        turned = complex(*c) * np.exp(1j * state.orientation[..., 0])
        return np.asarray(state.position + np.stack([turned.real, turned.imag], axis=-1))
    w, x, y, z = np.moveaxis(state.orientation / np.linalg.norm(state.orientation, axis=-1, keepdims=True), -1, 0)
    return np.asarray(state.position + np.stack(turn.plain(axes_of.plain((w, x, y, z)), (c[0], c[1], c[2])), axis=-1))


def centre_velocity(system: System, b: int, state: BodyState) -> Floats:
    """The velocity of the centre of mass of body number b, ṙ + ω × c [m/s], from its state."""
    arm, w = centre_of(system, b, state) - state.position, state.angular_velocity
    if not len(w):
        return state.velocity
    return np.asarray(state.velocity + (np.cross(w, arm) if len(arm) == 3 else w[0] * np.array([-arm[1], arm[0]])))


def model_at(system: System, state: State) -> Model:
    """The model with the positions, orientations and velocities of its bodies as in a state.

    Values taken from the given pose (the length of a rod, the phase of a gear) keep their numbers; parameters are left
    out, because no number depends on them any more.  Angles count their turns from the written pose: earlier turns are
    removed from the offset of gears.
    """
    q, v = np.asarray(state.q), np.asarray(state.v)
    kinds = [BODIES.get(body.kind) for body in system.model.bodies]
    bodies = tuple(_body_at(system, b, q, v) for b, kind in enumerate(kinds) if not kind.internal)
    joints = tuple(_settled_joint(system, joint) for joint in system.model.joints)
    couplings = tuple(_settled_coupling(system, coupling) for coupling in system.model.couplings)
    model = replace(system.model, bodies=bodies, joints=joints, couplings=couplings, parameters=FrozenMap())
    counts_turns = (system.plan.measures.table[:, MEASURE_MEMORY] >= 0).any()
    return _with_turns_from_pose(system, state, model) if counts_turns else model


def _with_turns_from_pose(system: System, state: State, model: Model) -> Model:
    """A model whose offsets hold when angles count their turns from its own pose.

    Where a row is closed at the state, but open by whole turns when the model is built anew, its offset is changed by
    these turns.
    """
    from reactio.system.compile.build import build
    from reactio.system.evaluate.evaluation import evaluate

    new = build(model)
    residuals = np.array(evaluate(system, state.t, state.q, state.v).Phi)
    new_residuals = np.array(evaluate(new, 0.0, new.q0, np.zeros(new.n)).Phi)

    def offset(name: str, parameters: Mapping[str, Any], row: int, key: str) -> Mapping[str, Any]:
        place = new.group(name).start + row
        closed = abs(residuals[system.group(name).start + row]) <= LOCATED * system.length
        turns = float(new_residuals[place]) if closed and abs(new_residuals[place]) > LOCATED * system.length else 0.0
        return FrozenMap({**parameters, key: parameters[key] + turns}) if turns else parameters

    joints, couplings = [], []
    for joint in model.joints:
        known: Mapping[str, Any] = joint.parameters
        for k, row in enumerate(_rows_of(system, joint)):
            if row.target and known.get(row.target) is not None:
                known = offset(joint.name, known, k, row.target)
        joints.append(replace(joint, parameters=known))
    for coupling in model.couplings:
        couplings.append(replace(coupling, parameters=offset(coupling.name, coupling.parameters, 0, "offset")))
    return replace(model, joints=tuple(joints), couplings=tuple(couplings))


def _body_at(system: System, b: int, q: Floats, v: Floats) -> Body:
    """Body number b with the pose, the velocities and the bending of a state."""
    body, kind = system.model.bodies[b], BODIES.get(system.model.bodies[b].kind)
    port = system.port(body)
    own_q, own_v = q[system.body_q[b] : system.body_q[b + 1]], v[system.body_v[b] : system.body_v[b + 1]]
    given: dict[str, Any] = port.body_state(body, own_q, own_v)._asdict()
    bent = {name: _plain(value) for name, value in port.fields_of(body, own_q, own_v).items()}
    if bent:
        given["parameters"] = FrozenMap({**body.parameters, **bent})
    placed = replace(body, **given)
    if not kind.rigid:
        _refuse_lost_coordinates(port, placed, own_q, own_v)
    return placed


def _plain(value: Any) -> Any:
    """Arrays as tuples, as models hold them."""
    return tuple(value.tolist()) if isinstance(value, np.ndarray) and value.ndim else value


def _refuse_lost_coordinates(port: Port, body: Body, q: Floats, v: Floats) -> None:
    """Refuse q and v that do not follow from the fields of the body again: they would be lost without a word."""
    back_q, back_v = (np.array(part, dtype=float) for part in port.coordinates(body))
    if len(back_q) == len(q) and len(back_v) == len(v):
        lost = max(np.abs(port.difference(q, back_q)).max(initial=0.0), np.abs(v - back_v).max(initial=0.0))
        if lost <= SOLUTION * (1.0 + max(np.abs(q).max(initial=0.0), np.abs(v).max(initial=0.0))):
            return
    raise ReactioError(
        f"Body '{body.name}' is of the kind {body.kind}, which cannot write a bent or bending body into a "
        "model: its port needs `fields_of`, which returns its fields from q and v."
    )


def _rows_of(system: System, joint: Joint) -> tuple[Row, ...]:
    """The rows of a joint that the model does not drop."""
    if joint.name not in system.group_index:
        return ()
    labels = system.group(joint.name).labels
    rows = joint_registry.JOINTS_BY_SPACE[system.space].get(joint.type).rows
    return tuple(row for row in rows if row.name in labels)


def _settled_joint(system: System, joint: Joint) -> Joint:
    """The joint with the numbers that the given pose has decided."""
    known: dict[str, Any] = dict(joint.parameters)
    for k, row in enumerate(_rows_of(system, joint)):
        if row.target and known.get(row.target) is None:
            value = float(system.plan.rows.target[system.group(joint.name).start + k])
            known[row.target] = row.sign * value
    return replace(joint, parameters=FrozenMap(known)) if known else joint


def _settled_coupling(system: System, coupling: Coupling) -> Coupling:
    """The coupling with the offset that the given pose has decided."""
    if coupling.parameters.get("offset") is not None:
        return coupling
    offset = float(system.plan.rows.target[system.group(coupling.name).start])
    return replace(coupling, parameters=FrozenMap({**coupling.parameters, "offset": offset}))
