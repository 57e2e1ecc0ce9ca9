"""Beams: straight segments with sections, joined to trees or frames; joints and loads may be anywhere near them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.linear.precision import GEOMETRY, LOCATED
from reactio.space.twists import skew
from reactio.structures import (
    Description,
    FiniteElements,
    Flexibility,
    Interface,
    MassProperties,
    Particles,
    StructureKind,
    register,
)
from reactio.structures.centrifugal import rigid_load, section_moments, stretch_field
from reactio.structures.condense import condense, mass_properties_of, rigid_mass
from reactio.structures.material import Material, loaded
from reactio.structures.section_forces import Bar, frame_root
from reactio.structures.sections import Section, section

PIECES_PER_SEGMENT = 12  # of a segment whose modes are wanted: the sixth of a free beam is right to a part in 10⁴
BENDING_QUADRATURE = np.polynomial.legendre.leggauss(5)  # exact for the squares of cubics


@dataclass(frozen=True, eq=False)
class Segment:
    """A straight piece from a to b."""

    a: Floats
    b: Floats
    section: Section
    material: Material
    axes: Floats  # (3, 3) rows: along the beam, y and z of the section

    @property
    def length(self) -> float:
        """[m]."""
        return float(np.linalg.norm(self.b - self.a))


def segments(given: Description) -> tuple[Segment, ...]:
    """The segments of a description: one mapping, a list of them, each from … to … or along a path."""
    listed = given.parameters.get("segments", (given.parameters,))
    beam = []
    for entry in listed if isinstance(listed, tuple) else (listed,):
        beam += list(_segment(entry, given))
    if not beam:
        raise ModelError(f"body '{given.name}': its beam has no segment; give `from` and `to`.", given.where)
    return tuple(beam)


def _segment(entry: Mapping[str, Any], given: Description) -> Iterable[Segment]:
    known = ("from", "to", "path", "section", "material", "up", "mass_per_length")
    if not isinstance(entry, Mapping):
        raise ModelError(
            f"body '{given.name}': a segment of its beam is {entry!r}; give `from`, `to` and `section`.", given.where
        )
    for key in entry:
        if key not in known:
            raise ModelError(f"body '{given.name}': beam has no field '{key}'.{did_you_mean(key, known)}", given.where)
    what = f"body '{given.name}': beam"
    path = entry.get("path") or tuple(entry.get(key) for key in ("from", "to"))
    if not isinstance(path, tuple | list) or any(point is None for point in path) or len(path) < 2:
        raise ModelError(f"{what} needs `from` and `to`, or a `path` of points.", given.where)
    if "section" not in entry:
        raise ModelError(f"{what} needs a `section`, such as {{tube: [0.03, 0.026]}}.", given.where)
    points = [_point(point, given) for point in path]
    material = _material(entry.get("material") or given.material, given)
    try:
        shape = section(entry["section"], what, material.nu)
    except ReactioError as error:
        raise ModelError(str(error), given.where) from None
    material = loaded(material, entry, "mass_per_length", shape.A, what, given.where)
    up = None if entry.get("up") is None else _direction(entry["up"], given)
    for a, b in itertools.pairwise(points):
        if not np.linalg.norm(b - a) > 0:
            raise ModelError(
                f"{what} has a segment of no length at ({', '.join(quantity(x, 'm') for x in a.tolist())}).",
                given.where,
            )
        yield Segment(a, b, shape, material, _axes(b - a, _across(b - a) if given.planar and up is None else up))


def _point(given: Any, description: Description) -> Floats:
    if isinstance(given, str):
        if given not in description.markers:
            hint = did_you_mean(given, description.markers)
            raise ModelError(f"body '{description.name}' has no point '{given}' for its beam.{hint}", description.where)
        given = description.markers[given]
    numbers = isinstance(given, tuple | list) and all(isinstance(x, int | float) for x in given)
    if not numbers or len(given) not in (2, 3):
        raise ModelError(
            f"body '{description.name}': {given!r} is not a point of its beam: name a point, or give its coordinates.",
            description.where,
        )
    return np.array([*given, 0.0][:3], dtype=float)


def _direction(up: Any, description: Description) -> Floats:
    if not isinstance(up, tuple | list) or not all(isinstance(x, int | float) for x in up) or not any(up):
        raise ModelError(
            f"body '{description.name}': beam: `up` is {up!r}; give the direction of the height of its section in body "
            "axes, as in [0, 0, 1].",
            description.where,
        )
    return np.array([*up, 0.0][:3], dtype=float)


def _material(name: Any, given: Description) -> Material:
    if isinstance(name, Mapping):
        return Material(**name)
    if name not in given.materials:
        raise ModelError(
            f"body '{given.name}': there is no material '{name}'.{did_you_mean(str(name), given.materials)}",
            given.where,
        )
    return given.materials[name]


def _across(along: Floats) -> Floats:
    """The direction in the plane across a beam of the plane: the height of its section bends there."""
    return np.array([-along[1], along[0], 0.0])


def _axes(along: Floats, up: Floats | None) -> Floats:
    """Axes of a section: x along the beam, z as near to ``up`` as can be (the body's z, or x for a beam along z)."""
    x = along / np.linalg.norm(along)
    wanted = np.eye(3)[0 if abs(x[2]) > 0.9 else 2] if up is None else up
    z = wanted - wanted @ x * x
    if np.linalg.norm(z) < LOCATED * np.linalg.norm(wanted):
        z = np.eye(3)[int(np.abs(x).argmin())]
        z = z - z @ x * x
    z /= np.linalg.norm(z)
    return np.array([x, np.cross(z, x), z])


def _bending(E: float, second: float, shear: float, L: float) -> tuple[float, Floats]:
    """Φ = 12 EI / (κGA L²) and the stiffness of (v₁, θ₁, v₂, θ₂): Timoshenko's beam, exact at its ends."""
    if not shear * L * L > 0.0:
        raise ReactioError(f"A beam of {L:g} m with a shear stiffness of {shear:g} N is too soft for numbers: check E.")
    phi = 0.0 if math.isinf(shear) else 12 * E * second / (shear * L * L)
    a, b = (4 + phi) * L * L, (2 - phi) * L * L
    K = np.array([[12, 6 * L, -12, 6 * L], [6 * L, a, -6 * L, b], [-12, -6 * L, 12, -6 * L], [6 * L, b, -6 * L, a]])
    return phi, E * second / (L**3 * (1 + phi)) * K


def _shapes(s: float, L: float, phi: float) -> tuple[Floats, Floats]:
    """Deflection and rotation at s L for (v₁, θ₁, v₂, θ₂)."""
    c = 1.0 / (1 + phi)
    v = c * np.array(
        [
            1 - 3 * s**2 + 2 * s**3 + phi * (1 - s),
            L * (s - 2 * s**2 + s**3 + phi * (s - s * s) / 2),
            3 * s**2 - 2 * s**3 + phi * s,
            L * (s**3 - s**2 + phi * (s * s - s) / 2),
        ]
    )
    turn = 6 * (s * s - s) / L
    theta = c * np.array([turn, 1 - 4 * s + 3 * s * s + phi * (1 - s), -turn, 3 * s * s - 2 * s + phi * s])
    return v, theta


# Places of (v₁, θ₁, v₂, θ₂) among the twelve displacements, with signs: bending in the planes x-y and x-z.
PLANES = (((1, 5, 7, 11), np.array([1.0, 1.0, 1.0, 1.0])), ((2, 4, 8, 10), np.array([1.0, -1.0, 1.0, -1.0])))


def element(segment: Segment, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """K (12, 12), M (12, 12) and the loads (12, 6) of the centrifugal field, of a piece from a to b; body axes."""
    sec, mat, L = segment.section, segment.material, float(np.linalg.norm(b - a))
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    for (i, j), stiff in (((0, 6), mat.E * sec.A / L), ((3, 9), mat.shear * sec.J / L)):
        K[np.ix_((i, j), (i, j))] += stiff * np.array([[1, -1], [-1, 1]])
    bent = []
    for (places, sign), second, kappa in zip(PLANES, (sec.Iz, sec.Iy), (sec.ky, sec.kz), strict=True):
        phi, k = _bending(mat.E, second, kappa * mat.shear * sec.A, L)
        K[np.ix_(places, places)] += k * np.outer(sign, sign)
        bent.append(phi)
    load = np.zeros((12, 6))
    # Moments per density.
    moments = segment.axes @ section_moments(segment.axes.T @ np.diag([0.0, sec.Iz, sec.Iy]) @ segment.axes)
    for x, weight in zip(*(part.tolist() for part in BENDING_QUADRATURE), strict=True):
        s, w = (x + 1) / 2, weight * L / 2 * mat.density
        N, turning = _interpolation(s, L, bent)
        M += w * (sec.A * N.T @ N + turning.T @ np.diag([sec.Iy + sec.Iz, sec.Iy, sec.Iz]) @ turning)
        load -= w * sec.A * N.T @ segment.axes @ stretch_field((a + s * (b - a))[None])
        load -= w * turning.T @ moments
    T = np.kron(np.eye(4), segment.axes)
    return T.T @ K @ T, T.T @ M @ T, T.T @ load


def _interpolation(s: float, L: float, phi: list[float]) -> tuple[Floats, Floats]:
    """Displacement and rotation (3, 12) of the section at s L, in its own axes."""
    N, turning = np.zeros((3, 12)), np.zeros((3, 12))
    N[0, [0, 6]] = turning[0, [3, 9]] = 1 - s, s
    for axis, axis_turned, (places, sign), shear in zip((1, 2), (2, 1), PLANES, phi, strict=True):
        v, theta = _shapes(s, L, shear)
        N[axis, places] = v * sign
        turning[axis_turned, places] = theta * sign * (1.0 if axis == 1 else -1.0)
    return N, turning


def elements(given: Description, attached: Iterable[Floats] = ()) -> tuple[FiniteElements, list[int]]:
    """Nodes at the ends of segments and where frames are attached; the node of each attached point."""
    pieces, nodes, chosen = divided(given, attached)
    return _assembled(pieces, nodes, given.inside), chosen


def divided(
    given: Description, attached: Iterable[Floats] = ()
) -> tuple[list[tuple[Segment, int, int]], Floats, list[int]]:
    """Pieces between nodes, the nodes (N, 3), and the node of each attached point."""
    parts = segments(given)
    nodes: list[Floats] = []

    def node(x: Floats, size: float) -> int:
        for k, known in enumerate(nodes):
            if np.linalg.norm(known - x) <= GEOMETRY * size:
                return k
        nodes.append(x)
        return len(nodes) - 1

    places = [_nearest_on_axis(parts, point) for point in attached]
    pieces = []
    for i, part in enumerate(parts):
        inside = np.linspace(0.0, 1.0, PIECES_PER_SEGMENT + 1).tolist() if given.inside else (0.0, 1.0)
        cuts = _separate({0.0, 1.0, *(s for j, s in places if j == i)}, inside)
        ends = [node(part.a + s * (part.b - part.a), part.length) for s in cuts]
        pieces += [(part, p, q) for p, q in itertools.pairwise(ends) if p != q]
    chosen = [node(parts[i].a + s * (parts[i].b - parts[i].a), parts[i].length) for i, s in places]
    return pieces, np.array(nodes), chosen


def _separate(needed: set[float], wished: Iterable[float]) -> list[float]:
    """All needed parts of a length, and those wished for that are not close to one of them."""
    close = 0.5 / PIECES_PER_SEGMENT
    return sorted({*needed, *(s for s in wished if all(abs(s - known) > close for known in needed))})


def _nearest_on_axis(parts: tuple[Segment, ...], point: Floats) -> tuple[int, float]:
    """The nearest point of the axis: its segment, and the part of its length."""
    best, nearest = math.inf, (0, 0.0)
    for i, part in enumerate(parts):
        along = part.b - part.a
        s = float(np.clip((point - part.a) @ along / (along @ along), 0.0, 1.0))
        s = 0.0 if s < GEOMETRY else 1.0 if s > 1 - GEOMETRY else s
        far = float(np.linalg.norm(part.a + s * along - point))
        if far < best * (1 - GEOMETRY):
            best, nearest = far, (i, s)
    return nearest


def _particles(pieces: list[tuple[Segment, int, int]], nodes: Floats) -> Particles:
    """Four points of every section at Gauss' places along every piece: they have its mass and its second moments."""
    places, masses, shapes = [], [], []
    for part, p, q in pieces:
        sec, a, along = part.section, nodes[p], nodes[q] - nodes[p]
        L = float(np.linalg.norm(along))
        stiff = ((sec.Iz, sec.ky), (sec.Iy, sec.kz))
        phi = [_bending(part.material.E, second, k * part.material.shear * sec.A, L)[0] for second, k in stiff]
        at = np.concatenate([6 * p + np.arange(6), 6 * q + np.arange(6)])
        far = [(math.sqrt(2 * sec.Iz / sec.A), 0.0), (0.0, math.sqrt(2 * sec.Iy / sec.A))]
        arms = [s * np.array([0.0, *offset]) for offset in far for s in (1.0, -1.0)]  # section axes
        for x, weight in zip(*(rule.tolist() for rule in BENDING_QUADRATURE), strict=True):
            s = (x + 1) / 2
            moves, turns = _interpolation(s, L, phi)
            for arm in arms:
                N = np.zeros((3, 6 * len(nodes)))
                N[:, at] = part.axes.T @ (moves - skew(arm) @ turns) @ np.kron(np.eye(4), part.axes)
                places.append(a + s * along + part.axes.T @ arm)
                masses.append(weight * L / 2 * part.material.density * sec.A / len(arms))
                shapes.append(N)
    return Particles(np.array(places), np.array(masses), np.concatenate(shapes))


def _assembled(pieces: list[tuple[Segment, int, int]], nodes: Floats, inside: bool = False) -> FiniteElements:
    from scipy.sparse import csc_array

    n = 6 * len(nodes)
    K, M, stretch = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, 6))
    for part, p, q in pieces:
        at = np.concatenate([6 * p + np.arange(6), 6 * q + np.arange(6)])
        k, m, load = element(part, nodes[p], nodes[q])
        K[np.ix_(at, at)] += k
        M[np.ix_(at, at)] += m
        stretch[at] += load
    particles = _particles(pieces, nodes) if inside else None
    bars = tuple((p, q) for _, p, q in pieces)
    return FiniteElements(csc_array(K), csc_array(M), nodes, 6, stretch, particles, bars)


