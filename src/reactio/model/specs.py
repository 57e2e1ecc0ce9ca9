"""The frozen parts of a model: bodies, joints, drives, couplings, forces, events.  All numbers are SI."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any

from reactio.bodies.elements import ElementKind
from reactio.catalogue.places import GROUND, CoordinateName, End, ReactionAxes
from reactio.catalogue.units import Units
from reactio.errors import ReactioError, did_you_mean
from reactio.functions import Function
from reactio.model.accuracy import Accuracy
from reactio.model.frozen import FrozenMap
from reactio.model.notes import Note
from reactio.structures.material import Material


def _numbers(given: Any) -> tuple[float, ...]:
    """A tuple of floats from a number, a sequence or an array."""
    if isinstance(given, Iterable):
        return tuple(map(float, given))
    return (float(given),)


def _plain(given: Any) -> Any:
    """Numbers of any library as floats, alone or in a sequence; texts, places and functions as they are."""
    if isinstance(given, Real):
        return float(given)
    if isinstance(given, Iterable) and not isinstance(given, str):
        return tuple(_plain(x) for x in given)
    return given


def _parameters(given: Mapping[str, Any]) -> FrozenMap[Any]:
    return FrozenMap({name: _plain(value) for name, value in given.items()})


def _convert(part: object, form: Callable[[Any], Any], *names: str) -> None:
    """Bring fields of a frozen part, as they are given, to their one form."""
    for name in names:
        object.__setattr__(part, name, form(getattr(part, name)))


@dataclass(frozen=True, slots=True)
class Marker:
    """A named frame on a body."""

    point: tuple[float, ...] = ()  # in body axes [m]
    orientation: tuple[float, ...] = ()  # against the body: (angle [rad],) or unit quaternion

    def __post_init__(self) -> None:
        _convert(self, _numbers, "point", "orientation")


@dataclass(frozen=True, slots=True)
class Element:
    """What describes a natural body: a point or a unit vector fixed on it."""

    kind: str  # a point or a vector: see ElementKind
    at: tuple[float, ...]  # in body axes [m]; a vector is brought to length 1

    def __post_init__(self) -> None:
        at = _numbers(self.at)
        size = math.hypot(*at)
        if self.kind == ElementKind.VECTOR and 0 < size < math.inf and abs(size - 1) > 1e-12:
            at = tuple(x / size for x in at)
        object.__setattr__(self, "at", at)


@dataclass(frozen=True, slots=True)
class Elastic:
    """Stiffness, misfit and preload of a joint, drive or coupling: rows then read Φ = W λ + δ.

    ``stiffness``: () rigid; (k,) of the one row there is; [kx, ky, kz, krx, kry, krz] or a 6 × 6 matrix by rows (in the
    plane [kx, ky, krz] or 3 × 3) in the axes of frame A at the origin of B; inf along a direction that is rigid.
    ``misfit``: how far the seat on body a stands off its nominal place, by component: x, y, z, about_x, about_y,
    about_z, or ``along`` for drives and couplings.  ``preload``: what the joint does to body b along such a component
    when nothing is loaded.  ``temperature``: rise over that of assembly, of a rod that is a joint.  ``play``: clearance
    on the radius by direction; ``fit`` must say so where one is negative.
    """

    stiffness: tuple[float, ...] = ()  # [N/m, N m/rad, N/rad]
    misfit: Mapping[str, float] = field(default_factory=FrozenMap)  # [m, rad]
    preload: Mapping[str, float] = field(default_factory=FrozenMap)  # [N, N m]
    temperature: float = 0.0  # [K]
    expansion: float | None = None  # coefficient of thermal expansion [1/K]
    play: Mapping[str, float] = field(default_factory=FrozenMap)  # [m, rad]
    fit: str = ""

    def __post_init__(self) -> None:
        rows = self.stiffness if isinstance(self.stiffness, Iterable) else (self.stiffness,)
        flat = [x for row in rows for x in (row if isinstance(row, Iterable) else (row,))]
        object.__setattr__(self, "stiffness", _numbers(flat))
        for name in ("misfit", "preload", "play"):
            values = {key: float(value) for key, value in getattr(self, name).items()}
            object.__setattr__(self, name, FrozenMap(values))


RIGID = Elastic()


@dataclass(frozen=True, slots=True)
class Flexible:
    """How a body bends: a kind of structure (beam, plate, mesh, matrices, superelement, split) and its fields.

    ``interfaces``: name → what holds the structure there, for structures that have nodes.  ``modes``: which vibrate in
    a simulation: ``count`` of them or those ``up_to`` a frequency [Hz], with ``damping`` ratio or ``beta`` [s].
    """

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=FrozenMap)
    material: str = ""  # name of a material of the model
    interfaces: Mapping[str, Any] = field(default_factory=FrozenMap)
    modes: Mapping[str, Any] = field(default_factory=FrozenMap)  # count or up_to, damping or beta; () for none
    modal: Any = field(default=None, compare=False, repr=False)  # the modes themselves, found where it is built

    def __post_init__(self) -> None:
        _convert(self, _deep, "parameters", "interfaces", "modes")


def _deep(given: Any) -> Any:
    """Mappings and sequences of any depth as frozen ones; numbers of any library as floats."""
    if isinstance(given, Mapping):
        return FrozenMap({key: _deep(value) for key, value in given.items()})
    if isinstance(given, Real):
        return float(given)
    if isinstance(given, Iterable) and not isinstance(given, str):
        return tuple(_deep(x) for x in given)
    return given


@dataclass(frozen=True, slots=True)
class Shape:
    """A surface that drawings show of a body: its file, where it stands in body axes, and its scale."""

    file: str
    position: tuple[float, ...] = (0.0, 0.0, 0.0)  # [m]
    orientation: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)  # unit quaternion, scalar first
    scale: tuple[float, ...] = (1.0, 1.0, 1.0)  # metres for a unit of the file, along its axes

    def __post_init__(self) -> None:
        _convert(self, _numbers, "position", "orientation", "scale")


@dataclass(frozen=True, slots=True)
class Body:
    """A body: its inertia, where it is and how it moves at the start.

    The mass may be None in a model that is only about geometry.  ``inertia`` is about the centre of mass in body axes:
    (J,) in the plane, (xx, yy, zz, xy, xz, yz) or (xx, yy, zz) in space.
    """

    name: str
    mass: float | None = None  # [kg]
    inertia: tuple[float, ...] = ()  # [kg m²]
    position: tuple[float, ...] = ()  # of the body origin in world axes [m]
    orientation: tuple[float, ...] = ()  # (angle [rad],) or unit quaternion, scalar first
    velocity: tuple[float, ...] = ()  # of the body origin in world axes [m/s]
    angular_velocity: tuple[float, ...] = ()  # world axes [rad/s]
    center: tuple[float, ...] = ()  # centre of mass in body axes [m]
    kind: str = "rigid"  # name of the body kind: rigid, point, natural …
    points: Mapping[str, tuple[float, ...]] = field(default_factory=FrozenMap)  # named points, body axes [m]
    axes: Mapping[str, tuple[float, ...]] = field(default_factory=FrozenMap)  # named directions, body axes
    frames: Mapping[str, Marker] = field(default_factory=FrozenMap)  # named frames
    elements: tuple[Element, ...] = ()  # of a natural body; its origin and axes when left out
    parameters: Mapping[str, Any] = field(default_factory=FrozenMap)  # what its kind asks for besides
    flexible: Flexible | None = None  # how it bends; None for a rigid one
    temperature: float = 0.0  # rise over that of assembly [K]
    expansion: float | None = None  # coefficient of thermal expansion [1/K]; that of its material when left out
    shapes: tuple[Shape, ...] = ()  # surfaces that drawings show

    def __post_init__(self) -> None:
        _convert(self, _numbers, "inertia", "position", "orientation", "velocity", "angular_velocity", "center")
        if self.mass is not None:
            object.__setattr__(self, "mass", float(self.mass))
        for name in ("points", "axes"):
            values = {key: _numbers(value) for key, value in getattr(self, name).items()}
            object.__setattr__(self, name, FrozenMap(values))
        _convert(self, FrozenMap, "frames")
        _convert(self, tuple, "elements", "shapes")
        _convert(self, _parameters, "parameters")


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint between frame a on one body and frame b on another."""

    name: str
    type: str  # name of a registered joint type
    a: End
    b: End
    parameters: Mapping[str, float | None] = field(default_factory=FrozenMap)
    elastic: Elastic = RIGID
    capacity: Mapping[str, float] = field(default_factory=FrozenMap)  # largest force [N] and moment [N m] it bears
    bearing: Mapping[str, float | str] = field(default_factory=FrozenMap)  # its type, geometry, clearance and ratings
    rows: ReactionAxes = ReactionAxes.JOINT  # axes in which the equations that hold its point are written
    # Of a cable or strut in a compiled model: it bears there, and is a row in any pose the model is compiled in again.
    holds: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        _convert(self, _parameters, "parameters", "capacity", "bearing")


