"""The reactions of a program against the equations of motion: confirmed, wrong, or arbitrary."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Bools, Floats
from reactio.auditing.alternative import alternative_numbers
from reactio.auditing.data import Audit, AuditedComponent, Finding, JudgedSum
from reactio.auditing.loads import loads
from reactio.auditing.programs.reported import Reported
from reactio.errors import ReactioError, listed
from reactio.linear.precision import ROUNDOFF, SINGULAR, SOLUTION
from reactio.space.frames import origins_of_frames
from reactio.system.compile.build import build
from reactio.system.constraints import components, wrench_components, wrench_map
from reactio.system.equations import Equations, equations
from reactio.system.types import RowGroup
from reactio.uniqueness import Solvability
from reactio.uniqueness.functional import is_unique

# Parts of the largest force or moment within which two numbers are the same: at least printed digits, at most so coarse
# that the comparison still means something.
LEAST_TOLERANCE, LARGEST_TOLERANCE = 1e-6, 1e-2
# Errors of accelerations show only as far as no reactions balance them, the misfit; the rest may be some times as large
# (3.4 times in MuJoCo, which stops iterating at its tolerance).
UNEXPLAINED_FACTOR = 10.0
LEAST_LOAD = 1e-6  # part of the weight of a body on earth: without larger loads, numbers are rounding of programs
STANDARD_GRAVITY = 9.80665  # [m/s²]
MOST_SUMS_JUDGED = 40  # sums of two components that are listed: a page
LEAST_INDEPENDENT_PART = 1e-6  # of a unit row outside the span of the rows taken before


def judge(reported: Reported, axes: str = "joint") -> Audit:
    """Solve Cᵀ λ = Q − M v̇ with the accelerations of the program, and compare unique components in these axes.

    Verdicts are those of closed loops; forces are computed at the pose of the program, whose loops may be open by the
    deflection of its springs.
    """
    if any(body.mass is None for body in reported.model.bodies):
        raise ReactioError(f"'{reported.model.name}' has bodies without mass: its reactions cannot be checked.")
    _refuse_diverged(reported)
    closed = equations(build(reported.model).in_axes(axes))
    answer, another = closed.solvability, _alternative(closed, loads(closed, reported), closed.solvability)
    eqs = closed if reported.open_model is None else equations(build(reported.open_model).in_axes(axes))
    rhs = loads(eqs, reported)
    size = _scale(eqs, rhs, reported.solver_error)
    reported = _best_reading(eqs, reported, rhs)
    ours = _solve(eqs, rhs, range(eqs.system.m))
    theirs = _multipliers(eqs, reported)
    unbalanced = _unbalanced_bodies(eqs, eqs.C.T @ ours - rhs, size)
    unknown = unbalanced | dict(reported.unknown)
    misfit = _unbalanced(eqs, ours, rhs, unknown) / size
    tolerance = max(LEAST_TOLERANCE, reported.gap, UNEXPLAINED_FACTOR * misfit)
    influence = _influence(eqs, unknown)
    every = tuple(_components(eqs, answer, reported, ours, another, size, tolerance, influence))
    notes = _notes_on_unknown(reported, unbalanced, every)
    filled = _completed(eqs, theirs, rhs)
    alternative = alternative_numbers(reported, every, axes)
    return Audit(
        reported.program,
        reported.model.name,
        reported.t,
        answer,
        every,
        tuple(_sums(answer, every)),
        tuple(_zeros(eqs, answer, theirs)),
        _unbalanced(eqs, filled, rhs) / size,
        misfit,
        reported.reason,
        axes,
        (*reported.notes, *notes, *([alternative] if alternative else ())),
    )


def _refuse_diverged(reported: Reported) -> None:
    for name, wrench in reported.wrenches.items():
        if not all(np.isfinite(part).all() for part in wrench if part is not None):
            raise ReactioError(
                f"{reported.program} gives '{name}' a reaction that is not a finite number: its motion has diverged, "
                "or its file is damaged. Audit an earlier state."
            )


def _in_newtons(eqs: Equations) -> Floats:
    """Factors (n,) that make moments comparable with forces [N]: 1, or 1 over the characteristic length."""
    return np.asarray(eqs.system.column_scale / eqs.system.length)


def _best_reading(eqs: Equations, reported: Reported, rhs: Floats) -> Reported:
    """The reading of the program's wrenches that balances the loads best."""
    readings = [replace(reported, wrenches=wrenches) for wrenches in (reported.wrenches, *reported.other_wrenches)]
    if len(readings) == 1:
        return reported
    return min(readings, key=lambda reading: _unbalanced(eqs, _completed(eqs, _multipliers(eqs, reading), rhs), rhs))


