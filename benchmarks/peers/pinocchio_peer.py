"""Pinocchio: joints of the tree as coordinates, loops by ``constraintDynamics`` or ``lcaba`` (proximal, any rank).

Its Delassus operators belong to solvers of contacts and have no forward dynamics in Python.  It has no integrator; its
functions are called from RK4 in Python and from SciPy's DOP853.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pinocchio as pin
from cases import SAMPLES, Case
from mechanism import Mechanism
from variant import Variant, halved, steps_between, timed

from reactio.arrays import Floats

PACKAGE = "pin"
COPES = "proximal iterations (mu = 1e-8, 1e-5) solve redundant rows; drift is left, or pulled back by Baumgarte's terms"
MU = (1e-8, 1e-5)
MOST = 8_000  # evaluations of an adaptive run
PULL = (20.0, 0.0)  # of Baumgarte's terms [1/s]


# The algorithms for loops, and what has to be called before: the joint-space and the articulated-body one.
PREPARATION = {
    pin.constraintDynamics: pin.initConstraintDynamics,
    pin.lcaba: lambda model, data, loops, _: pin.computeJointMinimalOrdering(model, data, loops),
}


class Engine:
    """A model with its loops, and ẏ = f(y) of y = (q, v)."""

    def __init__(self, built: Mechanism, mu: float, pull: float, dynamics: Callable[..., Floats]) -> None:
        self.built, self.model = built, pin.Model()
        self.model.gravity.linear = built.gravity
        self.ids, self.origins, v0 = [], [], []
        for body, joint in zip(built.bodies, built.carried, strict=True):
            hinge = pin.JointModelRZ() if built.planar else pin.JointModelRevoluteUnaligned(joint.axis)
            kind = hinge if joint.kind == "hinge" else pin.JointModelSpherical()
            parent, before = (self.ids[joint.a], self.origins[joint.a]) if joint.a >= 0 else (0, np.zeros(3))
            place = pin.SE3(np.eye(3), joint.point - before)
            own = self.model.addJoint(parent, kind, place, body.name)
            inertia = pin.Inertia(body.mass, body.centre - joint.point, body.inertia)
            self.model.appendBodyToJoint(own, inertia, pin.SE3.Identity())
            relative = body.omega - (built.bodies[joint.a].omega if joint.a >= 0 else 0.0)
            v0.append([joint.axis @ relative] if joint.kind == "hinge" else relative)
            self.ids.append(own)
            self.origins.append(joint.point)
        self.data = self.model.createData()
        self._close(pull)
        self.settings = pin.ProximalSettings(1e-13, mu, 20)
        self.dynamics = dynamics
        PREPARATION[dynamics](self.model, self.data, self.loops, self.loop_data)
        self.y0 = np.concatenate([pin.neutral(self.model), np.concatenate(v0)])
        self.balls = np.array([j.idx_q for j in self.model.joints if j.nq == 4], dtype=int)
        self.loaded = [i for i, b in enumerate(built.bodies) if b.force.any() or b.moment.any()]

    def _close(self, pull: float) -> None:
        self.loops = pin.StdVec_RigidConstraintModel()
        for loop in self.built.loops:
            ends = []
            for k in (loop.a, loop.b):
                origin = self.origins[k] if k >= 0 else np.zeros(3)
                ends += [self.ids[k] if k >= 0 else 0, pin.SE3(np.eye(3), loop.point - origin)]
            one = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, self.model, *ends, pin.ReferenceFrame.LOCAL)
            one.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(pull**2, 2 * pull))
            self.loops.append(one)
        self.loop_data = pin.StdVec_RigidConstraintData()
        for one in self.loops:
            self.loop_data.append(one.createData())

    def rates(self, _: float, y: Floats) -> Floats:
        """(q̇, v̇)."""
        nq, nv = self.model.nq, self.model.nv
        q, v = y[:nq], y[nq:]
        if len(self.balls):
            q = self._unit(q)
        tau = self._loads(q) if self.loaded else np.zeros(nv)
        vdot = self.dynamics(self.model, self.data, q, v, tau, self.loops, self.loop_data, self.settings)
        if not np.isfinite(vdot).all():
            raise FloatingPointError("accelerations that are no numbers")
        return np.concatenate([self._turned(q, v) if len(self.balls) else v, vdot])

    def _unit(self, q: Floats) -> Floats:
        q = q.copy()
        at = self.balls[:, None] + np.arange(4)
        q[at] /= np.linalg.norm(q[at], axis=1)[:, None]
        return q

    def _turned(self, q: Floats, v: Floats) -> Floats:
        """q̇ of a tree of balls: ½ p (ω, 0), scalar last, ω in body axes."""
        x, y, z, w = q.reshape(-1, 4).T
        a, b, c = v.reshape(-1, 3).T
        return (
            0.5
            * np.stack(
                [w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c], axis=1
            ).ravel()
        )

    def _loads(self, q: Floats) -> Floats:
        pin.computeJointJacobians(self.model, self.data, q)
        tau = np.zeros(self.model.nv)
        for i in self.loaded:
            body, joint = self.built.bodies[i], self.built.carried[i]
            J = pin.getJointJacobian(self.model, self.data, self.ids[i], pin.LOCAL_WORLD_ALIGNED)
            arm = self.data.oMi[self.ids[i]].rotation @ (body.centre - joint.point)
            tau += J[:3].T @ body.force + J[3:].T @ (body.moment + np.cross(arm, body.force))
        return tau

    def centres(self, y: Floats) -> Floats:
        """(bodies, 3)."""
        q = y[: self.model.nq]
        pin.forwardKinematics(self.model, self.data, self._unit(q) if len(self.balls) else q)
        pairs = zip(self.ids, self.built.bodies, self.built.carried, strict=True)
        return np.array([self.data.oMi[i].act(body.centre - joint.point) for i, body, joint in pairs])


def runge_kutta(engine: Engine, times: Floats, h: float) -> list[Floats]:
    """The classic method of order 4; states at the samples."""
    y, f, found = engine.y0, engine.rates, []
    for _ in range(SAMPLES):
        for _ in range(steps_between(times, h)):
            a = f(0.0, y)
            b = f(0.0, y + 0.5 * h * a)
            c = f(0.0, y + 0.5 * h * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + f(0.0, y + h * c))
        found.append(y)
    return found


def dop853(engine: Engine, times: Floats, tol: float) -> list[Floats]:
    """SciPy's adaptive method of order 8."""
    from scipy.integrate import solve_ivp

    left = [MOST]

    def rates(t: float, y: Floats) -> Floats:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError(f"more than {MOST} evaluations: stuck beside a singular pose")
        return engine.rates(t, y)

    run = solve_ivp(rates, (0.0, times[-1]), engine.y0, method="DOP853", rtol=tol, atol=tol, t_eval=times)
    return list(run.y.T)


def variants(case: Case, built: Mechanism) -> list[Variant]:
    """Two algorithms, two ways to step, with and without Baumgarte's terms, and two proximal parameters."""
    found = []
    for dynamics, mu, pull in itertools.product(PREPARATION, MU, PULL):
        engine = Engine(built, mu, pull, dynamics)
        label = f"{dynamics.__name__}, mu {mu:g}, Baumgarte {pull:g}/s"
        steps = halved(case.until, SAMPLES, 0.05)
        tolerance: Callable[[int], float] = lambda level: 10 ** -(3 + level / 4)  # noqa: E731
        found += [
            Variant(f"RK4, {label}", steps, _runner(engine, case, runge_kutta)),
            Variant(f"DOP853, {label}", tolerance, _runner(engine, case, dop853), growth=1.1, levels=40),
        ]
    return found


def _runner(engine: Engine, case: Case, method: Callable[..., list[Floats]]) -> Callable[[float], tuple[Floats, float]]:
    def run(setting: float) -> tuple[Floats, float]:
        states, wall = timed(lambda: method(engine, case.times, setting))
        return np.array([engine.centres(y) for y in states]), wall

    return run
