"""A second formulation as oracle: planar mechanisms and their spatial twins accelerate alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND, CoordinateName, End
from reactio.functions.expression import Expression
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model
from reactio.model.placing import joint_at
from reactio.model.specs import Body, Drive, Force, Joint
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.types import State

from .scenes import SWEEP

# Two closed loops and one slider, two degrees of freedom left, one of them driven.
LINKS = (
    ("A", "revolute", GROUND, "b0"),
    ("B", "revolute", "b0", "b1"),
    ("C", "translational", "b1", "b2"),
    ("D", "revolute", "b2", "b3"),
    ("E", "revolute", "b3", GROUND),
)


def planar_model(rng: np.random.Generator) -> Model:
    """Bodies anywhere, joints anywhere: frames that coincide at the given pose."""
    bodies = {
        f"b{i}": Body(
            f"b{i}",
            mass=rng.uniform(0.5, 2),
            inertia=(rng.uniform(0.1, 0.5),),
            position=tuple(rng.uniform(-1, 1, 2)),
            orientation=(rng.uniform(-3, 3),),
            center=tuple(rng.uniform(-0.3, 0.3, 2)),
        )
        for i in range(4)
    }
    joints = []
    for name, kind, a, b in LINKS:
        at, axis = (tuple(x) for x in rng.uniform(-1, 1, (2, 2)))
        joints.append(joint_at(name, kind, bodies.get(a, a), bodies.get(b, b), at, axis))
    return Model(
        "plane",
        "planar",
        tuple(bodies.values()),
        tuple(joints),
        (Drive("drive", CoordinateName("A"), SWEEP),),
        forces=planar_forces(rng),
        gravity=(1.2, -9.4),
    )


def planar_forces(rng: np.random.Generator) -> tuple[Force, ...]:
    points = [tuple(p) for p in rng.uniform(-1, 1, (3, 2))]
    push = (Expression("2 + t"), Expression("cos(t)"))
    given: dict[str, dict[str, Any]] = {
        "spring-damper": {
            "a": End("b0", points[0]), "b": End("b2", points[1]), "stiffness": 9.0, "length": 0.4, "damping": 2.0,
        },
        "torsional-spring-damper": {"joint": CoordinateName("D"), "stiffness": 4.0, "angle": 0.3, "damping": 1.5},
        "linear-spring-damper": {"joint": CoordinateName("C"), "stiffness": 7.0, "position": 0.2, "damping": 1.0},
        "force": {"at": End("b3", points[2]), "force": push, "axes": "body"},
        "torque": {"at": End("b1"), "torque": (Expression("3*t + 1"),)},
    }  # fmt: skip
    return tuple(Force(name, name, parameters) for name, parameters in given.items())


def lifted(model: Model) -> Model:
    """The same mechanism in space: hinges about z, sliders along z of their frame, gravity in the plane."""
    bodies = tuple(
        Body(
            b.name,
            b.mass,
            (0.6 * b.inertia[0], 0.7 * b.inertia[0], b.inertia[0]),
            (*b.position, 0.0),
            about_z(b.orientation[0]),
            center=(*b.center, 0.0),
        )
        for b in model.bodies
    )
    joints = tuple(lifted_joint(joint) for joint in model.joints)
    forces = tuple(
        Force(f.name, f.type, {k: lifted_value(k, v) for k, v in f.parameters.items()}) for f in model.forces
    )
    return Model("space", "spatial", bodies, joints, model.drives, forces=forces, gravity=(*model.gravity, 0.0))


def _lifted_fields(force: Force) -> FrozenMap[Any]:
    return FrozenMap({key: lifted_value(key, value) for key, value in force.parameters.items()})


def about_z(angle: float) -> tuple[float, ...]:
    return (float(np.cos(angle / 2)), 0.0, 0.0, float(np.sin(angle / 2)))


def lifted_value(key: str, value: Any) -> Any:
    zero = Expression("0*t")
    if isinstance(value, End):
        return End(value.body, (*value.point, 0.0), about_z(value.orientation[0]))
    if key == "force":
        return (*value, zero)
    return (zero, zero, *value) if key == "torque" else value


def lifted_joint(joint: Joint) -> Joint:
    ends = [lifted_value("", end) for end in (joint.a, joint.b)]
    if joint.type == "translational":
        # x of the plane becomes z of the frame: its axes are (y, z, x) of the plane.
        swap = Rotation.from_matrix(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]))
        ends = [End(e.body, e.point, _after(e.orientation, swap)) for e in ends]
    kind = {"translational": "prismatic", "revolute": "revolute"}[joint.type]
    return Joint(joint.name, kind, ends[0], ends[1])


def _after(orientation: tuple[float, ...], swap: Rotation) -> tuple[float, ...]:
    turned = Rotation.from_quat(np.array(orientation)[[1, 2, 3, 0]]) * swap
    return tuple(turned.as_quat()[[3, 0, 1, 2]].tolist())


def acceleration(model: Model, t: float, v: Floats) -> Floats:
    """v̇ of the smallest solution of the saddle equations; unique where M is regular, redundant rows or not."""
    system = build(model)
    e = equations(system, State(t, system.q0, v))
    C = e.C.toarray()
    # The drive is not met at this pose; that has no part in accelerations.
    assert abs(e.Phi[: system.group("drive").start]).max() < 1e-14
    K = np.block([[e.M.toarray(), C.T], [C, np.zeros((system.m, system.m))]])
    right = np.concatenate([e.Q, e.Gamma])
    # Redundant rows of the spatial twin give zero singular values; those that count lie above 1e-4 here.
    solution = np.linalg.lstsq(K, right, rcond=1e-9)[0]
    np.testing.assert_allclose(K @ solution, right, atol=1e-9 * (1 + abs(right).max()))
    return np.asarray(solution[: system.n])


@pytest.mark.parametrize("seed", range(6))
def test_planar_and_spatial_twin_accelerate_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = planar_model(rng)
    v = rng.uniform(-1, 1, 12)
    plane = acceleration(model, 0.4, v).reshape(4, 3)
    whole = np.zeros((4, 6))
    whole[:, [0, 1, 5]] = v.reshape(4, 3)
    space = acceleration(lifted(model), 0.4, whole.reshape(-1)).reshape(4, 6)
    # Both solve systems of condition below 1e5 in double precision.
    size = abs(plane).max()
    np.testing.assert_allclose(space[:, [0, 1, 5]], plane, atol=1e-9 * size)
    np.testing.assert_allclose(space[:, [2, 3, 4]], 0, atol=1e-9 * size)


def test_the_twin_is_redundant() -> None:
    """The oracle is a different system: three rows more than in-plane motion needs, for each closed loop."""
    model = planar_model(np.random.default_rng(0))
    plane, space = (equations(build(m)).C.toarray() for m in (model, lifted(model)))
    assert plane.shape == (11, 12)
    assert np.linalg.matrix_rank(plane, 1e-8) == 11
    assert space.shape == (26, 24)
    assert np.linalg.matrix_rank(space, 1e-8) == 23
