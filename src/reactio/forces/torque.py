"""A torque on a body."""

from __future__ import annotations

from reactio.catalogue.fields import Choice, LawVector, Place, unchanged
from reactio.forces import AppliedLoad, ForceLaw, ForceType, FrameVelocity, register

TORQUE = register(
    ForceType(
        name="torque",
        fields=(
            Place("at", "The body."),
            LawVector("torque", "Its components; one number in the plane.", dimension="torque", axial=True),
            Choice("axes", "Axes of the components.", "world", options=("world", "body")),
        ),
        loads=lambda p: (
            AppliedLoad(FrameVelocity(p["at"], angular=True, in_body=p["axes"] == "body"), ForceLaw(p["torque"])),
        ),
        doc="A torque on a body, constant or a function of time, in world or body axes.",
        mirrored=unchanged,
    )
)
