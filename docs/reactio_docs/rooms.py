"""The rooms of the package: the one table from which the architecture test and docs/architecture.md are made.

``python -m reactio_docs.rooms`` writes the table and the picture of the floors into docs/architecture.md; what a room
holds is its docstring.
"""

from __future__ import annotations

import ast
import re
import textwrap
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).parents[1] / "architecture.md"
PACKAGE = Path(__file__).parents[2] / "src" / "reactio"
TABLE = re.compile(r"(?<=<!-- rooms -->\n).*(?=<!-- end of rooms -->)", re.DOTALL)

# A room imports only rooms with a lower number, or its own.
ROOMS = {
    "errors": -2, "translator": -2, "arrays": -1, "optional_libraries": -1, "operating_system": -1,
    "kernels": 0, "catalogue": 0, "results": 0,
    "topology": 1,
    "linear": 2, "space": 2, "expressions": 2, "surfaces": 2,
    "constraint_matrix": 3, "functions": 3, "primitives": 3,
    "uniqueness": 4, "bodies": 4, "joints": 4, "couplings": 4, "forces": 4, "contacts": 4,
    "bearings": 4, "structures": 4,
    "model": 5, "sharing": 5,
    "system": 6,
    "kinematics": 7, "importers": 8, "forward_dynamics": 8, "joint_reactions": 9, "library": 9,
    "integrate": 10, "events": 11, "contact_motion": 12, "singular": 12,
    "simulation": 13, "statics": 13,
    "flexibility": 14, "reaction_bounds": 14, "diagnosis": 14,
    "auditing": 15, "drawing": 15, "design": 15,
    "exporters": 16, "reporting": 16, "linting": 16,
    "reproduce": 17, "sweeps": 17, "agents": 17, "desk": 17,
    "cli": 18, "__main__": 19,
}  # fmt: skip

# Floors of the picture from the top, each with the lowest number of its rooms.
FLOORS = {
    "command line": 18,
    "pages and pictures": 16,
    "answers": 14,
    "motion and reactions": 9,
    "states": 7,
    "models and systems": 5,
    "kinds of parts": 4,
    "mathematics": 1,
    "tools": -2,
}
PICTURE = re.compile(r"(?<=<!-- floors -->\n).*(?=<!-- end of floors -->)", re.DOTALL)
NAMES_WIDTH, TITLE_WIDTH = 84, 22  # letters of the names and of the title in a line of the picture


def floors() -> str:
    """The house as a picture: the rooms of each floor, which rest on those below."""
    rule = f"├{'─' * (TITLE_WIDTH + 2)}┼{'─' * (NAMES_WIDTH + 2)}┤\n"
    blocks, above = [], max(ROOMS.values()) + 1
    for title, lowest in FLOORS.items():
        rooms = sorted(room for room, number in ROOMS.items() if lowest <= number < above and room != "__main__")
        lines = textwrap.wrap("  ".join(rooms), NAMES_WIDTH)
        titles = [title, *[""] * (len(lines) - 1)]
        blocks.append(
            "".join(f"│ {t:{TITLE_WIDTH}} │ {line:{NAMES_WIDTH}} │\n" for t, line in zip(titles, lines, strict=True))
        )
        above = lowest
    top, bottom = rule.translate(str.maketrans("├┼┤", "┌┬┐")), rule.translate(str.maketrans("├┼┤", "└┴┘"))
    return f"```\n{top}{rule.join(blocks)}{bottom}```\n"


def room_table() -> str:
    """All rooms with their numbers and the first sentence of their docstrings, as a Markdown table."""
    lines = ["| No. | Room | What it holds |", "|---|---|---|"]
    for number, names in groupby(sorted(ROOMS, key=lambda room: (ROOMS[room], room)), key=ROOMS.__getitem__):
        lines += [f"| {number} | `{name}{'/' if _is_folder(name) else ''}` | {_holds(name)} |" for name in names]
    return "\n".join(lines) + "\n"


def _is_folder(room: str) -> bool:
    return (PACKAGE / room).is_dir()


def _holds(room: str) -> str:
    return first_sentence(f"{room}/__init__.py" if _is_folder(room) else f"{room}.py")


def first_sentence(file: str) -> str:
    """The first line of the docstring of a file of the package, without its full stop."""
    doc = ast.get_docstring(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))) or ""
    return doc.partition("\n")[0].rstrip(".").replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PICTURE.sub(lambda _: floors(), TABLE.sub(lambda _: room_table(), page)), encoding="utf-8")
