"""Body kinds: how a body moves its frames and carries its mass, one file each; the folder is the registry.

Joints see only frames.  A kind supplies the frames with their Jacobians (the frame port), the mass matrix with the
velocity-dependent forces, and how coordinates q follow velocities v.  Each function is a kernel on one body:

    place(q, v, iq, iv, s, axes) → frame            where a frame fixed on the body is and how it moves
    columns(D_v, D_w, arm)       → D J              a row on the frame's twist becomes a row on the body's v
    inertia(q, v, iq, iv, p, g, M, k, Q)            adds the block of M at M[k] and the forces to Q
    rates(q, v, iq, iv, out)                        q̇ of the body
    advance(q, iq, d, iv, out)                      q moved by a displacement d in the directions of v
    flow(d, v, iq, iv, out)                         ḋ of a displacement that follows v
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactio.errors import ModelError
from reactio.kernels import Kernel
from reactio.registry import Registry

BODIES: Registry[BodyKind] = Registry("kind of body", "reactio.bodies")


@dataclass(frozen=True, slots=True)
class Port:
    """The kernels of a body kind in the plane or in space."""

    nq: int  # coordinates q
    nv: int  # velocities v: columns of C
    units: tuple[str, ...]  # of the velocities
    labels: tuple[str, ...]  # of the velocities
    place: Kernel[..., Any]
    columns: Kernel[..., Any]
    inertia: Kernel[..., Any]
    rates: Kernel[..., Any]
    advance: Kernel[..., Any]
    flow: Kernel[..., Any]


@dataclass(frozen=True, slots=True)
class BodyKind:
    """A kind of body with its two ports and the check of its inertia."""

    name: str
    ports: Mapping[str, Port]  # by space
    check_inertia: Callable[[Any, tuple[str, ...]], None]
    turns: bool  # has an orientation
    doc: str


def register(kind: BodyKind) -> BodyKind:
    """Make a kind of body known by its name."""
    return BODIES.add(kind.name, kind)


def refuse(message: str, *path: str) -> None:
    """Refuse the inertia of a body."""
    raise ModelError(message, path)
