"""Poses in which contacts overlap, corrected: bodies are moved apart until those contacts just touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reactio.contact_motion.contact_system import ContactSystem
from reactio.errors import AssemblyError
from reactio.kinematics.assemble import AssemblyRecord, assembly_record
from reactio.system.compile.contacts import CLOSED_GAP
from reactio.system.types import State


def separate_contacts(contacts: ContactSystem, keep: Iterable[str] = (), t: float = 0.0) -> AssemblyRecord:
    """The pose of a model with its joints closed, and contacts that overlap just touching.

    Contacts that overlap become joints, and the model is assembled; contacts that overlap in that pose are added, until
    none does.  Bodies in ``keep`` stay where they are if that is possible.
    """
    open_system, kept = contacts.with_closed(()), tuple(keep)
    given, closed = open_system.state(), set[str]()
    record = free = assembly_record(open_system, given, keep=kept, t=t)
    for _ in range(len(contacts.names) + 1):
        now = contacts.at(record.state)
        overlapping = set(now.names(-now.gap > CLOSED_GAP * contacts.length))
        if not overlapping:
            pose = State(record.state.t, record.state.q, free.state.v)  # contacts may open: only joints hold velocities
            v = assembly_record(open_system, pose, keep=kept, t=t).state.v
            return replace(record, state=replace(pose, v=v), velocity_change=free.velocity_change)
        if overlapping <= closed:
            break
        closed |= overlapping
        record = assembly_record(contacts.with_closed(closed), given, keep=kept, t=t)
    raise AssemblyError(
        f"No pose was found in which no contact overlaps; {', '.join(sorted(closed)[:5])} still do. Move the bodies "
        "apart by hand."
    )
