"""System, State → Equations: the numbers at a state, with the names of rows and columns and the verdicts on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property

from reactio.constraint_matrix import ConstraintMatrix
from reactio.errors import KernelError, ModelError, ReactioError
from reactio.model.files.read import with_place
from reactio.model.model import Model
from reactio.system.constraints import constraint_matrix
from reactio.system.evaluate.evaluation import Evaluation, evaluation, given_work
from reactio.system.types import State, System, require_system
from reactio.uniqueness import Solvability, solvabilities, solvability


@dataclass(frozen=True, eq=False)
class Equations(Evaluation):
    """The equations at one state.

        M v̇ + Cᵀ λ = Q,     C v = ν,     C v̇ = Γ,     Φ(q, t) = 0

    Sparse matrices are SciPy CSR arrays; ``eqs.C.toarray()`` is dense.  Nonholonomic rows have Φ = 0.
    """

    def __repr__(self) -> str:
        s = self.system
        return f"<Equations of {s.model.name} at t = {self.state.t:g} s: C is {s.m:,} × {s.n:,}>"

    @cached_property
    def constraints(self) -> ConstraintMatrix:
        """C with the names of its rows and columns: the input of solvability."""
        return constraint_matrix(self)

    @cached_property
    def solvability(self) -> Solvability:
        """Which reactions C determines, with the default tolerances; computed once for each state."""
        return solvability(self.constraints)


def equations(system: System, state: State | None = None) -> Equations:
    """All equations of a system at a state (the given pose when left out).

    >>> import reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("four-bar-planar")))
    >>> eqs.C.shape
    (8, 9)
    """
    require_system(system)
    with _line_in_file(system.model) if state is None else nullcontext():
        numbers = evaluation(system, state)
    return Equations(numbers.system, numbers.state, numbers.work)


def given_equations(system: System) -> Equations:
    """All equations at the given pose; their numbers are computed once for a system."""
    require_system(system)
    with _line_in_file(system.model):
        return Equations(system, system.state(), given_work(system))


@contextmanager
def _line_in_file(model: Model) -> Iterator[None]:
    """Errors about the given pose name the line of the part that has no value there."""
    try:
        yield
    except KernelError as error:
        raise with_place(ModelError(str(error), error.path), model) from None


def solvabilities_at(every: Sequence[Equations]) -> list[Solvability]:
    """``solvability`` of several states of a system, judged side by side."""
    answers = solvabilities([eqs.constraints for eqs in every])
    for eqs, answer in zip(every, answers, strict=True):
        # Where the cached property looks for it.  Not in a ``memo``: an answer holds its equations.
        eqs.__dict__["solvability"] = answer
    return answers


def require_equations(given: object) -> None:
    """Refuse anything but equations at a state, with the call that makes them."""
    if not isinstance(given, Equations):
        raise ReactioError(
            f"The equations at a state are needed, not {type(given).__name__}: reactio.equations(reactio.build(model))."
        )
