"""Pinocchio: a tree in joint coordinates, loops closed by equations of smallest multipliers."""

from __future__ import annotations

from reactio.arrays import Floats
from reactio.programs import Program, register
from reactio.programs.closed_loops import least_on_points
from reactio.system.equations import Equations


def split(eqs: Equations) -> Floats:
    """λ with the smallest forces at the points that close loops, the tree by equilibrium."""
    return least_on_points(eqs)


PINOCCHIO = register(
    Program(
        name="pinocchio",
        title="Pinocchio",
        rule="minimum norm over cut loops",
        explanation="Pinocchio keeps a tree of joints, taken here in the order of the joints, and closes each loop by "
        "point constraints (a hinge in space by two of them, a characteristic length apart); among all multipliers of "
        "these its proximal solver comes to those of smallest norm, and the joints of the tree bear what equilibrium "
        "leaves.",
        split=split,
    )
)
