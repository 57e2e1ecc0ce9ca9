"""From a file of another program to a model, with a report of everything that was done to it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.catalogue.places import GROUND
from reactio.errors import ModelError, ReactioError
from reactio.importers import Format, Options
from reactio.importers.conversion.closure import CLOSED_MISFIT, Closure, ClosureGap, closed
from reactio.importers.conversion.convert import PARALLEL_PRECISIONS, to_model
from reactio.importers.conversion.inertia import with_plain_inertia, with_possible_inertia, without_negligible_inertia
from reactio.importers.conversion.loops import loop_groups
from reactio.importers.conversion.planar import moves_in_one_plane, planar_model
from reactio.importers.conversion.screw_threads import with_closed_threads
from reactio.importers.conversion.weld import welded
from reactio.importers.mechanism import ImportedJoint, Mechanism, Part
from reactio.importers.options import check_options
from reactio.importers.pose import Pose, rotation
from reactio.importers.reading.meshes import drawn_shapes, with_masses_of_meshes
from reactio.importers.reading.xml import SLOW_BYTES
from reactio.importers.recognise import format_of
from reactio.linear.precision import GEOMETRY
from reactio.model.accuracy import Accuracy
from reactio.model.checks import LARGEST
from reactio.model.model import Model
from reactio.model.notes import Note, NoteKind, NoteTopic, folded
from reactio.operating_system.files import check_file, path_of
from reactio.operating_system.garbage import without_search_for_cycles
from reactio.results.as_data import Result, picked

# Joints whose two frames have a common z axis, and those of them with a common x axis too.
COMMON_Z_AXIS = (
    "revolute",
    "revolute-revolute",
    "revolute-cylindrical",
    "prismatic",
    "cylindrical",
    "screw",
    "thread",
    "planar",
    "fixed",
    "parallel-axes",
    "orientation",
)
COMMON_X_AXIS = ("prismatic", "fixed", "orientation")
MANY_PARTS = 5_000  # of a mechanism, above which a message announces the wait: three seconds for ten thousand parts
log = logging.getLogger("reactio")


@dataclass(frozen=True, slots=True, eq=False)
class ImportReport(Result):
    """The parts read, merged and left out, and how accurately the loops close."""

    KEYS = "file format read=counts precision length random_starts=starts gaps"

    file: str
    format: str
    counts: dict[str, int]  # of parts, joints, … in the file
    notes: tuple[Note, ...]
    gaps: tuple[ClosureGap, ...]  # of joints that are open in the file or after assembly, largest first
    precision: float  # misfit of the closed pose as part of the size
    length: float  # characteristic length [m]
    starts: int  # random poses from which open loops were closed

    @property
    def exact(self) -> bool:
        """Do all loops close to rounding?"""
        return self.precision <= CLOSED_MISFIT

    def of(self, kind: NoteKind | str) -> list[Note]:
        """The notes of one kind."""
        return [note for note in self.notes if note.kind == kind]

    def lines(self) -> list[str]:
        """The report in sentences."""
        counts = ", ".join(_counted(count, word[:-1]) for word, count in self.counts.items() if count)
        lines = [f"{Path(self.file).name} ({self.format}): {counts}."]
        closed = [gap for gap in self.gaps if gap.before > CLOSED_MISFIT * self.length]
        if closed:
            worst = max(closed, key=lambda gap: gap.before)
            lines.append(
                f"'{worst.name}' was open by {worst.before:.3g} m and was closed."
                if len(closed) == 1
                else f"{len(closed)} joints were open, '{worst.name}' most, by {worst.before:.3g} m; all were closed."
            )
        if self.exact:
            lines.append("All joints close to rounding.")
        else:
            lines.append(
                f"Read to {self.precision:.1g} of its size ({self.precision * self.length:.2g} m); "
                "axes closer than that count as parallel."
            )
        lines += [f"{note.kind}: {note}" for note in folded(self.notes) if note.kind is not NoteKind.MERGED]
        if merged := self.of(NoteKind.MERGED):
            listing = ", ".join(f"{note.what} {note.why}" for note in merged[:8])
            lines.append(f"merged {len(merged)}: {listing}{', …' if len(merged) > 8 else ''}")
        return lines

    def as_data(self) -> dict[str, Any]:
        """The report as data, for JSON."""
        notes = {str(kind): [picked(note, "what why") for note in self.of(kind)] for kind in NoteKind}
        return Result.as_data(self) | notes


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A model from a file of another program, with the report and the mechanism it was made from."""

    model: Model
    report: ImportReport
    mechanism: Mechanism
    as_given: Mechanism  # the same before its loops were closed


