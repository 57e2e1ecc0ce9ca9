"""Flexible and heated bodies: rows on their interfaces, loads on them, and their effect on joints.

At one pose, or at many side by side: arrays of the equations, and all that follows from them, then have one more axis
in front, the dots (…) of their shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.model.model import Model
from reactio.model.specs import Body
from reactio.model.structure import points_of, structure
from reactio.sharing.elasticity import ElasticPart, ElasticPartKind
from reactio.space.frames import axes_of_frames
from reactio.structures import Flexibility
from reactio.structures.attachment import Attachment
from reactio.system.equations import Equations
from reactio.system.memo import memoised
from reactio.system.plan import BODY_Q
from reactio.system.types import System

PLANAR_TWIST = (0, 1, 5)  # of the six components of a twist


def body_parts(eqs: Equations, applied: bool = True, spin: bool = True) -> Iterator[ElasticPart]:
    """The part of every body that is flexible or heated; or, without ``applied``, by efforts alone."""
    for b, body in enumerate(eqs.system.model.bodies):
        if deforms_statically(body):
            yield _body_part(eqs, b, body, applied, applied and spin)


def deforms_statically(body: Body) -> bool:
    """Is a body flexible or heated, with all its flexibility taken as static?"""
    return (body.flexible is not None and body.kind == "rigid") or bool(body.temperature)


@dataclass(frozen=True, eq=False)
class BodyDeformation:
    """Displacements and rotations of the interfaces of a flexible body against the body, world axes."""

    attachment: Attachment
    R: Floats  # (3, 3) rotation matrix from body axes to world axes
    u: Floats  # (J, 6) [m, rad]
    strain: float  # of uniform heating, which lengthens the arms too

    def at(self, point: tuple[float, ...]) -> Floats:
        """(6,) at a point where the body is held."""
        k, arm = self.attachment.at(point, "a frame")
        moved, turned, lever = self.u[k, :3], self.u[k, 3:], self.R @ arm
        return np.concatenate([moved + np.cross(turned, lever) + self.strain * lever, turned])


def body_deformation(eqs: Equations, b: int, lam: Floats) -> BodyDeformation | None:
    """u = F_b (w − Gᵀλ) + u_spin + u_heat of a body under multipliers λ (m,); None for a rigid body."""
    model = eqs.system.model
    body = model.bodies[b]
    if not deforms_statically(body):
        return None
    at, R = interface_rows(eqs.system, b), body_axes(eqs, b)
    flexibility, held, rows, G = at.flexibility, at.attachment, at.rows, at.on(eqs, R)
    strain = _thermal_strain(model, body)
    u = np.zeros((len(held.interfaces), 6))
    u[:, :3] = strain * (held.interfaces - held.interfaces.mean(axis=0))
    if flexibility is not None:
        w = _loads_on(eqs, held, R, True) - G.T @ lam[rows]
        u += (flexibility.L @ (flexibility.L.T @ w + _spin(eqs, b, flexibility, R))).reshape(-1, 6)
    pair = u.reshape(-1, 2, 3) @ R.T
    return BodyDeformation(held, R, pair.reshape(-1, 6), strain)


def _body_part(eqs: Equations, b: int, body: Body, applied: bool, spin: bool) -> ElasticPart:
    """L = G L_b and e = L_bᵀ w + D s: w the applied loads on its interfaces, D s by its spin; heat is a misfit."""
    model, at, R = eqs.system.model, interface_rows(eqs.system, b), body_axes(eqs, b)
    flexibility, held, rows, G = at.flexibility, at.attachment, at.rows, at.on(eqs, R)
    strain = _thermal_strain(model, body) if applied else 0.0
    grown = strain * at.growth(eqs, R) if strain else np.zeros(len(rows))
    if flexibility is None:
        return ElasticPart(body.name, ElasticPartKind.BODY, rows, np.zeros((len(rows), 0)), np.zeros(0), grown)
    e = _loads_on(eqs, held, R, applied) @ flexibility.L
    if spin:
        e = e + _spin(eqs, b, flexibility, R)
    return ElasticPart(body.name, ElasticPartKind.BODY, rows, G @ flexibility.L, e, grown, G @ flexibility.directions)


def growth(eqs: Equations, name: str, strain: float) -> Floats:
    """δ (m,) of a body that is larger by a strain in all directions: the effect of heat on the rows."""
    model = eqs.system.model
    b = model.body_index[name]
    at = interface_rows(eqs.system, b)
    delta = np.zeros(eqs.system.m)
    delta[at.rows] = strain * at.growth(eqs, body_axes(eqs, b))
    return delta


def expansion_of(model: Model, body: Body) -> float | None:
    """The coefficient of thermal expansion of a body, or of its material [1/K]."""
    if body.expansion is None and body.flexible is not None and body.flexible.material in model.materials:
        return model.materials[body.flexible.material].expansion
    return body.expansion


def body_axes(eqs: Equations, b: int) -> Floats:
    """The rotation matrix (…, 3, 3) from body axes to world axes."""
    row = eqs.work.R[..., np.flatnonzero(eqs.system.plan.bodies.table[:, BODY_Q] == eqs.system.body_q[b])[0], :]
    if eqs.system.space == "planar":
        cos, sin = row[..., 0], row[..., 1]
        R = np.zeros((*cos.shape, 3, 3))
        R[..., 0, 0], R[..., 0, 1], R[..., 1, 0], R[..., 1, 1], R[..., 2, 2] = cos, -sin, sin, cos, 1.0
        return R
    return np.asarray(row.reshape(*row.shape[:-1], 3, 3).swapaxes(-1, -2))


def _attachment(model: Model, body: Body, flexibility: Flexibility | None) -> Attachment:
    if flexibility is None:
        points = points_of(model, body.name)
        return Attachment(body.name, points, points, tuple(range(len(points))))
    return Attachment.of(flexibility)


@dataclass(frozen=True, eq=False)
class InterfaceRows:
    """Where the rows of C act on a flexible or heated body: the same at every pose."""

    flexibility: Flexibility | None
    attachment: Attachment
    rows: Ints  # (k,) of C
    place: Ints  # (t,) place among them of each term of a row that has an end on the body
    measure: Ints  # (t,)
    side: Ints  # (t,) 0 or 1
    factor: Floats  # (t,)
    interface: Ints  # (t,) number of the interface that holds that end
    arm: Floats  # (t, 3) from the interface, body axes [m]

    def _terms(self, eqs: Equations, R: Floats) -> tuple[Floats, Floats]:
        """Every term of the rows on the velocity and on the angular velocity of its end (…, t, 3), body axes."""
        D = eqs.work.D.reshape(*eqs.work.D.shape[:-1], 2, -1)[..., self.measure, self.side, :] * self.factor[:, None]
        rows = _twist_rows(D)
        return rows[..., :3] @ R, rows[..., 3:] @ R

    def on(self, eqs: Equations, R: Floats) -> Floats:
        """G (…, k, 6 J): the rows on the twists of the interfaces, in body axes."""
        force, moment = self._terms(eqs, R)
        terms, count = (
            np.concatenate([force, moment + np.cross(self.arm, force)], axis=-1),
            len(self.attachment.interfaces),
        )
        G = _summed(terms, self.place * count + self.interface, len(self.rows) * count)
        return G.reshape(*R.shape[:-2], len(self.rows), -1)

    def growth(self, eqs: Equations, R: Floats) -> Floats:
        """δ (…, k) of a body that grows by u = x − x̄ of its points, as unit strain in all directions, whatever x̄."""
        force, _ = self._terms(eqs, R)
        points = self.attachment.interfaces
        moved = points[self.interface] - points.mean(axis=0) + self.arm
        return _summed(-(force * moved).sum(axis=-1, keepdims=True), self.place, len(self.rows))[..., 0]


def _summed(terms: Floats, places: Ints, count: int) -> Floats:
    """(…, count, k) the sums of terms (…, t, k) at each place."""
    out = np.zeros((count, *terms.shape[:-2], terms.shape[-1]))
    np.add.at(out, places, np.moveaxis(terms, -2, 0))
    return np.moveaxis(out, 0, -2)


def interface_rows(system: System, b: int) -> InterfaceRows:
    """The rows on body number b, found once for a system."""
    known = _rows_by_body(system)
    if b not in known:
        known[b] = _interface_rows(system, b)
    return known[b]


@memoised
def _rows_by_body(system: System) -> dict[int, InterfaceRows]:
    """The requested ones, by body."""
    return {}


def _interface_rows(system: System, b: int) -> InterfaceRows:
    model, plan, ends = system.model, system.plan, system.frame_ends
    body = model.bodies[b]
    modal = None if body.flexible is None else body.flexible.modal
    flexibility = structure(model, body) if modal is None else None
    held = _attachment(model, body, flexibility) if modal is None else modal.attachment
    rows: list[int] = []
    terms: list[tuple[int, int, int, float, int]] = []  # own row, measure, side, factor, interface
    arms: list[Floats] = []
    for group in system.reacting:
        if b not in group.bodies:
            continue
        for i in range(group.start, group.stop):
            for term in range(plan.rows.start[i], plan.rows.start[i + 1]):
                measure, factor = int(plan.rows.measure[term]), float(plan.rows.factor[term])
                for side in (0, 1):
                    end = ends[plan.measures.table[measure, side]]
                    if end.body == held.body:
                        k, arm = held.at(end.point, f"{group.kind} '{group.name}'")
                        terms.append((len(rows), measure, side, factor, k))
                        arms.append(arm)
            rows.append(i)
    places, measures, sides, factors, feet = np.array(terms, dtype=float).reshape(-1, 5).T
    places, measures, sides, feet = (part.astype(np.int64) for part in (places, measures, sides, feet))
    arm_of = np.array(arms, dtype=float).reshape(-1, 3)
    return InterfaceRows(
        flexibility, held, np.array(rows, dtype=np.int64), places, measures, sides, factors, feet, arm_of
    )


def _twist_rows(D: Floats) -> Floats:
    """Rows (…, 3 or 6) on twists as rows (…, 6)."""
    rows = np.zeros((*D.shape[:-1], 6))
    rows[..., list(PLANAR_TWIST) if D.shape[-1] == 3 else slice(None)] = D
    return rows


def _on_interface(D: Floats, axes: Floats, arm: Floats) -> Floats:
    """A row (…, 3 or 6) on a twist in other axes (…, 3, 3) as one (…, 6), on the twist at the other end of an arm."""
    row = _twist_rows(D)
    force, moment = ((axes @ part[..., None])[..., 0] for part in (row[..., :3], row[..., 3:]))
    return np.concatenate([force, moment + np.cross(arm, force)], axis=-1)


def _loads_on(eqs: Equations, held: Attachment, R: Floats, applied: bool) -> Floats:
    """w (…, 6 J) of applied forces, moments and springs on the interfaces, body axes; without gravity."""
    plan, ends = eqs.system.plan, eqs.system.frame_ends
    half = eqs.work.D.shape[-1] // 2
    w, to_body = np.zeros((*R.shape[:-2], len(held.interfaces), 6)), R.swapaxes(-1, -2)
    for e, (frame, in_body, _) in enumerate(plan.wrenches.table.tolist() if applied else ()):
        if ends[frame].body == held.body:
            k, arm = held.at(ends[frame].point, "a load")
            axes = to_body @ _frame_axes(eqs, frame) if in_body else to_body
            w[..., k, :] += _on_interface(eqs.work.load[..., e, :], axes, arm)
    for effort, measure, side, frame, _ in plan.efforts.table.tolist():
        if ends[frame].body == held.body and eqs.work.effort[..., effort].any():
            k, arm = held.at(ends[frame].point, "a spring")
            D = eqs.work.D[..., measure, side * half : (side + 1) * half]
            w[..., k, :] += eqs.work.effort[..., effort, None] * _on_interface(D, to_body, arm)
    return w.reshape(*w.shape[:-2], -1)


def _frame_axes(eqs: Equations, frame: int) -> Floats:
    """The rotation matrix (…, 3, 3) from the axes of a frame to world axes."""
    within, size = axes_of_frames(eqs.work.F[..., frame, :]), eqs.system.dimension
    axes = np.zeros((*within.shape[:-2], 3, 3))
    axes[..., 2, 2] = 1.0
    axes[..., :size, :size] = within.swapaxes(-1, -2)
    return axes


def _thermal_strain(model: Model, body: Body) -> float:
    """ε = α ΔT of uniform heating."""
    if not body.temperature:
        return 0.0
    expansion = expansion_of(model, body)
    assert expansion is not None, "a temperature without expansion is refused with the model"
    return expansion * body.temperature


def spin_unknown(eqs: Equations) -> tuple[str, ...]:
    """Bodies that spin and are stretched by that, while the distribution of their mass is not known."""
    bodies = enumerate(eqs.system.model.bodies)
    bent = [(b, body) for b, body in bodies if body.flexible is not None and deforms_statically(body)]
    return tuple(body.name for b, body in bent if _unknown(interface_rows(eqs.system, b)) and _omega(eqs, b).any())


def _unknown(at: InterfaceRows) -> bool:
    return at.flexibility is not None and at.flexibility.spin is None


def _omega(eqs: Equations, b: int) -> Floats:
    """(…, 1 or 3) angular velocity of body number b [rad/s]."""
    first, sizes = eqs.system.body_v[b], eqs.system.sizes
    return np.asarray(eqs.state.v[..., first + sizes.vector : first + sizes.twist])


def _spin(eqs: Equations, b: int, flexibility: Flexibility, R: Floats) -> Floats:
    """(…, r) deformations D s by the centrifugal field, s the six numbers of ωωᵀ − ω² I in body axes."""
    if flexibility.spin is None:
        return np.zeros(flexibility.L.shape[1])
    w = _omega(eqs, b)
    world = np.zeros((*w.shape[:-1], 3))
    world[..., -w.shape[-1] :] = w  # in the plane about z
    x, y, z = np.moveaxis((world[..., None, :] @ R)[..., 0, :], -1, 0)
    s = np.stack([-y * y - z * z, -x * x - z * z, -x * x - y * y, x * y, x * z, y * z], axis=-1)
    return np.asarray(s @ flexibility.spin.T)
