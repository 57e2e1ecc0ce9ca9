"""Body kinds: how a body moves its frames and carries its mass, one file each; the folder is the registry.

Joints see only frames.  A kind supplies the frames with their Jacobians (the frame port), the mass matrix with the
velocity-dependent forces, and how coordinates q follow velocities v.  Each function is a kernel on one body:

    orientation(q, iq, R, b)                              its orientation, into the row R[b]
    pose(q, iq, R, p, b, local, f)            → pose      of frame f on the body
    velocity(q, v, iq, iv, R, p, b, local, F, f) → velocity   of it, and J̇ v; its pose is in F
    columns(D_v, D_w, q, iq, R, p, b, local, F, f, k, out, at)
                                                          adds k D J, a row on the twist of frame f brought to the
                                                          velocities of the body, to out from at on
    inertia(q, iq, R, p, b, M, k)                         the block of M at M[k], by rows
    applied_forces(q, v, iq, iv, R, p, b, g, M, k, Q)     adds gravity, velocity-dependent and own elastic and damping
                                                          forces to Q; M is known
    power(q, v, iq, iv, p, b)                 → watts     of its own forces that have no potential, such as damping
    intrinsic_rows(q, iq, p, b, Phi, C, i, k)             its intrinsic rows, from row i on, data of C from k on
    intrinsic_Gamma(v, iv, p, b, Gamma, i)                Γ of its intrinsic rows
    coordinate_rates(q, v, iq, iv, p, b, out)             q̇ of the body
    advance(q, iq, d, iv, p, b, out)                      q moved by a displacement d in the directions of v
    displacement_rates(d, v, iq, iv, p, b, out)           ḋ of a body that is displaced by d and has the velocities v

A body has as many velocities as ``units`` says: a rigid one 3 or 6, one that bends has a column for each elastic
coordinate besides.  J, M and the forces may depend on q.  ``local[f]`` are the parameters of a frame and ``p[b]`` those
of a body, as many as its kind needs; plain functions make them from the model, and convert position, orientation and
twist to q and v and back.  ``advance`` replaces d by the displacement that it made: where q + d would deform a rigid
body, that is the one to the nearest rigid pose.  ``fields`` of a kind are the entries of its bodies in a model
file besides those of all bodies; they are found in ``body.parameters``.

The elastic coordinates of a body are the last of its q, and their rates the last of its v.  A kind that bends has
fields for both, so that a model can say how a body is bent at the start: ``coordinates`` leads from the fields to q and
v, ``fields_of`` back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from reactio.arrays import Floats
from reactio.catalogue.fields import Choice, Field, Matrix, Mirrored, Number, Numbers, Vector
from reactio.catalogue.places import End
from reactio.catalogue.registry import Registry
from reactio.errors import ModelError, ReactioError, did_you_mean
from reactio.kernels import Kernel, kernel

BODIES: Registry[BodyKind] = Registry("kind of body", "reactio.bodies")
# Keys that every body may have in a model file.
COMMON_FIELDS = (
    "kind", "mass", "inertia", "position", "orientation", "angle", "velocity", "angular_velocity", "center", "elements",
    "points", "axes", "frames", "flexible", "temperature", "expansion", "shapes",
)  # fmt: skip
# Types of further fields that a kind of body can add: constants, and no functions of time.
BODY_FIELDS = (Number, Numbers, Matrix, Vector, Choice)
# Velocities of a rigid motion, by space and whether the body turns.
RIGID_MOTIONS = {("planar", False): 2, ("planar", True): 3, ("spatial", False): 3, ("spatial", True): 6}


class BodyState(NamedTuple):
    """Position, orientation and velocities of a body at some instants, world axes; leading axes as those of q, v."""

    position: Floats  # (…, 2 or 3) of the body origin [m]
    orientation: Floats  # (…, 1 or 4) angle [rad] or unit quaternion; (…, 0) for a point
    velocity: Floats  # (…, 2 or 3) [m/s]
    angular_velocity: Floats  # (…, 1 or 3) [rad/s]; (…, 0) for a point


@kernel
def no_orientation(q: Floats, iq: int, R: Floats, b: int) -> None:
    """No orientation is kept: frames need none."""


@kernel
def no_intrinsic_rows(q: Floats, iq: int, p: Floats, b: int, Phi: Floats, C: Floats, i: int, k: int) -> None:
    """No intrinsic rows: the coordinates of the body are independent of each other."""


@kernel
def no_intrinsic_Gamma(v: Floats, iv: int, p: Floats, b: int, Gamma: Floats, i: int) -> None:
    """No intrinsic rows, hence no Γ."""


def no_row_labels(body: Any) -> tuple[tuple[str, str], ...]:
    """No intrinsic rows, hence no labels and units."""
    return ()


def no_carrier(body: Any, end: End) -> int | None:
    """No velocities of the body are those of the origin of a frame."""
    return None


def no_potential(body: Any, q: Floats, gravity: Floats) -> float:
    """No potential besides that of the weight."""
    return 0.0


def no_check(body: Any, path: tuple[str, ...]) -> None:
    """Nothing to check beyond each field by itself."""


def no_elastic_fields(body: Any, q: Floats, v: Floats) -> dict[str, Any]:
    """No elastic coordinates: position, orientation and velocities determine q and v."""
    return {}


def no_elastic_names(body: Any) -> tuple[str, ...]:
    """Elastic coordinates without names are numbered."""
    return ()


@kernel
def no_power(q: Floats, v: Floats, iq: int, iv: int, p: Floats, b: int) -> float:
    """All forces of the body itself have a potential."""
    return 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Port:
    """A body kind in the plane or in space: kernels, and functions that convert between them and the model."""

    units: Callable[[Any], tuple[str, ...]]  # of the velocities of a body; their number is that of its columns of C
    pose: Kernel[..., Any]
    velocity: Kernel[..., Any]
    columns: Kernel[..., Any]
    inertia: Kernel[..., Any]
    applied_forces: Kernel[..., Any]
    coordinate_rates: Kernel[..., Any]
    advance: Kernel[..., Any]
    displacement_rates: Kernel[..., Any]
    parameters: Callable[[Any], Any]  # p of a body
    local: Callable[[Any, End], Any]  # parameters of a frame on a body
    coordinates: Callable[[Any], tuple[Any, Any]]  # q and v of a body as the model gives it
    body_state: Callable[[Any, Floats, Floats], BodyState]  # (body, q, v) → its position, orientation and velocities
    difference: Callable[[Floats, Floats], Floats]  # difference of two q of a body, up to full turns
    orientation: Kernel[..., Any] = no_orientation
    intrinsic_rows: Kernel[..., Any] = no_intrinsic_rows
    intrinsic_Gamma: Kernel[..., Any] = no_intrinsic_Gamma
    intrinsic: Callable[[Any], tuple[tuple[str, str], ...]] = no_row_labels  # labels and units of its intrinsic rows
    # First of the velocities of a body that are those of the origin of a frame; None where no element of it is there.
    carrier: Callable[[Any, End], int | None] = no_carrier
    # Beside that of its weight at the centre of mass of a rigid body [J], by body, q and gravity.
    potential: Callable[[Any, Floats, Floats], float] = no_potential
    power: Kernel[..., Any] = no_power
    # (body, q, v) → the fields of its kind that hold its elastic coordinates and their rates.
    fields_of: Callable[[Any, Floats, Floats], Mapping[str, Any]] = no_elastic_fields
    elastic: Callable[[Any], tuple[str, ...]] = no_elastic_names  # names of its elastic coordinates


@dataclass(frozen=True, slots=True)
class BodyKind:
    """A kind of body with its two ports and the checks of its fields in a model."""

    name: str
    ports: Mapping[str, Port]  # by space
    check_inertia: Callable[[Any, tuple[str, ...]], None]
    check_elements: Callable[[Any, tuple[str, ...]], None]
    turns: bool  # has an orientation
    doc: str
    fields: tuple[Field, ...] = ()  # of its bodies in a model file, besides those of all bodies
    check: Callable[[Any, tuple[str, ...]], None] = no_check  # of its fields, by body and its place in a model
    # Pose, twist, mass, inertia and fields describe it completely; without fields natural coordinates can describe it.
    rigid: bool = False
    mirrored: Mirrored | None = None  # how its fields look in a mirror; None: no mirrored sub-assembly may hold it
    exact: bool = False  # no constant in its kernels is rounded: on fractions they give exact results, or raise
    internal: bool = False  # made where a model is compiled: no list, drawing or file shows its bodies

    def elastic(self, space: str, body: Any) -> dict[str, str]:
        """Names and units of the elastic coordinates of a body: all those beyond a rigid motion."""
        port = self.ports[space]
        units, rigid = port.units(body), RIGID_MOTIONS[space, self.turns]
        count = 0 if self.rigid else max(0, len(units) - rigid)
        names = port.elastic(body) or tuple(str(k + 1) for k in range(count))
        if not len(names) == len(set(names)) == count:
            raise ReactioError(
                f"kind of body '{self.name}': `elastic` gives the names {', '.join(names)}; body '{body.name}' has "
                f"{count} elastic coordinates, each with a name of its own."
            )
        return dict(zip(names, (u.removesuffix("/s") for u in units[len(units) - len(names) :]), strict=True))


def register(kind: BodyKind) -> BodyKind:
    """Make a kind of body known by its name, where its fields are such as a body can have and its functions kernels."""
    for port in kind.ports.values():
        for function in fields(Port):
            if "Kernel" in str(function.type) and not isinstance(getattr(port, function.name), Kernel):
                raise ReactioError(
                    f"kind of body '{kind.name}': `{function.name}` is not a kernel; put `@kernel` before it."
                )
    if twice := [name for name, count in Counter(field.name for field in kind.fields).items() if count > 1]:
        raise ReactioError(f"kind of body '{kind.name}': two fields are called '{twice[0]}'.")
    for field in kind.fields:
        if not isinstance(field, BODY_FIELDS):
            known = ", ".join(type_.__name__ for type_ in BODY_FIELDS)
            raise ReactioError(
                f"kind of body '{kind.name}': '{field.name}' is a {type(field).__name__}, which is not a field of a "
                f"body; use {known}."
            )
        if getattr(field, "dimension", "number") in ("any", "effort"):
            raise ReactioError(
                f"kind of body '{kind.name}': the dimension of '{field.name}' follows from a joint coordinate, "
                f"and a body has none; state the dimension."
            )
        if field.name in COMMON_FIELDS:
            raise ReactioError(f"kind of body '{kind.name}': every body has '{field.name}'; choose another name.")
    return BODIES.add(kind.name, kind)


def unknown_kind(name: str) -> str:
    """A sentence on an unknown kind of body, with the known kinds."""
    known = [kind for kind in BODIES if not BODIES.get(kind).internal]
    near = did_you_mean(name, known)
    hint = near if near.startswith(" Did") else ""
    return (
        f"there is no kind of body '{name}'; there are {', '.join(known)}.{hint} A kind from outside the package "
        f"is known once its file has been imported."
    )


def refuse(message: str, *path: str) -> None:
    """Refuse the inertia, the elements or the fields of a body."""
    raise ModelError(message, path)


def no_elements(body: Any, path: tuple[str, ...]) -> None:
    """Only natural bodies are described by elements."""
    if body.elements:
        refuse(f"body '{body.name}' is {body.kind} and has no elements; give `kind: natural`.", *path, "elements")
