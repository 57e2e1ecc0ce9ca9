"""The rooms of the package: the one table from which the architecture test and docs/architecture.md are made.

``python -m reactio_docs.rooms`` writes the table into docs/architecture.md; what a room holds is its docstring.
"""

from __future__ import annotations

import ast
import re
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).parents[1] / "architecture.md"
PACKAGE = Path(__file__).parents[2] / "src" / "reactio"
TABLE = re.compile(r"(?<=<!-- rooms -->\n).*(?=<!-- end of rooms -->)", re.DOTALL)

# A room imports only rooms with a lower number, or its own.
ROOMS = {
    "errors": -2, "arrays": -1, "private_folder": -1,
    "kernels": 0, "registry": 0, "fields": 0, "places": 0, "files": 0,
    "bibliography": 0, "marks": 0,
    "linear": 1, "matrix_market": 1, "space": 1, "expressions": 1, "surfaces": 1,
    "constraint_matrix": 2, "functions": 2, "primitives": 2,
    "uniqueness": 3, "bodies": 3, "joints": 3, "couplings": 3, "forces": 3, "structures": 3,
    "model": 4, "sharing": 4,
    "system": 5,
    "mechanism_graph": 6, "kinematics": 6, "importers": 7, "forward_dynamics": 7, "integrate": 8, "events": 9,
    "joint_reactions": 10, "simulation": 11, "flexibility": 12, "statics": 11, "reaction_bounds": 12,
    "diagnosis": 12, "exporters": 14, "auditing": 13, "singular": 13, "figures": 14,
    "library": 12, "loading": 13, "constraint_files": 12,
    "drawing": 13, "reporting": 14, "reproduce": 15,
    "design": 13, "sweeps": 15, "desk": 15,
    "contacts": 3, "contact_motion": 10,
    "programs": 11, "linting": 14,
    "argument_errors": 0, "memo": 0, "html_table": 0, "blas_threads": 0, "child_process": 0,
    "cli": 16, "__main__": 17,
}  # fmt: skip


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
    PAGE.write_text(TABLE.sub(lambda _: room_table(), page), encoding="utf-8")
