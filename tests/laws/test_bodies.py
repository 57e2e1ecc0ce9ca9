"""Bodies against clouds of mass points: energy, d'Alembert's principle, and what a free body keeps for ever."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from reactio.arrays import Floats
from reactio.bodies import BODIES
from reactio.kinematics.body_state import model_at
from reactio.model.model import Model
from reactio.model.specs import Body
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance, coordinate_rates
from reactio.system.types import State, System

from .scenes import (
    ELEMENTS,
    SIZE,
    SPIN,
    Pose,
    around,
    body_pose,
    body_twist,
    body_velocity,
    elements_of,
    motion_from,
    pose_of,
    random_pose,
    rotation,
)

CASES = [(space, kind) for space in SIZE for kind in BODIES if not BODIES.get(kind).internal]
GRAVITY = {"planar": (0.8, -9.7), "spatial": (0.8, -1.1, -9.7)}


@dataclass(frozen=True, slots=True)
class Cloud:
    """Mass points fixed on a body."""

    m: Floats  # (k,)
    x: Floats  # (k, d) in body axes

    @property
    def center(self) -> Floats:
        return np.asarray(self.m @ self.x / self.m.sum())

    @property
    def inertia(self) -> tuple[float, ...]:
        """About the centre: Σ m d², or Σ m (d² I − d dᵀ) as xx, yy, zz, xy, xz, yz."""
        d = self.x - self.center
        if d.shape[1] == 2:
            return (float(self.m @ (d**2).sum(axis=1)),)
        J = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(self.m, d, strict=True))
        assert isinstance(J, np.ndarray)
        return tuple(J[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def cloud_of(space: str, kind: str, rng: np.random.Generator) -> Cloud:
    """Seven points for a body that turns, one at its origin for one that does not."""
    if BODIES.get(kind).turns:
        return Cloud(rng.uniform(0.2, 1.0, 7), rng.uniform(-0.4, 0.8, (7, SIZE[space])))
    return Cloud(np.array([1.7]), np.zeros((1, SIZE[space])))


def free_body(space: str, kind: str, seed: int, gravity: tuple[float, ...] = ()) -> tuple[System, Cloud]:
    rng = np.random.default_rng(seed)
    cloud, pose = cloud_of(space, kind, rng), random_pose(space, rng)
    turning: dict[str, Any] = {}
    if BODIES.get(kind).turns:
        turning = {"inertia": cloud.inertia, "center": cloud.center, "orientation": pose.orientation}
        turning["angular_velocity"] = rng.uniform(-2, 2, SPIN[space])
    velocity = tuple(rng.uniform(-1, 1, SIZE[space]))
    if kind == "natural":
        turning["elements"] = ELEMENTS[space]
    body = Body("b", cloud.m.sum(), position=tuple(pose.r), velocity=velocity, kind=kind, **turning)
    other = Body("other", 1.0, kind="point")  # so that the body is not the first of all
    return build(Model("free", space, (other, body), gravity=gravity)), cloud


def points(system: System, cloud: Cloud, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Positions and velocities of the mass points in the world."""
    pose, (velocity, w) = body_pose(system, q, "b"), body_twist(system, q, v, "b")
    arms = cloud.x @ pose.R.T
    return pose.r + arms, velocity + np.array([around(w, arm) for arm in arms])


def own(system: System) -> slice:
    return slice(int(system.body_v[1]), int(system.body_v[2]))


def moving_rigidly(system: System, twist: Floats) -> Floats:
    """v (n,) of the other body at rest and b with a twist (velocity, ω), the first numbers of each."""
    v = np.zeros(system.n)
    velocity, w = twist[0, : SIZE[system.space]], twist[1, : SPIN[system.space]]
    v[own(system)] = body_velocity(system, system.q0, "b", velocity, w)
    return v


def accelerating(system: System, twist: Floats, rate: Floats) -> Floats:
    """v̇ (n,) of b with a twist and its rate: for elements α×s + ω×(ω×s) besides the acceleration of the origin."""
    vdot = moving_rigidly(system, rate)
    body = system.model.body("b")
    if body.kind == "natural":
        w, R = twist[1, : SPIN[system.space]], body_pose(system, system.q0, "b").R
        bends = np.array([around(w, around(w, R @ s)) for s in elements_of(body)[0]])
        vdot[own(system)] += bends.ravel()
    return vdot


@pytest.mark.parametrize(("space", "kind"), CASES)
def test_kinetic_energy(space: str, kind: str) -> None:
    for seed in range(5):
        system, cloud = free_body(space, kind, seed)
        e = equations(system)
        M = e.M.toarray()[own(system), own(system)]
        np.testing.assert_allclose(M, M.T, atol=1e-14)  # R J Rᵀ, entry by entry: rounding
        assert np.linalg.eigvalsh(M).min() > 0
        for i in range(5):
            v = moving_rigidly(system, np.random.default_rng(i).uniform(-1, 1, (2, 3)))
            _, velocities = points(system, cloud, system.q0, v)
            energy = 0.5 * cloud.m @ (velocities**2).sum(axis=1)
            # Sums of about twenty terms of one sign: rounding.
            assert v[own(system)] @ M @ v[own(system)] / 2 == pytest.approx(energy, rel=1e-13)


