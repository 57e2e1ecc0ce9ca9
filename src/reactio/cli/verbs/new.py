"""``reactio new``: begin a model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from reactio.cli.desk import DESK_PORT, run_desk
from reactio.cli.output.printing import wrote
from reactio.errors import ReactioError


def new(
    file: Annotated[str, typer.Argument(help="The new model file, as in mine.yaml.", show_default=False)],
    template: Annotated[
        str | None, typer.Option(help="four-bar, door, stage, robot-arm, or sketch (draw it).", show_default=False)
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the desk; 0 chooses a free one.")] = DESK_PORT,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only write the file.")] = False,
) -> None:
    """Create a model from a template or by answering questions, and open its desk.

    Without --template it asks for the space, the bodies and the joints.

      reactio new mine.yaml --template four-bar

      reactio new mine.yaml --template sketch
    """
    from reactio.desk.starting import template_text
    from reactio.library import MODEL_SUFFIXES
    from reactio.operating_system.files import write_text

    path = Path(file)
    if path.suffix.lower() not in MODEL_SUFFIXES:
        raise ReactioError(f"'{file}': a model file ends with .yaml.")
    if path.exists():
        raise ReactioError(f"'{file}' exists; `reactio live {file}` opens it. Choose another name for a new one.")
    text = template_text(template) if template is not None else _asked()
    write_text(path, text)
    wrote(path)
    if not no_open:
        run_desk(str(path), port, "127.0.0.1", True, False)


def _asked() -> str:
    """A model from the answers to a few questions."""
    from reactio.desk.starting import EMPTY, described_model, template_names, template_text

    if not sys.stdin.isatty():
        raise ReactioError(
            f"Without a terminal Reactio cannot ask questions: give --template {' or '.join(template_names())}."
        )
    space = typer.prompt("Plane or space? (planar, spatial)", default="planar")
    given = typer.prompt("Bodies, separated by commas (none: draw it)", default="", show_default=False)
    bodies = [name.strip() for name in given.split(",") if name.strip()]
    if not bodies and space == "planar":
        return template_text(EMPTY)
    joints = []
    typer.echo("Joints, one in a line, as in: A revolute ground crank. An empty line ends.")
    while line := typer.prompt("joint", default="", show_default=False).strip():
        joints.append(line)
    return described_model(space, bodies, joints)
