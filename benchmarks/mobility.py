"""Mobility of published mechanisms that counting misjudges: paradoxical, shaky, with cusps, with branches.

Each has the answer of the literature: the admissible velocities δ, and the freedoms f of the largest finite motion; the
answer of ``reactio.mobility`` is printed next to it.  An undecided f is not an error; another number is.  "From memory"
marks answers or dimensions that were not compared with the source.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/mobility.py [NAME …]
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

import reactio
from reactio.arrays import Floats
from reactio.model.files.write import to_yaml
from reactio.model.model import Model

Point = Sequence[float]


@dataclass(frozen=True)
class Published:
    """A mechanism with the answer of the literature."""

    model: Callable[[], Model]
    differential: int  # δ
    finite: int  # f
    cite: str


MECHANISMS: dict[str, Published] = {}


def published(name: str, differential: int, finite: int, cite: str) -> Callable[[Callable[[], Model]], None]:
    """Add the mechanism that a function builds to the table."""

    def add(build: Callable[[], Model]) -> None:
        MECHANISMS[name] = Published(build, differential, finite, cite)

    return add


def numbers(values: Sequence[float] | Floats) -> str:
    """A vector as YAML."""
    return "[" + ", ".join(repr(float(x)) for x in values) + "]"


def read(space: str, bodies: Sequence[str], joints: Sequence[str]) -> Model:
    """A model from lines of YAML."""
    lines = [f"space: {space}", "bodies:", *(f"  {b}" for b in bodies), "joints:", *(f"  {j}" for j in joints)]
    return reactio.parse_model("\n".join(lines))


def bars(points: Mapping[str, Point], fixed: Sequence[str], edges: Sequence[tuple[str, str]]) -> Model:
    """A framework of bars between points, some of them on ground."""

    def end(name: str) -> str:
        return f"{{body: ground, point: {numbers(points[name])}}}" if name in fixed else name

    free = [name for name in points if name not in fixed]
    inside = [(a, b) for a, b in edges if a not in fixed or b not in fixed]
    return read(
        "planar" if len(next(iter(points.values()))) == 2 else "spatial",
        [f"{name}: {{kind: point, mass: 1, position: {numbers(points[name])}}}" for name in free],
        [f"{a}_{b}: {{type: distance, a: {end(a)}, b: {end(b)}}}" for a, b in inside],
    )


def hinged(space: str, places: Mapping[str, Point], joints: Sequence[str]) -> Model:
    """Rigid bodies with their middles, and joints as lines of YAML."""
    inertia = "0.1" if space == "planar" else "[0.1, 0.1, 0.1]"
    return read(
        space,
        [f"{name}: {{mass: 1, inertia: {inertia}, position: {numbers(at)}}}" for name, at in places.items()],
        joints,
    )


def loop(hinges: Sequence[tuple[Point, Point]], kinds: Sequence[str] | None = None) -> Model:
    """A closed loop of links, ground one of them, with a joint on each line (point, direction)."""
    n = len(hinges)
    kinds = kinds or ["type: revolute"] * n
    names = ["ground", *(f"link{k}" for k in range(1, n))]
    middles = [0.5 * (np.array(hinges[k][0]) + np.array(hinges[(k + 1) % n][0])) for k in range(n)]
    joints = [
        f"J{k}: {{{kinds[k]}, bodies: [{names[k - 1]}, {names[k]}], at: {numbers(point)}, axis: {numbers(axis)}}}"
        for k, (point, axis) in enumerate(hinges)
    ]
    return hinged("spatial", dict(zip(names[1:], middles[1:], strict=True)), joints)


def platform(base: Sequence[Point], top: Sequence[Point]) -> Model:
    """A platform on legs of constant length between points of ground and its own, in the given place."""
    joints = [
        f"L{k}: {{type: distance, a: {{body: ground, point: {numbers(a)}}}, b: {{body: top, point: {numbers(b)}}}}}"
        for k, (a, b) in enumerate(zip(base, top, strict=True))
    ]
    return hinged("planar" if len(base[0]) == 2 else "spatial", {"top": [0.0] * len(base[0])}, joints)


def library(name: str, **parameters: float) -> Callable[[], Model]:
    """A mechanism of the library."""
    return lambda: reactio.load(name, **parameters)


def polar(angle: float, radius: float = 1.0) -> list[float]:
    """A point in the plane by its angle [rad]."""
    return [radius * np.cos(angle), radius * np.sin(angle)]


def half_turn(x: Point) -> list[float]:
    """The image of a point or direction under a half turn about z."""
    return [-x[0], -x[1], x[2]]


# ---------------------------------------------------------------------- the library
published("bennett", 1, 1, "Bennett 1903")(library("bennett"))
published("sarrus", 1, 1, "Sarrus 1853")(library("sarrus"))
published("sarrus, flat", 3, 2, "Wohlhart 1996, Kinematotropic linkages")(library("sarrus", fold=0.0))
published("bricard, cube", 1, 1, "Bricard 1897; Schatz 1942")(library("bricard"))
published("five-leg parallelogram", 7, 7, "Wojtyra & Frączek 2012: six links spin")(library("spatial-parallelogram"))
published("double four-bar, flat", 3, 1, "Masarati et al. 2023")(library("double-four-bar", theta=0.0))
published("modified double four-bar, flat", 2, 1, "Masarati et al. 2023")(
    library("modified-double-four-bar", theta=0.0)
)
published("triple four-bar, flat", 2, 1, "Masarati et al. 2023")(library("modified-triple-four-bar", theta=0.0))


# ---------------------------------------------------------------------- the plane
@published("toggle, straight", 1, 0, "Kuznetsov 1991")
def _() -> Model:
    return bars({"A": (0, 0), "M": (1, 0), "B": (2, 0)}, "AB", [("A", "M"), ("M", "B")])


@published("three parallel equal bars", 1, 1, "Whiteley 1999: parallelogram with an additional bar")
def _() -> Model:
    feet = [(0.0, 0.0), (1.0, 0.2), (2.0, -0.1)]
    return platform(feet, [(x + 0.3, y + 1.0) for x, y in feet])


@published("three parallel unequal bars", 1, 0, "Whiteley 1999")
def _() -> Model:
    feet = [(0.0, 0.0), (1.0, 0.2), (2.0, -0.1)]
    return platform(feet, [(x, y + length) for (x, y), length in zip(feet, (1.0, 1.3, 0.8), strict=True)])


@published("three concurrent bars", 1, 0, "Desargues framework: Whiteley 1999")
def _() -> Model:
    feet = [(0.0, 0.0), (2.0, 0.1), (1.2, 3.0)]
    centre = np.array([1.0, 1.0])
    return platform(
        feet, [(np.array(p) + s * (centre - p)).tolist() for p, s in zip(feet, (0.4, 0.5, 0.6), strict=True)]
    )


def bipartite(first: Mapping[str, Point], second: Mapping[str, Point], fixed: Sequence[str]) -> Model:
    """Every point of one set connected with every one of the other."""
    return bars({**first, **second}, fixed, [(a, b) for a in first for b in second])


@published("K33 on two lines", 1, 1, "Dixon 1899, first mechanism; Wunderlich 1976")
def _() -> Model:
    first = {f"A{k}": (x, 0.0) for k, x in enumerate((1.0, 2.0, -1.5))}
    return bipartite(first, {f"B{k}": (0.0, y) for k, y in enumerate((1.0, -2.0, 1.7))}, ("A0", "B0"))


@published("K44 on two rectangles", 1, 1, "Dixon 1899, second mechanism; Wunderlich 1976")
def _() -> Model:
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    first = {f"A{k}": (2.0 * s, 0.7 * t) for k, (s, t) in enumerate(signs)}
    return bipartite(first, {f"B{k}": (0.9 * s, 1.6 * t) for k, (s, t) in enumerate(signs)}, ("A0", "B0"))


@published("K33 on a conic", 1, 0, "Bolker & Roth 1980")
def _() -> Model:
    points = [polar(angle) for angle in (0.1, 0.9, 2.0, 3.3, 4.1, 5.6)]
    first = {f"A{k}": points[2 * k] for k in range(3)}
    return bipartite(first, {f"B{k}": points[2 * k + 1] for k in range(3)}, ("A0", "B0"))


@published("parallelogram, flat", 2, 1, "Wunderlich 1970: parallelogram and antiparallelogram")
def _() -> Model:
    points = {"A": (0, 0), "B": (1, 0), "C": (3, 0), "D": (2, 0)}
    return bars(points, "AD", [("A", "B"), ("B", "C"), ("C", "D")])


@published("kite, flat", 2, 1, "Wunderlich 1970")
def _() -> Model:
    points = {"A": (0, 0), "B": (1, 0), "C": (-1, 0), "D": (2, 0)}
    return bars(points, "AD", [("A", "B"), ("B", "C"), ("C", "D")])


def watt_pair(mirrored: bool) -> Model:
    """Two of Watt's linkages whose couplers a bar connects (Connelly and Servatius)."""
    points, edges, fixed = {}, [], []
    for k, (x, side) in enumerate(((0.0, 1.0), (1.5, -1.0 if mirrored else 1.0))):
        points |= {f"A{k}": (x - side, 0.4), f"P{k}": (x, 0.4), f"B{k}": (x + side, -0.4), f"Q{k}": (x, -0.4)}
        fixed += [f"A{k}", f"B{k}"]
        edges += [(f"A{k}", f"P{k}"), (f"B{k}", f"Q{k}")]
    bodies = [
        f"c{a}{b}: {{mass: 1, inertia: 0.1, position: {numbers(np.add(points[a], points[b]) / 2)}}}" for a, b in edges
    ]
    bodies += [f"k{k}: {{mass: 1, inertia: 0.1, position: [{1.5 * k}, 0]}}" for k in (0, 1)]
    joints = []
    for a, b in edges:
        joints.append(f"{a}: {{type: revolute, bodies: [ground, c{a}{b}], at: {numbers(points[a])}}}")
        joints.append(f"{b}: {{type: revolute, bodies: [c{a}{b}, k{b[1]}], at: {numbers(points[b])}}}")
    return read("planar", bodies, [*joints, "bar: {type: distance, a: k0, b: k1}"])


