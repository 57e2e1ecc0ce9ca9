"""The platform on four parallel and two inclined links: rigid, and with links split into halves on springs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.check import check
from reactio.drawing.plots.mode_shapes import plot_modes, write_modes
from reactio.drawing.plots.panels import Curve, Panel, draw_with_numbers
from reactio.flexibility.certificate import advice
from reactio.flexibility.instant import instant
from reactio.integrate.integrator import integrate
from reactio.joint_reactions.wrench import joint_wrench
from reactio.kernels import expected_work
from reactio.kinematics.assemble import initial_state
from reactio.library import load
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.model.structure import shapes_of_modes
from reactio.reproduce import (
    NumberSource,
    Paper,
    PrintedNumber,
    above,
    below,
    close,
    differs,
    equal,
    register,
    slip,
    stated,
)
from reactio.simulation.simulate import simulate
from reactio.simulation.trajectory import Trajectory
from reactio.space.rotations import axes_of
from reactio.system.compile.build import build
from reactio.system.elasticity.interfaces import body_axes
from reactio.system.equations import equations
from reactio.system.topology import topology
from reactio.system.types import State, System
from reactio.uniqueness.words import Verdict

OPEN, UNIQUE = tuple("ABCDEFGH"), tuple("KLMN")
LOWER, UPPER = ("link1", "link2", "link3", "link4"), ("link5", "link6")
COMPARED_ROWS = ("B.z", "C.z", "F.z")  # one row of each of the joints that the paper eliminates from
PRINTED_LENGTH, PRINTED_OUTER_DIAMETER, PRINTED_INNER_DIAMETER, FITTING_INNER_DIAMETER = (
    math.sqrt(2) / 2,
    0.03,
    0.028,
    0.026,
)  # [m]; the last is the inner diameter that fits the printed mass
ALUMINIUM_DENSITY, STEEL_DENSITY, YOUNG = 2700.0, 7800.0, 6.9e10  # [kg/m³], [kg/m³], [Pa]
PRINTED_STIFFNESS = 17e6  # as printed [N/m]
PRINTED_MASS, PLATFORM_MASS, PLATFORM_SIDE = 0.34, 39.0, 0.5  # of a link [kg], of the platform [kg, m], as printed
FOOT_OF = {"G": "link4", "K": "link5", "M": "link6"}  # joints whose axial force is drawn, and the links they stand on
ALL_FLEXIBLE = "all parts flexible (level 1)"
LEVEL_1_STRIDE = 4  # rows of a run from one value of level 1 to the next
AXIAL_FORCE = "axial force [N], compression positive"
BETA = 1.765e-4  # of a damping β K, as the split rods have it; the paper prints none [s]
MODES_SHOWN = (1, 3, 5)  # of the platform and of a link: bending modes of a tube come in pairs
START = "t = 0, θ = 0"
VIBRATION_GONE = 0.2  # when the vibration that the sudden load starts has died out, with the damping used here [s]
# [N] between dropping the row of B along the vertical of the ground and of the platform: its tilt times the forces of B
SAME_ELIMINATION = 0.03
RUN_END = 1.0  # of the runs, twice the period of the rigid motion [s]
SPLIT_ROWS = np.linspace(0.0, RUN_END, 401)  # instants of the runs [s]
LATE = SPLIT_ROWS >= VIBRATION_GONE
NEGLIGIBLE = 3e-3  # "negligibly small" has a number in one sentence of Sect. 4.2: less than 0.3 % of force magnitude
SAID = "negligibly small (less than 0.3 % in the first series)"
STIFFER = 10.0  # ratio of the stiffnesses of springs: changes caused by the stretch of links fall by it
OUTER_FEET = (("A", "link1"), ("G", "link4"))  # feet of the first and the last lower link
VIBRATION_ROWS = np.linspace(0.0, 0.05, 121)  # instants at which the vibration of the start is shown [s]
DRAWN_ROWS = np.union1d(SPLIT_ROWS, VIBRATION_ROWS)  # of curves: the rows alone are too far apart for the vibration [s]


def _compare() -> Iterator[PrintedNumber]:
    yield from stated(_data(), "no motion", "printed dimensions and densities")
    system = build(load("spatial-parallelogram"))
    yield from stated(_rigid(system), START, "constraint equations")
    yield from stated(_eliminations(), "t = 0, 0.0025, …, 1 s", "rigid dynamics")
    yield from stated(_partly_flexible(), START, "constraint equations of split rods (level 2)")
    yield from stated(_advice(), START, "least complementary energy (level 1)")
    late, level_2 = f"t = {VIBRATION_GONE} … {RUN_END:g} s", "dynamics of split rods (level 2)"
    yield from stated(_upper_links_flexible(), late, level_2)
    yield from stated(_lower_links_flexible(), late, level_2)
    yield from stated(_fully_flexible(), START, "least complementary energy (level 1)")


def _rigid(system: System) -> Iterator[PrintedNumber]:
    """Sizes, rank and verdicts of the rigid mechanism (Sect. 2)."""
    answer = check(system, initial_state(system))
    yield equal("Eq. 2", "coordinates n", 42, system.n)
    yield equal("Eq. 5", "constraint equations m", 36, system.m)
    yield equal("Eq. 8", "rank of the Jacobian", 35, answer.rank)
    yield equal("Sect. 2.1", "degrees of freedom", 7, answer.mobility)
    yield equal("Sect. 2.1", "mobility by counting (Grübler–Kutzbach)", 6, topology(system).gruebler)
    yield equal("Sect. 2.1", "links that may spin about their own axis", 6, _spins(system))
    unique = {group.name for group in answer.groups if group.verdict is Verdict.UNIQUE}
    yield equal("Sect. 2.2", "joints with B = 0", set(UNIQUE), unique)


def _advice() -> Iterator[PrintedNumber]:
    """What the paper finds for every set of flexible lower links, with and without the upper ones (Sect. 4.2)."""
    now = instant(load("spatial-parallelogram", links="beam"))
    statements = {
        0: "still redundant",
        1: "an elimination in disguise",
        2: "determined, but not the true load distribution",
        3: "determined, but not the true load distribution",
        4: "the true load distribution",
    }
    for upper in ((), UPPER):
        for count, words in statements.items():
            for links in combinations(LOWER, count):
                ours = advice(now, [*links, *upper]).partition(":")[0]
                named = f"{_and((*links, *upper))} flexible" if links or upper else "no part flexible"
                yield equal("Sect. 4.2", named, words, ours)


def _upper_links_flexible() -> Iterator[PrintedNumber]:
    """The first series of Sect. 4.2: only the upper links flexible, the redundant row of B dropped from the motion.

    By hand, joint B holds a point on the vertical line of the platform, which tilts by less than 1e-4 rad from that of
    the ground.
    """
    rigid, whole = _rigid_run(COMPARED_ROWS[0]), _with_flexible(UPPER)
    row = COMPARED_ROWS[:1]
    flexible, stiffer, by_hand = (
        simulate(build(model), RUN_END, tol=1e-8, output=SPLIT_ROWS, method="radau5", drop=drop)
        for model, drop in ((whole, row), (_with_flexible(UPPER, UPPER), row), (_without_row(whole), ()))
    )
    change = _largest_change([flexible], rigid, UNIQUE)
    moved = _moved(flexible, rigid)
    what = "change of the unique forces by flexible upper links [part of the peak of the same joint]"
    stretch = 1e3 * max(_peak(rigid, name) for name in UNIQUE) / PRINTED_STIFFNESS
    why = (
        f"the links stretch by up to {stretch:.2g} mm and the platform leaves the "
        f"rigid path by up to {1e3 * moved:.2g} mm; the vibration of the first {VIBRATION_GONE} s, for which no "
        "damping is printed, is left out"
    )
    yield differs("Sect. 4.2", what, "less than 0.3 %", NEGLIGIBLE, change, (5e-3, 2e-2), why)
    yield _by_stretch("flexible upper links", change, _largest_change([stiffer], rigid, UNIQUE))
    yield _same_elimination(flexible, by_hand)


def _same_elimination(dropped: Trajectory, by_hand: Trajectory) -> PrintedNumber:
    """A row dropped from the motion against a joint that never had it, whose bodies are named the other way round."""
    names = (*OPEN, *UNIQUE)
    apart = max(
        float(np.abs(dropped[name].force - (-1 if name == "B" else 1) * by_hand[name].force).max()) for name in names
    )
    peak = max(float(np.abs(by_hand[name].force).max()) for name in names)
    what = f"{COMPARED_ROWS[0]} dropped, against joint B as a point on a line of the platform: largest difference [N]"
    row = below("Sect. 4.2", what, "same", apart, SAME_ELIMINATION, f"of forces up to {peak:.0f} N")
    return replace(row, at="t = 0 … 1 s", source=NumberSource.OWN)


def _without_row(model: Model, name: str = "B") -> Model:
    """The model without the z row of a joint: the point of the link stays on the platform's vertical line there."""
    ball = model.joint(name)
    on_line = Joint(ball.name, "point-on-line", ball.b, ball.a)
    return replace(model, joints=tuple(on_line if joint is ball else joint for joint in model.joints))


