"""A force on a point of a body."""

from __future__ import annotations

from reactio.catalogue.fields import Choice, LawVector, Place, unchanged
from reactio.forces import AppliedLoad, ForceLaw, ForceType, FrameVelocity, register

FORCE = register(
    ForceType(
        name="force",
        fields=(
            Place("at", "Where it acts: body or body.point."),
            LawVector("force", "Its components, numbers or functions of time.", dimension="force"),
            Choice("axes", "Axes of the components.", "world", options=("world", "body")),
        ),
        loads=lambda p: (AppliedLoad(FrameVelocity(p["at"], in_body=p["axes"] == "body"), ForceLaw(p["force"])),),
        doc="A force on a point of a body, constant or a function of time, in world or body axes.",
        mirrored=unchanged,
    )
)
