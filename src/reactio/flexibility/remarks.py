"""Effects that linear elasticity neglects, with their size: lifting contacts, buckling, centrifugal stretch."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.flexibility.instant import Instant
from reactio.linear.precision import GEOMETRY, SOLUTION
from reactio.model.specs import Body
from reactio.model.structure import describe
from reactio.sharing.compliance import Relaxation
from reactio.structures.kinds.beam import segments
from reactio.system.elasticity.compliance import elasticity
from reactio.system.elasticity.interfaces import body_axes, spin_unknown

LIKELY_FEET = ("point-on-plane",)  # joints that mostly stand for feet, which cannot pull
NOTICEABLE_COMPRESSION = 0.1  # part of Euler's load from which on the softening of a beam by its load is noticeable


def remarks(now: Instant, relaxation: Relaxation) -> tuple[str, ...]:
    """Sentences on feet that would lift off and beams that near their buckling load."""
    return (*_lifting(now, relaxation), *_buckling(now, relaxation))


def _lifting(now: Instant, relaxation: Relaxation) -> Iterator[str]:
    """Parts that bear nothing, and feet that pull: misfit or heat may turn a contact force round."""
    forces = now.forces(relaxation.lam)
    largest = max((float(np.abs(f).max()) for f in forces.values()), default=0.0)
    idle = relaxation.solution.idle if relaxation.solution else frozenset[str]()
    for group in relaxation.problem.matrix.rows.unilateral_groups:
        if group.name in idle:
            yield f"'{group.name}' carries no load: it acts one way only, and is lifted off or slack."
    for joint in now.eqs.system.model.joints:
        if joint.type in LIKELY_FEET:
            row = now.eqs.system.group(joint.name).start
            if relaxation.lam[row] > SOLUTION * largest:
                yield (
                    f"'{joint.name}' pulls {quantity(relaxation.lam[row], 'N')}: a foot that can only push would lift "
                    "off there; model it as a contact."
                )


def euler_ratios(now: Instant, relaxation: Relaxation) -> dict[str, float]:
    """N / N_Euler of every straight flexible beam: its largest compression over π² E I / L², ends hinged."""
    loads = {}
    for body in now.eqs.system.model.bodies:
        if body.flexible is not None and body.flexible.kind == "beam":
            part = _euler_ratio(now, relaxation, body)
            if part is not None:
                loads[body.name] = part
    return loads


def _euler_ratio(now: Instant, relaxation: Relaxation, body: Body) -> float | None:
    pieces = segments(describe(body, now.eqs.system.model.materials))
    x = pieces[0].axes[0]
    if any(abs(abs(segment.axes[0] @ x) - 1) > GEOMETRY for segment in pieces):
        return None
    length = float(np.ptp([end @ x for segment in pieces for end in (segment.a, segment.b)]))
    weakest = min(segment.material.E * min(segment.section.Iy, segment.section.Iz) for segment in pieces)
    return max(0.0, _compression(now, relaxation, body.name, x)) / (math.pi**2 * weakest / length**2)


def _compression(now: Instant, relaxation: Relaxation, name: str, x: Floats) -> float:
    """The largest compressive force in a straight beam: sums of the forces of joints along it, from either end."""
    system = now.eqs.system
    forces, size = now.forces(relaxation.lam), system.dimension
    axis = (body_axes(now.eqs, system.model.body_index[name]) @ x)[:size]
    ends = []
    for joint in system.model.joints:
        for end, sign in ((joint.a, -1.0), (joint.b, 1.0)):
            if end.body == name:
                along = float(np.array([*end.point, 0.0])[:3] @ x)
                ends.append((along, sign * float(forces[joint.name][:size] @ axis)))
    ends.sort()
    pressed = np.cumsum([force for _, force in ends])[:-1]
    back = np.cumsum([-force for _, force in ends[::-1]])[:-1]
    return max(float(pressed.max(initial=0.0)), float(back.max(initial=0.0)))


def _buckling(now: Instant, relaxation: Relaxation) -> Iterator[str]:
    for name, part in euler_ratios(now, relaxation).items():
        if part > NOTICEABLE_COMPRESSION:
            yield (
                f"'{name}' bears {100 * part:.0f} % of its buckling load (N/N_Euler, ends hinged): "
                + ("it buckles." if part >= 1 else "it is softer than linear elasticity says.")
            )


def centrifugal(now: Instant, relaxation: Relaxation) -> float | None:
    """The largest change of a joint force [N] if the centrifugal stretch of flexible bodies were left out.

    None where a body spins whose distribution of mass is not known.
    """
    if not any(body.flexible for body in now.eqs.system.model.bodies):
        return 0.0
    if spin_unknown(now.eqs):
        return None
    rigid = [part.name for part in relaxation.elastic.parts if not part.is_flexible]
    still = now.relaxed(elasticity(now.eqs, spin=False).rigid(rigid))
    size = now.eqs.system.dimension
    changes = now.forces(relaxation.lam - still.lam)
    return max((float(np.linalg.norm(change[:size])) for change in changes.values()), default=0.0)
