"""``reactio live``: the desk, a page that follows a model."""

from __future__ import annotations

from typing import Annotated

import typer

from reactio.cli.arguments.options import AsJson, Source
from reactio.cli.desk import DESK_PORT, run_desk


def live(
    source: Source,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 chooses a free one.")] = DESK_PORT,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any other than the default opens the port to the network.")
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open a live page of the model: sliders, what-if, drawing.

    The page follows every save in your editor. Click to change joints, move parameters, draw a linkage, run the other
    commands; nothing is written until you save. Ctrl-C ends it.

      reactio live four-bar.yaml

      reactio live robot.urdf --no-open --port 0 --json
    """
    run_desk(source, port, host, not no_open, as_json)