published("double Watt, cusp", 2, 1, "Connelly & Servatius 1994: one side only, (s − t)² ~ t⁵")(lambda: watt_pair(True))
published("double Watt, tangent", 2, 1, "Connelly & Servatius 1994, both the same way")(lambda: watt_pair(False))


@published("Watt in a slot", 1, 0, "Watt 1784: contact of fifth order with a line")
def _() -> Model:
    bodies = {"left": (-0.5, 0.5), "coupler": (0.0, 0.0), "right": (0.5, -0.5)}
    joints = [
        "A: {type: revolute, bodies: [ground, left], at: [-1, 0.5]}",
        "B: {type: revolute, bodies: [left, coupler], at: [0, 0.5]}",
        "C: {type: revolute, bodies: [coupler, right], at: [0, -0.5]}",
        "D: {type: revolute, bodies: [ground, right], at: [1, -0.5]}",
        "slot: {type: revolute-translational, bodies: [ground, coupler], at: [0, 0], axis: [0, 1]}",
    ]
    return hinged("planar", bodies, joints)


def toggles(count: int) -> Model:
    """Straight toggles in series, the end of each the middle of the next, at right angles to it."""
    points: dict[str, Point] = {"A0": (0, 0), "M": (1, 0), "B1": (2, 0)}
    edges, x, y = [("A0", "M"), ("M", "B1")], 2.0, 0.0
    for k in range(1, count):
        u, v = (0.0, 1.0) if k % 2 else (1.0, 0.0)
        points[f"A{k}"] = (x - u, y - v)
        x, y = x + u, y + v
        points[f"B{k + 1}"] = (x, y)
        edges += [(f"A{k}", f"B{k}"), (f"B{k}", f"B{k + 1}")]
    return bars(points, [*(f"A{k}" for k in range(count)), f"B{count}"], edges)


