"""Flexibility at its three levels: how far they agree, with each other and with Exudyn, and what they cost.

The spatial parallelogram with flexible links (equal, and 1, 2, 0.5, 3 times as stiff) under its sudden load, damping
β K with β = 1.765e-4 s; parts are of the largest force in a lower link, from 0.4 s on, when vibration has died out.

    energy     a free flexible body, spun, for 10 s: the energy it keeps
    levels     level 1 (split by compliance, plain and corrected) and level 3 (modes in a floating frame) against Exudyn
    plate      level 3 of a plate that swings on two pins, and of one on four feet, against Exudyn's floating frame
    limits     how level 3 comes to level 1 as damping, modes, steps and stiffness change
    cost       level 1 and level 3 at the same instants
    frames     level 3 and Exudyn's floating frame at equal errors: the swinging plate; the parallelogram with a plate
               for its platform, on rigid links
    size       level 1 in a spatial mechanism of 1,000 joints that all give way

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/flexibility.py [energy] [levels] [plate] [limits] [cost] [frames] [size]
``levels``, ``plate`` and ``frames`` need the extra `peers`.  Times are those of the processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import reactio
from reactio.arrays import Floats, Ints
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.sensitivity import corrected
from reactio.integrate.checkpoint import Motion
from reactio.integrate.integrator import integrate
from reactio.integrate.options import IntegrationOptions
from reactio.joint_reactions.wrench import joint_wrench
from reactio.kernels import CodeUse, running
from reactio.kinematics.assemble import assemble, initial_state
from reactio.model.model import Model
from reactio.model.specs import Elastic
from reactio.model.structure import structure
from reactio.simulation.simulate import default_method
from reactio.simulation.state_history import StateHistory
from reactio.structures import FiniteElements
from reactio.system.equations import equations
from reactio.system.types import State, System

HERE = Path(__file__).parent
BETA = 1.765e-4  # [s]
LINKS: Mapping[str, dict[str, float]] = {"equal": {}, "unequal": {"k1": 1.0, "k2": 2.0, "k3": 0.5, "k4": 3.0}}
SETTLED = 0.4  # [s]
TOL = 1e-5  # of a step of both levels
# Modes that vibrate, β [s], tolerance of a step, Young's moduli as multiples: one of them changed at a time.
LIMITS = (
    *((2, beta, 1e-5, 1.0) for beta in (0.0, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3)),
    *((modes, 1e-3, 1e-5, 1.0) for modes in (0, 1, 4)),
    *((2, 1e-3, tol, 1.0) for tol in (1e-3, 1e-4, 1e-6)),
    *((2, 1e-3, 1e-6, stiffer) for stiffer in (3.0, 10.0, 30.0)),
)
LOWER = ("A", "B", "C", "D", "E", "F", "G", "H")
SPUN = """
space: spatial
materials: {rubber: {E: 2e8, nu: 0.4, density: 1100}}
bodies:
  bracket:
    angular_velocity: [1, 2, 12]
    flexible:
      beam: {path: [[0, 0, 0], [0.6, 0.1, 0], [0.7, 0.5, 0.3]], section: {box: [0.03, 0.02]}}
      material: rubber
      modes: 4
      damping: 0
"""


INSERT = 0.055  # m
PLATE = f"""
space: spatial
gravity: [0, 0, -9.81]
materials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}
bodies:
  plate:
    flexible:
      plate:
        outline: [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]]
        thickness: 0.006
        divisions: 6
        insert: {INSERT}
      material: steel
      modes: 10
      beta: {BETA}
