"""What linear elasticity leaves out, with its size: contacts that would lift off, buckling, centrifugal stretch."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.flexibility.instant import Instant
from reactio.model.specs import Body
from reactio.model.structure import describe
from reactio.sharing.compliance import Relaxation
from reactio.structures.kinds.beam import segments
from reactio.system.elasticity.compliance import elasticity
from reactio.system.elasticity.interfaces import body_axes, spin_unknown

LIKELY_FEET = ("point-on-plane",)  # joints that mostly stand for feet, which cannot pull
NOTICEABLE_COMPRESSION = 0.1  # part of Euler's load from which on the softening of a beam by its load is noticeable


def remarks(here: Instant, found: Relaxation) -> tuple[str, ...]:
    """Sentences on feet that would lift off and beams that near their buckling load."""
    return (*_lifting(here, found), *_buckling(here, found))


def _lifting(here: Instant, found: Relaxation) -> Iterator[str]:
    """Parts that bear nothing, and feet that pull: misfit or heat may turn a contact force round."""
    forces = here.forces(found.lam)
    largest = max((float(np.abs(f).max()) for f in forces.values()), default=0.0)
    idle = found.solution.idle if found.solution else frozenset[str]()
    for group in found.problem.matrix.rows.unilateral_groups:
        if group.name in idle:
            yield f"'{group.name}' bears nothing: it acts one way only, and is lifted off or slack."
    for joint in here.eqs.system.model.joints:
        if joint.type in LIKELY_FEET:
            row = here.eqs.system.group(joint.name).start
            if found.lam[row] > 1e-9 * largest:
                yield (
                    f"'{joint.name}' pulls {quantity(found.lam[row], 'N')}: a foot that can only push would lift off "
                    "there; model it as a contact."
                )


def euler_ratios(here: Instant, found: Relaxation) -> dict[str, float]:
    """N / N_Euler of every straight flexible beam: its largest compression over π² E I / L², ends hinged."""
    loads = {}
    for body in here.eqs.system.model.bodies:
        if body.flexible is not None and body.flexible.kind == "beam":
            part = _euler_ratio(here, found, body)
            if part is not None:
                loads[body.name] = part
    return loads


def _euler_ratio(here: Instant, found: Relaxation, body: Body) -> float | None:
    pieces = segments(describe(body, here.eqs.system.model.materials))
    x = pieces[0].axes[0]
    if any(abs(abs(piece.axes[0] @ x) - 1) > 1e-9 for piece in pieces):
        return None
    length = float(np.ptp([end @ x for piece in pieces for end in (piece.a, piece.b)]))
    weakest = min(piece.material.E * min(piece.section.Iy, piece.section.Iz) for piece in pieces)
    return max(0.0, _compression(here, found, body.name, x)) / (math.pi**2 * weakest / length**2)


def _compression(here: Instant, found: Relaxation, name: str, x: Floats) -> float:
    """The largest compressive force in a straight beam: sums of the forces of joints along it, from either end."""
    system = here.eqs.system
    forces, size = here.forces(found.lam), system.dimension
    axis = (body_axes(here.eqs, system.model.body_index[name]) @ x)[:size]
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


def _buckling(here: Instant, found: Relaxation) -> Iterator[str]:
    for name, part in euler_ratios(here, found).items():
        if part > NOTICEABLE_COMPRESSION:
            yield (
                f"'{name}' bears {100 * part:.0f} % of its buckling load (N/N_Euler, ends hinged): "
                + ("it buckles." if part >= 1 else "it is softer than linear elasticity says.")
            )


def centrifugal(here: Instant, found: Relaxation) -> float | None:
    """The largest change of a joint force [N] if the centrifugal stretch of flexible bodies were left out.

    None where a body spins whose distribution of mass is not known.
    """
    if not any(body.flexible for body in here.eqs.system.model.bodies):
        return 0.0
    if spin_unknown(here.eqs):
        return None
    rigid = [part.name for part in found.elastic.parts if not part.is_flexible]
    still = here.relaxed(elasticity(here.eqs, spin=False).rigid(rigid))
    size = here.eqs.system.dimension
    changes = here.forces(found.lam - still.lam)
    return max((float(np.linalg.norm(one[:size])) for one in changes.values()), default=0.0)
