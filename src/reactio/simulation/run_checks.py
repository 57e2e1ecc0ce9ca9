"""Checks of a finished run: its energy balance, and whether its sharing rule applies at all times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reactio.errors import ReactioError
from reactio.integrate.methods import METHODS
from reactio.integrate.rows import joined_rows
from reactio.integrate.status import Status
from reactio.simulation.energy_balance import MOST_ENERGY_ROWS, balance
from reactio.simulation.trajectory import Trajectory

RULE_CHECKS = 100  # rows of a run at which a rule with options of its own, such as rows to drop, is checked
# Energy error [tolerances, of at least SMALLEST_TOLERANCE] above which a motion in minimal coordinates gets a warning.
LARGEST_ENERGY_ERROR, SMALLEST_TOLERANCE = 1e3, 1e-9
RULE_REFUSED = "The sharing rule '{rule}' does not apply at"


def with_energy_balance(run: Trajectory) -> Trajectory:
    """The run with its energy error, and notes on its rule and its energy; Ctrl-C leaves the error unknown, None."""
    try:
        known = tuple(note for note in run.notes if not note.startswith(RULE_REFUSED.format(rule=run.rule)))
        checked = replace(run, notes=known + _rule_applies(run), energy_error=balance(run, MOST_ENERGY_ROWS).error)
        return replace(checked, notes=checked.notes + _energy_warning(checked))
    except KeyboardInterrupt:  # the motion is complete
        return replace(run, energy_error=None)


def _energy_warning(run: Trajectory) -> tuple[str, ...]:
    """A warning where the energy error of a motion in minimal coordinates is far above its tolerance."""
    error = run.energy_error
    if (
        not METHODS.get(run.method).past_singular_poses
        or error is None
        or error <= LARGEST_ENERGY_ERROR * max(run.tol, SMALLEST_TOLERANCE)
    ):
        return ()
    return (
        f"The energy is off by {error:.1e}, far more than the tolerance {run.tol:g} asks for: digits are lost near "
        "poses where still more motions become admissible. Do not trust the motion; try another tolerance.",
    )


def _rule_applies(run: Trajectory) -> tuple[str, ...]:
    """A note on times at which a rule with options of its own, such as rows to drop, does not apply."""
    if run.rule is None or ":" not in run.rule or not run.system.m:
        return ()
    wrong = []
    for k in np.unique(np.linspace(0, len(run.t) - 1, min(len(run.t), RULE_CHECKS)).astype(int)):
        try:
            run.reactions_at(int(k))
        except ReactioError:
            wrong.append(float(run.t[k]))
    if not wrong:
        return ()
    when = f"t = {wrong[0]:.6g} s" if len(wrong) == 1 else f"t = {wrong[0]:.6g} … {wrong[-1]:.6g} s"
    return (f"{RULE_REFUSED.format(rule=run.rule)} {when}: there are no reactions by it there.",)


def joined(first: Trajectory, second: Trajectory) -> Trajectory:
    """Two runs, the second resumed from the first, as one, whose energy error is that of the whole."""
    return with_energy_balance(_concatenated(first, second))


def _concatenated(first: Trajectory, second: Trajectory) -> Trajectory:
    """The rows of both runs as one run, before its energy balance."""
    # A paused run ended between two steps: its segment continues.  The last step of any other was shortened.
    repeated = 1 if first.status is Status.PAUSED else 0
    return replace(
        second,
        **joined_rows(first, second),
        position_drift=max(first.position_drift, second.position_drift),
        velocity_drift=max(first.velocity_drift, second.velocity_drift),
        wall_s=first.wall_s + second.wall_s,
        notes=tuple(dict.fromkeys(first.notes + second.notes)),
        events=first.events + tuple(replace(e, row=e.row + len(first.t)) for e in second.events),
        segments=first.segments + second.segments[repeated:],
    )
