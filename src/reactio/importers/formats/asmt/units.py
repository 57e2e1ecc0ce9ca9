"""Units of length that files without units are read in."""

from __future__ import annotations

from reactio.errors import ReactioError, did_you_mean

LENGTH_UNITS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "in": 0.0254, "ft": 0.3048}


def length_unit(given: str | None, default: str) -> tuple[float, str]:
    """The unit in metres and its name.

    >>> length_unit(None, "mm")
    (0.001, 'mm')
    """
    name = given or default
    if name not in LENGTH_UNITS:
        raise ReactioError(f"--units {name}: it is not a known unit of length.{did_you_mean(name, LENGTH_UNITS)}")
    return LENGTH_UNITS[name], name
