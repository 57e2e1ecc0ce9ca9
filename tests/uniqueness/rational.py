"""Mechanisms in rational numbers: each is written once as a model and once, independently, as an exact matrix.

Turns are quaternions with integer entries, so rotation matrices are rational; in the plane they turn about z.
A joint is known here by the wrenches it transmits: small letters are forces along, capital ones moments about the axes
of the joint.  A row of C is the power of such a wrench, f·v + (s × f + m)·ω on each body.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

import reactio
from reactio.catalogue.places import CoordinateName, End
from reactio.functions.polynomial import Polynomial
from reactio.model.specs import Body, Coupling, Drive, Joint

Vector = tuple[Fraction, ...]
Turn = tuple[int, int, int, int]
WRENCHES = {
    "planar": {
        "revolute": "xy",
        "translational": "yZ",
        "fixed": "xyZ",
        "revolute-translational": "y",
        "knife-edge": "y",
    },
    "spatial": {
        "revolute": "xyzXY",
        "spherical": "xyz",
        "prismatic": "xyXYZ",
        "cylindrical": "xyXY",
        "fixed": "xyzXYZ",
        "point-on-plane": "z",
        "universal": "xyzZ",
        "planar": "zXY",
        "point-on-line": "xy",
        "parallel-axes": "XY",
        "constant-velocity": "xyzZ",
        "orientation": "XYZ",
    },
}
USUAL = {"planar": tuple(WRENCHES["planar"]), "spatial": tuple(WRENCHES["spatial"])[:6]}
SLIDES = {"translational": 0, "revolute-translational": 0, "prismatic": 2, "cylindrical": 2, "point-on-plane": 0}
DRIVEN = {"revolute": "Z", "translational": "x", "prismatic": "z"}
PARTICLE = {"planar": ("revolute", "revolute-translational"), "spatial": ("spherical", "point-on-plane")}
TURNS = {
    "planar": [(1, 0, 0, 0), (2, 0, 0, 1), (3, 0, 0, -1), (1, 0, 0, 1), (3, 0, 0, 2)],
    "spatial": [(1, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 1, 1, 1), (2, 1, 0, 0), (1, 2, 2, 4), (3, -1, 1, 2)],
}
AXES = np.array([[Fraction(i == j) for j in range(3)] for i in range(3)])


@dataclass(frozen=True, slots=True)
class Link:
    """A body with its origin and its turn; a particle has no turn."""

    r: Vector
    q: Turn
    particle: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """A joint between bodies a and b (−1: ground): frame B at ``at``, frame A ``slid`` back along the free axis."""

    name: str
    type: str
    a: int
    b: int
    at: Vector
    q: Turn
    slid: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Bodies, joints, driven joints, and geared pairs of revolutes with their ratio."""

    space: str
    links: tuple[Link, ...]
    pairs: tuple[Pair, ...]
    drives: tuple[str, ...] = ()
    gears: tuple[tuple[str, str, int], ...] = ()


def product(p: Turn, q: Turn) -> Turn:
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def inverse(q: Turn) -> Turn:
    return q[0], -q[1], -q[2], -q[3]


@cache
def matrix(q: Turn) -> Any:
    """R v = q v q⁻¹: columns are the turned axes."""
    size = sum(x * x for x in q)
    return np.array([[Fraction(x, size) for x in product(product(q, (0, *e)), inverse(q))[1:]] for e in _UNIT]).T


_UNIT = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def orientation(space: str, q: Turn) -> tuple[float, ...]:
    """As a model gives it: an angle or a unit quaternion."""
    if space == "planar":
        return (2 * math.atan2(q[3], q[0]),)
    return tuple(x / math.hypot(*q) for x in q)


# ---------------------------------------------------------------- as a model, through the public door


def model(mechanism: Mechanism) -> reactio.Model:
    space, joints = mechanism.space, tuple(_joint(mechanism, pair) for pair in mechanism.pairs)
    size = 2 if space == "planar" else 3
    bodies = tuple(
        Body(
            f"body {k}",
            mass=1.0,
            inertia=() if link.particle else (1.0,) * (1 if space == "planar" else 3),
            position=tuple(map(float, link.r[:size])),
            orientation=() if link.particle else orientation(space, link.q),
            kind="point" if link.particle else "rigid",
        )
        for k, link in enumerate(mechanism.links)
    )
    drives = tuple(Drive(f"drive of {name}", CoordinateName(name), Polynomial((0.0, 1.0))) for name in mechanism.drives)
    gears = tuple(
        Coupling(f"gear {i} {j}", "gear", tuple(map(CoordinateName, (i, j))), {"ratio": ratio})
        for i, j, ratio in mechanism.gears
    )
    return reactio.Model("random", space, bodies, joints, drives, gears)


def _joint(mechanism: Mechanism, pair: Pair) -> Joint:
    along = matrix(pair.q)[:, SLIDES.get(pair.type, 0)]
    ends = (
        _end(mechanism, pair.a, np.array(pair.at) - pair.slid * along, pair.q),
        _end(mechanism, pair.b, np.array(pair.at), pair.q),
    )
    return Joint(pair.name, pair.type, *ends)


