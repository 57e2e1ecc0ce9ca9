"""Saved runs, to be resumed or reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.cli.arguments.options import CoordinateChoice, Settings
from reactio.cli.arguments.sources import read_source
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.integrate.options import IntegrationOptions
    from reactio.model.model import Model
    from reactio.simulation.trajectory import Trajectory
    from reactio.system.types import System


def saved_run(path: Path, source: str, settings: Settings, coordinates: CoordinateChoice | None = None) -> Trajectory:
    """The run in a file; refused where it is not of the model of the source, in any coordinates."""
    from reactio.model.transform.floating_frames import floating_frames, static, without_modes
    from reactio.model.transform.natural import absolute, natural
    from reactio.model.transform.split_rods import split_rods
    from reactio.simulation.read_run import load_run

    before, given = load_run(path), read_source(source, settings)
    kept, forms = before.system.model, {"natural": natural, "absolute": absolute}
    given = replace(given, drop=kept.drop)  # what --drop left out of the run
    others = (without_modes(split_rods(given)), floating_frames(split_rods(given)), static(given))
    has_modes = any(body.flexible is not None and body.flexible.modes for body in given.bodies)
    kind = kept if has_modes else without_modes(kept)  # a run keeps the modes that --modes gave it
    if kind not in (given, *others, *(form(given) for form in forms.values())):
        raise ReactioError(
            f"{path} holds a run of '{kept.name}', not of '{source}': the model or its numbers differ. Give the "
            f"model of the run, or start a new run."
        )
    if coordinates and kept != forms.get(coordinates.value, absolute)(given):
        raise ReactioError(
            f"--coordinates {coordinates.value}: --resume continues in the coordinates of {path}, which differ; "
            f"leave it out."
        )
    return before


def integration_options(before: Trajectory | System | Model, **given: Any) -> IntegrationOptions:
    """The options of the command line, else those of the saved run, else the defaults of a system."""
    from reactio.integrate.options import IntegrationOptions
    from reactio.model.model import Model
    from reactio.simulation.simulate import default_method
    from reactio.system.types import System

    default = (
        IntegrationOptions(method=default_method(before)) if isinstance(before, System | Model) else before.options
    )
    options = replace(
        default,
        **{key: value for key, value in given.items() if value is not None},
    )
    if given["alpha"] is not None and options.stabilise != "baumgarte":
        raise ReactioError("--alpha is the rate of Baumgarte's method: give --stabilise baumgarte, or leave it out.")
    if given.get("formulation") is not None and given["stabilise"] is not None:
        raise ReactioError("Give either --formulation or --stabilise: baumgarte is a formulation too.")
    return options
