"""The command with all its verbs, for help and documentation."""

from __future__ import annotations

from reactio.cli.command import command_line

app = command_line()
