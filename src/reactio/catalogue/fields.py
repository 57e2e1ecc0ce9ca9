"""Fields: what an entry of a model may say, as data; reading, writing and the schema follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactio.errors import ReactioError, did_you_mean

# How the fields of an entry look in a mirror: by their values and the signs (3,) of vectors along x, y and z in it, −1
# along the normal of the mirror; those that change, by name.  Angles and other axial components have the opposite sign.
Mirrored = Callable[[Mapping[str, Any], tuple[float, ...]], Mapping[str, Any]]

# Exponents of length, angle, mass, time, force.  Force is a unit of its own, so that a file in mm still has newtons.
DIMENSIONS: Mapping[str, tuple[int, int, int, int, int]] = {
    "number": (0, 0, 0, 0, 0),
    "any": (0, 0, 0, 0, 0),  # length or angle, by the joint coordinate that the entry names
    "effort": (0, 0, 0, 0, 0),  # force or torque, likewise
    "length": (1, 0, 0, 0, 0),
    "angle": (0, 1, 0, 0, 0),
    "mass": (0, 0, 1, 0, 0),
    "time": (0, 0, 0, 1, 0),
    "inertia": (2, 0, 1, 0, 0),
    "velocity": (1, 0, 0, -1, 0),
    "angular velocity": (0, 1, 0, -1, 0),
    "acceleration": (1, 0, 0, -2, 0),
    "force": (0, 0, 0, 0, 1),
    "torque": (1, 0, 0, 0, 1),
    "stiffness": (-1, 0, 0, 0, 1),
    "damping": (-1, 0, 0, 1, 1),
    "per velocity": (-1, 0, 0, 1, 0),
    "mass per length": (-1, 0, 1, 0, 0),
    "mass per area": (-2, 0, 1, 0, 0),
    "torsional stiffness": (1, -1, 0, 0, 1),
    "torsional damping": (1, -1, 0, 1, 1),
    "bending stiffness": (2, 0, 0, 0, 1),
    "force per angle": (0, -1, 0, 0, 1),
    "pressure": (-2, 0, 0, 0, 1),
    "density": (-3, 0, 1, 0, 0),
    "area": (2, 0, 0, 0, 0),
    "second moment of area": (4, 0, 0, 0, 0),
}

REQUIRED: Any = type("Required", (), {"__repr__": lambda self: "REQUIRED"})()


@dataclass(frozen=True, slots=True)
class Field:
    """A named value of an entry; ``default`` REQUIRED means that it must be given."""

    name: str
    doc: str
    default: Any = REQUIRED

    def __post_init__(self) -> None:
        dimension = getattr(self, "dimension", "number")
        if dimension not in DIMENSIONS:
            raise ReactioError(
                f"field '{self.name}': there is no dimension '{dimension}'.{did_you_mean(dimension, DIMENSIONS)}"
            )


@dataclass(frozen=True, slots=True)
class Number(Field):
    """A number of a physical dimension; default None leaves it to the given pose."""

    dimension: str = "number"
    positive: bool = False
    nonzero: bool = False


@dataclass(frozen=True, slots=True)
class Numbers(Field):
    """A list of numbers of one dimension.

    ``size`` is how many there must be: a number, or a function of all fields of the entry; any number when left out.
    """

    dimension: str = "number"
    size: int | Callable[[Mapping[str, Any]], int] | None = None


@dataclass(frozen=True, slots=True)
class Matrix(Field):
    """Rows of numbers, all of the same length and dimension; in SI units where their dimensions differ."""

    dimension: str = "number"
    size: tuple[int, int] | None = None  # rows and columns, any when left out


@dataclass(frozen=True, slots=True)
class Vector(Field):
    """A vector of the plane (2) or of space (3)."""

    dimension: str = "length"


@dataclass(frozen=True, slots=True)
class Law(Field):
    """A function of time t, of a coordinate s and of its rate.

    s is the joint coordinate of the field before it, or of the first one that follows; in kinds without such a field it
    is a length or an angle, as ``of`` says.  ``dimension`` "effort" is a force along a length, a torque about an angle.
    """

    dimension: str = "effort"
    of: str = "length"


@dataclass(frozen=True, slots=True)
class LawVector(Field):
    """A vector whose components are functions of time; a single one where the plane has but one (a torque)."""

    dimension: str = "force"
    axial: bool = False


@dataclass(frozen=True, slots=True)
class Place(Field):
    """A frame on a body: ``body``, ``body.point``, or a mapping with body, point and axes."""


@dataclass(frozen=True, slots=True)
class Coordinate(Field):
    """A joint coordinate: ``joint`` or ``joint.coordinate``; ``unit`` restricts it to lengths (m) or angles (rad)."""

    unit: str = ""


@dataclass(frozen=True, slots=True)
class Coordinates(Field):
    """A list of joint coordinates."""

    units: tuple[str, ...] = ()  # of each, "" for any; () for any number of any
    least: int = 2  # how many there must be


@dataclass(frozen=True, slots=True)
class Choice(Field):
    """One of a few words."""

    options: tuple[str, ...] = ()


def unchanged(fields: Mapping[str, Any], signs: tuple[float, ...]) -> Mapping[str, Any]:
    """A mirror image has the same fields: numbers without a direction or a sense of rotation."""
    return {}
