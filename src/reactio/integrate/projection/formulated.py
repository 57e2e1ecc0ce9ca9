"""The right-hand side by the formulation of a run: one place in the integration loops, one kernel for each formulation.

Compiled loops call the kernel by its address, which the arrays of a run hold; plain Python finds it by its number.
"""

# Names that this file does not define are other kernels: ``Kernel.links`` binds them.
# ``by_address_int`` is known to compiled kernels alone: it calls the function at an address.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from reactio.integrate.formulation import Formulation, numbered
from reactio.integrate.projection.joint_friction import add_friction
from reactio.integrate.projection.project import PROJECTION_TEMPLATES
from reactio.integrate.projection.reduced import REDUCED_TEMPLATES
from reactio.integrate.projection.workspace import Projection
from reactio.kernels import NO_ARRAYS, CodeUse, Kernel, calling_by_address, machine_code_use
from reactio.system.evaluate.kernels import bind_addresses, evaluator
from reactio.system.types import System

# Functions of an evaluation that the kernels of formulations call.
EVALUATION_NAMES = ("position_terms", "velocity_terms", "advance", "displacement_rates", "effort_loads")


def project_and_accelerate(projection: Projection, t: float, close: float, limit: float) -> int:
    """The kernel of the formulation, called by its address.

    A state in ``p`` is projected, if the formulation does that, and accelerated; y of λ = −R y stays in ``m``.
    ``close``, ``limit``: the position residual at which iterations end, and the one beyond which a pose is refused
    [characteristic lengths, rad].  The reason of a refusal (or FINE) returns.
    """
    return by_address_int(projection.formulation.address[0], (projection, t, close, limit))  # type: ignore[no-any-return]


class FormulatedKernel(Kernel[..., int]):
    """The kernel of whichever formulation a projection has."""

    calls_by_address = True

    def __init__(self, evaluate: Kernel[..., None]) -> None:
        super().__init__(project_and_accelerate, NO_ARRAYS)
        self.evaluate = evaluate

    @property
    def plain(self) -> Callable[..., int]:
        """The kernel of the formulation in plain Python."""
        return self._by_number(lambda kernel: kernel.plain)

    @property
    def uncompiled(self) -> Callable[..., int]:
        """The kernel of the formulation in plain Python with the numbers of compiled code."""
        return self._by_number(lambda kernel: kernel.uncompiled)

    def replacing(self, **names: Any) -> Callable[..., int]:
        """The kernel of the formulation in plain Python, some names replaced."""
        return self._by_number(lambda kernel: kernel.replacing(**names))

    def _by_number(self, version: Callable[[Kernel[..., int]], Callable[..., int]]) -> Callable[..., int]:
        known: dict[int, Callable[..., int]] = {}

        def call(projection: Projection, t: float, close: float, limit: float) -> int:
            number = projection.formulation.number
            if number not in known:
                known[number] = version(formulation_kernel(self.evaluate, numbered(number)))
            return known[number](projection, t, close, limit)

        return call


@cache
def project_and_accelerate_kernel(evaluate: Kernel[..., None]) -> FormulatedKernel:
    """project_and_accelerate(projection, t, close, limit) with the functions of an evaluation."""
    return FormulatedKernel(evaluate)


@cache
def formulation_kernel(evaluate: Kernel[..., None], formulation: Formulation) -> Kernel[..., int]:
    """The kernel of a formulation with the functions of an evaluation."""
    links: dict[str, Kernel[..., Any]] = {name: evaluate.links[name] for name in EVALUATION_NAMES}
    links |= {"evaluate": evaluate, **formulation.links}
    friction: dict[str, Callable[..., Any]] = {"apply_friction": add_friction}
    for name, template in {**friction, **PROJECTION_TEMPLATES, **REDUCED_TEMPLATES, **formulation.templates}.items():
        links[name] = Kernel(template, NO_ARRAYS, dict(links))
    return Kernel(formulation.accelerate, NO_ARRAYS, links)


@contextmanager
def projection_addresses_bound(system: System, projection: Projection) -> Iterator[None]:
    """Compiled kernels called in this block know where the functions of a system and its formulation lie in memory."""
    bound, address = bind_addresses(system), projection.formulation.address
    if bound and address[0] == 0 and machine_code_use() is not CodeUse.PLAIN:
        kernel = formulation_kernel(evaluator(system), numbered(projection.formulation.number))
        address[0] = kernel.address(projection, 0.0, 0.0, 0.0)
    with calling_by_address(bound and address[0] != 0):
        yield
