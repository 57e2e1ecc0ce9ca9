"""From a file of another program to a model, with a report of everything that was done to it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.errors import ModelError, ReactioError
from reactio.files import path_of
from reactio.importers import Format, Options
from reactio.importers.closure import CLOSED_MISFIT, Closure, ClosureGap, closed
from reactio.importers.convert import to_model
from reactio.importers.inertia import with_possible_inertia, without_negligible_inertia
from reactio.importers.mechanism import Link, Mechanism, Note, Part
from reactio.importers.meshes import drawable, weighed
from reactio.importers.options import check_options
from reactio.importers.planar import in_one_plane, plane_model
from reactio.importers.pose import Pose, rotation
from reactio.importers.sniff import format_of
from reactio.importers.threads import with_threads
from reactio.importers.weld import welded
from reactio.importers.xml import SLOW_BYTES
from reactio.model.accuracy import Accuracy
from reactio.model.checks import LARGEST
from reactio.model.model import Model
from reactio.places import GROUND

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
MANY_PARTS = 5_000  # of a mechanism, above which a message tells that it takes seconds: three for ten thousand parts
log = logging.getLogger("reactio")


@dataclass(frozen=True, slots=True, eq=False)
class ImportReport:
    """What was read, merged and left out; how accurately the loops close; the names in the file."""

    file: str
    format: str
    counts: dict[str, int]  # of parts, joints, … in the file
    notes: tuple[Note, ...]
    gaps: tuple[ClosureGap, ...]  # of joints that are open in the file or after assembly, largest first
    precision: float  # misfit of the closed pose as part of the size
    length: float  # characteristic length [m]
    starts: int  # random poses that were tried

    @property
    def exact(self) -> bool:
        """Do all loops close to rounding?"""
        return self.precision <= CLOSED_MISFIT

    def of(self, kind: str) -> list[Note]:
        """The notes of one kind: merged, skipped, warning, said."""
        return [note for note in self.notes if note.kind == kind]

    def lines(self) -> list[str]:
        """The report in sentences."""
        counts = ", ".join(f"{count} {word}" for word, count in self.counts.items() if count)
        made = [f"{Path(self.file).name} ({self.format}): {counts}."]
        moved = [gap for gap in self.gaps if gap.before > CLOSED_MISFIT * self.length]
        if moved:
            worst = max(moved, key=lambda gap: gap.before)
            made.append(
                f"'{worst.name}' stood open by {worst.before:.3g} m; it was closed."
                if len(moved) == 1
                else f"{len(moved)} joints stood open, '{worst.name}' most, by {worst.before:.3g} m; all were closed."
            )
        if self.exact:
            made.append("All joints close to rounding.")
        else:
            made.append(
                f"Read to {self.precision:.1g} of its size ({self.precision * self.length:.2g} m); "
                "axes closer than that count as parallel."
            )
        made += [f"{note.kind}: {note}" for note in self.notes if note.kind != "merged"]
        if merged := self.of("merged"):
            listing = ", ".join(f"{note.what} {note.why}" for note in merged[:8])
            made.append(f"merged {len(merged)}: {listing}{', …' if len(merged) > 8 else ''}")
        return made

    def data(self) -> dict[str, Any]:
        """The report as data, for JSON."""
        return {
            "file": self.file,
            "format": self.format,
            "read": self.counts,
            "precision": self.precision,
            "length": self.length,
            "random_starts": self.starts,
            "gaps": [{"name": g.name, "before": g.before, "after": g.after} for g in self.gaps],
            **{
                kind: [{"what": note.what, "why": note.why} for note in self.of(kind)]
                for kind in ("merged", "skipped", "warning", "said")
            },
        }


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A model from a file of another program, with the report and the mechanism it was made from."""

    model: Model
    report: ImportReport
    mechanism: Mechanism
    as_given: Mechanism  # the same before its loops were closed