def _inertia(given: Description) -> MassProperties | None:
    return mass_properties_of(elements(given)[0])


def _flexibility(given: Description) -> Flexibility:
    """Interfaces are the nodes where arms to joints and loads begin: several arms may share one."""
    points = [np.array(point) for point in given.points]
    lumped = given.inertia if _inertia(given) is None else None
    if lumped is not None:
        points.append(np.array([*lumped.center, 0.0][:3]))  # a massless beam carries its mass there
    pieces, places, nodes = divided(given, points)
    elements = _assembled(pieces, places, given.inside)
    if lumped is not None:
        elements = _with_lump(elements, nodes[-1], lumped)
    held = sorted(set(nodes))
    interfaces = [Interface(f"{k + 1}", elements.nodes[node], np.array([node])) for k, node in enumerate(held)]
    flexibility = condense(elements, interfaces, given.name)
    if not given.inside:
        lumps = () if lumped is None else ((nodes[-1], rigid_mass(lumped)),)
        L = frame_root(places, [_bar(*part) for part in pieces], held, lumps)
        assert flexibility.B is not None
        flexibility = replace(flexibility, L=L, spin=L.T @ (flexibility.B.T @ elements.stretch))
    return replace(flexibility, held=np.array(points), interface_of=tuple(held.index(node) for node in nodes))


