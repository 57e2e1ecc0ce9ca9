"""Rows of the slip at contacts: the relative velocity of the two surfaces across the normal."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.contact_motion.contact_system import ContactSystem
from reactio.contacts import ContactType
from reactio.errors import ReactioError
from reactio.places import GROUND
from reactio.space.frames import planar_frame, spatial_frame
from reactio.system.equations import Equations


def check_rough(contacts: ContactSystem) -> None:
    """Refuse friction on bodies that are not rigid: their surfaces turn with no angular velocity of their own."""
    for contact in contacts.model.contacts:
        ends = [end.body for end in (contact.surface, *contact.points) if end.body != GROUND]
        soft = [name for name in ends if contacts.model.body(name).kind not in ("rigid", "point")]
        if contact.parameters.get("friction", 0.0) and soft:
            raise ReactioError(
                f"contact '{contact.name}': friction acts on rigid bodies and points only, and '{soft[0]}' is neither. "
                "Give it in absolute coordinates, or leave `friction` out."
            )


def slip_rows(contacts: ContactSystem, eqs: Equations, k: int) -> Floats:
    """T (1 or 2, n) of contact k: the velocity of the surface of b against that of a is T v [m/s].

        T = [−t, −(p − r_a)×t | t, (p − r_b)×t]

    p: point of contact; t: unit vectors across the normal, one in the plane, two in space.  An end stop has none: 0.
    """
    if k >= len(contacts.of):
        return np.zeros((len(contacts.model.gravity) - 1, contacts.whole.n))
    contact, kind = contacts.of[k]
    frame = (planar_frame if contacts.whole.space == "planar" else spatial_frame).plain
    group = contacts.whole.group(contacts.names[k])
    assert group.frames is not None
    A, B = (frame(eqs.work.F, f) for f in group.frames)
    d = np.subtract(B.r, A.r)
    n = _normal(kind, A, d)
    c = -n * (float(n @ d) if kind.normal else contact.parameters[kind.radii[0].name])  # from the origin of B to p
    if kind.axis:
        c = c + _along_rim(n, np.array(B.z), contact.parameters["radius"])  # type: ignore[union-attr, operator]
    T = np.zeros((len(n) - 1, contacts.whole.n))
    for b, arm, sign in zip(group.bodies, (np.add(A.arm, d), np.array(B.arm)), (-1.0, 1.0), strict=True):
        if b < 0:
            continue
        first, last = contacts.whole.body_v[b], contacts.whole.body_v[b + 1]
        reach = arm + c
        for i, t in enumerate(_across(n)):
            T[i, first : first + len(n)] = sign * t
            if last - first > len(n):
                T[i, first + len(n) : last] = sign * _cross(reach, t)
    return T


def _normal(kind: ContactType, A: object, d: Floats) -> Floats:
    """The unit normal from a to b."""
    if not kind.normal:
        return d / np.linalg.norm(d)
    return np.array(A.y if len(d) == 2 else A.z)  # type: ignore[attr-defined]


def _along_rim(n: Floats, b: Floats, radius: float) -> Floats:
    """The part across the normal of the way from the centre of a disc to its point of contact.

    e = b×(n×b),  −r e/|e| points from the centre to the contact;  b: axis of the disc
    """
    e = n - float(n @ b) * b
    down = -radius * e / np.linalg.norm(e)
    return np.asarray(down - float(n @ down) * n)


def _across(n: Floats) -> tuple[Floats, ...]:
    """Unit vectors across a normal."""
    if len(n) == 2:
        return (np.array([n[1], -n[0]]),)
    first = _cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
    first /= np.linalg.norm(first)
    return first, _cross(n, first)


def _cross(a: Floats, b: Floats) -> Floats:
    """a×b in space, its only component in the plane."""
    if len(a) == 2:
        return np.array([a[0] * b[1] - a[1] * b[0]])
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])
