"""The commands with their help, from the app itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from typing import Any

from typer.main import get_command

from reactio.cli.app import app


def command_reference() -> str:
    """Every command: what it does, its arguments and options."""
    return "\n".join(line for name, command in commands() for line in _command(name, command))


def commands() -> Iterator[tuple[str, Any]]:
    """All commands and sub-commands with their full names."""
    yield from _below("reactio", get_command(app))


def _below(name: str, group: Any) -> Iterator[tuple[str, Any]]:
    for key, command in group.commands.items():
        yield f"{name} {key}", command
        if hasattr(command, "commands"):
            yield from _below(f"{name} {key}", command)


def _command(name: str, command: Any) -> Iterator[str]:
    yield from (f"## `{name}`", "")
    yield from _help(inspect.cleandoc(command.help or ""))
    rows = [row for parameter in command.params if (row := _parameter(parameter))]
    if rows:
        yield from ("| argument or option | value | description |", "|---|---|---|", *rows, "")


def _help(text: str) -> Iterator[str]:
    """Paragraphs of a help text; indented ones and command lines are code."""
    for paragraph in text.split("\n\n"):
        code = paragraph.lstrip().startswith("reactio ")
        yield from (f"    {line.strip()}" if code else line.strip() for line in paragraph.splitlines())
        yield ""


def _parameter(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    if not names or "--help" in names or getattr(parameter, "hidden", False):
        return ""
    if parameter.param_type_name == "argument":
        names = f"`{parameter.name.upper()}`"
    help_text = str(getattr(parameter, "help", "") or "").replace("|", r"\|")
    return f"| {names} | {_value(parameter)} | {help_text} |"


def _value(parameter: Any) -> str:
    """What follows an option: the words it knows, or its name for the value."""
    if getattr(parameter, "is_flag", False) or parameter.param_type_name == "argument":
        return ""
    if isinstance(parameter.default, Enum):
        return ", ".join(f"`{member.value}`" for member in type(parameter.default))
    return f"`{parameter.metavar or parameter.name.upper()}`"
