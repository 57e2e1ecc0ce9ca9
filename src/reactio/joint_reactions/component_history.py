"""The components of one reaction at several instants, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.catalogue.places import ReactionAxes
from reactio.joint_reactions.data import Reactions
from reactio.system.constraints import COMPONENT_UNITS, LABELS
from reactio.system.types import RowGroup, System

MAGNITUDES = {"N": "|F|", "N m": "|M|"}  # of force and moment, of the components with these units


class ComponentHistory(NamedTuple):
    """Components of a reaction at k instants."""

    labels: tuple[str, ...]  # (c,) "Fx", …
    units: tuple[str, ...]  # (c,)
    values: Floats  # (k, c)
    known: Bools  # (k, c) does the model determine them?
    by_stiffness: Bools  # (k, c) does the stiffness that was given determine them?

    def with_magnitudes(self) -> ComponentHistory:
        """The same with |F| and |M| as further components, of forces and moments that have several."""
        labels, units, values, known, stiff = self
        for unit, label in MAGNITUDES.items():
            of = [k for k, its_unit in enumerate(self.units) if its_unit == unit]
            if len(of) > 1:
                labels, units = (*labels, label), (*units, unit)
                values = np.column_stack([values, np.linalg.norm(self.values[:, of], axis=1)])
                all_known = self.known[:, of].all(axis=1)
                known = np.column_stack([known, all_known])
                decided = (self.known | self.by_stiffness)[:, of].all(axis=1)
                stiff = np.column_stack([stiff, decided & ~all_known])
        return ComponentHistory(labels, units, values, known, stiff)


def component_history(system: System, name: str, every: Sequence[Reactions]) -> ComponentHistory:
    """The components of a joint in the axes of the system, or the effort of a drive or coupling, at some instants."""
    group, labels, units = system.group(name), LABELS[system.space], COMPONENT_UNITS[system.space]
    if (values := _determined_throughout(system, group, every)) is not None:
        flags = np.ones(values.shape, dtype=bool)
        return ComponentHistory(labels, units, values, flags, ~flags)
    rows = [column[name] for column in every]
    parts = [row.in_axes(system.axes) for row in rows]
    values = np.array([np.concatenate([reaction.force, reaction.moment]) for reaction in parts])
    known = np.array([reaction.determined for reaction in parts], dtype=bool)
    stiff = np.array([reaction.by_stiffness for reaction in parts], dtype=bool)
    if group.frames is None:
        labels, units = (("F",), ("N",)) if rows[0].force.size else (("M",), ("N m",))
    elif group.line_labels and system.axes != ReactionAxes.WORLD:
        labels, units, values = (), (), values[:, :0]
        known, stiff = (flags[:, : len(group.line_labels)] for flags in (known, stiff))
    more = np.array([[row.line[label] for label in rows[0].line] for row in rows]).reshape(len(rows), -1)
    if group.frames is None:  # what follows from the one effort of a coupling is known where that is
        known, stiff = (np.repeat(flags, 1 + more.shape[1], axis=1) for flags in (known, stiff))
    elif labels:
        return ComponentHistory(labels, units, values, known, stiff)
    line = tuple(rows[0].line)
    return ComponentHistory((*labels, *line), (*units, *("N" for _ in line)), np.hstack([values, more]), known, stiff)


def _determined_throughout(system: System, group: RowGroup, every: Sequence[Reactions]) -> Floats | None:
    """The wrenches (k, c) of a joint all of whose components the model determines at all instants; None of others."""
    if group.frames is None or group.line_labels:
        return None
    k, is_world = system.group_index[group.name], system.axes == ReactionAxes.WORLD
    for row in every:
        if type(row) is not Reactions or row.eqs.system is not system:
            return None
        if row.given is not None or group.name in row.motion.absent or not row.answer.verdicts.multipliers_unique[k]:
            return None
    wrenches = [row.wrenches.world if is_world else row.wrenches.joint for row in every]
    return np.array([wrench[k] for wrench in wrenches])
