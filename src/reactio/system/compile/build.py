"""Model → System: everything that a model says, sorted by kind of body and by primitive, in flat arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints, frozen
from reactio.catalogue.places import SPACE_SIZES
from reactio.constraint_matrix import GroupKind
from reactio.functions import Programs, compile_functions
from reactio.model.contacts import may_stand_open
from reactio.model.frozen import FrozenMap
from reactio.model.model import Model, require_model
from reactio.model.specs import Joint
from reactio.model.transform.floating_frames import floating_frames, static, vibrating_bodies
from reactio.model.transform.rotors import ROTOR, with_rotors, without_rotors
from reactio.model.transform.split_rods import split_rods
from reactio.system.compile.dropped_rows import without_rows
from reactio.system.compile.layout import (
    BodyLayout,
    FrameLayout,
    block_pattern,
    lay_bodies,
    lay_frames,
    side_by_side,
    starts,
)
from reactio.system.compile.length import characteristic_length
from reactio.system.compile.proportions import check_proportions
from reactio.system.compile.rows import Draft, draft
from reactio.system.evaluate.calls import Call, LoopCall
from reactio.system.evaluate.sums import sum_plan
from reactio.system.plan import (
    ENTRY_C,
    LOAD_V,
    MEASURE_MEMORY,
    WRENCH_V,
    EffortPlan,
    EntryPlan,
    FrictionPlan,
    MeasurePlan,
    Plan,
    ProgramPlan,
    RowPlan,
    WrenchPlan,
)
from reactio.system.types import RowGroup, System, registered_formulas, registered_ports


def build(model: Model, *, vibration: bool = True, dropped: bool = False) -> System:
    """Compile a model into flat arrays; rods with ``split`` become two halves, and bodies with modes vibrate.

    With ``vibration=False`` split rods are whole and bodies with modes are rigid, and only the rule compliance deforms
    them: level 1 in place of levels 2 and 3.  Equations that a model drops are left out with ``dropped``, for a motion
    without them; verdicts are those of all equations.

    >>> import reactio
    >>> system = reactio.build(reactio.load("four-bar-planar"))
    >>> system.m, system.n
    (8, 9)
    """
    require_model(model)
    vibrating = vibrating_bodies(model) if vibration else ()
    model = floating_frames(split_rods(model)) if vibrating else static(model)
    contacts, slack, left_out = dict[str, float](), dict[str, float](), tuple[Joint, ...]()
    if may_stand_open(model):
        from reactio.system.compile.contacts import with_closed_contacts

        model, contacts, slack, left_out = with_closed_contacts(model, build)
    length = characteristic_length(without_rotors(model))
    check_proportions(model, length)
    model = with_rotors(model)
    new = without_rows(draft(model), model.drop if dropped else ())
    return replace(
        _with_pose(_system(model, length, new), new),
        vibrating=vibrating,
        open_contacts=FrozenMap(contacts),
        slack_parts=FrozenMap(slack),
        left_out=left_out,
    )


def _system(model: Model, length: float, new: Draft) -> System:
    """The system of a draft, without the numbers that the given pose decides."""
    # Points of natural bodies move as bodies of the kind ``point`` do (``Port.carrier``).
    kinds = tuple(sorted({"point", *(body.kind for body in model.bodies)}))
    names = tuple(sorted({key.primitive for key in new.measures}))
    bodies = lay_bodies(model, kinds, new)
    frames = lay_frames(model, new, bodies, kinds)
    plan, pattern, places = _plan(model, length, new, bodies, frames, names)
    functions = _functions(new, places)
    plan = plan._replace(programs=ProgramPlan(functions.code, functions.data, functions.start))
    memories = int((plan.measures.table[:, MEASURE_MEMORY] >= 0).sum())
    return System(
        model=model,
        plan=plan,
        nq=bodies.nq + memories,
        n=int(bodies.body_v[-1]),
        m=len(new.targets),
        q0=frozen(np.concatenate([bodies.q0, np.zeros(memories)])),
        v0=frozen(bodies.v0),
        body_q=frozen(bodies.body_q, np.int64),
        body_v=frozen(bodies.body_v, np.int64),
        C_pattern=pattern,
        M_pattern=block_pattern(bodies.body_v),
        groups=tuple(_placed(group, frames.place) for group in new.groups),
        column_units=bodies.units,
        length=length,
        F0=frozen(frames.F0),
        depth=functions.depth,
        named_measures={name: int(places[measure]) for name, measure in new.named.items()},
        functions=tuple(new.functions),
        effort_owners=tuple(new.effort_owners),
        frame_ends=tuple(new.frames[i] for i in np.argsort(frames.place)),
        primitive_names=names,
        kind_names=kinds,
        formulas=registered_formulas(model.space, names),
        ports=registered_ports(model.space, kinds),
    )


def _plan(
    model: Model,
    length: float,
    new: Draft,
    bodies: BodyLayout,
    frames: FrameLayout,
    names: tuple[str, ...],
) -> tuple[Plan, tuple[Ints, Ints], Ints]:
    """The plan of a draft without its programs, the pattern of C, and the places of the measures."""
    measures, places = _measures(new, names, frames.place, bodies.nq)
    rows, C = _rows(new, places), _matrix_layout(new, frames, places, bodies)
    plan = Plan(
        bodies=bodies.plan._replace(table=side_by_side(*bodies.plan.table.T, C.intrinsic)),
        frames=frames.plan,
        measures=measures,
        rows=rows,
        sums=sum_plan(model.space, rows, C.entries, C.pattern, bodies.body_v, bodies.units, length),
        entries=C.entries,
        efforts=_efforts(new, frames, places, bodies),
        friction=_frictions(new, frames.place, model.space),
        wrenches=_wrenches(model, new, frames, bodies),
        programs=ProgramPlan(np.zeros((0, 4), np.int64), np.zeros(0), np.zeros(1, np.int64)),
        calls=np.zeros(len(Call), dtype=np.int64),
        loops=np.zeros((len(LoopCall), max(bodies.kinds, len(names)) + 1, 2), dtype=np.int64),
    )
    return plan, C.pattern, places


def _functions(new: Draft, places: Ints) -> Programs:
    """The instructions of all functions; the coordinates they name are among the sorted measures."""
    named = [{name: int(places[measure]) for name, measure in measures.items()} for measures in new.function_measures]
    return compile_functions([function for _, function in new.functions], named)


def _placed(group: RowGroup, place: Ints) -> RowGroup:
    """A group with the numbers of its sorted frames."""
    if group.frames is None:
        return group
    a, b = group.frames
    return replace(group, frames=(int(place[a]), int(place[b])))


def _with_pose(system: System, new: Draft) -> System:
    """Fill in the numbers that the given pose decides: counts of full turns, and targets that were left out."""
    from reactio.system.evaluate.coordinates import with_counted_turns
    from reactio.system.evaluate.evaluation import evaluate

    system = _with_turning_rotors(system)
    open_rows = [i for i, target in enumerate(new.targets) if target is None]
    if not open_rows and not (system.plan.measures.table[:, MEASURE_MEMORY] >= 0).any():
        return system
    q = np.array(system.q0)
    for group in system.groups:
        if group.kind == GroupKind.DRIVE:
            _start_at_drive(system, group.start, q)
    q = with_counted_turns(system, 0.0, q)
    target = np.array(system.plan.rows.target)
    if open_rows:
        target[open_rows] += evaluate(system, 0.0, q, np.zeros(system.n)).Phi[open_rows]
    rows = system.plan.rows._replace(target=target)
    return replace(system, plan=system.plan._replace(rows=rows), q0=frozen(q))


def _with_turning_rotors(system: System) -> System:
    """Rotors turn at the start as fast as their joints do: their rows read D v − ż = 0."""
    from reactio.system.evaluate.evaluation import evaluate

    rotors = [group for group in system.groups if group.type == ROTOR]
    if not rotors or not np.any(system.v0):
        return system
    v = np.array(system.v0)
    columns = system.body_v[[group.bodies[0] for group in rotors]]
    v[columns] = 0.0
    C, (start, column) = evaluate(system, 0.0, system.q0, v).C, system.C_pattern
    for group, columns_of_joint in zip(rotors, columns, strict=True):
        row = slice(start[group.start], start[group.start + 1])
        v[columns_of_joint] = C[row] @ v[column[row]]
    return replace(system, v0=frozen(v))


def _start_at_drive(system: System, row: int, q: Floats) -> None:
    """A driven angle counts its turns from where its drive starts."""
    from reactio.system.evaluate.loads import function_and_derivatives

    rows = system.plan.rows
    memory = system.plan.measures.table[rows.measure[rows.start[row]], MEASURE_MEMORY]
    if memory >= 0:
        start = float(function_and_derivatives(system, int(rows.function[row]), 0.0)[0])
        if np.isfinite(start):
            q[memory] = start


def _measures(new: Draft, names: tuple[str, ...], frame_place: Ints, first_memory: int) -> tuple[MeasurePlan, Ints]:
    """Measures sorted by primitive; the angles that count turns get a place after the bodies in q."""
    keys = list(new.measures)
    number = {name: i for i, name in enumerate(names)}
    primitive = np.array([number[key.primitive] for key in keys], dtype=np.int64)
    order = np.argsort(primitive, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    table = np.array([(key.a, key.b, key.k, key.l) for key in keys], dtype=np.int64).reshape(-1, 4)[order]
    remembers = np.array([p.remembers for p in new.primitives], dtype=bool)[order]
    memory = np.where(remembers, first_memory + np.cumsum(remembers) - 1, -1)
    a, b, k, l = table.T
    plan = MeasurePlan(
        start=starts(primitive[order], len(names)),
        table=side_by_side(frame_place[a], frame_place[b], k, l, memory),
        p=np.array([key.parameter for key in keys], dtype=float)[order],
    )
    return plan, place


def _rows(new: Draft, places: Ints) -> RowPlan:
    """Rows as sums of terms."""
    row, measure = _ints(term.row for term in new.terms), _ints(term.measure for term in new.terms)
    return RowPlan(
        start=np.searchsorted(row, np.arange(len(new.targets) + 1)).astype(np.int64),
        measure=places[measure],
        factor=np.array([term.factor for term in new.terms], dtype=float),
        target=np.array([target or 0.0 for target in new.targets], dtype=float),
        function=np.array(new.row_functions, dtype=np.int64),
        holonomic=np.array(new.holonomic, dtype=float),
    )


class _Sides(NamedTuple):
    """Both sides A and B of some measures, one after the other."""

    item: Ints  # number of the measure in the list that was asked about
    side: Ints  # 0 for A, 1 for B
    frame: Ints  # of the draft


def _sides(new: Draft, measures: Ints) -> _Sides:
    """Both sides of measures of the draft."""
    ends = np.array([(key.a, key.b) for key in new.measures], dtype=np.int64).reshape(-1, 2)[measures]
    item = np.repeat(np.arange(len(measures)), 2)
    side = np.tile(np.array([0, 1], dtype=np.int64), len(measures))
    return _Sides(item, side, ends.reshape(-1))


class _MatrixLayout(NamedTuple):
    """The positions of all entries in the data of C."""

    pattern: tuple[Ints, Ints]  # indptr, indices of C in CSR form
    entries: EntryPlan  # where each term and side adds
    intrinsic: Ints  # (bodies,) sorted by kind: where the intrinsic rows of each begin


def _matrix_layout(new: Draft, frames: FrameLayout, places: Ints, bodies: BodyLayout) -> _MatrixLayout:
    """The pattern of C: each row has the columns of all bodies that its terms act on."""
    row, measure = _ints(term.row for term in new.terms), _ints(term.measure for term in new.terms)
    factor = np.array([term.factor for term in new.terms], dtype=float)
    item, side, frame = _sides(new, measure)
    body = frames.body[frame]
    moving = body >= 0
    item, side, frame, body = item[moving], side[moving], frame[moving], body[moving]
    count, m = max(1, len(bodies.ports)), len(new.targets)
    first, sizes = np.array(new.intrinsic_rows, dtype=np.int64), np.array(new.intrinsic_sizes, dtype=np.int64)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    intrinsic = np.arange(len(owner)) + (m - len(owner))  # intrinsic rows come last, body after body
    pairs, which = np.unique(np.concatenate([row[item] * count + body, intrinsic * count + owner]), return_inverse=True)
    width = np.diff(bodies.body_v)[pairs % count] if len(pairs) else np.zeros(0, dtype=np.int64)
    slot = np.concatenate([[0], np.cumsum(width)]).astype(np.int64)
    indices = np.arange(slot[-1]) - np.repeat(slot[:-1], width) + np.repeat(bodies.body_v[pairs % count], width)
    indptr = slot[np.searchsorted(pairs, np.arange(m + 1) * count)]
    acting, at = _acting(frame, frames), slot[:-1][which.reshape(-1)[: len(item)]]
    table = side_by_side(places[measure[item]], side, frames.place[frame], at)[acting.item]
    table[:, ENTRY_C] += acting.offset
    entries = EntryPlan(starts(acting.kind, bodies.kinds), table, factor[item][acting.item])
    pattern = frozen(indptr, np.int64), frozen(indices, np.int64)
    return _MatrixLayout(pattern, entries, indptr[first][bodies.order])


def _ints(numbers: Iterable[int]) -> Ints:
    return np.fromiter(numbers, dtype=np.int64)


class _Acting(NamedTuple):
    """Rows or loads on bodies other than ground, sorted by the kind of body whose ``columns`` multiply them by J."""

    item: Ints
    kind: Ints
    offset: Ints  # behind the first velocity of its body


def _acting(frame: Ints, frames: FrameLayout) -> _Acting:
    """Each row or load on the body of its frame, and, as on a point, on an element that is the frame's origin."""
    moving = np.flatnonzero(frames.body[frame] >= 0)
    carrier = frames.carrier[frame[moving]]
    on = carrier >= 0
    kind = np.concatenate([frames.kind[frame[moving]], np.full(int(on.sum()), frames.point_kind)])
    order = np.argsort(kind, kind="stable")
    item, offset = np.concatenate([moving, moving[on]]), np.concatenate([np.zeros_like(carrier), carrier[on]])
    return _Acting(item[order], kind[order], offset[order])


