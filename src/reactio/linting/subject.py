"""The file that rules look at: its text, its elements, its model, and the verdicts on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reactio.errors import ReactioError
from reactio.operating_system.files import read_text

if TYPE_CHECKING:
    from reactio.importers.conversion.closure import ClosureGap
    from reactio.importers.reading.xml import XmlElement
    from reactio.model.model import Model
    from reactio.model.notes import Note
    from reactio.uniqueness import Solvability

YAML_SUFFIXES = (".yaml", ".yml")


@dataclass(eq=False)
class Subject:
    """A file under review; what rules ask for is worked out once, when it is first asked for."""

    path: Path

    @cached_property
    def text(self) -> str:
        """Its text; empty for an archive."""
        try:
            return read_text(self.path)
        except ReactioError:
            return ""

    @cached_property
    def xml(self) -> XmlElement | None:
        """The root element of an XML file; None for other files."""
        if not self.text.lstrip().startswith("<"):
            return None
        from reactio.importers.reading.xml import parse_xml

        return parse_xml(self.text, str(self.path))

    @cached_property
    def _read(self) -> tuple[Model, tuple[ClosureGap, ...], float]:
        """The model, the joints that the file leaves open, and its characteristic length [m]."""
        if self.path.suffix.lower() in YAML_SUFFIXES:
            from reactio.model.files.read import read_model

            model = read_model(self.path)
            return model, *_open_joints(model)
        from reactio.importers.pipeline import import_file

        imported = import_file(self.path)
        return imported.model, imported.report.gaps, imported.report.length

    @property
    def model(self) -> Model:
        """The model of the file."""
        return self._read[0]

    @property
    def gaps(self) -> tuple[ClosureGap, ...]:
        """Joints that stand open in the pose of the file, the widest first."""
        return self._read[1]

    @property
    def length(self) -> float:
        """Characteristic length of the mechanism [m]."""
        return self._read[2]

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on elements that were left out or interpreted."""
        return self.model.notes

    @cached_property
    def answer(self) -> Solvability | None:
        """The verdicts on the model; None where it has no joints or cannot be assembled."""
        from reactio.diagnosis.check import check

        try:
            return check(self.model)
        except ReactioError:
            return None

    def line_of(self, name: str) -> int | None:
        """The line of an element, or of a key of YAML, that has this name; None where it is not known.

        A closure without a name of its own is called after what it connects, ``loop left~right``: the line is that of
        the first of these.
        """
        pieces = name.rpartition(" ")[2].split("~")
        places = (self._position(part) for part in dict.fromkeys((name, *pieces)) if part)
        position = next((place for place in places if place is not None), None)
        return None if position is None else self.text.count("\n", 0, position) + 1

    def _position(self, name: str) -> int | None:
        """Where a name is given in the text."""
        from reactio.importers.reading.names import original_names

        if self.xml is not None:
            pattern = rf'(?<=name=["\']){original_names(name)}(?=["\'])'
        elif self.path.suffix.lower() in YAML_SUFFIXES:
            pattern = rf'^\s*["\']?{re.escape(name)}["\']?\s*:'
        else:
            pattern = rf"\b{original_names(name)}\b"
        match = re.search(pattern, self.text, re.MULTILINE)
        return match.end() if match else None


def _open_joints(model: Model) -> tuple[tuple[ClosureGap, ...], float]:
    """The joints that the given pose of our own model leaves open, angles times L, and L; none without equations."""
    from reactio.importers.conversion.closure import ClosureGap
    from reactio.kinematics.assemble import gaps
    from reactio.system.compile.build import build
    from reactio.system.equations import equations

    try:
        eqs = equations(build(model))
    except ReactioError:
        return (), 0.0
    L = eqs.system.length
    return tuple(ClosureGap(gap.name, gap.size * (1.0 if gap.unit == "m" else L), 0.0) for gap in gaps(eqs)), L