@pytest.mark.parametrize(("space", "kind"), CASES)
def test_dalembert(space: str, kind: str) -> None:
    """(M v̇ − Q)·δ = Σ m (a − g)·δx for every virtual velocity δ: inertia, gyroscopic terms and gravity at once."""
    g = np.array(GRAVITY[space])
    for seed in range(5):
        system, cloud = free_body(space, kind, seed, GRAVITY[space])
        rng = np.random.default_rng(seed)
        twist, rate, other = rng.uniform(-2, 2, (3, 2, 3))
        v, vdot, virtual = (
            moving_rigidly(system, twist),
            accelerating(system, twist, rate),
            moving_rigidly(system, other),
        )
        e = equations(system, State(0.0, system.q0, v))
        w = body_twist(system, system.q0, v, "b")[1]
        a, alpha = rate[0, : SIZE[space]], rate[1, : SPIN[space]] * BODIES.get(kind).turns
        arms = cloud.x @ body_pose(system, system.q0, "b").R.T
        accelerations = np.array([a + around(alpha, s) + around(w, around(w, s)) for s in arms])
        _, displacements = points(system, cloud, system.q0, virtual)
        expected = cloud.m @ ((accelerations - g) * displacements).sum(axis=1)
        found = (e.M @ vdot - e.Q)[own(system)] @ virtual[own(system)]
        # Terms of size 10, about a hundred of them.
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("gravity", [False, True])
@pytest.mark.parametrize(("space", "kind"), CASES)
def test_free_flight(space: str, kind: str, gravity: bool) -> None:
    """Over two seconds, some turns: momentum grows by m g t, angular momentum by that of the weight, energy stays."""
    g = np.array(GRAVITY[space]) if gravity else np.zeros(SIZE[space])
    system, cloud = free_body(space, kind, 2, tuple(g))

    def rhs(t: float, y: Floats) -> Floats:
        q, v = y[: system.nq], y[system.nq :]
        e = equations(system, State(t, q, v))
        C, m = e.C.toarray(), system.m
        K = np.block([[e.M.toarray(), C.T], [C, np.zeros((m, m))]])  # intrinsic rows, where there are any
        return np.concatenate([coordinate_rates(system, q, v), np.linalg.solve(K, np.append(e.Q, e.Gamma))[: system.n]])

    end = 2.0
    flight = solve_ivp(rhs, (0, end), np.concatenate([system.q0, system.v0]), "DOP853", rtol=1e-12, atol=1e-13)
    start, stop = (_kept(system, cloud, y, g) for y in (flight.y[:, 0], flight.y[:, -1]))
    mass = cloud.m.sum()
    # The mass centre falls on a parabola, known exactly; the weight's moment about the world's origin follows from it.
    r, p = start["center"], start["momentum"]
    weight = [_moment(r, mass * g) * end, _moment(p / mass, mass * g) * end**2 / 2]
    # The integrator keeps 1e-12 a step over some hundred steps.
    expected = {
        "momentum": p + mass * g * end,
        "spin": start["spin"] + sum(weight),
        "center": r + p / mass * end + g * end**2 / 2,
        "energy": start["energy"],
    }
    for name, value in expected.items():
        np.testing.assert_allclose(stop[name], value, rtol=1e-9, atol=1e-9)


def _moment(d: Floats, f: Floats) -> Floats:
    return np.cross(d, f) if len(d) == 3 else np.array([d[0] * f[1] - d[1] * f[0]])


def _kept(system: System, cloud: Cloud, y: Floats, g: Floats) -> dict[str, Floats]:
    x, u = points(system, cloud, y[: system.nq], y[system.nq :])
    return {
        "momentum": cloud.m @ u,
        "center": cloud.m @ x / cloud.m.sum(),
        "spin": np.sum([m * _moment(a, b) for m, a, b in zip(cloud.m, x, u, strict=True)], axis=0),
        "energy": np.asarray(cloud.m @ (u**2).sum(axis=1) / 2 - cloud.m @ x @ g),
    }


@pytest.mark.parametrize(("space", "kind"), CASES)
def test_coordinate_rates(space: str, kind: str) -> None:
    """q̇ from v is the derivative of q along a motion whose v is known, also for quaternions not of unit length."""
    system, _ = free_body(space, kind, 3)
    rng = np.random.default_rng(3)
    i, j = system.body_q[1:3]
    motion = motion_from(system.model.body("b"), rng)
    h = 1e-3
    q, v, _ = motion(0.0)
    whole_q, whole_v = np.array(system.q0), np.array(system.v0)
    whole_q[i:j], whole_v[own(system)] = q, v
    rates = coordinate_rates(system, whole_q, whole_v)[i:j]
    (before, *_), (after, *_) = motion(-h), motion(h)
    # A quaternion's length is free, so only the rate across it is determined by ω; error h² of the difference: 1e-6.
    across = np.eye(len(q))
    if kind == "natural" and space == "planar":
        across[4] = 0.0  # the angle is a memory, which only follows
    if len(q) == 7:
        across[3:, 3:] -= np.outer(q[3:], q[3:]) / (q[3:] @ q[3:])
        assert q[3:] @ rates[3:] == pytest.approx(0, abs=1e-14)
    np.testing.assert_allclose(rates, across @ (after - before) / (2 * h), atol=1e-6)


