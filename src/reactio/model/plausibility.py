"""Possible but probably mistaken numbers, missing loads and supports: a remark states each before any answer."""

from __future__ import annotations

import cmath
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from reactio.bodies import BODIES
from reactio.catalogue.places import GROUND, End
from reactio.catalogue.units import quantity
from reactio.errors import listed
from reactio.forces import FORCES, FrameMeasures
from reactio.model.model import Model
from reactio.model.notes import Note, NoteKind
from reactio.model.plausible_stiffness import (
    DENSEST_SOLID,
    MOST_NAMED,
    Remarks,
    extreme_materials,
    stiff_parts,
    wide_beams,
)
from reactio.model.specs import Elastic

GRAVITY_ON_EARTH = 9.81  # [m/s²]
LEAST_GRAVITY, MOST_GRAVITY = 0.2, 100.0  # of planets and moons that carry machines, with room on both sides [m/s²]
MOST_SIZES = 20.0  # sizes of a mechanism between a body and its joints: units mixed up give a hundred or more
MOST_SHIFTED = 0.05  # part of the centre distance by which pitch circles may miss each other: profile shifts
MOST_TURNED = 2 * math.tau  # angle of a body as given [rad]: one turn may be counted on, degrees are more


class FarCentre(NamedTuple):
    """A body whose centre of mass is many sizes of the mechanism away from its joints."""

    body: str
    distance: float  # from the nearest of its joints [m]
    size: float  # the largest distance between two joints of one body [m]


def implausible(model: Model) -> tuple[Note, ...]:
    """Remarks on values of a model that are possible but probably mistakes.

    >>> import reactio
    >>> from dataclasses import replace
    >>> print(*implausible(replace(reactio.load("door"), gravity=(0.0, 0.0, -0.00981))))
    gravity: it is 0.00981 m/s², 0.001 of the 9.81 m/s² on Earth; in a file in metres write 9.81
    """
    checks = (
        _without_loads,
        _odd_gravity,
        _nothing_on_ground,
        _far_bodies,
        _massless_ends,
        _turned_bodies,
        _gear_radii,
        _idle_forces,
        _negative_lengths,
        _impossible_solids,
        _stiff_joints,
        wide_beams,
        extreme_materials,
    )
    return tuple(Note(NoteKind.IMPLAUSIBLE, what, why) for check in checks for what, why in check(model))


def far_centres(model: Model) -> Iterator[FarCentre]:
    """Bodies whose centre of mass is far away from all of their joints, compared with the size of the mechanism."""
    points: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for joint in model.joints:
        for end in (joint.a, joint.b):
            points[end.body].append(end.point)
    size = max(map(_span, points.values()), default=0.0)
    for body in model.bodies:
        near = points.get(body.name, [])
        if near and body.mass and size:
            distance = min(math.dist(body.center, point) for point in near)
            if distance > MOST_SIZES * size:
                yield FarCentre(body.name, distance, size)


def _without_loads(model: Model) -> Remarks:
    """Neither mass nor load: all reactions are zero, and unique where rank allows."""
    moves = any(any(body.velocity) or any(body.angular_velocity) for body in model.bodies)
    weighs = any(body.mass or body.flexible or body.kind not in ("rigid", "natural") for body in model.bodies)
    stressed = any(joint.elastic != Elastic() or "temperature" in joint.parameters for joint in model.joints)
    loaded = moves or weighs or stressed or model.forces or model.contacts
    if model.bodies and not loaded and model.unknown_masses is None:
        count = len(model.bodies)
        bodies = "the body has no mass" if count == 1 else f"none of the {count:,} bodies has a mass"
        yield "loads", f"{bodies} and no force acts, so every reaction is 0"


def _odd_gravity(model: Model) -> Remarks:
    """Gravity in other units than those of the file."""
    g = math.hypot(*model.gravity)
    if g and not LEAST_GRAVITY <= g <= MOST_GRAVITY and any(body.mass for body in model.bodies):
        ratio = g / GRAVITY_ON_EARTH
        right = GRAVITY_ON_EARTH / model.units.factor("acceleration")
        file = "in metres" if model.units.length == "m" else f"with `units: {model.units.length}`"
        cure = f"in a file {file} write {right:.4g}"
        written, earth = quantity(g, "m/s²"), quantity(GRAVITY_ON_EARTH, "m/s²")
        yield "gravity", f"it is {written}, {ratio:.3g} of the {earth} on Earth; {cure}"


