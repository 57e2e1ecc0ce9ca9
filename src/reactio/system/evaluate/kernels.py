"""The evaluation of a system in one compiled call, put together from the registries of bodies and primitives.

Loops are written once; the formula of each primitive and the port of each body kind are linked into a copy of their
own, which is compiled for the first model that has such bodies or measures (``calls``).
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.bodies import BODIES, Port
from reactio.functions.machine import jet
from reactio.kernels import (
    NO_ARRAYS,
    AddressedKernel,
    CodeUse,
    Kernel,
    KernelSequence,
    calling_by_address,
    kernel,
    kinds_of,
    machine_code_use,
    running,
)
from reactio.linear.row_basis import dot
from reactio.primitives import PRIMITIVES_BY_SPACE
from reactio.system.evaluate import calls, loops
from reactio.system.evaluate.calls import (
    ADDRESS,
    CALLERS,
    POSITION_TERMS,
    PROCESS,
    THIS_PROCESS,
    VELOCITY_TERMS,
    LoopCall,
)
from reactio.system.evaluate.normals import NORMALS
from reactio.system.evaluate.sums import cancel
from reactio.system.evaluate.twists import SPACE_FUNCTIONS
from reactio.system.evaluate.workspace import spare_workspace, workspace
from reactio.system.plan import (
    EFFORT_FRICTION,
    EFFORT_FUNCTION,
    EFFORT_MEASURE,
    EffortPlan,
    Plan,
    ProgramPlan,
    RowPlan,
    Work,
    WrenchPlan,
)

if TYPE_CHECKING:
    from reactio.system.types import System
    from reactio.translator.kinds import Kind

Formulas = tuple[Kernel[..., Any], ...]

# Parts of a plan whose entries are sorted by kind of body, or by primitive.
SORTED_BY_KIND = ("bodies", "frames", "measures", "entries", "efforts", "wrenches")
_binding = Lock()  # held while the addresses of a system's functions are written into its plan


@kernel(**NO_ARRAYS)
def rows(
    plan: RowPlan, programs: ProgramPlan, t: float, value: Floats,
    Phi: Floats, nu: Floats, nudot: Floats, stack: Floats, out: Floats,
) -> None:  # fmt: skip
    """Φ = Σ k s − target − f(t),  ν = f_t,  ν̇ = f_tt."""
    for i in range(plan.target.shape[0]):
        phi = -plan.target[i]
        for j in range(plan.start[i], plan.start[i + 1]):
            phi += plan.factor[j] * value[plan.measure[j]]
        nu[i] = nudot[i] = 0.0
        if plan.function[i] >= 0:
            jet(programs.code, programs.data, programs.start, plan.function[i], t, value, value, stack, out)
            phi -= out[0]
            nu[i] = out[1]
            nudot[i] = out[2]
        Phi[i] = plan.holonomic[i] * phi


@kernel(**NO_ARRAYS)
def right_sides(plan: RowPlan, bias: Floats, nudot: Floats, Gamma: Floats) -> None:
    """Γ = ν̇ − Σ k (s̈ at v̇ = 0)."""
    for i in range(plan.target.shape[0]):
        gamma = nudot[i]
        for j in range(plan.start[i], plan.start[i + 1]):
            gamma -= plan.factor[j] * bias[plan.measure[j]]
        Gamma[i] = gamma


@kernel(**NO_ARRAYS)
def efforts(
    plan: EffortPlan, programs: ProgramPlan, t: float, value: Floats, rate: Floats,
    law: Floats, effort: Floats, stack: Floats, out: Floats,
) -> None:  # fmt: skip
    """f_i = f_i(t, s, ṡ) − Σ_j K_ij (s_j − s₀_j) − Σ_j D_ij ṡ_j of every effort; those of friction stay 0."""
    for i in range(plan.effort.shape[0]):
        function, friction = plan.effort[i, EFFORT_FUNCTION], plan.effort[i, EFFORT_FRICTION]
        f = 0.0
        if function >= 0:
            jet(programs.code, programs.data, programs.start, function, t, value, rate, stack, out)
            f = out[0]
        for e in range(plan.linear_start[i], plan.linear_start[i + 1]):
            j = plan.linear_effort[e]
            s = plan.effort[j, EFFORT_MEASURE]
            f -= plan.K[e] * (value[s] - plan.free[j]) + plan.D[e] * rate[s]
        law[i] = f
        effort[i] = f if friction < 0 else 0.0


@kernel(**NO_ARRAYS)
def components_of_loads(
    plan: WrenchPlan, programs: ProgramPlan, t: float, value: Floats, rate: Floats, load: Floats,
    stack: Floats, out: Floats,
) -> None:  # fmt: skip
    """f(t, s, ṡ) of every component of forces and moments on frames; 0 for those that have no function (−1)."""
    for e in range(plan.function.shape[0]):
        for k in range(plan.function.shape[1]):
            load[e, k] = 0.0
            if plan.function[e, k] >= 0:
                jet(programs.code, programs.data, programs.start, plan.function[e, k], t, value, rate, stack, out)
                load[e, k] = out[0]


def _position_terms(plan: Plan, work: Work, t: float, q: Floats) -> None:
    """The terms of the equations that depend on time and positions alone: Φ, ν, C, M."""
    poses(plan, work, q)
    measure(plan, work, q)
    rows(plan.rows, plan.programs, t, work.value, work.Phi, work.nu, work.nudot, work.stack, work.jet)
    work.C[:] = 0.0
    matrices(plan, work, q)
    cancel(plan.sums, plan.entries, work.D, work.F, work.C, work.uncancelled)


def _velocity_terms(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    """The terms that depend on velocities too, at the pose evaluated last: Γ, Q, the power of loads on bodies."""
    velocities(plan, work, q, v)
    rates_of_measures(plan, work, q)
    right_sides(plan.rows, work.bias, work.nudot, work.Gamma)
    work.Q[:] = 0.0
    work.power[0] = 0.0
    body_loads(plan, work, q, v)
    efforts(plan.efforts, plan.programs, t, work.value, work.rate, work.law, work.effort, work.stack, work.jet)
    effort_loads(plan, work, q, work.effort, work.Q)
    others = dot(work.Q, v)
    components_of_loads(plan.wrenches, plan.programs, t, work.value, work.rate, work.load, work.stack, work.jet)
    frame_loads(plan, work, q)
    if plan.wrenches.table.shape[0] > 0:
        work.power[0] += dot(work.Q, v) - others
    normals(plan.friction, plan.rows, work.D, work.F, work.P)


def _evaluate(plan: Plan, work: Work, t: float, q: Floats, v: Floats) -> None:
    position_terms(plan, work, t, q)
    velocity_terms(plan, work, t, q, v)


def _matrices_along(plan: Plan, work: Work, t: Floats, q: Floats, out: Floats) -> None:
    """Data of C (k, entries) at times t (k,) and poses q (k, nq)."""
    for k in range(t.shape[0]):
        position_terms(plan, work, t[k], q[k])
        for e in range(work.C.shape[0]):
            out[k, e] = work.C[e]


def _pose(plan: Plan, work: Work, q: Floats, kind: int) -> None:
    """Orientations and frames of the bodies of one kind."""
    orientations(plan.bodies, q, work.R, kind)
    frame_poses(plan.frames, plan.bodies.p, q, work.R, work.F, kind)


def _measures(plan: Plan, work: Work, q: Floats, primitive: int) -> None:
    """Measures of one primitive."""
    measures(plan.measures, q, work.F, work.value, work.D, primitive)


def _matrix(plan: Plan, work: Work, q: Floats, kind: int) -> None:
    """Entries of C, intrinsic rows and mass matrices of the bodies of one kind."""
    matrix(plan.entries, plan.frames, plan.bodies.p, q, work.R, work.D, work.F, work.C, kind)
    all_intrinsic_rows(plan.bodies, q, work.Phi, work.C, kind)
    mass_matrices(plan.bodies, q, work.R, work.M, kind)


def _frame_velocities(plan: Plan, work: Work, q: Floats, v: Floats, kind: int) -> None:
    """Velocities of the frames on bodies of one kind."""
    frame_velocities(plan.frames, plan.bodies.p, q, v, work.R, work.F, kind)


def _measure_rates(plan: Plan, work: Work, q: Floats, primitive: int) -> None:
    """Rates ṡ of the measures of one primitive, and s̈ at v̇ = 0."""
    measure_rates(plan.measures, q, work.F, work.D, work.rate, work.bias, primitive)


def _loads(plan: Plan, work: Work, q: Floats, v: Floats, kind: int) -> None:
    """Γ of intrinsic rows, gravity and own forces of bodies of one kind, and the power of those without potential."""
    intrinsic_Gammas(plan.bodies, v, work.Gamma, kind)
    applied_forces_of_bodies(plan.bodies, q, v, work.R, work.M, work.Q, kind)
    own_powers(plan.bodies, q, v, work.power, kind)


def _effort_loads(plan: Plan, work: Work, q: Floats, effort: Floats, Q: Floats, kind: int) -> None:
    """Efforts on the bodies of one kind."""
    effort_loads(plan.efforts, plan.frames, plan.bodies.p, q, work.R, work.D, work.F, effort, Q, kind)


def _wrenches(plan: Plan, work: Work, q: Floats, kind: int) -> None:
    """Forces and moments on frames of the bodies of one kind."""
    wrenches(plan.wrenches, plan.frames, plan.bodies.p, q, work.R, work.F, work.load, work.Q, kind)


def _coordinate_loop(plan: Plan, q: Floats, v: Floats, out: Floats, kind: int) -> None:
    """q moved by a displacement v, or q̇, or the rate of a displacement q, of the bodies of one kind."""
    coordinate_loop(plan.bodies, q, v, out, kind)


def evaluator(system: System) -> Kernel[..., None]:
    """evaluate(plan, work, t, q, v) with the formulas and ports of a system; links: see ``calls``."""
    return _evaluator(system.space, system.formulas, system.ports)


@cache
def _evaluator(space: str, formulas: Formulas, ports: tuple[Port, ...]) -> Kernel[..., None]:
    evaluation = _evaluation_kernels(space, formulas, ports)
    links: dict[str, Kernel[..., Any]] = {
        "position_terms": AddressedKernel(calls.position_terms, evaluation["position_terms"]),
        "velocity_terms": AddressedKernel(calls.velocity_terms, evaluation["velocity_terms"]),
    }
    further = {name: evaluation[name] for name in ("advance", "displacement_rates", "effort_loads")}
    return Kernel(_evaluate, NO_ARRAYS, {**links, **further})


@cache
def matrices_along(evaluate: Kernel[..., None]) -> Kernel[..., None]:
    """matrices_along(plan, work, t, q, out) with the functions of an evaluation."""
    return Kernel(_matrices_along, NO_ARRAYS, {"position_terms": evaluate.links["position_terms"]})


def evaluation_kernels(system: System) -> dict[str, Kernel[..., None]]:
    """The kernels that an evaluation of a system consists of, by their names in ``calls``."""
    return _evaluation_kernels(system.space, system.formulas, system.ports)


@cache
def _evaluation_kernels(space: str, formulas: Formulas, ports: tuple[Port, ...]) -> dict[str, Kernel[..., None]]:
    copies = _loops(space, formulas, ports)
    each: dict[str, Kernel[..., Any]] = {
        caller.__name__: KernelSequence(caller, copies[loop]) for loop, caller in CALLERS.items()
    }
    return {
        **each,
        "position_terms": Kernel(_position_terms, NO_ARRAYS, each),
        "velocity_terms": Kernel(_velocity_terms, NO_ARRAYS, {**each, "normals": NORMALS[space]}),
    }


@contextmanager
def addresses_bound(system: System) -> Iterator[None]:
    """Compiled kernels called in this block have the addresses of the compiled functions of a system.

    Where these are not compiled, kernels that call them run plain.
    """
    with calling_by_address(bind_addresses(system)):
        yield


def bind_addresses(system: System) -> bool:
    """Write the addresses of its compiled functions into the plan of a system; are all of them compiled?"""
    plan, use = system.plan, machine_code_use()
    if plan.calls[PROCESS] == THIS_PROCESS or use is CodeUse.PLAIN:
        return bool(plan.calls[PROCESS] == THIS_PROCESS)
    with _binding:  # threads that share a system wait until all is written
        return bool(plan.calls[PROCESS] == THIS_PROCESS) or _write_addresses(system)


# Addresses of compiled functions, (calls, loops) of a plan, by what they depend on: systems that have the same kinds of
# bodies and the same primitives share them.
_addresses: dict[Any, tuple[Ints, Ints]] = {}


def _write_addresses(system: System) -> bool:
    plan, work = system.plan, spare_workspace(system)
    kinds = kinds_of((plan, work, system.q0, 0.0, 0))
    system.spare_work.append(work)
    starts = b"".join([getattr(plan, name).start.tobytes() for name in SORTED_BY_KIND])
    owner = (system.space, system.formulas, system.ports, *kinds, starts)
    if (known := _addresses.get(owner)) is None:
        if (known := _looked_up(system, *kinds)) is None:
            return False
        _addresses[owner] = known
    plan.loops[:] = known[1]
    plan.calls[:] = known[0]
    return True


def _looked_up(
    system: System, plan: Kind, work: Kind, vector: Kind, number: Kind, integer: Kind
) -> tuple[Ints, Ints] | None:
    """The addresses of the compiled functions of a system, whose arguments have these kinds; None where one is not."""
    kernels, loops = evaluation_kernels(system), _loops(system.space, system.formulas, system.ports)
    calls, units = np.zeros_like(system.plan.calls), np.zeros_like(system.plan.loops)
    calls[PROCESS] = THIS_PROCESS
    calls[POSITION_TERMS] = kernels["position_terms"].address_for((plan, work, number, vector))
    calls[VELOCITY_TERMS] = kernels["velocity_terms"].address_for((plan, work, number, vector, vector))
    kinds, used = _kinds_in_loops(plan, work, vector, integer), _used(system.plan)
    for loop, numbers in used.items():
        for place, at in enumerate(numbers):
            units[loop, place] = loops[loop][at].address_for(kinds[loop]), at
            if units[loop, place, ADDRESS] == 0:
                return None
    return (calls, units) if calls.all() else None


def compile_all(system: System) -> None:
    """Compile the loops of every kind of body and every primitive, also of those that a system does not have."""
    formulas = tuple(primitive.formula for primitive in PRIMITIVES_BY_SPACE[system.space].values())
    ports = tuple(kind.ports[system.space] for kind in BODIES.values() if system.space in kind.ports)
    kinds = _kinds_in_loops(*kinds_of((system.plan, workspace(system), system.q0, 0)))
    with running(CodeUse.COMPILED):
        for loop, copies in _loops(system.space, formulas, ports).items():
            for unit in copies:
                unit.address_for(kinds[loop])


def _kinds_in_loops(plan: Kind, work: Kind, vector: Kind, integer: Kind) -> dict[LoopCall, tuple[Kind, ...]]:
    """The kinds of the arguments of each loop."""
    of_poses, of_velocities = (plan, work, vector, integer), (plan, work, vector, vector, integer)
    on_coordinates = (plan, vector, vector, vector, integer)
    return {
        LoopCall.POSES: of_poses,
        LoopCall.MEASURES: of_poses,
        LoopCall.MATRIX: of_poses,
        LoopCall.VELOCITIES: of_velocities,
        LoopCall.MEASURE_RATES: of_poses,
        LoopCall.BODY_LOADS: of_velocities,
        LoopCall.EFFORT_LOADS: (plan, work, vector, vector, vector, integer),
        LoopCall.FRAME_LOADS: of_poses,
        LoopCall.ADVANCE: on_coordinates,
        LoopCall.DISPLACEMENT_RATES: on_coordinates,
        LoopCall.COORDINATE_RATES: on_coordinates,
    }


def _used(plan: Plan) -> dict[LoopCall, list[int]]:
    """The kinds or primitives of which a system has any body, frame, measure or load, for each loop.

    Frames at an element of a natural body belong to the loop of the kind of points, also where there is no such body.
    """
    first = {name: getattr(plan, name).start.tolist() for name in SORTED_BY_KIND}

    def numbers(*walked: str) -> list[int]:
        return [
            k for k in range(len(first[walked[0]]) - 1) if any(first[name][k] < first[name][k + 1] for name in walked)
        ]

    measures, bodies = numbers("measures"), numbers("bodies")
    return dict.fromkeys(LoopCall, bodies) | {
        LoopCall.POSES: numbers("bodies", "frames"),
        LoopCall.MEASURES: measures,
        LoopCall.MATRIX: numbers("bodies", "entries"),
        LoopCall.VELOCITIES: numbers("frames"),
        LoopCall.MEASURE_RATES: measures,
        LoopCall.EFFORT_LOADS: numbers("efforts"),
        LoopCall.FRAME_LOADS: numbers("wrenches"),
    }


def loops_by_name(system: System) -> dict[str, tuple[Kernel[..., Any], ...]]:
    """The loops of an evaluation, one for each kind of body or primitive: exact arithmetic runs some of them alone."""
    by_kind = [_of_kind(system.space, port) for port in system.ports]
    by_primitive = [_of_primitive(system.space, formula) for formula in system.formulas]
    return {name: tuple(links[name] for links in copies) for copies in (by_kind, by_primitive) for name in copies[0]}


@cache
def _loops(space: str, formulas: Formulas, ports: tuple[Port, ...]) -> dict[LoopCall, tuple[Kernel[..., None], ...]]:
    """The kernels of each loop, one for each kind of body or primitive."""
    by_kind = [_of_kind(space, port) for port in ports]
    by_primitive = [_of_primitive(space, formula) for formula in formulas]
    parts: dict[LoopCall, tuple[Any, list[dict[str, Kernel[..., Any]]]]] = {
        LoopCall.POSES: (_pose, by_kind),
        LoopCall.MEASURES: (_measures, by_primitive),
        LoopCall.MATRIX: (_matrix, by_kind),
        LoopCall.VELOCITIES: (_frame_velocities, by_kind),
        LoopCall.MEASURE_RATES: (_measure_rates, by_primitive),
        LoopCall.BODY_LOADS: (_loads, by_kind),
        LoopCall.EFFORT_LOADS: (_effort_loads, by_kind),
        LoopCall.FRAME_LOADS: (_wrenches, by_kind),
    }
    for loop in (LoopCall.ADVANCE, LoopCall.DISPLACEMENT_RATES, LoopCall.COORDINATE_RATES):
        parts[loop] = (_coordinate_loop, [{"coordinate_loop": links[loop.name.lower()]} for links in by_kind])
    return {loop: tuple(Kernel(part, NO_ARRAYS, links) for links in copies) for loop, (part, copies) in parts.items()}


@cache
def _of_kind(space: str, port: Port) -> dict[str, Kernel[..., Any]]:
    """The loops over the bodies of one kind, linked to the functions of its port."""
    # Each loop with the name under which it calls a function, and the name of that function in the port.
    parts: dict[str, tuple[Any, str, str]] = {
        "orientations": (loops.orientations, "orientation", "orientation"),
        "frame_poses": (loops.frame_poses, "pose", "pose"),
        "frame_velocities": (loops.frame_velocities, "velocity", "velocity"),
        "matrix": (loops.matrix, "columns", "columns"),
        "all_intrinsic_rows": (loops.all_intrinsic_rows, "intrinsic_rows", "intrinsic_rows"),
        "intrinsic_Gammas": (loops.intrinsic_Gammas, "intrinsic_Gamma", "intrinsic_Gamma"),
        "mass_matrices": (loops.mass_matrices, "inertia", "inertia"),
        "applied_forces_of_bodies": (loops.applied_forces_of_bodies, "applied_forces", "applied_forces"),
        "own_powers": (loops.own_powers, "power", "power"),
        "effort_loads": (loops.effort_loads, "columns", "columns"),
        "wrenches": (loops.wrenches, "columns", "columns"),
        "advance": (loops.advances, "advance", "advance"),
        "displacement_rates": (loops.rates, "rate", "displacement_rates"),
        "coordinate_rates": (loops.rates, "rate", "coordinate_rates"),
    }
    return {
        name: Kernel(loop, NO_ARRAYS, {**SPACE_FUNCTIONS[space], called: getattr(port, word)})
        for name, (loop, called, word) in parts.items()
    }


@cache
def _of_primitive(space: str, formula: Kernel[..., Any]) -> dict[str, Kernel[..., Any]]:
    """The loops over the measures of one primitive, linked to its formula."""
    links = {**SPACE_FUNCTIONS[space], "formula": formula}
    parts: dict[str, Any] = {"measures": loops.measures, "measure_rates": loops.measure_rates}
    return {name: Kernel(loop, NO_ARRAYS, links) for name, loop in parts.items()}
