"""Large models through the commands: what is the same for every joint is asked once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import reactio
from reactio.cli.app import app
from reactio.cli.verbs import check
from reactio.errors import ReactioError
from reactio.joint_reactions import forces_of_motion as motion_forces
from reactio.simulation import peaks
from reactio.uniqueness import engine, explain


def output(*words: str) -> str:
    """What a command prints."""
    found = CliRunner().invoke(app, list(words))
    assert found.exit_code == 0, found.output
    return found.output


@pytest.mark.parametrize("command", ["check", "reactions"])
def test_a_state_is_judged_once(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks again for the verdicts on a C that has been judged."""
    asked: Counter[bytes] = Counter()
    judge = engine._judge

    def counted(matrix: Any, *rest: Any) -> Any:
        C = matrix.C if isinstance(matrix.C, np.ndarray) else matrix.C.toarray()
        asked[np.ascontiguousarray(C).tobytes()] += 1
        return judge(matrix, *rest)

    monkeypatch.setattr(engine, "_judge", counted)
    output(command, "n-four-bar", "--set", "N=3")
    assert asked
    assert set(asked.values()) == {1}


def test_reactions_of_many_joints_are_summed_up() -> None:
    text = output("reactions", "n-four-bar", "--set", "N=20")
    assert "and 21 more (--all lists them). In all: 61 unique. Largest known force:" in " ".join(text.split())
    assert "more (--all" not in output("reactions", "n-four-bar", "--set", "N=20", "--all")


def test_reactions_of_a_large_block_are_those_of_the_null_space() -> None:
    """Components told by a few random vectors are those that the null space tells one by one."""
    answer = reactio.check(reactio.load("scissor-lattice", rows=8, columns=9))
    assert answer.evidence.spread > 1.0
    for group in answer:
        rows = answer.rows_of(group.index)
        P = np.eye(len(rows))
        N = answer.evidence.null_rows(rows)[0] * answer.evidence.scaled.Dr[rows, None]
        known = [bool(np.linalg.norm(p @ N) < 1e-10) for p in P]
        assert answer.uniqueness(group.index, P) == known


def test_random_admissible_velocities_satisfy_the_constraints() -> None:
    eqs = reactio.equations(reactio.build(reactio.load("scissor-lattice", rows=9, columns=9)))
    v = eqs.solvability.admissible(np.random.default_rng(0).standard_normal((eqs.system.n, 2)))
    assert np.abs(eqs.C @ v).max() < 1e-12 * np.abs(v).max()
    assert np.linalg.matrix_rank(v, tol=1e-9 * float(np.abs(v).max())) == 1  # the lattice has one freedom


def test_mobility_of_a_large_model_is_refused_at_once_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("reactio.diagnosis.mobility.state_of")  # not even its pose is looked at
    with pytest.raises(ReactioError, match="grows as the cube of that number"):
        reactio.mobility(reactio.load("n-four-bar", N=100))


def test_a_large_matrix_near_a_singular_pose_is_not_decomposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary of a run ends at any size: what a dense C would have to tell is left out, not guessed."""
    run = reactio.simulate(reactio.load("modified-double-four-bar"), until=0.01)
    eqs = reactio.equations(run.system, run.final)
    known = motion_forces.forces_of_motion(eqs, run.checkpoint.vdot, 1e-6, run.generic_rank, None)
    assert known is not None
    assert not known.absent
    monkeypatch.setattr(motion_forces, "LARGEST_MATRIX", eqs.C.shape[0] * eqs.C.shape[1] - 1)
    monkeypatch.delattr(motion_forces, "scaled_matrix")  # the dense matrix that would be decomposed
    left_out = motion_forces.forces_of_motion(eqs, run.checkpoint.vdot, 1e-6, run.generic_rank, None)
    assert left_out is not None
    assert set(left_out.absent) == {group.name for group in run.system.reacting}


def test_peaks_of_a_large_model_are_left_out_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row is judged afresh: of few rows where that takes long, of none where two would."""
    run = reactio.simulate(reactio.load("double-four-bar"), until=0.2, output=20)
    monkeypatch.setattr(peaks, "MOST_JUDGED_ROWS", 6 * run.system.m)
    assert 2 <= peaks.peaks(run).looked <= 6
    monkeypatch.setattr(peaks, "MOST_JUDGED_ROWS", run.system.m)
    assert peaks.peaks(run).looked == 0
    assert peaks.peaks(run, {"sum": "A.Fx + B.Fx"}).looked >= 2
    text = output("simulate", "double-four-bar", "--until", "0.1")
    assert "Peaks were not computed: the model is too large." in " ".join(text.split())


def test_partners_in_a_large_model_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of every joint take longer than all verdicts; its table is cut after the first joints, and names none."""
    asked: list[int] = []
    find = explain.shares_with

    def counted(matrix: Any, evidence: Any, index: int, projectors: Any) -> tuple[str, ...]:
        asked.append(index)
        return find(matrix, evidence, index, projectors)

    monkeypatch.setattr(explain, "shares_with", counted)
    monkeypatch.setattr(check, "LARGE_MODEL", 50)
    output("check", "n-four-bar", "--set", "N=10")
    assert asked
    asked.clear()
    assert "and 21 more (--all lists them). In all: 61 unique." in " ".join(
        output("check", "n-four-bar", "--set", "N=20").split()
    )
    assert not asked
