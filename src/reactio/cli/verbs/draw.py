"""``reactio draw``: a picture of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reactio.cli.arguments.options import At, Settings, Source, finite
from reactio.cli.arguments.sources import compile_source
from reactio.cli.output.printing import wrote
from reactio.cli.verbosity import say
from reactio.files import check_writable


def draw(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="The picture: .svg, .pdf or .png.")],
    settings: Settings = None,
    at: At = None,
    self_stress: Annotated[int | None, typer.Option(metavar="K", help="Arrows of self-stress K, from 1.")] = None,
    motion: Annotated[
        int | None, typer.Option(metavar="K", help="Bodies displaced along admissible motion K, from 1.")
    ] = None,
    labels: Annotated[bool, typer.Option(help="Names beside the joints.")] = True,
    yaw: Annotated[
        float, typer.Option(callback=finite, help="Rotation of a spatial view about the vertical, in degrees.")
    ] = -58.0,
    pitch: Annotated[float, typer.Option(callback=finite, help="Elevation of a spatial view, in degrees.")] = 22.0,
) -> None:
    """Draw the mechanism with its verdicts, for papers and slides.

    Joints are filled where their reaction is unique, half filled where partly, open where not: readable in grey too.

    Example: reactio draw four-bar-spatial -o four-bar.svg --self-stress 3
    """
    from math import radians

    from reactio.drawing.figure import draw as drawn
    from reactio.drawing.figure import remarks_on, save_figure, suffix_of

    suffix_of(output)
    check_writable(output)
    system = compile_source(source, settings)
    figure = drawn(
        system, t=at, self_stress=self_stress, motion=motion, labels=labels, yaw=radians(yaw), pitch=radians(pitch)
    )
    save_figure(figure, output)
    for remark in remarks_on(system, at):
        say(remark)
    wrote(output)