def _efforts(new: Draft, frames: FrameLayout, places: Ints, bodies: BodyLayout) -> EffortPlan:
    """Efforts, and the loads of each on the bodies of its two frames, where they are not ground."""
    measure = _ints(effort.measure for effort in new.efforts)
    function, friction = (
        _ints(effort.function for effort in new.efforts),
        _ints(effort.friction for effort in new.efforts),
    )
    item, side, frame = _sides(new, measure)
    acting, place = _acting(frame, frames), places[measure]
    first_v = bodies.body_v[frames.body[frame]]
    table = side_by_side(item, place[item], side, frames.place[frame], first_v)[acting.item]
    table[:, LOAD_V] += acting.offset
    return EffortPlan(
        starts(acting.kind, bodies.kinds), table, effort=side_by_side(place, function, friction), **_linear_part(new)
    )


def _linear_part(new: Draft) -> dict[str, Any]:
    """The linear part of all laws: row by row, the efforts on whose coordinates each effort depends."""
    free = np.zeros(len(new.efforts))
    entries: list[tuple[float, ...]] = []
    for first, law in new.linear_efforts:
        entries += [(first + i, first + j, *numbers) for i, j, *numbers in law.linear_entries()]
        free[first : first + len(law.free)] = law.free
    row, column, K, D, S = np.array(entries, dtype=float).reshape(-1, 5).T.copy()
    of = starts(row, len(free))
    return {"free": free, "linear_start": of, "linear_effort": column.astype(np.int64), "K": K, "D": D, "S": S}


