"""States on a branch: a short distance from a singular pose, moving along it."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.scaled_matrix import in_metres
from reactio.singular.second_order.branches import Branch, tangent
from reactio.singular.second_order.drive_path import drive_path
from reactio.singular.second_order.null_spaces import FOLLOWED_SINGULAR_VALUE, minimum_norm, null_spaces, polished
from reactio.singular.second_order.spheres import BranchStatus
from reactio.singular.second_order.tangency import step
from reactio.system.equations import equations
from reactio.system.types import State, System, require_system

# [characteristic lengths] Distances at which a run may start on a branch: nearer to the singular pose accelerations are
# lost to rounding, farther away a single step need not end on this branch.
SHORTEST_REACH, LONGEST_REACH = 1e-3, 0.2


def on_branch(
    system: System,
    state: State,
    branch: Branch,
    speed: float | None = None,
    *,
    energy: float | None = None,
    reach: float = 0.01,
) -> State:
    """A state on a branch, a short distance from the pose where branches meet, moving along it.

    ``speed`` [m/s] is that of the fastest body, angular speeds times the characteristic length; a negative one goes in
    the opposite direction.  ``energy`` [J] gives the kinetic energy instead.  ``reach`` is the distance from the pose
    [characteristic lengths].  Where drives move along the branch, they give the speed, and the time of the state is
    that at which they are there.

    >>> import reactio
    >>> flat = reactio.build(reactio.load("double-four-bar", theta=0))
    >>> there = on_branch(flat, reactio.assemble(flat), reactio.branches(flat)[0], speed=2.0)
    >>> run = reactio.simulate(flat, 0.5, state=there)
    >>> run.status.name, run.energy_error < 1e-8
    ('DONE', True)
    """
    require_system(system)
    if branch.driven:
        return _driven(system, state, branch, reach, speed is None and energy is None)
    if (speed is None) == (energy is None):
        raise ReactioError("Give either a speed or an energy to start with.")
    if branch.status is not BranchStatus.REAL:
        raise ReactioError(f"This branch is {branch.status}: no motion was found to start on it.")
    if (
        (energy is not None and not energy > 0)
        or (speed is not None and not abs(speed) > 0)
        or not SHORTEST_REACH <= reach <= LONGEST_REACH
    ):
        raise ReactioError(
            f"A start needs a speed or energy that is not zero and a reach from {SHORTEST_REACH:g} to "
            f"{LONGEST_REACH:g}."
        )
    columns = system.column_scale / system.length
    sign = -1.0 if speed is not None and speed < 0 else 1.0
    x = _ahead(system, branch, sign, reach)
    reached = step(null_spaces(system, polished(system, state)), x, reach * system.length)
    if not reached.closed:
        backwards = "backwards " if sign < 0 else ""
        raise ReactioError(
            f"The branch cannot be followed {backwards}for {reach:g} characteristic lengths; take a shorter reach."
        )
    T = tangent(
        null_spaces(system, reached.state),
        np.hstack([x[:, None], _orthogonal_complement(branch.basis / columns[:, None], x)]),
    )
    v = columns * (T @ (T.T @ x))
    if energy is not None:
        size = float(np.sqrt(energy / (0.5 * v @ (equations(system, reached.state).M @ v))))
    else:
        size = abs(float(speed or 0.0)) / float(np.abs(v / columns).max())
    return State(state.t, reached.state.q, size * v)


def _ahead(system: System, branch: Branch, sign: float, reach: float) -> Floats:
    """The unit direction [metres] in which a branch goes: its tangent, or to a pose of its own where it shares that."""
    if not branch.chords:
        return np.asarray(sign * branch.direction / (system.column_scale / system.length))
    if sign < 0:
        raise ReactioError("This branch shares its tangent with another; start on it forwards, with a positive speed.")
    chord = min(branch.chords, key=lambda d: abs(np.log(np.linalg.norm(d) / (reach * system.length))))
    return np.asarray(chord / np.linalg.norm(chord))


def _orthogonal_complement(B: Floats, x: Floats) -> Floats:
    """An orthonormal basis of the directions of a branch at right angles to x, which is one of them."""
    if B.shape[1] == 1:
        return np.zeros((len(x), 0))
    U, _, _ = np.linalg.svd(B - np.outer(x, x @ B), full_matrices=False)
    return np.asarray(U[:, : B.shape[1] - 1])


def _driven(system: System, state: State, branch: Branch, reach: float, no_speed: bool) -> State:
    """A state on a branch along which drives move, at the time at which they are there."""
    pose = polished(system, state)
    path = drive_path(system, pose)
    if not no_speed or path is None or not path.rate or not SHORTEST_REACH <= reach <= LONGEST_REACH:
        raise ReactioError(
            "Drives set the pace along this branch: give neither speed nor energy, a reach from "
            f"{SHORTEST_REACH:g} to {LONGEST_REACH:g}, and an instant at which they do not turn back."
        )
    columns = system.column_scale / system.length
    x = np.append(branch.direction / columns, path.rate)
    reached = step(null_spaces(system, pose, path=path), x / np.linalg.norm(x), reach * system.length)
    if branch.status is not BranchStatus.REAL or not reached.closed:
        raise ReactioError(
            f"This branch is {branch.status} and cannot be followed for {reach:g} characteristic lengths."
        )
    arrived = polished(system, State(state.t + reached.s / path.rate, reached.state.q, branch.direction))
    eqs = equations(system, arrived)
    rows = system.length / system.row_scale
    change = minimum_norm(in_metres(eqs), rows * (eqs.nu - eqs.C @ arrived.v), FOLLOWED_SINGULAR_VALUE)
    return State(arrived.t, arrived.q, arrived.v + columns * change)
