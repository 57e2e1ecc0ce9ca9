"""Edits of a model by clicks: each turns the text of a file into another, and names its change in a few words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import yaml

from reactio.desk.sketching import LinkageSketch, moved_point, with_bar, with_force, with_support
from reactio.desk.text_edits import content, remove, set_value
from reactio.errors import ReactioError, did_you_mean
from reactio.joints import JOINTS_BY_SPACE, JointType
from reactio.model.model import Model

# Fields of a joint that can be set at the desk; an empty text removes one.
JOINT_FIELDS = ("stiffness", "misfit", "preload", "play", "capacity")
LONGEST_VALUE = 2_000  # letters of a value that is typed
SHARED_KEYS = frozenset({"type", "bodies", "at", "axis", "a", "b", "rows"})  # of joints of every type
LIKE_IT_DISTANCE = 0.25  # characteristic lengths along its axis at which a bearing like another is added


class Order(NamedTuple):
    """An edit as the page asks for it, with the model and the drawing that it is about."""

    fields: Mapping[str, Any]
    model: Model
    sketch: LinkageSketch

    def word(self, key: str) -> str:
        """A text of the order."""
        value = self.fields.get(key)
        if not isinstance(value, str) or not value or len(value) > LONGEST_VALUE:
            raise ReactioError(f"The edit needs '{key}' as a text.")
        return value

    def number(self, key: str) -> float:
        """A number of the order."""
        value = self.fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ReactioError(f"The edit needs '{key}' as a number.")
        return float(value)

    def joint(self) -> str:
        """The name of a joint of the model."""
        name = self.word("joint")
        if name not in {joint.name for joint in self.model.joints}:
            raise ReactioError(
                f"There is no joint '{name[:60]}'.{did_you_mean(name[:60], [j.name for j in self.model.joints])}"
            )
        return name

    def end(self, key: str) -> tuple[float, float] | str:
        """An end of a bar: the name of a point or a pair of coordinates [m]."""
        value = self.fields.get(key)
        if isinstance(value, str):
            return value
        if not isinstance(value, list) or len(value) != 2:
            raise ReactioError(f"The edit needs '{key}' as a point [x, y] or a name.")
        x, y = (Order({"value": part}, self.model, self.sketch).number("value") for part in value)
        return x, y


class Edited(NamedTuple):
    """A new text, and a few words on the change."""

    text: str
    words: str


def edited(text: str, order: Order) -> Edited:
    """The text after an edit, which is refused where it names nothing that exists."""
    kind = order.fields.get("do")
    if not isinstance(kind, str) or kind not in EDITS:
        raise ReactioError(f"There is no edit '{str(kind)[:40]}'.")
    return EDITS[kind](text, order)


def _parameter(text: str, order: Order) -> Edited:
    name = order.word("name")
    known = content(text).get("parameters") or {}
    if name not in known:
        raise ReactioError(f"The file has no parameter '{name[:60]}'.{did_you_mean(name[:60], known)}")
    value = order.fields.get("value")
    new: object = order.word("value") if isinstance(value, str) else order.number("value")
    words = new if isinstance(new, str) else f"{new:g}"
    return Edited(set_value(text, ("parameters", name), new), f"{name} = {words[:40]}")


def _joint_type(text: str, order: Order) -> Edited:
    joint, new = order.joint(), order.word("type")
    before = order.model.joint(joint).type
    kinds = JOINTS_BY_SPACE[order.model.space]
    if new not in {kind.name for kind in offered_types(order.model.space)}:
        raise ReactioError(f"'{joint}' cannot become '{new[:60]}': that type needs its own numbers, or is unknown.")
    entry = _entry(text, joint)
    for key in [p.name for p in kinds.get(before).parameters if p.name in entry and p.name not in SHARED_KEYS]:
        text = remove(text, ("joints", joint, key))
    return Edited(set_value(text, ("joints", joint, "type"), new), f"{joint}: {before} → {new}")


def _release(text: str, order: Order) -> Edited:
    """A release of `advise`: another type, where needed with its axes turned."""
    from reactio.design.catalogue import REMOVED, Release
    from reactio.model.files.write import to_data

    joint, new = order.joint(), order.word("type")
    turned = order.fields.get("turned", [0, 0])
    if new == REMOVED:
        return _remove(text, order)
    if not (isinstance(turned, list) and len(turned) == 2 and all(k in (0, 1, 2) for k in turned)):
        raise ReactioError("The edit needs 'turned' as two numbers of 0, 1 or 2.")
    if turned == [0, 0]:
        return _joint_type(text, order)
    if "units" in content(text):
        raise ReactioError(f"'{joint}' needs other axes, which the desk writes in SI units only; edit the file.")
    if new not in {kind.name for kind in offered_types(order.model.space)}:
        raise ReactioError(f"'{joint}' cannot become '{new[:60]}'.")
    before = order.model.joint(joint).type
    release = Release(joint, before, new, 0, (int(turned[0]), int(turned[1])))
    entry = to_data(release.applied(order.model))["joints"][joint]
    return Edited(set_value(text, ("joints", joint), entry), f"{joint}: {before} → {new}, {release.axes}")


def _remove(text: str, order: Order) -> Edited:
    joint = order.joint()
    _entry(text, joint)
    return Edited(remove(text, ("joints", joint)), f"{joint} removed")


def _like_it(text: str, order: Order) -> Edited:
    """A bearing like another: the same bodies and axis, a short way along the axis where that is written in numbers."""
    joint = order.joint()
    entry = dict(_entry(text, joint))
    names = {present.name for present in order.model.joints}
    name = next(f"{joint}_{k}" for k in range(2, len(names) + 3) if f"{joint}_{k}" not in names)
    at, axis = entry.get("at"), entry.get("axis")
    if isinstance(at, list) and isinstance(axis, list) and len(axis) == len(at):
        try:
            direction = [float(x) for x in axis]
        except ValueError:
            direction = [0.0] * len(at)
        step = [LIKE_IT_DISTANCE * _extent(order.model) * x for x in direction]
        entry["at"] = [_sum(place, s) for place, s in zip(at, step, strict=True)]
    return Edited(set_value(text, ("joints", name), entry), f"{name}, a joint like {joint}")


def _sum(place: str, step: float) -> str:
    """An expression with a number added to it."""
    return f"{place} {'+' if step > 0 else '-'} {abs(step):.4g}" if step else place


def _extent(model: Model) -> float:
    places = [body.position for body in model.bodies if body.position]
    spans = [float(max(axis) - min(axis)) for axis in zip(*places, strict=True)] if places else []
    return max([*spans, 0.4])


def _field(text: str, order: Order) -> Edited:
    joint, key = order.joint(), order.word("field")
    if key not in JOINT_FIELDS:
        raise ReactioError(f"A joint has no field '{key[:40]}' here.{did_you_mean(key[:40], JOINT_FIELDS)}")
    typed = order.fields.get("value", "")
    if not isinstance(typed, str) or len(typed) > LONGEST_VALUE:
        raise ReactioError("The edit needs 'value' as a text.")
    if not typed.strip():
        return Edited(remove(text, ("joints", joint, key)), f"{joint}: no {key}")
    try:
        value = content(f"x: {typed}")["x"] if "\n" not in typed else None
    except (ReactioError, yaml.YAMLError):
        value = None
    if value in (None, ""):
        raise ReactioError(f"{key} is written as in the file: a number, or {{x: 1e6, y: 1e6}}.")
    return Edited(set_value(text, ("joints", joint, key), value), f"{joint}: {key} {typed.strip()}")


def _entry(text: str, joint: str) -> dict[str, Any]:
    """The entry of a joint in the text; those of sub-assemblies are in other files."""
    entry = (content(text).get("joints") or {}).get(joint)
    if not isinstance(entry, dict):
        raise ReactioError(f"'{joint}' is not written in this file but comes from a sub-assembly; edit that file.")
    return entry


def offered_types(space: str) -> tuple[JointType, ...]:
    """Types that any two bodies allow: without numbers of their own, and acting both ways."""
    return tuple(
        kind
        for kind in JOINTS_BY_SPACE[space].values()
        if not kind.parameters
        and kind.rows
        and all(row.combination.holonomic and not row.unilateral for row in kind.rows)
    )


def _planar(change: Callable[[str, Order], tuple[str, str]]) -> Callable[[str, Order], Edited]:
    def apply(text: str, order: Order) -> Edited:
        if order.model.space != "planar":
            raise ReactioError("Drawing works on planar models.")
        return Edited(*change(text, order))

    return apply


def _bar(text: str, order: Order) -> tuple[str, str]:
    return with_bar(text, order.sketch, order.end("from"), order.end("to"))


def _support(text: str, order: Order) -> tuple[str, str]:
    return with_support(text, order.sketch, order.word("point"), order.word("kind"))


def _point(text: str, order: Order) -> tuple[str, str]:
    return moved_point(text, order.sketch, order.word("point"), order.number("x"), order.number("y"))


def _force(text: str, order: Order) -> tuple[str, str]:
    return with_force(text, order.sketch, order.word("point"), (order.number("x"), order.number("y")))


def _erase(text: str, order: Order) -> Edited:
    """A body with everything that is fastened to it."""
    name = order.word("body")
    data = content(text)
    if name not in (data.get("bodies") or {}):
        raise ReactioError(f"There is no body '{name[:60]}' in this file.")
    for section in ("joints", "forces"):
        for key, entry in (data.get(section) or {}).items():
            ends = [entry.get("at"), entry.get("a"), entry.get("b"), *(entry.get("bodies") or [])]
            if any(end == name or (isinstance(end, dict) and end.get("body") == name) for end in ends):
                text = remove(text, (section, key))
    return Edited(remove(text, ("bodies", name)), f"{name} removed")


EDITS: Mapping[str, Callable[[str, Order], Edited]] = {
    "parameter": _parameter,
    "type": _joint_type,
    "release": _release,
    "remove": _remove,
    "like": _like_it,
    "field": _field,
    "bar": _planar(_bar),
    "support": _planar(_support),
    "point": _planar(_point),
    "force": _planar(_force),
    "erase": _erase,
}
