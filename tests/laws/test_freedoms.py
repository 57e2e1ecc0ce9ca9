"""What a joint leaves free: the count, the rank, the declared twists, and the meaning of every joint without them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from reactio import joints, primitives
from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations

from .manifold import (
    contact_map,
    frames,
    free,
    free_twist,
    joint_rows,
    on_manifold,
    parameter,
    relative_twist,
    stepped,
    turning_map,
)
from .scenes import JOINTS, SIZE, SPIN, clear_pose, joint_model, rigid_motion

KINDS = (("rigid", "rigid"), (GROUND, "rigid"), ("rigid", GROUND))
NATURAL = (("natural", "natural"), ("rigid", "natural"), (GROUND, "natural"), ("natural", GROUND))
CASES = [(space, name, kinds) for space, name in JOINTS for kinds in KINDS + NATURAL]


@pytest.mark.parametrize(("space", "name"), JOINTS)
def test_rows_and_freedoms_make_three_or_six(space: str, name: str) -> None:
    kind = joints.JOINTS_BY_SPACE[space].get(name)
    assert len(kind.rows) + len(kind.free) == {"planar": 3, "spatial": 6}[space]
    assert len({f.name for f in kind.free}) == len(kind.free)
    assert len({row.name for row in kind.rows}) == len(kind.rows)


def test_every_primitive_is_used() -> None:
    for space, registry in primitives.PRIMITIVES_BY_SPACE.items():
        kinds = joints.JOINTS_BY_SPACE[space].values()
        rows = [row.combination for kind in kinds for row in (*kind.rows, *kind.rows_in_world)]
        coordinates = [c for kind in kinds for c in kind.coordinates.values()]
        used = {m.primitive.name for c in rows + coordinates for _, m in c.terms}
        assert used == set(registry)


@pytest.mark.parametrize(("space", "name", "kinds"), CASES)
def test_rows_are_independent(space: str, name: str, kinds: tuple[str, str]) -> None:
    """Rank = number of rows, and still so with each coordinate that can be driven."""
    for seed in range(3):
        e = on_manifold(space, name, kinds, seed)
        # Bodies of size 1 at random poses: the smallest singular value lies far from both zero and rounding.
        C = e.C.toarray()
        assert np.linalg.matrix_rank(C[joint_rows(e.system)], 1e-6) == len(joints.JOINTS_BY_SPACE[space].get(name).rows)
        assert np.linalg.matrix_rank(C, 1e-6) == e.system.m


@pytest.mark.parametrize(("space", "name", "kinds"), CASES)
def test_declared_twists_are_free(space: str, name: str, kinds: tuple[str, str]) -> None:
    """The rows annihilate every declared twist; its own coordinate runs at unit rate along it, the others rest."""
    for seed in range(3):
        e = on_manifold(space, name, kinds, seed)
        for one in free(space, name):
            if not one.axis:
                continue
            v = relative_twist(e, *free_twist(e, one))
            if GROUND not in kinds:
                v += rigid_motion(e.system, e.state.q, np.full(SIZE[space], 0.3), np.full(SPIN[space], -0.4))
            rates = e.C @ v
            # The pose fulfils the joint to 1e-13; the rest is rounding.
            np.testing.assert_allclose(rates[joint_rows(e.system)], 0, atol=1e-12)
            for other in e.system.groups:
                if other.kind == "drive":
                    expected = 1.0 if other.name == f"drive-{one.name}" else 0.0
                    assert rates[other.start] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("space", "name"), JOINTS)
def test_declared_twists_are_free_over_large_motions(space: str, name: str) -> None:
    """Moving B along the free twists by finite amounts, one after the other, never leaves the joint."""
    e = on_manifold(space, name, (GROUND, "rigid"), 4)
    for one in free(space, name) * 2:
        if not one.axis or not all(row.combination.holonomic for row in joints.JOINTS_BY_SPACE[space].get(name).rows):
            continue
        for _ in range(20):  # steps short of half a turn, so that angles keep counting
            e = stepped(e, *free_twist(e, one), 0.11)
        # Forty motions, each at rounding.
        np.testing.assert_allclose(e.Phi[joint_rows(e.system)], 0, atol=1e-12)


def distance(e: Equations) -> Floats:
    """The speed of the origins away from each other; that A turns has no part along the line between them."""
    A, B = frames(e)
    d = B.r - A.r
    assert np.linalg.norm(d) == pytest.approx(parameter(e, "length"), abs=1e-12)
    return np.asarray(d / np.linalg.norm(d) @ contact_map(e, B.r))


def squared_distance(e: Equations) -> Floats:
    """Twice the distance times the speed of the origins away from each other."""
    return np.asarray(2 * parameter(e, "length") * distance(e))


def gear(e: Equations) -> Floats:
    """What circle B rolls off against what the centre of B runs around circle A, at any distance of the centres."""
    A, B = frames(e)
    d = B.r - A.r
    u = d / np.linalg.norm(d)
    t = np.array([-u[1], u[0]])
    centres, spin = t @ contact_map(e, B.r), turning_map(e)[0]
    # Seen from wheel A the line of centres turns at θ̇ = t·v/|d|, and wheel B at ω: (r_a + r_b) θ̇ = r_b ω.
    ra, rb = parameter(e, "radius_a"), parameter(e, "radius_b")
    return np.asarray((ra + rb) * centres / np.linalg.norm(d) - rb * spin)


def involute_gear(e: Equations) -> Floats:
    """As for circles that roll, and the centres part by tan α of what the teeth slide."""
    A, B = frames(e)
    d = B.r - A.r
    apart = d / np.linalg.norm(d) @ contact_map(e, B.r)
    return np.asarray(gear(e) - np.tan(parameter(e, "pressure_angle")) * apart)


def planar_rolling_disc(e: Equations) -> Floats:
    """The lowest point of the disc rests on the line."""
    A, B = frames(e)
    radius = parameter(e, "radius")
    contact = B.r - radius * A.R[:, 1]
    assert (A.R.T @ (contact - A.r))[1] == pytest.approx(0, abs=1e-12)
    return contact_map(e, contact)


def knife_edge(e: Equations) -> Floats:
    """The point on the edge moves neither across it nor off the plane; across is y of B, which need not lie in it."""
    A, B = frames(e)
    return np.stack([A.R[:, 2], B.R[:, 1]]) @ contact_map(e, B.r)


def rolling_sphere(e: Equations) -> Floats:
    """The lowest point of the sphere rests on the plane."""
    A, B = frames(e)
    contact = B.r - parameter(e, "radius") * A.R[:, 2]
    assert (A.R.T @ (contact - A.r))[2] == pytest.approx(0, abs=1e-12)
    return contact_map(e, contact)


def rolling_disc(e: Equations) -> Floats:
    """The lowest point of the rim rests on the plane; it is sought among points of the rim."""
    A, B = frames(e)
    radius = parameter(e, "radius")
    slope = A.R[:, 2] @ B.R[:, :2]  # height of the rim at angle a: radius (slope₀ cos a + slope₁ sin a)
    down = -slope / np.linalg.norm(slope)
    contact = B.r + radius * B.R[:, :2] @ down
    assert (A.R.T @ (contact - A.r))[2] == pytest.approx(0, abs=1e-12)
    return contact_map(e, contact)


def rolling_pair(e: Equations) -> Floats:
    """Two discs or balls, one around each origin, have one velocity where they touch."""
    A, B = frames(e)
    d = B.r - A.r
    return contact_map(e, B.r - parameter(e, "radius") * d / np.linalg.norm(d))


def contact_disc(e: Equations) -> Floats:
    """The lowest point of the rim rests on the plane, and does not move off it."""
    return np.asarray(frames(e)[0].R[:, 2] @ rolling_disc(e))


def constant_velocity(e: Equations) -> Floats:
    """Origins together; ω_rel has no part along the bisector of the shafts, so fixed shafts turn at equal speed."""
    A, B = frames(e)
    bisector = (A.R[:, 2] + B.R[:, 2]) / 2
    return np.concatenate([contact_map(e, B.r), bisector[None] @ turning_map(e)])


def thread(e: Equations) -> Floats:
    """B advances along z of A by the pitch for each turn of its x axis around z of A, the axes standing as they do."""
    A, B = frames(e)
    z, b = A.R[:, 2], B.R[:, 0]
    across = np.cross(z, b)
    azimuth = np.cross(b, across) / (across @ across)  # rate of the direction of b around z: azimuth · ω
    return np.asarray(z @ contact_map(e, B.r) - parameter(e, "pitch") / (2 * np.pi) * azimuth @ turning_map(e))


def cylindrical_spherical(e: Equations) -> Floats:
    """The speed of the origin of B away from the z axis of A, seen from A."""
    A, B = frames(e)
    x, y, _ = A.R.T @ (B.r - A.r)
    away = np.array([x, y, 0.0])
    assert np.linalg.norm(away) == pytest.approx(parameter(e, "length"), abs=1e-12)
    return np.asarray((A.R @ away / np.linalg.norm(away))[None] @ contact_map(e, B.r))


def revolute_cylindrical(e: Equations) -> Floats:
    """That speed, and how B turns about axes across the common direction of the hinges."""
    return np.concatenate([cylindrical_spherical(e), frames(e)[0].R[:, :2].T @ turning_map(e)])


def revolute_revolute(e: Equations) -> Floats:
    """Those, and the speed of the origin of B along that direction."""
    A, B = frames(e)
    return np.concatenate([revolute_cylindrical(e), A.R[:, 2][None] @ contact_map(e, B.r)])


MEANING: dict[tuple[str, str], Callable[[Equations], Floats]] = {
    ("planar", "cable"): distance,
    ("planar", "contact-distance"): distance,
    ("planar", "distance"): distance,
    ("planar", "squared-distance"): squared_distance,
    ("planar", "gear"): gear,
    ("planar", "involute-gear"): involute_gear,
    ("planar", "rolling-disc"): planar_rolling_disc,
    ("planar", "rough-distance"): rolling_pair,
    ("planar", "rough-line"): planar_rolling_disc,
    ("planar", "strut"): distance,
    ("spatial", "cable"): distance,
    ("spatial", "contact-disc"): contact_disc,
    ("spatial", "contact-distance"): distance,
    ("spatial", "cylindrical-spherical"): cylindrical_spherical,
    ("spatial", "distance"): distance,
    ("spatial", "knife-edge"): knife_edge,
    ("spatial", "revolute-cylindrical"): revolute_cylindrical,
    ("spatial", "revolute-revolute"): revolute_revolute,
    ("spatial", "rolling-sphere"): rolling_sphere,
    ("spatial", "rough-disc"): rolling_disc,
    ("spatial", "rough-distance"): rolling_pair,
    ("spatial", "rough-plane"): rolling_sphere,
    ("spatial", "strut"): distance,
    ("spatial", "rolling-disc"): rolling_disc,
    ("spatial", "constant-velocity"): constant_velocity,
    ("spatial", "thread"): thread,
}


def test_every_joint_has_twists_or_a_meaning() -> None:
    open_ones = {key for key in JOINTS if any(not one.axis for one in free(*key))}
    assert open_ones == set(MEANING)


@pytest.mark.parametrize(("space", "name"), list(MEANING))
def test_rows_equal_the_velocities_they_stand_for(space: str, name: str) -> None:
    """Rows whose freedoms depend on the pose equal the velocities they stand for, up to a rotation of the rows."""
    for seed in range(3):
        for kinds in KINDS:
            e = on_manifold(space, name, kinds, seed)
            C = e.C.toarray()[joint_rows(e.system)]
            J = np.atleast_2d(MEANING[space, name](e))
            # Both map v to the same velocities in metres or radians per second; the pose is good to 1e-13.
            np.testing.assert_allclose(C.T @ C, J.T @ J, atol=1e-11)


@pytest.mark.parametrize("share", [0.4, 2.5])  # outside each other; B as a ring around A
def test_teeth_of_gears_do_not_slip(share: float) -> None:
    """At the pitch distance the row is the slip of the two materials where the circles touch."""
    rng = np.random.default_rng(3)
    relative = clear_pose("planar", rng)
    gap = float(np.linalg.norm(relative.r))
    a, b = (share * gap, (1 - share) * gap) if share < 1 else ((share - 1) * gap, -share * gap)
    model = joint_model("planar", "gear", ("rigid", "rigid"), rng, relative, {"radius_a": a, "radius_b": b})
    e = equations(build(model))
    A, B = frames(e)
    u = (B.r - A.r) / (a + b)
    np.testing.assert_allclose(A.r + a * u, B.r - b * u, atol=1e-14)  # one point of contact, by construction
    slip = np.array([-u[1], u[0]]) @ contact_map(e, A.r + a * u)
    # Lengths of size 1: rounding.
    np.testing.assert_allclose(abs(e.C.toarray()[0]), abs(slip), atol=1e-13)
