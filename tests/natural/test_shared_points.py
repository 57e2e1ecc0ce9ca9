"""The classical form: fewer rows, the same motion, no reactions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.integrate.integrator import Chunk
from reactio.integrate.status import Status
from reactio.simulation.run_checks import joined
from reactio.simulation.shared import merged


def test_four_bar_as_the_papers_write_it() -> None:
    """Points 1 and 2 move, three lengths are fixed (Sharma & Ghosal, Sect. 3.1)."""
    one = merged(reactio.build(reactio.shared_points(reactio.load("four-bar-planar"))))
    assert one.k == 4
    assert len(one.rows) == 3
    assert one.joints == ("A", "B", "C", "D")


# The Bennett linkage has redundant rows beside its shared points, the double four-bar a link with three hinges.
@pytest.mark.parametrize("name", ["four-bar-planar", "slider-crank", "four-bar-spatial", "bennett", "double-four-bar"])
def test_same_motion(name: str) -> None:
    model = reactio.load(name)
    one = reactio.simulate(model, 0.05, tol=1e-11, output=3)
    other = reactio.simulate(reactio.shared_points(model), 0.05, tol=1e-11, output=3)
    for body in model.bodies:
        a, b = one.body(body.name), other.body(body.name)
        np.testing.assert_allclose(a.position, b.position, atol=1e-8)  # both keep 1e-11 a step
        np.testing.assert_allclose(a.velocity, b.velocity, atol=1e-8 * (1 + np.abs(a.velocity).max()))
    assert other.energy_error < 1e-8
    assert max(other.position_drift, other.velocity_drift) < 1e-11


def test_every_hinge_of_a_link_is_shared() -> None:
    """A link with three hinges has three points, the third by linear rows: no hinge keeps rows of its own."""
    model = reactio.load("double-four-bar")
    one = merged(reactio.build(reactio.shared_points(model)))
    assert one.joints == tuple(joint.name for joint in model.joints)


def test_pieces_and_resumed_runs() -> None:
    """Every piece is seen with its rows; a true answer ends the run; going on leads to the same end."""
    system = reactio.build(reactio.shared_points(reactio.load("four-bar-planar")))
    whole = reactio.simulate(system, 0.2)
    seen: list[Chunk] = []
    assert reactio.simulate(system, 0.2, on_chunk=seen.append, chunk=3).status is Status.DONE
    assert len(seen) >= 3
    np.testing.assert_array_equal(np.concatenate([piece.t for piece in seen]), whole.t)
    np.testing.assert_array_equal(np.concatenate([piece.q for piece in seen]), whole.q)
    part = reactio.simulate(system, 0.2, on_chunk=lambda piece: True, chunk=3)
    assert part.status is Status.PAUSED
    assert 0 < part.checkpoint.t < 0.2
    rest = reactio.simulate(system, 0.2, resume=part.checkpoint)
    # The same steps from the same states: what a step remembers is its size, up to where the end cuts it.
    np.testing.assert_array_equal(np.concatenate([part.t, rest.t]), whole.t)
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])
    assert rest.checkpoint.steps == whole.checkpoint.steps


def test_ctrl_c_keeps_what_is_done() -> None:
    system = reactio.build(reactio.shared_points(reactio.load("four-bar-planar")))

    def interrupt(piece: Chunk) -> None:
        if piece.checkpoint.t > 0.05:
            raise KeyboardInterrupt

    run = reactio.simulate(system, 0.2, on_chunk=interrupt, chunk=2)
    assert run.status is Status.PAUSED
    assert run.t[0] == 0.0
    assert 0.05 < run.checkpoint.t == run.t[-1] < 0.2


def test_output_between_steps() -> None:
    """Rows at given times lie on the motion, inside steps as well as at their ends."""
    system = reactio.build(reactio.shared_points(reactio.load("four-bar-planar")))
    times = np.linspace(0.0, 0.1, 41)
    rows = reactio.simulate(system, 0.1, tol=1e-11, output=times)
    other = reactio.simulate(reactio.load("four-bar-planar"), 0.1, tol=1e-11, output=times)
    np.testing.assert_array_equal(rows.t, times)
    # The interpolant has order 7: a little less than the 1e-11 of steps.
    np.testing.assert_allclose(rows.body("coupler").position, other.body("coupler").position, atol=1e-8)


def test_reactions_are_refused_with_the_reason() -> None:
    model = reactio.shared_points(reactio.load("four-bar-planar"))
    assert reactio.parse_model(reactio.to_yaml(model)).share_points
    system = reactio.build(model)
    for ask in (
        lambda: reactio.check(system),
        lambda: reactio.reactions(reactio.equations(system)),
        lambda: reactio.simulate(system, 0.01, output=2)["A"],
    ):
        with pytest.raises(reactio.ReactioError, match=r"with the equation the reaction is gone.*joint-augmented"):
            ask()


def test_an_open_start_is_closed_and_its_velocities_are_noted() -> None:
    """As in every run: a pivot 0.3 m off is assembled, and velocities that are changed are spoken of."""
    system = reactio.build(reactio.shared_points(reactio.load("four-bar-planar")))
    good = reactio.start(system)
    q, v = np.array(good.q), np.array(good.v)
    q[0] += 0.3
    v[0] += 1.0
    run = reactio.simulate(system, 0.05, state=replace(good, q=q, v=v))
    assert run.position_drift < 1e-11  # what the projections leave, see test_same_motion
    assert run.notes[0].startswith("Initial velocities violate the constraints")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"tol": float("nan")}, "a tolerance lies between"),
        ({"tol": 0.0}, "a tolerance lies between"),
        ({"tol": -1.0}, "a tolerance lies between"),
        ({"rule": "inertia"}, "knows no reactions that the sharing rule 'inertia' could split"),
        ({"chunk": 0}, "at least one step"),
        ({"until": 1e13}, "beyond 1e"),
    ],
)
def test_choices_are_checked_before_the_run(asked: dict[str, object], words: str) -> None:
    model = reactio.shared_points(reactio.load("four-bar-planar"))
    with pytest.raises(reactio.ReactioError, match=words):
        reactio.simulate(model, **{"until": 0.01, **asked})  # type: ignore[arg-type]


def test_a_run_until_its_start_has_one_row() -> None:
    system = reactio.build(reactio.shared_points(reactio.load("four-bar-planar")))
    run = reactio.simulate(system, 0.0)
    assert run.t.tolist() == [0.0]
    assert (run.status, run.checkpoint.steps, run.checkpoint.rejected) == (Status.DONE, 0, 0)
    on = reactio.simulate(system, 0.05, resume=run.checkpoint)
    assert on.status is Status.DONE
    assert on.final.q == pytest.approx(reactio.simulate(system, 0.05).final.q, abs=1e-8)  # 1e-9 a step


def test_energy_of_a_driven_run() -> None:
    """The work of the drive by quadrature along the run is that of the joint-augmented form."""
    model = reactio.load("slider-crank")
    system = reactio.build(reactio.shared_points(model))
    half = reactio.simulate(system, 0.01, tol=1e-10)
    run = joined(half, reactio.simulate(system, 0.02, tol=1e-10, resume=half.checkpoint))
    found, known = run.energy, reactio.simulate(model, 0.02, tol=1e-10).energy
    assert np.abs(known.work).max() > 1.0
    assert found.error < 1e-7  # 1e-10 a step
    assert found.work[-1] == pytest.approx(known.work[-1], rel=1e-6)
