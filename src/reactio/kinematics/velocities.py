"""Velocities that satisfy the constraints: of all of them the nearest to the given ones, in kinetic energy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, diagonal
from reactio.kinematics.body_state import body_state, centre_velocity
from reactio.kinematics.components import connected_parts, negligible_residuals
from reactio.linear.block_root import inverse_root
from reactio.linear.least_norm import least_norm
from reactio.linear.precision import SINGULAR, SOLUTION
from reactio.linear.scaling import apply
from reactio.system.equations import Equations
from reactio.system.geometry.accuracy import known_accuracy
from reactio.system.types import System

ADDED_INERTIA = SOLUTION  # added to every direction of a body, as part of its largest inertia, where one has none
# Residuals of C v = ν below this part of the velocities of connected bodies, or of 1 m/s, are rounding.
ADMISSIBLE = SOLUTION
UNSURE_VELOCITY = 10.0  # residuals of C v = ν, in units of the accuracy of C, that its errors explain
VELOCITY_PASSES = 3  # the second and third remove rounding


class Violation(NamedTuple):
    """The constraint that velocities violate most."""

    constraint: str  # kind and name of the joint, drive or coupling
    size: float  # |C v − ν|
    unit: str  # m/s or rad/s


class NearestVelocity(NamedTuple):
    """An admissible velocity."""

    v: Floats  # (n,)
    residual: Floats  # (m,) C v − ν; zero where it is rounding


def nearest_admissible(eqs: Equations, given: Floats, free: Floats) -> NearestVelocity:
    """The admissible velocity v (n,) nearest to the given one v₀.

    v = argmin (v − v₀)ᵀ M (v − v₀) with C v = ν:  v = v₀ + L⁻ᵀ (C L⁻ᵀ)⁺ (ν − C v₀),  M = L Lᵀ.

    An impact in the joints would change v₀ to it (Gauss).  It depends neither on the coordinates, nor on the
    point of a body whose velocity is given, nor on the unit of length.
    ``free`` (n,): 0 for velocities that stay as given; where none is admissible then, all of them may change.
    """
    system, half, known = eqs.system, kinetic_root(eqs), known_accuracy(eqs.system)
    rows, columns = system.length / system.row_scale, system.column_scale / system.length  # in metres
    # Directions that are free within the accuracy are followed only where the drives need them.
    cuts = (SINGULAR,) if known is None else (known.closing_cut, SINGULAR)
    for movable, cut in product((free, np.ones_like(free)), cuts):
        v = np.array(given)  # from the given ones again: changes of a failed attempt would count as given
        wrong = eqs.matrix @ v - eqs.nu
        if not np.any(wrong):
            break
        movable_half = apply(half, movable, np.ones(len(free)))
        A = apply(eqs.matrix @ movable_half, rows, np.ones(len(free)))
        for _ in range(VELOCITY_PASSES):
            v = v - movable_half @ least_norm(A, rows * wrong, cut)
            wrong = eqs.matrix @ v - eqs.nu
        speed = 1.0 + connected_parts(eqs).in_rows(rows * np.abs(eqs.nu), np.abs(v / columns))
        slack = ADMISSIBLE if known is None else max(ADMISSIBLE, UNSURE_VELOCITY * known.relative)
        if (np.abs(rows * wrong) <= negligible_residuals(speed, slack)).all():
            return NearestVelocity(v, np.zeros_like(wrong))
    return NearestVelocity(v, wrong)


def kinetic_root(eqs: Equations) -> Any:
    """L⁻ᵀ (n, n) of the mass matrix M = L Lᵀ, block by block.

    Where a body has no mass in some direction, M + 10⁻⁹ S takes its place: S holds the largest inertia of each body
    (1 kg where a model has none) for translations, and on the characteristic length for rotations.  Constraints that
    hold such a direction determine its velocity; only where there is neither constraint nor mass does S decide.
    """
    system = eqs.system
    half = inverse_root(eqs.mass, system.body_v)
    if half is not None:
        return half
    unit = (system.column_scale / system.length) ** 2
    inertia = unit * eqs.mass.diagonal()
    mean = float(inertia[inertia > 0].mean()) if (inertia > 0).any() else 1.0
    largest = np.maximum.reduceat(inertia, system.body_v[:-1])
    S = np.repeat(np.where(largest > 0, largest, mean), np.diff(system.body_v)) / unit
    half = inverse_root(eqs.mass + ADDED_INERTIA * diagonal(S, eqs.mass), system.body_v)
    assert half is not None, "every direction has been given some inertia"
    return half


def largest_change(system: System, q: Floats, before: Floats, after: Floats) -> float:
    """The largest change of a body's velocity, of its centre of mass or by its rotation on the length scale [m/s]."""
    return max((_change(system, b, q, after - before) for b in range(len(system.model.bodies))), default=0.0)


def _change(system: System, b: int, q: Floats, dv: Floats) -> float:
    """The change of the velocity of body number b by dv (n,) [m/s]."""
    body = body_state(system, b, q, dv)
    size = float(np.linalg.norm(centre_velocity(system, b, body)))
    return max(size, system.length * float(np.linalg.norm(body.angular_velocity)))


def largest_violation(system: System, residual: Iterable[float]) -> Violation | None:
    """The constraint with the largest residual C v − ν (m,), where a radian counts as an arc; None where all are 0."""
    size = np.abs(np.asarray(residual))
    if not np.any(size):
        return None
    row = int((size / system.row_scale).argmax())
    group = system.group_of_row(row)
    return Violation(f"{group.kind} '{group.name}'", float(size[row]), f"{group.units[row - group.start]}/s")
