"""The command as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``python -m reactio …`` in an empty folder."""

    def call(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "COLUMNS": "140", **more}
        return subprocess.run(
            [sys.executable, "-m", "reactio", *args],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=300,
        )

    return call


@pytest.fixture
def run_json(run: Run) -> Callable[..., dict[str, Any]]:
    """Run with ``--json`` and read the one object it prints."""

    def call(*args: str) -> dict[str, Any]:
        done = run(*args, "--json")
        assert done.returncode == 0, done.stderr
        data: dict[str, Any] = json.loads(done.stdout)
        return data

    return call
