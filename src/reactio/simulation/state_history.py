"""States in time with their accelerations and multipliers, and the reactions of every joint by name, on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats, distinct
from reactio.bodies import BODIES
from reactio.catalogue.places import ReactionAxes
from reactio.errors import ReactioError, did_you_mean
from reactio.events.event_functions import Occurrence
from reactio.events.stop_loads import joints_loaded_by_stop, stop_at_rest
from reactio.integrate.checkpoint import Checkpoint, Motion
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.rows import OutputRows, rows_of
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.joint_reactions.data import GroupReaction, Reactions, widths
from reactio.joint_reactions.springs import spring_tensions
from reactio.joints import TENSION
from reactio.kernels import expected_work
from reactio.kinematics.body_state import body_state, elastic_coordinates, elastic_state
from reactio.model.coordinates import coordinate_names
from reactio.simulation.in_run import RANK_SAMPLES, generic_rank, reactions_in
from reactio.system.equations import equations
from reactio.system.joint_coordinates import joint_coordinates
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class BodyHistory:
    """The motion of a body in time, in world axes."""

    position: Floats  # (k, 2 or 3) of the body origin [m]
    orientation: Floats  # (k, 1 or 4) angle [rad] or unit quaternion
    velocity: Floats  # (k, 2 or 3) [m/s]
    angular_velocity: Floats  # (k, 1 or 3) [rad/s]
    acceleration: Floats  # (k, 2 or 3) [m/s²]
    # (k, n) elastic coordinates, of modes their amplitudes η, scaled to the mass of the body [m]; n = 0 if it is rigid
    elastic: Floats
    elastic_velocity: Floats  # (k, n) their rates

    def __repr__(self) -> str:
        return f"<BodyHistory: {len(self.position)} rows>"


@dataclass(frozen=True, slots=True, eq=False)
class JointHistory:
    """Reactions of a joint, drive or coupling in time; NaN where a component is not unique and no rule was given."""

    name: str
    rule: str | None
    verdicts: tuple[str, ...]  # (k,) with the rule where the motion depends on it
    force: Floats  # (k, ·) world axes [N]
    moment: Floats  # (k, ·) world axes [N m]
    force_in_joint: Floats  # (k, ·) axes of the joint [N]
    moment_in_joint: Floats  # (k, ·) [N m]
    power: Floats  # (k,) that a drive feeds into the mechanism, −λᵀν; zero for joints [W]

    def __repr__(self) -> str:
        return f"<JointHistory of {self.name}: {len(self.verdicts)} rows, {' or '.join(dict.fromkeys(self.verdicts))}>"

    @property
    def unique(self) -> NDArray[np.bool_]:
        """(k,) does the model determine all components?"""
        return np.array([verdict == Verdict.UNIQUE for verdict in self.verdicts])


class RunColumn(NamedTuple):
    """A quantity along a run."""

    name: str
    unit: str
    values: Floats  # (k,)


class CoordinateHistory(NamedTuple):
    """A joint coordinate in time."""

    unit: str  # m or rad
    value: Floats  # (k,)
    rate: Floats  # (k,) per second


def _continued(angle: Floats) -> Floats:
    """Angles (k,) without jumps of full turns, from the first on; those that are counted already stay."""
    steps = np.abs(np.diff(angle))
    return np.unwrap(angle) if len(angle) > 1 and (np.abs(angle) <= np.pi).all() and steps.max() > np.pi else angle


@dataclass(frozen=True, eq=False)
class StateHistory(OutputRows):
    """Rows of states with accelerations and multipliers, how the run ended, and reactions on demand.

    ``lam`` is one choice of multipliers; ``run["B"]`` says which components are unique.
    """

    contacts_change: ClassVar[bool] = False  # do contacts close and open along runs of this class?

    system: System
    rule: str | None  # sharing rule for reactions that are not unique
    tol: float
    until: float  # end that was asked for [s]
    status: Status
    position_drift: float  # largest |Φ| over all rows [m, rad]
    velocity_drift: float  # largest |C v − ν| [m/s, rad/s]
    energy_error: float | None  # largest imbalance of energy over all rows, part of the largest energy; None: not known
    wall_s: float  # without compilation [s]
    checkpoint: Checkpoint
    notes: tuple[str, ...] = ()
    events: tuple[Occurrence, ...] = ()  # in the order of time
    segments: tuple[Checkpoint, ...] = ()  # where the integrator was started: at the start, after impacts, resumed
    method: str = "dop853"
    stabilise: str = "projection"
    alpha: float = 20.0  # of Baumgarte's method [1/s]
    formulation: str = "projection"  # with its settings
    depends_on_rule: bool = False  # does the motion depend on the rule, by friction on reactions that it splits?

    @classmethod
    def of_motion(
        cls, motion: Motion, options: IntegrationOptions, until: float, *, wall_s: float = 0.0, **more: Any
    ) -> Self:
        """The run of a motion, its energy error not yet known; ``more`` are further fields."""
        same = ("system", "status", "position_drift", "velocity_drift", "checkpoint")
        fields = {key: getattr(motion, key) for key in same}
        return cls(
            **rows_of(motion), **fields, until=until, energy_error=None, wall_s=wall_s, **asdict(options), **more
        )

    @property
    def options(self) -> IntegrationOptions:
        """The options of its integration."""
        return IntegrationOptions(self.tol, self.method, self.rule, self.stabilise, self.alpha, self.formulation)

    @property
    def steps(self) -> int:
        """Accepted steps of the integrator."""
        return self.checkpoint.steps

    @property
    def final(self) -> State:
        """The state in which the run ended, with or without a row there."""
        c = self.checkpoint
        return State(c.t, c.q, c.v)

    @property
    def last_reactions(self) -> Reactions:
        """The reactions in that state."""
        return self._reactions([self.final], [self.checkpoint.vdot])[0]

    def reactions_at(self, row: int) -> Reactions:
        """The reactions in one row."""
        return self.reactions_at_rows([row])[0]

    def reactions_at_rows(self, rows: Sequence[int]) -> list[Reactions]:
        """The reactions in some rows, whose verdicts are computed side by side."""
        return self._reactions([self.state(k) for k in rows], [self.vdot[k] for k in rows])

    def _reactions(self, states: Sequence[State], vdot: Sequence[Floats]) -> list[Reactions]:
        """The reactions at states; at rest on a stop those of the joints that its unknown force loads are absent."""
        rows, last = reactions_in(self, states, vdot), stop_at_rest(self.events)
        if last is None:
            return rows
        absent = joints_loaded_by_stop(self.system, last.name)
        return [
            replace(row, motion=replace(row.motion, absent=absent)) if row.eqs.state.t >= last.t else row
            for row in rows
        ]

    @cached_property
    def generic_rank(self) -> RankDecision:
        """The rank of C away from singular poses: the largest of a few rows, with its clearest margin."""
        rows = distinct(np.linspace(0, len(self.t) - 1, RANK_SAMPLES).astype(int)) if len(self.t) else np.zeros(0)
        return generic_rank(self, [self.state(int(k)) for k in rows] or [self.final])

    @cached_property
    def reactions(self) -> tuple[Reactions, ...]:
        """The reactions at every row; verdicts are computed for each."""
        return tuple(self.reactions_at_rows(range(len(self.t))))

    def __getitem__(self, name: str) -> JointHistory:
        names = [group.name for group in self.system.reacting]
        if name not in names:
            raise ReactioError(f"There is no joint, drive or coupling '{name}'.{did_you_mean(name, names)}")
        rows: list[GroupReaction] = [reactions[name] for reactions in self.reactions]
        keys = ("force", "moment", "force_in_joint", "moment_in_joint")
        sizes = dict(zip(keys, 2 * widths(self.system, self.system.group(name)), strict=True))
        parts: dict[str, Any] = {
            key: np.array([getattr(row, key) for row in rows], dtype=float).reshape(len(rows), size)
            for key, size in sizes.items()
        }
        power = np.array([self._power(reactions, name) for reactions in self.reactions])
        return JointHistory(name, self.rule, tuple(row.words for row in rows), **parts, power=power)

    def _power(self, reactions: Reactions, name: str) -> float:
        """−λᵀν [W]: the power that a drive feeds into the mechanism; zero for joints, and for an open contact."""
        if name not in reactions.eqs.system.group_index:
            return 0.0
        group = reactions.eqs.system.group(name)
        nu, lam = (x[group.start : group.stop] for x in (reactions.eqs.nu, reactions.lam))
        return -float(lam[nu != 0] @ nu[nu != 0]) + 0.0

    def coordinate(self, name: str) -> CoordinateHistory:
        """A joint coordinate in time, ``A.rotation``, with its rate; rotations are counted over full turns."""
        known = coordinate_names(self.system.model)
        if name not in known:
            raise ReactioError(f"There is no joint coordinate '{name}'.{did_you_mean(name, known)}")
        return self._coordinates[name]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of all joint coordinates that ``coordinate`` has."""
        return tuple(self._coordinates)

    @cached_property
    def _coordinates(self) -> dict[str, CoordinateHistory]:
        """All joint coordinates in time, by name."""
        every = [joint_coordinates(self.system, self.state(k)) for k in range(len(self.t))]
        units = {coordinate.name: coordinate.unit for coordinate in (every or [joint_coordinates(self.system)])[0]}
        table = np.array([[coordinate[2:] for coordinate in now] for now in every]).reshape(len(every), len(units), 2)
        return {
            name: CoordinateHistory(
                unit, _continued(table[:, k, 0]) if unit == "rad" else table[:, k, 0], table[:, k, 1]
            )
            for k, (name, unit) in enumerate(units.items())
        }

    def body(self, name: str) -> BodyHistory:
        """The motion of a body in time."""
        index = self.system.model.body_index
        if name not in index:
            raise ReactioError(f"There is no body '{name}'.{did_you_mean(name, index)}")
        b = index[name]
        rigid, bent = body_state(self.system, b, self.q, self.v), elastic_state(self.system, b, self.q, self.v)
        return BodyHistory(
            position=rigid.position,
            orientation=rigid.orientation,
            velocity=rigid.velocity,
            angular_velocity=rigid.angular_velocity,
            acceleration=body_state(self.system, b, self.q, self.vdot).velocity,
            elastic=bent.coordinates,
            elastic_velocity=bent.rates,
        )

    def columns(self) -> dict[str, Floats]:
        """The run as named columns (k,): time, bodies in world axes, reactions in joint axes (in the plane, world)."""
        return {column.name: column.values for column in self.named_columns()}

    def named_columns(self) -> list[RunColumn]:
        """The columns with their units; angles count their turns, quaternions are (w, x, y, z)."""
        columns = [RunColumn("t", "s", self.t)]
        units = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s"}
        for b, body in enumerate(self.system.model.bodies):
            if BODIES.get(body.kind).internal:
                continue
            history = self.body(body.name)
            for key in ("position", "orientation", "velocity", "angular_velocity"):
                table = getattr(history, key)
                width = table.shape[1]
                names = ("",) if width == 1 else ("w", "x", "y", "z") if width == 4 else ("x", "y", "z")
                unit = units.get(key, "rad" if width == 1 else "1")
                for k in range(width):
                    columns.append(
                        RunColumn(f"{body.name}.{key}{'.' + names[k] if names[k] else ''}", unit, table[:, k])
                    )
            for k, (name, unit) in enumerate(elastic_coordinates(self.system, b).items()):
                rates = history.elastic_velocity[:, k]
                columns.append(RunColumn(f"{body.name}.elastic.{name}", unit, history.elastic[:, k]))
                columns.append(RunColumn(f"{body.name}.elastic_velocity.{name}", f"{unit}/s", rates))
        for name, (unit, value, rate) in self._coordinates.items():
            columns += [RunColumn(name, unit, value), RunColumn(f"{name}.rate", f"{unit}/s", rate)]
        for group in self.system.reacting:
            joint = self[group.name]
            suffix = "" if self.system.axes == ReactionAxes.WORLD else "_in_joint"
            for key, letter, unit in (("force", "F", "N"), ("moment", "M", "N m")):
                table = getattr(joint, key + suffix)
                labels = "xyz" if table.shape[1] > 1 else ("z" if group.frames else "",)
                for k in range(table.shape[1]):
                    columns.append(RunColumn(f"{group.name}.{letter}{labels[k]}", unit, table[:, k]))
            if group.line_labels == (TENSION,):
                columns.append(RunColumn(f"{group.name}.{TENSION}", "N", -joint.force_in_joint[:, 0]))
        tensions = self.spring_tensions
        return columns + [RunColumn(f"{name}.{TENSION}", "N", values) for name, values in tensions.items()]

    @cached_property
    def spring_tensions(self) -> dict[str, Floats]:
        """N (k,) [N] of every spring, damper and contact that yields, by name: loads, known at every row."""
        if not self.system.model.forces or not len(self.t):
            return {}
        every = [spring_tensions(equations(self.system, self.state(k))) for k in range(len(self.t))]
        return {name: np.array([row[name] for row in every]) for name in every[0]}

    def rows_between(self, start: Checkpoint, times: Floats) -> Motion:
        """Rows at increasing times (k,) after the start of one of its segments, of the same steps taken again.

        Ctrl-C discards the rows: unlike those of a run, some of them alone are of no use.
        """
        from reactio.integrate.integrator import integrate

        span = (self.segments[0].t if self.segments else start.t, self.until)
        evaluations = self.checkpoint.evaluations + 2 * len(times)  # its steps; projection and multipliers of a row
        with expected_work(self.system.m, evaluations):
            return integrate(self.system, start, float(times[-1]), output=times, span=span, **asdict(self.options))

    def denser(self, rows: int) -> Self:
        """The run with about so many evenly spaced rows in addition to its own; unchanged where it has more.

        Each segment keeps its first and last row, so that jumps at impacts stay jumps.
        """
        if len(self.t) >= rows or len(self.t) < 2 or not self.segments:
            return self
        last = float(self.t[-1])
        duration = last - self.segments[0].t
        ends = [*(segment.t for segment in self.segments[1:]), last]
        parts: list[dict[str, Any]] = []
        row_before = {}  # of each impact, by its time
        for start, end in zip(self.segments, ends, strict=True):
            if parts:
                row_before[start.t] = sum(len(part["t"]) for part in parts) - 1
            parts.append(self._segment(start, end, max(2, round(rows * (end - start.t) / duration))))
        joined: dict[str, Any] = {key: np.concatenate([part[key] for part in parts]) for key in ROW_FIELDS}
        places = [row_before.get(event.t, int(np.searchsorted(joined["t"], event.t))) for event in self.events]
        events = tuple(replace(event, row=place) for event, place in zip(self.events, places, strict=True))
        return replace(self, **joined, events=events)

    def _segment(self, start: Checkpoint, end: float, rows: int) -> dict[str, Any]:
        """Rows of one segment, its start among them."""
        head = {key: np.array([getattr(start, key)]) for key in ROW_FIELDS}
        if end <= start.t:
            return head
        of_run = self.t[(self.t > start.t) & (self.t < end)]
        times = distinct(np.concatenate([np.linspace(start.t, end, rows)[1:], of_run]))
        rest = self.rows_between(start, times)
        return {key: np.concatenate([head[key], getattr(rest, key)]) for key in ROW_FIELDS}
