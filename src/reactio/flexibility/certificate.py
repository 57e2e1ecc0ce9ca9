"""Which parts must be flexible for a true split, what each contributes, and what leaving it rigid would change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.remarks import remarks
from reactio.flexibility.validity import Validity, validity
from reactio.model.specs import Model
from reactio.sharing.compliance import SEEN, Piece, Relaxation, open_groups
from reactio.sharing.elasticity import Part
from reactio.system.equations import Equations
from reactio.system.types import State, System

NOTHING = 1e-9  # share of the self-stress energy below which a part carries none: Ñ is known to rounding
# Part of the largest force that level 1 itself may be off; a change below it does not make a part needed.
NEGLIGIBLE = 5e-3


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """What a flexible part means for the split."""

    name: str
    kind: str  # joint, drive, coupling or body
    flexible: bool  # False: left rigid by the question that was asked
    share: float  # of the self-stress energy: tr(H⁻¹H_e), the sum over all parts is p
    needed: bool
    change_if_rigid: float | None  # largest change of a joint force [N] or drive effort; None: the split would be open
    reason: str


@dataclass(frozen=True, slots=True)
class Gap:
    """What assembly must close along one self-stress: nᵀ(δ − d), with n scaled to a largest force of 1 N (or 1 N m)."""

    size: float
    unit: str  # m or rad
    joints: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Certificate:
    """Parts that decide how load is shared at an instant."""

    model: str
    t: float
    redundancy: int
    parts: tuple[PartVerdict, ...]
    open: tuple[str, ...]  # joints with self-stresses that no flexible part sees
    open_count: int
    could_decide: tuple[str, ...]  # parts that would see them if they were flexible
    gaps: tuple[Gap, ...]
    condition: float  # of H, equilibrated; inf where it is singular
    largest: float  # force [N]
    validity: Validity | None
    notes: tuple[str, ...]
    advice: str  # on the choice of flexible parts, in words

    def __getitem__(self, name: str) -> PartVerdict:
        return next(part for part in self.parts if part.name == name)

    def as_data(self) -> dict[str, Any]:
        """For scripts: plain mappings and numbers."""
        return {
            "schema": "reactio.flexible/1",
            "model": self.model,
            "t": self.t,
            "redundancy": self.redundancy,
            "parts": {
                part.name: {
                    "kind": part.kind,
                    "flexible": part.flexible,
                    "share": part.share,
                    "needed": part.needed,
                    "change_if_rigid": part.change_if_rigid,
                    "reason": part.reason,
                }
                for part in self.parts
            },
            "open": {"count": self.open_count, "joints": list(self.open), "could_decide": list(self.could_decide)},
            "gaps": [{"gap": gap.size, "unit": gap.unit, "joints": list(gap.joints)} for gap in self.gaps],
            "condition": self.condition if np.isfinite(self.condition) else None,
            "largest_force": self.largest,
            "validity": self.validity.as_data() if self.validity else None,
            "notes": list(self.notes),
            "advice": self.advice,
        }


def flexible(
    source: Model | System | Equations, *, only: Iterable[str] | None = None, state: State | None = None
) -> Certificate:
    """Which flexible parts decide the split: share, needed, change if rigid; ``only`` leaves all others rigid.

    >>> import reactio
    >>> found = flexible(reactio.load("door", hinges=2, bushings=1))
    >>> found.redundancy, round(sum(part.share for part in found.parts), 9)
    (5, 5.0)
    """
    here = instant(source, state)
    kept = here.elastic if only is None else here.elastic.only(only)
    found = here.relaxed(kept)
    unseen = sum(piece.unseen.shape[1] for piece in found.pieces)
    lam = found.lam
    forces = here.forces(lam)
    largest = max((float(np.linalg.norm(f[:3])) for f in forces.values()), default=0.0)
    names = open_groups(found) if unseen else ()
    return Certificate(
        model=here.eqs.system.model.name,
        t=here.eqs.state.t,
        redundancy=here.answer.redundancy,
        parts=tuple(_verdict(here, found, part, largest) for part in kept.parts),
        open=names,
        open_count=unseen,
        could_decide=_could_decide(here, found, names) if unseen else (),
        gaps=_clean(tuple(_gaps(found))),
        condition=_condition(found),
        largest=largest,
        validity=None if unseen else validity(here, found),
        notes=(*here.elastic.notes, *(() if unseen else remarks(here, found))),
        advice=advice(here, only),
    )


def advice(here: Instant, only: Iterable[str] | None = None) -> str:
    """What a choice of flexible parts is worth, as Wojtyra & Frączek 2012 (Sect. 4.2) would say it.

    Still redundant: no chosen part sees some self-stress.  Elimination in disguise: a self-stress is seen by one part
    alone, which then carries nothing.  Otherwise the split is decided; it is the true one when every part that carries
    self-stress is among those chosen.
    """
    if not here.answer.redundancy:
        return "nothing is redundant"
    chosen = here.elastic if only is None else here.elastic.only(only)
    found = here.relaxed(chosen)
    if any(piece.unseen.shape[1] for piece in found.pieces):
        return "still redundant"
    seeing = [part for part in chosen.parts if part.gives and share(found, part) > NOTHING]
    for part in seeing:
        if all(_alone(piece, H) for piece, H in zip(found.pieces, part_energy(found, part), strict=True)):
            return f"an elimination in disguise: {part.name} alone carries nothing"
    names = {part.name for part in seeing}
    missing = [p.name for p in here.elastic.parts if p.name not in names and p.gives and share(here.whole, p) > NOTHING]
    if missing:
        return f"decided, but not the true split: {', '.join(missing)} carry self-stress and are rigid"
    return "the true split: every part that carries self-stress is flexible"


def part_energy(found: Relaxation, part: Part) -> list[Floats]:
    """H_e = NᵀF_eN (p, p) of one part in every piece, in equilibrated rows."""
    Dr, matrices = found.problem.Dr, []
    for piece in found.pieces:
        rows = {int(row): i for i, row in enumerate(piece.rows)}
        own = [k for k, row in enumerate(part.rows) if int(row) in rows]
        N = piece.N[[rows[int(part.rows[k])] for k in own]] * Dr[part.rows[own]][:, None]
        H = N.T @ part.F[np.ix_(own, own)] @ N
        matrices.append((H + H.T) / 2)
    return matrices


def share(found: Relaxation, part: Part) -> float:
    """tr(H⁻¹H_e), over the self-stresses that are decided."""
    return sum(
        float(np.trace(piece.relax(H)))
        for piece, H in zip(found.pieces, part_energy(found, part), strict=True)
        if piece.seen.shape[1]
    )


def _verdict(here: Instant, found: Relaxation, part: Part, largest: float) -> PartVerdict:
    own = share(found, part) if part.gives else 0.0
    if not part.gives:
        given = here.elastic.part(part.name).gives
        reason = "left rigid" if given else "rigid: misfit, preload or heat only"
        return PartVerdict(part.name, part.kind, False, 0.0, False, 0.0, reason)
    if own <= NOTHING * max(1, here.answer.redundancy):
        return PartVerdict(part.name, part.kind, True, 0.0, False, 0.0, "not needed: carries no self-stress")
    rest = here.relaxed(found.elastic.rigid([part.name]))
    before, after = (sum(piece.unseen.shape[1] for piece in one.pieces) for one in (found, rest))
    if after > before:
        alone = all(_alone(piece, H) for piece, H in zip(found.pieces, part_energy(found, part), strict=True))
        reason = (
            "alone it is an elimination in disguise: it carries no self-stress, the rigid parts carry all"
            if alone
            else f"needed: without it {after - before} self-stress{'es' if after - before > 1 else ''} would be open"
        )
        return PartVerdict(part.name, part.kind, True, own, True, None, reason)
    change = _change(here, found.lam, rest.lam)
    if change <= NEGLIGIBLE * largest:
        reason = f"not needed for this load: symmetric (leaving it rigid changes {change:.3g} N)"
        return PartVerdict(part.name, part.kind, True, own, False, change, reason)
    reason = f"needed: leaving it rigid changes a force by {change:.4g} N of {largest:.4g} N"
    return PartVerdict(part.name, part.kind, True, own, True, change, reason)


def _alone(piece: Piece, H: Floats) -> bool:
    """Does no other part see what this one sees?"""
    size = np.abs(np.diagonal(piece.H)).max(initial=0.0)
    return bool(np.abs(piece.H - H).max(initial=0.0) <= SEEN * size)


def _change(here: Instant, lam: Floats, other: Floats) -> float:
    """The largest change of a joint's force [N]; of its moment over the characteristic length where that is more."""
    size = 2 if here.eqs.system.space == "planar" else 3
    length, most = here.eqs.system.length, 0.0
    for wrench in here.forces(lam - other).values():
        whole = len(wrench) > 1
        most = max(most, float(np.linalg.norm(wrench[:size])))
        most = max(most, float(np.linalg.norm(wrench[size:])) / length) if whole else most
    return most