def import_file(path: str | Path, options: Options | None = None) -> Imported:
    """Read a mechanism of another program: MJCF, URDF, SDF, USD, OpenSim, FreeCAD, Ondsel, Adams or MBDyn.

    The model has the pose of the file, or the nearest one that closes its loops; ``report`` says what was merged and
    left out, and how accurately the loops close.

    >>> import reactio, tempfile
    >>> from reactio.exporters import export
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = export(reactio.load("four-bar-spatial"), f"{folder}/four-bar.urdf")
    ...     imported = import_file(files[0])
    >>> len(imported.model.joints), imported.report.exact
    (4, True)
    """
    path, options = path_of(path), options or Options()
    entry = format_of(path)
    check_options(options, entry, str(path))
    if path.is_file():
        _check_input(path)
    if path.is_file() and (size := path.stat().st_size) > SLOW_BYTES:
        log.info(f"{path.name}: {size / 2**20:.0f} MB are being read …")
    with without_search_for_cycles():
        return from_mechanism(_read(entry, path, options), options, path)


def _check_input(path: Path) -> None:
    try:
        check_file(path)
    except ReactioError as error:
        raise ModelError(str(error), place=str(path)) from None


def from_mechanism(mechanism: Mechanism, options: Options, path: Path) -> Imported:
    """The model of a mechanism: fixed joints welded, loops closed, axes parallel to the precision of its placements."""
    mechanism = _checked(
        with_masses_of_meshes(_without_masses(mechanism) if options.geometry else mechanism, path.parent, options),
        path,
        options,
    )
    counts = _counts(mechanism)
    if len(mechanism.parts) > MANY_PARTS:
        log.info(f"{path.name}: {len(mechanism.parts):,} parts are read; closing their joints and checking the model …")
    keep = mechanism.keep_fixed if options.keep_fixed is None else options.keep_fixed
    try:
        ready = _without_loose_parts(with_closed_threads(welded(_with_aligned_axes(mechanism), keep)), path)
        ready = _with_possible_inertia(ready, path, options.mend_inertia, mechanism.parts)
        return _imported(ready, counts, options, path)
    except ReactioError as error:
        if str(path) in str(error):
            raise
        raise type(error)(f"{path}: {error}") from None


def _read(entry: Format, path: Path, options: Options) -> Mechanism:
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that overflow are refused later, with their names
            return entry.read(path, options)
    except ModelError:
        raise
    except ReactioError as error:
        raise ModelError(str(error), place=str(path)) from None


def _imported(as_given: Mechanism, counts: dict[str, int], options: Options, path: Path) -> Imported:
    closure = closed(as_given)
    mechanism = without_negligible_inertia(closure.mechanism, closure.length)
    precision, accuracy = _precision(closure, options)
    shapes, left_out = ({}, []) if options.planar else drawn_shapes(mechanism, path.parent, options)
    notes = (*mechanism.notes, *left_out, *_notes(mechanism, options, precision))
    if options.planar:
        model = planar_model(mechanism, _in_plane(precision), accuracy, str(path), notes)
    else:
        model = to_model(
            mechanism, precision, accuracy, drives=options.drives, stops=options.stops, source=str(path),
            shapes=shapes, notes=notes,
        )  # fmt: skip
    shown = sorted(
        (gap for gap in closure.gaps if max(gap.before, gap.after) > CLOSED_MISFIT * closure.length),
        key=lambda g: -g.before,
    )
    report = ImportReport(
        str(path), mechanism.format, counts, notes, tuple(shown), precision, closure.length, closure.starts
    )
    return Imported(model, report, mechanism, as_given)