for stages in (2, 3, 4):
    published(f"{stages} toggles in series", 1, 0, f"Tarnai 1989: rigid at order {2**stages}")(
        lambda stages=stages: toggles(stages)
    )


@published("Peaucellier on its line", 1, 1, "Peaucellier 1873, guided along the line that it draws")
def _() -> Model:
    O, C, angle, spread = np.zeros(2), np.array([1.0, 0.0]), 0.5, 0.6
    P = C + np.array(polar(angle))
    u = P / np.linalg.norm(P)
    n, long = np.array([-u[1], u[0]]), 2.4
    half = float(np.sin(spread))
    Q = u * np.sqrt(long**2 - half**2)
    A, B = Q + half * n, Q - half * n
    R = 2 * Q - P
    points = {"O": O, "C": C, "P": P, "A": A, "B": B, "R": R}
    edges = [("O", "A"), ("O", "B"), ("C", "P"), ("P", "A"), ("P", "B"), ("R", "A"), ("R", "B")]
    model = bars({k: v.tolist() for k, v in points.items()}, "OC", edges)
    line = f"line: {{type: revolute-translational, bodies: [ground, R], at: {numbers(R)}, axis: [0, 1]}}"
    return with_joint(model, line)


def with_joint(model: Model, line: str) -> Model:
    """A model with one joint more, a line of YAML."""
    return reactio.parse_model(to_yaml(model).replace("\njoints:\n", f"\njoints:\n  {line}\n"))


@published("elliptic trammel with a crank", 1, 1, "Cardan 1570: the middle of the bar moves on a circle")
def _() -> Model:
    a = 0.6
    ends, middle = {"X": (2 * np.cos(a), 0.0), "Y": (0.0, 2 * np.sin(a))}, polar(a)
    bodies = {"bar": middle, "x": ends["X"], "y": ends["Y"], "crank": polar(a, 0.5)}
    joints = [
        f"SX: {{type: translational, bodies: [ground, x], at: {numbers(ends['X'])}, axis: [1, 0]}}",
        f"SY: {{type: translational, bodies: [ground, y], at: {numbers(ends['Y'])}, axis: [0, 1]}}",
        f"X: {{type: revolute, bodies: [x, bar], at: {numbers(ends['X'])}}}",
        f"Y: {{type: revolute, bodies: [y, bar], at: {numbers(ends['Y'])}}}",
        f"M: {{type: revolute, bodies: [bar, crank], at: {numbers(middle)}}}",
        "O: {type: revolute, bodies: [ground, crank], at: [0, 0]}",
    ]
    return hinged("planar", bodies, joints)


