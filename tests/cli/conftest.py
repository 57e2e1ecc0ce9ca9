"""The command as a user runs it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from reactio import cli

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def process(tmp_path: Path) -> Run:
    """Run ``python -m reactio …`` as a process of its own, in an empty folder."""

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


def here(args: tuple[str, ...], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The command in this process: its exit code and what it prints (a start of Python takes longer than most)."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["reactio", *args]),
        patch.dict(os.environ, {"COLUMNS": "140", **environment}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            cli.run()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(["reactio", *args], code, out.getvalue(), err.getvalue())


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``reactio …`` in this process, in an empty folder; ``test_process.py`` compares it with a real process."""
    monkeypatch.chdir(tmp_path)
    return lambda *args, **environment: here(args, environment)


@pytest.fixture
def run_json(run: Run) -> Callable[..., dict[str, Any]]:
    """Run with ``--json`` and read the one object it prints."""

    def call(*args: str) -> dict[str, Any]:
        done = run(*args, "--json")
        assert done.returncode == 0, done.stderr
        data: dict[str, Any] = json.loads(done.stdout)
        return data

    return call


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process, in an empty folder; what is no mistake of the user is raised."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        done = here(args, {"REACTIO_DEBUG": "1"})
        return done.returncode, done.stdout, done.stderr

    return run