def _precision(closure: Closure, options: Options) -> tuple[float, Accuracy | None]:
    """The precision of placements, as part of the size, and the accuracy of the model.

    It is that of the options, else that of the file if its loops close to it, else that to which the loops close.
    """
    stated = closure.mechanism.accuracy
    closed_to = closure.precision if closure.precision > CLOSED_MISFIT else 0.0
    asked = options.precision if options.tolerance is None else options.tolerance / closure.length
    if asked is None and stated is not None and stated.length >= closed_to * closure.length:
        return stated.angle or stated.length / closure.length, stated
    precision = closed_to if asked is None else asked
    return precision, Accuracy(precision * closure.length, precision, stated=asked is not None) if precision else None


def _in_plane(precision: float) -> float:
    """Sine of the angle within which axes count as parallel or perpendicular to the plane of a mechanism."""
    return max(PARALLEL_PRECISIONS * precision, GEOMETRY)


def _counts(mechanism: Mechanism) -> dict[str, int]:
    return {
        "parts": len(mechanism.parts),
        "joints": len([joint for joint in mechanism.joints if not joint.closes_loop]),
        "loop closures": len([joint for joint in mechanism.joints if joint.closes_loop]),
        "couplings": len(mechanism.couplings),
        "motions": len(mechanism.motions),
        "loads": len(mechanism.loads),
        "ranges": len(mechanism.limits),
    }


def _notes(mechanism: Mechanism, options: Options, precision: float) -> list[Note]:
    notes = []
    unknown = [part.name for part in mechanism.parts if part.inertia is None]
    if unknown:
        some = ", ".join(f"'{name}'" for name in unknown[:5]) + (", …" if len(unknown) > 5 else "")
        notes.append(
            Note(
                NoteKind.WARNING,
                "masses",
                f"{len(unknown)} of {len(mechanism.parts)} parts have no known mass ({some}): the model is geometry "
                f"only, which is enough for verdicts; reactions need `mass` and `inertia` in the YAML",
                NoteTopic.MASS,
            )
        )
    if (free := [motion for motion in mechanism.motions if not motion.is_constraint]) and not options.drives:
        notes.append(Note(NoteKind.SKIPPED, _counted(len(free), "motion"), "left free; --drive takes them as drives"))
    if mechanism.limits and not options.stops:
        notes.append(
            Note(
                NoteKind.SKIPPED,
                _counted(len(mechanism.limits), "range") + " of joints",
                "--stops takes them as end stops",
            )
        )
    if options.planar:
        notes.append(
            Note(NoteKind.REMARK, "planar", "a model in the plane of its motion; forces along the normal are left out")
        )
    elif moves_in_one_plane(mechanism, _in_plane(precision)):
        can_be_planar = not mechanism.couplings and not mechanism.loads
        loops = any(len(group) > 1 for group in loop_groups(replace(mechanism, couplings=())).groups)
        why = "all axes are parallel and all motion is in one plane; it stays in space" + (
            ", where loops of parallel hinges are overconstrained" if loops else ""
        )
        more = ": --planar makes it a planar model" if can_be_planar else ""
        notes.append(Note(NoteKind.REMARK, "planar", why + more))
    return notes


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _without_masses(mechanism: Mechanism) -> Mechanism:
    """The mechanism without masses."""
    return replace(mechanism, parts=tuple(replace(part, inertia=None) for part in mechanism.parts))


def _checked(mechanism: Mechanism, path: Path, options: Options) -> Mechanism:
    """The mechanism with possible inertia; refused where it has no parts or joints, or numbers that are too large."""
    if not mechanism.parts:
        raise ModelError("holds no moving parts.", place=str(path))
    if not mechanism.joints:
        raise ModelError("holds no joints: there is no reaction to judge.", place=str(path))
    _check_poses("part", [part.name for part in mechanism.parts], [part.pose for part in mechanism.parts], path)
    names = [joint.name for joint in mechanism.joints]
    for frames in ([joint.frame_a for joint in mechanism.joints], [joint.frame_b for joint in mechanism.joints]):
        _check_poses("joint", names, frames, path)
    for joint in mechanism.joints:
        if joint.a == joint.b:
            raise ModelError(f"joint '{joint.name}' connects '{joint.a}' with itself.", place=str(path))
    return _with_possible_inertia(mechanism, path, options.mend_inertia)