def _fully_flexible() -> Iterator[PrintedNumber]:
    """All parts flexible, the platform too, against four flexible lower links (Sect. 5.2): forces at the start."""
    now = instant(load("spatial-parallelogram", links="beam", platform="plate"))
    forces = [now.forces(now.relaxed(elastic).lam) for elastic in (now.elastic, now.elastic.only(LOWER))]
    largest = max(float(np.linalg.norm(force[:3])) for force in forces[0].values())
    apart = max(float(np.linalg.norm(force[:3] - forces[1][name][:3])) for name, force in forces[0].items())
    note = "equal links hide the platform, which holds 70 % of the self-stress energy: with unequal links it matters"
    what = "fully flexible against four flexible lower links [part of the largest force]"
    yield below("Sect. 5.2", what, "(almost) the same", apart / largest, 0.01, note)


def _data() -> Iterator[PrintedNumber]:
    """Masses and stiffness from the printed dimensions (Sect. 2.1, Eqs 1, 11)."""
    area = [
        math.pi / 4 * (PRINTED_OUTER_DIAMETER**2 - inner**2)
        for inner in (PRINTED_INNER_DIAMETER, FITTING_INNER_DIAMETER)
    ]
    mass, stiff = [ALUMINIUM_DENSITY * a * PRINTED_LENGTH for a in area], [YOUNG * a / PRINTED_LENGTH for a in area]
    wall = f"it follows from an inner diameter of {FITTING_INNER_DIAMETER} m"
    yield close("Eq. 1", "mass of the platform [kg]", 39.0, STEEL_DENSITY * PLATFORM_SIDE**2 * 0.02, 1e-9)
    yield slip("Eq. 1", "mass of a link [kg]", 0.34, mass[0], mass[1], 0.005, wall)
    yield slip("Eq. 11", "axial stiffness of a link [N/m]", 17e6, stiff[0], stiff[1], 0.5e6, wall)
    link, plate = PRINTED_MASS * PRINTED_LENGTH**2, PLATFORM_MASS * PLATFORM_SIDE**2
    about = "it is m l²/3, four times the central one"
    yield slip("Eq. 1", "transverse inertia of a link [kg m²]", 0.056, link / 12, link / 3, 1e-3, about)
    side = "it is m a²/3, four times the central one"
    yield slip("Eq. 1", "inertia of the platform [kg m²]", 3.25, plate / 12, plate / 3, 1e-9, side)


