"""Reactions that FreeCAD's solver stored in an .asmt file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.auditing import AuditedProgram, ProgramWrench, Reported, register
from reactio.errors import ModelError
from reactio.files import read_text
from reactio.importers import Options
from reactio.importers.formats.asmt import at_time, opened
from reactio.importers.pipeline import from_mechanism
from reactio.importers.series import read_series

REASON = (
    "Ondsel drops redundant equations by elimination, in the order of the names of joints: as many moments as there "
    "are redundant equations become zero. Renaming joints changes which ones, and with them every arbitrary number."
)


def accepts(given: Any) -> bool:
    """Is it the path of an .asmt file?"""
    return isinstance(given, Path) and given.suffix.lower() == ".asmt"


def read(path: Path, t: float | None = None, units: str | None = None) -> Reported:
    """The stored state at a time, the first when left out."""
    text = read_text(path)
    series = read_series(text, str(path))
    t = series.times[0] if t is None else t
    k = series.index(t)
    # The solver worked with the masses of the file, placeholders or not.
    reader = opened(path, text, Options(units=units), placeholders=True)
    mechanism = at_time(reader.mechanism(), reader.paths, series, t, reader.unit)
    model = from_mechanism(mechanism, Options(drives=True, keep_fixed=True), path).model
    unit, moving, accelerating = reader.unit, {}, {}
    for body in model.bodies:
        own = series.parts[reader.paths[body.name]]
        moving[body.name] = (unit * _vector(own, "V", k), _vector(own, "Omega", k))
        accelerating[body.name] = (unit * _vector(own, "A", k), _vector(own, "Alpha", k))
    bodies = tuple(
        replace(body, velocity=tuple(moving[body.name][0]), angular_velocity=tuple(moving[body.name][1]))
        for body in model.bodies
    )
    names = {name: joint for joint, name in reader.joints.items()}
    poses = {part.name: part.pose for part in mechanism.parts}
    wrenches = {}
    for link in mechanism.links:
        stored = series.joints.get(names[link.name])
        if stored is None:
            raise ModelError(f"no reactions of joint '{link.name}' are stored in the file.", place=str(path))
        # Torques count about marker I; those of translational joints about marker J, as the balance of rods shows.
        on, frame = (link.b, link.frame_b) if link.type == "prismatic" else (link.a, link.frame_a)
        marker = poses[on] @ frame if on in poses else frame
        force = np.array([stored[f"F{axis}onI"][k] for axis in "XYZ"])
        torque = np.array([stored[f"T{axis}onI"][k] for axis in "XYZ"])
        wrenches[link.name] = ProgramWrench(
            marker.r, -unit * force, -(unit**2) * torque
        )  # what is on I is minus that on J
    return Reported("Ondsel", replace(model, bodies=bodies), wrenches, accelerating, REASON, t, rule="ondsel")


def _vector(own: dict[str, tuple[float, ...]], word: str, k: int) -> Floats:
    return np.array([own[f"{word}{axis}"][k] for axis in "XYZ"])


ONDSEL = register(AuditedProgram("ondsel", accepts, read, "a path of an .asmt file with stored reactions."))