def _frictions(new: Draft, frame_place: Ints, space: str) -> FrictionPlan:
    """The frictions of a draft, flat."""
    groups = {group.name: group for group in new.groups}
    table, of, place = [], [0], 0
    for effort, joint, normal in new.frictions:
        group = groups[joint]
        table.append((effort, group.start, group.stop, frame_place[new.joint_frames[joint][0]], place))
        of.append(of[-1] + len(normal))
        place += len(normal) * (group.stop - group.start)
    component = [row for friction in new.frictions for row in friction.normal]
    return FrictionPlan(
        table=frozen(np.array(table, dtype=np.int64).reshape(-1, 5), np.int64),
        start=frozen(np.array(of), np.int64),
        component=frozen(np.array(component, dtype=float).reshape(-1, SPACE_SIZES[space].twist)),
    )


def _wrenches(model: Model, new: Draft, frames: FrameLayout, bodies: BodyLayout) -> WrenchPlan:
    """Forces and moments on frames sorted by the kind of their body; on ground they do nothing."""
    frame, in_body = _ints(load.frame for load in new.frame_loads), _ints(load.in_body for load in new.frame_loads)
    acting = _acting(frame, frames)
    table = side_by_side(frames.place[frame], in_body, bodies.body_v[frames.body[frame]])[acting.item]
    table[:, WRENCH_V] += acting.offset
    functions = np.array([load.functions for load in new.frame_loads], dtype=np.int64)
    functions = functions.reshape(-1, SPACE_SIZES[model.space].twist)
    return WrenchPlan(starts(acting.kind, bodies.kinds), table, functions[acting.item])