@published("four-bar with its cognate", 1, 1, "Roberts 1875; Chebyshev 1878")
def _() -> Model:
    """Coupler triangle A B P of the first; the cognate A0 A1 P C1 C0 by parallelogram and similar triangles."""
    A0, B0, A = 0j, 3 + 0j, complex(*polar(1.1))
    reach, side = 2.6, 2.2
    base = B0 - A
    cosine = (abs(base) ** 2 + reach**2 - side**2) / (2 * reach * abs(base))
    B = A + reach * base / abs(base) * np.exp(1j * np.arccos(cosine))
    ratio = 0.6 + 0.5j  # (P − A)/(B − A)
    P = A + ratio * (B - A)
    A1 = A0 + (P - A)
    C0 = A0 + ratio * (B0 - A0)
    C1 = A1 + ratio * (A - A0)
    assert abs(abs(C1 - C0) - abs(ratio * (B - B0))) < 1e-12
    points = {"A0": A0, "B0": B0, "C0": C0, "A": A, "B": B, "P": P, "A1": A1, "C1": C1}
    edges = [("A0", "A"), ("A", "B"), ("B", "B0"), ("A", "P"), ("B", "P")]
    edges += [("A0", "A1"), ("A1", "P"), ("A1", "C1"), ("P", "C1"), ("C1", "C0")]
    return bars({k: (z.real, z.imag) for k, z in points.items()}, ("A0", "B0", "C0"), edges)


@published(
    "focal mechanism",
    1,
    1,
    "Burmester 1893 (from memory)",
)
def _() -> Model:
    """F on bars p, q, r, s to P₁ … P₄ on the sides AB, BC, CD, DA: A P₁ F P₄ ~ F P₃ C P₂, and B P₁ F P₂ ~ F P₃ D P₄.

    The angles of similar quadrilaterals at F are those of the four-bar, so that they add to 2π by themselves.  Those at
    P₁ and P₂ follow from each other by the diagonals AF and BF, each cos ∠P₁ = k cos ∠P₂ + l: one relation if b = BP₁
    is a root of a (1 − s²/r²) b² + (a² + p² − q²a²/r² − s²) b + a (p² − q²) = 0, with a = AP₁.
    """
    p, q, r, s, a = 1.0, 1.34, 1.3, 0.72, 1.13
    b = max(np.roots([a * (1 - (s / r) ** 2), a * a + p * p - (q * a / r) ** 2 - s * s, a * (p * p - q * q)]))
    A, B, F = -a + 0j, b + 0j, p * np.exp(1j * (np.pi - 1.5))
    D = A + (1 + r * r / (a * b)) * (third(A, F, q * a / r, s) - A)
    C = B + (1 + r * r / (a * b)) * (third(F, B, q, b * s / r) - B)
    P3 = C + (D - C) * b / (a + b)
    corners, feet = (A, B, C, D), (0j, third(F, B, q, b * s / r), P3, third(A, F, q * a / r, s))
    assert np.allclose(np.abs(np.array(feet) - F), (p, q, r, s))
    names = ("ground", "bc", "cd", "da")
    bodies = [
        f"{name}: {{mass: 1, inertia: 0.1, position: {numbers((z.real, z.imag))}}}"
        for name, z in zip(names[1:], feet[1:], strict=True)
    ]
    bodies.append(f"F: {{kind: point, mass: 1, position: {numbers((F.real, F.imag))}}}")
    joints = [
        f"{'ABCD'[k]}: {{type: revolute, bodies: [{names[k - 1]}, {names[k]}], at: {numbers((z.real, z.imag))}}}"
        for k, z in enumerate(corners)
    ]
    joints += [f"P{k}: {{type: distance, a: {name}, b: F}}" for k, name in enumerate(names)]
    return read("planar", bodies, joints)


def third(X: complex, Y: complex, from_X: float, from_Y: float) -> complex:
    """The corner of a triangle at distances from the ends of its side X Y, on the left of it."""
    v = Y - X
    along = (abs(v) ** 2 + from_X**2 - from_Y**2) / (2 * abs(v))
    return complex(X + v / abs(v) * (along + 1j * np.sqrt(from_X**2 - along**2)))


@published("angulated scissor ring", 1, 1, "Hoberman 1990; You & Pellegrino 1997")
def _() -> Model:
    """A ring of twelve equal angulated elements about six middle pivots."""
    count = 6
    inner, middle, bend = 1.0, 1.6, np.pi / 6
    outer = 2 * middle * np.cos(bend) - inner  # both arms of an element are equally long
    bodies, joints = {}, []
    pivots = {("m", k): polar(2 * bend * k, middle) for k in range(count)}
    pivots |= {("i", k): polar(2 * bend * k + bend, inner) for k in range(count)}
    pivots |= {("o", k): polar(2 * bend * k + bend, outer) for k in range(count)}
    owners: dict[tuple[str, int], list[str]] = {key: [] for key in pivots}
    for k in range(count):
        for name, ends in (("p", (("i", k - 1), ("o", k))), ("q", (("o", k - 1), ("i", k)))):
            body = f"{name}{k}"
            if body != "p0":
                bodies[body] = pivots["m", k]
            for kind, place in (("m", k), *ends):
                owners[kind, place % count].append("ground" if body == "p0" else body)
    for (kind, k), pair in owners.items():
        joints.append(f"{kind}{k}: {{type: revolute, bodies: [{pair[0]}, {pair[1]}], at: {numbers(pivots[kind, k])}}}")
    return hinged("planar", bodies, joints)