def _spins(system: System) -> int:
    """Links whose rotation about their own axis moves nothing else: C v = 0 with ω along the axis."""
    state = initial_state(system)
    C, count = equations(system, state).C, 0
    for name in LOWER + UPPER:
        b = system.model.body_index[name]
        w, x, y, z = state.q[system.body_q[b] + 3 : system.body_q[b + 1]]
        v = np.zeros(system.n)
        v[system.body_v[b] + 3 : system.body_v[b + 1]] = axes_of.plain((w, x, y, z))[2]
        count += bool(np.abs(C @ v).max() < 1e-12)
    return count


def _eliminations() -> Iterator[PrintedNumber]:
    """Motion and reactions under three eliminations along one second (Sects 2.3, 3.2, Figs 3 and 4)."""
    runs = [_rigid_run(row) for row in COMPARED_ROWS]
    system, times = runs[0].system, runs[0].t[::40]
    without = [simulate(system, RUN_END, tol=1e-10, output=times, drop=(row,)) for row in COMPARED_ROWS]
    apart = max(float(np.abs(run.q - runs[0].q[::40]).max()) for run in without)
    what = "coordinates with each row really taken out of the equations of motion, largest difference [m, 1]"
    yield replace(below("Sect. 2.3", what, "same motion", apart, 1e-7), at="t = 0, 0.1, …, 1 s")
    for name in UNIQUE:
        yield below("Sect. 3.2", f"reaction of {name} under three eliminations [N]", "same", _spread(runs, name), 1e-6)
    for name in OPEN:
        what = f"reaction of {name} under three eliminations [N]"
        yield above("Sect. 3.2", what, "differs", _spread(runs, name), 1.0)


