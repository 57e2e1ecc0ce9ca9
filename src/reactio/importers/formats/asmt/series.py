"""Motion and reactions that Ondsel appends to an assembly: a named series for each part, joint and motion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError

SERIES_LINE = re.compile(r"\s*(\w*Series)\b[ \t]*(/\S.*?)?\s*$")


@dataclass(frozen=True, slots=True)
class Series:
    """Stored results: times [s] and, by path and name, the values at each time.

    Those of joints are FXonI … TZonI: force and torque on the part of marker I, about it, in world axes.
    """

    file: str
    times: tuple[float, ...]
    parts: dict[str, dict[str, tuple[float, ...]]] = field(default_factory=dict)
    joints: dict[str, dict[str, tuple[float, ...]]] = field(default_factory=dict)
    by_ondsel: bool = False  # was it written by OndselSolver, with tabs before paths, or by the program before it?

    def index(self, t: float) -> int:
        """The index of a time among the stored ones."""
        nearest = min(range(len(self.times)), key=lambda k: abs(self.times[k] - t))
        step = abs(self.times[1] - self.times[0]) if len(self.times) > 1 else 1.0
        if abs(self.times[nearest] - t) > 1e-6 * max(step, 1e-9):
            raise ModelError(
                f"no results are stored for t = {t:g} s; the nearest are at {self.times[nearest]:g} s "
                f"({self.times[0]:g} to {self.times[-1]:g} s, {len(self.times)} of them).",
                place=self.file,
            )
        return nearest

    def of_part(self, path: str, words: Sequence[str], k: int) -> Floats:
        """Values (3,) of the motion of a part at the k-th time, such as X, Y, Z; missing ones are an error."""
        return self._values(self.parts, "motion of part", path, words, k)

    def of_joint(self, path: str, words: Sequence[str], k: int) -> Floats:
        """Values (3,) of the reaction of a joint at the k-th time, such as FXonI, FYonI, FZonI."""
        return self._values(self.joints, "reaction of joint", path, words, k)

    def _values(
        self, table: dict[str, dict[str, tuple[float, ...]]], what: str, path: str, words: Sequence[str], k: int
    ) -> Floats:
        name = path.rpartition("/")[2] or path
        if path not in table:
            raise ModelError(f"the {what} '{name}' is not stored in the file.", place=self.file)
        rows = table[path]
        for word in words:
            if word not in rows:
                raise ModelError(f"the {what} '{name}' has no row '{word}' in the file.", place=self.file)
            if not k < len(rows[word]):
                count = f"{len(rows[word])} values for {len(self.times)} times"
                raise ModelError(f"the row '{word}' of the {what} '{name}' has {count}.", place=self.file)
        values = np.array([rows[word][k] for word in words])
        if not np.isfinite(values).all():
            raise ModelError(f"the {what} '{name}' has values that are not finite.", place=self.file)
        return values


def read_series(text: str, file: str) -> Series:
    """All series of a file but those of motions; the first value of each line belongs to the input and is left out.

    Some versions cut the class name (``luteJointESeries``) or put a tab before the path.
    """
    times: tuple[float, ...] = ()
    tables: dict[str, dict[str, dict[str, tuple[float, ...]]]] = {"Part": {}, "Joint": {}, "Motion": {}, "Assembly": {}}
    current: dict[str, tuple[float, ...]] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if match := SERIES_LINE.match(line):
            kind = next((k for k in ("Part", "Motion", "Assembly", "Joint") if k in match[1]), None)
            current = None
            if kind and match[2]:
                current = tables[kind].setdefault(match[2].strip(), {})
            elif match[1] == "TimeSeries":
                current = tables["Assembly"].setdefault("time", {})
            continue
        if current is None:
            continue
        key, _, rest = line.strip().partition("\t")
        if not key:
            continue
        try:
            values = tuple(float(word) for word in rest.replace("Input", "0").split())
        except ValueError:
            raise ModelError(
                f"series '{key}' holds something that is not a number.", place=f"{file}:{number}"
            ) from None
        if key.strip() in current:
            raise ModelError(
                f"a series has the row '{key.strip()}' twice: the line with the name of the second may be missing.",
                place=f"{file}:{number}",
            )
        current[key.strip()] = values[1:]
    times = tables["Assembly"].get("time", {}).get("Time", ())
    if not times:
        raise ModelError("holds no results: it has no TimeSeries. Run the simulation and save it again.", place=file)
    return Series(file, times, tables["Part"], tables["Joint"], "AssemblySeries\t" in text)