joints:
"""
_PIN = "type: spherical, bodies: [ground, plate], at: [-0.2, {y}/7.5, 0]"
_SLEEVE = "type: point-on-line, bodies: [ground, plate], at: [0.2, {y}/7.5, 0], axis: x"
_FOOT = "type: point-on-plane, bodies: [ground, plate], at: [{x}, 1/7.5, 0], axis: z"
# Until when [s]; joints in the middle of inserts, and which of x, y, z they hold.
PLATES: Mapping[str, tuple[float, dict[str, tuple[str, tuple[int, ...]]]]] = {
    "swinging": (0.2, {"a": (_PIN.format(y=1), (1, 1, 1)), "b": (_SLEEVE.format(y=1), (0, 1, 1))}),
    "on four feet": (
        0.1,
        {
            "a": (_PIN.format(y=-1), (1, 1, 1)),
            "b": (_SLEEVE.format(y=-1), (0, 1, 1)),
            "c": (_FOOT.format(x=0.2), (0, 0, 1)),
            "d": (_FOOT.format(x=-0.2), (0, 0, 1)),
        },
    ),
}


def parallelogram(links: str, modes: int | None = None, beta: float = BETA, stiffer: float = 1.0) -> Model:
    """The mechanism with beams for links, ``stiffer`` times as stiff; with ``modes`` of them vibrating."""
    model = reactio.load("spatial-parallelogram", links="beam", **LINKS[links])
    model = replace(model, materials={name: replace(m, E=stiffer * m.E) for name, m in model.materials.items()})
    if modes is None:
        return model
    wanted = {"count": modes, "beta": beta}
    bodies = (replace(b, flexible=replace(b.flexible, modes=wanted)) if b.flexible else b for b in model.bodies)
    return replace(model, bodies=tuple(bodies))


def rigid_state(system: System, t: float, r: Floats, v: Floats) -> State:
    """The state of the rigid mechanism whose platform is nearest to a position and velocity."""
    model, q, speed = system.model, np.array(system.q0), np.zeros(system.n)
    centre = model.body_index["platform"]
    shift = r - system.q0[system.body_q[centre] : system.body_q[centre] + 3]
    for b, body in enumerate(model.bodies):
        own, at = slice(system.body_q[b], system.body_q[b] + 3), slice(system.body_v[b], system.body_v[b] + 3)
        if b == centre:
            q[own], speed[at] = r, v
            continue
        foot, head = (np.array(joint.a.point) for joint in _joints_of(model, body.name))
        old = np.array(model.body("platform").position) + head - foot
        new = old + shift
        turn = np.cross(old, new)
        half = np.array([old @ old + old @ new, *turn])  # quaternion of the least turn of a link of fixed length
        q[own] = foot + new / 2
        q[own.stop : own.stop + 4] = _product(half / np.linalg.norm(half), np.array(body.orientation))
        speed[at], speed[at.stop : at.stop + 3] = v / 2, np.cross(new, v) / (new @ new)
    return assemble(system, State(t, q, speed))


def _joints_of(model: Model, link: str) -> tuple[Any, Any]:
    """The joint on ground, and that on the platform with its ends exchanged: a is then the platform."""
    low = next(j for j in model.joints if j.b.body == link)
    high = next(j for j in model.joints if j.a.body == link)
    return low, replace(high, a=high.b, b=high.a)


def _product(a: Floats, b: Floats) -> Floats:
    from reactio.space.rotations import product

    return np.array(product.plain(tuple(a.tolist()), tuple(b.tolist())))


def forces(here: Instant, lam: Floats) -> dict[str, Floats]:
    """Joint forces on body b."""
    return {name: force[:3] for name, force in here.forces(lam).items()}


def apart(ours: Mapping[str, Floats], theirs: Mapping[str, Floats]) -> tuple[float, float]:
    """The largest difference in lower and in upper links, as a part of the largest force in a lower link."""
    size = max(float(np.linalg.norm(theirs[name], axis=-1).max()) for name in LOWER)
    far = {name: float(np.abs(ours[name] - theirs[name]).max()) / size for name in theirs}
    return max(far[n] for n in LOWER), max(far[n] for n in far if n not in LOWER)


def levels(until: float, modes: int) -> None:
    """Level 1, plain and corrected, and level 3 against Exudyn."""
    sys.path.insert(0, str(HERE / "peers"))
    from exudyn_links import flexible_links

    for links in LINKS:
        rows = round(until / 0.01) + 1
        peer = flexible_links(parallelogram(links), BETA, until, 2e-4, rows)
        late = np.flatnonzero(peer.t >= SETTLED - 1e-9)
        sign = {name: -force for name, force in peer.force.items()}
        rigid = reactio.build(parallelogram(links), vibration=False)
        plain, better = [], []
        for k in late:
            here = instant(equations(rigid, rigid_state(rigid, peer.t[k], peer.position[k], peer.velocity[k])))
            theirs = {name: force[k] for name, force in sign.items()}
            plain.append(apart(forces(here, here.whole.lam), theirs))
            better.append(apart(forces(here, corrected(here)), theirs))
        for name, found in (("level 1", plain), ("level 1 corrected", better)):
            low, up = np.array(found).max(axis=0)
            print(f"{links:8} {name:18} lower links {low:.1e}, upper links {up:.1e}", flush=True)
        if modes >= 0:
            run = motion(reactio.build(parallelogram(links, modes)), peer.t)
            ours = {name: joint_force(run, name)[late] for name in peer.force}
            low, up = apart(ours, {name: force[late] for name, force in sign.items()})
            print(f"{links:8} {'level 3':18} lower links {low:.1e}, upper links {up:.1e}", flush=True)


class ReleasedPlate(NamedTuple):
    """A plate let go under its weight on some of its inserts, for both programs."""

    model: Model
    elements: FiniteElements
    held: dict[str, tuple[Ints, tuple[float, ...], tuple[int, ...]]]  # as ``exudyn_plate`` has it
    until: float  # [s]


def released(name: str) -> ReleasedPlate:
    """One of the plates."""
    until, held = PLATES[name]
    model = reactio.parse_model(PLATE + "".join(f"  {key}: {{{one}}}\n" for key, (one, _) in held.items()))
    made = structure(model, model.bodies[0])
    assert made is not None
    assert made.elements is not None
    inserts = [np.flatnonzero(np.hypot(*(made.elements.nodes - p).T[:2]) <= INSERT) for p in made.points]
    given = {
        key: (nodes, tuple(point), axes)
        for (key, (_, axes)), nodes, point in zip(held.items(), inserts, made.points, strict=True)
    }
    return ReleasedPlate(model, made.elements, given, until)


def plate() -> None:
    """Level 3 of a plate of 600 × 400 × 6 mm, let go under its weight on some of its inserts, against Exudyn."""
    sys.path.insert(0, str(HERE / "peers"))
    from exudyn_plate import flexible_plate

    for name in PLATES:
        model, elements, given, until = released(name)
        t, theirs = flexible_plate(elements, given, model.gravity, BETA, until, 5e-5, 41)
        run = motion(reactio.build(model), t, 1e-6)
        far = late_error({key: joint_force(run, key) for key in theirs}, theirs, t)
        print(f"plate {name}: {far:.1e} of the largest force, 0.02 … {until:g} s", flush=True)


def late_error(forces: Mapping[str, Floats], right: Mapping[str, Floats], t: Floats) -> float:
    """The largest difference of joint forces (k, 3) from 0.02 s on, as a part of the largest force."""
    size = max(float(np.abs(one).max()) for one in right.values())
    return max(float(np.abs(forces[key] - right[key])[t >= 0.02].max()) / size for key in right)


class FrameRace:
    """A mechanism with a plate in a floating frame, run by level 3 and by Exudyn."""

    def __init__(self, model: Model, until: float, exudyn: Callable[[float, int], Mapping[str, Floats]]) -> None:
        self.system, self.times, self.exudyn = reactio.build(model), np.linspace(0.0, until, 11), exudyn

    def theirs(self, h: float) -> tuple[Mapping[str, Floats], float]:
        """Exudyn's forces (k, 3) of the joints with steps of h [s], and its processor time with preparation [s]."""
        begun = time.process_time()
        found = self.exudyn(h, len(self.times))
        return found, time.process_time() - begun

    def ours(self, tol: float) -> tuple[Mapping[str, Floats], float]:
        """The same by level 3 with a tolerance, without preparation."""
        begun = time.process_time()
        run = motion(self.system, self.times, tol)
        seconds = time.process_time() - begun
        return {joint.name: joint_force(run, joint.name) for joint in self.system.model.joints}, seconds

    def costs(self, errors: Sequence[float]) -> list[tuple[float, float]]:
        """Processor seconds within each error, against a fine run of the same program: level 3, and Exudyn's.

        Steps are halved, or tolerances divided by √10, until the errors are reached; preparation is not counted.
        """
        with running(CodeUse.COMPILED):
            motion(self.system, 1e-3 * self.times[:2])  # compiles
            ours = self._costs(self.ours, 1e-9, 1e-2, 10**0.5, errors)
        theirs = self._costs(self.theirs, 2.5e-5, 1e-3, 2.0, errors)
        prepared = self.theirs(float(self.times[1]))[1]
        return [(own, seconds - prepared) for own, seconds in zip(ours, theirs, strict=True)]

    def _costs(
        self,
        run: Callable[[float], tuple[Mapping[str, Floats], float]],
        finest: float,
        setting: float,
        finer: float,
        errors: Sequence[float],
    ) -> list[float]:
        """Seconds of the coarsest setting within each error; errors fall from one to the next."""
        right, costs = run(finest)[0], list[float]()
        found, seconds = run(setting)
        for error in errors:
            while late_error(found, right, self.times) > error:
                setting /= finer
                found, seconds = run(setting)
            costs.append(seconds)
        return costs


