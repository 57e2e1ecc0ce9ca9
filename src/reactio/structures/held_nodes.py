"""Interfaces on nodes: which nodes of a mesh a joint or load holds, rigidly or as their mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.units import quantity
from reactio.errors import ModelError, did_you_mean
from reactio.linear.precision import LOCATED, NEAR_ZERO
from reactio.structures import Description, Interface

# Distance of nodes from the point that holds them, as part of the body, from which on they may be in another unit.
MISPLACED_NODES = 0.1
FACTORS = {"mm": 1e-3, "cm": 1e-2, "in": 0.0254, "m": 1e3}  # of lengths, that people forget
INTERFACE_KEYS = ("nodes", "as", "at", "radius", "near")


def interfaces(
    given: Description,
    nodes: Floats,
    sets: Mapping[str, Ints],
    radius: float | None,
    freedoms: int,
    numbers: Ints | None = None,
) -> list[Interface]:
    """The interfaces of a description; without any, one around every point where the body is held.

    ``numbers`` (N,) are those of the nodes in their file; 1 … N when left out.
    """
    known = {int(n): k for k, n in enumerate(np.arange(1, len(nodes) + 1) if numbers is None else numbers)}
    listed: Mapping[str, Any] = given.interfaces
    frames = []
    if not listed:
        if radius is None:
            raise ModelError(
                f"body '{given.name}': give `interfaces`: which nodes do its joints hold? A point load on one node of "
                "a solid has no finite displacement.",
                given.where,
            )
        listed = {f"{k + 1}": {"at": point, "radius": radius} for k, point in enumerate(given.points)}
    for label, entry in listed.items():
        frames.append(
            _interface(label, {"nodes": entry} if isinstance(entry, str) else entry, given, nodes, sets, known, radius)
        )
    _check(frames, given, nodes, freedoms, list(known))
    _check_unit(frames, given, nodes)
    return frames


def _interface(
    label: str,
    entry: Any,
    given: Description,
    nodes: Floats,
    sets: Mapping[str, Ints],
    known: Mapping[int, int],
    radius: float | None,
) -> Interface:
    what = f"body '{given.name}': interface '{label}'"
    for key in entry:
        if key not in INTERFACE_KEYS:
            raise ModelError(f"{what} has no field '{key}'.{did_you_mean(key, INTERFACE_KEYS)}", given.where)
    hold = entry.get("as", "rigid")
    if hold not in ("rigid", "mean"):
        raise ModelError(f"{what}: nodes are held as 'rigid' or as 'mean', not as '{hold}'.", given.where)
    at = entry.get("at", entry.get("near", label if label in given.markers else None))
    point = None if at is None else np.array([*(given.markers.get(at, ()) if isinstance(at, str) else at), 0.0][:3])
    if isinstance(at, str) and at not in given.markers:
        raise ModelError(f"{what}: the body has no point '{at}'.{did_you_mean(at, given.markers)}", given.where)
    chosen = entry.get("nodes")
    if isinstance(chosen, str):
        if chosen not in sets:
            raise ModelError(
                f"{what}: the mesh has no set of nodes '{chosen}'.{did_you_mean(chosen, sets)}", given.where
            )
        held = sets[chosen]
    elif chosen is not None:
        absent = [int(k) for k in chosen if int(k) not in known]
        if absent:
            raise ModelError(f"{what}: the structure has no node {absent[0]}; it has {len(nodes)}.", given.where)
        held = np.array([known[int(k)] for k in chosen], dtype=np.int64)
    else:
        reach = entry.get("radius", radius)
        if point is None or reach is None:
            raise ModelError(f"{what} holds no nodes: give `nodes`, or `at` and `radius`.", given.where)
        held = np.flatnonzero(np.hypot(*(nodes - point).T[:2]) <= reach) if radius else _within(nodes, point, reach)
    if not len(held):
        raise ModelError(f"{what} holds no nodes.", given.where)
    return Interface(label, nodes[held].mean(axis=0) if point is None else point, held, hold == "rigid")


def _check_unit(frames: list[Interface], given: Description, nodes: Floats) -> None:
    """Refuse nodes in another unit of length than the points that hold them: they lie apart, and would fit scaled."""
    points = np.array([frame.point for frame in frames])
    middles = np.array([nodes[frame.nodes].mean(axis=0) for frame in frames])
    size, far = float(np.abs(points).max()), float(np.abs(middles - points).max())
    for unit, factor in FACTORS.items() if far > MISPLACED_NODES * float(np.ptp(nodes, axis=0).max()) else ():
        if np.abs(factor * middles - points).max() < MISPLACED_NODES * size:
            raise ModelError(
                f"body '{given.name}': the nodes of its interfaces lie up to {quantity(far, 'm')} from their points, "
                f"and would fit times {factor:g}: they are in {unit}. Convert nodes and matrices, or the model.",
                given.where,
            )


def _within(nodes: Floats, point: Floats, radius: float) -> Ints:
    return np.flatnonzero(np.linalg.norm(nodes - point, axis=1) <= radius)


def _check(frames: list[Interface], given: Description, nodes: Floats, freedoms: int, numbers: list[int]) -> None:
    owner: dict[int, str] = {}
    for frame in frames:
        for node in frame.nodes.tolist():
            if node in owner:
                raise ModelError(
                    f"body '{given.name}': node {numbers[node]} belongs to the interfaces '{owner[node]}' and "
                    f"'{frame.label}'; sets must not overlap.",
                    given.where,
                )
            owner[node] = frame.label
        spread = nodes[frame.nodes] - nodes[frame.nodes].mean(axis=0)
        second = np.linalg.svd(spread, compute_uv=False)[1] if len(frame.nodes) > 2 else 0.0
        if (freedoms == 3 or not frame.rigid) and second <= LOCATED * max(
            float(np.ptp(nodes, axis=0).max()), NEAR_ZERO
        ):
            raise ModelError(
                f"body '{given.name}': interface '{frame.label}' holds {len(frame.nodes)} node"
                f"{'s' if len(frame.nodes) > 1 else ''} in a line: rotations about it meet no stiffness. Hold an "
                "area: more nodes, a larger radius or a finer mesh.",
                given.where,
            )
