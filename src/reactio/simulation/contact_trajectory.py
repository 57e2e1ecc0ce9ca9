"""Runs with contacts: phases with different contacts closed, as one run in which an open contact has no reaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from reactio.arrays import Floats
from reactio.contact_motion.contact_system import ContactSystem
from reactio.contact_motion.impact import ImpactRecord
from reactio.errors import ReactioError, did_you_mean
from reactio.events.event_functions import EventAction, EventKind
from reactio.forward_dynamics.accelerate import Accelerations
from reactio.joint_reactions.data import GroupReaction, Reactions, widths
from reactio.simulation.energy_balance import EnergyHistory, balance
from reactio.simulation.trajectory import Trajectory
from reactio.system.equations import equations
from reactio.system.types import State, System
from reactio.uniqueness import Verdict


@dataclass(frozen=True, eq=False, repr=False)
class ContactReactions(Reactions):
    """Reactions at a state; those of open contacts are zero."""

    whole: System = field(kw_only=True)  # with every contact as a row

    @cached_property
    def given(self) -> str | None:
        """The rule on which the motion depends; none where nothing is closed."""
        return super().given if self.eqs.system.m else None

    def __getitem__(self, name: str) -> GroupReaction:
        if name in self.eqs.system.group_index:
            return super().__getitem__(name)
        if name not in self:
            raise ReactioError(f"There is no joint, drive or contact '{name}'.{did_you_mean(name, self)}")
        return open_contact(self.whole, name)

    def acting(self, terms: Mapping[tuple[str, str], float]) -> Mapping[tuple[str, str], float]:
        """The terms without those of open contacts."""
        return {key: factor for key, factor in terms.items() if key[0] in self.eqs.system.group_index}

    def __contains__(self, name: object) -> bool:
        return any(group.name == name for group in self.whole.reacting)

    def __iter__(self) -> Iterator[str]:
        return (group.name for group in self.whole.reacting)

    def __len__(self) -> int:
        return len(self.whole.reacting)


def open_contact(system: System, name: str) -> GroupReaction:
    """The reaction of an open contact: zero, and unique."""
    group = system.group(name)
    force, moment = (np.zeros(width) for width in widths(system, group))
    known = (True,) * (len(force) + len(moment))
    return GroupReaction(
        name=name,
        kind=group.kind,
        type=group.type,
        verdict=Verdict.UNIQUE,
        rule=None,
        body=system.model.joint(name).b.body if group.frames else "",  # a stop acts on a coordinate
        point=np.zeros(0),
        force=force,
        moment=moment,
        force_in_joint=force,
        moment_in_joint=moment,
        determined=known,
        determined_in_joint=known,
        open=True,
    )


@dataclass(frozen=True, eq=False, repr=False)
class ContactTrajectory(Trajectory):
    """A run with contacts; ``system`` has every contact as a row, and ``lam`` is zero where it is open."""

    contacts_change: ClassVar[bool] = True
    phases: tuple[Trajectory, ...] = field(kw_only=True)  # each with the same contacts closed; none in time steps
    penetration: float = field(kw_only=True)  # deepest overlap of a contact over all rows [m]
    contacts: ContactSystem = field(kw_only=True)
    impacts: tuple[ImpactRecord, ...] = field(kw_only=True)  # instants, or time steps, at which contacts strike

    @cached_property
    def first_rows(self) -> Floats:
        """(phases + 1,) the first row of each phase, and the number of all rows."""
        return np.concatenate([[0], np.cumsum([len(phase.t) for phase in self.phases])])

    def phase_of(self, row: int) -> tuple[Trajectory, int]:
        """The phase that a row belongs to, and its number in that phase."""
        row = range(len(self.t))[row]
        k = int(np.searchsorted(self.first_rows, row, side="right")) - 1
        return self.phases[k], row - int(self.first_rows[k])

    def closed(self, row: int) -> tuple[str, ...]:
        """The contacts that are closed in a row."""
        return tuple(group.name for group in self.phase_of(row)[0].system.tables[0].unilateral_groups)

    def reactions_at(self, row: int) -> Reactions:
        """The reactions in one row; where contacts open without an impact, those of the contacts that stay closed."""
        phase, k = self.phase_of(self._after_opening(range(len(self.t))[row]))
        return self._with_open(phase, phase.state(k), phase.vdot[k])

    def reactions_at_rows(self, rows: Sequence[int]) -> list[Reactions]:
        """The reactions in some rows, one after the other: contacts that are closed differ."""
        return [self.reactions_at(row) for row in rows]

    def _after_opening(self, row: int) -> int:
        """The row itself, or the next one where the same state starts a phase with fewer contacts closed.

        An opening is located where a contact would have to pull slightly: no forces that only push balance the loads.
        """
        if row + 1 not in self.first_rows[1:-1]:
            return row
        opens = [
            event.action in (EventAction.OPEN, EventAction.SLACK)
            for event in self.events
            if event.kind in (EventKind.CONTACT, EventKind.CABLE) and event.row == row
        ]
        return row + 1 if opens and all(opens) else row

    @property
    def last_reactions(self) -> Reactions:
        """The reactions at the end."""
        last = self.phases[-1]
        return self._with_open(last, last.final, last.checkpoint.vdot)

    def _with_open(self, phase: Trajectory, state: State, vdot: Floats) -> Reactions:
        """The reactions at a state of a phase, with those of open contacts."""
        if not phase.system.m:
            eqs, none = equations(phase.system, state), np.zeros(0)
            motion = Accelerations(vdot, np.zeros(len(vdot)), np.zeros(len(vdot)), np.zeros((len(vdot), 0)), ())
            answer = equations(self.system, state).solvability  # without closed contacts there are no multipliers
            return ContactReactions(eqs, motion, answer, self.rule, none, whole=self.system)
        (closed,) = phase._reactions([state], [vdot])
        return ContactReactions(
            closed.eqs, closed.motion, closed.answer, closed.rule, closed.balanced, closed.undecided, whole=self.system
        )

    def denser(self, rows: int) -> Self:
        """The run with about so many evenly spaced rows in addition to its own, phase by phase."""
        if not self.phases or len(self.t) >= rows or not self.t[-1] > self.t[0]:
            return self
        per_second = rows / float(self.t[-1] - self.t[0])
        phases = tuple(phase.denser(max(2, round(per_second * float(np.ptp(phase.t))))) for phase in self.phases)
        firsts = np.cumsum([0, *(len(phase.t) for phase in phases)])
        earlier = np.cumsum([0.0, *(phase.checkpoint.work for phase in self.phases[:-1])])

        def place(row: int) -> int:
            k = int(np.searchsorted(self.first_rows, row, side="right")) - 1
            i = row - int(self.first_rows[k])
            from_end = i == len(self.phases[k].t) - 1
            t = phases[k].t
            return int(firsts[k]) + (len(t) - 1 if from_end else int(np.searchsorted(t, self.t[row])))

        joined: dict[str, Any] = {
            key: np.concatenate([getattr(phase, key) for phase in phases]) for key in ("t", "q", "v", "vdot")
        }
        return replace(
            self,
            **joined,
            lam=np.concatenate([self.contacts.multipliers(phase.system, phase.lam) for phase in phases]),
            work=np.concatenate([before + phase.work for before, phase in zip(earlier, phases, strict=True)]),
            phases=phases,
            events=tuple(replace(event, row=place(event.row)) for event in self.events),
            impacts=tuple(replace(impact, row=place(impact.row)) for impact in self.impacts),
        )

    @property
    def closed_at_end(self) -> tuple[str, ...]:
        """The contacts that are closed in the last phase."""
        return tuple(group.name for group in self.phases[-1].system.tables[0].unilateral_groups)

    @property
    def energy_growth(self) -> float:
        """The largest growth of the energy beyond the work of drives and loads from one row to the next [J]."""
        history = self.energy
        return max(0.0, float(np.diff(history.total - (history.work - history.impacts)).max(initial=0.0)))

    @property
    def shares_by_steps(self) -> bool:
        """Are reactions that are not unique shared as the time steps share them?"""
        return False

    @property
    def solver_words(self) -> tuple[str, ...]:
        """Notes on the solution of the contact problem."""
        return ()

    @property
    def solver_data(self) -> dict[str, float | str]:
        """The same as data, for JSON."""
        return {}

    @cached_property
    def energy(self) -> EnergyHistory:
        """Energy and its balance at every row; the work contains that of impacts of contacts."""
        return joined_energy(self)


def joined_energy(run: ContactTrajectory, most: int | None = None) -> EnergyHistory:
    """The energies of all phases, one after the other, with the work of the impacts between them."""
    share = None if most is None else max(2, most // max(1, len(run.phases)))
    parts = [balance(phase, share) for phase in run.phases if len(phase.t)]
    done, by_impacts, columns = 0.0, 0.0, []  # work since the start of the run, and that of impacts in it
    for k, part in enumerate(parts):
        if k:
            row = int(run.first_rows[k]) - 1
            between = sum(impact.work for impact in run.impacts if impact.row == row)
            by_impacts, done = by_impacts + between, done + between
        columns.append((part.t, part.kinetic, part.potential, part.power, done + part.work, by_impacts + part.impacts))
        done, by_impacts = done + float(part.work[-1]), by_impacts + float(part.impacts[-1])
    t, kinetic, potential, power, work, impacts = (np.concatenate(column) for column in zip(*columns, strict=True))
    rounding, resting = (max(getattr(part, key) for part in parts) for key in ("rounding", "resting"))
    return EnergyHistory(t, kinetic, potential, power, work, impacts, rounding, resting)