def import_file(path: str | Path, options: Options | None = None) -> Imported:
    """Read a mechanism of another program: MJCF, URDF, SDF, FreeCAD, Ondsel or Adams.

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
    if path.is_file() and (size := path.stat().st_size) > SLOW_BYTES:
        log.info(f"{path.name}: {size / 2**20:.0f} MB are being read …")
    return from_mechanism(_read(entry, path, options), options, path)


def from_mechanism(mechanism: Mechanism, options: Options, path: Path) -> Imported:
    """The model of a mechanism that was read: welded, assembled, to the precision of its placements."""
    mechanism = _checked(
        weighed(_without_masses(mechanism) if options.geometry else mechanism, path.parent, options), path
    )
    counts = _counts(mechanism)
    if len(mechanism.parts) > MANY_PARTS:
        log.info(f"{path.name}: {len(mechanism.parts):,} parts are read; closing their joints and checking the model …")
    keep = mechanism.keep_fixed if options.keep_fixed is None else options.keep_fixed
    try:
        ready = _grounded(with_threads(welded(_unflipped(mechanism), keep)), path)
        return _finished(_with_possible_inertia(ready, path, mechanism.parts), counts, options, path)
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


def _finished(as_given: Mechanism, counts: dict[str, int], options: Options, path: Path) -> Imported:
    closure = closed(as_given)
    mechanism = without_negligible_inertia(closure.mechanism, closure.length)
    precision, accuracy = _known_to(closure, options)
    if options.planar:
        model = plane_model(mechanism, max(10 * precision, 1e-9), accuracy, str(path))
    else:
        shapes, left_out = drawable(mechanism, path.parent, options)
        mechanism = mechanism.noting(*left_out)
        model = to_model(
            mechanism, precision, accuracy, drives=options.drives, stops=options.stops, source=str(path),
            shapes=shapes,
        )  # fmt: skip
    notes = [*mechanism.notes, *_notes(mechanism, options, precision)]
    shown = sorted(
        (gap for gap in closure.gaps if max(gap.before, gap.after) > CLOSED_MISFIT * closure.length),
        key=lambda g: -g.before,
    )
    report = ImportReport(
        str(path), mechanism.format, counts, tuple(notes), tuple(shown), precision, closure.length, closure.starts
    )
    return Imported(model, report, mechanism, as_given)


def _known_to(closure: Closure, options: Options) -> tuple[float, Accuracy | None]:
    """The precision of placements, as part of the size, and the accuracy of the model.

    It is that of the options, else that of the file if its loops close to it, else that to which the loops close.
    """
    stated = closure.mechanism.accuracy
    closed_to = closure.precision if closure.precision > CLOSED_MISFIT else 0.0
    asked = options.precision if options.tolerance is None else options.tolerance / closure.length
    if asked is None and stated is not None and stated.length >= closed_to * closure.length:
        return stated.angle or stated.length / closure.length, stated
    precision = closed_to if asked is None else asked
    return precision, Accuracy(precision * closure.length, precision) if precision else None


def _counts(mechanism: Mechanism) -> dict[str, int]:
    return {
        "parts": len(mechanism.parts),
        "joints": len([link for link in mechanism.links if not link.closes]),
        "loop closures": len([link for link in mechanism.links if link.closes]),
        "couplings": len(mechanism.ratios),
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
                "warning",
                "masses",
                f"{len(unknown)} of {len(mechanism.parts)} parts have no known mass ({some}): this is a model of "
                "geometry; verdicts need no more, reactions need `mass` and `inertia` in the YAML",
            )
        )
    if mechanism.motions and not options.drives:
        notes.append(Note("skipped", f"{len(mechanism.motions)} motions", "left free; --drive takes them as drives"))
    if mechanism.limits and not options.stops:
        notes.append(Note("skipped", f"{len(mechanism.limits)} ranges of joints", "--stops takes them as end stops"))
    if options.planar:
        notes.append(Note("said", "planar", "drawn in the plane of its motion; what is along the axes is left out"))
    elif in_one_plane(mechanism, max(10 * precision, 1e-9)):
        drawable = not mechanism.ratios and not mechanism.loads
        notes.append(
            Note("said", "planar", "all axes are parallel and all motion is in one plane; it is kept in space, where a "
                 "plane mechanism is overconstrained"
                 + (": --planar draws it in the plane, without those redundancies" if drawable else ""))
        )  # fmt: skip
    return notes


def _without_masses(mechanism: Mechanism) -> Mechanism:
    """The mechanism without masses."""
    return replace(mechanism, parts=tuple(replace(part, inertia=None) for part in mechanism.parts))


def _checked(mechanism: Mechanism, path: Path) -> Mechanism:
    """The mechanism, after checks: finite numbers, possible inertia, and parts for all joints."""
    if not mechanism.parts:
        raise ModelError("holds no moving parts.", place=str(path))
    if not mechanism.links:
        raise ModelError("holds no joints: there is no reaction to judge.", place=str(path))
    _check_sizes("part", [part.name for part in mechanism.parts], [part.pose for part in mechanism.parts], path)
    names = [link.name for link in mechanism.links]
    for frames in ([link.frame_a for link in mechanism.links], [link.frame_b for link in mechanism.links]):
        _check_sizes("joint", names, frames, path)
    for link in mechanism.links:
        if link.a == link.b:
            raise ModelError(f"joint '{link.name}' connects '{link.a}' with itself.", place=str(path))
    return _with_possible_inertia(mechanism, path)


def _check_sizes(word: str, names: list[str], poses: list[Pose], path: Path) -> None:
    """Refuse positions that are not finite, or so large that their squares overflow."""
    far = np.abs(np.array([pose.r for pose in poses])).max(axis=1)
    turned = np.isfinite(np.array([pose.R for pose in poses])).all(axis=(1, 2))
    for k in np.flatnonzero(~((far <= LARGEST) & turned))[:1]:
        where = f"{far[k]:g} m away" if far[k] > LARGEST else "at a place that is not finite"
        raise ModelError(f"{word} '{names[k]}' stands {where}; check its numbers and their unit.", place=str(path))


def _with_possible_inertia(mechanism: Mechanism, path: Path, looked_at: Iterable[Part] = ()) -> Mechanism:
    """The mechanism with possible inertia of all parts, also of welded ones, whose sums are rounded."""
    done = set(map(id, looked_at))
    parts = (part if id(part) in done else with_possible_inertia(part, str(path)) for part in mechanism.parts)
    return replace(mechanism, parts=tuple(parts))


def _grounded(mechanism: Mechanism, path: Path) -> Mechanism:
    """The mechanism without parts that have no joint, with notes; one note where nothing connects it to ground."""
    held = {name for link in mechanism.links for name in (link.a, link.b)}
    loose = dict.fromkeys(part.name for part in mechanism.parts if part.name not in held)
    notes = [Note("skipped", f"part '{name}'", "no joint holds it") for name in loose]
    if GROUND not in held:
        notes.append(
            Note("warning", "ground", "nothing is connected to ground: the mechanism floats, with 6 freedoms more")
        )
    parts = tuple(part for part in mechanism.parts if part.name in held)
    if not parts:
        raise ModelError("holds no joints between moving parts: there is no reaction to judge.", place=str(path))
    loads = tuple(x for x in mechanism.loads if not any(part in loose for part, _ in x.frames.values()))
    return replace(mechanism, parts=parts, loads=loads, notes=(*mechanism.notes, *notes))


def _unflipped(mechanism: Mechanism) -> Mechanism:
    """The mechanism with frames b rotated by 180° where their axes oppose those of frame a, as joints admit."""
    poses = {part.name: part.pose for part in mechanism.parts} | {GROUND: Pose()}
    return replace(mechanism, links=tuple(_with_axes_along(link, poses) for link in mechanism.links))


def _with_axes_along(link: Link, poses: dict[str, Pose]) -> Link:
    if link.type not in COMMON_Z_AXIS or link.closes:
        return link
    frame = link.frame_b
    a, b = poses[link.a] @ link.frame_a, poses[link.b] @ frame
    if a.R[:, 2] @ b.R[:, 2] < 0:
        frame = frame @ Pose(np.zeros(3), rotation((1, 0, 0), np.pi))
        b = poses[link.b] @ frame
    if link.type in COMMON_X_AXIS and a.R[:, 0] @ b.R[:, 0] < 0:
        frame = frame @ Pose(np.zeros(3), rotation((0, 0, 1), np.pi))
    return link if frame is link.frame_b else replace(link, frame_b=frame)
