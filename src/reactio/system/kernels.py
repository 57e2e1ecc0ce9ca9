"""The evaluation of a system in one compiled call, put together from the registries of bodies and primitives.

Loops are written once; the formula of each primitive and the port of each body kind are linked into them, and each
loop ends by calling the one of the next primitive or kind.
"""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - the loops are linked in by name
from __future__ import annotations

from functools import cache
from typing import Any

from reactio import primitives
from reactio.arrays import Floats
from reactio.bodies import BODIES
from reactio.functions.machine import jet
from reactio.kernels import PLAIN, WITHIN, Kernel, kernel
from reactio.system import loops, planar_loops, spatial_loops
from reactio.system.normals import NORMALS
from reactio.system.plan import Plan, ProgramPlan, PushPlan, RowPlan, Work
from reactio.system.sums import cancel

LOOPS: dict[str, Any] = {"planar": planar_loops, "spatial": spatial_loops}


@kernel(**WITHIN)
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


@kernel(**WITHIN)
def right_sides(plan: RowPlan, bias: Floats, nudot: Floats, Gamma: Floats) -> None:
    """Γ = ν̇ − Σ k (s̈ at v̇ = 0)."""
    for i in range(plan.target.shape[0]):
        gamma = nudot[i]
        for j in range(plan.of[i], plan.of[i + 1]):
            gamma -= plan.factor[j] * bias[plan.measure[j]]
        Gamma[i] = gamma


@kernel(**WITHIN)
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


@kernel(**WITHIN)
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


def evaluator(space: str, primitive_names: tuple[str, ...], kind_names: tuple[str, ...]) -> Kernel[..., None]:
    """evaluate(plan, work, t, q, v) for the registered primitives and body kinds; links: posed, moving."""
    formulas = tuple(primitives.BY_SPACE[space].get(name).formula for name in primitive_names)
    return _evaluator(space, primitive_names, formulas, kind_names)


@cache
def _evaluator(
    space: str, primitive_names: tuple[str, ...], formulas: tuple[Kernel[..., Any], ...], kind_names: tuple[str, ...]
) -> Kernel[..., None]:
    tag = "_".join((space, *primitive_names, *kind_names))
    links = _chains(space, primitive_names, formulas, kind_names)
    parts: dict[str, Kernel[..., Any]] = {
        "posed": Kernel(_posed, WITHIN, links, tag),
        "moving": Kernel(_moving, WITHIN, links, tag),
    }
    return Kernel(_evaluate, PLAIN, parts, tag)


def chains(space: str, primitive_names: tuple[str, ...], kind_names: tuple[str, ...]) -> dict[str, Kernel[..., Any]]:
    """The loops of an evaluation by name, for those who run some of them alone."""
    formulas = tuple(primitives.BY_SPACE[space].get(name).formula for name in primitive_names)
    return _chains(space, primitive_names, formulas, kind_names)


def _chains(
    space: str, primitive_names: tuple[str, ...], formulas: tuple[Kernel[..., Any], ...], kind_names: tuple[str, ...]
) -> dict[str, Kernel[..., Any]]:
    own = LOOPS[space]
    ports = [(name, BODIES.get(name).ports[space]) for name in kind_names]
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
        part: _chain(
            f"{part}_{space}",
            loop,
            loops.done,
            [(name, {word: getattr(port, function)}) for name, port in ports],
        )
        for part, loop, word, function in parts
    }
    linked = [(name, {"formula": formula}) for name, formula in zip(primitive_names, formulas, strict=True)]
    links["normals"] = NORMALS[space]
    links["measures"] = _chain(f"measures_{space}", own.measures, loops.done, linked)
    links["drifts"] = _chain(f"drifts_{space}", own.drifts, loops.done, linked)
    return links


@cache
def pusher(space: str, kind_names: tuple[str, ...]) -> Kernel[..., None]:
    """push(plan, frames, p, q, R, D, F, efforts, Q, 0): what efforts along measures add to Q."""
    ports = [(name, {"column": BODIES.get(name).ports[space].columns}) for name in kind_names]
    return _chain(f"pushes_{space}", LOOPS[space].pushes, loops.done, ports)


@cache
def mover(space: str, kind_names: tuple[str, ...], part: str) -> Kernel[..., None]:
    """``rates`` (q̇ from v) or ``advance`` (q moved along v) for all bodies."""
    loop = {"rates": loops.rates, "advance": loops.advances}[part]
    ports = [(name, {"move": getattr(BODIES.get(name).ports[space], part)}) for name in kind_names]
    return _chain(f"{part}_{space}", loop, loops.done, ports)


def _chain(
    part: str, loop: Any, last: Kernel[..., None], items: list[tuple[str, dict[str, Kernel[..., Any]]]]
) -> Kernel[..., Any]:
    """A loop for each item, linked to the item's own functions and to the loop of the next item."""
    rest: Kernel[..., Any] = last
    for name, links in reversed(items):
        rest = Kernel(loop, WITHIN, {**links, "rest": rest}, tag=f"{part}_{name}_{rest.tag}")
    return rest
