"""Starts on a branch where C admits more velocities than finite motions have: the method ``branch`` follows it."""

from __future__ import annotations

import numpy as np

from reactio.linear.precision import SOLUTION
from reactio.singular.second_order.null_spaces import null_spaces, open_to_second_order
from reactio.system.types import State, System

BRANCH_NAME = "branch"  # of the method, by which its memory in a checkpoint is recognised
# Of that method: differences of T in its accelerations have errors of that size.
SMALLEST_BRANCH_TOLERANCE = SOLUTION / 10


def branch_needed(system: System, state: State) -> str | None:
    """A note about the reactions of a run that needs the method from a state on; None where it does not."""
    if open_to_second_order(system, state) is None:
        return None
    from reactio.joint_reactions.limit import BEARS_STRESS
    from reactio.singular.minimal.equations import refuse_friction
    from reactio.singular.second_order.rigidity import real_motions

    T = real_motions(system, state)
    if T is None:
        return None
    refuse_friction(system)
    rows, group_of = np.abs(null_spaces(system, state).N).max(axis=1), system.groups
    names = ", ".join(g.name for g in group_of if rows[g.start : g.stop].max(initial=0.0) > BEARS_STRESS * rows.max())
    return (
        f"More motions are admissible on this branch than the {T.shape[1]} that {'is' if T.shape[1] == 1 else 'are'} "
        f"real; second order holds the rest, and loads on it leave {names} without reactions in a rigid model. "
        f"Steps are good to a tolerance of {SMALLEST_BRANCH_TOLERANCE:g} at best; tighter ones count as that."
    )
