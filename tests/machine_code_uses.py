"""Which machine code a run uses, without the run."""

from __future__ import annotations

from typing import Any

import pytest

from reactio.integrate.integrator import integrate
from reactio.integrate.singular_passage import interpolate
from reactio.kernels import CodeUse, machine_code_use
from reactio.system.types import State, System


class Asked(Exception):
    """The first steps of a run were asked for; nothing is integrated."""


def use_of_run(
    monkeypatch: pytest.MonkeyPatch,
    system: System,
    state: State,
    until: float,
    tol: float = 1e-9,
    method: str = "dop853",
) -> CodeUse:
    """The use of machine code at the first steps of a run."""

    def asked(*_: Any) -> Any:
        raise Asked(machine_code_use())

    monkeypatch.setattr(interpolate, "advance_past_singularities", asked)
    with pytest.raises(Asked) as use:
        integrate(system, state, until, tol=tol)
    return CodeUse(use.value.args[0])
