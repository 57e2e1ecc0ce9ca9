"""From a pose to one of rest: Newton's method along the constraints."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.kinematics.assemble import closed_pose
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.statics.equilibrium_pose import EquilibriumPose, NoEquilibrium
from reactio.statics.loads import equations_at_rest
from reactio.statics.stiffness import STIFFNESS_STEP, Freedoms, Stiffness, differences, freedoms_of, stiffness
from reactio.system.equations import Equations
from reactio.system.evaluate.coordinates import advance

MOST_REST_STEPS = 200  # steps to a pose of rest
LARGEST_LOAD_LEFT = SOLUTION / 10  # part of the loads that may be left along the freedoms of a pose of rest
# [characteristic lengths, rad]: the force of a stiff spring for so little is rounding.
POSITION_ROUNDING = ROUNDOFF / 100
# Of a first step [characteristic lengths, rad]: beyond it a second-order model of the potential may be wrong.
LARGEST_FIRST_STEP = 0.3
LONGEST_STEP = 30.0  # of any step [characteristic lengths, rad]
FAR_FROM_REST = 1e3  # [characteristic lengths, rad]: a search that has come so far finds no pose of rest
# Error of a second-order model after a step, as part of the loads, up to which the next step may be longer.
LARGEST_MODEL_ERROR = 0.25
MOST_HALVINGS = 40  # of a step that goes uphill
STIFF_SPRINGS = 1e2  # times the loads, per length or radian: stiffness of springs that hardly yield
LEAST_STIFFNESS = 10 * SOLUTION  # part of the loads: smaller stiffnesses are replaced by it in divisions


@dataclass(frozen=True, eq=False)
class NewtonStep:
    """A displacement of a pose along its freedoms."""

    at: Freedoms
    s: Floats  # (d,) along its freedoms
    free: Floats  # (n,) how much each velocity takes part where joints are closed again
    reach: float = LARGEST_FIRST_STEP  # largest size of the next step: longer where K predicted the loads left well

    def part(self, share: float) -> Equations:
        """The pose after a share of the step, closed again."""
        eqs = self.at.eqs
        q = advance(eqs.system, eqs.state.q, share * self.at.T @ self.s)
        return equations_at_rest(eqs.system, eqs.state.t, closed_pose(eqs.system, eqs.state.t, q, self.free))


def descend(eqs: Equations) -> EquilibriumPose:
    """From a pose downhill to rest."""
    reach, distance = LARGEST_FIRST_STEP, 0.0
    for count in range(MOST_REST_STEPS):
        at = freedoms_of(eqs)
        tangent = stiffness(at)
        if resting(at, tangent):
            return EquilibriumPose(at, tangent, count)
        step = downhill(at, tangent, reach)
        eqs, reach, distance = step.part(1.0), step.reach, distance + float(np.abs(step.s).max())
        if distance > FAR_FROM_REST:
            break
    raise no_rest(freedoms_of(eqs))


def approach(eqs: Equations) -> EquilibriumPose:
    """From a pose to one of rest, stable or not: Newton's method, its steps halved until fewer loads are left."""
    for count in range(MOST_REST_STEPS):
        at = freedoms_of(eqs)
        tangent = stiffness(at)
        if resting(at, tangent):
            return EquilibriumPose(at, tangent, count)
        eqs = _with_fewer_loads(at, tangent)
    raise no_rest(freedoms_of(eqs))


def _with_fewer_loads(at: Freedoms, tangent: Stiffness) -> Equations:
    """The pose after a step along K⁻¹g."""
    values, V, _ = tangent.principal()
    floor = LEAST_STIFFNESS * (tangent.loads or float(np.abs(values).max()))
    held = np.copysign(np.maximum(np.abs(values), floor), values)
    s: Floats = V @ ((V.T @ at.g) / held)
    if not tangent.symmetric:
        s = np.asarray(np.linalg.lstsq(tangent.K, at.g, rcond=None)[0], float)
    s = s * min(1.0, LARGEST_FIRST_STEP / float(np.abs(s).max()))
    for _ in range(MOST_HALVINGS):
        try:
            trial = NewtonStep(at, s, np.ones(at.eqs.system.n)).part(1.0)
        except ReactioError:  # beyond what the joints allow
            s = s / 2
            continue
        if np.linalg.norm(_transported(trial, at.T).T @ trial.Q) < np.linalg.norm(at.g):
            return trial
        s = s / 2
    raise no_rest(at)


