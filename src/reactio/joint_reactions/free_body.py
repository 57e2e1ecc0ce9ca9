"""The free-body diagram of one body: every force and moment on it, which balance its inertia."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats, dense
from reactio.errors import ReactioError, did_you_mean
from reactio.joint_reactions.data import Reactions


@dataclass(frozen=True, slots=True, eq=False)
class ForceOnBody:
    """The reaction of one joint, drive or coupling on a body, as its free-body diagram shows it."""

    name: str
    type: str
    other: str  # the body on the other side; several with commas, empty for none
    wrench: Floats  # force [N] and moment about the body's origin [N m], world axes; NaN where not determined
    determined: tuple[bool, ...]  # the components that the model determines


@dataclass(frozen=True, slots=True, eq=False)
class FreeBody:
    """All that acts on a body: Σ_X f_X + Q_b = M_b v̇_b, in world axes about the origin of the body.

    f_X = −C_Xᵀλ_X are the columns of the body in the reactions of each joint; Q_b its loads, weight and velocity-
    dependent inertia among them.  The sum of the reactions is unique whatever the verdicts on its terms are.
    """

    body: str
    point: Floats  # origin of the body [m]
    reactions: tuple[ForceOnBody, ...]
    loads: Floats  # Q_b [N, N m]
    inertia: Floats  # M_b v̇_b [N, N m]
    residual: float  # largest entry of Σ f_X + Q_b − M_b v̇_b [N, N m]

    @property
    def sum(self) -> Floats:
        """The sum of all reactions on the body, M_b v̇_b − Q_b."""
        return self.inertia - self.loads


def free_body(reactions: Reactions, body: str) -> FreeBody:
    """The free-body diagram of a body by its name.

    >>> import reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("door", hinges=2)))
    >>> diagram = free_body(reactio.reactions(eqs), "door")
    >>> [one.name for one in diagram.reactions], diagram.sum.round(2).tolist()[:3]
    (['hinge1', 'hinge2'], [0.0, 0.0, 245.25])
    """
    eqs = reactions.eqs
    system, model = eqs.system, eqs.system.model
    if body not in model.body_index:
        raise ReactioError(f"There is no body '{body}'.{did_you_mean(body, model.body_index)}")
    b = model.body_index[body]
    columns = np.arange(system.body_v[b], system.body_v[b + 1])
    if len(columns) != system.sizes.twist:
        raise ReactioError(
            f"'{body}' does not move by a velocity and an angular velocity alone, so that its equations are not those "
            "of a free-body diagram."
        )
    C, M = dense(eqs.C), dense(eqs.M)
    vdot = reactions.motion.vdot if np.isfinite(reactions.motion.vdot).all() else reactions.motion.solution
    forces, total = [], np.zeros(len(columns))
    for group in system.reacting:
        rows = slice(group.start, group.stop)
        P = -C[rows, columns[0] : columns[-1] + 1].T
        if not P.any():
            continue
        value = P @ reactions.balanced[rows]
        total += value
        sure = np.array([flag is True for flag in reactions.answer.uniqueness(reactions.answer.index[group.name], P)])
        known = sure | reactions.by_rule(rows, P) if group.name not in reactions.motion.absent else np.zeros_like(sure)
        others = [model.bodies[k].name if k >= 0 else "ground" for k in group.bodies if k != b]
        wrench = np.where(known, value + 0.0, np.nan)
        determined = tuple((sure & (reactions.given is None)).tolist())
        forces.append(ForceOnBody(group.name, group.type, ", ".join(others), wrench, determined))
    loads, inertia = np.asarray(eqs.Q)[columns], (M @ vdot)[columns]
    residual = float(np.abs(total + loads - inertia).max(initial=0.0))
    return FreeBody(body, _origin(reactions, b), tuple(forces), loads, inertia, residual)


def _origin(reactions: Reactions, b: int) -> Floats:
    q, system = reactions.eqs.state.q, reactions.eqs.system
    return np.array(q[system.body_q[b] : system.body_q[b] + system.dimension])
