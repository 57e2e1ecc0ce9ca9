"""Minimum norms of redundant reactions: what the abstract and the introduction claim, checked on our own models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.check import check
from reactio.drawing.plots.panels import BarPanel, draw_with_numbers
from reactio.forward_dynamics.accelerate import accelerations
from reactio.joint_reactions.at_state import reactions
from reactio.joint_reactions.data import Reactions
from reactio.joint_reactions.rewriting import rewritings
from reactio.library import load
from reactio.linear.precision import SOLUTION
from reactio.reaction_bounds.at_instant import bounds
from reactio.reproduce import Paper, PrintedNumber, above, below, by_ourselves, close, equal, register, stated
from reactio.sharing import problem, share
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.topology import topology

# Examples that the abstract names; their data are not in the text at hand, so that ours stand for them.
EXAMPLES = {
    "pendulum-twice": "a pendulum-type system",
    "pendulum-two-rods": "another pendulum-type system",
    "box-on-plane": "a box on a plane",
    "four-bar-spatial": "a one-degree-of-freedom mechanism",
    "chain": "a 33-degree-of-freedom chain",
}
PARAMETERS: dict[str, dict[str, float]] = {"chain": {"links": 31.0}}  # 3 + 30 degrees of freedom
CORNERS = ("corner1", "corner2", "corner3", "corner4")
UNIT_WEIGHT_MASS = 1 / 9.81  # mass [kg] of weight one
TILTED_GRAVITY = (0.0, -9.81, 3.0)  # [m/s²]
OVERHANG, OVERHANG_MASS = 0.06, 0.8  # centre of mass of a heavy link of the chain, 10 mm beyond its feet [m], [kg]


def _equations(name: str, **parameters: float) -> Equations:
    return equations(build(load(name, **parameters)))


def _tilted() -> Equations:
    """The mechanism of one freedom with gravity across its plane, too: otherwise no load reaches its self-stresses."""
    return equations(build(replace(load("four-bar-spatial"), gravity=TILTED_GRAVITY)))


def _compare() -> Iterator[PrintedNumber]:
    start = "t = 0"
    yield from stated(_many_solutions(), start, "constraint equations")
    yield from stated(_motion(), start, "rigid dynamics")
    yield from stated(_minimum_norm(), start, "rigid dynamics")
    yield from stated(_units(), start, "rigid dynamics")
    yield from stated(_normalised(), start, "rigid dynamics")
    yield from stated(_elimination(), start, "rigid dynamics")
    yield from stated(_contact(), start, "rigid contact, forces under signs")


def _many_solutions() -> Iterator[PrintedNumber]:
    for name, what in EXAMPLES.items():
        answer = _equations(name, **PARAMETERS.get(name, {})).solvability
        statement = "rank below the number of constraints"
        yield above("Sect. 1", f"{what} ({name}): constraints beyond the rank", statement, answer.redundancy, 0.5)
    chain = load("chain", **PARAMETERS["chain"])
    hinges = check(replace(chain, contacts=()))
    note = f"{len(chain.bodies)} links in the plane, free of ground; contacts that only push take no freedom away"
    yield equal("Abstract", "degrees of freedom of the chain", 33, hinges.mobility, note)
    yield equal(
        "Abstract",
        "degrees of freedom of the chain by counting",
        33,
        topology(build(replace(chain, contacts=()))).gruebler,
    )
    mobility = _equations("four-bar-spatial").solvability.mobility
    yield equal("Abstract", "freedoms of the one-degree-of-freedom mechanism", 1, mobility)


def _motion() -> Iterator[PrintedNumber]:
    """Forward dynamics does not see how reactions are split."""
    eqs = _tilted()
    motion = accelerations(eqs)
    far = max(
        float(np.abs(eqs.C.T @ reactions(eqs, rule).balanced - motion.f).max()) for rule in ("pseudoinverse", "inertia")
    )
    statement = "forward dynamics not affected"
    yield below("Sect. 1", "Cᵀλ differs between two rules by", statement, far / float(np.abs(motion.f).max()), SOLUTION)


def _minimum_norm() -> Iterator[PrintedNumber]:
    eqs = _tilted()
    shared = reactions(eqs, "pseudoinverse")
    C = eqs.C.toarray()
    exact = np.linalg.pinv(C.T, rcond=1e-10) @ shared.f
    size = float(np.abs(exact).max())
    yield below(
        "Sect. 1", "minimum norm less Moore–Penrose pseudoinverse", "0", _far(shared.balanced, exact, size), SOLUTION
    )
    U, s, _ = np.linalg.svd(C)
    N = U[:, int((s > 1e-10 * s[0]).sum()) :]
    statement = "no self-equilibrating forces"
    along = float(np.abs(N.T @ shared.balanced).max()) / size
    yield below("Sect. 1", "part of it along self-stresses", statement, along, SOLUTION)


def _far(first: Floats, two: Floats, size: float) -> float:
    return float(np.abs(first - two).max()) / size


def _forces(shared: Reactions) -> list[float]:
    return [float(np.linalg.norm(shared[name].force)) for name in ("rod1", "rod2")]


def _units() -> Iterator[PrintedNumber]:
    """Two rods of one pendulum; the numbers in newtons are ours: the text prints none."""
    eqs = _equations("pendulum-two-rods")
    plain = reactions(eqs, "pseudoinverse")
    metres = _forces(plain)
    millimetres = next(rewriting for rewriting in rewritings(plain) if rewriting.change == "units").forces()
    statement = "a change of units changes the reactions"
    moved = abs(abs(millimetres["rod1"][1]) - metres[0]) / sum(metres)
    note = f"{metres[0]:.4g} and {metres[1]:.4g} N in metres, {abs(millimetres['rod1'][1]):.4g} and "
    note += f"{abs(millimetres['rod2'][1]):.2g} N in millimetres"
    yield above("Sect. 1", "two rods, mixed units: share that moves", statement, moved, 0.1, note)
    C, f = eqs.C.toarray(), accelerations(eqs).f
    scaled = np.diag([1.0, 3.0]) @ C
    least = np.linalg.pinv(scaled.T) @ f * np.array([1.0, 3.0])
    reference = np.linalg.pinv(C.T) @ f
    statement = "other formulations, other reactions"
    moved = _far(least, reference, float(np.abs(reference).max()))
    yield above("Sect. 1", "two rods, one equation times 3: change of its share", statement, moved, 0.1)


def _normalised() -> Iterator[PrintedNumber]:
    """Norms that a rewriting of the model does not change."""
    for rule in ("inertia", "mass-rows"):
        shared = reactions(_equations("pendulum-two-rods"), rule)
        shares = _forces(shared)
        again = [rewriting for rewriting in rewritings(shared) if rewriting.largest is not None]
        statement = "normalised, it is unique"
        yield equal("Abstract", f"two rods by the rule {rule}: rewritings that change it", 0, len(again), statement)
        what = f"two rods by the rule {rule}: equal rods, equal shares [N]"
        yield from by_ourselves([close("by hand", what, shares[0], shares[1], 1e-9)])


def _elimination() -> Iterator[PrintedNumber]:
    shared = reactions(_equations("pendulum-two-rods"), "elimination")
    statement = "eliminates the reaction forces altogether"
    yield below(
        "Sect. 1", "two rods by elimination: force in the rod that is dropped", statement, min(_forces(shared)), 1e-12
    )


def _contact() -> Iterator[PrintedNumber]:
    """Weight one at (0.6, 0.6) of a box on the corners (±1, ±1); numbers by an independent calculation."""
    model = load("box-on-plane", cx=0.6, cy=0.6, mass=UNIT_WEIGHT_MASS)
    eqs = equations(build(model))
    task = problem(eqs.constraints, accelerations(eqs).f, eqs.M, eqs.solvability)
    C = eqs.C.toarray()
    free = np.linalg.pinv(C.T) @ task.f
    signed = share(task, "pseudoinverse")
    for k, (bilateral, unilateral) in enumerate(zip((0.55, 0.25, -0.05, 0.25), (0.6, 0.2, 0.0, 0.2), strict=True)):
        where, name = "by hand", CORNERS[k]
        both = close(where, f"box, {name}, bilateral minimum norm [weights]", bilateral, float(free[k]), 1e-9)
        pushes = close(where, f"box, {name}, minimum norm with signs [weights]", unilateral, float(signed[k]), 1e-6)
        yield from by_ourselves([both, pushes])
    inside = bounds(model)
    off = max(
        max(inside[name]["Fz"].low - x, x - inside[name]["Fz"].high)
        for name, x in zip(CORNERS, signed.tolist(), strict=True)
    )
    statement = "extended to unilateral constraints"
    what = "box: how far the split with signs is outside all splits that push"
    yield below("Abstract", what, statement, max(off, 0.0), 1e-6)
    yield from _overhang()


def _overhang() -> Iterator[PrintedNumber]:
    """The chain with one link whose weight lies beyond its feet: held both ways, a foot of it would be pulled down."""
    model = load("chain", **PARAMETERS["chain"])
    middle = len(model.bodies) // 2
    heavy = replace(model.bodies[middle], mass=OVERHANG_MASS, center=(OVERHANG, 0.0))
    chain = equations(build(replace(model, bodies=(*model.bodies[:middle], heavy, *model.bodies[middle + 1 :]))))
    task = problem(chain.constraints, accelerations(chain).f, chain.M, chain.solvability)
    rows = [i for group in chain.constraints.rows.unilateral_groups for i in range(group.start, group.stop)]
    pull, signed = (
        max(0.0, -float(lam[rows].min()))
        for lam in (np.linalg.pinv(chain.C.toarray().T) @ task.f, share(task, "pseudoinverse"))
    )
    note = f"link {middle + 1} of {OVERHANG_MASS} kg, its weight {1e3 * OVERHANG:g} mm from its middle, feet at ± 50 mm"
    what, statement = "chain with an overhang: largest pull among its 62 feet [N]", "extended to unilateral constraints"
    yield below("Abstract", f"{what}, with signs", statement, signed, 1e-9, note)
    # by hand: 0.981 − p, p − 0.784 and p of the two feet and the pin at one place have the least squares at p = 0.588
    yield from by_ourselves([close("by hand", f"{what}, bilateral", 0.1962, pull, 1e-9)])


def _figures(folder: Path, suffix: str) -> Iterator[Path]:
    """No figure is in the text at hand; these show its two statements: units and signs decide the minimum norm."""
    eqs = _equations("pendulum-two-rods")
    rods = {unit: _forces(reactions(eqs, f"pseudoinverse:{unit}")) for unit in ("m", "cm", "mm")}
    model = load("box-on-plane", cx=0.6, cy=0.6, mass=UNIT_WEIGHT_MASS)
    box = equations(build(model))
    task = problem(box.constraints, accelerations(box).f, box.M, box.solvability)
    corners = {
        "bilateral": np.linalg.pinv(box.C.toarray().T) @ task.f,
        "only pushing": share(task, "pseudoinverse"),
    }
    panels = [
        BarPanel(
            "Two rods by the pseudoinverse", "force [N]", ("rod1", "rod2"), {f"in {u}": f for u, f in rods.items()}
        ),
        BarPanel("Box on four corners, minimum norm", "part of the weight", CORNERS, corners),
    ]
    yield from draw_with_numbers(folder / f"callejo2017-shares{suffix}", panels, columns=2)


CALLEJO2017 = register(
    Paper(
        key="callejo2017",
        title="Unique minimum norm solution to redundant reaction forces in multibody systems",
        cite="Callejo, Gholami, Enzenhöfer & Kövecses 2017, Mechanism and Machine Theory (abstract and introduction)",
        compare=_compare,
        figures=_figures,
        left_open=(
            "Only the abstract, the introduction and Eqs 1–3 are at hand: the normalisation that the paper proposes, "
            "its proofs and its interpretation are not, so that no rule of ours is called the authors' method.",
            "Dimensions, masses, loads and results of the five examples are not in the text at hand: models of the "
            "library stand for them, and every number in newtons is ours. It does not say which mechanism of one "
            "freedom and which chain of 33 it means: our chain has 31 links in the plane, pinned to each other, on a "
            "line that they "
            "press.",
            "The claim that least squares are more stable than elimination in impacts is cited there from another "
            "paper and not checked here.",
        ),
    )
)
