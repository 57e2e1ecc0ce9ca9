"""Self-stresses as wrenches in the joints: what releases remove."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.design.catalogue import wrenches
from reactio.system.equations import Equations


def stress_wrenches(eqs: Equations) -> dict[str, Floats]:
    """The wrench (6, p) of every joint in an orthonormal basis of the self-stresses, and efforts of drives."""
    answer = eqs.solvability
    N = answer.N
    names = [g.name for g in eqs.system.groups]
    every = []
    for group in eqs.system.groups:
        rows = N[group.start : group.stop]
        every.append(wrenches(eqs, group.name) @ rows if group.frames is not None else rows)
    stacked = np.vstack(every)
    _, R = np.linalg.qr(stacked)
    scaled = np.linalg.solve(R.T, stacked.T).T
    ends = np.cumsum([len(block) for block in every])[:-1]
    return dict(zip(names, np.split(scaled, ends), strict=True))
