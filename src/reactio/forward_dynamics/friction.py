"""Friction at one instant: efforts and reactions that depend on each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.coulomb import coulomb_work, friction_fixed_point
from reactio.forward_dynamics.friction_check import joints_with_friction, refuse_undecided
from reactio.linear.precision import ROUNDOFF
from reactio.sharing import problem, share
from reactio.system.elasticity.compliance import elasticity, elasticity_of_unit_effort
from reactio.system.equations import Equations
from reactio.system.evaluate.evaluation import unit_effort_load
from reactio.system.evaluate.normals import normal_components
from reactio.system.plan import FRICTION_EFFORT, Work
from reactio.system.types import System

ACCELERATION_ROUNDING = 10 * ROUNDOFF  # of an acceleration, as part of it
LEAST_NAMED_SHARE = 1e-2  # of the largest share in a jam, from which on a joint is named
NEUTRAL_RULE = "null-space"  # makes the numbers of unique components, which are the same under every rule


class Jammed(ReactioError):
    """Friction so large that efforts and reactions may have no solution, or several."""


def with_friction(
    eqs: Equations, vdot: Floats, respond: Callable[[Floats], Floats], rule: str | None
) -> tuple[Floats, Floats]:
    """v̇ (n,) and Q (n,) with friction, from v̇ without it.

    e_i = a_i |N_i|,  N = P λ(e),  λ and v̇ affine in e; ``respond``: a force (n,) → the accelerations it adds.
    ``rule`` shares reactions that are not unique; without one the normal reactions must be unique.
    """
    plan, n = eqs.system.plan.friction, eqs.system.n
    k = len(plan.table)
    if not k:
        return vdot, eqs.Q
    answer = eqs.solvability
    if rule is None:
        refuse_undecided(eqs, answer)
    efforts = plan.table[:, FRICTION_EFFORT].tolist()
    unit_loads = np.array([unit_effort_load(eqs, effort) for effort in efforts]).reshape(k, n)
    responses = [*(respond(load) for load in unit_loads), vdot]
    N = np.zeros((len(plan.component), k + 1))
    for j, (force, a) in enumerate(zip((*unit_loads, eqs.Q), responses, strict=True)):
        inertial = eqs.mass @ a
        rounding = ACCELERATION_ROUNDING * (np.abs(force) + np.abs(inertial))
        elastic = partial(elasticity, eqs) if j == k else partial(elasticity_of_unit_effort, eqs, efforts[j])
        task = problem(eqs.constraints, force - inertial, eqs.mass, answer, rounding, elastic)
        normal_components(plan, eqs.work.P, share(task, rule or NEUTRAL_RULE), N, j)
    w = coulomb_work(k)
    a = eqs.work.law[plan.table[:, FRICTION_EFFORT]]
    if not friction_fixed_point(plan.start, N, a, w):
        raise Jammed(_jammed(eqs, a, N))
    return vdot + w.e @ np.array(responses[:k]), eqs.Q + w.e @ unit_loads


def _jammed(eqs: Equations, a: Floats, N: Floats) -> str:
    """The sentence about frictions that jam."""
    ratio, names = jamming(eqs.system, a, N)
    listing = ", ".join(f"'{name}'" for name in names)
    return (
        f"Friction in {listing} is too large at t = {eqs.state.t:g} s: the reactions that it causes add {ratio:.3g} "
        "times as much friction, so that there is no solution, or several (Painlevé). The mechanism jams: lower the "
        "coefficient or the radius, or let a body be flexible."
    )


def jamming(system: System, a: Floats, N: Floats) -> tuple[float, tuple[str, ...]]:
    """By how much frictions multiply themselves, and the joints that do, the largest share first.

    The spectral radius of B_ij = |a_i| |∂N_i/∂e_j|; shares are the entries of its eigenvector.
    """
    of, k = system.plan.friction.start, len(a)
    parts = np.add.reduceat(N[:, :k] ** 2, of[:-1], axis=0)
    values, vectors = np.linalg.eig(np.abs(a)[:, None] * np.sqrt(parts))
    most = int(np.argmax(values.real))
    share = np.abs(vectors[:, most])
    shares: dict[str, float] = {}
    for name, part in zip(joints_with_friction(system), share, strict=True):
        shares[name] = max(shares.get(name, 0.0), float(part))
    names = sorted(
        (name for name in shares if shares[name] > LEAST_NAMED_SHARE * max(shares.values())),
        key=lambda name: -shares[name],
    )
    return float(values[most].real), tuple(names)


def friction_efforts(system: System, work: Work, lam: Floats) -> Floats:
    """(efforts,) law · |P λ| of the frictions for multipliers λ (m,); 0 for the others [N, N m]."""
    plan = system.plan.friction
    efforts = np.zeros(len(work.effort))
    if len(plan.table):
        N = np.zeros((len(plan.component), 1))
        normal_components(plan, work.P, np.ascontiguousarray(lam), N, 0)
        size = np.sqrt(np.add.reduceat(N[:, 0] ** 2, plan.start[:-1]))
        efforts[plan.table[:, FRICTION_EFFORT]] = work.law[plan.table[:, FRICTION_EFFORT]] * size
    return efforts
