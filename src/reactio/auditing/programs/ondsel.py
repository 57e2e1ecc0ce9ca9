"""Reactions that FreeCAD's solver stored in an .asmt file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.auditing import AuditedProgram, BodyAcceleration, ProgramWrench, Reported, register
from reactio.catalogue.places import GROUND, End
from reactio.constraint_matrix import GroupKind
from reactio.errors import ModelError
from reactio.functions.constant import Constant
from reactio.importers import Options
from reactio.importers.conversion.closure import LARGEST_MISFIT
from reactio.importers.formats.asmt import AsmtReader, asmt_reader, at_time, on_principal_axes
from reactio.importers.formats.asmt.series import Series, read_series
from reactio.importers.mechanism import Mechanism
from reactio.importers.pipeline import Imported, ImportReport, from_mechanism
from reactio.importers.pose import Pose
from reactio.model.model import Model
from reactio.model.specs import Force
from reactio.operating_system.files import read_text
from reactio.system.compile.build import build
from reactio.system.equations import equations

ONDSEL_REASON = (
    "Ondsel drops redundant equations by elimination where its run starts: as many multipliers as there are redundant "
    "equations become zero, moments before forces. Where some are as good as others, renaming joints changes which "
    "ones, and with them arbitrary numbers."
)
TOOTH_FORCES = (
    "Forces between the teeth of gears and racks are taken as the file gives them; they are not judged, but the "
    "bearings are, with these forces as loads."
)
SOLVER_ACCELERATION_ERROR = 1e-6  # part of the largest acceleration: convergence of the solver and printed digits


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
    reader = asmt_reader(path, text, Options(units=units), placeholders=True)
    given = reader.mechanism()
    mechanism, first = (at_time(given, reader.paths, series, at, reader.unit) for at in (t, series.times[0]))
    found = _model(mechanism, reader, path)
    _refuse_open_pose(found.report, t, path)
    model, start = found.model, _model(first, reader, path).model
    poses = {part.name: part.pose for part in mechanism.parts}
    unit, bodies, accelerations = reader.unit, [], {}
    for body in model.bodies:
        path_of_part = reader.paths[body.name]
        v, w, a, alpha = (
            series.of_part(path_of_part, [word + axis for axis in "XYZ"], k) for word in ("V", "Omega", "A", "Alpha")
        )
        arm = poses[body.name].R @ reader.principal.get(body.name, Pose()).r
        velocity = unit * v + np.cross(w, arm)
        bodies.append(replace(body, velocity=tuple(velocity), angular_velocity=tuple(w)))
        linear = unit * a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        accelerations[body.name] = BodyAcceleration(linear, alpha)
    paths = {name: path for path, name in reader.joints.items()}
    wrenches = {}
    for joint in mechanism.joints:
        # Torques count about marker I; in files older than OndselSolver those of translational joints about marker J,
        # as the balance of rods shows.
        of_j = joint.type == "prismatic" and not series.by_ondsel
        on, frame = (joint.b, joint.frame_b) if of_j else (joint.a, joint.frame_a)
        marker = poses[on] @ frame if on in poses else frame
        force, torque = _on_marker_i(series, paths[joint.name], k)
        wrenches[joint.name] = ProgramWrench(
            marker.r, -unit * force, -(unit**2) * torque
        )  # what is on I is minus that on J
    tooth_force_warning = tuple(
        load
        for coupling in mechanism.couplings
        for load in _tooth_forces(coupling.name, reader, poses, series, paths[coupling.name], k)
    )
    posed = replace(model, bodies=tuple(bodies), forces=(*model.forces, *tooth_force_warning))
    notes = ((TOOTH_FORCES,) if tooth_force_warning else ()) + _inconsistent_motion(posed, accelerations)
    return Reported("Ondsel", posed, wrenches, accelerations, ONDSEL_REASON, t, notes, rule="ondsel", start_model=start)


def _model(mechanism: Mechanism, reader: AsmtReader, path: Path) -> Imported:
    """The model with bodies in their principal axes, on which the split by Ondsel depends."""
    options = Options(drives=True, keep_fixed=True)
    return from_mechanism(on_principal_axes(mechanism, reader.principal), options, path)


def _inconsistent_motion(model: Model, accelerations: dict[str, BodyAcceleration]) -> tuple[str, ...]:
    """A note where the stored accelerations violate the constraints, |C v̇ − Γ| > 0.

    Reactions may balance the loads all the same.  Rows of drives are left out: their functions may not be in the file.
    """
    eqs = equations(build(model))
    stored = np.concatenate([np.concatenate(accelerations[body.name]) for body in model.bodies])
    rows = np.abs(eqs.C @ stored - eqs.Gamma)
    size = max(float(np.abs(stored).max(initial=0.0)), float(np.abs(eqs.Gamma).max(initial=0.0)))
    groups = [group for group in eqs.system.groups if group.kind in (GroupKind.JOINT, GroupKind.COUPLING)]
    off = {group.name: float(rows[group.start : group.stop].max(initial=0.0)) for group in groups}
    worst = max(off, key=lambda name: off[name], default="")
    if not worst or off[worst] <= SOLVER_ACCELERATION_ERROR * size:
        return ()
    return (
        f"The accelerations in the file violate '{worst}' by {off[worst]:.3g}, of {size:.3g} at most (SI units): they "
        "are not those of this mechanism. Reactions are compared with them, and a confirmed one is only as right as "
        "they are.",
    )


def _refuse_open_pose(report: ImportReport, t: float, path: Path) -> None:
    """Refuse a stored pose in which joints are open: it would be closed first, and have other reactions."""
    worst = max(report.gaps, key=lambda gap: gap.before, default=None)
    if worst is not None and worst.before > LARGEST_MISFIT * report.length:
        raise ModelError(
            f"the motion that is stored for t = {t:g} s leaves joint '{worst.name}' open by {worst.before:.3g} m: it "
            "is no motion of this mechanism, and its reactions cannot be judged.",
            place=str(path),
        )


def _tooth_forces(
    name: str, reader: AsmtReader, poses: dict[str, Pose], series: Series, path: str, k: int
) -> Iterator[Force]:
    """Stored forces between the teeth of gears and racks: on the part of marker I, and the opposite on that of J."""
    (a, at), (b, _) = reader.meshing[name]
    point = (poses[a] @ at if a in poses else at).r
    force, torque = (reader.unit**n * x for n, x in zip((1, 2), _on_marker_i(series, path, k), strict=True))
    for part, sign in ((a, 1.0), (b, -1.0)):
        if part == GROUND:
            continue
        frame = poses[part] @ reader.principal.get(part, Pose())
        own = Pose(frame.R.T @ (point - frame.r))
        at_part = End(part, tuple(own.r), own.quaternion)
        yield Force(f"{name} on {part}", "force", {"at": at_part, "force": _constants(sign * force), "axes": "world"})
        yield Force(
            f"torque of {name} on {part}", "torque",
            {"at": at_part, "torque": _constants(sign * torque), "axes": "world"},
        )  # fmt: skip


def _constants(values: Floats) -> tuple[Constant, ...]:
    return tuple(Constant(float(x)) for x in values)


def _on_marker_i(series: Series, path: str, k: int) -> tuple[Floats, Floats]:
    """Stored force and torque (3,) on the part of marker I, in the units of the file."""
    force, torque = (series.of_joint(path, [f"{word}{axis}onI" for axis in "XYZ"], k) for word in "FT")
    return force, torque


ONDSEL = register(AuditedProgram("ondsel", accepts, read, "a path of an .asmt file with stored reactions."))
