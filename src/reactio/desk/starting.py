"""The first text of a new model: a template, or one made from the answers to a few questions."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from reactio.desk.sketching import NEW_MODEL
from reactio.desk.text_edits import flow_text
from reactio.errors import ReactioError, did_you_mean
from reactio.joints import JOINTS_BY_SPACE
from reactio.model.files.read import parse_model

SPACING = 0.3  # [m] between bodies whose places are not known yet
GRAVITY = {"planar": "[0, -9.81]", "spatial": "[0, 0, -9.81]"}
INERTIA = {"planar": "0.01", "spatial": "[0.01, 0.01, 0.01]"}
AXIS = {"planar": [1, 0], "spatial": [0, 0, 1]}
EMPTY = "sketch"  # a template with nothing in it: draw at the desk


def template_names() -> tuple[str, ...]:
    """All templates by name."""
    folder = files("reactio.desk") / "templates"
    names = [file.name.removesuffix(".yaml").replace("_", "-") for file in folder.iterdir()]
    return (*sorted(name for name in names if not name.startswith(".")), EMPTY)


def template_text(name: str) -> str:
    """The text of a template; ``robot arm`` and ``robot-arm`` are the same."""
    plain = name.strip().lower().replace(" ", "-").replace("_", "-")
    if plain == EMPTY:
        return NEW_MODEL
    if plain not in template_names():
        raise ReactioError(f"There is no template '{name[:60]}'.{did_you_mean(plain[:60], template_names())}")
    return (files("reactio.desk") / "templates" / f"{plain.replace('-', '_')}.yaml").read_text(encoding="utf-8")


def described_model(space: str, bodies: Sequence[str], joints: Sequence[str]) -> str:
    """A model of named bodies in a row and of joints such as ``A revolute ground crank``, midway between their bodies.

    Places are guesses, to be corrected at the desk; the text is read once, so that a wrong name is found here.
    """
    if space not in JOINTS_BY_SPACE:
        raise ReactioError(f"space is '{space[:40]}'; it must be planar or spatial.")
    places = {name: SPACING * k for k, name in enumerate(bodies, start=1)} | {"ground": 0.0}
    lines = [f"space: {space}", f"gravity: {GRAVITY[space]}", "bodies:"]
    rest = [0] if space == "planar" else [0, 0]
    for name in bodies:
        lines.append(
            f"  {flow_text(name)}: {{mass: 1, inertia: {INERTIA[space]}, position: "
            f"{flow_text([round(places[name], 6), *rest])}}}"
        )
    lines.append("joints:")
    lines += [f"  {_joint(text, space, places, rest)}" for text in joints]
    text = "# Begun by `reactio new`: the places are guesses, to be corrected.\n" + "\n".join(lines) + "\n"
    parse_model(text, "new")
    return text


def _joint(text: str, space: str, places: dict[str, float], rest: list[int]) -> str:
    words = text.split()
    if len(words) != 4:
        raise ReactioError(f"'{text[:80]}': write NAME TYPE BODY BODY, as in A revolute ground crank.")
    name, kind, *pair = words
    JOINTS_BY_SPACE[space].get(kind)
    for body in pair:
        if body not in places:
            raise ReactioError(f"'{text[:80]}': there is no body '{body[:40]}'.{did_you_mean(body[:40], places)}")
    middle = round((places[pair[0]] + places[pair[1]]) / 2, 6)
    entry = {"type": kind, "bodies": pair, "at": [middle, *rest], "axis": AXIS[space]}
    return f"{flow_text(name)}: {flow_text(entry)}"