def no_rest(at: Freedoms) -> NoEquilibrium:
    """The error about loads that are left after all steps."""
    remaining = float(np.abs(at.g).max(initial=0.0)) / (at.loads or 1.0)
    return NoEquilibrium(
        f"No equilibrium of '{at.eqs.system.model.name}' was found: {remaining:.2g} of the loads "
        f"remain unbalanced. Are loads unbounded, or does no spring or weight pull back?"
    )


def resting(at: Freedoms, tangent: Stiffness) -> bool:
    """Is the load along every freedom rounding, relative to the loads or to the stiffness there?"""
    values, V, _ = tangent.principal()
    return bool((np.abs(V.T @ at.g) <= LARGEST_LOAD_LEFT * tangent.loads + POSITION_ROUNDING * np.abs(values)).all())


def downhill(at: Freedoms, tangent: Stiffness, reach: float) -> NewtonStep:
    """A step along |K|⁻¹g, halved until the loads have done work or less than half of them is left."""
    s = _direction(at, tangent)
    s = s * min(1.0, reach / float(np.abs(s).max()))
    free = _weights_by_stiffness(at, tangent)
    for _ in range(MOST_HALVINGS):
        step = NewtonStep(at, s, free)
        try:
            trial = step.part(1.0)
        except ReactioError:  # beyond what the joints allow
            s = s / 2
            continue
        after = _transported(trial, at.T).T @ trial.Q
        if (at.g + after) @ s > 0 or np.linalg.norm(after) < 0.5 * np.linalg.norm(at.g):
            wrong = float(np.linalg.norm(after - at.g + tangent.K @ s) / np.linalg.norm(at.g))
            return replace(step, reach=_next_reach(float(np.abs(s).max()), wrong))
        s = s / 2
    raise NoEquilibrium(
        f"The search for an equilibrium of '{at.eqs.system.model.name}' is stuck: "
        f"{np.abs(at.g).max() / (at.loads or 1.0):.2g} of the loads remain unbalanced, and no step along them "
        f"lowers the energy."
    )


def _next_reach(length: float, wrong: float) -> float:
    """The largest size of the next step, after one of some length whose model was wrong by a part of the loads."""
    if not wrong < LARGEST_MODEL_ERROR:
        return LARGEST_FIRST_STEP
    return min(LONGEST_STEP, max(LARGEST_FIRST_STEP, 2.0 * length))


def _direction(at: Freedoms, tangent: Stiffness) -> Floats:
    """|K|⁻¹g with the absolute values of K's principal values: downhill, also where K is not positive.

    K⁻¹g for loads without a potential, as long as the symmetric part of K is positive.
    """
    values, V, off = tangent.principal()
    if not tangent.symmetric and values[0] > off[0]:
        return np.asarray(np.linalg.solve(tangent.K, at.g))
    floor = LEAST_STIFFNESS * (tangent.loads or float(np.abs(values).max()))
    turning = np.linalg.norm((tangent.K - tangent.K.T) @ V, axis=0) / 2
    return np.asarray(V @ ((V.T @ at.g) / np.maximum(np.maximum(np.abs(values), turning), floor)))


def _weights_by_stiffness(at: Freedoms, tangent: Stiffness) -> Floats:
    """(n,) 1/√(1 + k/loads) with the stiffness k of each velocity alone, where there is a stiff one.

    Joints that a step has opened are then closed without straining stiff springs, whose energy would hide the descent.
    """
    if np.abs(tangent.principal().values).max() <= STIFF_SPRINGS * tangent.loads:
        return np.ones(at.eqs.system.n)
    alone = np.diag(at.eqs.system.column_scale)
    K = differences(at.eqs, alone, np.zeros(at.eqs.system.m), STIFFNESS_STEP)
    return np.asarray(1.0 / np.sqrt(1.0 + np.maximum(np.diagonal(K), 0.0) / (tangent.loads or 1.0)))


def _transported(eqs: Equations, before: Floats) -> Floats:
    """The admissible displacements (n, d) nearest to those of a nearby pose, ``before`` (n, d)."""
    T, scale = freedoms_of(eqs).T, eqs.system.column_scale
    return np.asarray(T @ ((T / scale[:, None]).T @ (before / scale[:, None])))