# ---------------------------------------------------------------------- closed loops in space
@published("planar 4R in space", 1, 1, "Grashof 1883; counting gives −2")
def _() -> Model:
    return loop([((x, y, 0.0), (0, 0, 1)) for x, y in ((0, 0), (0.5, 0.8), (2.2, 1.1), (2.0, 0.0))])


@published("spherical 4R", 1, 1, "Hooke 1676; counting gives −2")
def _() -> Model:
    axes = [(0.0, 0.0, 1.0), (0.6, 0.1, 0.8), (0.5, 0.9, 0.6), (-0.3, 0.7, 0.9)]
    return loop([(axis, axis) for axis in axes])


@published("spherical 5R", 2, 2, "Chiang 1988")
def _() -> Model:
    axes = [(0.0, 0.0, 1.0), (0.6, 0.1, 0.8), (0.5, 0.9, 0.6), (-0.3, 0.7, 0.9), (-0.5, 0.1, 0.8)]
    return loop([(axis, axis) for axis in axes])


@published("general 6R", 0, 0, "counting is right")
def _() -> Model:
    random = np.random.default_rng(4)
    return loop([(random.standard_normal(3), random.standard_normal(3)) for _ in range(6)])


@published("general 7R", 1, 1, "counting is right")
def _() -> Model:
    random = np.random.default_rng(4)
    return loop([(random.standard_normal(3), random.standard_normal(3)) for _ in range(7)])


@published("Bricard, line-symmetric", 1, 1, "Bricard 1927")
def _() -> Model:
    random = np.random.default_rng(6)
    lines = [(random.standard_normal(3).tolist(), random.standard_normal(3).tolist()) for _ in range(3)]
    return loop([*lines, *((half_turn(p), half_turn(d)) for p, d in lines)])


@published("Bricard, plane-symmetric", 1, 1, "Bricard 1927")
def _() -> Model:
    """The mirror is y = 0; the first and the fourth hinge lie in it."""
    second, third = ((0.9, 0.8, 0.2), (0.3, 0.5, 1.0)), ((-0.7, 1.1, 0.4), (0.8, -0.2, 0.7))

    def mirrored(line: tuple[Point, Point]) -> tuple[Point, Point]:
        return tuple([v[0], -v[1], v[2]] for v in line)  # type: ignore[return-value]

    first, fourth = ((1.5, 0.0, 0.0), (0.4, 0.0, 1.0)), ((-1.4, 0.0, 0.3), (1.0, 0.0, 0.5))
    return loop([first, second, third, fourth, mirrored(third), mirrored(second)])


@published("Bricard, threefold symmetric", 1, 1, "Chen, You & Tarnai 2005; ring of six tetrahedra")
def _() -> Model:
    hinges = []
    for k in range(6):
        radius, tilt = ((1.0, 0.5), (1.3, -0.9))[k % 2]
        x, y = polar(np.pi / 3 * k)
        hinges.append(((radius * x, radius * y, 0.0), (np.cos(tilt) * x, np.cos(tilt) * y, np.sin(tilt))))
    return loop(hinges)


