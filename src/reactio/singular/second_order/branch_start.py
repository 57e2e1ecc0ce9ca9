"""States on a branch: a little way from a singular pose, moving along it."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.singular.scaled_matrix import in_metres, weights
from reactio.singular.second_order.branches import Branch, BranchStatus, tangent
from reactio.singular.second_order.drive_path import path
from reactio.singular.second_order.null_spaces import minimum_norm, null_spaces, polished
from reactio.singular.second_order.tangency import WEAK, step
from reactio.system.equations import equations
from reactio.system.types import State, System, needed

LEAST = 1e-3  # of the characteristic length: the shortest step onto a branch


def on_branch(
    system: System,
    state: State,
    branch: Branch,
    speed: float | None = None,
    *,
    energy: float | None = None,
    reach: float = 0.01,
) -> State:
    """A state a little way along a branch, moving along it.

    ``speed`` [m/s] is that of the quickest body, rotations counted on the characteristic length; a negative one goes
    the other way.  ``energy`` [J] gives the kinetic energy instead.  ``reach``: how far to go [characteristic lengths].
    Along a branch that drives run along they set the pace, and the state is as much later as they take.

    >>> import reactio
    >>> flat = reactio.build(reactio.load("double-four-bar", theta=0))
    >>> there = on_branch(flat, reactio.assemble(flat), reactio.branches(flat)[0], speed=2.0)
    >>> run = reactio.simulate(flat, 0.5, state=there)
    >>> run.status.name, run.energy_error < 1e-8
    ('DONE', True)
    """
    needed(system)
    if branch.driven:
        return _driven(system, state, branch, reach, speed is None and energy is None)
    if (speed is None) == (energy is None):
        raise ReactioError("Give either a speed or an energy to start with.")
    if branch.status is not BranchStatus.REAL:
        raise ReactioError(f"This branch is {branch.status}: no motion was found to start on it.")
    if (
        (energy is not None and not energy > 0)
        or (speed is not None and not abs(speed) > 0)
        or not LEAST <= reach <= 0.2
    ):
        raise ReactioError(f"A start needs a speed or energy that is not zero and a reach from {LEAST:g} to 0.2.")
    _, columns = weights(system)
    sign = -1.0 if speed is not None and speed < 0 else 1.0
    x = sign * branch.direction / columns
    made = step(null_spaces(system, polished(system, state)), x, reach * system.length)
    if not made.closed:
        way = "backwards " if sign < 0 else ""
        raise ReactioError(
            f"The branch cannot be followed {way}for {reach:g} characteristic lengths; take a shorter reach."
        )
    T = tangent(null_spaces(system, made.state), np.hstack([x[:, None], _rest(branch.basis / columns[:, None], x)]))
    v = columns * (T @ (T.T @ x))
    if energy is not None:
        size = float(np.sqrt(energy / (0.5 * v @ (equations(system, made.state).M @ v))))
    else:
        size = abs(float(speed or 0.0)) / float(np.abs(v / columns).max())
    return State(state.t, made.state.q, size * v)


def _rest(B: Floats, x: Floats) -> Floats:
    """The other directions of a branch, orthonormal and at right angles to x."""
    if B.shape[1] == 1:
        return np.zeros((len(x), 0))
    U, _, _ = np.linalg.svd(B - np.outer(x, x @ B), full_matrices=False)
    return np.asarray(U[:, : B.shape[1] - 1])


def _driven(system: System, state: State, branch: Branch, reach: float, alone: bool) -> State:
    """A state on a branch that drives run along: as far on as they are at its time."""
    pose = polished(system, state)
    way = path(system, pose)
    if not alone or way is None or not way.rate or not LEAST <= reach <= 0.2:
        raise ReactioError(
            "Drives set the pace along this branch: give neither speed nor energy, a reach from "
            f"{LEAST:g} to 0.2, and an instant at which they do not turn back."
        )
    _, columns = weights(system)
    x = np.append(branch.direction / columns, way.rate)
    made = step(null_spaces(system, pose, path=way), x / np.linalg.norm(x), reach * system.length)
    if branch.status is not BranchStatus.REAL or not made.closed:
        raise ReactioError(
            f"This branch is {branch.status} and cannot be followed for {reach:g} characteristic lengths."
        )
    there = polished(system, State(state.t + made.s / way.rate, made.state.q, branch.direction))
    eqs = equations(system, there)
    rows, _ = weights(system)
    change = minimum_norm(in_metres(eqs), rows * (eqs.nu - eqs.C @ there.v), WEAK)
    return State(there.t, there.q, there.v + columns * change)
