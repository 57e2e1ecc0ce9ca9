"""Contacts: kinds of surfaces that may touch, one file each; the folder is the registry.

A contact has a gap, a measure of its two sides less what their radii take of it.  Closed, it is a joint with one row
that can only push, 0 ≤ λ; open, it is nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from reactio.catalogue.fields import Number
from reactio.catalogue.registry import Registry


@dataclass(frozen=True, slots=True)
class ContactType:
    """A kind of contact in the plane or in space, and the joint that it is when closed."""

    name: str
    space: str
    joint: str  # its row is a depth, −gap
    surface: str  # key of side a in a model file: a plane with its normal, a line, or a centre
    body: str  # key of side b: a point or a centre; its plural, with s, for several at once
    radii: tuple[Number, ...]  # their sum is the least distance
    doc: str
    normal: bool = True  # has side a a normal?
    rough: str = ""  # the joint that it is when closed by friction too; "" where there is none
    axis: bool = False  # has side b an axis, z of its frame?
    length: Number | None = None  # side b touches at two ends along that axis, so far apart
    numbers: tuple[Number, ...] = ()  # of its shape: handed to the parameters of its joints that have the same names

    @property
    def fields(self) -> tuple[Number, ...]:
        """Every number that a contact of this kind may say."""
        return (*self.radii, *([self.length] if self.length else []), *self.numbers, *CONTACT_FIELDS)

    @property
    def reach(self) -> str:
        """The parameter of the joint that the radii make: that of a ball on a plane, or the distance of two."""
        return "radius" if self.normal else "length"


CONTACTS: Registry[ContactType] = Registry("contact", "reactio.contacts")
register = CONTACTS.register
# What every contact may say.
CONTACT_FIELDS = (
    Number("restitution", "Fraction of the approach speed after an impact, 0 … 1.", 0.0),
    Number("friction", "Coefficient of Coulomb friction, 0 or more.", 0.0),
    Number("stiffness", "Force per depth: the contact yields; 0 for a rigid one.", 0.0, "stiffness"),
    Number("damping", "χ of f = k δ (1 + χ δ̇) in a motion, with a stiffness.", 0.0, "per velocity"),
    Number("adhesion", "Largest tension the surfaces can carry; only 0 is supported.", 0.0, "force"),
)
