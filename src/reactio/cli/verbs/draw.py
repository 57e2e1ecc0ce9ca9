"""``reactio draw``: a picture of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.cli.arguments.options import At, Settings, Source, finite
from reactio.cli.arguments.sources import compile_source, read_source
from reactio.cli.output.printing import wrote
from reactio.cli.verbosity import say
from reactio.errors import ReactioError
from reactio.operating_system.files import check_writable

if TYPE_CHECKING:
    from reactio.model.model import Model


def draw(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="The picture: .svg, .pdf or .png.")],
    settings: Settings = None,
    at: At = None,
    self_stress: Annotated[
        int | None, typer.Option(metavar="K", help="Draw self-stress K as arrows (counted from 1).")
    ] = None,
    motion: Annotated[
        int | None, typer.Option(metavar="K", help="Displace the bodies along admissible motion K (counted from 1).")
    ] = None,
    mode: Annotated[
        int | None,
        typer.Option(metavar="K", min=1, help="Draw mode K of a flexible body with its frequency (counted from 1)."),
    ] = None,
    body: Annotated[
        str | None, typer.Option(metavar="NAME", help="The flexible body of --mode (default: the only one).")
    ] = None,
    labels: Annotated[bool, typer.Option(help="Print the names of the joints.")] = True,
    yaw: Annotated[
        float, typer.Option(callback=finite, help="Rotation of a spatial view about the vertical, in degrees.")
    ] = -58.0,
    pitch: Annotated[float, typer.Option(callback=finite, help="Elevation of a spatial view, in degrees.")] = 22.0,
) -> None:
    """Draw the mechanism with its verdicts, for papers and slides.

    Joints are filled if their reaction is unique, half filled if partly unique, and open if not unique, so that the
    picture can also be read in grey.

    `--mode K` draws a mode shape of a flexible body instead.

    Examples:

      reactio draw four-bar-spatial -o four-bar.svg --self-stress 3

      reactio draw spatial-parallelogram --set links=beam --body link1 --mode 1 -o mode.svg
    """
    from math import radians

    from reactio.drawing.figure import draw as drawn
    from reactio.drawing.figure import remarks_on, save_figure, suffix_of

    suffix_of(output)
    check_writable(output)
    if mode is not None or body is not None:
        _draw_mode(read_source(source, settings), body, mode or 1, output)
        wrote(output)
        return
    system = compile_source(source, settings)
    figure = drawn(
        system, t=at, self_stress=self_stress, motion=motion, labels=labels, yaw=radians(yaw), pitch=radians(pitch)
    )
    save_figure(figure, output)
    for remark in remarks_on(system, at):
        say(remark)
    wrote(output)


def _draw_mode(model: Model, body: str | None, mode: int, output: Path) -> None:
    """Draw one mode shape of a flexible body."""
    from reactio.drawing.plots.mode_shapes import plot_modes
    from reactio.model.structure import shapes_of_modes

    if body is None:
        flexible = [candidate.name for candidate in model.bodies if candidate.flexible is not None]
        if len(flexible) != 1:
            known = f": {', '.join(flexible)}" if flexible else ""
            raise ReactioError(
                f"--mode: '{model.name}' has {len(flexible)} flexible bodies{known}. Name one by --body."
            )
        (body,) = flexible
    plot_modes([(shapes_of_modes(model, body, mode), mode)], output, model.space)
