"""Options of an integration: tolerance, method, stabilisation, formulation, and the sharing rule for friction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from reactio.errors import ReactioError
from reactio.integrate.formulation import DEFAULT_FORMULATION, Formulation, formulation_of
from reactio.integrate.methods import METHODS

if TYPE_CHECKING:
    from reactio.arrays import Floats
    from reactio.integrate.checkpoint import Chunk

# The rounding of doubles; coarser steps do not approximate the motion.
TIGHTEST_TOLERANCE, COARSEST_TOLERANCE = 1e-15, 0.1


class Stabilisation(StrEnum):
    """How constraints are kept satisfied along a run."""

    PROJECTION = "projection"  # of positions and velocities on them
    BAUMGARTE = "baumgarte"  # by terms in the accelerations that pull the motion back


@dataclass(frozen=True, slots=True)
class IntegrationOptions:
    """Options of an integration; the same options from the same checkpoint give the same motion."""

    tol: float = 1e-9  # error of a step [characteristic lengths, rad]
    method: str = "dop853"
    rule: str | None = None  # sharing rule by which friction acts where its reactions are not unique
    stabilise: str = Stabilisation.PROJECTION
    alpha: float = 20.0  # of Baumgarte's method [1/s]
    formulation: str = DEFAULT_FORMULATION  # with its settings

    @property
    def formulated(self) -> str:
        """The formulation with its settings; stabilisation by Baumgarte's method is one."""
        if self.stabilise == Stabilisation.BAUMGARTE:
            return f"{Stabilisation.BAUMGARTE}:alpha={float(self.alpha)!r}"
        return self.formulation

    @property
    def by(self) -> Formulation:
        """The formulation."""
        return formulation_of(self.formulated).formulation

    @property
    def drifts(self) -> bool:
        """Does the formulation leave the state off its constraints?"""
        return self.by.drift > 0.0


@dataclass(frozen=True, slots=True, eq=False)
class RunRequest:
    """A run as it is asked for: until when, how, and which rows of it."""

    until: float  # [s]
    options: IntegrationOptions
    output: Floats | None = None  # (k,) times of the rows [s]; None: a row after every step
    on_chunk: Callable[[Chunk], object] | None = None  # sees every chunk; if it returns True the run ends there
    chunk: int = 200  # steps between its calls

    @property
    def times(self) -> Floats:
        """(k,) the times of the rows [s], none where every step is one."""
        return np.zeros(0) if self.output is None else self.output


def checked_options(options: IntegrationOptions) -> IntegrationOptions:
    """The options themselves, or an error that names the invalid one."""
    method = METHODS.get(options.method)
    if not TIGHTEST_TOLERANCE <= options.tol <= COARSEST_TOLERANCE:
        between = f"between {TIGHTEST_TOLERANCE:g} and {COARSEST_TOLERANCE:g}"
        raise ReactioError(f"tol = {options.tol:g}: a tolerance lies {between}.")
    if options.stabilise not in tuple(Stabilisation):
        raise ReactioError(f"Constraints are stabilised by {' or '.join(Stabilisation)}, not by '{options.stabilise}'.")
    if not (np.isfinite(options.alpha) and options.alpha > 0):
        raise ReactioError(f"alpha = {options.alpha:g} 1/s: it must be positive.")
    if options.stabilise != Stabilisation.PROJECTION and options.formulation != DEFAULT_FORMULATION:
        raise ReactioError(
            f"Give either a formulation, '{options.formulation}', or stabilise='{options.stabilise}', which is one too."
        )
    if not options.by.projects and not method.stabilises:
        raise ReactioError(
            f"The method '{options.method}' projects; Baumgarte's stabilisation needs the method 'dop853'."
            if options.formulation == DEFAULT_FORMULATION
            else f"The formulation '{options.by.name}' lets constraints drift and needs the method 'dop853'; "
            f"'{options.method}' works with projections."
        )
    return options


def check_chunk(steps: int) -> None:
    """Refuse chunks without any step."""
    if steps < 1:
        raise ReactioError(f"chunk = {steps}: give at least one step.")
