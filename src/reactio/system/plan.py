"""The compiled form of a model: flat arrays for the kernels, grouped by the loop that walks them.

Bodies, frames and entries are sorted by kind of body, measures by primitive; ``start`` holds the first of each kind or
primitive, and behind the last their number.  The columns of a ``table`` of integers have names (``BODY_Q`` …); the
comment on the table says what each column holds.
"""

from __future__ import annotations

from typing import NamedTuple

from reactio.arrays import Floats, Ints

# Columns of the tables of integers below.
BODY_Q, BODY_V, BODY_M, BODY_ROW, BODY_C = range(5)
FRAME_Q, FRAME_V, FRAME_BODY = range(3)
MEASURE_A, MEASURE_B, MEASURE_K, MEASURE_L, MEASURE_MEMORY = range(5)
ENTRY_MEASURE, ENTRY_SIDE, ENTRY_FRAME, ENTRY_C = range(4)
EFFORT_MEASURE, EFFORT_FUNCTION, EFFORT_FRICTION = range(3)
LOAD_EFFORT, LOAD_MEASURE, LOAD_SIDE, LOAD_FRAME, LOAD_V = range(5)
FRICTION_EFFORT, FRICTION_FIRST, FRICTION_STOP, FRICTION_FRAME, FRICTION_P = range(5)
WRENCH_FRAME, WRENCH_IN_BODY, WRENCH_V = range(3)


class BodyPlan(NamedTuple):
    """Bodies, sorted by kind."""

    start: Ints  # (kinds + 1,)
    table: Ints  # (bodies, 5) first place in q, in v, in the data of M; first intrinsic row, its place in the data of C
    p: Floats  # (bodies, ·) numbers of each body: mass, inertia …, as its kind has defined
    gravity: Floats  # (2,) or (3,) [m/s²]


class FramePlan(NamedTuple):
    """Frames on bodies; those of ground come last and never change."""

    start: Ints  # (kinds + 1,)
    table: Ints  # (frames, 3) first place of its body in q, in v; number of the body
    local: Floats  # (frames, ·) numbers of each frame: its origin and axes on the body, as the kind has defined


class MeasurePlan(NamedTuple):
    """Measures: primitives between two frames."""

    start: Ints  # (primitives + 1,)
    table: Ints  # (measures, 5) frame A, frame B, axis k, axis l, place in q of an angle counted over full turns, or −1
    p: Floats  # (measures,) parameter


class RowPlan(NamedTuple):
    """Rows of C as sums of terms; intrinsic rows, which come last, have none."""

    start: Ints  # (m + 1,) first term of each row
    measure: Ints  # (terms,)
    factor: Floats  # (terms,)
    target: Floats  # (m,) constant the row must equal
    function: Ints  # (m,) function of time it must follow besides, −1 for none
    holonomic: Floats  # (m,) 1 where the row exists at position level, else 0


class SumPlan(NamedTuple):
    """Rows with several terms, which may cancel: one sum for each such row and each body on which it acts."""

    row: Ints  # (sums,) its row
    first: Ints  # (sums,) first of its entries in the data of C
    last: Ints  # (sums,) behind the last of them
    start: Ints  # (sums + 1,) first term of each
    term: Ints  # (terms,) of the sums, as numbers of entries (EntryPlan)
    weight: Floats  # of each entry of C: 1 on velocities in m/s, 1/length on those in rad/s
    length: float  # characteristic length [m]
    linear: int  # linear velocities of a frame: 2 or 3
    arm: int  # first column of the arm in the row of a frame


class EntryPlan(NamedTuple):
    """Where each term and side adds to the data of C."""

    start: Ints  # (kinds + 1,)
    table: Ints  # (entries, 4) measure, side (0 A, 1 B), frame, first place in the data of C
    factor: Floats  # (entries,)


class EffortPlan(NamedTuple):
    """Efforts along measures, and the loads of each on the bodies of its frames A and B, where they are not ground."""

    start: Ints  # (kinds + 1,)
    table: Ints  # (loads, 5) effort, measure, side, frame, first place of the body in v
    effort: Ints  # (efforts, 3) measure, function or −1 for none, number among the frictions or −1
    free: Floats  # (efforts,) s₀ of the linear part of laws [m or rad]
    linear_start: Ints  # (efforts + 1,) first entry of each effort's row in K, D and S
    linear_effort: Ints  # (entries,) the effort on whose coordinate the entry acts
    K: Floats  # (entries,) stiffness [N/m, N, N m/rad]
    D: Floats  # (entries,) damping [N s/m, N s, N m s/rad]
    S: Floats  # (entries,) ½ (K + Kᵀ), the stiffness of the potential ½ (s − s₀)ᵀ S (s − s₀)


class FrictionPlan(NamedTuple):
    """Efforts f = law · |N|: N = P λ_X are components of the wrench of joint X on body b, in the axes of frame A."""

    table: Ints  # (frictions, 5) effort, first row of the joint, behind its last row, frame A, first place in P
    start: Ints  # (frictions + 1,) first component of each N
    component: Floats  # (components, 3 or 6) on force and moment


class WrenchPlan(NamedTuple):
    """Forces and moments on frames."""

    start: Ints  # (kinds + 1,)
    table: Ints  # (wrenches, 3) frame, 1 for body axes, first place of the body in v
    function: Ints  # (wrenches, 3 or 6) −1 for none


class ProgramPlan(NamedTuple):
    """All functions of time and coordinates: see reactio.functions.program."""

    code: Ints
    data: Floats
    start: Ints


class Plan(NamedTuple):
    """Everything about a model that does not change."""

    bodies: BodyPlan
    frames: FramePlan
    measures: MeasurePlan
    rows: RowPlan
    sums: SumPlan
    entries: EntryPlan
    efforts: EffortPlan
    friction: FrictionPlan
    wrenches: WrenchPlan
    programs: ProgramPlan
    calls: Ints  # (calls,) where the compiled functions of this system lie in memory: see reactio.system.evaluate.calls
    loops: Ints  # (loops, kinds or primitives + 1, 2) where the loop of each kind or primitive of the model lies


class Work(NamedTuple):
    """The numbers that the kernels compute at one state."""

    R: Floats  # (bodies, 2 or 9) orientation of each body: cos φ, sin φ, or its axes
    F: Floats  # (frames, width) frames
    value: Floats  # (measures,) s [m or rad]
    rate: Floats  # (measures,) ṡ
    D: Floats  # (measures, 6 or 12) on the twists of A and B
    bias: Floats  # (measures,) s̈ at v̇ = 0
    Phi: Floats  # (m,)
    nu: Floats  # (m,)
    nudot: Floats  # (m,) ν̇, the part of Γ that depends on time alone
    Gamma: Floats  # (m,)
    C: Floats  # data of C in CSR order
    uncancelled: Floats  # (m,) largest entry of each row over the terms it is the sum of (see sums); 1 for one term
    M: Floats  # data of M, block after block
    Q: Floats  # (n,)
    load: Floats  # (wrenches, 3 or 6) components of forces and moments on frames, in the axes in which they are given
    law: Floats  # (efforts,) f(t, s, ṡ) [N or N m]; of frictions per newton of normal reaction
    effort: Floats  # (efforts,) [N or N m]; of frictions 0 until the reactions are known
    P: Floats  # of all frictions, component by component over the rows of their joints
    power: Floats  # (1,) of forces and moments on frames, and of bodies' own forces without a potential [W]
    stack: Floats  # registers of the function machine
    jet: Floats  # (3,) value and two time derivatives of the function evaluated last
