"""Sensitivities against differences, sum rules, bounds, tolerances, and the corrected answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import _scaled, bounds, corrected, sensitivity, tolerance

from .test_closed_forms import table


@pytest.mark.parametrize(
    "model", [table(), reactio.load("door", hinges=3, bushings=1, misfit=1e-4)], ids=["legs", "door"]
)
def test_against_differences(model: reactio.Model) -> None:
    here, found = instant(model), sensitivity(model)
    h = 1e-4  # in ln k: central differences are off by h²/6 of third derivatives, rounding by 1e-12/h
    for k, name in enumerate(found.parts):
        ends = [here.relaxed(_scaled(here.elastic, name, np.exp(-s * h))).lam for s in (1.0, -1.0)]
        assert found.by_stiffness[:, k] == pytest.approx(
            (ends[0] - ends[1]) / (2 * h), abs=1e-6 * np.abs(found.lam).max()
        )


def test_only_ratios_of_stiffnesses_matter_where_all_parts_fit() -> None:
    found = sensitivity(table())
    assert np.abs(found.by_stiffness.sum(axis=1)).max() < 1e-12 * np.abs(found.lam).max()


def test_with_a_misfit_rows_sum_to_what_it_causes() -> None:
    model = table(misfit={1: 1e-4})
    here, found = instant(model), sensitivity(model)
    caused = -here.whole.relax(here.elastic.delta)
    assert found.by_stiffness.sum(axis=1) == pytest.approx(caused, abs=1e-10 * np.abs(caused).max())


def test_bounds_hold_what_is_between() -> None:
    model = table()
    here, limits = instant(model), bounds(model, 2.0)
    for s in (0.6, 0.9, 1.3, 1.9):
        forces = here.forces(here.relaxed(_scaled(here.elastic, "leg2", s)).lam)
        for name, force in forces.items():
            low, high = limits[name]["leg2"]
            assert (low - 1e-9 <= force).all()
            assert (force <= high + 1e-9).all()


def test_tolerances_are_misfits() -> None:
    model = reactio.load("door", hinges=2, bushings=1)
    found = tolerance(model, {"hinge2.z": 1e-4, "hinge1.x": 2e-4})
    here, off = instant(model), instant(reactio.load("door", hinges=2, bushings=1, misfit=1e-4))
    change = {name: off.forces(off.whole.lam)[name] - force for name, force in here.forces(here.whole.lam).items()}
    assert found.each["hinge1"][:, 0] == pytest.approx(change["hinge1"], abs=1e-9)
    assert (found.worst["hinge1"] >= found.likely["hinge1"] - 1e-12).all()


def test_correction_finds_equilibrium_on_the_displaced_pose() -> None:
    """A soft table top: level 1 misses what the weight does on its displaced arm, first order in ξ."""
    soft = table()
    joints = tuple(
        replace(j, elastic=replace(j.elastic, stiffness=(1e-2 * j.elastic.stiffness[0],))) for j in soft.joints
    )
    model = replace(soft, joints=joints)
    here = instant(model)
    lam, better = here.whole.lam, corrected(here)
    xi = here.displacements(here.whole)
    assert 0 < np.abs(better - lam).max() < 10 * np.abs(xi).max() * np.abs(lam).max()
