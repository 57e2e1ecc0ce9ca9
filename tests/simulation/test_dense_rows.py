"""Rows between those of a run, by the kernels that so many rows are worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.machine_code_uses import use_of_run

import reactio
from reactio import kernels
from reactio.integrate.integrator import Integrator
from reactio.integrate.state import ROW_FIELDS
from reactio.kernels import CodeUse, machine_code_use
from reactio.simulation import energy_balance, in_run


class Asked(Exception):
    """The integrator was asked for; nothing is integrated."""


def test_many_rows_of_a_short_run_are_worth_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of three steps takes a second as plain Python, four hundred rows between them a minute."""
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    run = reactio.simulate(reactio.load("double-four-bar"), 0.01, output=2)

    def asked(*_: Any) -> Any:
        raise Asked(machine_code_use() is CodeUse.COMPILED)

    monkeypatch.delenv("REACTIO_KERNELS")
    monkeypatch.setattr(Integrator, "run_chunk", asked)
    many = kernels.COMPILE_THRESHOLD // run.system.m
    for rows, compiled in ((10, False), (many, True)):
        with pytest.raises(Asked) as found:
            run.denser(rows)
        assert found.value.args == (compiled,)


def test_reactions_and_energies_at_many_rows_are_worth_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand evaluations side by side are work, whatever each of them is."""
    run = reactio.simulate(reactio.load("double-four-bar"), 0.1, output=2)
    many = kernels.COMPILE_THRESHOLD // run.system.m + 1

    def asked(*_: Any) -> Any:
        raise Asked(machine_code_use() is CodeUse.COMPILED)

    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    monkeypatch.setattr(in_run, "closed_state", asked)
    monkeypatch.setattr(energy_balance, "energies", asked)
    for rows, compiled in ((2, False), (many, True)):
        first: dict[str, Any] = {name: np.repeat(getattr(run, name)[:1], rows, axis=0) for name in ROW_FIELDS}
        longer = replace(run, **first)
        for question in (longer.reactions_at_rows, lambda _, run=longer: energy_balance.balance(run)):
            with pytest.raises(Asked) as found:
                question(range(rows))
            assert found.value.args == (compiled,)


def test_the_shortest_run_takes_the_evaluations_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve evaluations of a large model are work, however short the time that they cover."""
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    system = reactio.build(reactio.load("double-four-bar"))
    monkeypatch.setattr(kernels, "COMPILE_THRESHOLD", 5 * system.m)
    assert use_of_run(monkeypatch, system, system.state(), 1e-9) is CodeUse.COMPILED
