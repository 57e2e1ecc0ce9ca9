"""Runs that were kept, as something to go on with or to report on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.cli.common import Coordinates, Settings, read_source
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.integrate.options import IntegrationOptions
    from reactio.simulation.trajectory import Trajectory


def kept(path: Path, source: str, settings: Settings, coordinates: Coordinates | None = None) -> Trajectory:
    """The run in a file, which must be one of the model that is named, in whatever coordinates."""
    from reactio.model.transform.natural import absolute, natural, shared_points
    from reactio.simulation.storage import load_run

    before, given = load_run(path), read_source(source, settings)
    found, forms = before.system.model, {"natural": natural, "absolute": absolute, "shared": shared_points}
    if found not in (given, *(form(given) for form in forms.values())):
        raise ReactioError(
            f"{path} holds a run of '{found.name}', which '{source}' does not describe: another model, or other "
            "numbers. Name the model it was made with, or start a new run."
        )
    if coordinates and found != forms[coordinates.value](given):
        raise ReactioError(
            f"--coordinates {coordinates.value}: --resume goes on in the coordinates of {path}, which are others; "
            "leave it out."
        )
    return before


def chosen(before: Trajectory | None, **given: Any) -> IntegrationOptions:
    """How to integrate: as the command line says, else as the run that was kept, else as usual."""
    from reactio.integrate.options import IntegrationOptions

    options = replace(
        before.options if before else IntegrationOptions(),
        **{key: value for key, value in given.items() if value is not None},
    )
    if given["alpha"] is not None and options.stabilise != "baumgarte":
        raise ReactioError("--alpha is the rate of Baumgarte's method: give --stabilise baumgarte, or leave it out.")
    return options
