"""The reactions of a program against the equations of motion: confirmed, wrong, or arbitrary."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.auditing import Reported
from reactio.errors import ReactioError
from reactio.system.compile.build import build
from reactio.system.constraints import LABELS, components, joint_axes, wrench_map
from reactio.system.evaluate.equations import Equations, equations
from reactio.system.types import RowGroup
from reactio.uniqueness import Solvability
from reactio.uniqueness.functional import is_unique

AGREE = 1e-6  # part of the largest force or moment within which two numbers are the same
# Accelerations that no reactions explain are off by the misfit; what reactions take up of the error is not seen and may
# be some times as much (3.4 on MuJoCo, which stops iterating at its tolerance).
UNSEEN = 10.0
COARSEST = 1e-2  # tolerance beyond which "the same number" says nothing
ZERO = 1e-9  # part of the largest multiplier below which one was set to zero
NO_LOAD = 1e-12  # part of the largest force or moment that is nothing but rounding
MOST_SUMS = 40  # sums of two joints that are listed


@dataclass(frozen=True, slots=True)
class Line:
    """One component of a reaction, in the axes that were asked for."""

    joint: str
    component: str
    unit: str
    theirs: float | None  # None where the program does not tell it
    ours: float | None  # None where the model does not determine it
    verdict: str  # confirmed, wrong, arbitrary, ambiguous, untold
    other: float | None  # of an arbitrary one: another value that is as right


@dataclass(frozen=True, slots=True)
class JudgedSum:
    """A sum of two components that is known though neither of them is."""

    text: str
    theirs: float
    ours: float
    unit: str


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """Numbers of another program, judged."""

    program: str
    model: str
    t: float
    solvability: Solvability = field(repr=False)
    lines: tuple[Line, ...]
    sums: tuple[JudgedSum, ...]
    zeros: tuple[str, ...]  # rows whose multiplier the program set to zero though nothing says so
    balance: float  # largest part of the loads that the program's reactions leave without balance
    closed: float  # the same for the best reactions there are: is the motion itself consistent?
    reason: str
    axes: str  # joint or world: whose axes components are in
    notes: tuple[str, ...]

    def of(self, verdict: str) -> list[Line]:
        """The lines of one verdict."""
        return [line for line in self.lines if line.verdict == verdict]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        counts = {word: len(self.of(word)) for word in ("confirmed", "wrong", "arbitrary", "ambiguous", "untold")}
        told = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        return (
            f"{self.program}: of {len(self.lines)} reaction components of '{self.model}' {told}; "
            f"{self.solvability.redundancy} of {self.solvability.m} equations are redundant."
        )

    def data(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "schema": "reactio.audit/1", "axes": self.axes,
            "program": self.program,
            "model": self.model,
            "t": self.t,
            "redundancy": self.solvability.redundancy,
            "sentence": self.sentence,
            "components": [
                {"joint": x.joint, "component": x.component, "unit": x.unit, "theirs": x.theirs, "ours": x.ours,
                 "verdict": x.verdict, "other": x.other}
                for x in self.lines
            ],
            "sums": [{"sum": s.text, "theirs": s.theirs, "ours": s.ours, "unit": s.unit} for s in self.sums],
            "zeros": list(self.zeros),
            "balance": self.balance,
            "closed": self.closed,
            "reason": self.reason,
            "notes": list(self.notes),
        }  # fmt: skip


def judge(reported: Reported, axes: str = "joint") -> Audit:
    """Solve Cᵀ λ = Q − M v̇ with the accelerations of the program, and compare what λ determines in these axes.

    Loops are judged closed, and forces where the program has them: it may hold loops open by what its springs give.
    """
    from reactio.auditing.renaming import renaming

    if any(body.mass is None for body in reported.model.bodies):
        raise ReactioError(f"'{reported.model.name}' has bodies without mass: its reactions cannot be checked.")
    _refuse_diverged(reported)
    closed = equations(build(reported.model).in_axes(axes))
    answer, other = closed.solvability, _other(closed, loads(closed, reported), closed.solvability)
    eqs = closed if reported.standing is None else equations(build(reported.standing).in_axes(axes))
    rhs = loads(eqs, reported)
    size = _scale(eqs, rhs)
    ours = _solve(eqs, rhs, range(eqs.system.m))
    theirs = _multipliers(eqs, reported)
    misfit = _unbalanced(eqs, ours, rhs) / size
    tolerance = max(AGREE, reported.gap, UNSEEN * misfit)
    if tolerance > COARSEST:
        raise ReactioError(
            f"No reactions explain the accelerations of {reported.program}: {100 * misfit:.2g} % of the loads are "
            "left, too much to judge its numbers by. Compare a state with its own accelerations (MuJoCo: mj_forward), "
            "or let it settle."
        )
    lines = tuple(_lines(eqs, answer, reported, ours, other, size, tolerance))
    filled = _completed(eqs, theirs, rhs)
    other_order = renaming(reported, lines, axes)
    return Audit(
        reported.program,
        reported.model.name,
        reported.t,
        answer,
        lines,
        tuple(_sums(answer, lines)),
        tuple(_zeros(eqs, answer, theirs)),
        _unbalanced(eqs, filled, rhs) / size,
        misfit,
        reported.reason,
        axes,
        (*reported.notes, *([other_order] if other_order else ())),
    )


def _refuse_diverged(reported: Reported) -> None:
    for name, wrench in reported.wrenches.items():
        if not all(np.isfinite(part).all() for part in wrench if part is not None):
            raise ReactioError(
                f"{reported.program} gives '{name}' a reaction that is not a finite number: its motion has diverged, "
                "or its file is damaged. Audit an earlier state."
            )


def loads(eqs: Equations, reported: Reported) -> Floats:
    """What the reactions balance: Q − M v̇ (n,)."""
    return np.asarray(eqs.Q - eqs.M @ _accelerations(eqs, reported))


def _accelerations(eqs: Equations, reported: Reported) -> Floats:
    system, made = eqs.system, np.zeros(eqs.system.n)
    for b, body in enumerate(system.model.bodies):
        a, alpha = reported.acceleration[body.name]
        made[system.body_v[b] : system.body_v[b + 1]] = np.concatenate([a, alpha])
    return made


def _in_metres(eqs: Equations) -> Floats:
    """Forces as they are, moments over the characteristic length: both in newtons."""
    return np.where(eqs.system.angular, 1 / eqs.system.length, 1.0)


def _scale(eqs: Equations, rhs: Floats) -> float:
    """The largest load: what the bodies weigh, what accelerates them, what acts on them [N]."""
    loads = np.abs(_in_metres(eqs) * rhs).max(initial=0.0), np.abs(_in_metres(eqs) * eqs.Q).max(initial=0.0)
    return max(*map(float, loads), 1e-300)


def _unbalanced(eqs: Equations, lam: Floats, rhs: Floats) -> float:
    return float(np.abs(_in_metres(eqs) * (eqs.C.T @ lam - rhs)).max(initial=0.0))


def _solve(eqs: Equations, rhs: Floats, rows: Any) -> Floats:
    """Multipliers of least norm on some rows; the others are zero."""
    columns, chosen = _in_metres(eqs), [int(i) for i in rows]
    if not chosen:
        return np.zeros(eqs.system.m)
    A = (eqs.C[chosen].toarray() * columns).T
    lam = np.zeros(eqs.system.m)
    lam[chosen] = np.linalg.lstsq(A, columns * rhs, rcond=1e-10)[0]
    return lam


def _completed(eqs: Equations, theirs: ReportedMultipliers, rhs: Floats) -> Floats:
    """The reported multipliers with those that were not told (of drives) as they fit best."""
    return np.asarray(theirs.lam + _solve(eqs, rhs - eqs.C.T @ theirs.lam, np.flatnonzero(~theirs.told)))


def _other(eqs: Equations, rhs: Floats, answer: Solvability) -> Floats:
    """Another solution that is as right: the first rows that are independent carry everything, joints in reverse."""
    columns = _in_metres(eqs)
    order = [i for g in reversed(eqs.system.groups) for i in reversed(range(g.start, g.stop))]
    A = eqs.C.toarray() * columns
    chosen: list[int] = []
    basis: list[Floats] = []
    for i in order:
        row = A[i] / max(float(np.linalg.norm(A[i])), 1e-300)
        for _ in range(2):
            for q in basis:
                row = row - (q @ row) * q
        if np.linalg.norm(row) > 1e-6:
            basis.append(row / np.linalg.norm(row))
            chosen.append(i)
        if len(chosen) == answer.rank:
            break
    return _solve(eqs, rhs, sorted(chosen))


class ReportedAtFrame(NamedTuple):
    """A reported wrench (6,) on body b about the origin of frame B, world axes."""

    wrench: Floats
    whole: bool  # is its moment told?  Zero stands in its place where it is not


def _at_frame(eqs: Equations, group: RowGroup, reported: Reported) -> ReportedAtFrame | None:
    told = reported.wrenches.get(group.name)
    if told is None or group.frames is None:
        return None
    if told.torque is None:
        return ReportedAtFrame(np.concatenate([told.force, np.zeros(3)]), False)
    origin = eqs.work.F[group.frames[1], :3]
    return ReportedAtFrame(np.concatenate([told.force, told.torque + np.cross(told.point - origin, told.force)]), True)


class ReportedMultipliers(NamedTuple):
    """λ (m,) of the reported wrenches."""

    lam: Floats
    told: Bools  # (m,) False where nothing, or not everything, was told: λ is zero there


def _multipliers(eqs: Equations, reported: Reported) -> ReportedMultipliers:
    made, told = np.zeros(eqs.system.m), np.zeros(eqs.system.m, dtype=bool)
    for group in eqs.system.groups:
        given = _at_frame(eqs, group, reported)
        if given is not None and given.whole:
            own = slice(group.start, group.stop)
            made[own], told[own] = np.linalg.lstsq(wrench_map(eqs, group), given.wrench, rcond=None)[0], True
    return ReportedMultipliers(made, told)


def _lines(
    eqs: Equations, answer: Solvability, reported: Reported, ours: Floats, other: Floats, load: float, agree: float
) -> Iterator[Line]:
    """Component by component, within a part ``agree`` of the largest force, or load [N] where all forces vanish."""
    force = max((abs(x) for w in reported.wrenches.values() for x in w.force), default=0.0)
    moment = max((abs(x) for w in reported.wrenches.values() if w.torque is not None for x in w.torque), default=0.0)
    force = max(force, moment / eqs.system.length, load)
    moment = max(moment, force * eqs.system.length)
    for group in eqs.system.groups:
        given = _at_frame(eqs, group, reported)
        if given is None:
            continue
        turned = joint_axes(eqs, group) @ given.wrench if eqs.system.axes == "joint" else given.wrench
        table, own = components(eqs, group), slice(group.start, group.stop)
        flags = {c.name: c.unique for c in answer[group.name].components}
        for label, unit, value, second in zip(
            table.labels, table.units, table.P @ ours[own], table.P @ other[own], strict=True
        ):
            place = LABELS["spatial"].index(label)
            theirs = float(turned[place]) if place < 3 or given.whole else None
            within = agree * (force if unit == "N" else moment)
            verdict = _word(flags[label], theirs, float(value), within)
            known = float(value) if flags[label] else None
            as_right = 0.0 if abs(second) < NO_LOAD * (force if unit == "N" else moment) else float(second)
            yield Line(group.name, label, unit, theirs, known, verdict, as_right if flags[label] is False else None)


def _word(unique: bool | None, theirs: float | None, ours: float, within: float) -> str:
    if unique is None:
        return "ambiguous"
    if not unique:
        return "arbitrary"
    if theirs is None:
        return "untold"
    return "confirmed" if abs(theirs - ours) <= within else "wrong"


def _sums(answer: Solvability, lines: tuple[Line, ...]) -> Any:
    """Sums and differences of two arbitrary components that are known."""
    loose = [line for line in lines if line.verdict == "arbitrary" and line.theirs is not None]
    found = 0
    for one, two in itertools.combinations(loose, 2):
        if one.component != two.component or one.joint == two.joint or found >= MOST_SUMS:
            continue
        if two.joint not in answer[one.joint].shares_with:
            continue
        for sign in ("+", "-"):
            text = f"{one.joint}.{one.component} {sign} {two.joint}.{two.component}"
            if answer.functional(text).unique:
                factor = 1.0 if sign == "+" else -1.0
                found += 1
                theirs = (one.theirs or 0.0) + factor * (two.theirs or 0.0)
                yield JudgedSum(text, theirs, (one.other or 0.0) + factor * (two.other or 0.0), one.unit)


def _zeros(eqs: Equations, answer: Solvability, theirs: ReportedMultipliers) -> Any:
    """Rows whose reported multiplier is zero though the model leaves it open: the program left them out."""
    size = np.abs(theirs.lam).max(initial=0.0)
    for group in eqs.system.groups:
        rows = answer.rows_of(answer.index[group.name])
        open_ones = is_unique(answer.evidences, rows, np.eye(len(rows)), answer.tolerances)
        for k, i in enumerate(range(group.start, group.stop)):
            if open_ones[k] is False and theirs.told[i] and abs(theirs.lam[i]) <= ZERO * size:
                yield f"{group.name}.{group.labels[k]}"
