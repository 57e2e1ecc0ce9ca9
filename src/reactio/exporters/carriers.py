"""Carriers: small bodies that let a program close a loop by a weld where it has no closure of the type of a joint."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from reactio.catalogue.places import End
from reactio.exporters.placed_joints import PlacedJoint
from reactio.exporters.tree import spanning_tree
from reactio.model.model import Model
from reactio.model.specs import Body, Joint


def with_carriers(model: Model, in_tree: Collection[str], closures: Collection[str]) -> Model:
    """The model with a carrier in each joint that closes a loop, where ``closures`` lack its type and the tree has it.

    A – joint – B becomes A – joint – carrier – weld – B: six equations and six freedoms more, the rank and the mobility
    as before.
    """
    needed = [
        placed
        for placed in spanning_tree(model, frozenset(in_tree)).cut
        if placed.joint.type in in_tree and placed.joint.type not in closures
    ]
    if not needed:
        return model
    masses = all(body.mass is not None for body in model.bodies)
    carriers = {placed.joint.name: _carrier(placed, masses) for placed in needed}
    joints: list[Joint] = []
    for joint in model.joints:
        if joint.name not in carriers:
            joints.append(joint)
            continue
        name = carriers[joint.name].name
        joints += [replace(joint, b=End(name)), Joint(f"{joint.name} weld", "fixed", End(name), joint.b)]
    return replace(model, bodies=(*model.bodies, *carriers.values()), joints=tuple(joints))


def _carrier(placed: PlacedJoint, masses: bool) -> Body:
    """A body without mass at frame b of a joint."""
    given: dict[str, Any] = {"mass": 0.0, "inertia": (0.0,) * 6} if masses else {}
    name = f"{placed.joint.name} carrier"
    return Body(name, position=tuple(placed.b.r), orientation=placed.b.quaternion, **given)
