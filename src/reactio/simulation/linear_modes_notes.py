"""Notes of a run on the limit of linear modes."""

from __future__ import annotations

import numpy as np

from reactio.joint_reactions.linear_modes import linear_modes
from reactio.simulation.trajectory import Trajectory
from reactio.system.equations import equations

MOST_EXAMINED_ROWS = 12  # rows of a run in which the limit is examined: those with the largest deflections


def linear_modes_notes(run: Trajectory) -> tuple[str, ...]:
    """The sentence of the row in which linear modes leave out most; nothing where no body has modes."""
    system = run.system
    columns = [
        np.arange(system.body_q[b + 1] - len(body.flexible.modal.frequency), system.body_q[b + 1])
        for b, body in enumerate(system.model.bodies)
        if body.flexible is not None and body.flexible.modal is not None
    ]
    if not columns or not system.m or not len(run.t):
        return ()
    bent = np.abs(run.q[:, np.concatenate(columns)]).max(axis=1, initial=0.0)
    rows = np.argsort(-bent, kind="stable")[:MOST_EXAMINED_ROWS].tolist()
    examined = [linear_modes(equations(system, run.state(row)), np.nan_to_num(run.lam[row])) for row in rows]
    known = [limit for limit in examined if limit is not None]
    return (max(known, key=lambda limit: limit.change / (limit.size or 1.0)).words,) if known else ()