@dataclass(frozen=True, slots=True)
class Drive:
    """A joint coordinate that follows a function of time."""

    name: str
    along: CoordinateName
    function: Function  # [m or rad]
    elastic: Elastic = RIGID


@dataclass(frozen=True, slots=True)
class Coupling:
    """A linear equation between joint coordinates."""

    name: str
    type: str  # name of a registered coupling type
    along: tuple[CoordinateName, ...]
    parameters: Mapping[str, Any] = field(default_factory=FrozenMap)
    elastic: Elastic = RIGID

    def __post_init__(self) -> None:
        _convert(self, _parameters, "parameters")


@dataclass(frozen=True, slots=True)
class Force:
    """A load of a registered force type with its fields."""

    name: str
    type: str
    parameters: Mapping[str, Any] = field(default_factory=FrozenMap)

    def __post_init__(self) -> None:
        _convert(self, _parameters, "parameters")


@dataclass(frozen=True, slots=True)
class Event:
    """Something to look for along a run: a zero crossing of an expression in coordinates, or of a Python function.

    ``when`` is a text such as "A.angle - pi/2" or "D.translation.rate", with t, joint coordinates, body positions and
    their rates; or, for ``simulate`` only, a function of a ``EventState``: ``lambda now: now["A.angle"] - 1``.
    """

    name: str
    when: str | Callable[[Any], float]
    direction: str = "both"  # rising, falling or both
    action: str = "record"  # record, or stop the run
    constants: tuple[tuple[str, float], ...] = ()  # names in the text and their values
    length_scale: float = 1.0  # unit of length of the text [m]
    angle_scale: float = 1.0  # unit of angle of the text [rad]


