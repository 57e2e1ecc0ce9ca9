"""Compile all kernels of a part by running them once on the smallest mechanism."""

from __future__ import annotations

import numpy as np

from reactio.integrate.checkpoint import as_arrays
from reactio.integrate.integrator import integrate, prepare_integrator
from reactio.integrate.loop import Task
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.projection.project import project_and_accelerate_kernel
from reactio.integrate.projection.workspace import projection_workspace
from reactio.integrate.singular_passage.truncated_projection import project_truncated, truncated_projector
from reactio.integrate.state import output_rows
from reactio.integrate.stepper import explicit_kernel
from reactio.kernels import running, unannounced
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.places import GROUND, End
from reactio.system.compile.build import build
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance, coordinate_rates
from reactio.system.evaluate.evaluation import matrices
from reactio.system.evaluate.kernels import compile_all, evaluator
from reactio.system.types import System


def warm(part: str) -> None:
    """Run every kernel of a part once: of a space, of motion there, stiff or not, or of large systems."""
    with unannounced(), running(compiled=True):
        WARM_PARTS[part](part)


def _nearly_nothing(space: str) -> System:
    position = (0.0, 0.0) if space == "planar" else (0.0, 0.0, 0.0)
    body = Body("body", 1.0, (1.0,) if space == "planar" else (1.0, 1.0, 1.0), position)
    joint = Joint("joint", "revolute", End(GROUND), End("body"))
    return build(Model("warm", space, (body,), (joint,)))


def _space(space: str) -> None:
    """The evaluation, with the loops of every kind of body and every primitive."""
    system = _nearly_nothing(space)
    compile_all(system)
    eqs = equations(system)
    matrices(system)(np.zeros(1), eqs.state.q[None])
    advance(system, eqs.state.q, np.zeros(system.n))
    coordinate_rates(system, eqs.state.q, eqs.state.v)


def _motion(part: str) -> None:
    system = _nearly_nothing(part.removeprefix("motion-"))
    integrate(system, system.state(), 1.0)
    here = system.state()
    project_truncated(
        system, projection_workspace(system), 0.0, (np.array(here.q), here.v.copy(), 0 * here.v), np.zeros(system.m)
    )


def _steps(part: str) -> None:
    """The loop of the explicit method and its projections; they know the evaluation of a system by its address.

    A run needs the projection first: a process that compiles beside it begins with the others.
    """
    system = _nearly_nothing("planar")
    with running(compiled=False):
        integrator, begun = prepare_integrator(system, system.state(), IntegrationOptions(), 1.0)
    engine = integrator.engine
    evaluate = evaluator(system)
    task = Task(1.0, 1e-9, 0.0, 1, True, begun.limit, begun.extent)
    explicit_kernel(system).unit((engine, as_arrays(begun), output_rows(system, 1), np.zeros(0), task))
    truncated_projector(evaluate).unit((engine.projection, 0.0, np.zeros(system.m)))
    project_and_accelerate_kernel(evaluate).kernel.unit((engine.projection, 0.0, 0.0, 0.0))


def _stiff(part: str) -> None:
    system = _nearly_nothing(part.removeprefix("stiff-"))
    integrate(system, system.state(), 1.0, method="radau5")


def _large(part: str) -> None:
    from scipy.sparse import csr_array

    from reactio.linear.sparse_qr import project, sparse_qr
    from reactio.uniqueness.graph import biconnected

    ends = np.array([0, 1, 2, 2]), np.array([1, 2, 0, 3])
    biconnected(4, *ends)
    project(sparse_qr(csr_array(np.eye(6)), np.array([0, 3, 6])), np.ones((6, 1)))


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
# explicit one, the second the implicit one, and what the other has compiled is loaded.
WARM_LISTS = (("planar", "motion-planar", "stiff-planar"), ("spatial", "large", "stiff-spatial", "motion-spatial"))
