"""Compile all kernels of a part by running them once, on a mechanism of one body and one hinge.

Kernels are compiled in units: those that Python calls, and those that compiled kernels call by their addresses.  Every
unit is called here as the rest of the package calls it; a test checks that none is missing.
"""

from __future__ import annotations

import numpy as np

from reactio.catalogue.places import GROUND, SPACE_SIZES, End
from reactio.errors import ReactioError
from reactio.forward_dynamics.coulomb import coulomb_work, friction_fixed_point
from reactio.functions.machine import jet
from reactio.integrate.checkpoint import as_arrays
from reactio.integrate.dop853.run import explicit_runner, state_projector
from reactio.integrate.dop853.step import interpolant, interpolate
from reactio.integrate.dop853.work import by_stages, inside_by_stages
from reactio.integrate.dop853.workspace import StepWorkspace, step_workspace
from reactio.integrate.formulation import DEFAULT_FORMULATION, FORMULATIONS
from reactio.integrate.integrator import integrate, prepare_integrator
from reactio.integrate.loop import Task
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.projection.formulated import formulation_kernel
from reactio.integrate.projection.project import largest
from reactio.integrate.projection.workspace import projection_workspace
from reactio.integrate.singular_passage.truncated_projection import project_truncated, truncated_projector
from reactio.integrate.state import output_rows
from reactio.joint_reactions.component_batches import clear_judge, clear_state
from reactio.kernels import CodeUse, compiled_throughout, machine_code_use, running, without_notice
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.system.compile.build import build
from reactio.system.constraints import LABELS
from reactio.system.equations import Equations, equations
from reactio.system.evaluate.coordinates import advance, coordinate_rates
from reactio.system.evaluate.evaluation import constraint_matrices
from reactio.system.evaluate.kernels import compile_all, evaluation_kernels, evaluator
from reactio.system.evaluate.normals import normal_components
from reactio.system.evaluate.power import power_of_loads
from reactio.system.types import System


def warm(part: str) -> None:
    """Run every kernel of a part once: of a space, of motion there, stiff or not, of large systems or of contacts."""
    with without_notice(), compiled_throughout():
        if machine_code_use() is not CodeUse.COMPILED:
            raise ReactioError("REACTIO_KERNELS=plain compiles nothing; leave it out to compile kernels ahead of time.")
        WARM_PARTS[part](part)


def _one_hinged_body(space: str) -> System:
    """A body on a hinge, in the plane or in space."""
    sizes = SPACE_SIZES[space]
    body = Body("body", 1.0, (1.0,) * sizes.rotation, (0.0,) * sizes.vector)
    joint = Joint("joint", "revolute", End(GROUND), End("body"))
    return build(Model("warm", space, (body,), (joint,)))


def _space(space: str) -> None:
    """The evaluation, with the loops of every kind of body and every primitive, and the functions of its results."""
    system = _one_hinged_body(space)
    compile_all(system)
    eqs = equations(system)
    constraint_matrices(system)(np.zeros(1), eqs.state.q[None])
    clear_judge(system, LABELS[space])(np.zeros(1), eqs.state.q[None])
    clear_state(eqs)
    advance(system, eqs.state.q, np.zeros(system.n))
    coordinate_rates(system, eqs.state.q, eqs.state.v)
    _moves_and_loads(eqs)


def _moves_and_loads(eqs: Equations) -> None:
    """Displacements and their rates, loads of efforts, their power, friction, and functions of time."""
    system, work, n = eqs.system, eqs.work, eqs.system.n
    plan, programs, kernels = system.plan, system.plan.programs, evaluation_kernels(system)
    kernels["displacement_rates"](plan, np.zeros(n), np.zeros(n), np.zeros(n))
    kernels["effort_loads"](plan, work, np.array(eqs.state.q), np.array(work.effort), np.zeros(n))
    power_of_loads(plan.efforts, work)
    normal_components(plan.friction, work.P, np.zeros(system.m), np.zeros((0, 1)), 0)
    friction_fixed_point(plan.friction.start, np.zeros((0, 1)), np.zeros(0), coulomb_work(0))
    constant = np.zeros((1, programs.code.shape[1]), dtype=np.int64)
    zero = np.zeros(1)
    jet(constant, zero, np.zeros(2, dtype=np.int64), 0, 0.0, zero, zero, np.zeros((1, 3)), np.zeros(3))