def _end(mechanism: Mechanism, body: int, at: Any, q: Turn) -> End:
    size = 2 if mechanism.space == "planar" else 3
    if body < 0:
        return End("ground", tuple(map(float, at[:size])), orientation(mechanism.space, q))
    link = mechanism.links[body]
    if link.particle:
        return End(f"body {body}")
    point = matrix(link.q).T @ (at - np.array(link.r))
    turn = orientation(mechanism.space, product(inverse(link.q), q))
    return End(f"body {body}", tuple(map(float, point[:size])), turn)


def constraints(mechanism: Mechanism) -> Any:
    """The labelled C of the model, in floating point."""
    return reactio.equations(reactio.build(model(mechanism))).constraints


# ---------------------------------------------------------------- as an exact matrix


def exact_rows(mechanism: Mechanism) -> dict[str, list[list[int]]]:
    """The rows of C by group, each multiplied until its entries are integers, which keeps every span."""
    by_name = {pair.name: pair for pair in mechanism.pairs}
    groups = {
        pair.name: [_row(mechanism, pair, letter) for letter in WRENCHES[mechanism.space][pair.type]]
        for pair in mechanism.pairs
    }
    for name in mechanism.drives:
        groups[f"drive of {name}"] = [_row(mechanism, by_name[name], DRIVEN[by_name[name].type])]
    for i, j, ratio in mechanism.gears:
        one, other = (_row(mechanism, by_name[k], "Z") for k in (i, j))
        groups[f"gear {i} {j}"] = [[x - ratio * y for x, y in zip(one, other, strict=True)]]
    return {name: [_cleared(row) for row in rows] for name, rows in groups.items()}


def _cleared(row: list[Fraction]) -> list[int]:
    scale = math.lcm(*(x.denominator for x in row))
    return [int(x * scale) for x in row]


def _row(mechanism: Mechanism, pair: Pair, letter: str) -> list[Fraction]:
    """f·v + (s × f + m)·ω on b, less the same on a; a body has six columns, of which a plane keeps three."""
    direction = matrix(pair.q)[:, "xyz".index(letter.lower())]
    nothing = AXES[0] * 0
    force, moment = (direction, nothing) if letter.islower() else (nothing, direction)
    row = np.full((len(mechanism.links), 6), Fraction(0))
    for body, sign in ((pair.a, -1), (pair.b, 1)):
        if body >= 0:
            link = mechanism.links[body]
            row[body, :3] += sign * force
            if not link.particle:
                row[body, 3:] += sign * (cross(np.array(pair.at) - np.array(link.r), force) + moment)
    kept = (0, 1, 5) if mechanism.space == "planar" else range(6)
    return list(row[:, list(kept)].ravel())


def cross(a: Any, b: Any) -> Any:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


# ---------------------------------------------------------------- at random


def random_mechanism(
    rng: np.random.Generator, space: str, extras: bool = False, types: Mapping[str, Iterable[str]] = USUAL
) -> Mechanism:
    """A tree of joints and some more that close loops; few points and directions, so that redundancies appear.

    ``extras``: particles, drives, and gears between two revolutes too; ``types`` of joints in the plane and in space.
    """
    count = int(rng.integers(2, 6))
    turns = TURNS[space]
    places = [_point(rng, space) for _ in range(4)]
    directions = [turns[i] for i in rng.integers(len(turns), size=2)]
    links = [Link(_point(rng, space), turns[int(rng.integers(len(turns)))]) for _ in range(count)]
    ends = [(int(rng.integers(-1, b)), b) for b in range(count)]
    for _ in range(int(rng.integers(0, count + 1))):
        a, b = (int(x) for x in rng.choice(np.arange(-1, count), 2, replace=False))
        ends.append((a, b) if b >= 0 else (b, a))
    names = list(types[space])
    weight = np.array([3.0 if name == "revolute" else 1.0 for name in names])
    pairs = []
    for k, (a, b) in enumerate(ends):
        type = str(rng.choice(names, p=weight / weight.sum()))
        q = turns[int(rng.integers(len(turns)))] if rng.random() < 0.1 else directions[int(rng.integers(2))]
        slid = Fraction(int(rng.integers(-2, 3)), 2) if type in SLIDES else Fraction(0)
        pairs.append(Pair(f"J{k}", type, a, b, places[int(rng.integers(4))], q, slid))
    mechanism = Mechanism(space, tuple(links), tuple(pairs))
    return _with_extras(rng, mechanism) if extras else mechanism


def _point(rng: np.random.Generator, space: str) -> Vector:
    x, y, z = (Fraction(int(i), int(rng.choice((1, 1, 2, 3)))) for i in rng.integers(-3, 4, 3))
    return x, y, z if space == "spatial" else Fraction(0)


