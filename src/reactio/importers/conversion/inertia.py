"""Masses and inertia tensors that a rigid body can have."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from reactio.errors import ModelError
from reactio.importers.mechanism import Inertia, Mechanism, Part
from reactio.linear.precision import ROUNDOFF
from reactio.model.checks import LARGEST
from reactio.model.notes import Note, NoteKind, NoteTopic
from reactio.system.compile.proportions import MOST_INERTIA_RATIO

# Part of the largest moment by which moments with few digits may violate the triangle inequality.
MOMENT_ROUNDING = 1e-3


def with_plain_inertia(parts: Iterable[Part]) -> list[Part]:
    """The parts whose mass and moments leave no doubt: finite, positive, and 0 < a ≤ b ≤ c ≤ a + b."""
    known = [(part, part.inertia) for part in parts if part.inertia is not None]
    if not known:
        return []
    mass = np.array([inertia.mass for _, inertia in known])
    center, J = np.array([inertia.center for _, inertia in known]), np.array([inertia.J for _, inertia in known])
    numbers = np.column_stack([mass, center, J.reshape(-1, 9)])
    sound = np.isfinite(numbers).all(axis=1) & (np.abs(numbers).max(axis=1) <= LARGEST) & (mass > 0.0)
    a, b, c = np.linalg.eigvalsh(np.where(sound[:, None, None], J, np.eye(3))).T
    rounding = ROUNDOFF * mass * (center**2).sum(axis=1)
    plain = sound & (a > 0.0) & (c <= a + b) & (c > rounding)
    return [part for (part, _), is_plain in zip(known, plain.tolist(), strict=True) if is_plain]


def with_possible_inertia(part: Part, file: str, mend: bool) -> tuple[Part, tuple[Note, ...]]:
    """The part with mass ≥ 0 and principal moments 0 ≤ a ≤ b ≤ c ≤ a + b, and a note where the file gives others.

    Violations within the digits of a file are corrected.  No body has an inertia with larger ones: it is left out, as
    verdicts need none, or replaced by the nearest possible one where that is asked for.
    """
    inertia = part.inertia
    if inertia is None:
        return part, ()
    place, what = inertia.place or file, f"part '{part.name}'"
    numbers = (inertia.mass, *inertia.center, *inertia.J.ravel())
    if not all(map(math.isfinite, numbers)):
        raise ModelError(f"{what}: its mass or inertia holds a number that is not finite.", place=place)
    if max(map(abs, numbers)) > LARGEST:
        most = max(numbers, key=abs)
        raise ModelError(f"{what}: its mass or inertia holds {most:g}; check the number and its unit.", place=place)
    moments, axes = np.linalg.eigh(inertia.J)
    a, b, c = (float(x) for x in moments)
    rounding = ROUNDOFF * abs(inertia.mass) * float(inertia.center @ inertia.center)
    if max(-a, c) <= rounding and inertia.mass >= 0:
        return replace(part, inertia=replace(inertia, J=np.zeros((3, 3)))), ()
    if why := _impossible(inertia.mass, a, b, c, MOMENT_ROUNDING * abs(c) + rounding):
        subject = f"inertia of '{part.name}'"
        if not mend or inertia.mass < 0:
            remedy = "" if inertia.mass < 0 else "; --mend-inertia takes the nearest possible one"
            return replace(part, inertia=None), (
                Note(NoteKind.WARNING, subject, f"{why}: left out{remedy}", NoteTopic.INERTIA),
            )
        notes: tuple[Note, ...] = (
            Note(NoteKind.WARNING, subject, f"{why}: the nearest possible one is taken", NoteTopic.INERTIA),
        )
    elif a >= 0 and c <= a + b:
        return part, ()
    else:
        notes = ()
    a, b = max(a, 0.0), max(b, 0.0)
    J = axes @ np.diag([a, b, min(max(c, 0.0), a + b)]) @ axes.T
    return replace(part, inertia=replace(inertia, J=J)), notes


def _impossible(mass: float, a: float, b: float, c: float, rounding: float) -> str:
    """Why no body has such a mass [kg] and principal moments a ≤ b ≤ c [kg m²]; empty where one may."""
    if mass < 0:
        return f"the mass is {mass:g} kg"
    if a < -rounding:
        return f"a moment of inertia is {a:g} kg m²"
    if c > a + b + rounding:
        return f"of the principal moments {a:.4g}, {b:.4g}, {c:.4g} kg m² the largest exceeds the sum of the others"
    return ""


def without_negligible_inertia(mechanism: Mechanism, length: float) -> Mechanism:
    """The mechanism without masses, and moments over the square of its length [m], that are lost in rounding.

    Files give bodies that are only drawn, or never rotate, an inertia of 1e-20 because a simulator requires one.
    """
    known = [part.inertia for part in mechanism.parts if part.inertia is not None]
    most = max((max(inertia.mass, float(inertia.J.diagonal().max()) / length**2) for inertia in known), default=0.0)
    parts, lost = [], []
    for part in mechanism.parts:
        seen = None if part.inertia is None else _significant(part.inertia, most / MOST_INERTIA_RATIO, length)
        if seen is not part.inertia:
            lost.append(part.name)
            part, _ = with_possible_inertia(replace(part, inertia=seen), "", mend=True)
        parts.append(part)
    if not lost:
        return mechanism
    some = ", ".join(f"'{name}'" for name in lost[:5]) + (", …" if len(lost) > 5 else "")
    why = f"a mass or moment is less than {1 / MOST_INERTIA_RATIO:g} of the largest, too small to count: taken as zero"
    return replace(mechanism, parts=tuple(parts)).with_notes(Note(NoteKind.REMARK, f"inertia of {some}", why))


def _significant(inertia: Inertia, least: float, length: float) -> Inertia:
    """The inertia, zero where it is below ``least`` [kg]; moments without a mass are kept, and refused later."""
    moments, bound = inertia.J.diagonal(), least * length**2
    if 0.0 < inertia.mass < least:
        return replace(inertia, mass=0.0, J=np.zeros((3, 3))) if moments.max() < bound else inertia
    small = (moments > 0.0) & (moments < bound)
    if not small.any():
        return inertia
    J = inertia.J.copy()
    if moments.max() * MOMENT_ROUNDING < bound:  # a single moment that is kept would exceed the sum of the others
        small[:] = True
    J[small, :] = J[:, small] = 0.0
    return replace(inertia, J=J)
