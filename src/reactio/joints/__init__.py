"""Joints: tables over primitives, one file each; the folders are the registries.

A joint connects frame A on one body with frame B on another.  Its rows are combinations of measures that must keep
their target; its freedoms are what remains: rows + freedoms = 3 in the plane, 6 in space.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reactio.catalogue.fields import Number
from reactio.catalogue.marks import Glyph
from reactio.catalogue.places import SPACE_SIZES
from reactio.catalogue.registry import Registry
from reactio.constraint_matrix import GroupKind
from reactio.primitives import PRIMITIVES_BY_SPACE, Combination, Measure, Scaled

PLANAR_JOINTS: Registry[JointType] = Registry("planar joint", "reactio.joints.planar")
SPATIAL_JOINTS: Registry[JointType] = Registry("spatial joint", "reactio.joints.spatial")
JOINTS_BY_SPACE = {"planar": PLANAR_JOINTS, "spatial": SPATIAL_JOINTS}
NO_GLYPH = Glyph()  # a joint without a picture of its own is drawn as its verdict alone


TENSION = "N"  # the one component of a rod, cable or strut, positive for tension
ALONG_MEMBER = "Fx"  # the same as a force on the second body, along the axis from A to B: Fx = −N
# Those of wheels: along the pitch circles, turning B counter-clockwise; on the line of centres, pushing B away from A.
TANGENTIAL_FORCE, RADIAL_FORCE = "Ft", "Fr"


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint equation: a combination of measures equals its target."""

    combination: Combination
    target: str = ""  # name of the parameter it must equal, or its negative where the row is a depth; "" for zero
    label: str = ""  # name of the row; that of its first measure when empty
    unilateral: bool = False  # acts one way only, λ ≥ 0: its value is a depth, −gap, which falls where it opens

    @property
    def sign(self) -> float:
        """−1 where the row is a depth, −gap, as that of a contact or a strut: its target is minus the parameter."""
        factor = self.combination.terms[0][0]
        return -1.0 if self.unilateral and isinstance(factor, float) and factor < 0.0 else 1.0

    @property
    def name(self) -> str:
        """What the row is called in tables and on the command line."""
        return self.label or self.combination.label


@dataclass(frozen=True, slots=True)
class Freedom:
    """A motion that the joint leaves: its name, its coordinate where there is one, and its twist where it is fixed."""

    name: str
    coordinate: Combination | None = None  # can be driven, measured, loaded by a spring
    axis: str = ""  # axis of the relative twist of B against A at the origin of B; "" when it depends on the pose
    on: str = "A"  # whose axis
    rotates: bool = True  # rotation about the axis or translation along it
    advance: str = ""  # parameter: translation per full turn along the same axis


@dataclass(frozen=True, slots=True)
class JointType:
    """A kind of joint; registering it is all that is needed to use it everywhere."""

    name: str
    space: str
    rows: tuple[Row, ...]
    free: tuple[Freedom, ...]
    doc: str
    parameters: tuple[Number, ...] = ()
    cite: tuple[str, ...] = ()
    glyph: Glyph = NO_GLYPH  # what it looks like
    # Axes of the reaction that point along the force (or moment) of a row: ((axis, row), …).  Left out, the axes are
    # those of frame A; a joint that holds along another line, as a rod or a knife edge does, is one number in these.
    axes: tuple[tuple[str, int], ...] = ()
    teeth: tuple[str, ...] = ()  # of wheels about both origins: Ft along the pitch circles, Fr on the line of centres
    aliases: tuple[str, ...] = ()  # words of the workshop and of other programs that a model file may write instead
    shop: str = ""  # what a workshop builds it from, or calls it: floating bearing

    def __post_init__(self) -> None:
        size = SPACE_SIZES[self.space].twist
        if len(self.rows) + len(self.free) != size:
            raise ValueError(f"Joint '{self.name}': rows + freedoms must be {size}.")
        for name, coordinate in self.coordinates.items():
            if len(coordinate.terms) != 1 or coordinate.terms[0][0] != 1.0:
                raise ValueError(f"Joint '{self.name}': the coordinate '{name}' must be a single measure.")

    @property
    def is_member(self) -> bool:
        """Is it a rod, cable or strut between two points, whose one force is along the line of its ends?"""
        return len(self.rows) == 1 and self.glyph.link and any(p.name == "length" for p in self.parameters)

    @property
    def line_labels(self) -> tuple[str, ...]:
        """The components in its own axes of a part that has one force: tension of a member, tooth force of wheels."""
        if self.teeth:
            return self.teeth
        return (TENSION,) if self.is_member and (self.is_one_way or not self.rows[0].unilateral) else ()

    @property
    def is_one_way(self) -> bool:
        """Is it a cable or strut: a member with a section, whose force has one sign?  A contact of two discs is not."""
        return self.is_member and self.rows[0].unilateral and any(p.name == "EA" for p in self.parameters)

    @property
    def pulls(self) -> bool:
        """Does it only pull, as a cable does?"""
        return self.is_one_way and self.rows[0].sign > 0.0

    @property
    def kind(self) -> GroupKind:
        """``joint``, or ``nonholonomic`` when no row exists at position level."""
        holonomic = any(row.combination.holonomic for row in self.rows)
        return GroupKind.JOINT if holonomic else GroupKind.NONHOLONOMIC

    def unit_of(self, row: Row) -> str:
        """Unit of a row, that of its first measure: m or rad, and m where a length multiplies an angle."""
        factor, measure = row.combination.terms[0]
        lengths = {p.name for p in self.parameters if p.dimension == "length"}
        return "m" if isinstance(factor, Scaled) and factor.parameter in lengths else measure.primitive.unit

    @property
    def holds_a_point(self) -> bool:
        """Do its rows keep a point of B on one of A, so that they may be written in world axes too?"""
        held = {"xyz"[m.k] for row in self.rows if not row.target for m in _slides(row.combination)}
        return len(held) == SPACE_SIZES[self.space].vector

    @property
    def rows_in_world(self) -> tuple[Row, ...]:
        """The rows with those that hold the point along world axes: e·(r_B − r_A) = 0 instead of a·(r_B − r_A) = 0.

        Wojtyra & Frączek 2013, Eq. 40; the two sets span the same space where the points meet.
        """
        return tuple(self._in_world(row) for row in self.rows)

    def _in_world(self, row: Row) -> Row:
        along = PRIMITIVES_BY_SPACE[self.space].get("world_offset")
        slides = () if row.target else _slides(row.combination)
        return replace(row, combination=along("xyz"[slides[0].k])) if slides else row

    @property
    def coordinates(self) -> dict[str, Combination]:
        """The coordinates that can be driven or loaded, by name."""
        return {f.name: f.coordinate for f in self.free if f.coordinate is not None}


def _slides(combination: Combination) -> tuple[Measure, ...]:
    """The measure of a row that is the displacement of B along one axis of A, and nothing else."""
    (factor, measure), *others = combination.terms
    return (measure,) if not others and factor == 1.0 and measure.primitive.name == "slide" else ()


def register(joint: JointType) -> JointType:
    """Make a joint type known by its name and its aliases."""
    return JOINTS_BY_SPACE[joint.space].add(joint.name, joint, joint.aliases)
