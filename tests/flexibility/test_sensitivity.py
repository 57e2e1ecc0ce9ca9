"""Sensitivities against differences, sum rules, bounds, tolerances, and the corrected answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import _scaled, bounds, corrected, sensitivity, tolerance
from reactio.flexibility.sensitivity_over_motion import sensitivity_over_motion
from reactio.model.specs import Elastic
from reactio.simulation.state_at import state_at

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


def test_bounds_hold_where_a_force_turns_round() -> None:
    """A bar clamped three times: with the stiffness of one clamp, of rank three, forces rise and fall again."""
    clamps = "".join(
        f"  c{k}: {{type: fixed, bodies: [ground, bar], at: {at}, stiffness: {stiff}, misfit: {misfit}}}\n"
        for k, (at, stiff, misfit) in enumerate(
            [
                ([-0.8, -0.5], [4e6, 1e6, 2e3], "{x: -2e-5, y: -2e-4, about_z: -2e-5}"),
                ([0.5, -0.8], [6e5, 1e6, 2e4], "{x: -7e-5, y: -1e-4, about_z: -4e-5}"),
                ([-0.4, 0.3], [2e6, 4e5, 1e3], "{x: 2e-4, y: 5e-5, about_z: -5e-5}"),
            ]
        )
    )
    text = f"space: planar\ngravity: [0, -9.81]\nbodies: {{bar: {{mass: 40, inertia: 3}}}}\njoints:\n{clamps}"
    model = reactio.parse_model(text)
    here, limits = instant(model), bounds(model, 10.0)
    turning = 0
    for part in ("c0", "c1", "c2"):
        samples = [
            here.components(here.relaxed(_scaled(here.elastic, part, 10.0**s)).lam) for s in np.linspace(-1, 1, 41)
        ]
        for name, (low, high) in ((name, own[part]) for name, own in limits.items()):
            table_of = np.array([one[name] for one in samples])
            size = np.abs(table_of).max()
            assert (low <= table_of + 1e-8 * size).all()
            assert (table_of <= high + 1e-8 * size).all()
            ends = table_of[[0, 20, 40]]
            turning += int((table_of.max(axis=0) > ends.max(axis=0) + 1e-3 * size).sum())
            turning += int((table_of.min(axis=0) < ends.min(axis=0) - 1e-3 * size).sum())
    assert turning > 0  # the case is one where ends and middle do not bound


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


def test_the_largest_slopes_over_a_motion_are_those_of_its_instants() -> None:
    model = reactio.load("four-bar-spatial")
    soft = Elastic((1e6,) * 3 + (1e3,) * 2 + (0.0,))
    model = replace(model, joints=tuple(replace(joint, elastic=soft) for joint in model.joints))
    system = reactio.build(model, vibration=False)
    largest = sensitivity_over_motion(system, 0.06, 3)
    every = [sensitivity(system, state_at(system, float(t))) for t in largest.t]
    assert {float(t) for times in largest.times.values() for t in times.ravel()} > {0.0}
    # The motion is followed in one and in several parts, each with tolerances of 1e-9.
    for name, slopes in largest.forces.items():
        values = np.array([instant.forces[name] for instant in every])
        assert np.abs(slopes) == pytest.approx(np.abs(values).max(axis=0), rel=1e-5, abs=1e-7)
        rows = np.searchsorted(largest.t, largest.times[name])
        assert np.take_along_axis(values, rows[None], axis=0)[0] == pytest.approx(slopes, rel=1e-5, abs=1e-7)
    with pytest.raises(ReactioError, match="give a later end time"):
        sensitivity_over_motion(system, 0.0)
