"""Drawing of planar linkages: bars between named points, whose coordinates are parameters of the file.

A point P is the pair of parameters ``xP`` and ``yP``; a bar from P to Q is a body midway between them, along the line
from P to Q, with the mass and inertia of a slender rod.  So dragging a point is setting two parameters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reactio.desk.text_edits import content, set_value
from reactio.errors import ReactioError
from reactio.model.model import Model

MIDWAY = re.compile(r"\(x(\w+) \+ x(\w+)\)/2")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NEW_MODEL = """\
# Drawn at the desk of Reactio: points are parameters, bars are slender rods.
space: planar
gravity: [0, -9.81]
parameters:
  density: 2  # of the bars, kg per metre
"""


@dataclass(frozen=True, slots=True)
class LinkageSketch:
    """The points and bars of a text that can be drawn on."""

    points: dict[str, tuple[float, float]]  # in the units of the file
    bars: dict[str, tuple[str, str]]
    length: float  # metres per unit of length of the file

    def as_data(self) -> dict[str, Any]:
        """For the page: points in metres."""
        return {
            "points": {name: [self.length * x, self.length * y] for name, (x, y) in self.points.items()},
            "bars": {name: list(ends) for name, ends in self.bars.items()},
        }


def sketch_of(text: str, model: Model, length: float) -> LinkageSketch:
    """The named points and the bars between them."""
    values = model.parameters
    points = {
        name[1:]: (values[name], values[f"y{name[1:]}"])
        for name in values
        if name.startswith("x") and len(name) > 1 and f"y{name[1:]}" in values
    }
    bars = {}
    bodies = content(text).get("bodies") or {}
    for name, body in bodies.items():
        place = body.get("position") if isinstance(body, dict) else None
        if isinstance(place, list) and place and (ends := MIDWAY.fullmatch(str(place[0]))):
            bars[str(name)] = (ends[1], ends[2])
    return LinkageSketch(points, {k: e for k, e in bars.items() if e[0] in points and e[1] in points}, length)


def with_bar(
    text: str, sketch: LinkageSketch, a: tuple[float, float] | str, b: tuple[float, float] | str
) -> tuple[str, str]:
    """The text with a bar between two ends, each a new point [m] or the name of one; hinges join it to bars there."""
    if isinstance(a, str) and a == b:
        raise ReactioError("A bar needs two different ends.")
    text, a = _end(text, sketch, a)
    text, b = _end(text, sketch, b)
    bodies = content(text).get("bodies") or {}
    bar = _free_name("bar", bodies)
    size = f"hypot(x{b} - x{a}, y{b} - y{a})"
    body = {
        "mass": f"density*{size}",
        "inertia": f"density*{size}**3/12",
        "position": [f"(x{a} + x{b})/2", f"(y{a} + y{b})/2"],
        "angle": f"atan2(y{b} - y{a}, x{b} - x{a})",
    }
    if "density" not in (content(text).get("parameters") or {}):
        text = set_value(text, ("parameters", "density"), 2.0)
    text = set_value(text, ("bodies", bar), body)
    for point in (a, b):
        others = [name for name, ends in sketch.bars.items() if point in ends]
        if others:
            text = with_hinge(text, point, others[0], bar)[0]
    return text, f"bar {bar} from {a} to {b}"


def with_hinge(text: str, point: str, first: str, second: str) -> tuple[str, str]:
    """The text with a hinge between two bodies at a point."""
    joints = content(text).get("joints") or {}
    name = point if point not in joints else _free_name(point, joints)
    joint = {"type": "revolute", "bodies": [first, second], "at": [f"x{point}", f"y{point}"]}
    return set_value(text, ("joints", name), joint), f"hinge {name}"


def with_support(text: str, sketch: LinkageSketch, point: str, kind: str) -> tuple[str, str]:
    """The text with a point held by the ground: a hinge, a pin in a horizontal slot, or a clamp."""
    types = {"ground": "revolute", "slider": "revolute-translational", "clamp": "fixed"}
    if kind not in types:
        raise ReactioError(f"A support is a ground, slider or clamp, not '{kind[:40]}'.")
    bars = [name for name, ends in sketch.bars.items() if point in ends]
    if not bars:
        raise ReactioError(f"No bar ends at {point}; draw one first.")
    joints = content(text).get("joints") or {}
    name = point if point not in joints else _free_name(point, joints)
    joint: dict[str, Any] = {"type": types[kind], "bodies": ["ground", bars[0]], "at": [f"x{point}", f"y{point}"]}
    if kind == "slider":
        joint["axis"] = [1, 0]
    return set_value(text, ("joints", name), joint), f"{kind} at {point}"


def with_force(text: str, sketch: LinkageSketch, point: str, force: tuple[float, float]) -> tuple[str, str]:
    """The text with a force [N] on the bar that ends at a point."""
    bars = [(name, ends) for name, ends in sketch.bars.items() if point in ends]
    if not bars:
        raise ReactioError(f"No bar ends at {point}; draw one first.")
    name, (a, b) = bars[0]
    side = "" if point == b else "-"
    place = {"body": name, "point": [f"{side}hypot(x{b} - x{a}, y{b} - y{a})/2", 0]}
    forces = content(text).get("forces") or {}
    load = _free_name("load", forces)
    entry = {"type": "force", "at": place, "force": [round(x, 6) for x in force]}
    return set_value(text, ("forces", load), entry), f"force at {point}"


def moved_point(text: str, sketch: LinkageSketch, point: str, x: float, y: float) -> tuple[str, str]:
    """The text with a point elsewhere [m]."""
    if point not in sketch.points:
        raise ReactioError(f"There is no point '{point[:40]}'.")
    for name, value in ((f"x{point}", x), (f"y{point}", y)):
        text = set_value(text, ("parameters", name), _in_file(value, sketch))
    return text, f"point {point} moved"


def _end(text: str, sketch: LinkageSketch, given: tuple[float, float] | str) -> tuple[str, str]:
    """The text and the name of a point; a new one is added."""
    if isinstance(given, str):
        if given not in sketch.points:
            raise ReactioError(f"There is no point '{given[:40]}'.")
        return text, given
    known = {name[1:] for name in content(text).get("parameters") or {} if name.startswith("x")}
    name = next((letter for letter in LETTERS if letter not in known), "") or _free_name("P", dict.fromkeys(known, 0))
    for key, value in ((f"x{name}", given[0]), (f"y{name}", given[1])):
        text = set_value(text, ("parameters", key), _in_file(value, sketch))
    return text, name


def _in_file(metres: float, sketch: LinkageSketch) -> float:
    """A length in the units of the file, rounded as finely as a hand can place a point."""
    if not math.isfinite(metres):
        raise ReactioError("A point needs finite coordinates.")
    return float(f"{metres / sketch.length:.4g}")


def _free_name(stem: str, taken: Mapping[str, Any]) -> str:
    return next(f"{stem}{k}" for k in range(1, len(taken) + 2) if f"{stem}{k}" not in taken)