def swinging_plate(until: float = 0.1) -> FrameRace:
    """The swinging plate."""
    sys.path.insert(0, str(HERE / "peers"))
    from exudyn_plate import flexible_plate

    model, elements, given, _ = released("swinging")
    return FrameRace(
        model, until, lambda h, rows: flexible_plate(elements, given, model.gravity, BETA, until, h, rows)[1]
    )


def flexible_platform(until: float = 0.04) -> FrameRace:
    """The parallelogram with a plate of 0.5 m for a platform, ten modes, on rigid links."""
    sys.path.insert(0, str(HERE / "peers"))
    from exudyn_plate import flexible_platform as by_exudyn

    model = reactio.load("spatial-parallelogram", platform="plate")
    platform = model.bodies[-1]
    made = structure(model, platform)
    assert made is not None
    assert made.elements is not None
    assert platform.flexible is not None
    elements, size = made.elements, platform.flexible.parameters["insert"]
    inserts = {tuple(p.tolist()): np.flatnonzero(np.hypot(*(elements.nodes - p).T[:2]) <= size) for p in made.points}
    vibrating = replace(platform, flexible=replace(platform.flexible, modes={"count": 10, "beta": BETA}))
    return FrameRace(
        replace(model, bodies=(*model.bodies[:-1], vibrating)),
        until,
        lambda h, rows: by_exudyn(model, elements, inserts, BETA, until, h, rows)[1],
    )


