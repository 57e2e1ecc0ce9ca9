"""A process that answers one question of the desk about a model as the desk has it, saved or not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from reactio.cli.process import begin
from reactio.errors import ReactioError


def main() -> None:
    """Read a request from standard input: the words of a command, or the time until which the motion is wanted."""
    begin()
    request = json.loads(sys.stdin.read())
    if "until" in request:
        _picture_of_run(request["text"], request["name"], Path(request["folder"]), float(request["until"]))
        return
    from reactio.cli import run
    from reactio.operating_system.files import unsaved

    sys.argv[1:] = request["words"]
    with unsaved(request["path"], request["text"]):
        run()


def _picture_of_run(text: str, name: str, folder: Path, until: float) -> None:
    from reactio.desk.answer import picture_of_run, read_subject

    try:
        answer = picture_of_run(read_subject(text, name, folder), until)
    except ReactioError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    sys.stdout.write(json.dumps(answer, ensure_ascii=True, allow_nan=False))