def _scale(eqs: Equations, rhs: Floats, solver_error: float) -> float:
    """The largest load, inertial forces included [N]; at least a small part of the weight of the heaviest body.

    Where all loads are below the error of the program's solver, numbers below that error are the same.
    """
    loads = np.abs(_in_newtons(eqs) * rhs).max(initial=0.0), np.abs(_in_newtons(eqs) * eqs.Q).max(initial=0.0)
    mass = max((float(body.mass or 0.0) for body in eqs.system.model.bodies), default=0.0)
    pull = float(np.linalg.norm(eqs.system.model.gravity))
    largest = max(*map(float, loads), mass * pull)
    least = LEAST_LOAD * mass * STANDARD_GRAVITY
    return max(largest if largest > solver_error else solver_error / LEAST_TOLERANCE, least, 1e-300)


def _unbalanced(eqs: Equations, lam: Floats, rhs: Floats, without: Collection[str] = ()) -> float:
    """The largest residual of Cᵀλ = rhs [N], some bodies left out."""
    residual = np.abs(_in_newtons(eqs) * (eqs.C.T @ lam - rhs))
    residual[_columns(eqs, without)] = 0.0
    return float(residual.max(initial=0.0))


def _columns(eqs: Equations, bodies: Collection[str]) -> list[int]:
    """The velocities of these bodies."""
    system = eqs.system
    return [
        i
        for b, body in enumerate(system.model.bodies)
        if body.name in bodies
        for i in range(int(system.body_v[b]), int(system.body_v[b + 1]))
    ]


def _unbalanced_bodies(eqs: Equations, residual: Floats, size: float) -> dict[str, str]:
    """Bodies that no reactions bring into balance with the accelerations of the program, with the rest [N].

    A force on a body that is missing among the loads leaves a residual at that body, unless joints take all of it.
    """
    left = np.abs(_in_newtons(eqs) * residual)
    unbalanced = {
        body.name: float(left[_columns(eqs, [body.name])].max(initial=0.0)) for body in eqs.system.model.bodies
    }
    return {
        name: f"{value:.3g} N of {size:.3g} N do not balance"
        for name, value in unbalanced.items()
        if UNEXPLAINED_FACTOR * value > LARGEST_TOLERANCE * size
    }


def _influence(eqs: Equations, bodies: Collection[str]) -> Floats:
    """∂λ/∂f (m, columns): how multipliers of least norm change with forces on these bodies; [1] by columns in N."""
    chosen = _columns(eqs, bodies)
    if not chosen:
        return np.zeros((eqs.system.m, 0))
    return np.asarray(np.linalg.pinv((eqs.C.toarray() * _in_newtons(eqs)).T, rcond=SINGULAR)[:, chosen])


def _notes_on_unknown(reported: Reported, unbalanced: dict[str, str], every: tuple[AuditedComponent, ...]) -> list[str]:
    """A note on the bodies whose forces are not known; an error where they reach everything that is determined."""
    causes = {name: f"body '{name}': {why}" for name, why in (unbalanced | dict(reported.unknown)).items()}
    if not causes:
        return []
    why = f"{listed(list(causes.values()), most=3, between='; ')}."
    why += f" {reported.remedy}" if unbalanced else ""
    reached = any(line.verdict is Finding.NOT_JUDGED for line in every)
    if reached and not any(line.verdict in (Finding.CONFIRMED, Finding.WRONG) for line in every):
        raise ReactioError(f"No reaction of {reported.program} can be judged: {why}".rstrip())
    return [f"Components that unknown forces can reach are not judged: {why}".rstrip()] if reached else []


