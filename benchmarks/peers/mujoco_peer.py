"""MuJoCo: joints of the tree as coordinates, loops as ``connect`` equalities made as stiff as the engine allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import mujoco
import mujoco.rollout
import numpy as np
from cases import SAMPLES, Case
from mechanism import Body, Joint, Mechanism
from variant import Variant, halved, steps_between, timed

from reactio.arrays import Floats

PACKAGE = "mujoco"
COPES = "every row is softened (impedance at most 0.9999), so that redundant rows share by their softness"
INTEGRATORS = ("RK4", "Euler")  # without dampers the implicit ones give the numbers of Euler
# Time constant of the equalities in steps (2 is the least the engine accepts) and their impedance.
STIFF = ((2.0, 0.9999), (5.0, 0.9999))


def numbers(values: Floats) -> str:
    """For an attribute."""
    return " ".join(repr(float(x)) for x in values)


def written(built: Mechanism, integrator: str, h: float, constant: float, impedance: float) -> str:
    """The model as MJCF."""
    children: dict[int, list[int]] = {}
    for i, joint in enumerate(built.carried):
        children.setdefault(joint.a, []).append(i)

    def element(i: int) -> str:
        body: Body = built.bodies[i]
        joint: Joint = built.carried[i]
        before = built.carried[joint.a].point if joint.a >= 0 else np.zeros(3)
        J = body.inertia
        full = numbers(np.array([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]))
        hinge = f'<joint type="hinge" axis="{numbers(joint.axis)}"/>'
        own = hinge if joint.kind == "hinge" else '<joint type="ball"/>'
        inertial = f'<inertial pos="{numbers(body.centre - joint.point)}" mass="{body.mass!r}" fullinertia="{full}"/>'
        inside = "".join(element(k) for k in children.get(i, []))
        return f'<body name="{body.name}" pos="{numbers(joint.point - before)}">{own}{inertial}{inside}</body>'

    loops = "".join(_connect(built, loop, h, constant, impedance) for loop in built.loops)
    return f"""<mujoco>
<option timestep="{h!r}" integrator="{integrator}" gravity="{numbers(built.gravity)}" solver="Newton"
  iterations="100" tolerance="0"><flag contact="disable"/></option>
<compiler balanceinertia="true" inertiafromgeom="false"/>
<worldbody>{"".join(element(i) for i in children[-1])}</worldbody>
<equality>{loops}</equality></mujoco>"""


def _connect(built: Mechanism, loop: Joint, h: float, constant: float, impedance: float) -> str:
    a, b = (loop.a, loop.b) if loop.a >= 0 else (loop.b, loop.a)
    other = f' body2="{built.bodies[b].name}"' if b >= 0 else ""
    return (
        f'<connect body1="{built.bodies[a].name}"{other} anchor="{numbers(loop.point - built.carried[a].point)}" '
        f'solref="{constant * h!r} 1" solimp="{impedance} {impedance} 1"/>'
    )


def variants(case: Case, built: Mechanism) -> list[Variant]:
    """Its integrators with the stiffest equalities."""
    steps = halved(case.until, SAMPLES, 0.01)
    found = []
    for name in INTEGRATORS:
        for constant, impedance in STIFF:
            label = f"{name}, solref {constant:g} h, solimp {impedance:g}"
            for way, go in (("", _by_steps), (", rollout", _by_rollout)):
                found.append(Variant(label + way, steps, _runner(built, case, name, constant, impedance, go)))
    return found


def _by_steps(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> Iterator[None]:
    """So many steps between two samples, by one call of the engine each."""
    for _ in range(SAMPLES):
        mujoco.mj_step(model, data, count)
        yield


def _by_rollout(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> Iterator[None]:
    """All steps in one call, which keeps the state after each of them."""
    every, forces = mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.mjtState.mjSTATE_XFRC_APPLIED
    start = np.zeros(mujoco.mj_stateSize(model, every))
    mujoco.mj_getState(model, data, start, every)
    applied = np.broadcast_to(data.xfrc_applied.ravel(), (SAMPLES * count, data.xfrc_applied.size))
    states, _ = mujoco.rollout.rollout(model, data, start[None], applied[None], control_spec=int(forces))
    for k in range(SAMPLES):
        mujoco.mj_setState(model, data, states[0, (k + 1) * count - 1], every)
        yield


def _runner(
    built: Mechanism,
    case: Case,
    integrator: str,
    constant: float,
    impedance: float,
    samples: Callable[[mujoco.MjModel, mujoco.MjData, int], Iterator[None]],
) -> Callable[[float], tuple[Floats, float]]:
    def run(h: float) -> tuple[Floats, float]:
        model = mujoco.MjModel.from_xml_string(written(built, integrator, h, constant, impedance))
        data = mujoco.MjData(model)
        count = steps_between(case.times, h)
        found = np.zeros((SAMPLES, len(built.bodies), 3))
        places = [model.body(body.name).id for body in built.bodies]

        def start() -> None:
            mujoco.mj_resetData(model, data)
            for body, joint, at in zip(built.bodies, built.carried, places, strict=True):
                relative = body.omega - (built.bodies[joint.a].omega if joint.a >= 0 else 0.0)
                own = joint.axis @ relative if joint.kind == "hinge" else relative
                first = model.body_dofadr[at]
                data.qvel[first : first + model.body_dofnum[at]] = own
                data.xfrc_applied[at, :3], data.xfrc_applied[at, 3:] = body.force, body.moment

        def go() -> None:
            for k, _ in enumerate(samples(model, data, count)):
                mujoco.mj_kinematics(model, data)
                mujoco.mj_comPos(model, data)
                found[k] = data.xipos[places]

        wall = timed(go, start)[1]
        return found.copy(), wall

    return run
