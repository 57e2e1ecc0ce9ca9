"""What is raced: mechanisms, their span of time, and where their bodies ought to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from mechanism import Mechanism, mechanism

from reactio.arrays import Floats

SAMPLES = 10  # times at which positions are compared, the end among them


@dataclass(frozen=True, slots=True)
class Case:
    """A mechanism and how long it runs."""

    title: str
    name: str
    parameters: dict[str, float]
    until: float  # [s]

    @property
    def times(self) -> Floats:
        """(SAMPLES,) evenly spaced, without the start [s]."""
        return np.linspace(0.0, self.until, SAMPLES + 1)[1:]


CASES = {
    **{f"four-bar-{N}": Case(f"n-four-bar, N = {N}", "n-four-bar", {"N": N}, 10.0) for N in (2, 10, 40, 100, 400)},
    "modified-double": Case("modified double four-bar", "modified-double-four-bar", {}, 10.0),
    "bennett": Case("Bennett's linkage", "bennett", {}, 2.0),
    "parallelogram": Case("spatial parallelogram", "spatial-parallelogram", {}, 2.0),
}


def reference(case: Case, built: Mechanism) -> Floats:
    """(SAMPLES, bodies, 3) centres of mass.

    All cranks of a row of four-bars stay parallel: one equation for their angle, solved to 1e-13.  The mechanisms of
    space have no such solution; their reference is the motion by Reactio at 1e-12, and a peer that comes within an
    error confirms it to that error.
    """
    if built.planar:
        return _parallel_cranks(case, built)
    from reactio.integrate.integrator import integrate

    motion = integrate(built.system, built.state, case.until, tol=1e-12, output=case.times)
    return centres(built, motion.q)


def centres(built: Mechanism, q: Floats) -> Floats:
    """(k, bodies, 3) centres of mass from rows of q, in the order of the tree."""
    size, system = 2 if built.planar else 3, built.system
    found = np.zeros((len(q), len(built.bodies), 3))
    for i, body in enumerate(built.bodies):
        at = system.body_q[system.model.body_index[body.name]]
        found[:, i, :size] = q[:, at : at + size]
    return found


def _parallel_cranks(case: Case, built: Mechanism) -> Floats:
    """Σ(J + m l²) θ̈ = −g Σ m l cos θ: bodies on ground turn about their hinge, the others only shift by e(θ) [1 m]."""
    from scipy.integrate import solve_ivp

    inertia = weight = 0.0
    on_ground = [joint.a < 0 for joint in built.carried]
    for body, joint, crank in zip(built.bodies, built.carried, on_ground, strict=True):
        lever = float(np.linalg.norm(body.centre - joint.point)) if crank else 1.0
        inertia += body.mass * lever**2 + (body.inertia[2, 2] if crank else 0.0)
        weight -= body.mass * lever * built.gravity[1]
    first = built.bodies[0]
    theta = float(np.arctan2(*(first.centre - built.carried[0].point)[1::-1]))
    run = solve_ivp(
        lambda _, y: [y[1], -weight / inertia * np.cos(y[0])], (0.0, case.until), [theta, first.omega[2]],
        method="DOP853", rtol=1e-13, atol=1e-13, t_eval=case.times,
    )  # fmt: skip
    along = np.stack([np.cos(run.y[0]), np.sin(run.y[0]), 0 * run.y[0]], axis=1)
    start = np.array([np.cos(theta), np.sin(theta), 0.0])
    found = np.zeros((SAMPLES, len(built.bodies), 3))
    for i, (body, joint, crank) in enumerate(zip(built.bodies, built.carried, on_ground, strict=True)):
        lever = np.linalg.norm(body.centre - joint.point)
        found[:, i] = joint.point + lever * along if crank else body.centre + (along - start)
    return found


def prepared(case: Case) -> Mechanism:
    """The mechanism of a case."""
    return mechanism(case.name, case.parameters)
