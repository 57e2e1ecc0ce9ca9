"""Bodies and frames of a model in flat arrays, sorted by kind of body."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints, frozen
from reactio.bodies import BODIES, Port
from reactio.catalogue.places import GROUND
from reactio.errors import ModelError
from reactio.model.model import Model
from reactio.space.frames import (
    PLANAR_PHI,
    PLANAR_R,
    PLANAR_WIDTH,
    PLANAR_X,
    SPATIAL_R,
    SPATIAL_V,
    SPATIAL_WIDTH,
)
from reactio.system.compile.rows import Draft
from reactio.system.plan import BodyPlan, FramePlan

MOST_MISCOUNTED = 32  # largest excess of the coordinates that a kind advances over those of its bodies that is detected
LEAST_WIDTH = 32  # numbers in a row of the tables of frames and bodies: at least as many as kernels of any kind read
WIDTH = {"planar": PLANAR_WIDTH, "spatial": SPATIAL_WIDTH}


class BodyLayout(NamedTuple):
    """The bodies of a model, in its order by default, and the positions of their coordinates."""

    plan: BodyPlan
    kind: Ints  # (bodies,) number of its kind
    kinds: int  # how many kinds there are in this space
    ports: list[Port]
    order: Ints  # (bodies,) bodies sorted by kind, as in the plan
    number: Ints  # (bodies + 1,) place of each in that order; −1 for ground
    body_q: Ints  # (bodies + 1,) first coordinate of each
    body_v: Ints  # (bodies + 1,) first velocity of each
    units: tuple[str, ...]  # (n,) of all velocities
    q0: Floats
    v0: Floats

    @property
    def nq(self) -> int:
        """Coordinates of all bodies; angles counted over full turns follow."""
        return int(self.body_q[-1])


class FrameLayout(NamedTuple):
    """The frames of a draft, in its order by default."""

    plan: FramePlan
    body: Ints  # (frames,) the body that each is fixed on, −1 for ground
    kind: Ints  # (frames,) number of the kind of that body; one more than the last for ground
    place: Ints  # (frames,) place of each in the plan, which is sorted by kind
    carrier: Ints  # (frames,) first velocity, within its body, of the element that is its origin; −1 for none
    point_kind: int  # number of the kind of point masses, whose ``columns`` act on such an element
    F0: Floats  # (frames, width) in the order of the plan; frames of ground filled in


def side_by_side(*columns: Ints) -> Ints:
    """Columns of whole numbers as one table."""
    return np.ascontiguousarray(np.stack([np.asarray(c, dtype=np.int64) for c in columns], axis=1))


def starts(kind: Ints, count: int) -> Ints:
    """Where each kind starts in a sorted list of kinds."""
    return np.searchsorted(kind, np.arange(count + 1)).astype(np.int64)


def padded(rows: list[Any]) -> Floats:
    """Rows of different lengths as one table, filled up with zeros."""
    table = np.zeros((len(rows), max([LEAST_WIDTH, *(len(row) for row in rows)])))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def lay_bodies(model: Model, kinds: tuple[str, ...], new: Draft) -> BodyLayout:
    """Bodies sorted by kind, and where each has its coordinates."""
    number = {name: i for i, name in enumerate(kinds)}
    kind = np.array([number[b.kind] for b in model.bodies], dtype=np.int64)
    ports: list[Port] = [BODIES.get(b.kind).ports[model.space] for b in model.bodies]
    units = [port.units(body) for port, body in zip(ports, model.bodies, strict=True)]
    width = np.array([len(u) for u in units], dtype=np.int64)
    given = [port.coordinates(body) for port, body in zip(ports, model.bodies, strict=True)]
    body_q = np.concatenate([[0], np.cumsum([len(q) for q, _ in given])]).astype(np.int64)
    body_v = np.concatenate([[0], np.cumsum(width)]).astype(np.int64)
    body_m = np.concatenate([[0], np.cumsum(width**2)]).astype(np.int64)
    order = np.argsort(kind, kind="stable")
    first = np.array(new.intrinsic_rows, dtype=np.int64)
    parameters = [port.parameters(body) for port, body in zip(ports, model.bodies, strict=True)]
    _check_counts(model, width, given, parameters)
    plan = BodyPlan(
        start=starts(kind[order], len(kinds)),
        table=side_by_side(body_q[:-1][order], body_v[:-1][order], body_m[:-1][order], first[order]),
        p=padded(parameters)[order],
        gravity=np.array(model.gravity),
    )
    return BodyLayout(
        plan,
        kind,
        len(kinds),
        ports,
        order,
        number=np.append(np.argsort(order), -1),
        body_q=body_q,
        body_v=body_v,
        units=tuple(unit for units_of_body in units for unit in units_of_body),
        q0=np.concatenate([np.zeros(0), *(q for q, _ in given)]),
        v0=np.concatenate([np.zeros(0), *(v for _, v in given)]),
    )


def _check_counts(model: Model, width: Ints, given: list[tuple[Any, Any]], parameters: list[Any]) -> None:
    """Refuse bodies whose q or v has another length than their kind advances: it would change those of the next body.

    Bodies of a kind that adds no fields have coordinates alike: those of the first are looked at.
    """
    alike: set[str] = set()
    for body, columns, (q, v), p in zip(model.bodies, width.tolist(), given, parameters, strict=True):
        counts = [("velocities", len(v), columns)]
        if body.kind not in alike:
            kind = BODIES.get(body.kind)
            counts.append(("coordinates", len(q), _rates_given(kind.ports[model.space], q, v, p)))
            alike |= set() if kind.fields else {body.kind}
        for word, count, wanted in counts:
            if count != wanted:
                raise ModelError(
                    f"body '{body.name}' ({body.kind}) has {count} {word}, and its kind moves {wanted}: a list among "
                    "its fields is too short or too long, or the kind counts them otherwise.",
                    ("bodies", body.name),
                )


def _rates_given(port: Port, q: Any, v: Any, p: Any) -> int:
    """How many entries of q̇ the ``coordinate_rates`` of a port write: those that do not keep their value."""
    spare = np.zeros(MOST_MISCOUNTED)
    padded_q, padded_v, row = (np.concatenate([x, spare]) for x in (q, v, p))
    written = []
    for before in (0.0, 1.0):
        out = np.full(len(padded_q), before)
        port.coordinate_rates.plain(padded_q, padded_v, 0, 0, row[None], 0, out)
        written.append(out)
    return int((written[0] == written[1]).sum())


def lay_frames(model: Model, new: Draft, bodies: BodyLayout, kinds: tuple[str, ...]) -> FrameLayout:
    """Frames sorted by the kind of their body, ground last."""
    body = np.array([-1 if e.body == GROUND else model.body_index[e.body] for e in new.frames], dtype=np.int64)
    kind = np.where(body < 0, len(kinds), bodies.kind[body] if len(model.bodies) else len(kinds))
    order = np.argsort(kind, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    ground = BODIES.get("rigid").ports[model.space]
    local, carriers = [], []
    for end, b in zip(new.frames, body.tolist(), strict=True):
        port, owner = (ground, model.ground) if b < 0 else (bodies.ports[b], model.bodies[b])
        local.append(port.local(owner, end))
        carriers.append(port.carrier(owner, end))
    table = padded(local)[order]
    fixed = np.flatnonzero(body[order] < 0)
    F0 = np.zeros((len(order), WIDTH[model.space]))
    F0[fixed] = ground_frames(model.space, table[fixed])
    plan = FramePlan(
        start=starts(kind[order], len(kinds)),
        table=side_by_side(*(column[body[order]] for column in (bodies.body_q, bodies.body_v, bodies.number))),
        local=table,
    )
    carrier = np.array([-1 if first is None else first for first in carriers], dtype=np.int64)
    return FrameLayout(plan, body, kind, place, carrier, kinds.index("point"), F0)


def ground_frames(space: str, local: Floats) -> Floats:
    """Frames on ground, which never change: origin and angle, or origin and axes, as on a rigid body at rest."""
    F = np.zeros((len(local), WIDTH[space]))
    if space == "spatial":
        F[:, SPATIAL_R:SPATIAL_V] = local[:, SPATIAL_R:SPATIAL_V]
        return F
    angle = local[:, 2]
    F[:, PLANAR_R : PLANAR_R + 2], F[:, PLANAR_PHI] = local[:, :2], angle
    F[:, PLANAR_X], F[:, PLANAR_X + 1] = np.cos(angle), np.sin(angle)
    return F


def block_pattern(body_v: Ints) -> tuple[Ints, Ints]:
    """The CSR pattern of a block diagonal matrix."""
    width = np.diff(body_v)
    per_row = np.repeat(width, width)
    indptr = np.concatenate([[0], np.cumsum(per_row)]).astype(np.int64)
    first = np.repeat(np.repeat(body_v[:-1], width), per_row)
    indices = first + np.arange(indptr[-1]) - np.repeat(indptr[:-1], per_row)
    return frozen(indptr, np.int64), frozen(indices, np.int64)
