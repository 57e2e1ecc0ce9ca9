"""Small models that show a joint, coupling, force, contact or kind of body, to copy from."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reactio.catalogue.places import End
    from reactio.joints import JointType


class EntryKind(StrEnum):
    """Kinds of entries of the catalogue besides joints."""

    COUPLING = "coupling"
    FORCE = "force"
    CONTACT = "contact"
    BODY = "kind of body"


TWO_JOINTS = """\
space: planar
bodies:
  wheel: {{mass: 1, inertia: 0.01, position: [0, 0]}}
  other: {{mass: 1, inertia: 0.01, position: [0.5, 0]}}
joints:
  A: {{type: revolute, bodies: [ground, wheel], at: [0, 0]}}
  B: {{type: {kind}, bodies: [ground, other], at: [0.3, 0]}}
{section}:
  {name}: {{type: {name}, {text}}}"""
COUPLING_EXAMPLES = {
    "belt": "joints: [A, B], radius_1: 0.02, radius_2: 0.06",
    "chain": "joints: [A, B], teeth_1: 17, teeth_2: 51",
    "gear": "joints: [A, B], ratio: -3",
    "limit": "joints: [A], side: 1",
    "linear": "joints: [A, B], coefficients: [1, 2]",
    "rack": "joints: [B, A], radius: 0.02",
}
FORCE_EXAMPLES = {
    "actuator": "joint: A, effort: 20 - 0.5*rate",
    "bushing": "a: {body: ground, point: [0.5, 0]}, b: other, stiffness: [[1e5, 0, 0], [0, 1e5, 0], [0, 0, 10]]",
    "compliant-contact": "a: {body: ground, point: [0, -0.1]}, b: other, stiffness: 1e6",
    "damper": "a: {body: ground, point: [0.5, 0.4]}, b: other, damping: 10",
    "force": "at: {body: other, point: [0.1, 0]}, force: [0, -100]",
    "joint-friction": "joint: A, coefficient: 0.1, velocity: 0.001, radius: 0.01",
    "linear-spring-damper": "joint: B, stiffness: 1000, damping: 10",
    "rotor": "joint: A, inertia: 0.05",
    "spring": "a: {body: ground, point: [0.5, 0.4]}, b: other, stiffness: 1000, length: 0.3",
    "spring-damper": "a: {body: ground, point: [0.5, 0.4]}, b: other, stiffness: 1000, length: 0.3, damping: 10",
    "torque": "at: wheel, torque: 5",
    "torsional-spring-damper": "joint: A, stiffness: 20, damping: 0.1",
}
# The height at which a body touches the ground, and the fields of the contact.
CONTACT_EXAMPLES = {
    "cylinder-on-plane": (0.1, "plane: ground, center: {body: part, axis: [1, 0, 0]}, radius: 0.1, length: 0.3"),
    "disc-on-disc": (0.3, "other: ground, center: part, radius: 0.1, other_radius: 0.2"),
    "disc-on-line": (0.1, "line: ground, center: part, radius: 0.1"),
    "disc-on-plane": (0.1, "plane: ground, center: {body: part, axis: [0, 1, 0]}, radius: 0.1"),
    "point-on-line": (0.0, "line: ground, point: part"),
    "point-on-plane": (0.0, "plane: ground, point: part"),
    "sphere-on-plane": (0.1, "plane: ground, center: part, radius: 0.1"),
    "sphere-on-sphere": (0.3, "other: ground, center: part, radius: 0.1, other_radius: 0.2"),
}
HINGED = "joints:\n  A: {type: revolute, bodies: [ground, part], at: [0, 0]}"
BEAM_EXAMPLE = (
    "{beam: {from: [0, 0], to: [1, 0], section: {box: [0.02, 0.01]}}, material: steel, modes: 2, damping: 0.01}"
)
BODY_EXAMPLES = {
    "floating frame": "space: planar\nmaterials: {steel: {E: 2.1e11, density: 7850}}\nbodies:\n  part:\n"
    f"    kind: floating frame\n    flexible: {BEAM_EXAMPLE}\n{HINGED}",
    "natural": f"space: planar\nbodies:\n  part: {{kind: natural, mass: 1, inertia: 0.1}}\n{HINGED}",
    "point": "space: planar\nbodies:\n  part: {kind: point, mass: 1, position: [0.5, 0]}\n"
    "joints:\n  A: {type: distance, a: ground, b: part}",
    "rigid": f"space: planar\nbodies:\n  part: {{kind: rigid, mass: 1, inertia: 0.1}}\n{HINGED}",
}
ALONG_BODY_AXES = ((), (0.0,), (1.0, 0.0, 0.0, 0.0))  # orientations of a frame along the axes of its body
GUIDED_EXAMPLES = ("rack", "linear-spring-damper")  # examples whose second joint is a slider


def joint_example(joint: JointType) -> str:
    """A body connected to ground by one joint, given by one common frame, or by two frames where they differ."""
    from reactio.drawing.sample import sample

    model = sample(joint)
    body, connection = model.bodies[0], model.joints[0]
    inertia = _numbers(body.inertia[:3]) if len(body.inertia) > 1 else f"{body.inertia[0]:g}"
    meets = tuple(p + q for p, q in zip(body.position, connection.b.point, strict=True))
    if any(meets) or connection.b.orientation not in ALONG_BODY_AXES:
        # Otherwise it has the orientation of b.
        first_end = "ground" if connection.b.orientation in ALONG_BODY_AXES else "{body: ground, axis: [0, 0, 1]}"
        ends = f"a: {first_end}, b: {_end(connection.b)}"
    else:
        ends = f"bodies: [ground, {body.name}], at: {_numbers(meets)}, axis: {_numbers((0, 0, 1)[3 - len(meets) :])}"
        ends = ends if joint.space == "spatial" else ends.replace("axis: [0, 1]", "axis: [1, 0]")
    given = "".join(f", {name}: {value:g}" for name, value in connection.parameters.items())
    return (
        f"space: {joint.space}\nbodies:\n"
        f"  {body.name}: {{mass: {body.mass:g}, inertia: {inertia}, position: {_numbers(body.position)}}}\n"
        f"joints:\n  {connection.name}: {{type: {connection.type}, {ends}{given}}}"
    )


def entry_example(kind: EntryKind, name: str) -> str:
    """A model with a coupling, force, contact or kind of body; nothing for one that another package has registered."""
    if kind is EntryKind.CONTACT:
        return _touching(name)
    if kind is EntryKind.BODY:
        return BODY_EXAMPLES.get(name, "")
    section, known = ("couplings", COUPLING_EXAMPLES) if kind is EntryKind.COUPLING else ("forces", FORCE_EXAMPLES)
    return _two_joints(section, name, known)


def _touching(name: str) -> str:
    """A body that touches the ground."""
    from reactio.contacts import CONTACTS

    if name not in CONTACT_EXAMPLES:
        return ""
    height, text = CONTACT_EXAMPLES[name]
    space = CONTACTS.get(name).space
    inertia, position = ("0.1", f"[0, {height:g}]") if space == "planar" else ("[0.1, 0.1, 0.1]", f"[0, 0, {height:g}]")
    return (
        f"space: {space}\nbodies:\n  part: {{mass: 1, inertia: {inertia}, position: {position}}}\n"
        f"contacts:\n  touch: {{type: {name}, {text}}}"
    )


def _two_joints(section: str, name: str, known: dict[str, str]) -> str:
    if name not in known:
        return ""
    kind = "translational" if name in GUIDED_EXAMPLES else "revolute"
    return TWO_JOINTS.format(section=section, name=name, kind=kind, text=known[name])


def _end(end: End) -> str:
    from reactio.space.rotations import axes_of

    z = axes_of.plain(end.orientation if len(end.orientation) == 4 else ALONG_BODY_AXES[-1])[2]
    axis = tuple(round(part, 12) + 0.0 for part in z)
    turned = "" if end.orientation in ALONG_BODY_AXES else f", axis: {_numbers(axis)}"
    return f"{{body: {end.body}, point: {_numbers(end.point)}{turned}}}"


def _numbers(values: Sequence[float]) -> str:
    return f"[{', '.join(f'{value:.12g}' for value in values)}]"