def _motion(part: str) -> None:
    """A run, the truncated projection near singular configurations, and rows inside a step of the method branch."""
    system = _one_hinged_body(part.removeprefix("motion-"))
    integrate(system, system.state(), 1.0)
    start = system.state()
    project_truncated(
        system, projection_workspace(system), 0.0, (np.array(start.q), start.v.copy(), 0 * start.v), np.zeros(system.m)
    )
    largest(np.zeros(1), np.ones(1))
    _inside_a_step(step_workspace(system))


def _inside_a_step(e: StepWorkspace) -> None:
    """The kernels that a method from outside calls for rows inside a step."""
    interpolant(e.s, e.tableau, 1.0)
    by_stages(e.s, e.tableau, 1.0, True)
    interpolate(e.s, e.projection.p, 0.5)
    inside_by_stages(e.s, 0.5)


def _steps(part: str) -> None:
    """The loop of the explicit method and its projections; they know the evaluation of a system by its address.

    A run needs the projection first; this order serves a second process, which compiles the others in the meantime.
    """
    system = _one_hinged_body("planar")
    with running(CodeUse.PLAIN):
        integrator, begun = prepare_integrator(system, system.state(), IntegrationOptions(), 1.0)
    workspace = integrator.workspace
    evaluate = evaluator(system)
    task = Task(1.0, 1e-9, 0.0, 1, True, begun.limit, begun.extent)
    explicit_runner(system).unit((workspace, as_arrays(begun), output_rows(system, 1), np.zeros(0), task))
    state_projector(evaluate).unit((workspace, as_arrays(begun)))
    truncated_projector(evaluate).unit((workspace.projection, 0.0, np.zeros(system.m)))
    default = formulation_kernel(evaluate, FORMULATIONS.get(DEFAULT_FORMULATION))
    default.unit((workspace.projection, 0.0, 0.0, 0.0))


def _stiff(part: str) -> None:
    system = _one_hinged_body(part.removeprefix("stiff-"))
    integrate(system, system.state(), 1.0, method="radau5")


def _large(part: str) -> None:
    """Sparse matrices, the graph of bodies and joints, and contacts with friction."""
    from scipy.sparse import csr_array

    from reactio.linear.block_root import BlockRoots
    from reactio.linear.convex.friction_cones import solve_cones
    from reactio.linear.sparse.sparse_qr import project, sparse_qr
    from reactio.topology.biconnected import biconnected
    from reactio.uniqueness.blocks import lay_out
    from reactio.uniqueness.last_digits import modular_null_space

    C = csr_array(np.eye(6))
    modular_null_space(C)
    project(sparse_qr(C, np.array([0, 3, 6])), np.ones((6, 1)))
    biconnected(4, np.array([0, 1, 2, 2]), np.array([1, 2, 0, 3]))
    lay_out(C, np.array([0, 3, 6]), np.array([0, 1]))
    solve_cones(np.ones((1, 3, 6)), -np.ones((1, 3)), np.ones(1), np.ones((1, 3)), 1.0)
    roots = BlockRoots.of(C, np.array([0, 6]))
    assert roots is not None
    roots.rows(np.ones(6), (np.arange(7), np.arange(6)), 7)


WARM_PARTS = {
    "planar": _space,
    "spatial": _space,
    "motion-planar": _motion,
    "motion-spatial": _motion,
    "steps": _steps,
    "stiff-planar": _stiff,
    "stiff-spatial": _stiff,
    "large": _large,
}
# The part that a second process compiles while a command compiles the kernels of a part.
COMPILED_MEANWHILE = {"motion-planar": "steps", "motion-spatial": "steps"}
# Two lists of parts that take about as long.  The integrators serve the plane and space: the first list compiles the
# explicit one, the second the implicit one, and each loads what the other has compiled.
WARM_LISTS = (
    ("planar", "motion-planar", "stiff-planar"),
    ("spatial", "large", "stiff-spatial", "motion-spatial"),
)