def limits(until: float, sweep: Iterable[tuple[int, float, float, float]] = LIMITS) -> list[tuple[float, float]]:
    """Level 3 against level 1 on its own rigid motion, in the last half of the time: lower and upper links.

    Without misfit only ratios of stiffnesses count at level 1: one answer serves all moduli.
    """
    times = np.linspace(0.0, until, 41)
    late = times >= until / 2
    rigid = reactio.build(parallelogram("unequal"), vibration=False)
    with running(CodeUse.COMPILED):
        run = motion(rigid, times)
        found = [instant(equations(rigid, State(float(t), q, v))) for t, q, v in zip(run.t, run.q, run.v, strict=True)]
        first = [forces(here, here.whole.lam) for here in found]
        theirs = {name: np.array([one[name] for one in first])[late] for name in first[0]}
        far = []
        for modes, beta, tol, stiffer in sweep:
            bent = motion(reactio.build(parallelogram("unequal", modes, beta, stiffer)), times, tol)
            low, up = apart({name: joint_force(bent, name)[late] for name in theirs}, theirs)
            far.append((low, up))
            print(
                f"β {beta:7.1e} s, {modes} modes, steps to {tol:.0e}, E × {stiffer:g}: lower links {low:.1e}, upper "
                f"links {up:.1e}",
                flush=True,
            )
    return far


def motion(system: System, times: Floats, tol: float = TOL) -> Motion:
    """The motion alone at given times, without the balance of energy that ``simulate`` makes of it."""
    return integrate(
        system, initial_state(system), float(times[-1]), output=times, tol=tol, method=default_method(system)
    )


def joint_force(run: Motion, name: str) -> Floats:
    """(k, 3) on body b."""
    rows = zip(run.t.tolist(), run.q, run.v, run.lam, strict=True)
    return np.array([joint_wrench(equations(run.system, State(t, q, v)), name, lam).force for t, q, v, lam in rows])


def energy(until: float) -> None:
    """What a free body keeps."""
    begun = time.process_time()
    run = reactio.simulate(reactio.parse_model(SPUN), until=until, tol=1e-12, output=101)
    bent, kept = float(np.abs(run.q[:, 7:]).max()), run.energy
    print(
        f"free body spun for {until:g} s: energy kept to {np.ptp(kept.total) / kept.total.max():.1e}, modes up to "
        f"{bent * 1e3:.3g} mm, "
        f"{time.process_time() - begun:.1f} s"
    )


