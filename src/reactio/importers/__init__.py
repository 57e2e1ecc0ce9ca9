"""Mechanisms from the files of other programs: one format in each file or folder of ``formats``, the registry.

file ─read→ Mechanism ─weld→ ─assemble→ Closure ─→ Model with the precision of the file, and a report
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from reactio.catalogue.registry import Registry
from reactio.importers.mechanism import Mechanism

# Options that have an effect on files of certain formats only.
OF_SOME_FORMATS = ("loops", "pose", "units", "free", "linearise", "limits_as_couplings", "hinges", "deactivated")

FORMATS: Registry[Format] = Registry("file format", "reactio.importers.formats")
register = FORMATS.register


@dataclass(frozen=True, slots=True)
class Options:
    """Options of an import; on the command line each has the same name."""

    loops: Path | None = None  # a file with closed loops next to a tree (URDF)
    pose: str | None = None  # name of a keyframe (MJCF), or a time of the stored motion [s] (asmt)
    units: str | None = None  # unit of length of a format that has none: m, mm, cm, in
    keep_fixed: bool | None = None  # fixed joints stay joints; None: the default of the format
    free: bool = False  # the root of a tree floats instead of being ground (URDF)
    drives: bool = False  # motions and position actuators become drives
    stops: bool = False  # ranges of joints become end stops
    linearise: bool = False  # couplings that are not linear are meant by their slope at the pose: no warning
    limits_as_couplings: bool = False  # tendons with a narrow range are taken as couplings
    hinges: bool = False  # two connects between the same bodies are taken as one hinge (MJCF)
    deactivated: bool = False  # joints that are switched off in the file are taken too (FreeCAD)
    precision: float | None = None  # of placements over the characteristic length; None: that to which the loops close
    tolerance: float | None = None  # of placements [m]
    density: float | None = None  # of bodies whose mass is that of their mesh [kg/m³]
    geometry: bool = False  # masses are left out
    mend_inertia: bool = False  # an inertia that no body can have is replaced by the nearest possible one
    packages: dict[str, Path] = field(default_factory=dict)  # folders of package:// and model:// names
    planar: bool = False  # a mechanism of one plane becomes a planar model
    anywhere: bool = False  # meshes and includes may lie outside the folder of the model


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how it is recognised, and the function that reads it."""

    name: str
    suffixes: tuple[str, ...]
    tags: tuple[str, ...]  # root tags of XML, or beginnings of a text
    read: Callable[[Path, Options], Mechanism]
    doc: str
    options: tuple[str, ...] = ()  # which of OF_SOME_FORMATS it reads
