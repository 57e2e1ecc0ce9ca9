"""Ctrl-C at every moment of ``reactio simulate`` keeps what is done, and gives no number that is not known."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reactio
from reactio.integrate.checkpoint import Chunk
from reactio.integrate.integrator import Integrator
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.kinematics.assemble import initial_assembly
from reactio.model.transform.natural import natural
from reactio.simulation import passages, run_checks
from reactio.simulation.read_run import load_run
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory

Call = Callable[..., tuple[int, str, str]]
BALL = """
space: planar
gravity: [0, -9.81]
bodies: {ball: {kind: point, mass: 1, position: [0, 0.3]}}
contacts: {floor: {type: point-on-line, line: ground, point: ball, restitution: 0.8}}
"""


def pressed(*_: Any, **__: Any) -> None:
    """Ctrl-C as the system sends it; the interpreter answers before the next call."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0)


def interrupting(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with Ctrl-C at the beginning of its first call."""

    first = [True]

    def call(*args: Any, **options: Any) -> Any:
        if first and first.pop():
            pressed()
        return function(*args, **options)

    return call


def same(one: Trajectory, other: Trajectory) -> bool:
    return all(np.array_equal(getattr(one, key), getattr(other, key), equal_nan=True) for key in ROW_FIELDS)


@pytest.fixture(autouse=True)
def answered() -> Iterator[None]:
    """Ctrl-C is answered here also where it is ignored outside (``nohup``, background jobs)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def driven(tmp_path: Path) -> str:
    """A rod on a motor."""
    (tmp_path / "rod.yaml").write_text(
        "space: planar\ngravity: [0, -9.81]\nbodies: {rod: {mass: 1, inertia: 0.1, center: [0.5, 0]}}\n"
        "joints: {A: {type: revolute, a: ground, b: rod}}\n"
        "drives: {motor: {joint: A, function: 'sin(3*t)'}}\n"
    )
    return "rod.yaml"


def test_after_the_motion_no_result_is_lost(
    call: Call, driven: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the energy is balanced, while the file is written, and while the results are printed."""
    words = ("simulate", driven, "--until", "2", "--rows", "9")
    assert call(*words, "--out", "whole.npz")[0] == 0
    whole = load_run(tmp_path / "whole.npz")
    places = ((run_checks, "balance", False), (os, "replace", True), (passages, "passed_singularities", True))
    for place, name, balanced in places:
        for suffix in ("npz", "nc", "csv"):
            with monkeypatch.context() as patch:
                patch.setattr(place, name, interrupting(getattr(place, name)))
                code, _, err = call(*words, "--out", f"cut.{suffix}")
            assert code == 130, err
            assert "Traceback" not in err
            cut = load_run(tmp_path / f"cut.{suffix}")
            assert same(cut, whole)
            assert cut.energy_error == (whole.energy_error if balanced else None)
            if balanced:
                assert err == "interrupted\n"
            assert call(*words, "--resume", f"cut.{suffix}", "--out", "again.npz")[0] == 0
            again = load_run(tmp_path / "again.npz")
            assert same(again, whole)
            assert again.energy_error == whole.energy_error
            (tmp_path / f"cut.{suffix}").unlink()


@pytest.mark.parametrize("form", [lambda model: model, natural])
def test_between_pieces(form: Callable[[reactio.Model], reactio.Model]) -> None:
    """The run ends behind the last piece that was done, and goes on identically."""
    system = reactio.build(form(reactio.load("four-bar-planar")))
    whole = simulate(system, 0.2, output=30)
    seen: list[Chunk] = []

    def press(chunk: Chunk) -> None:
        seen.append(chunk)
        if len(seen) == 2:
            pressed()

    part = simulate(system, 0.2, output=30, on_chunk=press, chunk=3)
    assert part.status is Status.PAUSED
    assert part.checkpoint.t == seen[1].checkpoint.t
    assert len(seen) == 2
    assert part.energy_error is not None
    both = simulate(system, 0.2, output=30, resume=part)
    assert same(both, whole)
    assert both.energy_error == whole.energy_error


def test_in_the_middle_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """That piece is lost; those before it are kept."""
    system = reactio.build(reactio.load("four-bar-planar"))
    kept: list[Chunk] = []
    advance = Integrator.run_chunk

    def run_chunk(*args: Any) -> Chunk:
        if len(kept) == 2:
            pressed()
        return advance(*args)

    with monkeypatch.context() as patch:
        patch.setattr(Integrator, "run_chunk", run_chunk)
        part = simulate(system, 0.2, chunk=3, on_chunk=kept.append)
    assert (part.status, part.steps) == (Status.PAUSED, kept[1].checkpoint.steps)
    assert same(simulate(system, 0.2, resume=part), simulate(system, 0.2))


def test_before_the_first_piece_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reactio.simulation.simulate.initial_assembly", interrupting(initial_assembly))
    with pytest.raises(KeyboardInterrupt):
        simulate(reactio.load("four-bar-planar"), 0.2)


@pytest.mark.parametrize("method", ["dop853", "moreau"])
def test_with_contacts(method: str) -> None:
    """A ball that bounces on a line."""
    ball = reactio.parse_model(BALL)
    seen: list[float] = []

    def press(chunk: Chunk) -> None:
        seen.append(chunk.checkpoint.t)
        if len(seen) == 2:
            pressed()

    part = simulate(ball, 2.0, method=method, chunk=1, on_chunk=press)
    assert part.status is Status.PAUSED
    assert 0.0 < part.checkpoint.t < 2.0


def test_a_run_answers_no_signals_itself() -> None:
    """What the caller has installed stays, also in other threads."""
    import threading

    mine: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: mine.append(number))
    found: list[Trajectory] = []
    model = reactio.load("pendulum-twice")
    thread = threading.Thread(target=lambda: found.append(simulate(model, 0.1, output=2, on_chunk=pressed)))
    thread.start()
    thread.join()
    assert found[0].status is Status.DONE
    assert mine
    assert set(mine) == {signal.SIGINT}


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("ignored", [False, True])
def test_a_process_keeps_the_part_that_is_done(tmp_path: Path, ignored: bool) -> None:
    """Ctrl-C, or the signal to terminate where Ctrl-C is ignored (``nohup``), in the middle of a run."""
    out = tmp_path / "part.npz"
    words = ("simulate", "four-bar-spatial", "--until", "20", "--rows", "50", "--out", str(out))
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_PIECES, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignored else None,
    )
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)] == ["piece\n"] * 2
    if ignored:
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "piece\n"
    process.send_signal(signal.SIGTERM if ignored else signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert err.startswith("The run ended at t = ")
    assert err.count("\n") == 1
    part, whole = load_run(out), reactio.simulate(reactio.load("four-bar-spatial"), 20.0, output=50)
    rows = len(part.t)
    assert part.status is Status.PAUSED
    assert 0 < rows < 50
    assert np.array_equal(part.q, whole.q[:rows])
    assert rows == np.searchsorted(whole.t, part.checkpoint.t, side="right")
    assert same(reactio.simulate(part.system, 20.0, output=50, resume=part), whole)


SLOW_PIECES = """
import time
from reactio.integrate.integrator import Integrator
advance = Integrator.run_chunk

def run_chunk(*args):
    piece = advance(*args)
    print("piece", flush=True)
    time.sleep(1.0)  # the signal comes here: this piece is lost
    return piece

Integrator.run_chunk = run_chunk
from reactio.cli import main
main()
"""
