"""Free bodies that bend and spin."""

from __future__ import annotations

import pytest

import reactio
from reactio.kernels import CodeUse
from reactio.kinematics.assemble import initial_state
from tests.machine_code_uses import use_of_run

SPUN = """
space: spatial
materials: {rubber: {E: 2e8, nu: 0.4, density: 1100}}
bodies:
  bar:
    angular_velocity: [1, 2, 12]
    flexible: {beam: {from: [-0.5, 0, 0], to: [0.5, 0, 0], section: {box: [0.03, 0.02]}}, material: rubber, modes: 4,
               damping: 0}
"""


def test_long_runs_of_a_body_that_nothing_holds_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no row of C by which work could be measured; ten seconds are some 10⁵ evaluations."""
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    system = reactio.build(reactio.parse_model(SPUN))
    assert system.m == 0
    assert use_of_run(monkeypatch, system, initial_state(system), 10.0, tol=1e-12) is CodeUse.COMPILED