def denavit_hartenberg(links: Sequence[tuple[float, float, float]], start: Sequence[float]) -> Model:
    """A closed loop of revolute joints from its links (length a, twist α, offset d), closed from rough joint angles.

    A link leads from its joint to the next: a turn θ about z, d along z, then a along x and the twist α about x.
    """

    def frames(theta: Floats) -> list[Floats]:
        T, found = np.eye(4), []
        for turn, (a, alpha, d) in zip(theta, links, strict=True):
            found.append(T)
            c, s, u, w = np.cos(turn), np.sin(turn), np.cos(alpha), np.sin(alpha)
            T = T @ np.array([[c, -s * u, s * w, a * c], [s, c * u, -c * w, a * s], [0, w, u, d], [0, 0, 0, 1]])
        return [*found, T]

    def gap(theta: Floats) -> Floats:
        return np.asarray((frames(theta)[-1] - np.eye(4))[:3].ravel())

    closed = least_squares(gap, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.abs(closed.fun).max() < 1e-12, "the loop does not close"
    return loop([(T[:3, 3], T[:3, 2]) for T in frames(closed.x)[:-1]])


@published("Schatz's linkage", 1, 1, "Schatz 1942; dimensions of Baker, Duclong & Khoo 1982 (from memory)")
def _() -> Model:
    """Three links of one length and two of none at right angles; the axes on ground are parallel, √3 lengths apart."""
    right = np.pi / 2
    links = [(0, right, 0.4), (1, right, 0), (1, right, 0), (1, right, 0), (0, right, 0), (np.sqrt(3), 0, -0.4)]
    return denavit_hartenberg(links, (1.7, -1.46, -2.09, -0.22, 2.61, 0.06))


@published("Altmann's linkage", 1, 1, "Altmann 1954 (from memory): a line-symmetric Bricard linkage, all twists 90°")
def _() -> Model:
    right = np.pi / 2
    half = [(1.0, right, 0.0), (0.0, right, 0.0), (0.7, -right, 0.0)]
    return denavit_hartenberg([*half, *half], 2 * (-1.23, -0.87, 2.45))


def bennett(a: float, alpha: float, b: float, theta: float) -> list[tuple[Floats, Floats]]:
    """The hinges (point, direction) of a Bennett linkage, link a between the first two."""
    beta = float(np.arcsin(b * np.sin(alpha) / a))
    other = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta / 2))
    T, hinges = np.eye(4), [np.eye(4)]
    for turn, length, twist in ((theta, a, alpha), (other, b, beta), (-theta, a, alpha)):
        c, s, u, w = np.cos(turn), np.sin(turn), np.cos(twist), np.sin(twist)
        rotation = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
        along = np.array([[1, 0, 0, length], [0, u, -w, 0], [0, w, u, 0], [0, 0, 0, 1.0]])
        T = T @ rotation @ along
        hinges.append(T)
    return [(M[:3, 3], M[:3, 2]) for M in hinges]


