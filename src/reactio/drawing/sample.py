"""A joint by itself: a body on the ground, for the picture of a joint in catalogues."""

from __future__ import annotations

from reactio.catalogue.fields import REQUIRED
from reactio.catalogue.places import SPACE_SIZES, End
from reactio.joints import JointType
from reactio.model.model import Model
from reactio.model.specs import Body, Joint

UPRIGHT = (
    0.5**0.5,
    0.5**0.5,
    0.0,
    0.0,
)  # orientation of a disc that rolls on a plane, or of axes that may not be parallel
TURNED = {("spatial", name): UPRIGHT for name in ("rolling-disc", "contact-disc", "rough-disc", "axes-angle")}


def sample(joint: JointType) -> Model:
    """A body on the ground by one joint, posed so that its frames are where the parameters ask for them."""
    size, rotation = SPACE_SIZES[joint.space].vector, SPACE_SIZES[joint.space].rotation
    given = {p.name: 0.1 for p in joint.parameters if p.default is REQUIRED or p.name == "length"}
    between = sum(value for name, value in given.items() if name == "length" or name.startswith("radius_"))
    above = 0.0 if "length" in given else given.get("radius", 0.0)  # a ball stands off a plane by its radius
    apart = [between, *(0.0 for _ in range(size - 2)), above]
    place = tuple(0.3 * (k == 0) for k in range(size))
    inertia = (1e-2,) * rotation
    body = Body("body", 1.0, inertia, position=tuple(a - p for a, p in zip(apart, place, strict=True)))
    ends = End("ground", tuple(0.0 for _ in place)), End("body", place, TURNED.get((joint.space, joint.name), ()))
    return Model(
        name=f"{joint.space}-{joint.name}",
        space=joint.space,
        bodies=(body,),
        joints=(Joint(joint.name, joint.name, *ends, given),),
    )