def cost(until: float, modes: int, links: int = 6) -> tuple[float, float]:
    """Processor seconds of both levels at the same instants, kernels compiled before; so many links give way."""
    times = np.linspace(0.0, until, 21)
    model = only(parallelogram("equal", modes), links)
    rigid, bent = (reactio.build(model, vibration=vibrates) for vibrates in (False, True))
    with running(CodeUse.COMPILED):
        for system in (rigid, bent):  # compiles
            motion(system, 1e-3 * times[:2])
        first = []
        for _ in range(3):  # it is short; the shortest time counts
            begun = time.process_time()
            _ = split_by_compliance(motion(rigid, times)).reactions
            first.append(time.process_time() - begun)
        begun = time.process_time()
        motion(bent, times)
        third = time.process_time() - begun
    return min(first), third


def split_by_compliance(run: Motion) -> StateHistory:
    """A motion as a run whose reactions are those of level 1, as ``simulate`` with the rule compliance has them."""
    options = IntegrationOptions(tol=TOL, method=default_method(run.system), rule="compliance")
    return StateHistory.of_motion(run, options, float(run.t[-1]))


def only(model: Model, links: int) -> Model:
    """The model in which no more than the first so many flexible bodies give way; the others are rigid."""
    flexible = [body.name for body in model.bodies if body.flexible][:links]
    bodies = tuple(body if body.name in flexible else replace(body, flexible=None) for body in model.bodies)
    return replace(model, bodies=bodies)


def print_cost(until: float, modes: int) -> None:
    """What both levels cost with six flexible links and with one."""
    for links in (6, 1):
        first, third = cost(until, modes, links)
        print(
            f"{links} flexible links, 21 instants in {until:g} s: level 1 {first:.3f} s, level 3 {third:.2f} s: "
            f"{third / first:.0f} ×",
            flush=True,
        )


def print_frames() -> None:
    """The cost of both at errors of the forces."""
    for name, race, errors in (
        ("plate", swinging_plate, (1e-2, 1e-3, 3e-4)),
        ("parallelogram", flexible_platform, (1e-2, 3e-3, 1e-3)),
    ):
        for error, (ours, theirs) in zip(errors, race().costs(errors), strict=True):
            print(
                f"{name}, forces to {error:g}: level 3 {ours:.3f} s, Exudyn {theirs:.2f} s: {theirs / ours:.0f} ×",
                flush=True,
            )


def size(count: int) -> None:
    """Reactions by compliance in a chain of spatial four-bars."""
    model = reactio.load("n-four-bar", N=count, spatial=1)
    soft = Elastic(stiffness=(2e7, 3e7, 1e7, 5e4, 4e4, 0.0))
    model = replace(model, joints=tuple(replace(joint, elastic=soft) for joint in model.joints))
    with running(CodeUse.COMPILED):
        system = reactio.build(model)
        state = initial_state(system)
        spent = {}
        for _ in range(2):  # the first compiles
            for alone in (False, True):
                begun = time.process_time()
                eqs = equations(system, state)
                reactio.reactions(eqs, "compliance", answer=None if alone else eqs.solvability)
                spent[alone] = time.process_time() - begun
    print(
        f"{len(model.joints)} joints, {system.m} rows: {spent[False]:.2f} s an instant of a motion, "
        f"{spent[True]:.2f} s a single one, whose neighbourhood is looked at too"
    )


def main() -> None:
    """Run what is asked for."""
    given = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    given.add_argument("parts", nargs="*", default=["energy", "levels", "plate", "limits", "cost", "frames", "size"])
    given.add_argument("--until", type=float, default=0.5)
    given.add_argument("--modes", type=int, default=0, help="that vibrate in each link; −1 leaves level 3 out")
    given.add_argument("--count", type=int, default=333, help="of four-bars in the long chain")
    chosen = given.parse_args()
    parts = {
        "energy": lambda: energy(10.0),
        "levels": lambda: levels(chosen.until, chosen.modes),
        "plate": plate,
        "limits": lambda: limits(0.1),
        "cost": lambda: print_cost(chosen.until, chosen.modes),
        "frames": print_frames,
        "size": lambda: size(chosen.count),
    }
    for part in chosen.parts:
        parts[part]()


if __name__ == "__main__":
    main()
