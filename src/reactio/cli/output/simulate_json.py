"""``reactio simulate --json``: a run as one object."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.cli.output.numbers import numbers
from reactio.cli.output.peaks import peaks_data

if TYPE_CHECKING:
    from reactio.joint_reactions.data import GroupReaction
    from reactio.simulation.peaks import Peaks
    from reactio.simulation.trajectory import Trajectory
    from reactio.singular.passages.scan import PassedSingularities


def _reaction(one: GroupReaction) -> dict[str, Any]:
    """A reaction at the end of a run; without vectors where no component is unique."""
    from reactio.uniqueness.words import Verdict

    keys = ("force", "moment", "force_in_joint", "moment_in_joint")
    parts = {key: getattr(one, key) for key in keys}
    none = one.verdict is Verdict.NOT
    return {
        "verdict": one.words,
        "state": one.state,
        **{key: None if none and not all(map(math.isfinite, part)) else numbers(part) for key, part in parts.items()},
    }


def _known(x: float) -> float | None:
    """A number, or None where it is not known."""
    return None if math.isnan(x) else x


def simulate_data(
    run: Trajectory, picture: Path | None, singular: PassedSingularities, highest: Peaks
) -> dict[str, Any]:
    """The run as data; docs/json.md describes it."""
    from reactio.kinematics.body_state import body_states
    from reactio.system.joint_coordinates import joint_coordinates

    last = run.last_reactions if run.system.m else {}
    return {
        "schema": "reactio.simulate/1",
        "model": run.system.model.name,
        "until": run.until,
        "t": run.checkpoint.t,
        "status": run.status.name.lower().replace("_", "-"),
        "rule": run.rule,
        "method": run.method,
        "formulation": run.options.formulated,
        "dropped": list(run.system.model.drop),
        "motion_depends_on_rule": run.depends_on_rule,
        "steps": run.checkpoint.steps,
        "rejected": run.checkpoint.rejected,
        "evaluations": run.checkpoint.evaluations,
        "kernels": run.kernels,
        "wall_s": run.wall_s,
        "position_drift": run.position_drift,
        "velocity_drift": run.velocity_drift,
        "energy_error": run.energy_error,
        "singular_passages": None if singular.note else [{"t": p.t, "motions": p.motions} for p in singular.found],
        "notes": [*run.notes, *([singular.note] if singular.note else [])],
        "events": [
            {
                "name": e.name,
                "t": e.t,
                "kind": e.kind,
                "direction": e.direction,
                "action": e.action,
                "work": _known(e.work),
            }
            for e in run.events
        ],
        "plot": str(picture) if picture else None,
        "final": body_states(run.system, run.final),
        "coordinates": {
            one.name: {"unit": one.unit, "value": one.value, "rate": one.rate}
            for one in joint_coordinates(run.system, run.final)
        },
        "reactions": {name: _reaction(last[name]) for name in last},
        "peaks": peaks_data(highest),
    }
