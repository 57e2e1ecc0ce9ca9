"""Poses in which contacts overlap, mended: bodies are moved apart until those contacts just touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reactio.contact_motion.contact_system import ContactSystem
from reactio.errors import AssemblyError
from reactio.kinematics.assemble import AssemblyRecord, assembly_record
from reactio.system.compile.contacts import CLOSED_GAP
from reactio.system.types import State


def parted(contacts: ContactSystem, keep: Iterable[str] = (), t: float = 0.0) -> AssemblyRecord:
    """The pose of a model with its joints closed, and contacts that overlap just touching.

    Contacts that overlap are closed as joints are; those that overlap then are added, until none does.  Bodies in
    ``keep`` stay put where that is possible.
    """
    open_system, kept = contacts.with_closed(()), tuple(keep)
    given, closed = open_system.state(), set[str]()
    found = free = assembly_record(open_system, given, keep=kept, t=t)
    for _ in range(len(contacts.names) + 1):
        now = contacts.at(found.state)
        deep = set(now.names(-now.gap > CLOSED_GAP * contacts.length))
        if not deep:
            moves = State(found.state.t, found.state.q, free.state.v)  # contacts may part: only joints hold velocities
            v = assembly_record(open_system, moves, keep=kept, t=t).state.v
            return replace(found, state=replace(moves, v=v), velocity_change=free.velocity_change)
        if deep <= closed:
            break
        closed |= deep
        found = assembly_record(contacts.with_closed(closed), given, keep=kept, t=t)
    raise AssemblyError(
        f"No pose was found in which no contact overlaps; {', '.join(sorted(closed)[:5])} stay deep. Move the bodies "
        "apart by hand."
    )
