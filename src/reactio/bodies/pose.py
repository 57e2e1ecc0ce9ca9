"""Bodies that turn, as the model gives them: position, orientation, twist and inertia."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyState, refuse
from reactio.catalogue.places import End
from reactio.catalogue.units import quantity, unit_name
from reactio.linear.precision import GEOMETRY
from reactio.space.rotations import axes_of

# Places in the parameters p of a body: mass, centre of mass (3), and the inertia about it, which is one number in the
# plane, and xx, yy, zz, xy, xz, yz in space.
MASS, CENTER, INERTIA_TENSOR = 0, 1, 4

# Triangle inequality and positivity are checked to this part of the largest moment: printed tables are rounded.
INERTIA_ROUNDING = GEOMETRY


def mass_parameters(body: Any) -> tuple[float, ...]:
    """Mass [kg], centre of mass (3,) [m], inertia about it (6,) [kg m²]."""
    center = (*body.center, *(0.0,) * (3 - len(body.center)))
    return (body.mass or 0.0, *center, *body.inertia)


def local_planar(body: Any, end: End) -> tuple[float, ...]:
    """Origin [m], angle [rad] and first axis of a frame in body axes."""
    (angle,) = end.orientation
    return (*end.point, angle, math.cos(angle), math.sin(angle))


def local_spatial(body: Any, end: End) -> tuple[float, ...]:
    """Origin [m] and the axes x, y, z of a frame in body axes."""
    x, y, z = axes_of.plain(end.orientation)  # type: ignore[arg-type]
    return (*end.point, *x, *y, *z)


def coordinates(body: Any) -> tuple[Any, Any]:
    """q and v as given."""
    return body.position + body.orientation, body.velocity + body.angular_velocity


def body_state_planar(body: Any, q: Floats, v: Floats) -> BodyState:
    """x, y, φ and their rates; coordinates behind them are elastic ones."""
    return BodyState(q[..., :2], q[..., 2:3], v[..., :2], v[..., 2:3])


def body_state_spatial(body: Any, q: Floats, v: Floats) -> BodyState:
    """Position, quaternion and twist; coordinates behind them are elastic ones."""
    return BodyState(q[..., :3], q[..., 3:7], v[..., :3], v[..., 3:6])


def difference_planar(q: Floats, q_other: Floats) -> Floats:
    """q − q', the angle within half a turn."""
    d = q - q_other
    d[2] = (d[2] + np.pi) % (2 * np.pi) - np.pi
    return d


def difference_spatial(q: Floats, q_other: Floats) -> Floats:
    """q − q', of the two quaternions of an orientation the nearer one."""
    d = q - q_other
    if q[3:7] @ q_other[3:7] < 0:
        d[3:7] = q[3:7] + q_other[3:7]
    return d


def check_inertia(body: Any, path: tuple[str, ...]) -> None:
    """Not negative (zero about the axis of a thin rod, and of a point), none larger than the sum of the other two."""
    size = 1 if len(body.position) == 2 else 6
    where = (*path, "inertia")
    if body.mass == 0 and not body.inertia:
        return
    unit = unit_name("kg m²")
    if not body.inertia:
        example = f"`inertia: {'0.1' if size == 1 else '[0.1, 0.1, 0.1]'}`"
        refuse(
            f"body '{body.name}' has mass but no `inertia`; give it about the centre of mass in {unit}, as in "
            f"{example}, or make it a point mass, `kind: point`.",
            *where,
        )
    if len(body.inertia) != size:
        words = "one number" if size == 1 else "3 or 6 numbers (xx, yy, zz, xy, xz, yz)"
        refuse(f"body '{body.name}': inertia needs {words}, {len(body.inertia)} given.", *where)
    if not all(math.isfinite(x) for x in body.inertia):
        refuse(f"body '{body.name}': inertia contains a number that is not finite.", *where)
    moments = principal_moments(body.inertia)
    if moments[0] < -INERTIA_ROUNDING * moments[-1]:
        refuse(
            f"body '{body.name}': inertia has the principal moment {quantity(moments[0], 'kg m²', 6)}; it must be "
            "positive, or 0 for a point or the axis of a thin rod.",
            *where,
        )
    if size == 6 and moments[2] > (moments[0] + moments[1]) * (1 + INERTIA_ROUNDING):
        refuse(
            f"body '{body.name}': principal moments {', '.join(quantity(x, 'kg m²', 6) for x in moments)} break "
            f"the triangle inequality: the largest exceeds the sum of the others by "
            f"{quantity(moments[2] - moments[0] - moments[1], 'kg m²', 3)}. No body has such an inertia; the unit of "
            f"inertia in this file is {unit}.",
            *where,
        )


def principal_moments(inertia: tuple[float, ...]) -> tuple[float, ...]:
    """The principal moments in ascending order [kg m²]."""
    if len(inertia) == 1:
        return inertia
    xx, yy, zz, xy, xz, yz = inertia
    if xy == xz == yz == 0:
        return tuple(sorted((xx, yy, zz)))
    return tuple(np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).tolist())