def _lower_links_flexible() -> Iterator[PrintedNumber]:
    """The second to last series of Sect. 4.2 in motion: first and last choice of one to four lower links."""
    rigid = _rigid_run(COMPARED_ROWS[0])
    for count in (1, 2, 3):
        sets = list(combinations(LOWER, count))
        first, last = sets[0], sets[-1]
        runs, named = [_split_run(first), _split_run(last)], f"{_and(first)}, or {_and(last)}, flexible"
        change = _largest_change(runs, rigid, UNIQUE)
        what = f"{named}: change of K, L, M, N from the rigid model [part of the peak]"
        yield _negligible(what, change)
        if change > NEGLIGIBLE:
            runs = [_split_run(links, links) for links in (first, last)]
            yield _by_stretch(named, change, _largest_change(runs, rigid, UNIQUE))
        apart = min(_late_spread(runs, name) for name in OPEN)
        yield above(
            "Sect. 4.2", f"{named}: least difference of other joints [N]", "depends on the choice", apart, 100.0
        )
    alone = max(float(np.abs(_axial(_split_run((link,)), foot, f"{link}a"))[LATE].max()) for foot, link in OUTER_FEET)
    yield below("Sect. 4.2", "link1 or link4 alone flexible: its axial force [N]", "carries no load", alone, 4.0)
    four = _split_run(LOWER)
    six, stiffer = (_split_run((*LOWER, *UPPER), stiff) for stiff in ((), UPPER))
    change = _largest_change([six], four, OPEN)
    what = "four lower links flexible: change of their joints by flexible upper links [part of the peak]"
    yield _negligible(what, change)
    yield _by_stretch("four lower links flexible, upper links too", change, _largest_change([stiffer], four, OPEN))
    others = [_split_run(links) for count in (1, 2, 3) for links in (LOWER[:count], LOWER[-count:])]
    gap = min(_late_spread([four, run], "G") for run in others)
    what = "G with four lower links flexible: least difference from the choices above [N]"
    yield above("Sect. 4.2", what, "not found by other versions", gap, 100.0)
    level_1 = _level_1(rigid, "rigid", {"four": LOWER})["four", "G"][1]
    apart = float(np.abs(level_1 - _axial(four, "G", "link4a")[::LEVEL_1_STRIDE])[LATE[::LEVEL_1_STRIDE]].max())
    what = "G with four lower links flexible: least complementary energy along the rigid motion, difference [N]"
    row = below("by hand", what, "same without vibration", apart, 0.02 * _peak(four, "G"))
    yield replace(row, source=NumberSource.OWN)


def _negligible(what: str, change: float) -> PrintedNumber:
    """A change that the text calls negligibly small, by the only number that it gives to these words."""
    if change <= NEGLIGIBLE:
        return below("Sect. 4.2", what, SAID, change, NEGLIGIBLE)
    why = (
        "forces of the same instant, the largest difference over the peak of the joint. The stretch of the links turns "
        "the platform; that matters most where it turns back (t = 0.24 and 0.72 s): there the links resist one of its "
        "rotations with a tenth of the stiffness at the start"
    )
    return differs("Sect. 4.2", what, SAID, NEGLIGIBLE, change, (NEGLIGIBLE * 1.01, 0.03), why)


def _by_stretch(named: str, change: float, stiffer: float) -> PrintedNumber:
    """The cause of a change: the stretch of links falls with their stiffness, vibration and rounding do not."""
    what = f"{named}: the change above over that with springs {STIFFER:g} times as stiff"
    return replace(close("by hand", what, STIFFER, change / stiffer, 0.15 * STIFFER), source=NumberSource.OWN)


