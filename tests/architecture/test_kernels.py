"""The cache of compiled kernels must see every file that a kernel is made of."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.integrate.integrator import explicit_kernel
from reactio.kernels import Kernel, kernel, kernel_files

MODELS = {"planar": "four-bar-planar", "spatial": "door"}


def parts(one: Kernel[..., Any], seen: set[Any]) -> set[Path]:
    """The files of a kernel and of all it calls, and of the constants it uses."""
    function = one.function
    assert isinstance(function, types.FunctionType)
    if id(one) in seen:
        return set()
    seen.add(id(one))
    files = {Path(function.__code__.co_filename)}
    for name in function.__code__.co_names:
        value = (function.__globals__ | one.links).get(name)
        if isinstance(value, Kernel):
            files |= parts(value, seen)
    return files


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_digest_covers_every_kernel(space: str) -> None:
    system = reactio.build(reactio.load(MODELS[space]))
    found = parts(explicit_kernel(system), set())
    assert len(found) > 10
    assert found <= set(kernel_files())
    assert any(file.name == "tableau.py" for file in kernel_files())


def test_plain_and_compiled_agree_and_links_are_followed() -> None:
    @kernel
    def inner(x: float) -> float:
        return 2 * x

    outer = Kernel(_apply, links={"formula": inner}, tag="test")
    assert outer(3.0) == outer.plain(3.0) == 7.0


def _apply(x: float) -> float:
    return formula(x) + 1.0  # type: ignore[name-defined, no-any-return]  # noqa: F821 - linked in
