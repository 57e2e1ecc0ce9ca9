"""Long work in processes of its own: it can be cancelled at any time, and never holds up the page."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reactio.errors import ReactioError

MOST_AT_ONCE = 3  # processes; more would only slow each other down
LONGEST_ANSWER = 8 * 2**20  # letters of an answer that a page can show


@dataclass(slots=True)
class Workshop:
    """Running processes by the number that the page gave them."""

    command: Sequence[str]  # of a process that reads one request from its standard input
    running: dict[str, subprocess.Popen[str]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, key: str, request: Mapping[str, Any], columns: int) -> dict[str, Any]:
        """The answer of a process to a request; waits for it."""
        environment = os.environ | {"COLUMNS": str(columns), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
        with self.lock:
            if key in self.running or len(self.running) >= MOST_AT_ONCE:
                raise ReactioError("Wait for the other answers first, or stop them.")
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                text=True,
                encoding="utf-8",
            )
            self.running[key] = process
        try:
            output, errors = process.communicate(json.dumps(request))
        finally:
            with self.lock:
                self.running.pop(key, None)
        if process.returncode < 0:
            return {"cancelled": True}
        return {
            "code": process.returncode,
            "output": output[:LONGEST_ANSWER],
            "errors": "\n".join(errors.strip().splitlines()[-12:]),
        }

    def cancel(self, key: str) -> bool:
        """End a process; False where there is none of this number."""
        with self.lock:
            process = self.running.get(key)
        if process is None:
            return False
        process.kill()
        return True

    def close(self) -> None:
        """End all processes."""
        for key in list(self.running):
            self.cancel(key)
