"""Scenes: marks on frames at the right places, for every joint type and every mechanism of the library."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio import library
from reactio.drawing.arrows import loads, stress_arrows
from reactio.drawing.bodies import hull
from reactio.drawing.camera import view
from reactio.drawing.frames import placed, points
from reactio.drawing.motions import admissible_motions
from reactio.drawing.scene import Scene, scene
from reactio.joints import JOINTS_BY_SPACE, NO_GLYPH
from reactio.system.equations import Equations


def drawn(name: str) -> tuple[Equations, np.ndarray, Scene]:
    system = reactio.build(reactio.load(name))
    eqs = reactio.equations(system, reactio.assemble(system))
    frames = placed(eqs)
    return eqs, frames, scene(eqs)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_every_joint_type_has_a_glyph(space: str) -> None:
    for kind in JOINTS_BY_SPACE[space].values():
        assert kind.glyph != NO_GLYPH, kind.name
        parameters = {p.name for p in kind.parameters}
        assert {m.parameter for m in (*kind.glyph.a, *kind.glyph.b)} <= {*parameters, ""}


@pytest.mark.parametrize("name", library.names())
def test_every_mechanism_can_be_drawn(name: str) -> None:
    eqs, frames, made = drawn(name)
    assert [b.name for b in made.badges] == [j.name for j in eqs.system.model.joints]
    for part in made.parts:
        assert np.isfinite(points(frames, np.array(part.points))).all()
    bodies = {part.name for part in made.parts if part.role == "body"}
    assert bodies == {b.name for b in eqs.system.model.bodies}


def test_frames_are_rotations_at_the_joints() -> None:
    eqs, frames, _ = drawn("spatial-parallelogram")
    R = frames[:, 3:].reshape(-1, 3, 3)
    # Products of unit quaternions: a few roundings.
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.broadcast_to(np.eye(3), R.shape), atol=1e-12)
    for group in eqs.system.groups:  # ball joints: both frames at one point
        assert group.frames is not None
        np.testing.assert_allclose(frames[group.frames[0], :3], frames[group.frames[1], :3], atol=1e-12)


def test_bars_run_from_joint_to_joint() -> None:
    _, frames, made = drawn("four-bar-planar")
    bars = {p.name: points(frames, np.array(p.points)) for p in made.parts if p.role == "body"}
    places = {b.name: points(frames, np.array(b.points))[0] for b in made.badges}
    ends = sorted(bars["crank"].tolist()), sorted([places["A"].tolist(), places["B"].tolist()])
    np.testing.assert_allclose(*ends, atol=1e-12)  # origins of the same frames


def test_mass_centre_follows_the_body() -> None:
    """The mark of a mass centre, placed through a joint frame, is where the body's own coordinates put it."""
    eqs, frames, made = drawn("spatial-parallelogram")
    for part in (p for p in made.parts if p.role == "mass"):
        first = eqs.system.body_q[eqs.system.model.body_index[part.name]]
        mark = points(frames, np.array(part.points))[0]
        np.testing.assert_allclose(mark, eqs.state.q[first : first + 3], atol=1e-12)  # a few roundings of metres


def test_self_stress_arrows_balance_on_every_body() -> None:
    """Forces of a self-stress on the platform of the parallelogram add up to nothing."""
    eqs, _, _ = drawn("spatial-parallelogram")
    (stress,) = reactio.check(eqs.system, eqs.state).self_stress
    arrows = {a.name: np.array(a.vector) for a in stress_arrows(eqs, stress) if not a.moment}
    assert set(arrows) == set("ABCDEFGH")
    # Unit self-stress; null vectors carry at most 4e-9 of rounding.
    np.testing.assert_allclose(sum(arrows[n] for n in "BDFH"), np.zeros(3), atol=1e-8)
    along = np.array([0.0, 0.5, 0.5]) / np.sqrt(0.5)
    for vector in arrows.values():  # Wojtyra & Frączek 2012: axial forces of the lower links
        np.testing.assert_allclose(np.cross(vector, along), np.zeros(3), atol=1e-8)


def test_given_loads_are_drawn_as_given() -> None:
    eqs, _, _ = drawn("spatial-parallelogram")
    found = {a.moment: a.vector for a in loads(eqs)}
    assert found == {False: (2000.0, 3000.0, 3000.0), True: (300.0, 0.0, 500.0)}


def test_motions_close_all_joints_and_move_few_bodies() -> None:
    eqs, _, _ = drawn("spatial-parallelogram")
    answer = reactio.check(eqs.system, eqs.state)
    found = admissible_motions(eqs, answer)
    assert len(found) == answer.mobility == 7
    # Each link spins about its own axis; the seventh moves the platform.
    assert sorted(m.bodies for m in found if len(m.bodies) == 1) == [(f"link{k}",) for k in range(1, 7)]
    for motion in found:
        assert motion.real
        for frames in motion.frames:
            for group in eqs.system.groups:
                assert group.frames is not None
                gap = np.linalg.norm(frames[group.frames[0], :3] - frames[group.frames[1], :3])
                assert gap < 1e-8  # assembled to 1e-9 of a length of 0.7 m


def test_hull_of_a_square_with_a_point_inside() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.6], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0]])
    assert sorted(hull(square)) == [0, 1, 3, 4]


def test_view_is_a_rotation() -> None:
    V = view("spatial", (0.0, 1.0, 0.0), 0.3, 0.5)
    np.testing.assert_allclose(V @ V.T, np.eye(3), atol=1e-15)  # products of sines: one rounding
    assert np.linalg.det(V) > 0
