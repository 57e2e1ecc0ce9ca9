"""Penalty: constraints are replaced by stiff springs and dampers, which give way."""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.forward_dynamics.coulomb import normal_reaction
from reactio.integrate.formulation import Formulation, Setting, register
from reactio.integrate.projection.mass_projection import MASS_REGULARISATION, force_to_root, from_root
from reactio.integrate.projection.project import FINE, NOT_CLOSED, NOT_FINITE, factor, largest, position_residual
from reactio.integrate.projection.workspace import Projection
from reactio.linear.precision import SOLUTION
from reactio.sharing.elasticity import ElasticPartKind
from reactio.system.elasticity.compliance import elasticity
from reactio.system.equations import equations
from reactio.system.evaluate.normals import normal_components
from reactio.system.plan import FRICTION_EFFORT
from reactio.system.types import System

# [rad/s] Frequency of the springs on the masses of their rows, where no stiffness is given: an acceleration of
# 1000 m/s² opens a joint by 1e-5 m.  The springs keep explicit steps short: some ten thousand for a second.
FREQUENCY = 1e4
COUPLED = SOLUTION  # part of a compliance above which one between two rows is not rounding
# |Φ| up to which springs still stand for constraints [characteristic lengths, rad].
LARGEST_OPENING = 1e-2


def spring_stiffness(system: System, settings: Mapping[str, float]) -> Floats:
    """(m,) stiffness of the spring of each row [N/m, N m/rad]; 0 where the frequency decides."""
    k = settings["stiffness"]
    stiffness = np.where(system.angular_rows, k * system.length**2, k)
    return _with_joint_stiffnesses(system, stiffness) if settings["joints"] else stiffness


def _with_joint_stiffnesses(system: System, stiffness: Floats) -> Floats:
    """The same with the stiffnesses of joints, drives and couplings in place, where the model gives some.

    With the compliance F = L Lᵀ of the rows of a joint their stiffness is 1/F_ii; a joint whose rows bend each other is
    refused, because each spring follows one row.
    """
    stiffness, known = np.array(stiffness), False
    for part in elasticity(equations(system)).parts:
        F = part.L @ part.L.T
        size = np.diagonal(F)
        if part.kind == ElasticPartKind.BODY or not size.any():
            continue
        if (np.abs(F - np.diag(size)) > COUPLED * np.sqrt(np.outer(size, size))).any():
            raise ReactioError(
                f"The stiffness of '{part.name}' couples its equations, and the springs of the formulation 'penalty' "
                "follow one each. Give a stiffness along its axes, or leave out joints=1."
            )
        stiffness[part.rows[size > 0.0]] = 1.0 / size[size > 0.0]
        known = True
    if not known:
        raise ReactioError(
            f"penalty:joints=1: no joint, drive or coupling of '{system.model.name}' has a stiffness. Give some, or "
            "leave out joints=1."
        )
    return stiffness


def _add_spring_friction(projection: Projection, force: Floats) -> None:
    """Add the frictions e_i = a_i |N_i| to a force (n,); N follows from the springs alone, whatever e is."""
    plan, work, friction = projection.plan.friction, projection.work, projection.friction
    k = plan.table.shape[0]
    normal_components(plan, work.P, projection.formulation.lam, friction.N, k)
    for j in range(k):
        effort = plan.table[j, FRICTION_EFFORT]
        work.effort[effort] = work.law[effort] * normal_reaction(friction.N, plan.start[j], plan.start[j + 1], k)
        friction.unit[effort] = work.effort[effort]
    effort_loads(projection.plan, work, projection.p.q, friction.unit, force)
    friction.unit[:] = 0.0


def sprung(projection: Projection, t: float, close: float, limit: float) -> int:
    """Leave (d, v) as they are; λ_i = k_i Φ_i + c_i (C v − ν)_i and M v̇ = Q − Cᵀλ.

    k_i is given, or m_i ω² with the mass m_i = R_i² = 1/(c_i M⁻¹c_iᵀ) of the row; c_i = 2 ζ √(k_i m_i).
    """
    work, metric, m, p, f = projection.work, projection.metric, projection.m, projection.p, projection.formulation
    frequency, damping = f.settings[2], f.settings[3]
    evaluate_as_given(projection, t)
    factor(projection, MASS_REGULARISATION)
    for k in range(p.v.shape[0]):
        p.change[k] = work.Q[k]
    for i in range(m.b.shape[0]):
        stiffness = f.stiffness[i] if f.stiffness[i] > 0.0 else (m.R[i] * frequency) ** 2
        speed = -work.nu[i]
        for k in range(metric.indptr[i], metric.indptr[i + 1]):
            speed += work.C[k] * p.v[metric.indices[k]]
        damper = 2.0 * damping * m.R[i] * math.sqrt(stiffness)
        f.lam[i] = stiffness * metric.holonomic[i] * work.Phi[i] + damper * speed
        m.y[i] = -f.lam[i] / m.R[i] if m.R[i] > 0.0 else 0.0
        for k in range(metric.indptr[i], metric.indptr[i + 1]):
            p.change[metric.indices[k]] -= work.C[k] * f.lam[i]
    if projection.friction.a.shape[0] > 0:
        add_spring_friction(projection, p.change)
    force_to_root(metric, m, p.change)
    from_root(metric, m, p.vdot)
    size = position_residual(metric, work.Phi)
    if not (size < np.inf and largest(p.vdot, metric.scale) < np.inf):
        return NOT_FINITE
    return FINE if size <= LARGEST_OPENING else NOT_CLOSED


PENALTY = register(
    Formulation(
        name="penalty",
        doc="A spring and a damper in place of every equation. Joints open by load over stiffness.",
        undetermined="The springs share the load by their stiffness, as elastic joints would: the numbers are those of "
        "the stiffnesses that were given, not of the machine.",
        cite="Wojtyra & Frączek 2013, Sect. 3.3; Bayo, García de Jalón & Serna 1988, Comput. Methods Appl. Mech. Eng. "
        "71, 183–195",
        accelerate=sprung,
        templates={"add_spring_friction": _add_spring_friction},
        settings=(
            Setting("stiffness", 0.0, "stiffness of every equation, times length² for angles; 0: by frequency", "N/m"),
            Setting("joints", 0.0, "1: stiffnesses of joints from the model, where it gives some", "", 0.0, whole=True),
            Setting("frequency", FREQUENCY, "frequency of each spring on the mass of its row", "rad/s", 1.0),
            Setting("damping", 0.3, "damping ratio of the springs", ""),
        ),
        agreement=1e-2,
        force_agreement=3e-2,
        projects=False,
        drift=LARGEST_OPENING,
        multipliers=True,
        dense=False,
        interpolates=False,
        friction_by_rule=False,
        massless=False,
        stiffness=spring_stiffness,
    )
)
