"""Pinocchio: a tree in joint coordinates, loops closed by equations of smallest multipliers."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.joint_reactions.at_state import reactions
from reactio.programs import Program, register
from reactio.system.equations import Equations


def split(eqs: Equations) -> Floats:
    """λ by the rule cut: smallest multipliers of the joints that close loops, the tree by equilibrium."""
    return reactions(eqs, "cut").balanced


PINOCCHIO = register(
    Program(
        name="pinocchio",
        title="Pinocchio",
        rule="minimum norm over cut loops",
        explanation="Pinocchio keeps a tree of joints, taken here in the order of the joints, and closes each loop by "
        "equations; among all multipliers of these its proximal solver comes to those of smallest norm, and the joints "
        "of the tree bear what equilibrium leaves.",
        split=split,
    )
)
