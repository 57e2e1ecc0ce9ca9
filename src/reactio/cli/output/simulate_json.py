"""``reactio simulate --json``: a run as one object."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.joint_reactions.data import GroupReaction
    from reactio.simulation.passages import PassedSingularities
    from reactio.simulation.peaks import Peaks
    from reactio.simulation.trajectory import Trajectory


def _reaction(reaction: GroupReaction) -> dict[str, Any]:
    """A reaction at the end of a run; without vectors where no component is unique."""
    from reactio.uniqueness.words import Verdict

    data = picked(reaction, "verdict=words state force moment force_in_joint moment_in_joint")
    if reaction.verdict is Verdict.NOT:
        known = ("verdict", "state")
        return {key: None if key not in known and None in part else part for key, part in data.items()}
    return data


def simulate_data(
    run: Trajectory, picture: Path | None, singular: PassedSingularities, highest: Peaks
) -> dict[str, Any]:
    """The run as data; docs/json.md describes it."""
    from reactio.kinematics.body_state import body_states
    from reactio.system.joint_coordinates import joint_coordinates

    last = run.last_reactions if run.system.m else {}
    return {
        "schema": "reactio.simulate/1",
        **picked(run, "model=system.model.name until t=checkpoint.t"),
        "status": run.status.name.lower().replace("_", "-"),
        **picked(
            run,
            "rule method formulation=options.formulated dropped=system.model.drop "
            "motion_depends_on_rule=depends_on_rule steps=checkpoint.steps rejected=checkpoint.rejected "
            "evaluations=checkpoint.evaluations wall_s position_drift velocity_drift energy_error",
        ),
        "singular_passages": None if singular.note else [picked(p, "t motions") for p in singular.found],
        "notes": [*run.notes, *([singular.note] if singular.note else [])],
        "events": [picked(event, "name t kind direction action work") for event in run.events],
        "plot": picture,
        "final": body_states(run.system, run.final),
        "coordinates": {
            coordinate.name: picked(coordinate, "unit value rate")
            for coordinate in joint_coordinates(run.system, run.final)
        },
        "reactions": {name: _reaction(last[name]) for name in last},
        "peaks": highest,
    }