def _with_extras(rng: np.random.Generator, mechanism: Mechanism) -> Mechanism:
    count, pairs = len(mechanism.links), list(mechanism.pairs)
    links = list(mechanism.links)
    for k in range(int(rng.integers(0, 3))):
        at = _point(rng, mechanism.space)
        links.append(Link(at, (1, 0, 0, 0), particle=True))
        for copy in range(int(rng.integers(1, 4))):
            type, a = str(rng.choice(PARTICLE[mechanism.space])), int(rng.integers(-1, count))
            q = TURNS[mechanism.space][int(rng.integers(3))]
            pairs.append(Pair(f"P{k}{copy}", type, a, count + k, at, q))
    whole = [p for p in mechanism.pairs if p.type in DRIVEN]
    drives = tuple(p.name for p in whole if rng.random() < 0.15)
    turning = [p.name for p in whole if p.type == "revolute"]
    gears: dict[str, tuple[str, str, int]] = {}
    for _ in range(int(rng.integers(0, 3)) if len(turning) > 1 else 0):
        i, j = (str(name) for name in rng.choice(turning, 2, replace=False))
        gears[f"{i} {j}"] = (i, j, int(rng.choice((-3, -2, 2, 3))))
    return replace(mechanism, links=tuple(links), pairs=tuple(pairs), drives=drives, gears=tuple(gears.values()))


# ---------------------------------------------------------------- the same mechanism written in another way


def stretched(mechanism: Mechanism, by: int | Fraction) -> Mechanism:
    """All lengths multiplied."""
    return replace(
        mechanism,
        links=tuple(replace(link, r=_times(link.r, by)) for link in mechanism.links),
        pairs=tuple(replace(pair, at=_times(pair.at, by), slid=pair.slid * by) for pair in mechanism.pairs),
    )


def moved(mechanism: Mechanism, by: Vector) -> Mechanism:
    """Another origin of the world."""
    return replace(
        mechanism,
        links=tuple(replace(link, r=_plus(link.r, by)) for link in mechanism.links),
        pairs=tuple(replace(pair, at=_plus(pair.at, by)) for pair in mechanism.pairs),
    )


def turned(mechanism: Mechanism, q: Turn) -> Mechanism:
    """Other axes of the world."""
    R = matrix(q)
    return replace(
        mechanism,
        links=tuple(
            replace(link, r=tuple(R @ np.array(link.r)), q=link.q if link.particle else product(q, link.q))
            for link in mechanism.links
        ),
        pairs=tuple(replace(pair, at=tuple(R @ np.array(pair.at)), q=product(q, pair.q)) for pair in mechanism.pairs),
    )


def with_origins_moved(mechanism: Mechanism, by: list[Vector]) -> Mechanism:
    """Other origins of the bodies; a particle has no choice."""
    links = zip(mechanism.links, by, strict=True)
    return replace(mechanism, links=tuple(k if k.particle else replace(k, r=_plus(k.r, shift)) for k, shift in links))


def with_frames_turned(mechanism: Mechanism) -> Mechanism:
    """Joint frames turned where that leaves the joint as it is: about z in space, by a half turn in the plane."""
    about_z: Turn = (2, 0, 0, 1) if mechanism.space == "spatial" else (0, 0, 0, 1)
    free: dict[str, Turn] = {"spherical": (1, 2, -1, 3), "fixed": (1, 2, -1, 3)} if about_z[0] else {}
    still = {p.name for p in mechanism.pairs if p.type == "point-on-plane"}  # it slides along its x axis
    turned = (
        p if p.name in still else replace(p, q=product(p.q, free.get(p.type, about_z)), slid=_half(p, about_z))
        for p in mechanism.pairs
    )
    return replace(mechanism, pairs=tuple(turned))


def _half(pair: Pair, about_z: Turn) -> Fraction:
    return pair.slid if about_z[0] else -pair.slid


def misplaced(mechanism: Mechanism, rng: np.random.Generator, digits: int) -> Mechanism:
    """One joint shifted, tilted or both by up to 6·10^−digits, in lengths and radians; joints of particles stay."""
    i = int(rng.integers(len(mechanism.pairs)))
    pair, size = mechanism.pairs[i], 10**digits
    if any(body >= 0 and mechanism.links[body].particle for body in (pair.a, pair.b)):
        return mechanism
    planar = mechanism.space == "planar"
    shift = [Fraction(int(x), size) for x in rng.integers(-6, 7, 3)]
    tilt = (0, 0, int(rng.integers(-6, 7))) if planar else tuple(int(x) for x in rng.integers(-6, 7, 3))
    kind = int(rng.integers(3))
    if kind != 1:
        pair = replace(pair, at=_plus(pair.at, (*shift[:2], Fraction(0) if planar else shift[2])))
    if kind != 0:
        pair = replace(pair, q=product(pair.q, (2 * size, *tilt)))
    return replace(mechanism, pairs=(*mechanism.pairs[:i], pair, *mechanism.pairs[i + 1 :]))


def permuted(mechanism: Mechanism, rng: np.random.Generator) -> Mechanism:
    """Joints in another order."""
    return replace(mechanism, pairs=tuple(mechanism.pairs[i] for i in rng.permutation(len(mechanism.pairs))))


def _times(v: Vector, by: int | Fraction) -> Vector:
    return tuple(x * by for x in v)


def _plus(v: Vector, by: Vector) -> Vector:
    return tuple(x + y for x, y in zip(v, by, strict=True))
