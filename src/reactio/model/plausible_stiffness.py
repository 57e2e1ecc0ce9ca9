"""Stiffnesses and sections that are possible but probably mistaken by their units."""

from __future__ import annotations

import math
from collections.abc import Iterator

from reactio.catalogue.units import quantity
from reactio.errors import listed
from reactio.model.coordinates import units_of_misfits
from reactio.model.elastic import COMPONENTS, turning
from reactio.model.model import Model
from reactio.model.specs import Coupling, Drive, Elastic, Joint

MODULUS_OF_STEEL = 2.1e11  # [Pa]
DIAMOND = 1.2e12  # E of diamond, the largest of all materials [Pa]
DENSEST_SOLID = 22_600.0  # osmium [kg/m³]
MOST_NAMED = 4  # parts in a remark

Remarks = Iterator[tuple[str, str]]  # the subject of each remark, and its reason with the numbers


def stiff_parts(model: Model, size: float) -> Remarks:
    """Stiffnesses above those of a steel cube as large as the mechanism, E L along a line and E L³ about an axis."""
    if not size:
        return
    cubes = {"N/m": MODULUS_OF_STEEL * size, "N m/rad": MODULUS_OF_STEEL * size**3}
    stiff = [given for given in _stiffnesses(model) if math.isfinite(given[1]) and given[1] > cubes[given[2]]]
    if stiff:
        part, k, unit = max(stiff, key=lambda given: given[1] / cubes[given[2]])
        names = listed([f"'{name}'" for name in dict.fromkeys(name for name, _, _ in stiff)], most=MOST_NAMED)
        yield (
            f"stiffness of {names}",
            f"that of '{part}' is {quantity(k, unit, 3)}, {k / cubes[unit]:.3g} times that of a solid steel cube as "
            f"large as the mechanism, {quantity(size, 'm', 3)}; a rigid part needs none",
        )


def _stiffnesses(model: Model) -> Iterator[tuple[str, float, str]]:
    """Every stiffness along a line or about an axis, with the name of its part and its unit."""
    misfits = units_of_misfits(model.space, model.joints, model.drives, model.couplings)
    parts: tuple[Joint | Drive | Coupling, ...] = (*model.joints, *model.drives, *model.couplings)
    for part in parts:
        for k, turns in _diagonal(part.elastic, model.space, misfits.get(part.name) == "rad"):
            yield part.name, k, "N m/rad" if turns else "N/m"
    for contact in model.contacts:
        yield contact.name, contact.parameters.get("stiffness") or 0.0, "N/m"


def _diagonal(elastic: Elastic, space: str, turns: bool) -> Iterator[tuple[float, bool]]:
    """Each stiffness along one component, and whether it is about an axis."""
    given, names = elastic.stiffness, COMPONENTS[space]
    if len(given) == 1:
        yield given[0], turns
    else:
        values = given if len(given) == len(names) else given[:: len(names) + 1]
        yield from ((k, turning(name)) for name, k in zip(names, values, strict=False))


def wide_beams(model: Model) -> Remarks:
    """Beams that are higher than long: no section with A and I is lower than 2 √(I/A)."""
    beams = [body for body in model.bodies if body.flexible is not None and body.flexible.kind == "beam"]
    if not beams:
        return
    from reactio.model.structure import describe
    from reactio.structures.kinds.beam import segments

    for body in beams:
        parts = segments(describe(body, model.materials))
        ends = [point for part in parts for point in (part.a, part.b)]
        span = max(math.dist(p, q) for p in ends for q in ends)
        height = max(2 * math.sqrt(max(part.section.Iy, part.section.Iz) / part.section.A) for part in parts)
        if height > span:
            yield (
                f"section of '{body.name}'",
                f"it is at least {quantity(height, 'm', 3)} high, and the beam {quantity(span, 'm', 3)} long",
            )


def extreme_materials(model: Model) -> Remarks:
    """Materials stiffer than diamond or denser than osmium."""
    for name, material in model.materials.items():
        if material.E > DIAMOND:
            known = f"diamond, the stiffest material, has {quantity(DIAMOND, 'N/m²', 3)}"
            yield f"E of '{name}'", f"it is {quantity(material.E, 'N/m²', 3)}; {known}"
        if material.density > DENSEST_SOLID:
            known = f"osmium, the densest, has {quantity(DENSEST_SOLID, 'kg/m³', 3)}"
            yield f"density of '{name}'", f"it is {quantity(material.density, 'kg/m³', 3)}; {known}"
