"""Flexible plates in Exudyn: floating frame fixed to the first insert, Hurty–Craig–Bampton modes of the same elements.

A plate held to ground on some of its inserts, and the platform of the spatial parallelogram on rigid links.  K and M
are ours; frame, modes, inertia terms, constraints and integrator are Exudyn's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import exudyn
import numpy as np
from exudyn.FEM import FEMinterface, HCBstaticModeSelection, ObjectFFRFreducedOrderInterface
from exudyn.itemInterface import (
    MarkerBodyRigid,
    MarkerSuperElementRigid,
    ObjectJointGeneric,
    ObjectJointSpherical,
    SensorObject,
)
from exudyn_links import push, rigid_body, settings
from scipy.sparse import csr_matrix

from reactio.arrays import Floats, Ints
from reactio.model.model import Model
from reactio.structures import FiniteElements

MODES = 16  # with fixed inserts


def flexible_plate(
    elements: FiniteElements,
    held: Mapping[str, tuple[Ints, tuple[float, ...], Sequence[int]]],
    gravity: tuple[float, ...],
    beta: float,
    until: float,
    h: float,
    rows: int,
) -> tuple[Floats, dict[str, Floats]]:
    """Times (k,) and forces (k, 3) on the plate, world axes.

    ``held``: name → nodes that move with an insert about their mean, where it is held, and which of x, y, z are held.
    """
    mbs = exudyn.SystemContainer().AddSystem()
    inserts = _floating(
        mbs, elements, [(point, nodes) for nodes, point, _ in held.values()], (0.0, 0.0, 0.0), gravity, beta
    )
    ground, sensors = mbs.CreateGround(), {}
    kind = exudyn.OutputVariableType.ForceLocal
    for (name, (_, point, axes)), insert in zip(held.items(), inserts, strict=True):
        markers = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=list(point))), insert]
        own = mbs.AddObject(ObjectJointGeneric(markerNumbers=markers, constrainedAxes=[*axes, 0, 0, 0]))
        sensors[name] = mbs.AddSensor(SensorObject(objectNumber=own, storeInternal=True, outputVariableType=kind))
    mbs.Assemble()
    mbs.SolveDynamic(settings(until, h, rows))
    found = {name: np.array(mbs.GetSensorStoredData(number)) for name, number in sensors.items()}
    times = next(iter(found.values()))[:, 0]
    return times, {name: -table[:, 1:4] for name, table in found.items()}


def flexible_platform(
    model: Model,
    elements: FiniteElements,
    inserts: Mapping[tuple[float, ...], Ints],
    beta: float,
    until: float,
    h: float,
    rows: int,
) -> tuple[Floats, dict[str, Floats]]:
    """Times (k,) and forces (k, 3) on body b of every joint, world axes: a model whose last body is the plate.

    ``inserts``: points of the plate → nodes that move with the insert there.  Loads act on the last insert.
    """
    mbs, plate = exudyn.SystemContainer().AddSystem(), model.bodies[-1]
    found = _floating(mbs, elements, list(inserts.items()), plate.position, model.gravity, beta)
    markers = dict(zip(inserts, found, strict=True))
    push(mbs, model, found[-1])
    ground, sensors = mbs.CreateGround(), {}
    rigid = {body.name: rigid_body(mbs, model, body) for body in model.bodies[:-1]}

    def end(body: str, point: tuple[float, ...]) -> Any:
        if body == plate.name:
            return min(markers.items(), key=lambda item: np.hypot(*(np.array(item[0]) - point)[:2]))[1]
        if body == "ground":
            return mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=list(point)))
        return rigid[body](point)

    kind = exudyn.OutputVariableType.Force
    for joint in model.joints:
        ends = [end(part.body, part.point) for part in (joint.a, joint.b)]
        own = mbs.AddObject(ObjectJointSpherical(markerNumbers=ends))
        sensors[joint.name] = mbs.AddSensor(SensorObject(objectNumber=own, storeInternal=True, outputVariableType=kind))
    mbs.Assemble()
    mbs.SolveDynamic(settings(until, h, rows))
    stored = {name: np.array(mbs.GetSensorStoredData(number)) for name, number in sensors.items()}
    return next(iter(stored.values()))[:, 0], {name: -table[:, 1:4] for name, table in stored.items()}


def _floating(
    mbs: Any,
    elements: FiniteElements,
    boundaries: Sequence[tuple[tuple[float, ...], Ints]],
    position: tuple[float, ...],
    gravity: tuple[float, ...],
    beta: float,
) -> list[Any]:
    """A plate in a floating frame, under its weight; the markers of its inserts, which move with their nodes."""
    fem = FEMinterface()
    fem.nodes, fem.elements = {"Position": elements.nodes.copy()}, []
    fem.massMatrix, fem.stiffnessMatrix = csr_matrix(elements.M), csr_matrix(elements.K)
    fem.ComputeHurtyCraigBamptonModes(
        boundaryNodesList=[nodes for _, nodes in boundaries],
        nEigenModes=MODES,
        useSparseSolver=True,
        computationMode=HCBstaticModeSelection.RBE2,
    )
    plate = ObjectFFRFreducedOrderInterface(fem).AddObjectFFRFreducedOrder(
        mbs, positionRef=list(position), gravity=list(gravity), stiffnessProportionalDamping=beta
    )["oFFRFreducedOrder"]
    return [
        mbs.AddMarker(
            MarkerSuperElementRigid(
                bodyNumber=plate,
                meshNodeNumbers=nodes,
                weightingFactors=np.full(len(nodes), 1 / len(nodes)),
                offset=list(point - elements.nodes[nodes].mean(axis=0)),
            )
        )
        for point, nodes in boundaries
    ]
