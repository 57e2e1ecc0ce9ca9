"""System and State: the compiled model, and one instant of its motion."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from reactio import primitives
from reactio.arrays import Bools, Floats, Ints, distinct
from reactio.bodies import BODIES, Port
from reactio.catalogue.places import SPACE_SIZES, End, ReactionAxes, SpaceSizes
from reactio.constraint_matrix import ColumnTable, Group, GroupKind, RowTable
from reactio.errors import ReactioError
from reactio.functions import Function
from reactio.kernels import Kernel
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model
from reactio.model.specs import Body, Joint
from reactio.system.plan import Plan, Work
from reactio.topology.components import connected

LATEST_TIME = 1e12  # [s]: doubles resolve 1e-4 s there
# Symbol and unit of a multiplier, by the unit of its row.
EFFORT = {"m": ("F", "N"), "rad": ("M", "N m"), "m²": ("F/length", "N/m")}


def registered_formulas(space: str, names: tuple[str, ...]) -> tuple[Kernel[..., Any], ...]:
    """The currently registered formulas of primitives."""
    return tuple(primitives.PRIMITIVES_BY_SPACE[space].get(name).formula for name in names)


def registered_ports(space: str, names: tuple[str, ...]) -> tuple[Port, ...]:
    """The currently registered ports of kinds of bodies."""
    return tuple(BODIES.get(name).ports[space] for name in names)


def outside_formulas(system: System) -> dict[str, str]:
    """Digests of the formulas of primitives and kinds of bodies that come from outside the package, by their names."""
    kernels_of = {
        f"the primitive '{name}'": [formula]
        for name, formula in zip(system.primitive_names, system.formulas, strict=True)
    }
    for name, port in zip(system.kind_names, system.ports, strict=True):
        kernels = (getattr(port, field.name) for field in fields(Port))
        kernels_of[f"the kind of body '{name}'"] = [function for function in kernels if isinstance(function, Kernel)]
    return {
        name: hashlib.sha256("".join(kernel.digest for kernel in kernels).encode()).hexdigest()
        for name, kernels in kernels_of.items()
        if any(not kernel.__module__.startswith("reactio.") for kernel in kernels)
    }


class AxisRow(NamedTuple):
    """An axis of a reaction that points along the force or moment of a row."""

    axis: int
    row: int  # in its group
    sign: float


@dataclass(frozen=True, slots=True)
class RowGroup:
    """The rows of one joint, drive or coupling, or the intrinsic rows of a body."""

    name: str
    kind: GroupKind
    type: str  # revolute, gear, …
    start: int  # first row
    stop: int  # behind the last row
    labels: tuple[str, ...]  # of the rows
    units: tuple[str, ...]  # of the rows: "m", "rad" or "m²"; a multiplier is in N, N m or N/m
    bodies: tuple[int, ...]  # bodies it couples, −1 for ground
    frames: tuple[int, int] | None = None  # frames A and B of a joint
    unilateral: tuple[bool, ...] = ()  # of each row: can it only push?  () for none
    in_world: bool = False  # are its rows, and the axes of its reaction, those of the world?
    axes: tuple[AxisRow, ...] = ()  # axes of its reaction that point along rows; () for the axes of frame A
    line_labels: tuple[str, ...] = ()  # of the components of a part with one force: N of a member, Ft and Fr of wheels


@dataclass(frozen=True, eq=False)
class System:
    """A model compiled: sizes, patterns, flat arrays; no state."""

    model: Model
    plan: Plan
    nq: int  # coordinates
    n: int  # velocities: columns of C
    m: int  # constraint equations: rows of C
    q0: Floats  # (nq,) as the model is given
    v0: Floats  # (n,)
    body_q: Ints  # (bodies + 1,) first coordinate of each body, in the order of the model
    body_v: Ints  # (bodies + 1,) first velocity of each body
    C_pattern: tuple[Ints, Ints]  # indptr (m + 1,), indices of C in CSR form
    M_pattern: tuple[Ints, Ints]
    groups: tuple[RowGroup, ...]
    column_units: tuple[str, ...]  # (n,) "m/s" or "rad/s"
    length: float  # characteristic length [m]
    F0: Floats  # (frames, width) with the frames of ground filled in
    depth: int  # registers of the function machine
    named_measures: Mapping[str, int]  # the measures that expressions name on bodies: "ram.y", "ram.left.y"
    functions: tuple[tuple[str, Function], ...]  # owner in words, function; in the order of plan.programs
    effort_owners: tuple[str, ...]  # (efforts,) the force of each effort, in words
    frame_ends: tuple[End, ...]  # (frames,) where each frame is fixed
    primitive_names: tuple[str, ...]  # of the primitives that the model uses, in the order of plan.measures.start
    kind_names: tuple[str, ...]  # of the kinds of its bodies, in the order of plan.bodies.start
    formulas: tuple[Kernel[..., Any], ...]  # of the primitives, as they were registered when the system was built
    ports: tuple[Port, ...]  # of the kinds of bodies, likewise
    axes: ReactionAxes = ReactionAxes.JOINT  # in which components of reactions are named and judged
    open_contacts: Mapping[str, float] = field(default_factory=FrozenMap)  # at the given pose, with their gaps [m]
    # Cables, struts and joints that stand off, likewise.
    slack_parts: Mapping[str, float] = field(default_factory=FrozenMap)
    left_out: tuple[Joint, ...] = ()  # those parts as joints, with which another state may be judged
    vibrating: tuple[str, ...] = ()  # flexible bodies that move in halves or modes: levels 2 and 3

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process: formulas and ports are found there by their names."""
        return {key: value for key, value in self.__dict__.items() if key not in ("formulas", "ports")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__["formulas"] = registered_formulas(self.space, self.primitive_names)
        self.__dict__["ports"] = registered_ports(self.space, self.kind_names)
        self.plan.calls[:] = 0  # addresses of where it came from

    def __repr__(self) -> str:
        return f"<System of {self.model.name}: {self.m:,} constraint equations, {self.n:,} velocities>"

    @property
    def space(self) -> str:
        """``planar`` or ``spatial``."""
        return self.model.space

    @property
    def open_parts(self) -> dict[str, float]:
        """The parts that act one way and carry no load at the given pose, with their gaps [m]."""
        return {**self.open_contacts, **self.slack_parts}

    @cached_property
    def group_index(self) -> Mapping[str, int]:
        """Place of each group by its name."""
        return {group.name: i for i, group in enumerate(self.groups)}

    @cached_property
    def connected_parts(self) -> Ints:
        """(m + n,) which connected part of the graph of C and M the rows and columns of C belong to.

        Zeros connect too: the graph is that of the pattern [[0, C], [0, M]], which every state has in common.
        """
        (rows, columns), (starts, ends) = self.C_pattern, self.M_pattern
        first = np.repeat(np.arange(self.m + self.n), np.concatenate([np.diff(rows), np.diff(starts)]))
        return connected(self.m + self.n, first, self.m + np.concatenate([columns, ends]))

    @cached_property
    def spare_work(self) -> list[Work]:
        """Arrays of finished evaluations, for reuse: compiled kernels hold their addresses."""
        return []

    @cached_property
    def reacting(self) -> tuple[RowGroup, ...]:
        """The groups that have a reaction: all but the intrinsic ones."""
        return tuple(group for group in self.groups if group.kind != GroupKind.INTRINSIC)

    @cached_property
    def listed_bodies(self) -> tuple[Body, ...]:
        """The bodies that a model file has: all but internal ones, which the compilation adds."""
        return tuple(body for body in self.model.bodies if not BODIES.get(body.kind).internal)

    def port(self, body: Body) -> Port:
        """The functions of the kind of a body."""
        return self.ports[self.kind_names.index(body.kind)]

    def group(self, name: str) -> RowGroup:
        """The rows of the joint, drive or coupling of that name."""
        return self.groups[self.group_index[name]]

    def group_of_row(self, row: int) -> RowGroup:
        """The joint, drive or coupling that a constraint equation belongs to."""
        return self.groups[bisect_right(self.groups, row, key=lambda group: group.start) - 1]

    def bodies_of(self, columns: Ints) -> tuple[str, ...]:
        """The names of the bodies that velocities belong to, in the order of the model."""
        owners = distinct(np.searchsorted(self.body_v, columns, side="right") - 1)
        return tuple(self.model.bodies[b].name for b in owners)

    @property
    def dimension(self) -> int:
        """Components of a point or a force: 2 in the plane, 3 in space."""
        return self.sizes.vector

    @property
    def sizes(self) -> SpaceSizes:
        """How many numbers points, orientations and twists have in the space of the model."""
        return SPACE_SIZES[self.space]

    @cached_property
    def tables(self) -> tuple[RowTable, ColumnTable]:
        """The meaning of the rows and columns of C, at any state."""
        rows = RowTable(
            groups=tuple(Group(g.name, g.kind, g.type, g.start, g.stop) for g in self.groups),
            labels=tuple(label for g in self.groups for label in g.labels),
            units=tuple(EFFORT[unit][1] for g in self.groups for unit in g.units),
            edges=tuple(g.bodies for g in self.groups),
            unilateral=tuple(g.start + k for g in self.groups for k, one_sided in enumerate(g.unilateral) if one_sided),
        )
        bodies = tuple(body.name for body in self.model.bodies)
        element_size = tuple(self.dimension if body.kind == "natural" else 0 for body in self.model.bodies)
        return rows, ColumnTable(bodies, self.body_v, self.column_units, element_size)

    @cached_property
    def angular(self) -> Bools:
        """(n,) which velocities are in rad/s; the others are in m/s."""
        return np.array([unit == "rad/s" for unit in self.column_units], dtype=bool)

    @cached_property
    def angular_rows(self) -> Bools:
        """(m,) which rows of Φ are in radians; the others are in metres."""
        return np.array([unit == "rad" for group in self.groups for unit in group.units], dtype=bool)

    @cached_property
    def column_scale(self) -> Floats:
        """(n,) the size to which displacements and velocities compare: the characteristic length [m], or 1 rad."""
        return np.where(self.angular, 1.0, self.length)

    @cached_property
    def row_scale(self) -> Floats:
        """(m,) the size to which position residuals compare: the characteristic length [m], or 1 rad."""
        return np.where(self.angular_rows, 1.0, self.length)

    @cached_property
    def driven_rows(self) -> Bools:
        """(m,) which rows say how a drive moves."""
        return np.array([g.kind == GroupKind.DRIVE for g in self.groups for _ in range(g.start, g.stop)], dtype=bool)

    @property
    def holonomic(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(m,) which rows exist at position level."""
        return self.plan.rows.holonomic > 0.5

    def in_axes(self, axes: str) -> System:
        """The same system with components of reactions named and judged in ``joint`` or in ``world`` axes.

        >>> import reactio
        >>> lying = reactio.build(reactio.load("shaft-three-bearings")).in_axes("world")
        >>> [c.name for c in reactio.check(lying)["left"].components]
        ['Fx', 'Fy', 'Fz']
        """
        if axes not in tuple(ReactionAxes):
            raise ReactioError(f"There are no '{axes}' axes: components are named in {' or '.join(ReactionAxes)} axes.")
        return self if axes == self.axes else replace(self, axes=ReactionAxes(axes))

    def state(self, t: float = 0.0) -> State:
        """The state as the model gives it, not yet assembled."""
        return State(t, self.q0, self.v0)


def check_time(until: float) -> None:
    """Refuse times at which double precision does not resolve the steps of a mechanism."""
    if not isinstance(until, Real):
        raise ReactioError(f"The end of a run is a time in seconds, not {type(until).__name__}: until=10.0.")
    if until > LATEST_TIME:
        raise ReactioError(
            f"t = {until:g} s is beyond {LATEST_TIME:g} s: the clock does not resolve steps of 1e-4 s there."
        )


def require_system(given: object) -> None:
    """Refuse anything but a System, with the call that makes one."""
    if not isinstance(given, System):
        raise ReactioError(f"A system is needed, not {type(given).__name__}: reactio.build(model) makes one.")


@dataclass(frozen=True, slots=True)
class State:
    """One instant: time [s], coordinates (nq,) and velocities (n,)."""

    t: float
    q: Floats
    v: Floats

    def __repr__(self) -> str:
        return f"<State at t = {self.t:g} s: {len(self.q):,} coordinates, {len(self.v):,} velocities>"
