"""Reactio itself: the adaptive method of order 8, with projection, at a tolerance."""

from __future__ import annotations

from cases import Case, centres
from mechanism import Mechanism
from variant import Variant, timed

from reactio.arrays import Floats
from reactio.integrate.integrator import integrate

PACKAGE = "reactio"
COPES = "any rank: least change in the metric of the mass matrix; passes singular poses by their own step control"


def variants(case: Case, built: Mechanism) -> list[Variant]:
    """One knob: the tolerance, by eighths of a power of ten."""

    def run(tol: float) -> tuple[Floats, float]:
        motion, wall = timed(lambda: integrate(built.system, built.state, case.until, tol=tol, output=case.times))
        return centres(built, motion.q), wall

    return [Variant("order 8, projected", lambda level: 10 ** -(3 + level / 8), run, growth=1.035, levels=72)]
