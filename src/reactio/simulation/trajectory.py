"""Runs: states in time with the reactions they ask for, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reactio.arrays import Floats, distinct
from reactio.errors import ReactioError, did_you_mean, how_to_install
from reactio.events.resting import joints_loaded_by_stop, stop_at_rest
from reactio.events.watch import Occurrence
from reactio.html_table import html_table
from reactio.integrate.checkpoint import Checkpoint, Motion
from reactio.integrate.options import IntegrationOptions
from reactio.integrate.state import ROW_FIELDS
from reactio.integrate.status import Status
from reactio.joint_reactions.at_state import GroupReaction, Reactions, widths
from reactio.joint_reactions.in_run import RANK_SAMPLES, generic_rank, reactions_in
from reactio.kinematics.body_state import body_state
from reactio.system.types import State, System
from reactio.uniqueness import RankDecision

if TYPE_CHECKING:
    from reactio.simulation.energy_balance import EnergyHistory
    from reactio.simulation.peaks import Peaks


@dataclass(frozen=True, slots=True, eq=False)
class BodyHistory:
    """A body in time, world axes."""

    position: Floats  # (k, 2 or 3) of the body origin [m]
    orientation: Floats  # (k, 1 or 4) angle [rad] or unit quaternion
    velocity: Floats  # (k, 2 or 3) [m/s]
    angular_velocity: Floats  # (k, 1 or 3) [rad/s]
    acceleration: Floats  # (k, 2 or 3) [m/s²]
    modes: Floats  # (k, n) amplitudes η of the modes of a flexible body, which have its mass [m]; n = 0 for others

    def __repr__(self) -> str:
        return f"<BodyHistory: {len(self.position)} rows>"


@dataclass(frozen=True, slots=True, eq=False)
class JointHistory:
    """A joint, drive or coupling in time; NaN where a component is not unique and no rule was asked for."""

    name: str
    rule: str | None
    verdicts: tuple[str, ...]  # (k,) with the rule where the motion depends on it
    force: Floats  # (k, ·) world axes [N]
    moment: Floats  # (k, ·) world axes [N m]
    force_in_joint: Floats  # (k, ·) axes of frame A [N]
    moment_in_joint: Floats  # (k, ·) [N m]
    power: Floats  # (k,) that it feeds into the mechanism, −λᵀν: none for joints that stand still [W]

    def __repr__(self) -> str:
        return f"<JointHistory of {self.name}: {len(self.verdicts)} rows, {' or '.join(dict.fromkeys(self.verdicts))}>"

    @property
    def unique(self) -> NDArray[np.bool_]:
        """(k,) is all of it determined?"""
        return np.array([verdict == "unique" for verdict in self.verdicts])


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A run: rows of states, what the integrator says of them, and reactions on demand."""

    system: System
    t: Floats  # (k,) [s]
    q: Floats  # (k, nq)
    v: Floats  # (k, n)
    vdot: Floats  # (k, n)
    lam: Floats  # (k, m) one choice of multipliers; their meaning is in ``run["B"]``
    work: Floats  # (k,) of drives, dampers, friction, actuators and loads since the start, impacts not among it [J]
    rule: str | None  # sharing rule for what is not unique
    tol: float
    until: float  # what was asked for [s]
    status: Status
    position_drift: float  # largest |Φ| over all rows [m, rad]
    velocity_drift: float  # largest |C v − ν| [m/s, rad/s]
    energy_error: float | None  # largest imbalance of energy over all rows, part of the largest energy; None: not known
    wall_s: float  # without compilation [s]
    checkpoint: Checkpoint
    notes: tuple[str, ...] = ()
    events: tuple[Occurrence, ...] = ()  # what happened on the way, in the order of time
    segments: tuple[Checkpoint, ...] = ()  # where the integrator was started: at the beginning, behind impacts and ends
    method: str = "dop853"
    stabilise: str = "projection"
    alpha: float = 20.0  # of Baumgarte's method [1/s]
    depends_on_rule: bool = False  # friction acts on reactions that the rule splits: so does the motion

    @classmethod
    def of_motion(
        cls, motion: Motion, options: IntegrationOptions, until: float, *, wall_s: float = 0.0, **more: Any
    ) -> Trajectory:
        """The run of a motion, whose energy is not balanced yet; ``more`` are further fields."""
        same = ("system", *ROW_FIELDS, "status", "position_drift", "velocity_drift", "checkpoint")
        fields = {key: getattr(motion, key) for key in same}
        return cls(**fields, until=until, energy_error=None, wall_s=wall_s, **asdict(options), **more)

    @property
    def options(self) -> IntegrationOptions:
        """How it was integrated."""
        return IntegrationOptions(self.tol, self.method, self.rule, self.stabilise, self.alpha)

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} … {self.t[-1]:g} s, " if len(self.t) else ""
        return f"<Trajectory of {self.system.model.name}: {span}{len(self.t):,} rows. {self.status.value}>"

    def _repr_html_(self) -> str:
        """The peaks of the run as a table, for notebooks."""
        found = self.peaks()
        rows = [
            (p.name, p.component, *("–" if x is None else f"{x:.5g}" for x in (p.peak, p.t, p.rms)), p.unit, p.verdict)
            for p in found.found
            if p.peak is None or p.peak
        ]
        heads = ("name", f"component ({found.axes} axes)", "peak", "at t [s]", "RMS", "unit", "verdict")
        return html_table(f"{self!r}"[1:-1], heads, rows, f"Peaks were {found.words}.")

    @property
    def kernels(self) -> str:
        """What made it: ``plain`` Python, ``compiled`` kernels, or one after the other."""
        begun = self.segments[0].compiled if self.segments else self.checkpoint.compiled
        names = ("plain", "compiled")
        ways = dict.fromkeys((names[begun], names[self.checkpoint.compiled]))
        return ", then ".join(ways)

    @property
    def steps(self) -> int:
        """Accepted steps of the integrator."""
        return self.checkpoint.steps

    @property
    def final(self) -> State:
        """The state in which the run ended, whether a row was asked for there or not."""
        c = self.checkpoint
        return State(c.t, c.q, c.v)

    @property
    def last_reactions(self) -> Reactions:
        """The reactions in that state."""
        return self._reactions(self.final, self.checkpoint.vdot)

    def state(self, row: int) -> State:
        """The state in one row."""
        return State(float(self.t[row]), self.q[row], self.v[row])

    def reactions_at(self, row: int) -> Reactions:
        """The reactions in one row."""
        return self._reactions(self.state(row), self.vdot[row])

    def _reactions(self, state: State, vdot: Floats) -> Reactions:
        """None where the unknown force of a stop may act; its coordinate rests on it from the last event on."""
        found, last = reactions_in(self, state, vdot), stop_at_rest(self.events)
        if last is None or state.t < last.t:
            return found
        return replace(found, motion=replace(found.motion, absent=joints_loaded_by_stop(self.system, last.name)))

    @cached_property
    def usual(self) -> RankDecision:
        """The rank of C away from singular poses: the largest of a few rows, with its clearest margin."""
        rows = distinct(np.linspace(0, len(self.t) - 1, RANK_SAMPLES).astype(int)) if len(self.t) else np.zeros(0)
        return generic_rank(self, [self.state(int(k)) for k in rows] or [self.final])

    @cached_property
    def energy(self) -> EnergyHistory:
        """Energy and its balance at every row."""
        from reactio.simulation.energy_balance import balance

        return balance(self)

    @cached_property
    def reactions(self) -> tuple[Reactions, ...]:
        """The reactions at every row; each is judged afresh."""
        return tuple(self.reactions_at(k) for k in range(len(self.t)))

    def __getitem__(self, name: str) -> JointHistory:
        names = [group.name for group in self.system.reacting]
        if name not in names:
            raise ReactioError(f"There is no joint, drive or coupling '{name}'.{did_you_mean(name, names)}")
        rows: list[GroupReaction] = [found[name] for found in self.reactions]
        keys = ("force", "moment", "force_in_joint", "moment_in_joint")
        sizes = dict(zip(keys, 2 * widths(self.system, self.system.group(name)), strict=True))
        parts: dict[str, Any] = {
            key: np.array([getattr(row, key) for row in rows], dtype=float).reshape(len(rows), size)
            for key, size in sizes.items()
        }
        power = np.array([self._power(found, name) for found in self.reactions])
        return JointHistory(name, self.rule, tuple(row.words for row in rows), **parts, power=power)

    def _power(self, found: Reactions, name: str) -> float:
        group = self.system.group(name)
        nu, lam = (x[group.start : group.stop] for x in (found.eqs.nu, found.lam))
        return -float(lam[nu != 0] @ nu[nu != 0]) + 0.0

    def body(self, name: str) -> BodyHistory:
        """A body in time."""
        index = self.system.model.body_index
        if name not in index:
            raise ReactioError(f"There is no body '{name}'.{did_you_mean(name, index)}")
        b = index[name]
        one, acceleration = (
            body_state(self.system, b, self.q, self.v),
            body_state(self.system, b, self.q, self.vdot).velocity,
        )
        flexible, last = self.system.model.bodies[b].flexible, self.system.body_q[b + 1]
        count = 0 if flexible is None or flexible.modal is None else len(flexible.modal.frequency)
        modes = self.q[:, last - count : last]
        return BodyHistory(one.position, one.orientation, one.velocity, one.angular_velocity, acceleration, modes)

    def columns(self) -> dict[str, Floats]:
        """Every number of the run as named columns (k,): time, bodies in world axes, reactions in the system's."""
        return {name: column for name, _, column in self.named_columns()}

    def named_columns(self) -> list[tuple[str, str, Floats]]:
        """The columns as (name, unit, numbers); angles count their turns, quaternions are (w, x, y, z)."""
        found: list[tuple[str, str, Floats]] = [("t", "s", self.t)]
        units = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s"}
        for body in self.system.model.bodies:
            history = self.body(body.name)
            for key in ("position", "orientation", "velocity", "angular_velocity"):
                table = getattr(history, key)
                width = table.shape[1]
                names = ("",) if width == 1 else ("w", "x", "y", "z") if width == 4 else ("x", "y", "z")
                unit = units.get(key, "rad" if width == 1 else "1")
                for k in range(width):
                    found.append((f"{body.name}.{key}{'.' + names[k] if names[k] else ''}", unit, table[:, k]))
        for group in self.system.reacting:
            joint = self[group.name]
            suffix = "" if self.system.axes == "world" else "_in_joint"
            for key, letter, unit in (("force", "F", "N"), ("moment", "M", "N m")):
                table = getattr(joint, key + suffix)
                labels = "xyz" if table.shape[1] > 1 else ("z" if group.frames else "",)
                for k in range(table.shape[1]):
                    found.append((f"{group.name}.{letter}{labels[k]}", unit, table[:, k]))
        return found

    def peaks(self, sums: Mapping[str, str] | None = None) -> Peaks:
        """Peak, time of the peak and RMS of every reaction component, and of named ``sums`` such as "A.Fz + B.Fz"."""
        from reactio.simulation.peaks import peaks

        return peaks(self, sums)

    def denser(self, rows: int) -> Trajectory:
        """The run with about so many evenly spaced rows beside its own; as it is where it has more."""
        from reactio.simulation.dense_rows import with_rows_between

        return with_rows_between(self, rows)

    def to_pandas(self) -> Any:
        """The columns as a pandas DataFrame indexed by time."""
        try:
            import pandas
        except ImportError:
            raise ReactioError(f"This needs pandas: {how_to_install('tables')}.") from None
        return pandas.DataFrame(self.columns()).set_index("t")

    def to_xarray(self) -> Any:
        """The run as an xarray Dataset.

        ``reaction`` has the dimensions time × joint × component, in joint axes [N, N m], NaN where a joint has no such
        component or where it is not unique; ``position`` [m], ``velocity`` [m/s], ``orientation`` and
        ``angular_velocity`` [rad/s] have time × body × axis.
        """
        try:
            import xarray
        except ImportError:
            raise ReactioError(f"This needs xarray: {how_to_install('tables')}.") from None
        columns = self.columns()
        joints = [group.name for group in self.system.reacting]
        bodies = [body.name for body in self.system.model.bodies]
        parts = {"reaction": _stacked(columns, joints, ".", ("joint", "component"))}
        for key in ("position", "orientation", "velocity", "angular_velocity"):
            parts[key] = _stacked(columns, bodies, f".{key}", ("body", f"{key}_axis"))
        coordinates: dict[str, Any] = {"time": self.t, "joint": joints, "body": bodies}
        coordinates |= {dimension: labels for (_, dimension), labels, _ in parts.values()}
        data = {key: (("time", *dimensions), values) for key, (dimensions, _, values) in parts.items()}
        return xarray.Dataset(data, coordinates)

    def save(self, path: str) -> None:
        """Write the run to .npz, .nc or .csv, whole or not at all; ``load_run`` reads it back."""
        from reactio.simulation.storage import save_run

        save_run(self, path)


def _stacked(
    columns: dict[str, Floats], names: list[str], infix: str, dimensions: tuple[str, str]
) -> tuple[tuple[str, str], list[str], Floats]:
    """Columns ``name + infix + label`` as one array (k, names, labels), NaN where there is none, with its labels."""
    found = {
        (name, label.removeprefix(".")): column
        for name in names
        for label, column in ((key.removeprefix(name + infix), key) for key in columns if key.startswith(name + infix))
        if "." not in label.removeprefix(".") and (infix != "." or label[:1] in ("F", "M"))
    }
    labels = list(dict.fromkeys(label for _, label in found))
    empty = np.full(len(columns["t"]), np.nan)
    table = [[columns[found[name, label]] if (name, label) in found else empty for label in labels] for name in names]
    values = np.array(table, dtype=float).reshape(len(names), len(labels), len(empty))
    return dimensions, labels, np.moveaxis(values, 2, 0)
