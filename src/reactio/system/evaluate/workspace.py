"""Arrays for the numbers of one evaluation."""

from __future__ import annotations

import numpy as np

from reactio.system.evaluate.normals import places
from reactio.system.plan import Work
from reactio.system.types import System

OVERFLOWING = 1e100  # forces, rows and velocities this large have squares that leave double precision


def spare_workspace(system: System) -> Work:
    """Arrays of an evaluation that is done, or new ones; who takes them puts them back into ``system.spare_work``."""
    spare = system.spare_work  # of this thread alone from here on: taking out and adding back are one operation each
    return spare.pop() if spare else workspace(system)


def workspace(system: System) -> Work:
    """Arrays for one evaluation."""
    plan = system.plan
    measures, m, n = len(plan.measures.p), system.m, system.n
    return Work(
        R=np.zeros((len(plan.bodies.table), 2 if system.space == "planar" else 9)),
        F=np.array(system.F0),
        value=np.zeros(measures),
        rate=np.zeros(measures),
        D=np.zeros((measures, 6 if system.space == "planar" else 12)),
        bias=np.zeros(measures),
        Phi=np.zeros(m),
        nu=np.zeros(m),
        nudot=np.zeros(m),
        Gamma=np.zeros(m),
        C=np.zeros(len(system.C_pattern[1])),
        uncancelled=np.ones(m),
        M=np.zeros(len(system.M_pattern[1])),
        Q=np.zeros(n),
        load=np.zeros((len(plan.wrenches.table), system.sizes.twist)),
        law=np.zeros(len(plan.efforts.effort)),
        effort=np.zeros(len(plan.efforts.effort)),
        P=np.zeros(places(plan.friction)),
        power=np.zeros(1),
        stack=np.zeros((max(1, system.depth), 3)),
        jet=np.zeros(3),
    )
