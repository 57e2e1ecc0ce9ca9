"""How far reactions of bodies with linear modes can be trusted, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.joint_reactions.wrench import joint_wrenches
from reactio.system.elasticity.linear_modes import linear_modes_limit
from reactio.system.equations import Equations

BEYOND_LINEAR_MODES = 0.05  # part of a reaction by which neglected terms change it, from which on it is not to be used
NEGLIGIBLE_MODAL_CHANGE = 1e-3  # part of the largest reaction: smaller changes do not matter


@dataclass(frozen=True, slots=True)
class LinearModes:
    """The error of linear modes at a state, compared with the reactions there."""

    rotation: float  # largest elastic rotation [rad]
    body: str  # that bends most
    joint: str  # whose reaction changes most, as a part of it
    change: float  # [N], moments over the characteristic length
    size: float  # of that reaction [N]
    beyond: frozenset[str]  # joints that change too much

    @property
    def words(self) -> str:
        """A sentence for every result of bodies with modes."""
        summary = (
            f"Modes are linear in the deflections: '{self.body}' turns elastically by up to {1e3 * self.rotation:.3g} "
            "mrad, and the shortening that this leaves out"
        )
        if not self.joint:
            return f"{summary} changes no reaction."
        change, size = quantity(self.change, "N", 3), quantity(self.size, "N")
        sentence = f"{summary} would change '{self.joint}' by about {change} of {size}"
        if not self.beyond:
            return f"{sentence}."
        return f"{sentence}: beyond linear modes. Divide the body into several, each with its own modes."


def linear_modes(eqs: Equations, lam: Floats) -> LinearModes | None:
    """The limit of linear modes at a state with multipliers λ (m,); None where no body has modes."""
    limit = linear_modes_limit(eqs)
    if limit is None:
        return None
    sizes, changed = _sizes(eqs, lam), _sizes(eqs, limit.lam)
    noticeable = NEGLIGIBLE_MODAL_CHANGE * max(sizes.values(), default=0.0)
    parts = {name: change / max(sizes[name], 1e-300) for name, change in changed.items() if change > noticeable}
    joint = max(parts, key=lambda name: parts[name], default="")
    beyond = frozenset(name for name, part in parts.items() if part > BEYOND_LINEAR_MODES)
    return LinearModes(limit.rotation, limit.body, joint, changed.get(joint, 0.0), sizes.get(joint, 0.0), beyond)


def _sizes(eqs: Equations, lam: Floats) -> dict[str, float]:
    """The force of every joint, drive or coupling [N]; moments over the characteristic length."""
    system, size = eqs.system, eqs.system.dimension
    world = joint_wrenches(eqs, np.asarray(lam)).world
    sizes = {}
    for k, group in enumerate(system.groups):
        if group not in system.reacting:
            continue
        if group.frames is None:
            scale = system.length if group.units[0] == "rad" else 1.0
            sizes[group.name] = float(np.abs(lam[group.start : group.stop]).max()) / scale
        else:
            force, moment = (float(np.linalg.norm(part)) for part in (world[k, :size], world[k, size:]))
            sizes[group.name] = max(force, moment / system.length)
    return sizes
