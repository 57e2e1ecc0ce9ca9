"""Which parts must be flexible for a true load distribution: the share of each, and the effect of leaving it rigid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio.arrays import Floats, distinct
from reactio.catalogue.units import quantity
from reactio.constraint_matrix import GroupKind
from reactio.flexibility.instant import Instant, instant
from reactio.flexibility.remarks import remarks
from reactio.flexibility.validity import Validity, validity
from reactio.linear.precision import LOCATED, SOLUTION
from reactio.model.model import Model
from reactio.results.as_data import Result, picked
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.sharing.compliance import LEAST_DEFORMATION, Relaxation, loaded_groups
from reactio.sharing.elasticity import ElasticPart, ElasticPartKind
from reactio.system.elasticity.compliance import elastic_notes
from reactio.system.equations import Equations
from reactio.system.types import State, System
from reactio.uniqueness.explain import localised

# Part of the largest force by which the split by compliance itself may be off: a smaller change does not make a part
# needed.
NEGLIGIBLE_CHANGE = 5e-3
LENGTH_POWERS = {"N": 0.0, "N m": 1.0, "N/m": -1.0, "": 0.0}  # powers of a length in a multiplier, relative to a force


@dataclass(frozen=True, slots=True)
class PartVerdict(Result):
    """The role of a flexible part in the load sharing."""

    KEYS = "kind share needed change_if_rigid reason"

    name: str
    kind: ElasticPartKind
    flexible: bool  # False: left rigid by the question that was asked
    share: float  # of the self-stress energy: tr(H⁻¹H_e), the sum over all parts is p
    needed: bool
    change_if_rigid: float | None  # largest change of a joint force, or of a moment where no force changes; None: open
    reason: str
    unit: str = "N"  # of the change: N, or N m


@dataclass(frozen=True, slots=True)
class MisfitGap(Result):
    """The gap nᵀδ that assembly must close along a self-stress n of largest force 1 N or 1 N m, without loads."""

    KEYS = "gap=size unit joints"

    size: float
    unit: str  # m or rad
    joints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenStress:
    """A self-stress that no flexible part sees: nothing says how large it is."""

    joints: tuple[str, ...]  # joints, drives and couplings that carry it
    could_decide: tuple[str, ...]  # parts that would see it if they were flexible


@dataclass(frozen=True, slots=True)
class LargestLoad:
    """The largest force and the largest moment that joints, drives and couplings bear, or that a change makes."""

    force: float  # [N]
    moment: float  # [N m]
    length: float  # characteristic length of the mechanism [m]: it turns moments into forces

    @property
    def size(self) -> float:
        """[N]."""
        return max(self.force, self.moment / self.length)

    @property
    def turns(self) -> bool:
        """Is it a moment rather than a force?"""
        return self.moment / self.length > self.force

    def amount(self, largest: LargestLoad) -> tuple[float, str]:
        """Its force, or its moment where the force is rounding next to the largest; 0 where both are; the unit."""
        if self.size <= SOLUTION * largest.size:
            return 0.0, "N"
        return (self.moment, "N m") if self.force <= SOLUTION * largest.size else (self.force, "N")

    def words(self, largest: LargestLoad) -> str:
        """A force by 12 N of 300 N."""
        name = "moment" if self.turns else "force"
        amount, all_of_it = getattr(self, name), getattr(largest, name)
        unit = "N m" if self.turns else "N"
        return f"a {name} by {quantity(amount, unit)} of {quantity(all_of_it, unit)}"


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(Result, Tabular):
    """Parts that decide how load is shared at an instant."""

    SCHEMA = "reactio.flexible/1"
    KEYS = "model t redundancy parts open gaps"

    model: str
    t: float
    redundancy: int
    parts: tuple[PartVerdict, ...]
    open: tuple[OpenStress, ...]  # self-stresses that no flexible part sees
    gaps: tuple[MisfitGap, ...]
    condition: float  # of H, equilibrated; inf where it is singular
    largest: LargestLoad
    validity: Validity | None
    notes: tuple[str, ...]
    advice: str  # on the choice of flexible parts, in words

    def __getitem__(self, name: str) -> PartVerdict:
        return next(part for part in self.parts if part.name == name)

    @property
    def could_decide(self) -> tuple[str, ...]:
        """All parts that would see an open self-stress if they were flexible."""
        return tuple(dict.fromkeys(name for stress in self.open for name in stress.could_decide))

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        trust = self.validity.as_data() if self.validity else {}
        trust |= picked(self, "condition largest_force=largest.force largest_moment=largest.moment advice notes")
        return super().as_data() | {"parts": {part.name: part.as_data() for part in self.parts}, "validity": trust}

    def table(self) -> ResultTable:
        """Every part that can bend, with its share of the energy."""
        heads = ("name", "kind", "flexible", "share", "needed", "change_if_rigid", "unit", "reason")
        rows = [tuple(getattr(part, head) for head in heads) for part in self.parts]
        title = f"Flexible parts of {self.model} at t = {self.t:g} s"
        return table_of(title, heads, rows, 1, ("share",), self.advice)

    def plot_table(self) -> ResultTable:
        """The shares, which have no unit."""
        rows = [(part.name, part.share) for part in self.parts]
        return table_of(self.table().title, ("name", "share"), rows, 1, ("share",), share="part of the energy")


def flexible(
    source: Model | System | Equations, *, only: Iterable[str] | None = None, state: State | None = None
) -> Certificate:
    """Which flexible parts determine the load sharing: share, needed, change if rigid; ``only`` makes all others rigid.

    >>> import reactio
    >>> found = flexible(reactio.load("door", hinges=2, bushings=1))
    >>> found.redundancy, round(sum(part.share for part in found.parts), 9)
    (5, 5.0)
    """
    now = instant(source, state)
    kept = now.elastic if only is None else now.elastic.only(only)
    relaxation = now.relaxed(kept)
    unseen = _open_count(relaxation)
    largest = _largest(now, relaxation.lam)
    shares = energy_shares(relaxation)
    return Certificate(
        model=now.eqs.system.model.name,
        t=now.eqs.state.t,
        redundancy=now.answer.redundancy,
        parts=tuple(_verdict(now, relaxation, part, shares[part.name], largest) for part in kept.parts),
        open=tuple(_open(now, relaxation)),
        gaps=_clean(tuple(_gaps(relaxation))),
        condition=_condition(relaxation),
        largest=largest,
        validity=None if unseen else validity(now, relaxation),
        notes=(*elastic_notes(now.eqs), *(() if unseen else remarks(now, relaxation))),
        advice=advice(now, only),
    )


def advice(now: Instant, only: Iterable[str] | None = None) -> str:
    """Whether a choice of flexible parts suffices, as Wojtyra & Frączek 2012 (Sect. 4.2) would put it.

    Still redundant: no chosen part sees some self-stress.  Elimination in disguise: a self-stress is seen by one part
    alone, which then carries none of it.  Otherwise the split is decided; it is the true one when every part that
    carries self-stress is among those chosen.
    """
    if not now.answer.redundancy:
        return "nothing is redundant"
    chosen = now.elastic if only is None else now.elastic.only(only)
    relaxation = now.relaxed(chosen)
    if _open_count(relaxation):
        return "still redundant"
    shares = energy_shares(relaxation)
    seeing = [part for part in chosen.parts if shares[part.name] > SOLUTION]
    for part in seeing:
        if _eliminates(now, relaxation, part):
            return f"an elimination in disguise: {part.name} alone carries nothing"
    names = {part.name for part in seeing}
    missing = [name for name, share in energy_shares(now.whole).items() if name not in names and share > SOLUTION]
    if missing:
        return f"determined, but not the true load distribution: {', '.join(missing)} carry self-stress and are rigid"
    return "the true load distribution: every part with a stiffness that carries self-stress is flexible, others rigid"


def energy_shares(relaxation: Relaxation) -> dict[str, float]:
    """tr(H⁻¹H_e) of every part, over the self-stresses that are decided.

    With F_e = L_e L_eᵀ and B_e = L_eᵀN, H = Σ B_eᵀB_e = BᵀB; an orthonormal basis Q of the columns of B gives
    tr(H⁻¹H_e) = ‖Q_e‖², so that the shares add up to the number of self-stresses whatever the condition of H.
    """
    shares = dict.fromkeys((part.name for part in relaxation.elastic.parts), 0.0)
    for block in relaxation.pieces:
        if not block.decided.shape[1]:
            continue
        leverage, row = block.leverage, 0
        for seen in block.parts:
            after = row + seen.L.shape[1]
            shares[seen.part.name] += float(leverage[row:after].sum())
            row = after
    return shares


def _unit_deformations(relaxation: Relaxation, part: ElasticPart) -> list[Floats]:
    """QᵀN of a part in every piece that it meets, Q its directions: whether it is loaded, not how much."""
    return [
        seen.directions.T @ block.N[seen.rows]
        for block in relaxation.pieces
        for seen in block.parts
        if seen.part.name == part.name
    ]


def _verdict(
    now: Instant, relaxation: Relaxation, part: ElasticPart, share: float, largest: LargestLoad
) -> PartVerdict:
    if not part.is_flexible:
        given = now.elastic.part(part.name).is_flexible
        reason = "left rigid" if given else "rigid: misfit, preload or heat only"
        return PartVerdict(part.name, part.kind, False, 0.0, False, 0.0, reason)
    if not _carries(relaxation, part):
        return PartVerdict(part.name, part.kind, True, 0.0, False, 0.0, "not needed: carries no self-stress")
    rest = now.relaxed(relaxation.elastic.rigid([part.name]))
    before, after = _open_count(relaxation), _open_count(rest)
    if after > before:
        reason = (
            "alone it is an elimination in disguise: it carries no self-stress, the rigid parts carry all"
            if _eliminates(now, relaxation, part)
            else f"needed: without it {after - before} self-stress{'es' if after - before > 1 else ''} would be "
            "undetermined"
        )
        return PartVerdict(part.name, part.kind, True, share, True, None, reason)
    change = _largest(now, relaxation.lam - rest.lam)
    amount, unit = change.amount(largest)
    needed = share > SOLUTION and change.size > NEGLIGIBLE_CHANGE * largest.size
    if needed:
        reason = f"needed: leaving it rigid changes {change.words(largest)}"
    elif share > SOLUTION:
        what = "nothing" if change.size <= SOLUTION * largest.size else f"no more than {change.words(largest)}"
        reason = f"not needed for this load: leaving it rigid changes {what}"
    else:
        reason = "not needed: far stiffer than the others that carry this self-stress"
    return PartVerdict(part.name, part.kind, True, share, needed, amount, reason, unit)


def _eliminates(now: Instant, relaxation: Relaxation, part: ElasticPart) -> bool:
    """Does no other part deform along its self-stresses, and does it then carry no self-stress, N_eᵀλ_e = 0?

    A link or joint that alone gives way evades its load, as if it were cut.  A shaft that alone bends on its bearings,
    or a clamped beam under a load on its span, does not: its load bends it.
    """
    seen = sum(
        int((np.linalg.eigvalsh(B.T @ B) > LEAST_DEFORMATION).sum()) for B in _unit_deformations(relaxation, part)
    )
    if seen > _open_count(now.relaxed(relaxation.elastic.rigid([part.name]))) - _open_count(relaxation):
        return False
    powers = np.array(
        [LENGTH_POWERS[unit] for unit in relaxation.problem.matrix.rows.units or [""] * relaxation.elastic.m]
    )
    force = now.eqs.system.length**-powers  # brings moments to forces by the size of the mechanism
    lam = force * relaxation.lam
    borne = 0.0
    for block in relaxation.pieces:
        on_part = np.isin(block.rows, part.rows)
        N = (force * relaxation.problem.Dr)[block.rows, None] * block.N
        borne = max(borne, float(np.abs((N / np.linalg.norm(N, axis=0))[on_part].T @ lam[block.rows[on_part]]).max()))
    return borne <= LOCATED * float(np.abs(lam).max(initial=0.0))


def _open_count(relaxation: Relaxation) -> int:
    return sum(block.undecided.shape[1] for block in relaxation.pieces)


def _carries(relaxation: Relaxation, part: ElasticPart) -> bool:
    """Does a self-stress load the part?"""
    return any((B * B).sum() > LEAST_DEFORMATION for B in _unit_deformations(relaxation, part))


def _largest(now: Instant, lam: Floats) -> LargestLoad:
    """The largest force and moment of a joint; drives and couplings bear one of the two."""
    system = now.eqs.system
    size = system.dimension
    forces, moments = [0.0], [0.0]
    for name, wrench in now.forces(lam).items():
        group = system.group(name)
        if group.frames is None:
            (moments if group.units[0] == "rad" else forces).append(float(np.abs(wrench).max()))
        else:
            forces.append(float(np.linalg.norm(wrench[:size])))
            moments.append(float(np.linalg.norm(wrench[size:])))
    return LargestLoad(max(forces), max(moments), system.length)


def _gaps(relaxation: Relaxation) -> Iterable[MisfitGap]:
    """nᵀδ of every self-stress, δ of misfits, heat and tightened preloads: d is there under load only.

    The self-stresses are minimal ones: an orthonormal basis of equal singular values would be that of rounding.
    """
    rows, Dr = relaxation.problem.matrix.rows, relaxation.problem.Dr
    turns = np.array([unit == "N m" for unit in rows.units or ()])
    delta = relaxation.elastic.delta + relaxation.preload_misfits
    for block in relaxation.pieces:
        group_of = np.searchsorted(rows.ptr, block.rows, side="right") - 1
        for z in localised(block.N, group_of).T:
            n, moment = Dr[block.rows] * z, turns[block.rows]
            by_force = bool(n[~moment].any())
            size = np.abs(n[~moment] if by_force else n).max()
            groups = (rows.groups[k] for k in distinct(group_of[z != 0.0]))
            names = tuple(group.name for group in groups if group.kind != GroupKind.INTRINSIC)
            yield MisfitGap(float(n @ delta[block.rows] / size), "m" if by_force else "rad", names)


def _clean(gaps: tuple[MisfitGap, ...]) -> tuple[MisfitGap, ...]:
    """Gaps without those that rounding left."""
    largest = max((abs(gap.size) for gap in gaps), default=0.0)
    return tuple(gap if abs(gap.size) > SOLUTION * largest else replace(gap, size=0.0) for gap in gaps)


def _condition(relaxation: Relaxation) -> float:
    worst = 1.0
    for block in relaxation.pieces:
        if block.undecided.shape[1]:
            return float("inf")
        size = 1 / np.sqrt(np.diagonal(block.H))
        worst = max(worst, float(np.linalg.cond(block.H * np.outer(size, size))))
    return worst


def _open(now: Instant, relaxation: Relaxation) -> Iterable[OpenStress]:
    """Each self-stress that no flexible part sees, with the joints that carry it and the bodies between them."""
    system = now.eqs.system
    for block in relaxation.pieces:
        for y in block.undecided.T:
            names = loaded_groups(relaxation, block, y[:, None])
            bodies = [b for name in names for b in system.group(name).bodies if b >= 0]
            between = dict.fromkeys(system.model.bodies[b].name for b in bodies)
            yield OpenStress(names, (*names, *between))
