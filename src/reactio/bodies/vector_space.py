"""Coordinates that form a vector space: q̇ = v, q + d and ḋ = v, entry by entry."""

# ``width`` is not defined here: ``Kernel.links`` binds it to a kernel of the kind of body.
# mypy: disable-error-code="name-defined"
# ruff: noqa: F821
from __future__ import annotations

from typing import Any

from reactio.arrays import Floats
from reactio.kernels import Kernel


def coordinate_rates(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q̇ = v."""
    for k in range(width(p, b)):
        out[iq + k] = v[iv + k]


def advance(q: Floats, iq: int, d: Floats, iv: int, p: Floats, b: int, out: Floats) -> None:
    """q + d."""
    for k in range(width(p, b)):
        out[iq + k] = q[iq + k] + d[iv + k]


def displacement_rates(d: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int, out: Floats) -> None:
    """ḋ = v."""
    for k in range(width(p, b)):
        out[iv + k] = v[iv + k]


def vector_space(width: Kernel[[Floats, int], int]) -> dict[str, Kernel[..., Any]]:
    """These three functions of a port, for bodies with ``width(p, b)`` velocities and as many coordinates."""
    return {f.__name__: Kernel(f, links={"width": width}) for f in (coordinate_rates, advance, displacement_rates)}
