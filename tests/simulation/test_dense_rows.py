"""Rows between those of a run, by the kernels that so many rows are worth."""

from __future__ import annotations

from typing import Any

import pytest

import reactio
from reactio import kernels
from reactio.integrate.integrator import prepare_integrator
from reactio.integrate.options import IntegrationOptions
from reactio.simulation import dense_rows


class Asked(Exception):
    """The integrator was asked for; nothing is integrated."""


def test_many_rows_of_a_short_run_are_worth_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of three steps takes a second as plain Python, four hundred rows between them a minute."""
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
    run = reactio.simulate(reactio.load("double-four-bar"), 0.01, output=2)
    assert not run.segments[0].compiled

    def asked(system: Any, start: Any, *_: Any) -> Any:
        raise Asked(start.compiled)

    monkeypatch.delenv("REACTIO_KERNELS")
    monkeypatch.setattr(dense_rows, "prepare_integrator", asked)
    many = kernels.COMPILE_THRESHOLD // run.system.m
    for rows, compiled in ((10, False), (many, True)):
        with pytest.raises(Asked) as found:
            run.denser(rows)
        assert found.value.args == (compiled,)


def test_the_shortest_run_takes_the_evaluations_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve evaluations of a large model are work, however short the time that they cover."""
    monkeypatch.delenv("REACTIO_KERNELS", raising=False)
    system = reactio.build(reactio.load("double-four-bar"))
    monkeypatch.setattr(kernels, "COMPILE_THRESHOLD", 5 * system.m)
    _, begun = prepare_integrator(system, system.state(), IntegrationOptions(), 1e-9)
    assert begun.compiled