@pytest.mark.parametrize("space", SIZE)
def test_advance_of_elements(space: str) -> None:
    """Elements follow their displacements to first order, about the body origin, and the body stays rigid.

    The nearest rotation is that of the polar decomposition, here by an SVD.
    """
    system, _ = free_body(space, "natural", 4)
    d = np.random.default_rng(4).uniform(-0.1, 0.1, system.n)
    q = advance(system, system.q0, d)
    i, k = int(system.body_q[1]), 4 if space == "planar" else 12
    plain = np.array(system.q0)
    plain[i : i + k] += d[own(system)][:k]
    bent, found = body_pose(system, plain, "b"), body_pose(system, q, "b")
    U, _, V = np.linalg.svd(bent.R)
    np.testing.assert_allclose(found.R, U @ V, atol=1e-14)  # rounding of unit vectors
    np.testing.assert_allclose(found.r, bent.r, atol=1e-14)
    assert np.abs(equations(system, State(0.0, q, system.v0)).Phi).max() < 1e-14
    if space == "planar":
        assert q[i + 4] == pytest.approx(np.arctan2(found.R[1, 0], found.R[0, 0]), abs=1e-14)
    h = 1e-4
    v = moving_rigidly(system, np.random.default_rng(5).uniform(-1, 1, (2, 3)))
    slope = (advance(system, system.q0, h * v) - advance(system, system.q0, -h * v)) / (2 * h)
    np.testing.assert_allclose(slope, across_memory(system, coordinate_rates(system, system.q0, v), slope), atol=1e-7)


def across_memory(system: System, rates: Floats, slope: Floats) -> Floats:
    """q̇ with the rate of the counted angle of a planar body, which is no coordinate."""
    if system.space == "planar":
        rates = np.array(rates)
        place = int(system.body_q[1]) + 4
        rates[place] = slope[place]
    return rates


@pytest.mark.parametrize(("space", "kind"), [case for case in CASES if case[1] != "natural"])
def test_advance_is_the_finite_motion(space: str, kind: str) -> None:
    """``advance`` adds displacements and turns by the rotation vector about world axes."""
    system, _ = free_body(space, kind, 4)
    d = np.random.default_rng(4).uniform(-1, 1, system.n)
    q = advance(system, system.q0, d)
    before, after = (body_pose(system, x, "b") for x in (system.q0, q))
    shift, turn = body_twist(system, system.q0, d, "b")
    moved = Pose(before.r + shift, rotation(turn) @ before.R)
    np.testing.assert_allclose(after.r, moved.r, atol=1e-15)
    np.testing.assert_allclose(after.R, moved.R, atol=1e-14)
    np.testing.assert_allclose(advance(system, q, -d), system.q0, atol=1e-14)


def test_length_of_a_quaternion_does_not_matter() -> None:
    system, _ = free_body("spatial", "rigid", 5, GRAVITY["spatial"])
    q = np.array(system.q0)
    q[-4:] *= 1.7
    e, f = equations(system), equations(system, State(0.0, q, system.v0))
    # One division by the length more: rounding.
    np.testing.assert_allclose(e.M.toarray(), f.M.toarray(), atol=1e-14)
    np.testing.assert_allclose(e.Q, f.Q, atol=1e-13)


def test_inertia_of_the_cloud_is_the_given_one() -> None:
    """The oracle itself: a dumbbell along x has no inertia about x, and one about y and z of m l²/2."""
    J = Cloud(np.ones(2), np.array([[1.0, 0, 0], [-1.0, 0, 0]])).inertia
    assert J == (0, 2, 2, 0, 0, 0)
    assert pose_of((0, 0, 0), (1, 0, 0, 0)).R.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize(("space", "kind"), CASES)
def test_the_fields_of_a_body_hold_all_of_its_state(space: str, kind: str) -> None:
    """(q, v) → model → (q, v)."""
    system, _ = free_body(space, kind, seed=6)
    q = advance(system, system.q0, moving_rigidly(system, np.random.default_rng(7).uniform(-1, 1, (2, 3))))
    v = np.zeros(system.n)
    v[own(system)] = body_velocity(system, q, "b", np.full(SIZE[space], 0.3), np.full(SPIN[space], 0.4))
    again = build(model_at(system, State(0.0, q, v)))
    # A few products of numbers of size 1 lie between a pose and the elements of a natural body.
    np.testing.assert_allclose(again.q0, q, rtol=0, atol=1e-14)
    np.testing.assert_allclose(again.v0, v, rtol=0, atol=1e-14)