def _nothing_on_ground(model: Model) -> Remarks:
    """No joint, contact, spring or bushing between any body and ground."""
    held = _held(model)
    if held and GROUND not in held and not unheld(model):
        falls = ", and fall together" if any(model.gravity) else ""
        yield "ground", f"nothing is attached to it: {len(model.bodies):,} bodies move freely{falls}"


def _far_bodies(model: Model) -> Remarks:
    far = list(far_centres(model))
    if far:
        worst = max(far, key=lambda centre: centre.distance)
        names = listed([f"'{centre.body}'" for centre in far], most=MOST_NAMED)
        yield (
            f"centre of mass of {names}",
            f"it lies {quantity(worst.distance, 'm', 3)} from the joints of '{worst.body}', "
            f"{worst.distance / worst.size:.3g} times the {quantity(worst.size, 'm', 3)} that joints span",
        )


def _massless_ends(model: Model) -> Remarks:
    """Bodies without mass on a single joint, where others have mass: nothing loads or moves them."""
    held = Counter(end.body for joint in model.joints for end in (joint.a, joint.b))
    held.update(end.body for contact in model.contacts for end in (contact.surface, *contact.points))
    ends = (value for force in model.forces for value in force.parameters.values())
    held.update(end.body for end in ends if isinstance(end, End))
    driven = {drive.along.joint for drive in model.drives}
    held.update(end.body for joint in model.joints if joint.name in driven for end in (joint.a, joint.b))
    names = [f"'{body.name}'" for body in model.bodies if body.mass == 0 and not body.flexible and held[body.name] == 1]
    if names and any(body.mass for body in model.bodies):
        yield (
            f"mass of {listed(names, most=MOST_NAMED)}",
            f"it is 0, unlike that of other bodies ({len(names)} of {len(model.bodies)}), and one joint alone holds "
            "each: their weight is missing in every reaction",
        )


def _turned_bodies(model: Model) -> Remarks:
    """Bodies in the plane whose angle is several turns in a file in radians: degrees, most likely."""
    if model.space == "planar" and model.units.angle == "rad":
        for body in model.bodies:
            if body.orientation and abs(angle := body.orientation[0]) > MOST_TURNED:
                turns = f"it is {angle:.4g} rad, {abs(angle) / math.tau:.3g} turns"
                yield f"angle of '{body.name}'", f"{turns}; for degrees write radians({angle:.4g}) or `units: deg`"


def _gear_radii(model: Model) -> Remarks:
    """Gears in the plane whose pitch circles do not touch: their centres are |r_a + r_b| apart, r_b < 0 in a ring."""
    for joint in model.joints if model.space == "planar" else ():
        a, b = joint.parameters.get("radius_a"), joint.parameters.get("radius_b")
        if a is None or b is None:
            continue
        apart = abs(_place(model, joint.b) - _place(model, joint.a))
        if abs(apart - abs(a + b)) <= MOST_SHIFTED * apart:
            continue
        centres, touch = quantity(apart, "m", 4), quantity(abs(a + b), "m", 4)
        cure = ""
        if abs(apart - abs(a - b)) <= MOST_SHIFTED * apart:
            how = "inside each other, as a ring gear and its planet do" if b > 0.0 else "from outside"
            cure = f"; they touch {how} if radius_b has the other sign, {quantity(-b, 'm', 4)}"
        yield (
            f"radius_b of '{joint.name}'",
            f"the centres are {centres} apart, and the pitch circles touch at {touch}{cure}",
        )


def _place(model: Model, end: End) -> complex:
    """x + iy [m] of a point in the plane at the given pose."""
    body = model.ground if end.body == GROUND else model.body(end.body)
    x, y = (*body.position, 0.0, 0.0)[:2]
    return complex(x, y) + cmath.exp(1j * sum(body.orientation)) * complex(*end.point)


def _idle_forces(model: Model) -> Remarks:
    """Forces that act on ground alone."""
    for force in model.forces:
        ends = [value for value in force.parameters.values() if isinstance(value, End)]
        if ends and all(end.body == GROUND for end in ends):
            yield f"force '{force.name}'", "it acts on ground, where it changes nothing"


def _negative_lengths(model: Model) -> Remarks:
    """Springs whose free length is negative: they pull at any length."""
    for force in model.forces:
        length = force.parameters.get("length")
        if isinstance(length, float) and length < 0.0:
            yield f"length of '{force.name}'", f"it is {quantity(length, 'm')}, so that it pulls at any distance"


