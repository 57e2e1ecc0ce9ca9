"""Equations that a model leaves out, with their multipliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from reactio.constraint_matrix import GroupKind
from reactio.errors import ReactioError, did_you_mean
from reactio.system.compile.rows import Draft
from reactio.system.types import RowGroup


def without_rows(new: Draft, names: Sequence[str]) -> Draft:
    """A draft without the equations of these names; groups keep their other rows, and go with their last one."""
    if not names:
        return new
    dropped = {row_of(new.groups, name.strip()) for name in names}
    _refuse_friction(new, dropped)
    kept = [row not in dropped for row in range(len(new.targets))]
    place = [0, *accumulate(kept)]  # of every row among those that are kept
    return replace(
        new,
        terms=[term._replace(row=place[term.row]) for term in new.terms if kept[term.row]],
        targets=[target for row, target in enumerate(new.targets) if kept[row]],
        row_functions=[number for row, number in enumerate(new.row_functions) if kept[row]],
        holonomic=[level for row, level in enumerate(new.holonomic) if kept[row]],
        groups=[_kept_part(group, kept, place) for group in new.groups if any(kept[group.start : group.stop])],
        intrinsic_rows=[place[row] for row in new.intrinsic_rows],
    )


def row_of(groups: Sequence[RowGroup], name: str) -> int:
    """The equation of a name: ``B.z``, or ``W4`` for a joint, drive or coupling with one equation."""
    known = {group.name: group for group in groups if group.kind != GroupKind.INTRINSIC}
    joint, _, label = name.rpartition(".")
    if name in known:
        group = known[name]
        if len(group.labels) == 1:
            return group.start
        rows = ", ".join(f"{name}.{label}" for label in group.labels)
        raise ReactioError(f"'{name}' has {len(group.labels)} equations; name those to drop: {rows}.")
    if joint not in known:
        raise ReactioError(f"There is no equation '{name}' to drop.{did_you_mean(joint or name, known)}")
    labels = known[joint].labels
    if label not in labels:
        raise ReactioError(
            f"'{joint}' has no equation '{label}' to drop.{did_you_mean(label, labels)} It has: {', '.join(labels)}."
        )
    return known[joint].start + labels.index(label)


def _refuse_friction(new: Draft, dropped: set[int]) -> None:
    """Refuse to drop equations of a joint whose friction depends on its reaction."""
    rough = {friction.joint for friction in new.frictions}
    for group in new.groups:
        if group.name in rough and any(row in dropped for row in range(group.start, group.stop)):
            raise ReactioError(
                f"'{group.name}' has friction, which depends on all of its reactions: none of its equations can be "
                "dropped. Drop others, or leave the friction out."
            )


def _kept_part(group: RowGroup, kept: Sequence[bool], place: Sequence[int]) -> RowGroup:
    """A group with the rows that are kept."""
    rows = [k for k in range(group.stop - group.start) if kept[group.start + k]]
    return replace(
        group,
        start=place[group.start],
        stop=place[group.start] + len(rows),
        labels=tuple(group.labels[k] for k in rows),
        units=tuple(group.units[k] for k in rows),
        unilateral=tuple(group.unilateral[k] for k in rows) if group.unilateral else (),
    )
