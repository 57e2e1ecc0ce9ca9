"""Parts whose displacement grows with a power of their force, as Hertzian contacts in bearings: Newton's method on (P).

    u = a |w|^p ŵ,   w = A λ;        complementary energy  a |w|^(p+1) / (p + 1)

At forces w_k the law is replaced by its tangent, u ≈ S (w − w_k) + u_k: a compliance S and a misfit u_k − S w_k, so
that the split by stiffness with all gaps solves one step.  As p < 1, the tangent lies above the law and Newton's steps
come from below, one after the other larger, after the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import quantity
from reactio.errors import ReactioError, listed
from reactio.sharing.elasticity import Elasticity, ElasticPart, LoadLaw

MOST_TANGENTS = 60  # about six are usual; an idle part takes one for each power of ten of its force
SETTLED = 1e-8  # part of the largest force by which the last step may change one: the error is its square
# Part of the largest force below which a law is its secant: a contact without load has no stiffness at all.
LEAST_CONTACT_LOAD = 1e-9
LARGEST_DECREASE = 0.1  # of a force in one step: a tangent far above the law would turn it around


def linearised(elastic: Elasticity, lam: Floats, solve: Callable[[Elasticity], Floats]) -> Elasticity:
    """The same parts with every power law as its tangent at the solution; ``solve`` is the split by linear parts.

    lam (m,): any multipliers that balance the loads, to start from.
    """
    laws = elastic.laws
    size = float(np.abs(lam).max(initial=0.0)) or _force_of_misfits(elastic) or 1.0
    forces = [_raised(law.A @ lam[law.rows], 1e-2 * size) for law in laws]
    for _ in range(MOST_TANGENTS):
        largest = max(size, *(float(np.linalg.norm(w)) for w in forces))
        tangent = _with_tangents(elastic, forces, LEAST_CONTACT_LOAD * largest)
        lam = solve(tangent)
        after = [law.A @ lam[law.rows] for law in laws]
        change = max(float(np.linalg.norm(b - a)) for a, b in zip(forces, after, strict=True))
        if change <= SETTLED * largest:
            return tangent
        forces = [_limited(a, b, LEAST_CONTACT_LOAD * largest) for a, b in zip(forces, after, strict=True)]
    names = listed(list(dict.fromkeys(law.name for law in laws)), 8)
    raise ReactioError(
        f"The load distribution with the nonlinear stiffness of {names} was not found: forces still change by "
        f"{quantity(change, 'N', 3)} after {MOST_TANGENTS} steps. Give these joints a `stiffness` at their load."
    )


def _force_of_misfits(elastic: Elasticity) -> float:
    """The size of forces without load: of preloads, and of the largest misfit closed by a law, (δ/a)^(1/p)."""
    misfit = float(np.abs(elastic.delta).max(initial=0.0))
    preloads = [abs(preload.value) for preload in elastic.preloads]
    return max(preloads + [float((misfit / law.a) ** (1 / law.p)) for law in elastic.laws])


def _raised(w: Floats, least: float) -> Floats:
    """w (r,), or a force of the size ``least`` along it where it is smaller."""
    size = float(np.linalg.norm(w))
    if size >= least:
        return np.asarray(w)
    return np.asarray(w * least / size) if size > 0.0 else np.full(len(w), least / np.sqrt(len(w)))


def _limited(before: Floats, after: Floats, least: float) -> Floats:
    """The force of the next tangent: that of the step, not below a part of the one before."""
    return _raised(after, max(least, LARGEST_DECREASE * float(np.linalg.norm(before))))


def _with_tangents(elastic: Elasticity, forces: list[Floats], least: float) -> Elasticity:
    """The parts with the tangents at forces w of every law added to those of the same joints."""
    parts = {part.name: part for part in elastic.parts}
    for law, w in zip(elastic.laws, forces, strict=True):
        parts[law.name] = _added(parts[law.name], law, *tangent(law, w, least))
    return replace(elastic, parts=tuple(parts.values()), laws=())


def tangent(law: LoadLaw, w: Floats, least: float) -> tuple[Floats, Floats]:
    """R (r, r) and c (r,) of u ≈ R Rᵀ w' + c near w (r,); the secant at ``least`` for smaller forces."""
    size = float(np.linalg.norm(w))
    if size <= least:
        return np.sqrt(law.a * least ** (law.p - 1)) * np.eye(len(w)), np.zeros(len(w))
    unit, secant = w / size, law.a * size ** (law.p - 1)
    along = np.outer(unit, unit)
    R = np.sqrt(secant) * (np.eye(len(w)) - along) + np.sqrt(secant * law.p) * along
    return R, secant * (1 - law.p) * w


def _added(part: ElasticPart, law: LoadLaw, R: Floats, c: Floats) -> ElasticPart:
    """A joint with a tangent: L = (L, Aᵀ R), δ = δ + Aᵀ c."""
    place = np.searchsorted(part.rows, law.rows)
    L, delta = np.zeros((len(part.rows), R.shape[1])), np.array(part.delta)
    L[place] = law.A.T @ R
    delta[place] += law.A.T @ c
    return replace(part, L=np.hstack([part.L, L]), e=np.concatenate([part.e, np.zeros(R.shape[1])]), delta=delta)
