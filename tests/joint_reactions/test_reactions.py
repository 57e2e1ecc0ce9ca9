"""Reactions as force and moment against statics done by hand."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.wrench import joint_wrench
from reactio.model.placing import joint_at
from reactio.model.specs import Body


def multipliers(eqs: reactio.Equations) -> np.ndarray:
    """Some multipliers that balance the equations: the least-squares ones."""
    right = eqs.Q - eqs.M @ accelerations(eqs).vdot
    lam, *_ = np.linalg.lstsq(eqs.C.toarray().T, right, rcond=1e-12)
    assert np.abs(eqs.C.T @ lam - right).max() < 1e-9 * (1 + np.abs(right).max())
    return np.asarray(lam)


def test_hinge_of_a_door_at_rest() -> None:
    """One hinge carries weight m g and the moment m g w/2 about y; in joint axes the same (axis z)."""
    mass, width, g = 25.0, 0.9, 9.81
    system = reactio.build(reactio.load("door", hinges=1, mass=mass, width=width, height=2))
    eqs = reactio.equations(system)
    found = joint_wrench(eqs, "hinge1", multipliers(eqs))
    assert found.body == "door"
    assert found.force == pytest.approx([0, 0, mass * g], abs=1e-9)
    assert found.moment == pytest.approx([0, -mass * g * width / 2, 0], abs=1e-9)
    assert np.linalg.norm(found.force_in_joint) == pytest.approx(mass * g)
    assert found.force_in_joint[2] == pytest.approx(mass * g)


def test_pendulum_against_newton() -> None:
    """A rod pendulum at angle φ with rate ω: the pin force is m (a_c − g), a_c from the known angular acceleration."""
    phi, w, length, mass, g = 0.7, 1.3, 1.0, 2.0, 9.81
    c, s = np.cos(phi), np.sin(phi)
    centre = 0.5 * length * np.array([c, s])
    rod = Body(
        "rod", mass, (mass * length**2 / 12,), tuple(centre), (phi,), tuple(w * np.array([-centre[1], centre[0]])), (w,)
    )
    hinge = joint_at("A", "revolute", "ground", rod, (0.0, 0.0))
    eqs = reactio.equations(reactio.build(reactio.Model("p", "planar", (rod,), (hinge,), gravity=(0.0, -g))))
    alpha = -1.5 * g / length * c  # (m l²/3) α = −m g (l/2) cos φ
    a_c = alpha * np.array([-centre[1], centre[0]]) - w**2 * centre
    found = joint_wrench(eqs, "A", multipliers(eqs))
    assert accelerations(eqs).vdot[2] == pytest.approx(alpha, rel=1e-12)
    assert found.force == pytest.approx(mass * (a_c - np.array([0, -g])), rel=1e-12)
    assert found.moment == pytest.approx([0.0], abs=1e-12)


def test_both_sides_balance() -> None:
    """The wrenches of all joints on a body, taken about one point, sum to M v̇ − Q on it."""
    system = reactio.build(reactio.load("four-bar-spatial"))
    eqs = reactio.equations(system, reactio.assemble(system))
    lam = np.random.default_rng(0).standard_normal(system.m)
    total = np.zeros((len(system.model.bodies), 6))
    for joint in system.model.joints:
        found = joint_wrench(eqs, joint.name, lam)
        for end, sign in ((joint.b, 1.0), (joint.a, -1.0)):
            if end.body == "ground":
                continue
            b = system.model.body_index[end.body]
            lever = found.point - eqs.state.q[system.body_q[b] : system.body_q[b] + 3]
            total[b, :3] += sign * found.force
            total[b, 3:] += sign * (found.moment + np.cross(lever, found.force))
    assert total.reshape(-1) == pytest.approx(-(eqs.C.T @ lam), abs=1e-12)


def test_unknown_joint() -> None:
    eqs = reactio.equations(reactio.build(reactio.load("door")))
    with pytest.raises(reactio.ReactioError, match=r"no joint 'hinge9'.*Did you mean"):
        joint_wrench(eqs, "hinge9", np.zeros(15))
