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
        Path, typer.Option(help="Models are read here, reports and models written; nothing outside.")
    ] = Path(),
) -> None:
    """Serve check, explain, reactions, bounds, advise, lint, import and report to an agent (Model Context Protocol).

    It speaks the protocol on standard input and output until that ends: programs with an agent start it themselves. In
    their settings give the command `reactio` with the arguments `mcp --folder DIR`.

    Example: reactio mcp --folder models
    """
    optional_library("mcp", "Tools for agents need the SDK of the Model Context Protocol", "mcp")
    from reactio.agents.folder import Folder
    from reactio.agents.server import server

    server(Folder.at(folder), partial(python_command, "reactio.cli")).run("stdio")
