"""``reactio mcp``: Reactio's questions as tools of an agent."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from reactio.operating_system.child_process import python_command
from reactio.optional_libraries import optional_library


def mcp(
    folder: Annotated[
        Path,
        typer.Option(
            help="Folder in which models are read, and models and reports written; nothing outside it is touched."
        ),
    ] = Path(),
) -> None:
    """Serve Reactio to an AI agent (Model Context Protocol).

    Tools: check, explain, reactions, bounds, advise, lint, import and report.

    Agents start it themselves and speak the protocol on its standard input and output. In their settings, enter the
    command `reactio` with the arguments `mcp --folder DIR`.

    Example: reactio mcp --folder models
    """
    optional_library("mcp", "Tools for agents need the SDK of the Model Context Protocol", "mcp")
    from reactio.agents.folder import Folder
    from reactio.agents.server import server

    server(Folder.at(folder), partial(python_command, "reactio.cli")).run("stdio")
