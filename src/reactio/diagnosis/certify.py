"""Verdicts in exact arithmetic: the ranks of a rational C of a model, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reactio.bodies import BODIES
from reactio.bodies.elements import ElementKind
from reactio.constraint_matrix import GroupKind
from reactio.errors import ReactioError
from reactio.kinematics.body_state import model_at
from reactio.model.model import Model
from reactio.model.specs import Body, Element
from reactio.model.transform.natural import natural
from reactio.primitives import PRIMITIVES_BY_SPACE
from reactio.space.rotations import axes_of
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.exact.matrix import exact_matrix, rounded_matrix
from reactio.system.exact.rational import Irrational, nearby_fraction
from reactio.system.types import State, System
from reactio.uniqueness import Solvability, solvability
from reactio.uniqueness.exact import exact_rank, readings, second_opinion, settled, weighed
from reactio.uniqueness.verdict import ExactOpinion, ExactRanks


def certify(answer: Solvability, eqs: Equations) -> Solvability:
    """The answer with exact verdicts on the configuration, where that is rational; else as far as they can be exact.

    Verdicts do not depend on coordinates, or on the points and vectors that describe a body.  Each body is described by
    its point at the origin of the world and by vectors along the world's axes: C is rational when the positions and
    axes of all joints are.
    """
    twin = build(aligned(model_at(eqs.system, eqs.state)))
    aligned_eqs = equations(twin, State(eqs.state.t, twin.q0, twin.v0))
    try:
        _refuse_near_fractions(eqs.system.model)
        if reason := _inexact(twin):
            raise Irrational(reason)
        exact = exact_matrix(aligned_eqs)
    except Irrational as error:
        return _partly_certified(str(error), answer, eqs, aligned_eqs)
    words = (
        "Certified: the configuration is rational and fulfils every constraint exactly; ranks and verdicts hold, no "
        "tolerance is involved." + _note_on_fractions(exact.near)
    )
    if twin.n == eqs.system.n:
        return second_opinion(answer, exact.C, words, exact.near)
    # C of this description has other intrinsic rows, all independent: redundancies are the same.
    words += f" The exact matrix is that of natural coordinates, {twin.m} × {twin.n}."
    confirmed = second_opinion(solvability(aligned_eqs.constraints), exact.C, words, exact.near)
    assert confirmed.exact is not None
    place = {g.name: k for k, g in enumerate(confirmed.matrix.rows.groups) if g.kind != GroupKind.INTRINSIC}
    groups = np.array([k for k, g in enumerate(answer.matrix.rows.groups) if g.name in place], dtype=np.int64)
    places = [place[answer.matrix.rows.groups[k].name] for k in groups]
    v, certified = answer.verdicts, confirmed.exact.ranks
    own, determined, multipliers_unique = v.own.copy(), v.determined.copy(), v.multipliers_unique.copy()
    own[groups], determined[groups] = certified.own[places], certified.determined[places]
    multipliers_unique[groups] = certified.multipliers_unique[places]
    ranks = ExactRanks(certified.rank + answer.m - twin.m, own, determined, multipliers_unique)
    if exact.near:
        return weighed(answer, ranks, None, words)
    wrong = ~v.ambiguous & (determined != v.determined)
    agrees = not wrong.any() and (ranks.rank == answer.rank or not answer.decision.confident)
    return settled(answer, ExactOpinion(ranks, bool(agrees), confirmed.exact.statement))


def _refuse_near_fractions(model: Model) -> None:
    """Refuse dimensions given as decimals near a fraction, as 0.333 near 1/3: they are not that fraction."""
    for joint in model.joints:
        numbers = [*joint.a.point, *joint.b.point, *(x for x in joint.parameters.values() if isinstance(x, float))]
        for x in numbers:
            if (near := nearby_fraction(x)) is not None:
                raise Irrational(f"joint '{joint.name}' has the number {x!r}, which is close but not equal to {near}")


def _inexact(system: System) -> str | None:
    """Which formulas may hold rounded constants, so that ranks of their results prove nothing; None where none may."""
    says = "which does not declare its formulas exact in rational numbers"
    for body in system.model.bodies:
        if not BODIES.get(body.kind).exact:
            return f"body '{body.name}' is of the kind {body.kind}, {says}"
    for name in system.primitive_names:
        if not PRIMITIVES_BY_SPACE[system.space].get(name).exact:
            return f"a joint or force uses the primitive {name}, {says}"
    return None


def _note_on_fractions(near: int) -> str:
    """A sentence on numbers that were taken as fractions though their float differs."""
    if not near:
        return ""
    return (
        f" {near} numbers from sums, products or functions were read as nearby fractions, a few roundings away; "
        f"it is not certified that these are the intended ones."
    )


def aligned(model: Model) -> Model:
    """The model with each rotating body described by its point at the world's origin and vectors along world axes."""
    natural_model = natural(model)
    turned = (replace(b, elements=_along_world(b)) if b.kind == "natural" else b for b in natural_model.bodies)
    return replace(natural_model, bodies=tuple(turned))


