"""R501: a force or torque sensor where the force is not unique."""

from __future__ import annotations

from collections.abc import Iterable

from reactio.linting import LintFinding, LintRule, register
from reactio.linting.subject import Subject
from reactio.uniqueness import Verdict

SENSORS = ("force", "torque", "jointactuatorfrc", "force_torque")  # elements, and types of <sensor>, that read a force


def find(subject: Subject) -> Iterable[LintFinding]:
    """A finding for each sensor of force or torque at a body one of whose joints is not unique."""
    if subject.xml is None or subject.answer is None or not subject.answer.redundancy:
        return
    arbitrary = {group.name for group in subject.answer.groups if group.verdict is not Verdict.UNIQUE}
    places = {
        site.get("name"): body.get("name")
        for body in subject.xml.walk()
        for site in body.all("site")
        if body.tag == "body"
    }
    for element in subject.xml.walk():
        kind = element.get("type") if element.tag == "sensor" else element.tag
        if kind not in SENSORS:
            continue
        named = element.get("joint") or places.get(element.get("site"), "") or _parent_joint(subject, element.line)
        joints = [
            joint.name
            for joint in subject.model.joints
            if joint.name in arbitrary and named in (joint.name, joint.a.body, joint.b.body)
        ]
        if joints:
            message = f"the sensor reads a force of '{joints[0]}', which is not unique: its number is arbitrary."
            yield LintFinding("R501", message, element.line, joints[0])


def _parent_joint(subject: Subject, line: int) -> str:
    """The joint that holds a <sensor> of SDF; empty for others."""
    if subject.xml is None:
        return ""
    holders = [e for e in subject.xml.walk() if e.tag == "joint" and any(c.line == line for c in e.walk())]
    return holders[0].get("name") if holders else ""


ARBITRARY_SENSOR = register(
    LintRule(
        "R501",
        "arbitrary-sensor",
        "A sensor of force or torque sits where the force is not unique: a simulator reports one of infinitely "
        "many values there, and a controller or a test must not rely on it.",
        find,
    )
)
