"""Compiled kernels take named tuples by reference and call each other by address; plain ones are called as they are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import reactio
from reactio import kernels
from reactio.arrays import Floats, Ints
from reactio.integrate.dop853.run import explicit_runner
from reactio.integrate.radau5.run import implicit_runner
from reactio.kernels import (
    NO_ARRAYS,
    AddressedKernel,
    CodeUse,
    Kernel,
    calling_by_address,
    kernel,
    machine_code_use,
    running,
)
from reactio.system.evaluate.calls import LoopCall
from reactio.system.evaluate.kernels import bind_addresses


class Inner(NamedTuple):
    """Some arrays and numbers of a structure."""

    x: Floats  # (n,)
    A: Floats  # (n, 2), every second column of another
    scale: float
    shift: int


class Outer(NamedTuple):
    """A structure with another in it."""

    at: Ints  # (1,) where the function lies
    inner: Inner
    doubled: bool


def outer(doubled: bool) -> Outer:
    """Numbers of all kinds."""
    A = np.arange(12.0).reshape(3, 4)[:, ::2]
    return Outer(np.zeros(1, dtype=np.int64), Inner(np.array([1.0, 2.0, 3.0]), A, 0.5, 7), doubled)


@kernel(**NO_ARRAYS)
def change(s: Outer, factor: float) -> float:
    """x becomes factor (scale A₁ + shift), twice that where it is doubled; the sum of x returns."""
    total, inner = 0.0, s.inner
    for i in range(inner.x.shape[0]):
        inner.x[i] = factor * (inner.scale * inner.A[i, 1] + inner.shift)
        if s.doubled:
            inner.x[i] *= 2.0
        total += inner.x[i]
    return total


@pytest.mark.parametrize("doubled", [False, True])
def test_structures_pass_by_reference(doubled: bool) -> None:
    plain, compiled = outer(doubled), outer(doubled)
    expected = change.plain(plain, 3.0)
    with running(CodeUse.COMPILED):
        assert change(compiled, 3.0) == expected
    assert compiled.inner.x.tolist() == plain.inner.x.tolist()


def _look_up(s: Outer, factor: float) -> None:
    by_address(s.at[0], (s, factor))  # type: ignore[name-defined]  # noqa: F821 - known to compiled kernels


def _many(s: Outer, factor: float, times: int) -> None:
    for _ in range(times):
        apply(s, factor)  # type: ignore[name-defined]  # noqa: F821 - linked in


def _add(s: Outer, factor: float) -> None:
    s.inner.x[0] += factor


def _multiply(s: Outer, factor: float) -> None:
    s.inner.x[0] *= factor


def test_callers_are_compiled_once_for_all_kernels_that_are_handed_to_them() -> None:
    add, multiply = Kernel(_add, NO_ARRAYS), Kernel(_multiply, NO_ARRAYS)
    callers: list[Kernel[..., Any]] = [
        Kernel(_many, NO_ARRAYS, {"apply": AddressedKernel(_look_up, own)}) for own in (add, multiply)
    ]
    assert callers[0].digest == callers[1].digest
    for own, caller in zip((add, multiply), callers, strict=True):
        s, other = outer(False), outer(False)
        caller.plain(other, 3.0, 4)
        with running(CodeUse.COMPILED):
            if machine_code_use() is CodeUse.COMPILED:  # with REACTIO_KERNELS=plain nothing is
                s.at[0] = own.address(s, 3.0)
                assert callers[0].unit((s, 3.0, 4)) is callers[1].unit((s, 3.0, 4))
            with calling_by_address(bound=True):
                caller(s, 3.0, 4)
        assert s.inner.x.tolist() == other.inner.x.tolist()


def test_a_kernel_runs_plain_where_the_addresses_of_others_are_not_known() -> None:
    caller: Kernel[..., Any] = Kernel(_many, NO_ARRAYS, {"apply": AddressedKernel(_look_up, Kernel(_add, NO_ARRAYS))})
    s = outer(False)  # the address in it is 0
    with running(CodeUse.COMPILED):
        caller(s, 3.0, 4)
    assert s.inner.x[0] == 13.0


@pytest.mark.parametrize("runner", [explicit_runner, implicit_runner])
def test_integrators_are_the_same_in_the_plane_and_in_space(runner: Any) -> None:
    systems = [reactio.build(reactio.load(name)) for name in ("four-bar-planar", "door")]
    assert runner(systems[0]).digest == runner(systems[1]).digest


def test_the_arguments_of_the_loops_of_a_system_are_described_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each kind of loop, however many kinds of bodies and primitives it has."""
    described = []
    original = kernels._described

    def counted(values: tuple[Any, ...]) -> Any:
        described.append(values)
        return original(values)

    monkeypatch.setattr(kernels, "_described", counted)
    system = reactio.build(reactio.load("mobile-robot"))
    with kernels.compiled_throughout():
        assert bind_addresses(system)
    assert 0 < len(described) <= 2 + len(LoopCall)  # the terms of positions and velocities besides