def _along_world(body: Body) -> tuple[Element, ...]:
    """Rᵀ(0 − r) and Rᵀe_k of the given pose, in body axes."""
    if len(body.position) == 2:
        c, s = np.cos(body.orientation[0]), np.sin(body.orientation[0])
        R: Any = np.array([[c, -s], [s, c]])
        vectors = R.T[:, :1].T
    else:
        R = np.array(axes_of.plain(body.orientation)).T  # type: ignore[arg-type]
        vectors = R
    point = Element(ElementKind.POINT, tuple(-R.T @ np.array(body.position)))
    return (point, *(Element(ElementKind.VECTOR, tuple(v)) for v in vectors))


def _partly_certified(reason: str, answer: Solvability, eqs: Equations, aligned_eqs: Equations) -> Solvability:
    """The exact verdicts that are possible where the configuration is not rational."""
    known = _inexact(aligned_eqs.system) is None
    if eqs.system.n != aligned_eqs.system.n or not known:
        try:
            return _by_matrix(reason, answer, eqs)
        except ReactioError:
            pass  # its entries are not fractions either
    if not known:
        note = f"Exact arithmetic does not apply to this configuration: {reason}. All verdicts rest on floating point."
        return replace(answer, notes=(*answer.notes, note))
    near = rounded_matrix(aligned_eqs)
    m, n = aligned_eqs.system.m, aligned_eqs.system.n
    r, p = exact_rank(near.C), answer.redundancy
    rest = f"the other {p - m + r} and " if m - r < p else ""
    note = (
        f"Exact arithmetic does not apply to this configuration: {reason}. Certified: {m - r} of the {p} redundancies. "
        f"The configuration rounded to binary fractions, off its constraints by {float(near.residual):.1e}, has rank "
        f"{r} exactly (C is {m} × {n}{_coordinates(aligned_eqs)}), and small changes raise ranks and do not lower "
        f"them. Not certified: {rest}all verdicts on joints, which rest on floating point."
    )
    return replace(answer, notes=(*answer.notes, note))


def _coordinates(eqs: Equations) -> str:
    """A word where C is not that of absolute coordinates."""
    return " in natural coordinates" if any(body.kind == "natural" for body in eqs.system.model.bodies) else ""


def _by_matrix(reason: str, answer: Solvability, eqs: Equations) -> Solvability:
    """The exact ranks of C alone."""
    given, nearby = readings(eqs.constraints.C)
    if nearby is None and not given.plain:
        raise Irrational("its entries are not fractions")
    opinion = second_opinion(answer, eqs.constraints)
    assert opinion.exact is not None
    words = (
        f"Certified: the ranks of this matrix C, its entries read as fractions. Not certified: that it belongs to a "
        f"configuration that satisfies its constraints exactly, because {reason}."
    )
    notes = tuple(words if note == opinion.exact.statement else note for note in opinion.notes)
    return replace(opinion, exact=replace(opinion.exact, statement=words), notes=notes)
