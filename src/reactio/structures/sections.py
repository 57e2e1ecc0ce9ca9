"""Cross-sections of beams: area, second moments, torsion constant and shear areas."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, did_you_mean


@dataclass(frozen=True, slots=True)
class Section:
    """A cross-section about its centroid; y and z are its principal axes, z the height."""

    A: float  # area [m²]
    Iy: float  # second moment about y: bending in the plane of z [m⁴]
    Iz: float  # [m⁴]
    J: float  # torsion constant [m⁴]
    ky: float = math.inf  # shear coefficient κ along y: shear stiffness κ G A; inf for no shear deformation
    kz: float = math.inf


def tube(outer: float, inner: float, nu: float = 0.3) -> Section:
    """A round tube by its diameters [m]; κ of Cowper 1966, which depends on Poisson's ratio ν."""
    if not outer > inner:
        raise ReactioError(
            f"a tube of {quantity(outer, 'm')} has no room for a bore of {quantity(inner, 'm')}: the outer diameter "
            "comes first."
        )
    A = math.pi / 4 * (outer**2 - inner**2)
    second = math.pi / 64 * (outer**4 - inner**4)
    m = inner / outer
    kappa = 6 * (1 + nu) * (1 + m * m) ** 2 / ((7 + 6 * nu) * (1 + m * m) ** 2 + (20 + 12 * nu) * m * m)
    return Section(A, second, second, 2 * second, kappa, kappa)


def rod(diameter: float, nu: float = 0.3) -> Section:
    """A solid round bar by its diameter [m]."""
    return tube(diameter, 0.0, nu)


def box(width: float, height: float, wall: float = 0.0) -> Section:
    """A rectangle, along y and z [m], or a hollow one with a wall; a wall of half its width leaves nothing hollow."""
    if 2 * wall > min(width, height):
        size = f"{quantity(width, 'm')} × {quantity(height, 'm')}"
        raise ReactioError(f"a box of {size} has no room for two walls of {quantity(wall, 'm')}.")
    if wall == 0.0 or 2 * wall == min(width, height):
        a, b = max(width, height) / 2, min(width, height) / 2
        J = a * b**3 * (16 / 3 - 3.36 * b / a * (1 - b**4 / (12 * a**4)))  # Roark, table 10.7
        return Section(width * height, width * height**3 / 12, height * width**3 / 12, J, 5 / 6, 5 / 6)
    b, h = width - 2 * wall, height - 2 * wall
    A = width * height - b * h
    Iy, Iz = (width * height**3 - b * h**3) / 12, (height * width**3 - h * b**3) / 12
    J = 2 * wall * (width - wall) ** 2 * (height - wall) ** 2 / (width + height - 2 * wall)  # Bredt
    return Section(A, Iy, Iz, J, 2 * wall * width / A, 2 * wall * height / A)


def i_beam(height: float, width: float, web: float, flange: float) -> Section:
    """An I of height along z and width along y, with its two thicknesses [m]; shear by web and flanges alone."""
    if web > width or 2 * flange > height:
        raise ReactioError(
            f"an I of height {quantity(height, 'm')} and width {quantity(width, 'm')} has no room for a web of "
            f"{quantity(web, 'm')} and flanges of {quantity(flange, 'm')}: its sizes are height, width, web, flange."
        )
    h = height - 2 * flange
    A = 2 * width * flange + h * web
    Iy = (width * height**3 - (width - web) * h**3) / 12
    Iz = (2 * flange * width**3 + h * web**3) / 12
    J = (2 * width * flange**3 + h * web**3) / 3
    return Section(A, Iy, Iz, J, 2 * flange * width / A * 5 / 6, web * height / A)


NAMED: Mapping[str, tuple[Callable[..., Section], int, int]] = {
    "tube": (tube, 2, 2),
    "rod": (rod, 1, 1),
    "box": (box, 2, 3),
    "I": (i_beam, 4, 4),
}
ROUND_SECTIONS = ("tube", "rod")
SECTION_NUMBERS = {
    "A": "A",
    "Iy": "Iy",
    "I_y": "Iy",
    "Iz": "Iz",
    "I_z": "Iz",
    "J": "J",
    "kappa": "kappa",
    "ky": "ky",
    "kz": "kz",
}


def section(given: Any, what: str, nu: float = 0.3) -> Section:
    """A section by name and dimensions, ``{tube: [0.03, 0.026]}``, or by its numbers, ``{A: …, Iy: …, Iz: …, J: …}``.

    Shear of round sections depends on Poisson's ratio ν; one by numbers does not shear unless it has a κ.

    >>> round(section({"rod": 0.02}, "").A * 1e6, 3)
    314.159
    """
    if not isinstance(given, Mapping):
        raise ReactioError(
            f"{what}: section is {given!r}; write {{rod: 0.02}}, {{tube: [0.03, 0.026]}} or its numbers."
        )
    if len(given) == 1 and next(iter(given)) in NAMED:
        ((name, sizes),) = given.items()
        values = tuple(sizes) if isinstance(sizes, tuple | list) else (sizes,)
        make, least, most = NAMED[name]
        if not all(isinstance(x, int | float) for x in values):
            raise ReactioError(f"{what}: section {name} takes {least} positive lengths; {list(values)} is given.")
        positive = values[:1] if name == "tube" else values[:least]
        if not least <= len(values) <= most or any(not x > 0 for x in positive) or min(values) < 0:
            raise ReactioError(f"{what}: section {name} takes {least} positive lengths; {list(values)} is given.")
        try:
            return make(*values, **({"nu": nu} if name in ROUND_SECTIONS else {}))
        except ReactioError as error:
            raise ReactioError(f"{what}: {error}") from None
    unknown = [key for key in given if key not in SECTION_NUMBERS]
    if unknown:
        raise ReactioError(
            f"{what}: section has no field '{unknown[0]}'.{did_you_mean(unknown[0], (*NAMED, *SECTION_NUMBERS))}"
        )
    wrong = [key for key, value in given.items() if not isinstance(value, int | float)]
    if wrong:
        raise ReactioError(f"{what}: section: {wrong[0]} is {given[wrong[0]]!r}; it is a number.")
    numbers = {SECTION_NUMBERS[key]: float(value) for key, value in given.items()}
    kappa = numbers.pop("kappa", math.inf)
    missing = [key for key in ("A", "Iy", "Iz", "J") if key not in numbers]
    if missing:
        raise ReactioError(f"{what}: section needs {', '.join(missing)}, or one of {', '.join(NAMED)}.")
    wrong = [key for key, value in {**numbers, "kappa": kappa}.items() if not value > 0]
    if wrong:
        raise ReactioError(f"{what}: section: {wrong[0]} must be positive.")
    return Section(**{"ky": kappa, "kz": kappa, **numbers})