def frame(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats:
    """A frame (4, 4) on two hinges: origin on the first, z along it, x towards the second."""
    z = first[1] / np.linalg.norm(first[1])
    x = second[0] - first[0]
    x = x - z * (z @ x)
    x /= np.linalg.norm(x)
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = np.column_stack([x, np.cross(z, x), z]), first[0]
    return out


def goldberg(a: float, alpha: float, b: float, c: float, theta: float, other: float) -> Model:
    """Two Bennett linkages with a common link of length a, which is taken out."""
    A, B, C, D = bennett(a, alpha, b, theta)  # links AB = a, BC = b, CD = a
    P, Q, R, S = bennett(a, alpha, c, other)
    T = frame(C, D) @ np.linalg.inv(frame(P, Q))  # its link PQ on CD: P on C, Q on D
    R, S = ((T[:3, :3] @ p + T[:3, 3], T[:3, :3] @ d) for p, d in (R, S))
    return loop([A, B, C, S, R])


published("Goldberg 5R", 1, 1, "Goldberg 1943")(lambda: goldberg(1.0, 1.0, 0.8, 0.6, 1.9, 1.2))
published("Myard 5R", 1, 1, "Myard 1931: Bennett linkages with a twist of 90°")(
    lambda: goldberg(1.0, np.pi / 2, 0.7, 0.7, 1.9, 1.3)
)


@published("parallelogram of screws", 1, 1, "Delassus 1922: pitches p₁ − p₂ + p₃ − p₄ = 0")
def _() -> Model:
    places = [(0.0, 0.0, 0.0), (0.5, 0.8, 0.0), (2.5, 0.8, 0.0), (2.0, 0.0, 0.0)]
    kinds = [f"type: screw, pitch: {p}" for p in (0.1, 0.2, 0.3, 0.2)]
    return loop([(p, (0, 0, 1)) for p in places], kinds)


@published("parallelogram of other screws", 0, 0, "Delassus 1922: the condition violated")
def _() -> Model:
    places = [(0.0, 0.0, 0.0), (0.5, 0.8, 0.0), (2.5, 0.8, 0.0), (2.0, 0.0, 0.0)]
    kinds = [f"type: screw, pitch: {p}" for p in (0.1, 0.2, 0.3, 0.25)]
    return loop([(p, (0, 0, 1)) for p in places], kinds)


@published("Miura-ori, 3 × 3 panels", 1, 1, "Miura 1985; Tachi 2009")
def _() -> Model:
    S, V, L, H = 0.8, 0.4, 0.7, 0.5

    def corner(i: int, j: int) -> Floats:
        return np.array([S * i, L * j + V * (i % 2), H * (j % 2)])

    names = {(i, j): "ground" if (i, j) == (1, 1) else f"p{i}{j}" for i in range(3) for j in range(3)}
    middles = {names[i, j]: 0.5 * (corner(i, j) + corner(i + 1, j + 1)) for i, j in names if (i, j) != (1, 1)}
    joints = []
    for i, j in names:
        for di, dj, ends in ((1, 0, ((1, 0), (1, 1))), (0, 1, ((0, 1), (1, 1)))):
            if (i + di, j + dj) in names:
                a, b = (corner(i + x, j + y) for x, y in ends)
                pair = f"[{names[i, j]}, {names[i + di, j + dj]}]"
                place = f"at: {numbers(0.5 * (a + b))}, axis: {numbers(b - a)}"
                joints.append(f"h{i}{j}{di}: {{type: revolute, bodies: {pair}, {place}}}")
    return hinged("spatial", middles, joints)


# ---------------------------------------------------------------------- frameworks and platforms in space
def octahedron(points: Mapping[str, Point]) -> Model:
    """Vertices a, b, c on ground and A, B, C opposite to them; edges between all that are not opposite."""
    names = list(points)
    edges = [(p, q) for k, p in enumerate(names) for q in names[k + 1 :] if p.lower() != q.lower()]
    return bars(points, "abc", edges)


@published("octahedron, regular", 0, 0, "Cauchy 1813")
def _() -> Model:
    eye = np.eye(3)
    return octahedron({**{n: eye[k] for k, n in enumerate("abc")}, **{n: -eye[k] for k, n in enumerate("ABC")}})


@published("octahedron, line-symmetric", 1, 1, "Bricard 1897, first kind")
def _() -> Model:
    points = {"a": (1.0, 0.3, 0.5), "b": (-0.4, 1.2, -0.2), "c": (0.7, -0.9, 0.9)}
    return octahedron({**points, **{n.upper(): half_turn(p) for n, p in points.items()}})


@published("octahedron, plane-symmetric", 1, 1, "Bricard 1897, second kind")
def _() -> Model:
    a, b = (1.0, 0.8, 0.3), (-0.6, 0.9, 0.7)
    c, C = (0.2, 0.0, 1.5), (0.4, 0.0, -1.1)
    return octahedron({"a": a, "b": b, "c": c, "A": (a[0], -a[1], a[2]), "B": (b[0], -b[1], b[2]), "C": C})


@published("octahedron, twisted by 90°", 1, 0, "Wunderlich 1965; Fichter 1986")
def _() -> Model:
    base = {n: (*polar(2 * np.pi / 3 * k), 0.0) for k, n in enumerate("abc")}
    top = {n: (*polar(2 * np.pi / 3 * k + np.pi + np.pi / 2, 0.8), 1.0) for k, n in enumerate("ABC")}
    return octahedron({**base, **top})


@published("Jessen's icosahedron", 1, 0, "Jessen 1967; Goldberg 1978")
def _() -> Model:
    points = {}
    for k in range(3):
        for s in (1, -1):
            for t in (1, -1):
                points[f"v{k}{'pm'[s < 0]}{'pm'[t < 0]}"] = np.roll([2.0 * s, 1.0 * t, 0.0], k)
    names = list(points)
    edges = [
        (p, q)
        for k, p in enumerate(names)
        for q in names[k + 1 :]
        if min(abs(np.sum((points[p] - points[q]) ** 2) - x) for x in (6.0, 16.0)) < 1e-9
    ]
    triangle = next(
        (p, q, r) for p, q in edges for r in names if {(p, r), (q, r)} <= set(edges) | {(b, a) for a, b in edges}
    )
    return bars(points, triangle, edges)


@published("platform on six parallel equal legs", 3, 2, "Husty & Karger 2000: translation")
def _() -> Model:
    base = [(0.0, 0.0, 0.0), (1.0, 0.1, 0.0), (0.3, 0.9, 0.0), (-0.8, 0.5, 0.0), (-0.5, -0.9, 0.0), (0.6, -0.7, 0.0)]
    return platform(base, [(x, y, 1.0) for x, y, _ in base])


@published("platform, line-symmetric", 1, 1, "Borel 1908; Bricard 1906")
def _() -> Model:
    random = np.random.default_rng(8)
    p, q = random.standard_normal((3, 3)), random.standard_normal((3, 3))
    return platform([*p, *q], [*(half_turn(x) for x in q), *(half_turn(x) for x in p)])


@published("platform of Griffis and Duffy", 1, 1, "Griffis & Duffy 1993; Husty & Karger 2000")
def _() -> Model:
    """Corners of a triangle on middles of the sides of an equal one, all around."""
    corners = [np.array([*polar(2 * np.pi / 3 * k), 0.0]) for k in range(3)]
    ring = [x for k in range(3) for x in (corners[k], 0.5 * (corners[k] + corners[(k + 1) % 3]))]
    angle = 0.7
    R = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    top = [R @ ring[(k + 1) % 6] + np.array([0.1, 0.2, 1.1]) for k in range(6)]
    return platform(ring, top)


def three_legs(radius: float, height: float, radial: bool, middle: str) -> Model:
    """A platform on three legs of five freedoms: R ⟂ R, a middle joint, R ∥ to the second, R ∥ to the first.

    The outer axes point to the centre or lie across; the inner ones are at right angles to them and to the leg.  Each
    leg leaves out one rotation, about the normal of its axes.
    """
    bodies: dict[str, Point] = {"top": (0.0, 0.0, height)}
    joints = []
    for k in range(3):
        angle = 2 * np.pi / 3 * k
        out, across = np.array([*polar(angle), 0.0]), np.array([*polar(angle + np.pi / 2), 0.0])
        foot, head = out, radius * out + np.array([0.0, 0.0, height])
        outer = out if radial else across
        inner = np.cross(outer, head - foot)
        # The middle of a leg with a hinge there leaves the line between its ends.
        knee = 0.5 * (foot + head) + (0.3 * np.cross(inner, head - foot) if middle == "revolute" else 0.0)
        chain = ["ground", f"a{k}", f"b{k}", f"c{k}", f"d{k}", "top"]
        places = (foot, foot, knee, head, head)
        axes = (outer, inner, inner if middle == "revolute" else head - foot, inner, outer)
        middles = (foot, 0.5 * (foot + knee), 0.5 * (knee + head), head)
        bodies |= dict(zip(chain[1:-1], middles, strict=True))
        joints += [
            f"J{k}{i}: {{type: {middle if i == 2 else 'revolute'}, bodies: [{chain[i]}, {chain[i + 1]}], "
            f"at: {numbers(places[i])}, axis: {numbers(axes[i])}}}"
            for i in range(5)
        ]
    return hinged("spatial", bodies, joints)


published("3-UPU of Tsai", 3, 3, "Tsai 1996: translations")(lambda: three_legs(0.6, 1.2, False, "prismatic"))
published(
    "3-UPU of SNU, home",
    5,
    3,
    "Bonev & Zlatanov 2001: constraint singularity; Walter, Husty & Pfurner 2009 (f from memory)",
)(lambda: three_legs(0.6, 1.2, True, "prismatic"))
published("DYMO, home", 5, 3, "Zlatanov, Bonev & Gosselin 2002 (from memory): five modes of three freedoms")(
    lambda: three_legs(1.0, 1.2, True, "revolute")
)


@published(
    "Wren platform, legs upright",
    3,
    2,
    "Wohlhart 1996 (from memory): translation or twist; four equations leave two freedoms",
)
def _() -> Model:
    feet = [(*polar(np.pi / 2 * k), 0.0) for k in range(4)]
    return platform(feet, [(x, y, 1.0) for x, y, _ in feet])


def twelve_bars(*directions: tuple[float, float]) -> Callable[[], Model]:
    """A parallelepiped drawn in the plane as a framework; angle [rad] and length of its three directions."""
    steps = np.array([polar(angle, size) for angle, size in directions])
    corners = list(itertools.product((0, 1), repeat=3))
    names = {corner: "v" + "".join(map(str, corner)) for corner in corners}
    edges = [
        (names[a], names[b]) for a, b in itertools.combinations(corners, 2) if np.abs(np.subtract(a, b)).sum() == 1
    ]
    return lambda: bars({name: (np.array(c) @ steps).tolist() for c, name in names.items()}, ("v000", "v100"), edges)


WUNDERLICH = "Wunderlich 1954, as Wohlhart states in the CuikSuite manual: kinematotropic, mobility 1 or 2"
published("Wunderlich's twelve bars", 2, 2, WUNDERLICH)(twelve_bars((0, 1), (1.1, 0.8), (2.0, 0.6)))
published("Wunderlich's twelve bars, a ∥ b", 3, 2, f"{WUNDERLICH}; δ is our own count, not published")(
    twelve_bars((0, 1), (0, 0.8), (1.2, 0.6))
)
published("Wunderlich's twelve bars, flat", 6, 2, f"{WUNDERLICH}; δ is our own count, not published")(
    twelve_bars((0, 1), (0, 0.8), (0, 0.6))
)


def answer(name: str) -> tuple[int, int | None, str, float]:
    """δ and f as Reactio gives them, a verdict on both, and the processor time [s]."""
    case, begin = MECHANISMS[name], time.process_time()
    found = reactio.mobility(case.model())
    right = (found.differential, found.finite) == (case.differential, case.finite)
    verdict = "right" if right else "undecided" if found.finite is None else "WRONG"
    return found.differential, found.finite, verdict, time.process_time() - begin


def main() -> None:
    """Print the table."""
    counts: dict[str, int] = {}
    print(f"{'mechanism':36s} {'δ':>2s} {'f':>2s}   {'ours':>8s}   {'':9s}  {'s':>5s}  source")
    for name in sys.argv[1:] or MECHANISMS:
        case = MECHANISMS[name]
        differential, finite, verdict, seconds = answer(name)
        counts[verdict] = counts.get(verdict, 0) + 1
        ours = f"{differential}, {'–' if finite is None else finite}"
        theirs = f"{case.differential:2d} {case.finite:2d}"
        print(
            f"{name:36s} {theirs}   {ours:>8s}   {verdict:9s}  {seconds:5.2f}  {case.cite}",
            flush=True,
        )
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


if __name__ == "__main__":
    main()
