"""The page of the desk: the viewer of the report, with the tools of the desk around it."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from string import Template
from typing import Any

from reactio import __version__
from reactio.desk.answer import NO_REACTIONS
from reactio.desk.edits import JOINT_FIELDS
from reactio.desk.questions import QUESTIONS
from reactio.drawing.camera import PITCH, YAW
from reactio.reporting.html import embedded, page_file, viewer_script

DESK_SCRIPTS = ("desk", "parameters", "what_if", "ask", "draw", "file")
DARK = re.compile(
    r"@media \(prefers-color-scheme: dark\) \{\s*:root:not\(\[data-theme=\"light\"\]\) (\{.*?\})", re.DOTALL
)
# What the viewer shows until the first answer comes.
EMPTY_VIEW: dict[str, Any] = {
    **NO_REACTIONS,
    "space": "planar", "size": 0.02, "bodies": [], "gravity": None, "parts": [], "skins": [], "badges": [],
    "frames": "",
    "units": {"force": {"name": "N", "per_si": 1}, "moment": {"name": "N m", "per_si": 1}},
    "view": {"yaw": float(YAW), "pitch": float(PITCH), "basis": [[0, 0, 1], [1, 0, 0], [0, 1, 0]]},
}  # fmt: skip


def page(token: str, nonce: str) -> str:
    """The page, which asks the server for everything else."""
    settings = {
        "token": token,
        "fields": JOINT_FIELDS,
        "questions": [question.as_data() for question in QUESTIONS.values()],
    }
    return Template(_file("desk.html")).substitute(
        version=__version__,
        nonce=nonce,
        style=f"{page_file('page.css')}{_dark_by_choice()}{_file('desk.css')}",
        data=embedded(EMPTY_VIEW),
        settings=json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c"),
        script=viewer_script() + "".join(_file(f"{name}.js") for name in DESK_SCRIPTS),
    )


def _dark_by_choice() -> str:
    """The dark colours of the report for users who choose them, whatever their system prefers."""
    colours = DARK.search(page_file("page.css"))
    assert colours is not None, "page.css has dark colours"
    return f':root[data-theme="dark"] {colours[1]}'


def _file(name: str) -> str:
    return (files("reactio.desk") / "viewer" / name).read_text(encoding="utf-8")
