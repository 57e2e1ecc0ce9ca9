"""Starts at rest beside a singular pose: there the constraints say how the motion begins, in the pose they do not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import reactio
from reactio.forward_dynamics.branch_limit import SingularStart
from reactio.integrate.status import Status
from reactio.kernels import compiled_throughout

UNTIL = 0.3  # [s]: it has swung by 0.6 rad
INERTIA, WEIGHT = 3.0, 3.5 * 9.81  # of the bars about their hinges [kg m²], and its moment at θ = 0 [N m]


def swung(theta: float) -> tuple[float, float]:
    """θ and θ̇ at the end by the equation of the one degree of freedom: 3 θ̈ = −3.5 g cos θ."""
    done = solve_ivp(
        lambda t, y: [y[1], -WEIGHT / INERTIA * np.cos(y[0])], (0, UNTIL), [theta, 0.0], rtol=1e-12, atol=1e-13
    )
    return float(done.y[0, -1]), float(done.y[1, -1])


@pytest.mark.parametrize("method", ["dop853", "radau5"])
@pytest.mark.parametrize("theta", [0.02, 0.005, -0.005, 1e-3, -1e-4, 1e-5])
def test_beside_the_flat_pose(theta: float, method: str) -> None:
    with compiled_throughout():
        run = reactio.simulate(reactio.load("double-four-bar", theta=theta, omega=0.0), until=UNTIL, method=method)
    assert run.status is Status.DONE
    angle, rate = swung(theta)
    assert run.final.q[2] == pytest.approx(angle, abs=1e-8)  # some ten steps of 1e-9
    assert run.final.v[2] == pytest.approx(rate, abs=3e-8)


@pytest.mark.parametrize("theta", [0.0, 1e-7])
def test_in_the_flat_pose(theta: float) -> None:
    """Also where rounding decides whether the rank of C is lost."""
    with pytest.raises(SingularStart, match="at rest in a singular pose"):
        reactio.simulate(reactio.load("double-four-bar", theta=theta, omega=0.0), until=UNTIL)
