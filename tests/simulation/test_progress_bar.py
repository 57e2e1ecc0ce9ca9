"""Progress of long runs is shown at a prompt, and nowhere else."""

from __future__ import annotations

import sys

import pytest

import reactio
from reactio.simulation import progress_bar


def test_a_prompt_sees_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monkeypatch.setattr(progress_bar, "SECONDS_BEFORE_BAR", 0.0)
    reactio.simulate(reactio.load("pendulum-twice"), until=0.1, output=2, chunk=2)
    told = capsys.readouterr()
    assert "simulating" in told.err
    assert "of 0.1 s" in told.err
    assert not told.out


def test_a_script_sees_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delattr(sys, "ps1", raising=False)
    monkeypatch.setattr(progress_bar, "SECONDS_BEFORE_BAR", 0.0)
    monkeypatch.setattr(progress_bar, "interactive", lambda: False)
    reactio.simulate(reactio.load("pendulum-twice"), until=0.1, output=2, chunk=2)
    assert capsys.readouterr().err == ""
