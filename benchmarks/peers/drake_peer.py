"""Drake: joints of the tree as coordinates, loops as ball constraints of the discrete SAP solver, or stiff bushings.

Constraints exist in discrete time and for the integrator ``cenic`` only; the other error-controlled integrators know
bushings, whose stiffness then decides how far a loop opens.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from cases import SAMPLES, Case
from mechanism import Mechanism
from pydrake.math import RigidTransform
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import (
    BallRpyJoint,
    FixedOffsetFrame,
    LinearBushingRollPitchYaw,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder
from variant import Variant, halved, timed

from reactio.arrays import Floats

PACKAGE = "drake"
COPES = "ball constraints are regularised by the SAP solver (near-rigid), so that redundant rows share by that"
BUSHING = 1e9  # [N/m]
LONGEST = 6.0  # [s] of one run


def planted(built: Mechanism, h: float, bushings: bool) -> tuple[Any, Any, list[Any]]:
    """Diagram, plant and bodies."""
    builder = DiagramBuilder()
    plant = builder.AddNamedSystem("plant", MultibodyPlant(h))  # the name by which ``cenic`` finds it
    if h > 0:
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    plant.mutable_gravity_field().set_gravity_vector(built.gravity)
    bodies: list[Any] = []
    for body, joint in zip(built.bodies, built.carried, strict=True):
        J, centre = body.inertia, body.centre - joint.point
        about = RotationalInertia(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        inertia = SpatialInertia.MakeFromCentralInertia(body.mass, centre, about)
        own = plant.AddRigidBody(body.name, inertia)
        parent = bodies[joint.a] if joint.a >= 0 else plant.world_body()
        at = _fixed(plant, parent, joint.point - _origin(built, joint.a))
        kind = RevoluteJoint if joint.kind == "hinge" else BallRpyJoint
        axis = (joint.axis,) if joint.kind == "hinge" else ()
        plant.AddJoint(kind(joint.name, at, own.body_frame(), *axis))
        bodies.append(own)
    for loop in built.loops:
        a, b = (bodies[k] if k >= 0 else plant.world_body() for k in (loop.a, loop.b))
        p, q = (loop.point - _origin(built, k) for k in (loop.a, loop.b))
        if bushings:
            stiff = np.full(3, BUSHING)
            frames = (_fixed(plant, a, p), _fixed(plant, b, q))
            plant.AddForceElement(LinearBushingRollPitchYaw(*frames, np.zeros(3), np.zeros(3), stiff, 0 * stiff))
        else:
            plant.AddBallConstraint(a, p, b, q)
    plant.Finalize()
    return builder.Build(), plant, bodies


def _origin(built: Mechanism, k: int) -> Floats:
    return built.carried[k].point if k >= 0 else np.zeros(3)


def _fixed(plant: Any, body: Any, offset: Floats) -> Any:
    name = f"frame{plant.num_frames()}"
    return plant.AddFrame(FixedOffsetFrame(name, body.body_frame(), RigidTransform(offset)))


def started(built: Mechanism, diagram: Any, plant: Any, bodies: list[Any]) -> Any:
    """A context at the start, with the constant loads."""
    from pydrake.multibody.math import SpatialForce
    from pydrake.multibody.plant import ExternallyAppliedSpatialForce

    context = diagram.CreateDefaultContext()
    own = plant.GetMyMutableContextFromRoot(context)
    loads = []
    for body, joint, there in zip(built.bodies, built.carried, bodies, strict=True):
        relative = body.omega - (built.bodies[joint.a].omega if joint.a >= 0 else 0.0)
        at = plant.GetJointByName(joint.name)
        if joint.kind == "hinge":
            at.set_angular_rate(own, joint.axis @ relative)
        else:
            at.set_angular_velocity(own, relative)
        if body.force.any() or body.moment.any():
            load = ExternallyAppliedSpatialForce()
            load.body_index, load.p_BoBq_B = there.index(), body.centre - joint.point
            load.F_Bq_W = SpatialForce(body.moment, body.force)
            loads.append(load)
    plant.get_applied_spatial_force_input_port().FixValue(own, loads)
    return context


class Patience:
    """Ends a run that takes too long: stiff bushings may take hours."""

    def __init__(self) -> None:
        self.end = time.perf_counter() + LONGEST

    def __call__(self, _: Any) -> None:
        """Called by the simulator after every step."""
        if time.perf_counter() > self.end:
            raise TimeoutError(f"a run takes more than {LONGEST:g} s")


def variants(case: Case, built: Mechanism) -> list[Variant]:
    """Discrete steps with constraints; error-controlled integration with what it knows of loops."""
    steps = halved(case.until, SAMPLES, 0.005)

    def tolerance(level: int) -> float:
        return 10 ** -(3 + level / 2)

    return [
        Variant("discrete SAP, ball constraints", steps, _runner(built, case, "")),
        Variant("cenic, ball constraints", tolerance, _runner(built, case, "cenic"), growth=1.8, levels=14),
        Variant("radau3, bushings", tolerance, _runner(built, case, "radau3"), growth=1.5, levels=14),
        Variant("runge_kutta3, bushings", tolerance, _runner(built, case, "runge_kutta3"), growth=1.5, levels=14),
    ]


def _runner(built: Mechanism, case: Case, scheme: str) -> Callable[[float], tuple[Floats, float]]:
    def run(setting: float) -> tuple[Floats, float]:
        diagram, plant, bodies = planted(built, 0.0 if scheme else setting, scheme not in ("", "cenic"))
        found = np.zeros((SAMPLES, len(bodies), 3))
        simulators: list[Any] = []

        def start() -> None:
            simulator = Simulator(diagram, started(built, diagram, plant, bodies))
            if scheme:
                config = SimulatorConfig(
                    integration_scheme=scheme, accuracy=setting, max_step_size=0.1, use_error_control=True
                )
                ApplySimulatorConfig(config, simulator)
            simulator.set_monitor(Patience())
            simulator.Initialize()
            simulators[:] = [simulator]

        def go() -> None:
            simulator = simulators[0]
            own = plant.GetMyContextFromRoot(simulator.get_context())
            for k, t in enumerate(case.times):
                simulator.AdvanceTo(t)
                for i, there in enumerate(bodies):
                    centre = built.bodies[i].centre - built.carried[i].point
                    found[k, i] = there.EvalPoseInWorld(own).multiply(centre)

        wall = timed(go, start)[1]
        return found.copy(), wall

    return run
