"""A command of Reactio as a child process: its JSON, or its error."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import Any, Protocol

import anyio

from reactio.agents.folder import Folder

Data = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The output of a command: a JSON object, or the sentence with which it refused (``data`` is then None)."""

    data: Data | None
    error: str = ""


class CommandLine(Protocol):
    """The words that start the command of Reactio with some arguments, as a list for a child process."""

    def __call__(self, *words: str) -> list[str]: ...


async def ask(folder: Folder, command: CommandLine, *words: str) -> Outcome:
    """Run the command of Reactio; a child process, so that a cancelled question stops and nothing else prints here.

    A command that refuses prints nothing but an error; a check that failed is an answer, and its JSON says what failed.
    """
    done = await anyio.run_process(command(*words), stdin=subprocess.DEVNULL, check=False, cwd=folder.path)
    if done.stdout:
        return Outcome(json.loads(done.stdout))
    return Outcome(None, done.stderr.decode(errors="replace").strip().removeprefix("error: "))
