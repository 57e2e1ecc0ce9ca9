"""A flexible plate in Exudyn: floating frame fixed to the first insert, Hurty–Craig–Bampton modes of the same elements.

K and M are ours; frame, modes, inertia terms, constraints and integrator are Exudyn's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import exudyn
import numpy as np
from exudyn.FEM import FEMinterface, HCBstaticModeSelection, ObjectFFRFreducedOrderInterface
from exudyn.itemInterface import (
    MarkerBodyRigid,
    MarkerSuperElementRigid,
    ObjectJointGeneric,
    SensorObject,
)
from exudyn_links import settings
from scipy.sparse import csr_matrix

from reactio.arrays import Floats, Ints
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
    fem = FEMinterface()
    fem.nodes, fem.elements = {"Position": elements.nodes.copy()}, []
    fem.massMatrix, fem.stiffnessMatrix = csr_matrix(elements.M), csr_matrix(elements.K)
    fem.ComputeHurtyCraigBamptonModes(
        boundaryNodesList=[nodes for nodes, _, _ in held.values()],
        nEigenModes=MODES,
        useSparseSolver=True,
        computationMode=HCBstaticModeSelection.RBE2,
    )
    plate = ObjectFFRFreducedOrderInterface(fem).AddObjectFFRFreducedOrder(
        mbs, positionRef=[0, 0, 0], gravity=list(gravity), stiffnessProportionalDamping=beta
    )["oFFRFreducedOrder"]
    ground, sensors = mbs.CreateGround(), {}
    kind = exudyn.OutputVariableType.ForceLocal
    for name, (nodes, point, axes) in held.items():
        insert = MarkerSuperElementRigid(
            bodyNumber=plate, meshNodeNumbers=nodes, weightingFactors=np.full(len(nodes), 1 / len(nodes))
        )
        markers = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=list(point))), mbs.AddMarker(insert)]
        own = mbs.AddObject(ObjectJointGeneric(markerNumbers=markers, constrainedAxes=[*axes, 0, 0, 0]))
        sensors[name] = mbs.AddSensor(SensorObject(objectNumber=own, storeInternal=True, outputVariableType=kind))
    mbs.Assemble()
    mbs.SolveDynamic(settings(until, h, rows))
    found = {name: np.array(mbs.GetSensorStoredData(number)) for name, number in sensors.items()}
    times = next(iter(found.values()))[:, 0]
    return times, {name: -table[:, 1:4] for name, table in found.items()}
