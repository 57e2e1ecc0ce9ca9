"""Multipliers by a sharing rule, which weighs joints against each other, whatever the coordinates of the bodies are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import GroupKind
from reactio.forward_dynamics.accelerate import Accelerations, accelerations
from reactio.forward_dynamics.contact import refuse_lost_contact
from reactio.forward_dynamics.friction import NEUTRAL_RULE
from reactio.kinematics.body_state import model_at
from reactio.linear.least_norm import least_norm
from reactio.model.transform.natural import absolute
from reactio.model.transform.rotors import ROTOR
from reactio.sharing import Split, problem
from reactio.sharing import split as split_by
from reactio.system.compile.build import build
from reactio.system.elasticity.compliance import elasticity, elasticity_side_by_side
from reactio.system.equations import Equations, equations
from reactio.system.types import State
from reactio.uniqueness import Solvability
from reactio.uniqueness.blocks import MOST_STACKED_ENTRIES

COMPLIANCE = "compliance"  # the rule whose splits at many instants are solved side by side


def splitter(eqs: Equations, motion: Accelerations, answer: Solvability) -> Callable[[str | None], Split]:
    """rule → λ (m,) with Cᵀλ = f; the numbers of unique components when no rule is named.

    Intrinsic rows of natural bodies are not joints and have no weight in a rule: λ of the joints is that of the same
    mechanism in absolute coordinates, and the intrinsic rows balance the rest.
    """
    if answer.unilateral:
        from reactio.uniqueness.bounds import Splits

        refuse_lost_contact(eqs, Splits(answer, motion.f, motion.rounding))
    own_problem = problem(eqs.constraints, motion.f, eqs.mass, answer, motion.rounding, lambda: elasticity(eqs))
    # Rows of rotors stay: their multipliers are determined, and no rule has a say in them.
    shared = (g for g in eqs.system.groups if g.kind != GroupKind.INTRINSIC or g.type == ROTOR)
    joints = sum(group.stop - group.start for group in shared)
    if joints == eqs.system.m:
        return lambda rule: split_by(own_problem, rule or NEUTRAL_RULE)

    def split(rule: str | None) -> Split:
        if rule is None:
            return split_by(own_problem, NEUTRAL_RULE)
        twin = absolute_twin(eqs)
        same = accelerations(twin, rule=rule)
        twins = problem(twin.constraints, same.f, twin.M, None, same.rounding, lambda: elasticity(twin))
        lam, undecided = split_by(twins, rule)
        rest = motion.f - eqs.C[:joints].T @ lam
        intrinsic = least_norm(eqs.C[joints:].T.tocsr(), rest)
        if undecided is not None:
            undecided = np.concatenate([undecided, np.zeros((len(intrinsic), undecided.shape[1]))])
        return Split(np.concatenate([lam, intrinsic]), undecided)

    return split


def multipliers_along(
    every: Sequence[Equations], motions: Sequence[Accelerations], answers: Sequence[Solvability], rule: str | None
) -> list[Floats | None]:
    """λ (m,) at several instants of a motion where a rule settles them side by side; None elsewhere."""
    if len(every) < 2 or rule != COMPLIANCE:
        return [None] * len(every)
    system, out = every[0].system, list[Floats | None]()
    if any(group.kind == GroupKind.INTRINSIC for group in system.groups):
        return [None] * len(every)
    from reactio.sharing.along_motion import splits_along

    most = max(1, MOST_STACKED_ENTRIES // (6 * len(system.groups) * system.m))
    for k in range(0, len(every), most):
        rows = range(k, min(k + most, len(every)))
        elastic = elasticity_side_by_side([every[i] for i in rows])
        if elastic is None:
            return [None] * len(every)
        problems = [
            problem(every[i].constraints, motions[i].f, None, answers[i], motions[i].rounding, None) for i in rows
        ]
        out += splits_along(problems, elastic)
    return [None if lam is None else answer.in_given_order(lam) for lam, answer in zip(out, answers, strict=True)]


def absolute_twin(eqs: Equations) -> Equations:
    """The same mechanism at the same instant in absolute coordinates."""
    system = build(absolute(model_at(eqs.system, eqs.state)))
    return equations(system, State(eqs.state.t, system.q0, system.v0))