def _moved(first: Trajectory, second: Trajectory) -> float:
    """The largest distance between the platforms of two runs along an axis [m]."""
    return float(np.abs(first.body("platform").position - second.body("platform").position).max())


def _peak(run: Trajectory, name: str) -> float:
    """Largest force of a joint once the vibration of the start has died out [N]."""
    return float(np.linalg.norm(run[name].force, axis=1)[LATE].max())


def _largest_change(runs: list[Trajectory], other: Trajectory, names: tuple[str, ...]) -> float:
    """Largest change of a joint's force from another run, as a part of its peak there."""
    return max(_late_spread([run, other], name) / _peak(other, name) for run in runs for name in names)


def _late_spread(runs: list[Trajectory], name: str) -> float:
    """Largest difference between two runs once the vibration of the start has died out [N]."""
    first, second = runs
    return float(np.linalg.norm(first[name].force - second[name].force, axis=1)[LATE].max())


def _spread(runs: list[Trajectory], name: str) -> float:
    return max(float(np.abs(run[name].force - runs[0][name].force).max()) for run in runs[1:])


def _figures(folder: Path, suffix: str) -> Iterator[Path]:
    """Figs 2–4: the platform, unique and other axial forces."""
    runs = {row: _rigid_run(row) for row in COMPARED_ROWS}
    first = next(iter(runs.values()))
    place = first.body("platform").position
    curves = [Curve("x", first.t, place[:, 0]), Curve("y", first.t, place[:, 1])]
    yield from draw_with_numbers(
        folder / f"wojtyra2012-fig2{suffix}", [Panel("Platform, centre of mass", "position [m]", curves)]
    )
    flexible = _level_1(first, "plate", {ALL_FLEXIBLE: (*LOWER, *UPPER, "platform")}, ("G", "K", "M"))
    unique = [Curve(f"{name}, rigid", first.t, _axial(first, name, FOOT_OF[name])) for name in ("K", "M")]
    unique += [Curve(f"{name}, {ALL_FLEXIBLE}", *flexible[ALL_FLEXIBLE, name], marker=".") for name in ("K", "M")]
    yield from draw_with_numbers(folder / f"wojtyra2012-fig3{suffix}", [Panel("Unique reactions", AXIAL_FORCE, unique)])
    shared = [Curve(f"without {row}", run.t, _axial(run, "G", "link4")) for row, run in runs.items()]
    yield from draw_with_numbers(
        folder / f"wojtyra2012-fig4{suffix}", [Panel("Joint G, not unique", AXIAL_FORCE, shared)]
    )
    model = load("spatial-parallelogram", links="beam", platform="plate")
    plate, link = shapes_of_modes(model, "platform", 8), shapes_of_modes(model, "link1", 6)
    path = folder / f"wojtyra2012-fig10{suffix}"
    modes = [(shapes, k) for shapes in (plate, link) for k in MODES_SHOWN]
    plot_modes(modes, path)
    write_modes(modes, path.with_suffix(".csv"))
    yield from (path, path.with_suffix(".csv"))
    yield from _flexible_figures(folder, suffix, flexible[ALL_FLEXIBLE, "G"])


def _flexible_figures(folder: Path, suffix: str, whole: tuple[Floats, Floats]) -> Iterator[Path]:
    """Figs 6–9: joint G with one to four flexible lower links, by the dynamics of split rods."""
    for figure, count in ((6, 1), (7, 2), (8, 3)):
        curves = [_split_curve(_and(links), links) for links in combinations(LOWER, count)]
        title = f"Joint G, {count} lower link{'s' * (count > 1)} flexible (split rods)"
        yield from draw_with_numbers(folder / f"wojtyra2012-fig{figure}{suffix}", [Panel(title, AXIAL_FORCE, curves)])
    four = "four lower links split"
    curves = [_split_curve(four, LOWER), _split_curve("lower and upper links split", (*LOWER, *UPPER))]
    curves.append(Curve(ALL_FLEXIBLE, *whole, marker="."))
    start = [curves[0], Curve("all parts flexible (level 3)", *_level_3())]
    first = (0.0, float(VIBRATION_ROWS[-1]))
    panels = [
        Panel("Joint G, four lower links flexible", AXIAL_FORCE, curves),
        Panel("Joint G, vibration at the start", AXIAL_FORCE, start, x_limits=first),
    ]
    yield from draw_with_numbers(folder / f"wojtyra2012-fig9{suffix}", panels, columns=2)


