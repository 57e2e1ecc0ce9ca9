"""Reactions of a mechanism that accelerates in its pose: said in words, because a machine at rest has others."""

from __future__ import annotations

import numpy as np

from reactio.catalogue.units import quantity
from reactio.joint_reactions.data import Reactions
from reactio.linear.precision import LOCATED


def acceleration_words(every: Reactions) -> tuple[str, ...]:
    """A sentence with the largest acceleration of a body with inertia, ‖r̈‖ + L‖ω̇‖; () where nothing accelerates.

    L is the characteristic length.  A body counts where its inertia force M v̇ is more than rounding of located poses
    next to the loads and reactions.

    >>> import reactio
    >>> acceleration_words(reactio.reactions(reactio.load("door"))), acceleration_words(
    ...     reactio.reactions(reactio.load("double-four-bar"))
    ... )[0][:89]
    ((), 'The mechanism accelerates in this pose (bar4 most, by 1 m/s²): the reactions are those of')
    """
    if every.motion.absent:  # reactions without a value are those of no motion
        return ()
    eqs, system = every.eqs, every.eqs.system
    vdot = np.nan_to_num(every.motion.solution)
    force, scale = np.asarray(eqs.mass @ vdot), np.where(system.angular, 1.0 / system.length, 1.0)
    loads = float(np.abs(scale * np.asarray(eqs.Q)).max(initial=0.0))
    least = LOCATED * max(loads, float(np.abs(every.balanced).max(initial=0.0)))
    sizes: dict[str, tuple[float, float, float]] = {}
    for b, body in enumerate(system.model.bodies):
        columns = slice(system.body_v[b], system.body_v[b + 1])
        if np.abs((scale * force)[columns]).max(initial=0.0) <= least:
            continue
        linear = float(np.linalg.norm(vdot[columns][~system.angular[columns]]))
        turning = float(np.linalg.norm(vdot[columns][system.angular[columns]]))
        sizes[body.name] = (linear + system.length * turning, linear, turning)
    if not sizes:
        return ()
    name = max(sizes, key=lambda body: sizes[body])
    total, linear, turning = sizes[name]
    parts = [(linear, linear, "m/s²"), (system.length * turning, turning, "rad/s²")]
    by = " and ".join(quantity(size, unit, 3) for part, size, unit in parts if part > LOCATED * total)
    held = "" if np.any(eqs.state.v) else "; `reactio equilibrium` computes those at rest"
    return (
        f"The mechanism accelerates in this pose ({name} most, by {by}): the reactions are those of this motion, with "
        f"inertia, not of a machine at rest{held}.",
    )
