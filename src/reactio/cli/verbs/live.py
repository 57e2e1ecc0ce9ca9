"""``reactio live``: the desk, a page that follows a model."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from reactio.cli.arguments.import_options import import_options
from reactio.cli.arguments.options import AsJson, Source
from reactio.cli.output.printing import console, escape
from reactio.cli.process import in_json
from reactio.cli.verbosity import say, silent

DEFAULT_PORT = 7474
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


def live(
    source: Source,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 chooses a free one.")] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="Address to listen on; others can reach any but this one.")] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open a page that follows the model: sliders, what-if, drawing.

    Save the file in any editor and the page follows. Change joints by clicking, move parameters, draw a linkage, ask
    what the commands answer; nothing is written before you save. Ctrl-C ends it.

      reactio live four-bar.yaml

      reactio live robot.urdf --no-open --port 0 --json
    """
    from reactio.child_process import python_command
    from reactio.desk.server import listening, serve
    from reactio.desk.session import Desk
    from reactio.desk.source import source_of
    from reactio.desk.work import Workshop

    desk = Desk(source_of(source, import_options()))
    server = listening(desk, Workshop(python_command("reactio.cli.unsaved")), host, port)
    if host not in LOCAL_HOSTS:
        say(f"Warning: everyone who can reach {host} and has the address below can read and change this model.")
    if port and server.server_port != port:
        say(f"Port {port} is taken; the desk is at {server.server_port}.")
    if as_json:
        import json

        sys.stdout.write(in_json(json.dumps({"url": server.url, "pid": os.getpid()})) + "\n")
        sys.stdout.flush()
    elif not silent():
        console().print(f"[bold]{escape(desk.source.file)}[/bold] is at {escape(server.url)}\nCtrl-C ends it.", soft_wrap=True)
    if not no_open:
        _open(server.url)
    serve(server)


def _open(url: str) -> None:
    """Open the browser, or say that there is none."""
    import webbrowser

    try:
        opened = webbrowser.open(url)
    except webbrowser.Error:
        opened = False
    if not opened:
        say("No browser could be opened; open the address yourself.")