def _split_curve(label: str, links: tuple[str, ...]) -> Curve:
    """The axial force of G with these links split."""
    run = _simulated_split(links, DRAWN_ROWS)
    return Curve(label, run.t, _axial(run, "G", "link4a" if "link4" in links else "link4"))


def _level_3() -> tuple[Floats, Floats]:
    """Times and axial forces in G with beams for links and a plate for the platform, by modes in floating frames.

    Six modes of the platform vibrate, up to 1.2 kHz; those of the links lie above 8 kHz and follow.
    """
    model = load("spatial-parallelogram", links="beam", platform="plate")
    bodies = []
    for body in model.bodies:
        assert body.flexible is not None
        modes = {"count": 6.0 if body.name == "platform" else 0.0, "beta": BETA}
        bodies.append(replace(body, flexible=replace(body.flexible, modes=modes)))
    system = build(replace(model, bodies=tuple(bodies)))
    until = float(VIBRATION_ROWS[-1])
    run = integrate(system, initial_state(system), until, output=VIBRATION_ROWS, tol=1e-4, method="radau5")
    link, forces = system.model.body_index[FOOT_OF["G"]], []
    with expected_work(system.n, len(run.t), system.space):
        for t, q, v, lam in zip(run.t.tolist(), run.q, run.v, run.lam, strict=True):
            eqs = equations(system, State(t, q, v))
            forces.append(float(joint_wrench(eqs, "G", lam).force @ body_axes(eqs, link)[:, 2]))
    return run.t, np.array(forces)


def _level_1(
    run: Trajectory, platform: str, sets: Mapping[str, tuple[str, ...]], joints: tuple[str, ...] = ("G",)
) -> dict[tuple[str, str], tuple[Floats, Floats]]:
    """Axial forces along a rigid motion with sets of parts flexible: (set, joint) → times and forces.

    Below a rigid platform the links have the printed masses and axial stiffness of Sect. 4.1; with a plate they are
    beams, as in Sect. 5.
    """
    links = "beam" if platform == "plate" else "split"
    system = build(load("spatial-parallelogram", links=links, platform=platform), vibration=False)
    histories: dict[tuple[str, str], list[float]] = {(label, name): [] for label in sets for name in joints}
    rows = range(0, len(run.t), LEVEL_1_STRIDE)
    for row in rows:
        state = run.state(row)
        now = instant(system, state)
        for label, parts in sets.items():
            forces = now.forces(now.relaxed(now.elastic.only(parts)).lam)
            for name in joints:
                axis = body_axes(now.eqs, system.model.body_index[FOOT_OF[name]])[:, 2]
                histories[label, name].append(float(forces[name][:3] @ axis))
    return {key: (run.t[::LEVEL_1_STRIDE], np.array(values)) for key, values in histories.items()}


def _axial(run: Trajectory, joint: str, link: str) -> Floats:
    """The force of a joint along its link."""
    w, x, y, z = run.body(link).orientation.T
    axis = np.stack(axes_of.plain((w, x, y, z))[2], axis=1)
    return np.asarray((run[joint].force * axis).sum(axis=1))


def _partly_flexible() -> Iterator[PrintedNumber]:
    """Redundancy left, and whether the flexible links can change their length at all (Sect. 4.2)."""
    for count in (1, 2):
        for links in combinations(UPPER, count):
            p, _ = _flexible(links)
            yield equal("Sect. 4.2", f"redundant equations with {_and(links)} flexible", 1, p)
    for links in combinations(LOWER, 1):
        p, moves = _flexible(links)
        yield equal("Sect. 4.2", f"redundant equations with {_and(links)} flexible", 0, p)
        yield below("Sect. 4.2", f"{_and(links)} alone can change its length", "cannot: carries no load", moves, 1e-9)
    for count in (2, 3, 4):
        results = [_flexible(links) for links in combinations(LOWER, count)]
        yield equal("Sect. 4.2", f"redundant equations with {count} lower links flexible", {0}, {p for p, _ in results})
        yield above(
            "Sect. 4.2", f"{count} flexible lower links change their lengths", "can", min(m for _, m in results), 1e-3
        )


