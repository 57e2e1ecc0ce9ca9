"""Ctrl-C at every moment of ``reactio simulate`` keeps what is done, and gives no number that is not known."""

from __future__ import annotations

import json
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
from reactio.simulation import energy_balance, run_checks
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
    """The function, with Ctrl-C at its beginning."""

    def call(*args: Any, **options: Any) -> Any:
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


@pytest.mark.parametrize("suffix", ["npz", "nc", "csv"])
def test_while_the_energy_is_balanced(
    call: Call, driven: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    words = ("simulate", driven, "--until", "2", "--rows", "9")
    assert call(*words, "--out", "whole.npz")[0] == 0
    whole = load_run(tmp_path / "whole.npz")
    with monkeypatch.context() as patch:
        patch.setattr(run_checks, "balance", interrupting(energy_balance.balance))
        code, out, _ = call(*words, "--out", f"cut.{suffix}")
        assert code == 130
        assert "The end was reached." in out
        assert "energy error not known: interrupted." in " ".join(out.split())
        code, out, _ = call(*words, "--json")
        assert code == 130
        assert json.loads(out)["energy_error"] is None
    cut = load_run(tmp_path / f"cut.{suffix}")
    assert same(cut, whole)
    assert cut.energy_error is None
    assert cut.status is Status.DONE
    code, _, err = call(*words, "--resume", f"cut.{suffix}", "--out", "again.npz")
    assert code == 0, err
    found = load_run(tmp_path / "again.npz")
    assert same(found, whole)
    assert found.energy_error == whole.energy_error


def test_while_columns_are_found(call: Call, driven: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", driven, "--until", "2", "--rows", "9")
    assert call(*words, "--out", "whole.csv")[0] == 0
    with monkeypatch.context() as patch:
        patch.setattr(Trajectory, "named_columns", interrupting(Trajectory.named_columns))
        code, out, err = call(*words, "--out", "cut.csv")
    assert code == 130
    assert "The end was reached." in out
    assert "Interrupted while cut.csv was written" in err
    cut, whole = (load_run(tmp_path / name) for name in ("cut.csv", "whole.csv"))
    assert same(cut, whole)
    assert cut.energy_error == whole.energy_error
    assert "rod.position.x" in (tmp_path / "whole.csv").read_text().splitlines()[1]


def test_while_the_figure_is_drawn(call: Call, driven: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    from reactio.figures import run

    monkeypatch.setattr(run, "plot_run", interrupting(run.plot_run))
    code, out, err = call("simulate", driven, "--until", "2", "--out", "run.npz", "--plot", "run.png")
    assert code == 130
    assert "Written to run.npz." in out
    assert "the figure is not drawn" in err
    assert load_run(tmp_path / "run.npz").status is Status.DONE
    assert not (tmp_path / "run.png").exists()


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
    pieces, advance = [0], Integrator.run_chunk

    def run_chunk(*args: Any) -> Chunk:
        pieces[0] += 1
        if pieces[0] == 3:
            pressed()
        return advance(*args)

    with monkeypatch.context() as patch:
        patch.setattr(Integrator, "run_chunk", run_chunk)
        part = simulate(system, 0.2, chunk=3)
    assert (part.status, part.steps) == (Status.PAUSED, 6)
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


@pytest.mark.parametrize("suffix", ["npz", "csv"])
def test_while_a_file_is_written(
    call: Call, driven: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """It is written all the same."""
    before, first = os.replace, [True]

    def replaced(*args: Any) -> None:
        if first.pop() if first else False:
            pressed()
        before(*args)

    monkeypatch.setattr(os, "replace", replaced)
    code, out, err = call("simulate", driven, "--until", "2", "--rows", "9", "--out", f"run.{suffix}")
    assert code == 130
    assert "The end was reached." in out
    assert f"Interrupted while run.{suffix} was written: it is kept" in err
    assert load_run(tmp_path / f"run.{suffix}").status is Status.DONE


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_process_that_is_interrupted(tmp_path: Path) -> None:
    """A real one, whenever it is hit: it has ended, stopped with its part, or not yet begun, and never lies."""
    words = [sys.executable, "-m", "reactio", "simulate", "four-bar-spatial", "--until", "20", "--rows", "50"]
    whole = reactio.simulate(reactio.load("four-bar-spatial"), 20.0, output=50)
    for k, wait in enumerate((1.0, 1.6)):
        out = tmp_path / f"part{k}.npz"
        process = subprocess.Popen(
            [*words, "--out", str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        assert process.returncode in (0, 3, 130, -signal.SIGINT)
        if not out.exists():
            assert process.returncode in (130, -signal.SIGINT)
            continue
        part = load_run(out)
        rows = len(part.t)
        assert np.array_equal(part.q, whole.q[:rows])
        assert rows == np.searchsorted(whole.t, part.checkpoint.t, side="right")
        assert part.energy_error in (None, pytest.approx(0.0, abs=1e-7))  # 1e-9 a step, 1000 steps
