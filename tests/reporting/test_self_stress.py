"""Sliders of self-stresses count what their words say, and stay self-stresses along a run."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio.diagnosis.why import describe
from reactio.reporting.self_stress import stress_histories, unit_stress


@pytest.mark.parametrize("name", ["door", "four-bar-spatial", "rail-four-carriages", "mobile-robot"])
def test_forces_are_counted_in_newton(name: str) -> None:
    eqs = reactio.equations(reactio.build(reactio.load(name)))
    told = [
        (describe(eqs, stress), unit_stress(eqs.system, stress.lam).has_force) for stress in eqs.solvability.self_stress
    ]
    assert told
    for words, force in told:
        assert force == ("moment" not in words), words


def test_a_self_stress_goes_on_as_one() -> None:
    system = reactio.build(reactio.load("four-bar-spatial"))
    run = reactio.simulate(system, until=0.2, tol=1e-6, output=3)
    found = [run.reactions_at(k) for k in range(len(run.t))]
    stresses = found[0].answer.self_stress
    histories = stress_histories(stresses, found)
    assert len(histories) == len(stresses)
    for history in histories:
        assert history.wrenches.shape == (len(run.t), len(history.joints), 6)
        # A wrench that passes through the loop loads body by body with opposite signs: the crank, held by A and B.
        for k, one in enumerate(found):
            A, B = (history.wrenches[k, history.joints.index(name)] for name in ("A", "B"))
            arm = [one[name].point for name in ("A", "B")]
            moment = A[3:] + np.cross(arm[0], A[:3]) - B[3:] - np.cross(arm[1], B[:3])
            assert np.abs(A[:3] - B[:3]).max() < 1e-8  # accuracy of null spaces
            assert np.abs(moment).max() < 1e-8
