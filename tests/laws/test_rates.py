"""Φ, C, ν and Γ belong together: each is the derivative of the one before, along motions known exactly.

Φ̇ = C v − ν,        d/dt (C v − ν) = C v̇ − Γ,        Φ̈ = C v̇ − Γ
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from reactio import primitives
from reactio.catalogue.fields import Numbers
from reactio.catalogue.places import GROUND, CoordinateName
from reactio.couplings import COUPLINGS
from reactio.functions import FUNCTIONS as REGISTERED
from reactio.functions import Function, evaluate
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.harmonic import Harmonic
from reactio.functions.polynomial import Polynomial
from reactio.functions.spline import Spline
from reactio.functions.step import Step
from reactio.model.frozen import FrozenMap
from reactio.model.specs import Coupling, Drive

from .chains import HOSTS, NAMES, chain
from .derivatives import check
from .scenes import SWEEP, alone, joint_cases, joint_scene, moving, values


@pytest.mark.parametrize(("space", "name", "kinds"), joint_cases())
def test_joints_keep_the_laws_of_rates(space: str, name: str, kinds: tuple[str, str]) -> None:
    for seed in range(3):
        check(joint_scene(space, name, kinds, seed))


@pytest.mark.parametrize(
    ("space", "name"),
    [(space, name) for space, registry in primitives.PRIMITIVES_BY_SPACE.items() for name in registry],
)
def test_primitives_alone_keep_the_laws_of_rates(space: str, name: str) -> None:
    axes = "xy" if space == "planar" else "xyz"
    for seed, (k, l) in enumerate(product(axes, axes)):
        with alone(space, name, k, l) as joint:
            check(joint_scene(space, joint.name, ("rigid", "rigid"), seed))
            check(joint_scene(space, joint.name, (GROUND, "rigid"), seed))
            check(joint_scene(space, joint.name, ("rigid", GROUND), seed))


def test_every_row_is_alive() -> None:
    """A row that is zero would pass all laws: at random states each primitive moves, and has a second derivative."""
    for space, registry in primitives.PRIMITIVES_BY_SPACE.items():
        for name in registry:
            with alone(space, name, "x", "x") as joint:
                scene = joint_scene(space, joint.name, ("rigid", "rigid"), 1)
                e = scene.equations()
                # Random velocities of size 1: nothing but a missing term makes these vanish.
                assert abs(e.C @ e.state.v) > 1e-3
                assert abs(e.Gamma) > 1e-3 or name == "turn"  # a planar angle is linear in the coordinates


def coupling_parameters(name: str, count: int, rng: np.random.Generator) -> FrozenMap[Any]:
    fields = COUPLINGS.get(name).parameters
    lists = {f.name: tuple(rng.uniform(-1, 1, count).tolist()) for f in fields if isinstance(f, Numbers)}
    return FrozenMap({**values(fields, rng), **lists})


@pytest.mark.parametrize("unit", NAMES)  # of all coordinates where the coupling leaves the choice
@pytest.mark.parametrize("space", HOSTS)
@pytest.mark.parametrize("name", list(COUPLINGS))
@pytest.mark.parametrize("kind", ["rigid", "natural"])
def test_couplings_keep_the_laws_of_rates(kind: str, name: str, space: str, unit: str) -> None:
    """A coupling is the sum of the rows that drive its coordinates, and keeps the laws."""
    rng = np.random.default_rng(5)
    joints = COUPLINGS.get(name).joints
    units = tuple(one or unit for one in joints.units) or (unit,) * 3
    along = tuple(CoordinateName(f"J{i}", NAMES[u]) for i, u in enumerate(units))
    one = Coupling("K", name, along, coupling_parameters(name, len(units), rng))
    drives = tuple(Drive(f"D{i}", c, SWEEP) for i, c in enumerate(along))
    scene = moving(chain(space, len(units), rng, kind, couplings=(one,), drives=drives), rng)
    check(scene)
    e, system = scene.equations(), scene.system
    factors = COUPLINGS.get(name).coefficients(one.parameters)
    rows = [system.group(drive.name).start for drive in drives]
    place = system.group("K").start
    # The same pose and the same measures: rounding of a sum of three terms of size 1.
    np.testing.assert_allclose(e.C.toarray()[place], factors @ e.C.toarray()[rows], atol=1e-14)
    driven = e.Phi[rows] + evaluate(SWEEP, 0.0)[0]
    np.testing.assert_allclose(e.Phi[place], factors @ driven - one.parameters["offset"], atol=1e-13)


@pytest.mark.parametrize("space", HOSTS)
def test_coupling_finds_coordinates_by_their_unit(space: str) -> None:
    """A rack needs a translation and a rotation, so the joint alone says which coordinate is meant."""
    found = []
    for names in (("", ""), ("translation", "rotation")):
        rng = np.random.default_rng(6)
        along = tuple(CoordinateName(f"J{i}", name) for i, name in enumerate(names))
        one = Coupling("K", "rack", along, FrozenMap({"radius": 0.3}))
        found.append(moving(chain(space, 2, rng, couplings=(one,)), rng).equations().C.toarray())
    assert np.array_equal(*found)


FUNCTIONS: tuple[Function, ...] = (
    Constant(0.4),
    Polynomial((0.1, -0.5, 0.8, 0.3)),
    Harmonic(0.5, 0.7, 0.2, 0.1),
    Step(-0.4, 0.5, -0.2, 0.6),
    # One piece of a spline around t = 0: its third derivative jumps at the points of the table.
    Spline((-2.0, -0.9, 0.8, 1.7), (0.0, 0.7, -0.2, 0.5)),
    Expression("a*sin(2*t) + exp(-t)*t**2", (("a", 0.4),)),
    SWEEP,
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: str(f.kind))
@pytest.mark.parametrize("space", HOSTS)
def test_drives_keep_the_laws_of_rates(space: str, function: Function) -> None:
    """ν = f_t and Γ contains f_tt, for every kind of function of time."""
    rng = np.random.default_rng(8)
    drives = tuple(Drive(name, CoordinateName("J0", name), function) for name in NAMES.values())
    check(moving(chain(space, 1, rng, drives=drives), rng))


def test_every_function_of_time_drives() -> None:
    assert {f.kind for f in FUNCTIONS} == set(REGISTERED) - {"linear-law"}  # which is a function of the coordinate