def _check_poses(word: str, names: list[str], poses: list[Pose], path: Path) -> None:
    """Refuse poses that are not finite, or so far away that squares of their coordinates overflow."""
    far = np.abs(np.array([pose.r for pose in poses])).max(axis=1)
    finite = np.isfinite(np.array([pose.R for pose in poses])).all(axis=(1, 2))
    for k in np.flatnonzero(~((far <= LARGEST) & finite))[:1]:
        where = f"{far[k]:g} m away" if far[k] > LARGEST else "at a place that is not finite"
        raise ModelError(f"{word} '{names[k]}' is {where}; check its numbers and their unit.", place=str(path))


def _with_possible_inertia(mechanism: Mechanism, path: Path, mend: bool, checked: Iterable[Part] = ()) -> Mechanism:
    """The mechanism with possible inertia of all parts, but for those that are ``checked`` already."""
    done = {*checked, *with_plain_inertia(mechanism.parts)}
    judged = [(part, ()) if part in done else with_possible_inertia(part, str(path), mend) for part in mechanism.parts]
    notes = (note for _, about in judged for note in about)
    return replace(mechanism, parts=tuple(part for part, _ in judged)).with_notes(*notes)


def _without_loose_parts(mechanism: Mechanism, path: Path) -> Mechanism:
    """The mechanism without parts that have no joint, with notes; one note where nothing connects it to ground."""
    held = {name for joint in mechanism.joints for name in (joint.a, joint.b)}
    loose = dict.fromkeys(part.name for part in mechanism.parts if part.name not in held)
    notes = [
        Note(NoteKind.SKIPPED, f"free body '{name}'", "no joint holds it; its 6 freedoms are not counted")
        for name in loose
    ]
    if GROUND not in held:
        notes.append(
            Note(
                NoteKind.WARNING, "ground", "nothing is connected to ground: the mechanism floats, with 6 more freedoms"
            )
        )
    parts = tuple(part for part in mechanism.parts if part.name in held)
    if not parts:
        raise ModelError("holds no joints between moving parts: there is no reaction to judge.", place=str(path))
    loads = tuple(x for x in mechanism.loads if not any(part in loose for part, _ in x.frames.values()))
    return replace(mechanism, parts=parts, loads=loads, notes=(*mechanism.notes, *notes))


def _with_aligned_axes(mechanism: Mechanism) -> Mechanism:
    """The mechanism with frames b rotated by 180° where their axes oppose those of frame a, as joints admit."""
    R = {part.name: part.pose.R for part in mechanism.parts} | {GROUND: Pose().R}
    joints = mechanism.joints
    a = np.array([R[joint.a] for joint in joints]) @ np.array([joint.frame_a.R for joint in joints])
    b = np.array([R[joint.b] for joint in joints]) @ np.array([joint.frame_b.R for joint in joints])
    opposed = (a * b).sum(axis=1) < 0  # (k, 3): the x, y and z axes of both frames
    return replace(
        mechanism, joints=tuple(_aligned_joint(joint, *of) for joint, of in zip(joints, opposed.tolist(), strict=True))
    )


def _aligned_joint(joint: ImportedJoint, x: bool, y: bool, z: bool) -> ImportedJoint:
    """The joint with frame b rotated about its x axis where the z axes are opposed, then about z where the x axes are.

    A rotation about x keeps x, so that both can be decided beforehand.
    """
    if joint.type not in COMMON_Z_AXIS or joint.closes_loop:
        return joint
    frame = joint.frame_b
    if z:
        frame = frame @ Pose(np.zeros(3), rotation((1, 0, 0), np.pi))
    if x and joint.type in COMMON_X_AXIS:
        frame = frame @ Pose(np.zeros(3), rotation((0, 0, 1), np.pi))
    return joint if frame is joint.frame_b else replace(joint, frame_b=frame)
