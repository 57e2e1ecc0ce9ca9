"""Masses and inertia tensors that a rigid body can have."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from reactio.errors import ModelError
from reactio.importers.mechanism import Inertia, Mechanism, Note, Part
from reactio.model.checks import LARGEST
from reactio.system.compile.proportions import UNEQUAL

DIGITS = 1e-3  # part by which rounded moments may miss the triangle inequality
ROUNDING = 1e-12  # part of m d², d the distance of the centre, that is left of moments given about the origin

REMEDY = " Correct it, or read the file without masses: `reactio import FILE --geometry`; verdicts need none."


def with_possible_inertia(part: Part, file: str) -> Part:
    """The part, with mass ≥ 0 and principal moments 0 ≤ a ≤ b ≤ c ≤ a + b to all digits, or a refusal.

    What the digits of a file miss of this is put right; more than that no body can have.
    """
    inertia = part.inertia
    if inertia is None:
        return part
    place, what = inertia.place or file, f"part '{part.name}'"
    numbers = (inertia.mass, *inertia.center, *inertia.J.ravel())
    if not all(map(math.isfinite, numbers)):
        raise ModelError(f"{what}: its mass or inertia holds a number that is not finite.", place=place)
    if max(map(abs, numbers)) > LARGEST:
        most = max(numbers, key=abs)
        raise ModelError(f"{what}: its mass or inertia holds {most:g}; check the number and its unit.", place=place)
    if inertia.mass < 0:
        raise ModelError(f"{what}: mass is {inertia.mass:g} kg; it must be not negative.{REMEDY}", place=place)
    moments, axes = np.linalg.eigh(inertia.J)
    a, b, c = (float(x) for x in moments)
    rounding = ROUNDING * inertia.mass * float(inertia.center @ inertia.center)
    missed = DIGITS * abs(c) + rounding
    if a < -missed:
        raise ModelError(f"{what}: a moment of inertia is {a:g} kg m²; it must be not negative.{REMEDY}", place=place)
    if c > a + b + missed:
        raise ModelError(
            f"{what}: principal moments of inertia {a:.4g}, {b:.4g}, {c:.4g} kg m² cannot be: the largest exceeds the "
            f"sum of the others.{REMEDY}",
            place=place,
        )
    if max(-a, c) <= rounding:
        return replace(part, inertia=replace(inertia, J=np.zeros((3, 3))))
    if a >= 0 and c <= a + b:
        return part
    a, b = max(a, 0.0), max(b, 0.0)
    J = axes @ np.diag([a, b, min(max(c, 0.0), a + b)]) @ axes.T
    return replace(part, inertia=replace(inertia, J=J))


def without_what_is_lost(mechanism: Mechanism, length: float) -> Mechanism:
    """The mechanism without masses, and moments over the square of its length [m], that no calculation sees.

    Files give bodies that are there for the eye, or that never turn, an inertia of 1e-20 because a simulator wants one.
    """
    known = [part.inertia for part in mechanism.parts if part.inertia is not None]
    most = max((max(one.mass, float(one.J.diagonal().max()) / length**2) for one in known), default=0.0)
    parts, lost = [], []
    for part in mechanism.parts:
        seen = None if part.inertia is None else _seen(part.inertia, most / UNEQUAL, length)
        if seen is not part.inertia:
            lost.append(part.name)
            part = with_possible_inertia(replace(part, inertia=seen), "")
        parts.append(part)
    if not lost:
        return mechanism
    some = ", ".join(f"'{name}'" for name in lost[:5]) + (", …" if len(lost) > 5 else "")
    why = f"a mass or moment is less than {1 / UNEQUAL:g} of the largest, too small to count: taken as none"
    return replace(mechanism, parts=tuple(parts)).noting(Note("said", f"inertia of {some}", why))


def _seen(inertia: Inertia, least: float, length: float) -> Inertia:
    """What is not less than the least inertia [kg]; moments without a mass are left to be refused."""
    moments, bound = inertia.J.diagonal(), least * length**2
    if 0.0 < inertia.mass < least:
        return replace(inertia, mass=0.0, J=np.zeros((3, 3))) if moments.max() < bound else inertia
    small = (moments > 0.0) & (moments < bound)
    if not small.any():
        return inertia
    J = inertia.J.copy()
    if moments.max() * DIGITS < bound:  # one moment that were left alone would be more than the sum of the others
        small[:] = True
    J[small, :] = J[:, small] = 0.0
    return replace(inertia, J=J)
