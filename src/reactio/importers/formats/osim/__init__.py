"""OpenSim models (.osim): bodies, joints with coordinate functions, and constraints, by the standard library."""

from __future__ import annotations

from pathlib import Path

from reactio.importers import Format, Options, register
from reactio.importers.formats.osim.reader import OsimReader
from reactio.importers.mechanism import Mechanism
from reactio.importers.reading.xml import parse_xml


def read(path: Path, options: Options) -> Mechanism:
    """The model at the default values of its coordinates."""
    return OsimReader(parse_xml(path.read_bytes(), str(path)), str(path)).mechanism()


OSIM = register(Format("osim", (".osim",), ("OpenSimDocument",), read, "Models of OpenSim, as of version 4."))
