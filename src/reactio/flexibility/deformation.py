"""How a mechanism is deformed: where its bodies and their interfaces go under the loads they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.flexibility.instant import Instant, instant
from reactio.model.model import Model
from reactio.sharing.compliance import refuse_open
from reactio.system.elasticity.interfaces import body_deformation
from reactio.system.equations import Equations
from reactio.system.types import State, System


@dataclass(frozen=True, eq=False)
class Deformation:
    """Elastic displacements at an instant, small against the mechanism; no part of them is a motion it can make."""

    here: Instant
    xi: Floats  # (n,) displacements of the bodies in the columns of C [m, rad]: C ξ = F λ − d + δ, TᵀMξ = 0
    bending: Mapping[str, Floats]  # flexible body → (points, 6) displacement and rotation of its points against it
    points: Mapping[str, Floats]  # flexible body → (points, 3) where it is held, body axes [m]
    frames: Floats  # (frames, 6) what bending adds to the frames of joints and loads, world axes [m, rad]

    @property
    def largest(self) -> float:
        """The largest displacement of a body, or of a point against its body [m]."""
        turning = self.here.eqs.system.angular
        return max(
            float(np.abs(self.xi[~turning]).max(initial=0.0)),
            float(np.abs(self.frames[:, :3]).max(initial=0.0)),
        )

    def as_data(self) -> dict[str, Any]:
        """For scripts: what bodies do, and points of flexible bodies against them, world axes."""
        system = self.here.eqs.system
        bodies = {
            body.name: self.xi[system.body_v[b] : system.body_v[b + 1]].tolist()
            for b, body in enumerate(system.model.bodies)
        }
        bent = {
            name: [
                {
                    "point": point.tolist(),
                    "displacement": displacement[:3].tolist(),
                    "rotation": displacement[3:].tolist(),
                }
                for point, displacement in zip(self.points[name], table, strict=True)
            ]
            for name, table in self.bending.items()
        }
        return {"schema": "reactio.deformation/1", "t": self.here.eqs.state.t, "bodies": bodies, "bending": bent}


def deformation(
    source: Model | System | Equations, state: State | None = None, only: Iterable[str] | None = None
) -> Deformation:
    """Where bodies and their interfaces go under the loads that the rule compliance finds.

    >>> import reactio
    >>> found = deformation(reactio.load("door", hinges=2, bushings=1))
    >>> bool(0 < found.largest < 1e-4)
    True
    """
    now = instant(source, state)
    relaxation = now.whole if only is None else now.relaxed(now.elastic.only(only))
    refuse_open(relaxation)
    rigid = {part.name for part in relaxation.elastic.parts if not part.is_flexible}
    eqs, lam = now.eqs, relaxation.lam
    frames = np.zeros((len(eqs.system.frame_ends), 6))
    bending, points = {}, {}
    for b, body in enumerate(eqs.system.model.bodies):
        deformed = None if body.name in rigid else body_deformation(eqs, b, lam)
        if deformed is None:
            continue
        points[body.name] = deformed.attachment.points
        bending[body.name] = np.array([deformed.at(tuple(point)) for point in deformed.attachment.points])
        for k, end in enumerate(eqs.system.frame_ends):
            if end.body == body.name:
                frames[k] = deformed.at(end.point)
    return Deformation(now, now.displacements(relaxation), bending, points, frames)
