"""Body kinds: how a body moves its frames and carries its mass, one file each; the folder is the registry.

Joints see only frames.  A kind supplies the frames with their Jacobians (the frame port), the mass matrix with the
velocity-dependent forces, and how coordinates q follow velocities v.  Each function is a kernel on one body:

    orientation(q, iq, R, b)                         how it is turned, in the row R[b]
    place(q, iq, R, b, local, f)    → place          where frame f fixed on the body is
    pace(v, iv, local, F, f)        → pace           how it moves; its place is in F
    columns(D_v, D_w, F, local, f)  → D J            a row on the twist of frame f becomes a row on the body's v
    inertia(q, iq, R, p, b, M, k)                    the block of M at M[k]
    weight(q, v, iq, iv, p, b, g, M, k, Q)           adds gravity and velocity-dependent forces to Q; M is known
    rigidity(q, iq, p, b, Phi, C, i, k)              its intrinsic rows, from row i on, data of C from k on
    bend(v, iv, p, b, Gamma, i)                      Γ of its intrinsic rows
    rates(q, v, iq, iv, p, b, out)                   q̇ of the body
    advance(q, iq, d, iv, p, b, out)                 q moved by a displacement d in the directions of v, as a rigid body
    flow(d, v, iq, iv, p, b, out)                    ḋ of a displacement that follows v

``local[f]`` are the numbers of a frame and ``p[b]`` those of a body, in the form its kind has chosen for them; plain
functions make them from the model, and lead from position, orientation and twist to q and v and back.  ``advance``
leaves in d what it has made of it: a displacement that would deform the body becomes the one that it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.kernels import Kernel, kernel
from reactio.places import End
from reactio.registry import Registry

BODIES: Registry[BodyKind] = Registry("kind of body", "reactio.bodies")


class Seen(NamedTuple):
    """A body at some instants as people see it, world axes; leading axes are those of q and v."""

    position: Floats  # (…, 2 or 3) of the body origin [m]
    orientation: Floats  # (…, 1 or 4) angle [rad] or unit quaternion; (…, 0) for a point
    velocity: Floats  # (…, 2 or 3) [m/s]
    angular_velocity: Floats  # (…, 1 or 3) [rad/s]; (…, 0) for a point


@kernel
def unturned(q: Floats, iq: int, R: Floats, b: int) -> None:
    """Nothing about how the body is turned is worth keeping."""


@kernel
def loose(q: Floats, iq: int, p: Floats, b: int, Phi: Floats, C: Floats, i: int, k: int) -> None:
    """No intrinsic rows: the coordinates describe nothing but rigid motions."""


@kernel
def straight(v: Floats, iv: int, p: Floats, b: int, Gamma: Floats, i: int) -> None:
    """No intrinsic rows, no Γ."""


def no_rows(body: Any) -> tuple[tuple[str, str], ...]:
    """No intrinsic rows."""
    return ()


def nowhere(body: Any, end: End) -> int | None:
    """No frame stands on columns of its own."""
    return None


@dataclass(frozen=True, slots=True)
class Port:
    """A body kind in the plane or in space: kernels, and the way from the model to their numbers and back."""

    units: Callable[[Any], tuple[str, ...]]  # of the velocities of a body; their number is that of its columns of C
    place: Kernel[..., Any]
    pace: Kernel[..., Any]
    columns: Kernel[..., Any]
    inertia: Kernel[..., Any]
    weight: Kernel[..., Any]
    rates: Kernel[..., Any]
    advance: Kernel[..., Any]
    flow: Kernel[..., Any]
    numbers: Callable[[Any], Any]  # p of a body
    local: Callable[[Any, End], Any]  # numbers of a frame on a body
    coordinates: Callable[[Any], tuple[Any, Any]]  # q and v of a body as the model gives it
    seen: Callable[[Any, Floats, Floats], Seen]  # (body, q, v) → where it is and how it moves
    apart: Callable[[Floats, Floats], Floats]  # difference of two q of a body, full turns aside
    orientation: Kernel[..., Any] = unturned
    rigidity: Kernel[..., Any] = loose
    bend: Kernel[..., Any] = straight
    intrinsic: Callable[[Any], tuple[tuple[str, str], ...]] = no_rows  # labels and units of its intrinsic rows
    carrier: Callable[[Any, End], int | None] = nowhere  # first of the columns that are the point of a frame itself


@dataclass(frozen=True, slots=True)
class BodyKind:
    """A kind of body with its two ports and the checks of what a model says of it."""

    name: str
    ports: Mapping[str, Port]  # by space
    check_inertia: Callable[[Any, tuple[str, ...]], None]
    check_elements: Callable[[Any, tuple[str, ...]], None]
    turns: bool  # has an orientation
    doc: str


def register(kind: BodyKind) -> BodyKind:
    """Make a kind of body known by its name."""
    return BODIES.add(kind.name, kind)


def refuse(message: str, *path: str) -> None:
    """Refuse the inertia or the elements of a body."""
    raise ModelError(message, path)


def no_elements(body: Any, path: tuple[str, ...]) -> None:
    """Only natural bodies are described by elements."""
    if body.elements:
        refuse(f"body '{body.name}' is {body.kind} and has no elements; give `kind: natural`.", *path, "elements")
