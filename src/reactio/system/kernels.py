"""The evaluation of a system in one compiled call, put together from the registries of bodies and primitives.

Loops are written once; the formula of each primitive and the port of each body kind are linked into them, and each
loop ends by calling the one of the next primitive or kind.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - the loops are linked in by name
from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio import primitives
from reactio.arrays import Floats
from reactio.bodies import BODIES
from reactio.functions.machine import jet
from reactio.kernels import PLAIN, Kernel, compiling, kernel
from reactio.system import loops, planar_loops, spatial_loops
from reactio.system.calls import ADVANCE, FLOW, HERE, MOVING, POSED, PROCESS, PUSH, handed
from reactio.system.normals import NORMALS
from reactio.system.plan import Plan, ProgramPlan, PushPlan, RowPlan, Work
from reactio.system.sums import cancel

if TYPE_CHECKING:
    from reactio.system.types import System

LOOPS: dict[str, Any] = {"planar": planar_loops, "spatial": spatial_loops}


@kernel(**PLAIN)
def rows(
    plan: RowPlan, programs: ProgramPlan, t: float, value: Floats,
    Phi: Floats, nu: Floats, nudot: Floats, stack: Floats, out: Floats,
) -> None:  # fmt: skip
    """Φ = Σ k s − target − f(t),  ν = f_t,  ν̇ = f_tt."""
    for i in range(plan.target.shape[0]):
        phi = -plan.target[i]
        for j in range(plan.of[i], plan.of[i + 1]):
            phi += plan.factor[j] * value[plan.measure[j]]
        nu[i] = nudot[i] = 0.0
        if plan.function[i] >= 0:
            jet(programs.code, programs.data, programs.start, plan.function[i], t, 0.0, 0.0, stack, out)
            phi -= out[0]
            nu[i] = out[1]
            nudot[i] = out[2]
        Phi[i] = plan.holonomic[i] * phi


@kernel(**PLAIN)
def right_sides(plan: RowPlan, bias: Floats, nudot: Floats, Gamma: Floats) -> None:
    """Γ = ν̇ − Σ k (s̈ at v̇ = 0)."""
    for i in range(plan.target.shape[0]):
        gamma = nudot[i]
        for j in range(plan.of[i], plan.of[i + 1]):
            gamma -= plan.factor[j] * bias[plan.measure[j]]
        Gamma[i] = gamma


@kernel(**PLAIN)
def efforts(
    plan: PushPlan, programs: ProgramPlan, t: float, value: Floats, rate: Floats,
    law: Floats, effort: Floats, stack: Floats, out: Floats,
) -> None:  # fmt: skip
    """f(t, s, ṡ) of every effort; friction waits for the reactions."""
    for i in range(plan.effort.shape[0]):
        k, function, friction = plan.effort[i]
        if function < 0:
            continue
        jet(programs.code, programs.data, programs.start, function, t, value[k], rate[k], stack, out)
        law[i] = out[0]
        effort[i] = out[0] if friction < 0 else 0.0


@kernel(**PLAIN)
def matrix_loads(plan: PushPlan, value: Floats, rate: Floats, law: Floats, effort: Floats) -> None:
    """f = −K (s − s₀) − D ṡ of efforts that a matrix couples."""
    for c in range(plan.matrix.shape[0]):
        first, size, at = plan.matrix[c]
        for i in range(size):
            f = 0.0
            for j in range(size):
                k, e = plan.effort[first + j, 0], at + size * i + j
                f -= plan.K[e] * (value[k] - plan.free[first + j]) + plan.D[e] * rate[k]
            law[first + i] = f
            effort[first + i] = f


def _posed(plan: Plan, work: Work, t: float, q: Floats) -> None:
    """All that a pose decides: Φ, ν, C, M."""
    orientations(plan.bodies, q, work.R, 0)
    places(plan.frames, plan.bodies.p, q, work.R, work.F, 0)
    measures(plan.measures, q, work.F, work.value, work.D, 0)
    rows(plan.rows, plan.programs, t, work.value, work.Phi, work.nu, work.nudot, work.stack, work.jet)
    work.C[:] = 0.0
    matrix(plan.entries, plan.frames, plan.bodies.p, q, work.R, work.D, work.F, work.C, 0)
    cancel(plan.sums, plan.entries, work.D, work.F, work.C, work.left)
    intrinsic_rows(plan.bodies, q, work.Phi, work.C, 0)
    masses(plan.bodies, q, work.R, work.M, 0)


def _moving(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    """What velocities decide besides, at the pose that was evaluated last: Γ, Q."""
    programs, stack, out = plan.programs, work.stack, work.jet
    paces(plan.frames, plan.bodies.p, q, v, work.R, work.F, 0)
    drifts(plan.measures, q, work.F, work.D, work.rate, work.bias, 0)
    right_sides(plan.rows, work.bias, work.nudot, work.Gamma)
    intrinsic_Gammas(plan.bodies, v, work.Gamma, 0)
    work.Q[:] = 0.0
    applied(plan.bodies, q, v, work.R, work.M, work.Q, 0)
    efforts(plan.pushes, programs, t, work.value, work.rate, work.law, work.effort, stack, out)
    matrix_loads(plan.pushes, work.value, work.rate, work.law, work.effort)
    pushes(plan.pushes, plan.frames, plan.bodies.p, q, work.R, work.D, work.F, work.effort, work.Q, 0)
    wrenches(plan.wrenches, plan.frames, plan.bodies.p, q, work.R, programs, t, work.F, work.Q, stack, out, 0)
    normals(plan.friction, plan.rows, work.D, work.F, work.P)


def _evaluate(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    posed(plan, work, t, q)
    moving(plan, work, t, q, v)


def _advance(plan: Plan, q: Floats, d: Floats, out: Floats) -> None:
    move(plan.bodies, q, d, out, 0)


def _push(plan: Plan, work: Work, q: Floats, effort: Floats, Q: Floats) -> None:
    pushes(plan.pushes, plan.frames, plan.bodies.p, q, work.R, work.D, work.F, effort, Q, 0)


def evaluator(space: str, primitive_names: tuple[str, ...], kind_names: tuple[str, ...]) -> Kernel[..., None]:
    """evaluate(plan, work, t, q, v) for the registered primitives and body kinds; links: see ``calls``."""
    formulas = tuple(primitives.BY_SPACE[space].get(name).formula for name in primitive_names)
    return _evaluator(space, formulas, kind_names)


@cache
def _evaluator(space: str, formulas: tuple[Kernel[..., Any], ...], kind_names: tuple[str, ...]) -> Kernel[..., None]:
    return Kernel(_evaluate, PLAIN, handed(_functions(space, formulas, kind_names)))


def functions(system: System) -> dict[str, Kernel[..., None]]:
    """The kernels of a system that others call by address, by the names in ``calls``."""
    formulas = tuple(primitives.BY_SPACE[system.space].get(name).formula for name in system.primitive_names)
    return _functions(system.space, formulas, system.kind_names)


@cache
def _functions(
    space: str, formulas: tuple[Kernel[..., Any], ...], kind_names: tuple[str, ...]
) -> dict[str, Kernel[..., None]]:
    links = _chains(space, formulas, kind_names)
    return {
        "posed": Kernel(_posed, PLAIN, links),
        "moving": Kernel(_moving, PLAIN, links),
        "advance": Kernel(_advance, PLAIN, {"move": mover(space, kind_names, "advance")}),
        "flow": Kernel(_advance, PLAIN, {"move": mover(space, kind_names, "flow")}),
        "push": Kernel(_push, PLAIN, {"pushes": links["pushes"]}),
    }


def hand_over(system: System, work: Work) -> None:
    """Where kernels run compiled, tell the plan of a system where its own compiled functions lie in memory."""
    plan = system.plan
    if not compiling() or plan.calls[PROCESS] == HERE:
        return
    q, v, effort = np.zeros(system.nq), np.zeros(system.n), np.zeros(len(plan.pushes.effort))
    like: dict[int, tuple[str, tuple[Any, ...]]] = {
        POSED: ("posed", (plan, work, 0.0, q)),
        MOVING: ("moving", (plan, work, 0.0, q, v)),
        ADVANCE: ("advance", (plan, q, v, q)),
        FLOW: ("flow", (plan, v, v, v)),
        PUSH: ("push", (plan, work, q, effort, v)),
    }
    plan.calls[:] = 0
    for place, (name, values) in like.items():
        plan.calls[place] = functions(system)[name].address(*values)
    plan.calls[PROCESS] = HERE


def chains(space: str, primitive_names: tuple[str, ...], kind_names: tuple[str, ...]) -> dict[str, Kernel[..., Any]]:
    """The loops of an evaluation by name, for those who run some of them alone."""
    formulas = tuple(primitives.BY_SPACE[space].get(name).formula for name in primitive_names)
    return _chains(space, formulas, kind_names)


def _chains(
    space: str, formulas: tuple[Kernel[..., Any], ...], kind_names: tuple[str, ...]
) -> dict[str, Kernel[..., Any]]:
    own = LOOPS[space]
    ports = [BODIES.get(name).ports[space] for name in kind_names]
    # Each loop with the name it calls and the function of the port behind that name.
    parts = (
        ("orientations", loops.orientations, "turned", "orientation"),
        ("places", own.places, "frame", "pose"),
        ("paces", own.paces, "motion", "velocity"),
        ("matrix", own.matrix, "column", "columns"),
        ("intrinsic_rows", loops.intrinsic_rows, "rigid", "intrinsic_rows"),
        ("intrinsic_Gammas", loops.intrinsic_Gammas, "bent", "intrinsic_Gamma"),
        ("masses", loops.masses, "mass", "inertia"),
        ("applied", loops.applied, "force", "applied_forces"),
        ("pushes", own.pushes, "column", "columns"),
        ("wrenches", own.wrenches, "column", "columns"),
    )
    links = {
        part: _chain(loop, [{word: getattr(port, function)} for port in ports]) for part, loop, word, function in parts
    }
    linked: list[dict[str, Kernel[..., Any]]] = [{"formula": formula} for formula in formulas]
    links["normals"] = NORMALS[space]
    links["measures"] = _chain(own.measures, linked)
    links["drifts"] = _chain(own.drifts, linked)
    return links


@cache
def mover(space: str, kind_names: tuple[str, ...], part: str) -> Kernel[..., None]:
    """``rates`` (q̇ from v), ``flow`` (ḋ from d and v) or ``advance`` (q moved along v) for all bodies."""
    loop = loops.advances if part == "advance" else loops.rates
    return _chain(loop, [{"move": getattr(BODIES.get(name).ports[space], part)} for name in kind_names])


def _chain(loop: Any, items: list[dict[str, Kernel[..., Any]]]) -> Kernel[..., Any]:
    """A loop for each item, linked to the item's own functions and to the loop of the next item."""
    rest: Kernel[..., Any] = loops.done
    for links in reversed(items):
        rest = Kernel(loop, PLAIN, {**links, "rest": rest})
    return rest
