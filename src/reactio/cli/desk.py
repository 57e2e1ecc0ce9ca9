"""The desk as a process: it opens a browser and serves until it is interrupted."""

from __future__ import annotations

import json
import os
import signal
import sys

from reactio.cli.arguments.import_options import import_options, units_asked_for
from reactio.cli.output.printing import console, escape
from reactio.cli.process import in_json
from reactio.cli.verbosity import say, silent

DESK_PORT = 7474
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


def run_desk(source: str, port: int, host: str, opens: bool, as_json: bool) -> None:
    """Serve the desk of a source until Ctrl-C."""
    from reactio.desk.server import listening, serve
    from reactio.desk.session import Desk
    from reactio.desk.source import source_of
    from reactio.desk.work import Workshop
    from reactio.operating_system.child_process import python_command

    desk = Desk(source_of(source, import_options()), units_asked_for())
    server = listening(desk, Workshop(python_command("reactio.cli.unsaved")), host, port)
    if host not in LOCAL_HOSTS:
        say(f"Warning: everyone who can reach {host} and has the address below can read and change this model.")
    if port and server.server_port != port:
        say(f"Port {port} is taken; the desk is at {server.server_port}.")
    if as_json:
        sys.stdout.write(in_json(json.dumps({"url": server.url, "pid": os.getpid()})) + "\n")
        sys.stdout.flush()
    elif not silent():
        console().print(
            f"[bold]{escape(desk.source.file)}[/bold] is at {escape(server.url)}\nCtrl-C ends it.", soft_wrap=True
        )
    if opens:
        _open(server.url)
    if hasattr(signal, "SIGPIPE"):  # a page that is closed ends its stream, not the desk
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
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
