"""A kind of body from outside the package wherever models are taken: natural coordinates, exact verdicts, runs."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

import reactio
from reactio import cli
from reactio.diagnosis.cause import Causes
from reactio.errors import ReactioError
from reactio.model.files.read import parse_model
from reactio.model.transform.natural import natural

from .test_extension_body import TELESCOPE, telescope  # noqa: F401

pytestmark = pytest.mark.usefixtures("telescope")

# Held at both ends it stretches freely between them: a rigid body would make one of the four rows redundant.
BETWEEN_PINS = """
space: planar
gravity: [0, -9.81]
bodies:
  arm: {kind: telescope, mass: 2, inertia: 0.3, tip_mass: 0.7, length: 0.5, stiffness: 80}
  box: {mass: 1, inertia: 0.1, position: [1, 0]}
joints:
  left: {type: revolute, a: ground, b: arm}
  right: {type: revolute, a: {body: ground, point: [0.5, 0]}, b: {body: arm, point: [0.5, 0]}}
  rail: {type: translational, bodies: [ground, box], at: [1, 0], axis: [1, 0]}
"""


def called(*words: str) -> str:
    """What a command prints."""
    out = io.StringIO()
    done = contextlib.suppress(SystemExit)
    with patch.object(sys, "argv", ["reactio", *words]), contextlib.redirect_stdout(out), done:
        cli.run()
    return out.getvalue()


def test_natural_coordinates_leave_it_what_it_is() -> None:
    model = parse_model(BETWEEN_PINS)
    assert [body.kind for body in natural(model).bodies] == ["telescope", "natural"]
    with pytest.raises(ReactioError, match="'arm' is of the kind telescope; natural coordinates describe rigid bodies"):
        natural(model, ["arm"])


@pytest.mark.parametrize("described", [lambda model: model, natural])
def test_exact_verdicts_are_those_of_the_body_as_it_bends(described: object) -> None:
    answer = reactio.check(described(parse_model(BETWEEN_PINS)), exact=True)  # type: ignore[operator]
    assert answer.redundancy == 0
    assert {answer[name].verdict.value for name in ("left", "right", "rail")} == {"unique"}
    assert answer.exact is not None
    assert answer.exact.agrees
    assert "Not certified: that it belongs to a configuration" in answer.exact.statement
    assert "kind telescope" in answer.exact.statement


def test_a_matrix_without_fractions_is_not_certified() -> None:
    tilted = BETWEEN_PINS.replace("[0.5, 0]}, b", "[0.5*cos(0.3), 0.5*sin(0.3)]}, b").replace(
        "kind: telescope", "kind: telescope, angle: 0.3"
    )
    answer = reactio.check(parse_model(tilted), exact=True)
    assert answer.exact is None
    assert "All verdicts rest on floating point" in answer.notes[-1]


def test_a_run_is_resumed_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.yaml").write_text(TELESCOPE)
    called("simulate", "arm.yaml", "--until", "0.1", "--out", "half.npz")
    called("simulate", "arm.yaml", "--until", "0.2", "--resume", "half.npz", "--out", "whole.npz")
    assert Path("whole.npz").exists()


def test_causes_are_named_where_they_are_those_of_all_redundancies() -> None:
    assert Causes(1, 0, 0).sentence(1) == "Redundant: 1, 1 by structure (whatever the dimensions)."
    assert "Redundant: 1; where they come from is not known" in Causes(0, 0, 0).sentence(1)