def _solve(eqs: Equations, rhs: Floats, rows: Iterable[int]) -> Floats:
    """Multipliers of least norm on some rows; the others are zero."""
    columns, chosen = _in_newtons(eqs), list(rows)
    if not chosen:
        return np.zeros(eqs.system.m)
    A = (eqs.C[chosen].toarray() * columns).T
    lam = np.zeros(eqs.system.m)
    lam[chosen] = np.linalg.lstsq(A, columns * rhs, rcond=SINGULAR)[0]
    return lam


def _completed(eqs: Equations, theirs: ReportedMultipliers, rhs: Floats) -> Floats:
    """The reported multipliers, those that were not given (of drives) by least squares."""
    return np.asarray(theirs.lam + _solve(eqs, rhs - eqs.C.T @ theirs.lam, np.flatnonzero(~theirs.reported).tolist()))


def _alternative(eqs: Equations, rhs: Floats, answer: Solvability) -> Floats:
    """Another solution of the balance: the first independent rows, joints in reverse order, carry all loads."""
    columns = _in_newtons(eqs)
    order = [i for g in reversed(eqs.system.groups) for i in reversed(range(g.start, g.stop))]
    A = eqs.C.toarray() * columns
    chosen: list[int] = []
    basis: list[Floats] = []
    for i in order:
        row = A[i] / max(float(np.linalg.norm(A[i])), 1e-300)
        for _ in range(2):
            for q in basis:
                row = row - (q @ row) * q
        if np.linalg.norm(row) > LEAST_INDEPENDENT_PART:
            basis.append(row / np.linalg.norm(row))
            chosen.append(i)
        if len(chosen) == answer.rank:
            break
    return _solve(eqs, rhs, sorted(chosen))


class ReportedAtFrame(NamedTuple):
    """A reported wrench (6,) on body b about the origin of frame B, world axes; of it the part that the joint can bear.

    Efforts along the freedoms of the joint, by motors and springs, are no reaction.
    """

    wrench: Floats
    has_moment: bool  # is its moment reported?  Zero stands in its place where it is not


def _at_frame(eqs: Equations, group: RowGroup, reported: Reported) -> ReportedAtFrame | None:
    given = reported.wrenches.get(group.name)
    if given is None or group.frames is None:
        return None
    if given.torque is None:
        return ReportedAtFrame(np.concatenate([given.force, np.zeros(3)]), False)
    origin = origins_of_frames(eqs.work.F[group.frames[1]])
    wrench = np.concatenate([given.force, given.torque + np.cross(given.point - origin, given.force)])
    W = wrench_map(eqs, group)
    return ReportedAtFrame(W @ np.linalg.lstsq(W, wrench, rcond=None)[0], True)


class ReportedMultipliers(NamedTuple):
    """λ (m,) of the reported wrenches."""

    lam: Floats
    reported: Bools  # (m,) False where a component is not given: λ is zero there


def _multipliers(eqs: Equations, reported: Reported) -> ReportedMultipliers:
    multipliers, known = np.zeros(eqs.system.m), np.zeros(eqs.system.m, dtype=bool)
    for group in eqs.system.groups:
        given = _at_frame(eqs, group, reported)
        if given is not None and given.has_moment:
            of_group = slice(group.start, group.stop)
            multipliers[of_group], known[of_group] = (
                np.linalg.lstsq(wrench_map(eqs, group), given.wrench, rcond=None)[0],
                True,
            )
    return ReportedMultipliers(multipliers, known)


