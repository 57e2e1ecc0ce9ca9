"""Every joint type gives way as a six-component bushing does, whatever its freedoms, frames and misfit.

A body b hangs on a bushing Y of the ground and, by the joint X that is tested, on a body m that hangs on a bushing Z.
The wrenches of Y and Z say where both bodies are; then X must satisfy Hooke's law along everything that it blocks,
Wᵀ(u − Δ + K⁻¹ w) = 0, with the blocked wrenches W of a textbook and not of the constraint matrix.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import reactio
from reactio.joints import JOINTS_BY_SPACE

Floats = np.ndarray
SIX, THREE = ("x", "y", "z", "about_x", "about_y", "about_z"), ("x", "y", "about_z")
PITCH, RADIUS, LENGTH = 0.02, 0.07, 0.5


def forces(*axes: int, size: int = 6) -> Floats:
    """Unit wrenches (size, rows) along components."""
    return np.eye(size)[:, list(axes)]


def along(place: tuple[float, ...]) -> Floats:
    """The unit force along a rod, whose moment about its end is none."""
    e = np.array(place) / np.linalg.norm(place)
    return np.concatenate([e, np.zeros(3 if len(e) == 3 else 1)])[:, None]


def rolling() -> Floats:
    """Forces at the foot of a ball whose centre is the origin of B."""
    x, y, z = np.eye(3)
    foot = -RADIUS * z
    return np.array([np.concatenate([e, np.cross(foot, e)]) for e in (x, y, z)]).T


def screw() -> Floats:
    """A nut pushes along its axis and turns back by pitch/2π."""
    W = forces(0, 1, 2, 3, 4)
    W[5, 2] = -PITCH / (2 * np.pi)
    return W


ROD3, ROD2 = (0.3, 0.0, -0.4), (0.3, -0.4)
LINK = (0.3, -0.4, 0.0)  # a link across the z axis of A, on which it turns
GEAR = np.array([[0.0, 1.0, -RADIUS]]).T  # a force across the line of centres at the pitch point, RADIUS before B
ANGLE = 0.35  # of pressure [rad]
TOOTH = np.array([[-np.sin(ANGLE), np.cos(ANGLE), -RADIUS * np.cos(ANGLE)]]).T  # along the line of action
# joint → (wrenches it blocks, origin of B in frame A, parameters).
SPATIAL: dict[str, tuple[Floats, tuple[float, ...], str]] = {
    "constant-velocity": (forces(0, 1, 2, 5), (0, 0, 0), ""),
    "contact-distance": (along(ROD3), ROD3, f"length: {LENGTH}, "),
    "contact-plane": (forces(2), (0.1, 0.2, 0), ""),
    "cylindrical": (forces(0, 1, 3, 4), (0, 0, 0.13), ""),
    "cylindrical-spherical": (along(LINK), (0.3, -0.4, 0.13), ""),
    "distance": (along(ROD3), ROD3, ""),
    "fixed": (forces(*range(6)), (0, 0, 0), ""),
    "knife-edge": (forces(1, 2), (0.1, 0.2, 0), ""),
    "line-on-plane": (forces(2, 4), (0.1, -0.2, 0), ""),
    "orientation": (forces(3, 4, 5), (0.1, -0.2, 0.3), ""),
    "parallel-axes": (forces(3, 4), (0.1, -0.2, 0.3), ""),
    "perpendicular-axes": (forces(5), (0.1, -0.2, 0.3), ""),
    "planar": (forces(2, 3, 4), (0.1, -0.2, 0), ""),
    "point-on-line": (forces(0, 1), (0, 0, 0.13), ""),
    "point-on-plane": (forces(2), (0.1, 0.2, 0), ""),
    "prismatic": (forces(0, 1, 3, 4, 5), (0, 0, 0.13), ""),
    "revolute": (forces(0, 1, 2, 3, 4), (0, 0, 0), ""),
    "revolute-cylindrical": (np.hstack([along(LINK), forces(3, 4)]), (0.3, -0.4, 0.13), ""),
    "revolute-revolute": (np.hstack([along(LINK), forces(2, 3, 4)]), LINK, ""),
    "rolling-sphere": (rolling(), (0.1, 0.2, RADIUS), f"radius: {RADIUS}, "),
    "screw": (screw(), (0, 0, 0), f"pitch: {PITCH}, "),
    "spherical": (forces(0, 1, 2), (0, 0, 0), ""),
    "thread": (screw()[:, 2:3], (0, 0, 0), f"pitch: {PITCH}, "),
    "universal": (forces(0, 1, 2, 5), (0, 0, 0), ""),
}
PLANAR: dict[str, tuple[Floats, tuple[float, ...], str]] = {
    "contact-distance": (along(ROD2), ROD2, f"length: {LENGTH}, "),
    "contact-line": (forces(1, size=3), (0.1, 0), ""),
    "distance": (along(ROD2), ROD2, ""),
    "fixed": (forces(0, 1, 2, size=3), (0, 0), ""),
    "gear": (GEAR, (2 * RADIUS, 0), f"radius_a: {RADIUS}, radius_b: {RADIUS}, "),
    "involute-gear": (
        TOOTH,
        (2 * RADIUS, 0),
        f"radius_a: {RADIUS}, radius_b: {RADIUS}, pressure_angle: {ANGLE}, ",
    ),
    "knife-edge": (forces(1, size=3), (0.1, 0.2), ""),
    "revolute": (forces(0, 1, size=3), (0, 0), ""),
    "revolute-translational": (forces(1, size=3), (0.13, 0), ""),
    "rolling-disc": (np.array([[1, 0, RADIUS], [0, 1, 0]]).T, (0.1, RADIUS), f"radius: {RADIUS}, "),
    "squared-distance": (along(ROD2), ROD2, f"length: {LENGTH}, "),
    "translational": (forces(1, 2, size=3), (0.13, 0), ""),
}
SLIDING = {"knife-edge", "rolling-sphere"}  # rows without a place: seats cannot miss it
# Contacts that stick hold the rows of contact and rolling that are here; discs have a foot that depends on their tilt;
# the frames of these cases are parallel, where an angle between axes is at its end.
ONE_WAY = {"cable", "strut"}  # rods that are slack under half of the loads: tests/sharing/test_gaps.py
OTHERS = {
    "spatial": {"rolling-disc", "contact-disc", "rough-disc", "rough-distance", "rough-plane", "axes-angle"},
    "planar": {"rough-distance", "rough-line"},
}


def test_the_table_knows_every_joint() -> None:
    assert set(SPATIAL) | OTHERS["spatial"] | ONE_WAY == set(JOINTS_BY_SPACE["spatial"])
    assert set(PLANAR) | OTHERS["planar"] | ONE_WAY == set(JOINTS_BY_SPACE["planar"])


class Space:
    """Random frames, matrices and twists of the plane or of space."""

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.rng = size, np.random.default_rng(seed)
        self.names = SIX if size == 6 else THREE
        self.half = 3 if size == 6 else 2

    def turn(self) -> Floats:
        if self.size == 6:
            return np.asarray(Rotation.random(random_state=int(self.rng.integers(2**31))).as_matrix())
        angle = self.rng.uniform(-3, 3)
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def place(self) -> Floats:
        return np.asarray(self.rng.uniform(-1, 1, self.half))

    def stiffness(self, full: bool) -> Floats:
        """Positive definite, N/m and N m/rad."""
        unit = np.array([3e3, 4e3, 2e3, 600, 500, 400.0] if self.size == 6 else [3e3, 4e3, 500.0])
        R = self.rng.standard_normal((self.size, self.size))
        R = (R + R.T) / np.abs(np.linalg.eigvalsh(R + R.T)).max()
        return np.asarray(np.outer(unit, unit) * (np.eye(self.size) + (0.8 if full else 0.0) * R))

    def cross(self, a: Floats, b: Floats) -> Floats:
        return np.cross(a, b) if self.size == 6 else np.array([a[0] * b[1] - a[1] * b[0]])

    def spin(self, omega: Floats, r: Floats) -> Floats:
        return np.cross(omega, r) if self.size == 6 else omega[0] * np.array([-r[1], r[0]])

    def direction(self, R: Floats, given: Floats) -> Floats:
        return R @ given if len(given) == self.half and self.size == 6 else given

    def orientation(self, R: Floats) -> str:
        if self.size == 3:
            return f"angle: {np.arctan2(R[1, 0], R[0, 0]):.17g}"
        x, y, z, w = Rotation.from_matrix(R).as_quat()
        return f"orientation: {numbers([w, x, y, z])}"


def numbers(given: object) -> str:
    return "[" + ", ".join(f"{x:.17g}" for x in np.ravel(np.array(given))) + "]"


def matrix(K: Floats) -> str:
    return "[" + ", ".join(numbers(row) for row in K) + "]"


class Case:
    """Two bodies, two bushings and the joint between them, as a model and as its answer."""

    def __init__(self, space: Space, kind: str, single: bool, full: bool, misfit: bool) -> None:
        self.space, self.single = space, single
        self.W, place, parameters = (SPATIAL if space.size == 6 else PLANAR)[kind]
        self.R = {k: space.turn() for k in ("b", "m", "X", "Y", "Z")}
        self.p = {k: space.place() for k in ("b", "m", "A", "Y", "Z")}
        self.p["X"] = self.p["A"] + self.R["X"] @ np.array(place, dtype=float)
        if kind in (
            "gear",
            "involute-gear",
            "rolling-disc",
        ):  # turned wheels keep their angles: the rows are about those of the bodies
            self.R["b"] = self.R["m"]
        self.K = {k: space.stiffness(full or k == "Y") for k in "XYZ"}
        size = space.size
        self.delta = {k: 1e-4 * space.rng.uniform(-1, 1, size) if misfit else np.zeros(size) for k in "XYZ"}
        if kind.startswith("contact"):
            self.delta["X"] = 0.02 * self.W[:, 0]  # pressed together, as contacts cannot pull
        if kind in SLIDING:
            self.delta["X"][:] = 0.0
        self.force = 500 * space.rng.uniform(-1, 1, space.half)
        stiff = "5e6" if single else matrix(self.K["X"]) if full else numbers(np.diagonal(self.K["X"]))
        self.text = (
            f"space: {'spatial' if size == 6 else 'planar'}\nbodies:\n{self._body('b')}{self._body('m')}joints:\n"
            f"  X: {{type: {kind}, a: {self._end('m', 'A', 'X')}, b: {self._end('b', 'X', 'X')}, {parameters}"
            f"stiffness: {stiff}{self._misfit('X')}}}\n"
            f"  Y: {{type: fixed, a: {self._end('', 'Y', 'Y')}, b: {self._end('b', 'Y', 'Y')}, "
            f"stiffness: {matrix(self.K['Y'])}{self._misfit('Y')}}}\n"
            f"  Z: {{type: fixed, a: {self._end('', 'Z', 'Z')}, b: {self._end('m', 'Z', 'Z')}, "
            f"stiffness: {matrix(self.K['Z'])}{self._misfit('Z')}}}\n"
            f"forces: {{f: {{type: force, at: b, force: {numbers(self.force)}}}}}\n"
        )

    def _body(self, name: str) -> str:
        inertia = "[1, 1, 1]" if self.space.size == 6 else "1"
        turn = self.space.orientation(self.R[name])
        return f"  {name}: {{mass: 1, inertia: {inertia}, position: {numbers(self.p[name])}, {turn}}}\n"

    def _end(self, body: str, point: str, axes: str) -> str:
        if not body:
            return f"{{body: ground, point: {numbers(self.p[point])}, {self.space.orientation(self.R[axes])}}}"
        R = self.R[body].T
        where = numbers(R @ (self.p[point] - self.p[body]))
        return f"{{body: {body}, point: {where}, {self.space.orientation(R @ self.R[axes])}}}"

    def _misfit(self, joint: str) -> str:
        given = zip(self.space.names, self.delta[joint], strict=True)
        listed = ", ".join(f"{name}: {value:.17g}" for name, value in given if value)
        return f", misfit: {{{listed}}}" if listed else ""

    def displaced(self, joint: str, wrench: Floats) -> tuple[Floats, Floats]:
        """The displacement at the world's origin, and the rotation, of the body on a bushing with this reaction."""
        u = self.delta[joint] - np.linalg.solve(self.K[joint], wrench)
        R, half = self.R[joint], self.space.half
        turn = self.space.direction(R, u[half:])
        return R @ u[:half] - self.space.spin(turn, self.p[joint]), turn

    def gap(self, wrenches: dict[str, Floats]) -> float:
        """How far Hooke's law is missed along what X blocks, as part of the displacement there."""
        (v, turn), (w, other) = self.displaced("Y", wrenches["Y"]), self.displaced("Z", wrenches["Z"])
        moved = v - w + self.space.spin(turn - other, self.p["X"])
        u = np.concatenate([self.R["X"].T @ moved, self.space.direction(self.R["X"].T, turn - other)])
        S = self.W @ self.W.T / (self.W.T @ self.W) ** 2 / 5e6 if self.single else np.linalg.inv(self.K["X"])
        missed = self.W.T @ (u - self.delta["X"] + S @ wrenches["X"])
        return float(np.abs(missed).max() / np.abs(u).max())