def _and(links: tuple[str, ...]) -> str:
    return " and ".join(links)


def _flexible(links: tuple[str, ...]) -> tuple[int, float]:
    """The redundancy with these links split, and the largest rate of length among unit admissible velocities."""
    system = build(_with_flexible(links))
    state = initial_state(system)
    answer = check(system, state)
    rates = []
    for name in links:
        i, j = (system.body_v[system.model.body_index[f"{name}{half}"]] for half in "ab")
        half = system.model.body(f"{name}a")
        axis = np.array(half.position) - np.array(_foot(system.model, f"{name}a"))
        axis /= np.linalg.norm(axis)
        rates.append(axis @ (answer.T[j : j + 3] - answer.T[i : i + 3]))
    return answer.redundancy, float(np.abs(np.array(rates)).max())


def _foot(model: Model, body: str) -> tuple[float, ...]:
    """Where the first half of a link stands on the ground."""
    return next(joint.a.point for joint in model.joints if joint.b.body == body)


def _with_flexible(links: tuple[str, ...], stiff: tuple[str, ...] = ()) -> Model:
    """The mechanism with these links split into two halves that slide along each other on a spring (Fig. 5)."""
    model = load("spatial-parallelogram", links="split")
    split = (body if body.name in links else replace(body, flexible=None) for body in model.bodies)
    return replace(model, bodies=tuple(_stiffer(body) if body.name in stiff else body for body in split))


def _stiffer(body: Body) -> Body:
    """A split link with a stiffer spring, as much damped."""
    assert body.flexible is not None
    given = body.flexible.parameters
    parameters = {**given, **{name: STIFFER * given[name] for name in ("stiffness", "damping")}}
    return replace(body, flexible=replace(body.flexible, parameters=parameters))


@cache
def _split_run(links: tuple[str, ...], stiff: tuple[str, ...] = ()) -> Trajectory:
    """One second of motion with these links split."""
    return _simulated_split(links, SPLIT_ROWS, stiff)


def _simulated_split(links: tuple[str, ...], times: Floats, stiff: tuple[str, ...] = ()) -> Trajectory:
    """Motion with these links split, from rest under the load that is applied at once (level 2)."""
    return simulate(build(_with_flexible(links, stiff)), float(times[-1]), tol=1e-6, output=times, method="radau5")


@cache
def _rigid_run(row: str) -> Trajectory:
    """One second of motion of rigid parts, reactions without one row."""
    system = build(load("spatial-parallelogram"))
    return simulate(system, RUN_END, tol=1e-10, rule=f"elimination:{row}", output=SPLIT_ROWS)


WOJTYRA2012 = register(
    Paper(
        key="wojtyra2012",
        title="Joint reactions in rigid or flexible body mechanisms with redundant constraints",
        cite="Wojtyra & Frączek 2012, Bulletin of the Polish Academy of Sciences: Technical Sciences 60(3), 617–626",
        compare=_compare,
        figures=_figures,
        left_open=(
            "The figure with the geometry is not in the text; the placement used agrees with every printed rank, "
            "verdict and joint position.",
            "Which rows of the joints B, C and F were eliminated is in Fig. 4 only; their z rows are used here.",
            "Forces are printed as curves only (Figs 3–9). Figs 6–9 are drawn by the dynamics of split rods, as in the "
            "paper; the load is applied at once, and with the damping used here its vibration dies out in 0.2 s. The "
            "fully flexible mechanism of Figs 3 and 9 is drawn by least complementary energy along the rigid motion "
            "(level 1), and by its modes (level 3) in the first moments.",
            "The sign of the axial forces is in the figures only: ours are the forces of the ground on the foot of a "
            "link, along the link away from it, so that compression is positive.",
            "The modes of Fig. 10 are those of free parts, with inserts of 30 mm where joints hold the platform.",
            "The damping, the duration of the simulations and the frame of the torque are not printed; world axes "
            "are used.",
            "Masses, inertias and stiffness are used as printed, although they do not follow from the dimensions.",
        ),
    )
)
