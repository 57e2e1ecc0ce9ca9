"""Feet that only push, misfits, a preloaded clamp and heat at once, in any axes, units and order.

Oracle: three coordinates of the plate; sets of feet that bear are tried until forces push and other feet are clear.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats

WEIGHT, EXPANSION = 98.1, 1.2e-5


class Plate(NamedTuple):
    """A plate of 10 kg on feet (n, 3) along z, and a clamp."""

    feet: Floats
    stiffness: Floats  # (n,) [N/m]
    misfit: Floats  # (n,) [m]
    heat: float  # [K]
    center: Floats
    clamp: Floats
    clamp_stiffness: float
    preload: float  # of the clamp, on the plate [N]; 0 without a clamp


def plate(rng: np.random.Generator) -> Plate:
    count = int(rng.integers(4, 7))
    angle = rng.uniform(0, 2 * np.pi, count)
    angle[:3] = np.array([0.3, 2.4, 4.5]) + rng.normal(0, 0.2, 3)
    return Plate(
        np.column_stack([np.cos(angle), np.sin(angle), rng.uniform(-0.3, 0.3, count)]),
        10 ** rng.uniform(5, 6.5, count),
        rng.normal(0, 1e-4, count),
        float(rng.choice((0.0, 40.0, -30.0))),
        rng.uniform(-0.2, 0.2, 3),
        np.array([0.1, -0.05, rng.uniform(-0.2, 0.2)]),
        float(10 ** rng.uniform(5, 6)),
        -float(rng.uniform(10, 150)) if rng.random() < 0.5 else 0.0,
    )


def borne(given: Plate, weight: float, clamp: float | None, seat: float) -> tuple[Floats, Floats]:
    """Coordinates z, φx, φy of the plate, and forces of the feet; the clamp has a force, or a seat at a height."""
    lever = np.vstack([given.feet, given.clamp]) - given.center
    B = np.column_stack([np.ones(len(lever)), lever[:, 1], -lever[:, 0]])
    seats, k = given.misfit - EXPANSION * given.heat * lever[:-1, 2], given.stiffness
    held = given.preload != 0.0 and clamp is None
    for size in range(len(k), 2 - held, -1):
        for feet in map(list, itertools.combinations(range(len(k)), size)):
            K, f = (B[feet].T * k[feet]) @ B[feet], (k * seats)[feet] @ B[feet] - np.array([weight, 0, 0])
            if held:
                K += given.clamp_stiffness * np.outer(B[-1], B[-1])
            f = f + (given.clamp_stiffness * seat if held else clamp or 0.0) * B[-1]
            if np.linalg.matrix_rank(K) == 3:
                x = np.linalg.solve(K, f)
                push = k * (seats - B[:-1] @ x)
                bears = np.isin(np.arange(len(k)), feet)
                if (push[bears] >= 0.0).all() and (push[~bears] <= 0.0).all():
                    return np.append(x, B[-1] @ x), np.where(bears, push, 0.0)
    raise AssertionError("no feet bear")


def by_hand(given: Plate) -> Floats:
    """Forces of the feet and, if there is one, of the clamp."""
    if not given.preload:
        return borne(given, WEIGHT, None, 0.0)[1]
    seat = given.preload / given.clamp_stiffness + borne(given, 0.0, given.preload, 0.0)[0][-1]
    x, push = borne(given, WEIGHT, None, seat)
    return np.append(push, given.clamp_stiffness * (seat - x[-1]))


def written(given: Plate, turn: Floats, unit: float, backwards: bool) -> str:
    """The model with its world turned, lengths in 1/``unit`` m, and joints in one order or the other."""

    def vector(x: Floats) -> str:
        return str((turn @ x).tolist())

    def joint(name: str, kind: str, at: Floats, k: float, more: str) -> str:
        place = f"bodies: [ground, top], at: {vector(unit * at)}, axis: {vector(np.eye(3)[2])}"
        return f"  {name}: {{type: {kind}, {place}, stiffness: {{z: {k / unit}}}, {more}}}"

    joints = [
        joint(f"f{i}", "contact-plane", at, k, f"misfit: {{z: {unit * off}}}")
        for i, (at, k, off) in enumerate(zip(given.feet, given.stiffness, given.misfit, strict=True))
    ]
    if given.preload:
        more = f"preload: {{z: {given.preload}}}"
        joints.append(joint("clamp", "point-on-plane", given.clamp, given.clamp_stiffness, more))
    heat = f"temperature: {given.heat}, expansion: {EXPANSION}"
    body = f"mass: 10, inertia: {[unit**2] * 3}, position: {vector(unit * given.center)}, {heat}"
    lines = ["space: spatial", f"units: {{length: {'mm' if unit > 1 else 'm'}}}"]
    lines += [f"gravity: {vector(unit * np.array([0, 0, -9.81]))}", f"bodies: {{top: {{{body}}}}}", "joints:"]
    return "\n".join([*lines, *(reversed(joints) if backwards else joints)]) + "\n"


@pytest.mark.parametrize("number", range(16))
def test_everything_at_once(number: int) -> None:
    rng = np.random.default_rng(number)
    given = plate(rng)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    model = reactio.parse_model(written(given, turn, (1.0, 1000.0)[number % 2], number % 3 == 0))
    answer = reactio.reactions(reactio.equations(reactio.build(model)), "compliance")
    names = [*(f"f{i}" for i in range(len(given.feet))), *(["clamp"] if given.preload else [])]
    forces = [turn[:, 2] @ answer[name].force for name in names]
    np.testing.assert_allclose(forces, by_hand(given), atol=1e-7 * WEIGHT)
