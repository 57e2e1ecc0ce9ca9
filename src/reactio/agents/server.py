"""The tools and resources that an agent sees, and the server that speaks the protocol on standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from reactio import __version__
from reactio.agents import summaries
from reactio.agents.command import CommandLine, Data, ask
from reactio.agents.folder import Folder
from reactio.errors import ReactioError

INSTRUCTIONS = """Reactio says which joint reactions of an overconstrained mechanism a rigid-body model determines.
Call check first: only reactions with the verdict 'unique' are numbers to rely on;
a reaction that is not unique has no value until you name a sharing rule or give a stiffness.
explain says why, advise what to change, bounds how large it can be.
A source is a model file in the folder of this server, or a name from the resource reactio://library."""

Source = Annotated[str, Field(description="Model file in the server's folder (YAML, URDF, MJCF, …) or a library name.")]
Parameters = Annotated[dict[str, float | str] | None, Field(description="Parameters of the model, by name.")]
Instant = Annotated[float | None, Field(description="Follow the motion to this time [s] first.")]


@dataclass(frozen=True)
class Tools:
    """The questions, each a command; what they may read and write lies in one folder."""

    folder: Folder
    command: CommandLine

    async def check(self, source: Source, parameters: Parameters = None, at: Instant = None) -> CallToolResult:
        """Which reactions are unique: verdict of every joint and component, rank, redundancy, mobility."""
        return await self._answer(summaries.of_check, "check", source, _settings(parameters), _at(at))

    async def explain(
        self,
        source: Source,
        joint: Annotated[str, Field(description="Name of a joint, drive or coupling.")],
        parameters: Parameters = None,
        at: Instant = None,
    ) -> CallToolResult:
        """Why a joint's reaction is unique or not, with which joints it shares load, and how to determine it."""
        return await self._answer(
            summaries.of_explanation, "check", source, _settings(parameters), _at(at), [f"--why={joint}"]
        )

    async def reactions(
        self,
        source: Source,
        parameters: Parameters = None,
        at: Instant = None,
        rule: Annotated[
            str | None,
            Field(description="Sharing rule for undetermined reactions (reactio://rules); without it they are null."),
        ] = None,
    ) -> CallToolResult:
        """Forces and moments of all joints at an instant; undetermined components are null unless a rule is named."""
        chosen = [f"--rule={rule}"] if rule else []
        return await self._answer(summaries.of_reactions, "reactions", source, _settings(parameters), _at(at), chosen)

    async def bounds(self, source: Source, parameters: Parameters = None, at: Instant = None) -> CallToolResult:
        """How large each reaction can be when contacts only push and joints stay within their capacities."""
        return await self._answer(summaries.of_bounds, "bounds", source, _settings(parameters), _at(at))

    async def advise(self, source: Source, parameters: Parameters = None) -> CallToolResult:
        """Joints to release so that all reactions become unique and no mobility is gained."""
        return await self._answer(summaries.of_advice, "advise", source, _settings(parameters))

    async def lint(
        self, files: Annotated[list[str], Field(description="Files or folders in the server's folder.", min_length=1)]
    ) -> CallToolResult:
        """Review mechanism files: redundant loops, open loops, impossible inertias, elements that are not read."""
        try:
            paths = [str(self.folder.inside(text)) for text in files]
        except ReactioError as error:
            return _refused(str(error))
        return await self._run(summaries.of_findings, ["lint", "--format=json", *paths])

    async def import_model(
        self,
        source: Source,
        output: Annotated[str | None, Field(description="Write the model here: .yaml, .xml (MJCF) or .urdf.")] = None,
    ) -> CallToolResult:
        """Read a file of another program (URDF, SDF, MJCF, FreeCAD, Ondsel, Adams) and list the elements not read."""
        return await self._answer(summaries.of_import, "import", source, output=output)

    async def report(
        self,
        source: Source,
        output: Annotated[str, Field(description="File to write: .html, .md or .json.")],
        parameters: Parameters = None,
    ) -> CallToolResult:
        """Write a report to share: verdicts, an interactive drawing, evidence."""
        return await self._answer(summaries.of_report, "report", source, _settings(parameters), output=output)

    async def _answer(
        self, summary: Callable[[Data], str], verb: str, source: str, *options: list[str], output: str | None = None
    ) -> CallToolResult:
        """Ask a command about a source; the paths are checked before anything runs."""
        try:
            words = [verb, self.folder.source(source), *(word for option in options for word in option)]
            words += [f"--output={self.folder.inside(output)}"] if output else []
        except ReactioError as error:
            return _refused(str(error))
        return await self._run(summary, [*words, "--json"])

    async def _run(self, summary: Callable[[Data], str], words: list[str]) -> CallToolResult:
        outcome = await ask(self.folder, self.command, *words)
        if outcome.data is None:
            return _refused(outcome.error)
        return CallToolResult(content=[TextContent(text=summary(outcome.data))], structured_content=outcome.data)


def _settings(parameters: dict[str, float | str] | None) -> list[str]:
    return [f"--set={name}={value}" for name, value in (parameters or {}).items()]


def _at(time: float | None) -> list[str]:
    return [] if time is None else [f"--at={time}"]


def _refused(error: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=error)], is_error=True)


# Lookups that need no model: address, the command that prints it, what it is.
RESOURCES = (
    ("library", ("library", "--json"), "Mechanisms of the library, with their parameters."),
    ("joints", ("joints", "--json"), "Types of joints, drives and couplings, with their parameters."),
    ("rules", ("rules", "--json"), "Sharing rules for reactions that a rigid model leaves undetermined."),
    ("schema", ("schema",), "JSON schema of model files."),
)


def server(folder: Folder, command: CommandLine) -> MCPServer:
    """The server of a folder, its tools and resources."""
    server = MCPServer("reactio", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    tools = Tools(folder, command)
    for tool in (tools.check, tools.explain, tools.reactions, tools.bounds, tools.advise, tools.lint):
        server.add_tool(
            tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False), structured_output=False
        )
    for writing in (tools.import_model, tools.report):
        server.add_tool(
            writing,
            annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False),
            structured_output=False,
        )
    for name, words, description in RESOURCES:
        server.resource(f"reactio://{name}", name=name, description=description, mime_type="application/json")(
            _resource(folder, command, words)
        )
    return server


def _resource(folder: Folder, command: CommandLine, words: tuple[str, ...]) -> Callable[[], object]:
    async def read() -> Data:
        outcome = await ask(folder, command, *words)
        if outcome.data is None:
            raise ReactioError(outcome.error)
        return outcome.data

    return read