def solved(case: Case) -> dict[str, Floats]:
    """(force, moment) on body b in axes of frame A, those of stiffness; a rod names its reaction along itself."""
    found = reactio.reactions(reactio.equations(reactio.build(reactio.parse_model(case.text))), "compliance")
    return {
        name: np.concatenate([case.R[name].T @ one.force, case.space.direction(case.R[name].T, one.moment)])
        for name, one in found.items()
    }


CASES = [(6, kind) for kind in SPATIAL] + [(3, kind) for kind in PLANAR]


@pytest.mark.parametrize(("size", "kind"), CASES, ids=[f"{'planar' if s == 3 else 'spatial'}-{k}" for s, k in CASES])
def test_hookes_law_along_what_a_joint_blocks(size: int, kind: str) -> None:
    """By its diagonal, by a full matrix and, for one row, by one number; with seats that fit and that do not."""
    table = SPATIAL if size == 6 else PLANAR
    ways = [(False, False), (False, True)] + ([(True, False)] if table[kind][0].shape[1] == 1 else [])
    for seed, (single, full) in enumerate(ways):
        for misfit in (False, True):
            case = Case(Space(size, seed), kind, single, full, misfit)
            # Both sides in double precision: stiffnesses of 1e5 … 1e7 N/m over arms of a metre.
            assert case.gap(solved(case)) < 1e-10, (single, full, misfit)
