"""The tools of an agent, called by the SDK's own client over standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from reactio.operating_system.child_process import python_command

mcp = pytest.importorskip("mcp", reason="the SDK of the Model Context Protocol is an extra")

Answers = dict[str, Any]
COMMAND = partial(python_command, "reactio.cli")


def _ask(folder: Path, questions: Callable[[Any], Awaitable[None]]) -> None:
    """Start the server of a folder as a program with an agent does, and ask it."""
    start = "import sys; from reactio.cli import main; main()"
    parameters = mcp.StdioServerParameters(
        command=sys.executable, args=["-P", "-c", start, "mcp", "--folder", str(folder)], cwd=str(folder.parent)
    )

    async def session() -> None:
        async with mcp.Client(mcp.stdio_client(parameters)) as client:
            await questions(client)

    anyio.run(session)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "models"
    path.mkdir()
    (tmp_path / "secret.yaml").write_text("space: planar\n")
    (path / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    return path


def test_an_agent_asks(folder: Path) -> None:
    answers: Answers = {}

    async def questions(client: Any) -> None:
        answers["tools"] = {tool.name: tool for tool in (await client.list_tools()).tools}
        answers["resources"] = {str(each.uri) for each in (await client.list_resources()).resources}
        answers["check"] = await client.call_tool("check", {"source": "door", "parameters": {"hinges": 2}})
        answers["explain"] = await client.call_tool("explain", {"source": "door", "joint": "hinge1"})
        answers["unknown"] = await client.call_tool("explain", {"source": "door", "joint": "hinge9"})
        answers["report"] = await client.call_tool("report", {"source": "door", "output": "door.json"})
        answers["joints"] = await client.read_resource("reactio://joints")

    _ask(folder, questions)
    assert set(answers["tools"]) == {
        "check", "explain", "reactions", "bounds", "advise", "lint", "import_model", "report",
    }  # fmt: skip
    assert answers["tools"]["explain"].input_schema["required"] == ["source", "joint"]
    assert answers["resources"] == {f"reactio://{name}" for name in ("library", "joints", "rules", "schema")}
    # Two hinges on one axis: 10 equations on 6 velocities, of which one rotation stays free.
    assert answers["check"].structured_content["redundancy"] == 5
    assert answers["check"].content[0].text.startswith("5 of 10 constraint equations are redundant")
    assert "hinge1: not unique" in answers["explain"].content[0].text
    assert answers["unknown"].is_error
    assert "There is no joint or group 'hinge9'. Did you mean" in answers["unknown"].content[0].text
    assert json.loads((folder / "door.json").read_text())["model"] == "door"
    assert json.loads(answers["joints"].contents[0].text)["schema"].startswith("reactio.joints/")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check", {"source": "../secret.yaml"}),
        ("check", {"source": "link.yaml"}),
        ("lint", {"files": [".."]}),
        ("report", {"source": "door", "output": "../report.html"}),
        ("import_model", {"source": "door", "output": "/tmp/door.yaml"}),
    ],
)
def test_nothing_outside_the_folder_is_read_or_written(folder: Path, tool: str, arguments: dict[str, Any]) -> None:
    from reactio.agents.folder import Folder
    from reactio.agents.server import Tools

    before = {path: path.stat().st_mtime_ns for path in folder.parent.iterdir()}
    answer = anyio.run(lambda: getattr(Tools(Folder.at(folder), COMMAND), tool)(**arguments))
    assert answer.is_error
    assert "to which this server is confined" in answer.content[0].text
    assert {path: path.stat().st_mtime_ns for path in folder.parent.iterdir()} == before


def test_every_summary_is_text(folder: Path) -> None:
    """Of the questions that the first test does not ask, against the JSON that their commands print now."""
    from reactio.agents.folder import Folder
    from reactio.agents.server import Tools

    tools = Tools(Folder.at(folder), COMMAND)
    (folder / "model.yaml").write_text(
        "space: planar\nbodies: {bar: {mass: 1, inertia: 1}}\n"
        "joints: {A: {type: fixed, a: ground, b: bar}, B: {type: fixed, a: ground, b: bar}}\n"
    )

    async def all_answers() -> list[Any]:
        return [
            await tools.reactions("door", rule="inertia"),
            await tools.bounds("rail-four-carriages"),
            await tools.advise("door"),
            await tools.lint(["model.yaml"]),
        ]

    texts = [answer.content[0].text for answer in anyio.run(all_answers)]
    assert "undetermined components by the rule 'inertia'" in texts[0]
    assert "unlimited … unlimited N" in texts[1]
    assert texts[2].startswith("10 equations are redundant")
    assert "R101 3 equations are redundant" in texts[3]