def _impossible_solids(model: Model) -> Remarks:
    """Moments of inertia that no solid of the mass has: denser than osmium, or far wider than the mechanism."""
    reach = _reach(model)
    for body in model.bodies:
        moment = _mean_moment(body.inertia)
        if not body.mass or not moment:
            continue
        radius = math.sqrt(moment / body.mass)
        solid = f"{quantity(body.mass, 'kg')} with {quantity(moment, 'kg m²', 3)} on average"
        numbers = f"{solid} has a radius of gyration of {quantity(radius, 'm', 3)}"
        if reach and radius > MOST_SIZES * reach:
            yield f"inertia of '{body.name}'", f"{numbers}, {radius / reach:.3g} times the size of the mechanism"
        # A sphere has the least moments of all solids of its mass and density: 2/5 m R², R³ = 3 m/(4πρ).
        density = body.mass / (4 / 3 * math.pi * (radius * math.sqrt(5 / 2)) ** 3)
        if model.space == "spatial" and density > DENSEST_SOLID:
            yield (
                f"inertia of '{body.name}'",
                f"{numbers}: as a solid it has {density:.3g} kg/m³, osmium has 22 600",
            )


def _stiff_joints(model: Model) -> Remarks:
    return stiff_parts(model, _reach(model))


def _reach(model: Model) -> float:
    """The largest distance between two joints, or a joint and the centre of mass, of one body [m]."""
    centres = {body.name: body.center for body in model.bodies}
    points: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for end in (end for joint in model.joints for end in (joint.a, joint.b)):
        points[end.body].append(end.point)
    spans = [[*near, *([centres[name]] if name in centres else [])] for name, near in points.items()]
    return max(map(_span, spans), default=0.0)


def _span(points: Sequence[tuple[float, ...]]) -> float:
    """The largest distance between two points; those far from their mean are tried first, as |p − q| ≤ |p| + |q|."""
    mean = [sum(along) / len(points) for along in zip(*points, strict=True)]
    outwards = sorted(((math.dist(mean, point), point) for point in points), reverse=True)
    span = 0.0
    for k, (radius, point) in enumerate(outwards):
        for other_radius, other in outwards[:k]:
            if radius + other_radius <= span:
                break
            span = max(span, math.dist(point, other))
        if radius + outwards[0][0] <= span:
            break
    return span


def _mean_moment(inertia: tuple[float, ...]) -> float:
    """The mean of the moments about three axes [kg m²], which any rotation leaves as it is."""
    return float(np.mean(inertia[:3])) if inertia else 0.0


def unloaded(model: Model) -> tuple[str, ...]:
    """A hint where neither weights nor forces act, nothing is driven and all parts fit: every reaction is zero."""
    if any(model.gravity) or model.forces or model.drives or not any(body.mass for body in model.bodies):
        return ()
    if any(any(body.velocity) or any(body.angular_velocity) for body in model.bodies) or _fits_badly(model):
        return ()
    g = "[0, -9.81]" if model.space == "planar" else "[0, 0, -9.81]"
    return (f"Nothing loads it: no gravity, force or drive. `gravity: {g}` in the model adds weights.",)


def _fits_badly(model: Model) -> bool:
    """Do misfits, preloads or heat load it from within?"""
    joints, drives = (joint.elastic for joint in model.joints), (drive.elastic for drive in model.drives)
    fits = [*joints, *drives, *(coupling.elastic for coupling in model.couplings)]
    return any(body.temperature for body in model.bodies) or any(
        fit.misfit or fit.preload or fit.temperature or fit.fit for fit in fits
    )


def _held(model: Model) -> set[str]:
    """The bodies, ground among them, that a joint, contact, spring or bushing holds."""
    loads = (load for force in model.forces for load in FORCES.get(force.type).loads(force.parameters))
    between = [load.along for load in loads if isinstance(load.along, FrameMeasures)]
    ends = [end for joint in model.joints for end in (joint.a, joint.b)]
    ends += [end for frames in between for end in (frames.a, frames.b)]
    ends += [end for contact in model.contacts for end in (contact.surface, *contact.points)]
    return {end.body for end in ends}


def unheld(model: Model) -> tuple[str, ...]:
    """A hint where no joint, contact, spring or bushing holds a body, which then moves freely."""
    held = _held(model)
    names = [b.name for b in model.bodies if b.name not in held and not BODIES.get(b.kind).internal]
    if not names:
        return ()
    shown = listed([f"'{name}'" for name in names], most=6)
    return (f"Nothing holds {shown}: {'it moves' if len(names) == 1 else 'they move'} freely.",)
