"""Model → System: sort everything by kind and lay it out flat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reactio import primitives
from reactio.arrays import Floats, Ints, frozen
from reactio.bodies import BODIES, Port
from reactio.functions import compile_functions
from reactio.model.specs import Model
from reactio.places import GROUND
from reactio.space.frames import PLANAR_WIDTH, SPATIAL_WIDTH
from reactio.space.rotations import axes_of
from reactio.system.length import characteristic_length
from reactio.system.plan import (
    BodyPlan,
    EntryPlan,
    FramePlan,
    MeasurePlan,
    Plan,
    ProgramPlan,
    PushPlan,
    RowPlan,
    WrenchPlan,
)
from reactio.system.rows import Draft, draft
from reactio.system.types import RowGroup, System

WIDTH = {"planar": PLANAR_WIDTH, "spatial": SPATIAL_WIDTH}


def build(model: Model) -> System:
    """Compile a model into flat arrays.

    >>> import reactio
    >>> system = reactio.build(reactio.load("four-bar-planar"))
    >>> system.m, system.n
    (8, 9)
    """
    new = draft(model)
    kinds = tuple(BODIES)
    names = tuple(primitives.BY_SPACE[model.space])
    bodies = _bodies(model, kinds)
    frames = _frames(model, new, bodies, len(kinds))
    measures, places = _measures(new, names, frames["place"], int(bodies["nq"]))
    pattern, entries = _entries(new, frames, places, bodies)
    functions = compile_functions(new.functions)
    plan = Plan(
        bodies=bodies["plan"],
        frames=frames["plan"],
        measures=measures,
        rows=_rows(new, places),
        entries=entries,
        pushes=_pushes(new, frames, places, bodies),
        wrenches=_wrenches(model, new, frames, bodies),
        programs=ProgramPlan(functions.code, functions.data, functions.start),
    )
    memories = int((measures.table[:, 4] >= 0).sum())
    system = System(
        model=model,
        plan=plan,
        nq=int(bodies["nq"]) + memories,
        n=int(bodies["body_v"][-1]),
        m=len(new.targets),
        q0=frozen(np.concatenate([bodies["q0"], np.zeros(memories)])),
        v0=frozen(bodies["v0"]),
        body_q=frozen(bodies["body_q"], np.int64),
        body_v=frozen(bodies["body_v"], np.int64),
        C_pattern=pattern,
        M_pattern=_blocks(bodies["body_v"]),
        groups=tuple(_placed(group, frames["place"]) for group in new.groups),
        column_units=tuple(unit for port in bodies["ports"] for unit in port.units),
        length=characteristic_length(model),
        F0=frozen(frames["F0"]),
        depth=functions.depth,
        primitive_names=names,
        kind_names=kinds,
    )
    return _with_pose(system, new)


def _placed(group: RowGroup, place: Ints) -> RowGroup:
    """A group with its frames as they are sorted."""
    if group.frames is None:
        return group
    a, b = group.frames
    return replace(group, frames=(int(place[a]), int(place[b])))


def _with_pose(system: System, new: Draft) -> System:
    """Fill in what the given pose decides: counts of full turns, and targets that were left out."""
    from reactio.system.equations import evaluate, remembered

    open_rows = [i for i, target in enumerate(new.targets) if target is None]
    if not open_rows and not (system.plan.measures.table[:, 4] >= 0).any():
        return system
    q = np.array(system.q0)
    for group in system.groups:
        if group.kind == "drive":
            _start_at_drive(system, group.start, q)
    q = remembered(system, 0.0, q)
    target = np.array(system.plan.rows.target)
    if open_rows:
        target[open_rows] += evaluate(system, 0.0, q, np.zeros(system.n)).Phi[open_rows]
    rows = system.plan.rows._replace(target=target)
    return replace(system, plan=system.plan._replace(rows=rows), q0=frozen(q))


def _start_at_drive(system: System, row: int, q: Floats) -> None:
    """A driven angle counts its turns from where its drive starts."""
    from reactio.functions.machine import jet

    rows, programs = system.plan.rows, system.plan.programs
    memory = system.plan.measures.table[rows.measure[rows.of[row]], 4]
    if memory >= 0:
        out = np.empty(3)
        stack = np.empty((system.depth, 3))
        jet(programs.code, programs.data, programs.start, int(rows.function[row]), 0.0, 0.0, 0.0, stack, out)
        if np.isfinite(out[0]):
            q[memory] = out[0]


def _table(*columns: Ints) -> Ints:
    """Whole numbers side by side."""
    return np.ascontiguousarray(np.stack([np.asarray(c, dtype=np.int64) for c in columns], axis=1))


def _starts(kind: Ints, count: int) -> Ints:
    """Where each kind starts in a sorted list of kinds."""
    return np.searchsorted(kind, np.arange(count + 1)).astype(np.int64)


def _bodies(model: Model, kinds: tuple[str, ...]) -> dict[str, Any]:
    """Bodies sorted by kind, and where each has its coordinates."""
    number = {name: i for i, name in enumerate(kinds)}
    kind = np.array([number[b.kind] for b in model.bodies], dtype=np.int64)
    ports: list[Port] = [BODIES.get(b.kind).ports[model.space] for b in model.bodies]
    body_q = np.concatenate([[0], np.cumsum([p.nq for p in ports])]).astype(np.int64)
    body_v = np.concatenate([[0], np.cumsum([p.nv for p in ports])]).astype(np.int64)
    body_m = np.concatenate([[0], np.cumsum([p.nv**2 for p in ports])]).astype(np.int64)
    order = np.argsort(kind, kind="stable")
    parameters = np.zeros((len(ports), 10))
    q0, v0 = np.zeros(body_q[-1]), np.zeros(body_v[-1])
    for i, body in enumerate(model.bodies):
        parameters[i, 0] = body.mass or 0.0
        parameters[i, 1 : 1 + len(body.center)] = body.center
        parameters[i, 4 : 4 + len(body.inertia)] = body.inertia
        q0[body_q[i] : body_q[i + 1]] = (body.position + body.orientation)[: ports[i].nq]
        v0[body_v[i] : body_v[i + 1]] = (body.velocity + body.angular_velocity)[: ports[i].nv]
    return {
        "kind": kind,
        "ports": ports,
        "body_q": body_q,
        "body_v": body_v,
        "nq": body_q[-1],
        "q0": q0,
        "v0": v0,
        "kinds": len(kinds),
        "plan": BodyPlan(
            of=_starts(kind[order], len(kinds)),
            table=_table(body_q[:-1][order], body_v[:-1][order], body_m[:-1][order]),
            p=parameters[order],
            gravity=np.array(model.gravity),
        ),
    }


def _frames(model: Model, new: Draft, bodies: dict[str, Any], kinds: int) -> dict[str, Any]:
    """Frames sorted by the kind of their body, ground last."""
    size, turn = (2, 1) if model.space == "planar" else (3, 9)
    body = np.array([-1 if e.body == GROUND else model.body_index[e.body] for e in new.frames], dtype=np.int64)
    kind = np.where(body < 0, kinds, bodies["kind"][body] if len(model.bodies) else kinds)
    order = np.argsort(kind, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    s = np.array([e.point for e in new.frames], dtype=float).reshape(-1, size)[order]
    if turn == 1:
        angle = np.array([end.orientation for end in new.frames], dtype=float).reshape(-1)[order]
        e = np.stack([angle, np.cos(angle), np.sin(angle)], axis=1)
    else:
        turned: list[Any] = [axes_of.plain(end.orientation) for end in new.frames]  # type: ignore[arg-type]
        e = np.array(turned, dtype=float).reshape(-1, 9)[order]
    F0 = np.zeros((len(order), WIDTH[model.space]))
    ground = np.flatnonzero(body[order] < 0)
    F0[ground, :size] = s[ground]
    if turn == 1:
        F0[ground, 2:4] = e[ground, 1:]
        F0[ground, 4] = e[ground, 0]
    else:
        F0[ground, 3:12] = e[ground]
    return {
        "place": place,
        "body": body,
        "kind": kind,
        "F0": F0,
        "plan": FramePlan(
            of=_starts(kind[order], kinds),
            table=_table(bodies["body_q"][body[order]], bodies["body_v"][body[order]]),
            s=s,
            e=e,
        ),
    }


def _measures(new: Draft, names: tuple[str, ...], frame_place: Ints, first_memory: int) -> tuple[MeasurePlan, Ints]:
    """Measures sorted by primitive; the angles that count turns get a place behind the bodies in q."""
    keys = list(new.measures)
    number = {name: i for i, name in enumerate(names)}
    primitive = np.array([number[key[2]] for key in keys], dtype=np.int64)
    order = np.argsort(primitive, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    table = np.array([(k[0], k[1], k[3], k[4]) for k in keys], dtype=np.int64).reshape(-1, 4)[order]
    remembers = np.array([p.remembers for p in new.primitives], dtype=bool)[order]
    memory = np.where(remembers, first_memory + np.cumsum(remembers) - 1, -1)
    a, b, k, l = table.T
    plan = MeasurePlan(
        of=_starts(primitive[order], len(names)),
        table=_table(frame_place[a], frame_place[b], k, l, memory),
        p=np.array([key[5] for key in keys], dtype=float)[order],
    )
    return plan, place


def _rows(new: Draft, places: Ints) -> RowPlan:
    """Rows as sums of terms."""
    terms = np.array([(r, k) for r, k, _ in new.terms], dtype=np.int64).reshape(-1, 2)
    return RowPlan(
        of=np.searchsorted(terms[:, 0], np.arange(len(new.targets) + 1)).astype(np.int64),
        measure=places[terms[:, 1]],
        factor=np.array([f for _, _, f in new.terms], dtype=float),
        target=np.array([target or 0.0 for target in new.targets], dtype=float),
        function=np.array(new.row_functions, dtype=np.int64),
        holonomic=np.array(new.holonomic, dtype=float),
    )


def _sides(new: Draft, measures: Ints) -> tuple[Ints, Ints, Ints]:
    """Both sides of measures (in the order of the draft): which item, which side, which frame (of the draft)."""
    ends = np.array([key[:2] for key in new.measures], dtype=np.int64).reshape(-1, 2)[measures]
    item = np.repeat(np.arange(len(measures)), 2)
    side = np.tile(np.array([0, 1], dtype=np.int64), len(measures))
    return item, side, ends.reshape(-1)


def _entries(new: Draft, frames: dict[str, Any], places: Ints, bodies: dict[str, Any]) -> tuple[Any, EntryPlan]:
    """The pattern of C, and for each term and side where it adds to the data of C."""
    rows = np.array([r for r, _, _ in new.terms], dtype=np.int64)
    measure = np.array([k for _, k, _ in new.terms], dtype=np.int64)
    factor = np.array([f for _, _, f in new.terms], dtype=float)
    item, side, frame = _sides(new, measure)
    body = frames["body"][frame]
    moving = body >= 0
    item, side, frame, body = item[moving], side[moving], frame[moving], body[moving]
    count = max(1, len(bodies["ports"]))
    pairs, which = np.unique(rows[item] * count + body, return_inverse=True)
    width = np.diff(bodies["body_v"])[pairs % count] if len(pairs) else np.zeros(0, dtype=np.int64)
    slot = np.concatenate([[0], np.cumsum(width)]).astype(np.int64)
    indices = np.arange(slot[-1]) - np.repeat(slot[:-1], width) + np.repeat(bodies["body_v"][pairs % count], width)
    m = len(new.targets)
    indptr = slot[np.searchsorted(pairs, np.arange(m + 1) * count)]
    order = np.argsort(frames["kind"][frame], kind="stable")
    plan = EntryPlan(
        of=_starts(frames["kind"][frame][order], bodies["kinds"]),
        table=_table(places[measure[item]], side, frames["place"][frame], slot[:-1][which.reshape(-1)])[order],
        factor=factor[item][order],
    )
    return (frozen(indptr, np.int64), frozen(indices, np.int64)), plan


def _moving(frame: Ints, frames: dict[str, Any]) -> Ints:
    """Which items have their frame on a moving body, sorted by its kind."""
    moving = np.flatnonzero(frames["body"][frame] >= 0)
    return moving[np.argsort(frames["kind"][frame[moving]], kind="stable")]


def _pushes(new: Draft, frames: dict[str, Any], places: Ints, bodies: dict[str, Any]) -> PushPlan:
    """Efforts, and a push on each moving side of them."""
    effort = np.array(new.efforts, dtype=np.int64).reshape(-1, 2)
    item, side, frame = _sides(new, effort[:, 0])
    order = _moving(frame, frames)
    measure = places[effort[:, 0]]
    first_v = bodies["body_v"][frames["body"][frame]]
    return PushPlan(
        of=_starts(frames["kind"][frame[order]], bodies["kinds"]),
        table=_table(item, measure[item], side, frames["place"][frame], first_v)[order],
        effort=_table(measure, effort[:, 1]),
    )


def _wrenches(model: Model, new: Draft, frames: dict[str, Any], bodies: dict[str, Any]) -> WrenchPlan:
    """Wrenches sorted by the kind of their body; on ground they do nothing."""
    frame = np.array([f for f, _, _ in new.wrenches], dtype=np.int64)
    order = _moving(frame, frames)
    in_body = np.array([w for _, _, w in new.wrenches], dtype=np.int64)
    size = 3 if model.space == "planar" else 6
    return WrenchPlan(
        of=_starts(frames["kind"][frame[order]], bodies["kinds"]),
        table=_table(frames["place"][frame], in_body, bodies["body_v"][frames["body"][frame]])[order],
        function=np.array([f for _, f, _ in new.wrenches], dtype=np.int64).reshape(-1, size)[order],
    )


def _blocks(body_v: Ints) -> tuple[Ints, Ints]:
    """The CSR pattern of a block diagonal matrix."""
    width = np.diff(body_v)
    per_row = np.repeat(width, width)
    indptr = np.concatenate([[0], np.cumsum(per_row)]).astype(np.int64)
    first = np.repeat(np.repeat(body_v[:-1], width), per_row)
    indices = first + np.arange(indptr[-1]) - np.repeat(indptr[:-1], per_row)
    return frozen(indptr, np.int64), frozen(indices, np.int64)
