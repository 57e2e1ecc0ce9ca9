"""What the reactions of a program have to balance, by its own accelerations."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.auditing.programs.reported import Reported
from reactio.system.equations import Equations


def loads(eqs: Equations, reported: Reported) -> Floats:
    """The loads that the reactions balance: Q − M v̇ (n,)."""
    return np.asarray(eqs.Q - eqs.M @ _accelerations(eqs, reported))


def _accelerations(eqs: Equations, reported: Reported) -> Floats:
    """v̇ (n,) of the program."""
    system, accelerations = eqs.system, np.zeros(eqs.system.n)
    for b, body in enumerate(system.model.bodies):
        accelerations[system.body_v[b] : system.body_v[b + 1]] = np.concatenate(reported.accelerations[body.name])
    return accelerations
