"""OpenSim (Simbody): a tree in joint coordinates, loops closed by equations of smallest multipliers."""

from __future__ import annotations

from reactio.auditing.programs import Program, register
from reactio.auditing.programs.pinocchio import split

OPENSIM = register(
    Program(
        name="opensim",
        title="OpenSim",
        rule="minimum norm over cut loops",
        explanation="OpenSim's Simbody keeps a tree of joints, here in the order of the joints, and each loop is "
        "closed by a PointConstraint (a hinge in space by two of them, a characteristic length apart); it solves "
        "for their multipliers by a decomposition that gives those of smallest norm, and the joints of the tree "
        "carry the rest, by equilibrium. A model whose joints alone close loops gets other numbers: OpenSim then "
        "divides "
        "bodies and welds the pieces together.",
        split=split,
    )
)