def _components(
    eqs: Equations,
    answer: Solvability,
    reported: Reported,
    ours: Floats,
    other: Floats,
    load: float,
    agree: float,
    influence: Floats,
) -> Iterator[AuditedComponent]:
    """All components with verdicts; numbers agree within a part ``agree`` of the largest force, or load [N]."""
    force = max((abs(x) for w in reported.wrenches.values() for x in w.force), default=0.0)
    moment = max((abs(x) for w in reported.wrenches.values() if w.torque is not None for x in w.torque), default=0.0)
    force = max(force, moment / eqs.system.length, load)
    moment = max(moment, force * eqs.system.length)
    for group in eqs.system.groups:
        given = _at_frame(eqs, group, reported)
        if given is None:
            continue
        reported_components = wrench_components(eqs, group)[2] @ given.wrench
        table, of_group = components(eqs, group), slice(group.start, group.stop)
        flags = {c.name: c.unique for c in answer[group.name].components}
        reach = np.abs(table.P @ influence[of_group]).max(axis=1, initial=0.0)
        reached = dict(zip(table.labels, reach > LEAST_TOLERANCE, strict=True))
        for label, unit, number, value, second in zip(
            table.labels,
            table.units,
            reported_components,
            table.P @ ours[of_group],
            table.P @ other[of_group],
            strict=True,
        ):
            theirs = float(number) if unit == "N" or given.has_moment else None
            within = agree * (force if unit == "N" else moment)
            verdict = _verdict(flags[label], theirs, float(value), within, reported.consistent)
            known = float(value) if flags[label] else None
            possible = 0.0 if abs(second) < ROUNDOFF * (force if unit == "N" else moment) else float(second)
            second_value = possible if flags[label] is False else None
            if reached[label]:
                verdict, second_value = Finding.NOT_JUDGED if flags[label] else verdict, None
            known = None if verdict is Finding.NOT_JUDGED else known
            yield AuditedComponent(group.name, label, unit, theirs, known, verdict, second_value)


def _verdict(unique: bool | None, theirs: float | None, ours: float, within: float, consistent: bool) -> Finding:
    """The verdict on a component of the program, from the uniqueness of the component and our number.

    A difference shows an error only where the accelerations behind our number are ``consistent``.
    """
    if unique is None:
        return Finding.AMBIGUOUS
    if not unique:
        return Finding.ARBITRARY
    if theirs is None:
        return Finding.UNREPORTED
    if abs(theirs - ours) <= within:
        return Finding.CONFIRMED
    return Finding.WRONG if consistent else Finding.NOT_JUDGED


def _sums(answer: Solvability, every: tuple[AuditedComponent, ...]) -> Iterator[JudgedSum]:
    """Sums and differences of two arbitrary components that are unique."""
    arbitrary = [first for first in every if first.theirs is not None and first.other is not None]
    judged = 0
    for first, second in itertools.combinations(arbitrary, 2):
        if first.component != second.component or first.joint == second.joint or judged >= MOST_SUMS_JUDGED:
            continue
        if second.joint not in answer[first.joint].shares_with:
            continue
        for sign in ("+", "-"):
            text = f"{first.joint}.{first.component} {sign} {second.joint}.{second.component}"
            if answer.functional(text).unique:
                factor = 1.0 if sign == "+" else -1.0
                judged += 1
                theirs = (first.theirs or 0.0) + factor * (second.theirs or 0.0)
                yield JudgedSum(text, theirs, (first.other or 0.0) + factor * (second.other or 0.0), first.unit)


def _zeros(eqs: Equations, answer: Solvability, theirs: ReportedMultipliers) -> Iterator[str]:
    """Rows whose reported multiplier is zero though the model leaves it open: the program dropped them."""
    size = np.abs(theirs.lam).max(initial=0.0)
    for group in eqs.system.groups:
        rows = answer.rows_of(answer.index[group.name])
        open_ones = is_unique(answer.evidences, rows, np.eye(len(rows)), answer.tolerances)
        for k, i in enumerate(range(group.start, group.stop)):
            if open_ones[k] is False and theirs.reported[i] and abs(theirs.lam[i]) <= SOLUTION * size:
                yield f"{group.name}.{group.labels[k]}"