def _bar(segment: Segment, start: int, end: int) -> Bar:
    sec, mat = segment.section, segment.material
    shear = [0.0 if math.isinf(k) else 1.0 / (k * mat.shear * sec.A) for k in (sec.ky, sec.kz)]
    soft = np.array([1 / (mat.E * sec.A), *shear, 1 / (mat.shear * sec.J), 1 / (mat.E * sec.Iy), 1 / (mat.E * sec.Iz)])
    turning = mat.density * segment.axes.T @ np.diag([sec.Iy + sec.Iz, sec.Iy, sec.Iz]) @ segment.axes
    return Bar(start, end, segment.axes, soft, mat.density * sec.A, turning)


def _with_lump(elements: FiniteElements, node: int, inertia: MassProperties) -> FiniteElements:
    """A massless structure with the mass of its body on one node, by a rigid arm."""
    from scipy.sparse import csc_array

    M = np.zeros(elements.M.shape)
    J = np.eye(6)
    J[:3, 3:] = skew(elements.nodes[node])  # twist of the node → twist at the origin of the body
    at = 6 * node + np.arange(6)
    lump = J.T @ rigid_mass(inertia) @ J
    M[np.ix_(at, at)] = lump
    load = np.zeros((elements.K.shape[0], 6))
    load[at] = rigid_load(lump, elements.nodes[node])
    return FiniteElements(elements.K, csc_array(M), elements.nodes, 6, load)


BEAM = register(
    StructureKind(
        name="beam",
        doc="Straight segments with sections, joined to trees or frames; joints and loads hold it by rigid arms.",
        flexibility=_flexibility,
        inertia=_inertia,
    )
)