@dataclass(frozen=True, slots=True)
class Stop:
    """An end stop: a joint coordinate may not leave lower … upper.

    At a limit its rate becomes −e times what it was, e = ``restitution``; None ends the run there.
    """

    name: str
    along: CoordinateName
    lower: float | None = None  # [m or rad]
    upper: float | None = None  # [m or rad]
    restitution: float | None = None  # 0 … 1

    def __post_init__(self) -> None:
        _convert(self, _plain, "lower", "upper", "restitution")


@dataclass(frozen=True, slots=True)
class Contact:
    """Points or centres of bodies that may touch a surface of another: they push each other apart, and never pull."""

    name: str
    type: str  # name of a registered kind of contact
    surface: End  # its normal is z of the frame, y in the plane; or the centre of a sphere or disc
    points: tuple[End, ...]  # what may touch it
    parameters: Mapping[str, float] = field(default_factory=FrozenMap)  # radii, restitution, friction
    single: bool = False  # one point, called as the contact is; else they are numbered

    def __post_init__(self) -> None:
        _convert(self, tuple, "points")
        _convert(self, _parameters, "parameters")

    @property
    def seats(self) -> tuple[str, ...]:
        """Names that tolerances may use: the contact, for all of its points, and each point that has a number."""
        numbered = () if self.single else (f"{self.name}{k}" for k in range(1, len(self.points) + 1))
        return (self.name, *numbered)


@dataclass(frozen=True)
class ModelParts:
    """The parts of a mechanism as given; completed and checked, they become a ``Model``."""

    name: str
    space: str  # "planar" or "spatial"
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    drives: tuple[Drive, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    forces: tuple[Force, ...] = ()
    gravity: tuple[float, ...] = ()  # [m/s²]
    ground: Body = field(default_factory=lambda: Body(GROUND))  # only its named points, axes and frames count
    drop: tuple[str, ...] = ()  # equations that are left out: B.z, or the name of a joint or drive that has one
    share_points: bool = False  # natural bodies share the points of their joints: refused, no reactions are left
    title: str = ""
    cite: str = ""
    parameters: Mapping[str, float] = field(default_factory=FrozenMap)  # as the file named them, for the record
    events: tuple[Event, ...] = ()  # what to look for along a run
    stops: tuple[Stop, ...] = ()
    contacts: tuple[Contact, ...] = ()
    materials: Mapping[str, Material] = field(default_factory=FrozenMap)
    accuracy: Accuracy | None = None  # of the places and axes of its joints
    tolerances: Mapping[str, Mapping[str, float]] = field(default_factory=FrozenMap)  # joint or body → kind → ± [m …]
    costs: Mapping[str, float] = field(default_factory=FrozenMap)  # of changing a joint, or of a new type
    source: str = field(default="", compare=False)  # file it came from
    units: Units = field(default=Units(), compare=False, repr=False)  # of that file, in which answers are written
    notes: tuple[Note, ...] = ()  # on that file: left out, merged, not understood

    def __post_init__(self) -> None:
        _convert(self, _deep, "tolerances", "costs")

    @cached_property
    def body_index(self) -> Mapping[str, int]:
        """Place of each body by its name."""
        return {body.name: i for i, body in enumerate(self.bodies)}

    @cached_property
    def joint_index(self) -> Mapping[str, int]:
        """Place of each joint by its name."""
        return {joint.name: i for i, joint in enumerate(self.joints)}

    def body(self, name: str) -> Body:
        """The body of that name; ``ground`` is one too."""
        if name == GROUND:
            return self.ground
        if name not in self.body_index:
            raise ReactioError(f"There is no body '{name}'.{did_you_mean(name, self.body_index)}")
        return self.bodies[self.body_index[name]]

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        if name not in self.joint_index:
            raise ReactioError(f"There is no joint '{name}'.{did_you_mean(name, self.joint_index)}")
        return self.joints[self.joint_index[name]]
