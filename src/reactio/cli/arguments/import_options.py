"""Options of every verb that takes a source: the units of its answers, and how files of other programs are read."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from reactio.catalogue.units import Units, units_of, writing_in
from reactio.cli.output.source_notes import NOTES, PRINTS_JSON
from reactio.errors import ReactioError

HELP_PANEL = "Files of other programs"
UNITS_OPTION = "units"
ADDED: Mapping[str, Any] = {
    UNITS_OPTION: Annotated[
        str | None,
        typer.Option(
            "--units",
            metavar="UNITS",
            help="Units of what is printed, drawn and written: `si`, or names as mm,kN,deg; those of the file if left "
            "out. JSON is in SI.",
        ),
    ],
    "loops": Annotated[
        Path | None,
        typer.Option(help="Closed loops of a URDF tree, as robot.yaml lists them.", rich_help_panel=HELP_PANEL),
    ],
    "pose": Annotated[
        str | None,
        typer.Option(
            metavar="NAME|TIME", help="Pose to read: a keyframe (MJCF) or a time (asmt).", rich_help_panel=HELP_PANEL
        ),
    ],
    "geometry": Annotated[
        bool, typer.Option("--geometry", help="Ignore masses: verdicts do not need them.", rich_help_panel=HELP_PANEL)
    ],
    "linearise": Annotated[
        bool,
        typer.Option(
            "--linearise", help="Replace nonlinear couplings by their slope at the pose.", rich_help_panel=HELP_PANEL
        ),
    ],
    "deactivated": Annotated[
        bool,
        typer.Option(
            "--deactivated", help="Include joints that are deactivated in a FreeCAD file.", rich_help_panel=HELP_PANEL
        ),
    ],
    "mend_inertia": Annotated[
        bool,
        typer.Option(
            "--mend-inertia",
            help="Replace an impossible inertia by the nearest possible one.",
            rich_help_panel=HELP_PANEL,
        ),
    ],
    "package": Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=DIR",
            help="Folder of package://NAME or model://NAME; may be repeated.",
            rich_help_panel=HELP_PANEL,
        ),
    ],
    "anywhere": Annotated[
        bool,
        typer.Option(
            "--anywhere", help="Allow meshes and includes outside the model's folder.", rich_help_panel=HELP_PANEL
        ),
    ],
}
GIVEN: ContextVar[Mapping[str, Any]] = ContextVar("GIVEN")  # options of the command that is running


def import_options() -> dict[str, Any]:
    """The options of the running command that change how a file of another program is read."""
    options = {name: value for name, value in GIVEN.get({}).items() if value and name != UNITS_OPTION}
    if packages := options.pop("package", None):
        options["packages"] = _packages(packages)
    return options


def _packages(given: list[str]) -> dict[str, Path]:
    folders = {}
    for text in given:
        name, equals, folder = text.partition("=")
        if not equals or not name or not folder:
            raise ReactioError(f"--package {text}: write NAME=DIR.")
        folders[name] = Path(folder)
    return folders


def units_asked_for() -> Units | None:
    """The units that ``--units`` names; None where the file is to say them."""
    text = GIVEN.get({}).get(UNITS_OPTION)
    if text is None:
        return None
    try:
        names = [name.strip() for name in text.split(",")]
        return Units() if names == ["si"] else units_of(names)
    except ReactioError as error:
        raise ReactioError(f"--units {text}: {error}") from None


def with_import_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with these options added, where it takes a source and has no option of that name."""
    signature, hints = inspect.signature(command), get_type_hints(command, include_extras=True)
    takes_source = bool({"source", "first"} & hints.keys())
    added = {name: hint for name, hint in ADDED.items() if takes_source and name not in hints}

    @functools.wraps(command)
    def call(*args: Any, **options: Any) -> None:
        NOTES.set(())
        PRINTS_JSON.set(bool(options.get("as_json")))
        GIVEN.set({name: options.pop(name, None) for name in added})
        with writing_in(units_asked_for() or Units()):
            command(*args, **options)

    more = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if get_type(hint) is bool else None, annotation=hint
        )
        for name, hint in added.items()
    ]
    call.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])  # type: ignore[attr-defined]
    call.__annotations__ = {**hints, **added}
    return call


def get_type(hint: Any) -> Any:
    """The type of an annotated option."""
    return hint.__origin__
