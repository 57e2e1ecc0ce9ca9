"""``reactio simulate`` says when a run ends off its constraints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from reactio.arrays import Floats
from reactio.integrate.checkpoint import Checkpoint, Chunk
from reactio.integrate.integrator import Integrator
from reactio.integrate.loop import Task
from reactio.integrate.singular_passage import interpolate
from reactio.integrate.status import Status


def test_a_spoilt_end_has_an_exit_code_and_words(
    call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever spoils an end, here a hand that moves all bodies by 0.1 µm, the run has not "reached" it."""
    whole = interpolate.advance_past_singularities

    def spoilt(course: Integrator, start: Checkpoint, times: Floats, task: Task) -> Chunk:
        done = whole(course, start, times, task)
        c = done.checkpoint
        return replace(done, checkpoint=replace(c, q=c.q + 1e-7)) if done.status is Status.DONE else done

    monkeypatch.setattr(interpolate, "advance_past_singularities", spoilt)
    code, out, err = call("simulate", "slider-crank", "--until", "0.01", "--json")
    assert code == 3
    data = json.loads(out)
    assert data["status"] == "drifted"
    assert data["position_drift"] > 1e-8
    assert any("is promised" in note for note in data["notes"])
    assert "by more than the tolerance of a run" in err