def _gaps(found: Relaxation) -> Iterable[Gap]:
    """nᵀ(δ − d) of every self-stress."""
    problem = found.problem
    unit = np.array([u == "N m" for u in problem.matrix.rows.units or ()])
    for piece, g in zip(found.pieces, found.gaps(-found.offset), strict=True):
        for k in range(piece.N.shape[1]):
            n = problem.Dr[piece.rows] * piece.N[:, k]
            forces, moments = n[~unit[piece.rows]], n[unit[piece.rows]]
            by_force = np.abs(forces).max(initial=0.0) > 0
            size = np.abs(forces if by_force else moments).max()
            groups = [
                group.name
                for group in problem.matrix.rows.groups
                if np.abs(n[(piece.rows >= group.start) & (piece.rows < group.stop)]).max(initial=0.0) > 1e-6 * size
            ]
            yield Gap(float(g[k] / size), "m" if by_force else "rad", tuple(groups))


def _clean(gaps: tuple[Gap, ...]) -> tuple[Gap, ...]:
    """Gaps without those that rounding left."""
    largest = max((abs(gap.size) for gap in gaps), default=0.0)
    return tuple(gap if abs(gap.size) > NOTHING * largest else replace(gap, size=0.0) for gap in gaps)


def _condition(found: Relaxation) -> float:
    worst = 1.0
    for piece in found.pieces:
        if piece.unseen.shape[1]:
            return float("inf")
        size = 1 / np.sqrt(np.diagonal(piece.H))
        worst = max(worst, float(np.linalg.cond(piece.H * np.outer(size, size))))
    return worst


def _could_decide(here: Instant, found: Relaxation, names: tuple[str, ...]) -> tuple[str, ...]:
    """Joints that carry open self-stresses, and the bodies between them."""
    system = here.eqs.system
    bodies: dict[str, None] = {}
    for name in names:
        for b in system.group(name).bodies:
            if b >= 0:
                bodies[system.model.bodies[b].name] = None
    return (*names, *bodies)
